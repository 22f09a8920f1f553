//! Recipes that are nearly right: each is read or refused in words, and none panics.
#![cfg(feature = "recipe")]

use tesuji::doc_game::Nim;
use tesuji::recipe::{Recipe, RecipeError};
use tesuji::{Budget, Reply, Rng};

const TOKENS: &[&str] = &[
    "=",
    ".",
    ",",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "#",
    "\n",
    "\\u0000",
    "é",
    "-",
    "1",
    "1e9",
    "-1",
    "0.5",
    "nan",
    "inf",
    "true",
    "65536",
    "9223372036854775807",
    "1979-05-27",
    "\"\"",
    "kind",
    "uct",
    "puct",
    "mast",
    "select",
    "[select]",
    "[[select]]",
    "playout",
    "memory.nodes",
    "memory.bytes",
    "first_play",
    "parent-minus",
    "depth",
    "final_move",
    "{ secure = 1.0 }",
    "select.kind",
    "solver",
    "reuse",
    "about",
    "expand_at",
];

/// One small change.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let mut pick = |n: usize| rng.below(n as u32 + 1) as usize;
    let (a, b) = (pick(chars.len()), pick(chars.len()));
    let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 12));
    match pick(4) {
        0 => _ = chars.drain(from..to),
        1 => chars.truncate(a),
        2 => {
            let copy = chars[from..to].to_vec();
            let at = pick(chars.len());
            chars.splice(at..at, copy);
        }
        3 => _ = chars.splice(from..from, TOKENS[pick(TOKENS.len() - 1)].chars()),
        _ => _ = chars.splice(from..to, TOKENS[pick(TOKENS.len() - 1)].chars()),
    }
    chars.into_iter().collect()
}

/// What is read must run, and say the same after a round trip; what is not must say why.
fn judge(read: Result<Recipe, RecipeError>, text: &str) -> bool {
    match read {
        Ok(recipe) => {
            let again = Recipe::from_toml(recipe.name(), &recipe.to_toml());
            assert_eq!(again.as_ref(), Ok(&recipe), "{text}");
            if recipe.options().memory.bytes.is_none_or(|bytes| bytes < 1 << 20) {
                let game = Nim::new(9);
                match recipe.search(&game, 1) {
                    Ok(mut search) => _ = search.run(&game, &Budget::simulations(20)).unwrap(),
                    Err(error) => assert!(error.to_string().len() > 20, "{text}: {error}"),
                }
            }
            true
        }
        Err(error) => {
            let message = error.to_string();
            let (_, why) = message.split_once(": ").expect("a place, then a reason");
            assert!(!why.trim().is_empty() && !message.contains('\n'), "{text}: {message}");
            false
        }
    }
}

#[test]
fn mutated_files_are_read_or_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/recipes");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut texts: Vec<_> = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    texts.sort();
    texts.extend(Recipe::built_ins().map(|(name, _)| Recipe::built_in(name).unwrap().to_toml()));
    let (mut rng, mut read, total) = (Rng::new(1), 0, 6000);
    for i in 0..total {
        let mut text = texts[i % texts.len()].clone();
        for _ in 0..=rng.below(3) {
            text = mutate(&text, &mut rng);
        }
        read += usize::from(judge(Recipe::from_toml("mutant.toml", &text), &text));
    }
    assert!(read > total / 100 && read < total / 2, "some are still right: {read} of {total}");
}

#[test]
fn mutated_command_lines_are_read_or_refused() {
    let specs = [
        "uct,select.c=0.5,memory.nodes=99,final_move=max-robust,depth=7",
        "uct,select.kind=puct,select.first_play={parent-minus=0.2},final_move={secure=0.5}",
        "mast,playout.epsilon=0.1,playout.keep=1,memory.bytes=32768,reuse=true,ties=random",
        "flat-ucb,select=epsilon-greedy,select.epsilon=0.3,solver=false,expand_at=3",
    ];
    let (mut rng, mut read, total) = (Rng::new(2), 0, 4000);
    for i in 0..total {
        let mut spec = specs[i % specs.len()].to_string();
        for _ in 0..=rng.below(3) {
            spec = mutate(&spec, &mut rng).replace('\n', " ");
        }
        read += usize::from(judge(Recipe::parse(&spec), &spec));
    }
    assert!(read > total / 100 && read < total / 2, "some are still right: {read} of {total}");
}

/// One tree, several trees, and a tree of several threads.
#[test]
fn every_move_is_reported_with_its_variation() {
    let game = Nim::new(14);
    for spec in ["uct", "uct,parallel=root,parallel.threads=2", "uct,parallel=tree,parallel.threads=2"] {
        let mut bot = Recipe::parse(spec).unwrap().bot(&game, 1).unwrap();
        let Reply::Play(report) = bot.genmove(&game, &Budget::simulations(3000), &mut ()).unwrap() else {
            panic!("a search never resigns")
        };
        assert_eq!(report.children.len(), 3, "{spec}");
        for child in &report.children {
            assert_eq!(child.variation[0], child.m, "{spec}");
            assert!(child.variation.len() > 2, "{spec}: {child:?}");
        }
        let best = report.children.iter().find(|child| child.m == report.best).unwrap();
        assert_eq!(report.variation, best.variation, "{spec}");
    }
}
