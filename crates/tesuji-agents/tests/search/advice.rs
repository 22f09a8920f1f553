//! Searches with an advisor.

use crate::trees::fingerprint;
use crate::{recipes, search, visits};
use std::sync::Arc;
use tesuji::recipe::{PatternEffect, PatternRule, Recipe, RecipeSearch};
use tesuji::{Advisor, Bias, Budget, Game, Keyed, Reply, SearchGame};
use tesuji_games::*;
use tesuji_go::pattern::Generator;
use tesuji_go::{Go9, Rules};

/// Has an opinion on some cells, the same in every position.
#[derive(Debug)]
struct Opinion(Vec<(usize, i8)>);

impl<G: SearchGame> Advisor<G> for Opinion {
    fn advise(&self, _: &G, advice: &mut [i8]) {
        assert!(advice.iter().all(|&h| h == 0));
        self.0.iter().for_each(|&(cell, h)| advice[cell] = h);
    }
}

fn advised<G: SearchGame>(spec: &str, start: &G, seed: u64, cells: &[(usize, i8)]) -> RecipeSearch<G> {
    search(spec, start, seed).with_advisor(Arc::new(Opinion(cells.to_vec()))).unwrap()
}

/// Every recipe with every kind of memory.
fn specs() -> impl Iterator<Item = String> {
    recipes().flat_map(|name| {
        ["", ",ties=random", ",memory.nodes=60,recycle=true", ",two_level.lambda=0.3"]
            .map(|rest| format!("{name}{rest}"))
    })
}

#[test]
fn advice_on_nothing_changes_nothing() {
    fn check<G: SearchGame>(start: &G) {
        for spec in specs() {
            let run = |mut search: RecipeSearch<G>| {
                search.run(start, &Budget::simulations(400)).unwrap();
                fingerprint(search.tree(), start)
            };
            assert_eq!(run(advised(&spec, start, 5, &[])), run(search(&spec, start, 5)), "{spec}");
        }
    }
    check(&Go9::new(5, Rules::default()));
    check(&Hex::new(4).unwrap());
    check(&ConnectFour::new());
}

/// Cells of a Go board of size 5 that are good and bad below.
const GOOD: usize = 6;
const BAD: usize = 8;

#[test]
fn a_good_move_is_visited_more_than_a_bad_one() {
    let start = Go9::new(5, Rules::default());
    for spec in recipes().filter(|spec| *spec != "flat-mc") {
        for bias in ["c=0.5", "kind=virtual,bias.visits=50"] {
            let spec = format!("{spec},bias.{bias}");
            let count = |advice: i8| -> u32 {
                let run = |seed| {
                    let mut search = advised(&spec, &start, seed, &[(GOOD, advice)]);
                    let report = search.run(&start, &Budget::simulations(600)).unwrap();
                    let found = visits(&report).into_iter().find(|&(m, _)| start.key(m) == GOOD);
                    found.map_or(0, |(_, visits)| visits)
                };
                (0..3).map(run).sum()
            };
            let [bad, plain, good] = [-127, 0, 127].map(count);
            assert!(bad < good && (bad < plain || plain < good), "{spec}: {bad}, {plain}, {good}");
        }
    }
}

#[test]
fn where_every_move_is_tried_once_advice_gives_the_order() {
    let start = Go9::new(5, Rules::default());
    let cells = [(GOOD, 127), (3, 64), (BAD, -127), (2, -64)];
    for spec in ["uct", "ucb1-tuned", "uct-solver", "puct,select.first_play=infinite", "epsilon-greedy"] {
        let mut search = advised(&format!("{spec},bias.from=0"), &start, 1, &cells);
        // A simulation for each of 26 moves, but the first, which in a search with a list stays at
        // the root.
        search.run(&start, &Budget::simulations(26)).unwrap();
        let tree = search.tree();
        let order: Vec<usize> = tree.children(tree.root()).map(|(_, child)| child.code().into()).collect();
        let (last, first) = (&order[..2], &order[order.len() - 2..]);
        assert_eq!((first, order.contains(&BAD)), (&[3, GOOD][..], order.len() == 26), "{spec}: {order:?}");
        if order.len() == 26 {
            assert_eq!(last, [BAD, 2], "{spec}: {order:?}");
        }
    }
}

#[test]
fn a_node_is_complete_when_its_last_move_is_expanded() {
    let start = ConnectFour::new();
    for spec in ["uct,bias.from=0", "ucb1-tuned,bias.from=0"] {
        for simulations in 1..9 {
            let mut search = advised(spec, &start, 1, &[(7, 127)]);
            search.run(&start, &Budget::simulations(simulations)).unwrap();
            let tree = search.tree();
            let all = tree.children(tree.root()).count() == 7;
            assert_eq!(tree.node(tree.root()).is_complete(), all, "{spec}, {simulations} simulations");
        }
    }
}

/// Patterns and bounds on memory.
fn recipe_with_patterns(spec: &str, patterns: usize) -> Recipe {
    let mut generator = Generator::new(4, 3);
    let recipe = Recipe::parse(spec).unwrap();
    (0..patterns).fold(recipe, |recipe, i| {
        let pattern = generator.next().expect("there are more").to_string();
        recipe.with_pattern(
            PatternRule::new(pattern, if i % 2 == 0 { PatternEffect::Good } else { PatternEffect::Bad }),
            "patterns",
        )
    })
}

#[test]
fn patterns_of_a_recipe_bias_its_search() {
    let start = Go9::new(9, Rules::default());
    for spec in ["uct", "grave", "puct", "graver"] {
        let run = |recipe: &Recipe| {
            let mut search = recipe.search(&start, 3).unwrap();
            let report = search.run(&start, &Budget::simulations(600)).unwrap();
            (fingerprint(search.tree(), &start), report.best)
        };
        let recipe = recipe_with_patterns(spec, 20);
        assert_eq!(run(&recipe), run(&Recipe::from_toml("again", &recipe.to_toml()).unwrap()));
        assert_ne!(run(&recipe), run(&Recipe::parse(spec).unwrap()));
    }
}

#[test]
fn patterns_have_weights() {
    let recipe = |lines: &str| {
        let text = format!(
            "[select]\nkind = \"uct\"\n[[patterns]]\npattern = \"+1+0:#\"\nvalue = \"good\"\n{lines}"
        );
        Recipe::from_toml("mine", &text)
    };
    let run = |recipe: &Recipe| {
        let start = Go9::new(5, Rules::default());
        let mut search = recipe.search(&start, 3).unwrap();
        search.run(&start, &Budget::simulations(2000)).unwrap();
        fingerprint(search.tree(), &start)
    };
    let [whole, half, none] = ["", "weight = 0.5", "weight = 0.0"].map(|lines| recipe(lines).unwrap());
    assert_eq!(recipe("weight = 1.0").unwrap().identity(None), whole.identity(None));
    assert!(!whole.to_toml().contains("weight = 1") && half.to_toml().contains("weight = 0.5"));
    assert_ne!(run(&whole), run(&half));
    assert_ne!(run(&half), run(&none));
    for lines in ["weight = 1.5", "weight = -0.1", "weight = nan"] {
        let error = recipe(lines).unwrap_err().to_string();
        assert!(error.contains("weight") && error.contains("0 to 1"), "{lines}: {error}");
    }
}

#[test]
fn advised_searches_that_never_recycle_are_those_without_recycling() {
    let start = Go9::new(5, Rules::default());
    let cells = [(GOOD, 127), (3, 64), (BAD, -127)];
    for spec in ["uct", "grave", "puct", "rave", "grave2"] {
        let run = |more: &str| {
            let mut search = advised(&format!("{spec},{more}"), &start, 2, &cells);
            search.run(&start, &Budget::simulations(500)).unwrap();
            fingerprint(search.tree(), &start)
        };
        assert_eq!(run("memory.nodes=600"), run("memory.nodes=600,recycle=true"), "{spec}");
        // With few nodes advice is asked for again and again, and a search is still reproducible.
        let few = "memory.nodes=12,recycle=true,bias.from=1";
        assert_eq!(run(few), run(few), "{spec}");
    }
}

#[test]
fn a_bias_is_an_axis_of_recipes() {
    let form = |spec: &str| Recipe::parse(spec).unwrap().options().bias;
    assert_eq!(form("uct"), Bias::default());
    assert_eq!(form("uct,bias=virtual"), Bias::Virtual { visits: 10.0, from: 8 });
    assert_eq!(form("uct,bias.kind=virtual,bias.visits=5"), Bias::Virtual { visits: 5.0, from: 8 });
    assert_eq!(form("uct,bias.c=0.2,bias.from=1"), Bias::LogDecay { c: 0.2, from: 1 });
    let error = Recipe::parse("uct,bias.visits=5").unwrap_err().to_string();
    assert!(error.contains("visits"), "{error}");
}

#[test]
fn an_advisor_that_comes_late_begins_a_new_tree() {
    let mut game = ConnectFour::new();
    let mut agent = search("uct,reuse=true", &game, 1);
    let m = agent.run(&game, &Budget::simulations(200)).unwrap().best;
    game.play(m);
    agent.follow(m);
    let mut agent = agent.with_advisor(Arc::new(Opinion(vec![(0, 127)]))).unwrap();
    agent.run(&game, &Budget::simulations(100)).unwrap();
    assert_eq!(agent.tree().node(agent.tree().root()).visits(), 100);
}

#[test]
fn patterns_go_with_several_threads_in_one_tree() {
    let start = Go9::new(5, Rules::default());
    for spec in ["uct,parallel=tree", "grave,parallel=tree,parallel.threads=4,parallel.in_flight=unobserved"]
    {
        let recipe = Recipe::parse(spec)
            .unwrap()
            .with_pattern(PatternRule::new("+1+0:X", PatternEffect::Good), "mine");
        let mut bot = recipe.bot(&start, 1).unwrap();
        let Reply::Play(report) = bot.genmove(&start, &Budget::simulations(1000), &mut ()).unwrap() else {
            panic!("a search never resigns")
        };
        assert_eq!(report.children.iter().map(|child| child.visits).sum::<u32>(), 1000, "{spec}");
    }
}

#[test]
fn patterns_that_cannot_be_used_are_named() {
    let start = Go9::new(9, Rules::default());
    let error = |spec: &str, patterns: &[&str]| {
        let recipe = Recipe::parse(spec).unwrap();
        let recipe = patterns.iter().fold(recipe, |recipe, pattern| {
            recipe.with_pattern(PatternRule::new(*pattern, PatternEffect::Good), "mine")
        });
        recipe.bot(&start, 1).err().unwrap().to_string()
    };
    for (message, words) in [
        (error("uct", &["+1+0:X", "+1+0:Y"]), &["mine", "pattern 2", "+1+0:Y", "X, O, *"][..]),
        (
            Recipe::parse("uct")
                .unwrap()
                .with_pattern(PatternRule::new("a", PatternEffect::Good), "b")
                .search(&ConnectFour::new(), 1)
                .unwrap_err()
                .to_string(),
            &["this game reads no patterns"],
        ),
        (
            Recipe::from_toml("f.toml", "[[patterns]]\npattern = \"+1+0:X\"\nvalue = \"fine\"\n")
                .unwrap_err()
                .to_string(),
            &["f.toml", "line 1", "`patterns.0.value`", "fine", "good, bad"],
        ),
    ] {
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    }
    assert!(recipe_with_patterns("uct,parallel=root", 3).bot(&start, 1).is_ok());
}
