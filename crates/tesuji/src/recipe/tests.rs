//! Recipes are read, changed and refused.

use super::*;
use crate::budget::Budget;
use crate::doc_game::Nim;
use crate::final_move::FinalMove;
use crate::select::Puct;

fn error(spec: &str) -> String {
    Recipe::parse(spec).unwrap_err().to_string()
}

#[test]
fn every_built_in_recipe_reads_plays_and_survives_the_round_trip() {
    for (name, about) in Recipe::built_ins() {
        let recipe = Recipe::built_in(name).unwrap_or_else(|| panic!("{name}"));
        assert!(!about.is_empty(), "{name}");
        let again = Recipe::from_toml(name, &recipe.to_toml()).unwrap();
        assert_eq!(again, recipe);
        if recipe.network().is_some() {
            continue;
        }
        let game = Nim::new(7);
        let report = recipe.search(&game, 1).unwrap().run(&game, &Budget::simulations(2000)).unwrap();
        // In Nim the order of moves matters: the root's AMAF table alone may mislead for good.
        assert!(report.best == 3 || name == "hrave", "{name}");
        assert_eq!(report.recipe, name);
    }
}

#[test]
fn threads_play_too() {
    for spec in ["uct,parallel=root", "mast,parallel=tree", "uct,parallel.kind=tree,parallel.threads=3"] {
        let game = Nim::new(7);
        let mut bot = Recipe::parse(spec).unwrap().bot(&game, 1).unwrap();
        match bot.genmove(&game, &Budget::simulations(2000), &mut ()).unwrap() {
            crate::bot::Reply::Play(report) => {
                assert_eq!((report.best, report.simulations), (3, 2000), "{spec}")
            }
            crate::bot::Reply::Resign => panic!("{spec}"),
        }
    }
}

#[test]
fn overrides_reach_every_depth() {
    let recipe = Recipe::parse("uct,select.c=0.25,memory.nodes=99,final_move=max-robust,depth=7").unwrap();
    assert_eq!(recipe.agent.select, AnySelect::Uct(crate::select::Ucb { c: 0.25 }));
    assert_eq!(recipe.options().memory.nodes, Some(99));
    assert_eq!((recipe.options().depth, recipe.options().final_move), (7, FinalMove::MaxRobust));
    let recipe = Recipe::parse("uct,select.kind=puct,final_move={secure=0.5}").unwrap();
    assert_eq!(recipe.agent.select, AnySelect::Puct(Puct::default()));
    assert_eq!(recipe.options().final_move, FinalMove::Secure(0.5));
    assert_eq!(
        Recipe::parse("uct,playout=mast").unwrap().agent.playout,
        AnyPlayout::Mast(Default::default())
    );
}

#[test]
fn other_names_are_of_recipes_that_there_are() {
    for (other, name) in OTHER_NAMES {
        assert_eq!(Recipe::parse(other).unwrap(), Recipe::built_in(name).unwrap());
        assert_eq!(Recipe::built_in(other), Recipe::built_in(name));
    }
}

#[test]
fn errors_name_the_key_and_what_is_accepted() {
    for (spec, words) in [
        ("uct,select.c=-1", &["`select.c`", "-1", "0 to 100"][..]),
        ("uct,select.c=nan", &["`select.c`", "nan"]),
        ("uct,select.d=1", &["`select.d`", "unknown key", "c"]),
        ("uct,selct.c=1", &["`selct`", "unknown key", "select", "memory"]),
        ("uct,select=grve", &["`select.kind`", "grve", "uct", "puct"]),
        ("uct,solver=1", &["`solver`", "true or false"]),
        ("uct,depth=0", &["`depth`", "1 to 65535"]),
        ("uct,final_move=best", &["`final_move`", "robust", "secure"]),
        ("uct,final_move={secure=-1}", &["secure", "-1", "0 to 100"]),
        ("uct,memory.nodes=0", &["`memory.nodes`", "1 or more"]),
        ("uct,memory.nodes=1.5", &["`memory.nodes`", "whole number"]),
        ("uct,parallel=all", &["`parallel.kind`", "root", "tree"]),
        ("uct,parallel=root,parallel.threads=0", &["`parallel.threads`", "1 to 1024"]),
        ("uct,memory=5", &["`memory`", "table"]),
        ("uct,oops", &["`oops`", "key=value"]),
        ("nothing", &["`nothing`", "uct", ".toml"]),
        ("missing.toml", &["cannot read `missing.toml`"]),
        ("missing.TOML,depth=2", &["cannot read `missing.TOML`"]),
        ("grve", &["did you mean `grave`?"]),
        ("uct,c=1", &["`c`", "did you mean `select.c`?"]),
        ("grave,c=1", &["`c`", "unknown key", "accepted here"]),
        ("uct,nodes=5", &["did you mean `memory.nodes`?"]),
        ("uct,selct.c=1", &["did you mean `select`?"]),
        ("uct,memory.byts=1", &["did you mean `memory.bytes`?"]),
        ("uct,select=grve", &["did you mean `grave`?"]),
        ("uct,game=hex", &["experiment"]),
        ("puct-net,network.file=\"a,b\",depth=0", &["`depth`"]),
    ] {
        let message = error(spec);
        assert!(words.iter().all(|word| message.contains(word)), "{spec}: {message}");
    }
}

#[test]
fn a_parameter_of_a_part_that_goes_without_saying_needs_no_kind() {
    let file = std::env::temp_dir().join(std::format!("tesuji-{}.toml", std::process::id()));
    std::fs::write(&file, "depth = 100\n").unwrap();
    let parse = |overrides: &str| Recipe::parse(&std::format!("{}{overrides}", file.display()));
    let of = |recipe: Result<Recipe, RecipeError>| recipe.unwrap().to_toml();
    assert_eq!(of(parse(",select.c=0.5")), of(parse(",select=uct,select.c=0.5")));
    assert_ne!(of(parse(",select.c=0.5")), of(parse("")));
    // A new kind after the parameter drops it, as everywhere.
    assert_eq!(of(parse(",select.c=0.5,select=puct")), of(parse(",select=puct")));
    let message = parse(",select.d=1").unwrap_err().to_string();
    assert!(message.contains("`select.d`: unknown key; accepted here: kind, c"), "{message}");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn ranges_are_short() {
    let ranges: Vec<String> = parts().into_iter().flat_map(|part| part.parameters).map(|p| p.range).collect();
    assert!(ranges.iter().all(|range| !range.contains("0000000000")), "{ranges:?}");
    assert!(ranges.contains(&"list of 1 to 65536, each 1e-100 to 1e100".to_string()), "{ranges:?}");
}

#[test]
fn errors_in_files_name_the_line() {
    let bad = |text| Recipe::from_toml("mine.toml", text).unwrap_err().to_string();
    assert!(bad("depth = 5\nsolver = 3\n").starts_with("mine.toml, line 2: `solver`"));
    assert!(bad("[select]\nkind = \"uct\"\n\nc = 200.0\n").starts_with("mine.toml, line 4: `select.c`"));
    assert!(bad("[select]\nkind = \"uct\"\nd = 1\n").starts_with("mine.toml, line 3: `select.d`"));
    assert!(bad("depth = \n").starts_with("mine.toml, line 1:"));
}

#[test]
fn the_list_has_a_default_for_every_parameter() {
    let parts = parts();
    let find = |axis: &str, kind: &str| parts.iter().find(|p| p.axis == axis && p.kind == kind).unwrap();
    let c = &find("select", "uct").parameters[0];
    assert_eq!((c.key.as_str(), c.default.as_str(), c.range.as_str()), ("select.c", "0.7", "0 to 100"));
    assert_eq!(find("search", "").parameters.iter().filter(|p| p.key == "memory.bytes").count(), 1);
    let all: Vec<_> = parts.iter().flat_map(|part| &part.parameters).collect();
    assert!(
        all.iter().all(|p| !p.about.is_empty() && !p.range.is_empty() && !p.default.is_empty()),
        "{all:#?}"
    );
}

#[test]
fn a_part_that_cannot_work_is_refused() {
    for spec in ["flat-mc,parallel=tree", "epsilon-greedy,parallel=tree"] {
        let error = Recipe::parse(spec).unwrap().bot(&Nim::new(9), 1).err().unwrap().to_string();
        assert!(error.contains("`depth` = 1") && error.contains("tree parallelization"), "{error}");
    }
    for (spec, word) in [
        ("uct,root=gumbel", "priors"),
        ("grave,root=dirichlet", "priors"),
        ("puct,root=gumbel,solver=true", "solver"),
        ("puct,root=gumbel,two_level.lambda=0.5", "two_level"),
        ("puct,root=gumbel,parallel=root", "parallel"),
    ] {
        let error = Recipe::parse(spec).unwrap().bot(&Nim::new(9), 1).err().unwrap().to_string();
        assert!(error.contains(word) && error.contains("root"), "{error}");
    }
    let recipe = Recipe::parse("uct,memory.bytes=100").unwrap();
    let error = recipe.search(&Nim::new(9), 1).unwrap_err().to_string();
    assert!(error.contains("memory.bytes = 100") && error.contains("at least"), "{error}");
    let recipe = Recipe::parse("uct,memory.bytes=800,parallel.kind=root,parallel.threads=8").unwrap();
    let error = recipe.bot(&Nim::new(9), 1).err().unwrap().to_string();
    assert!(error.contains("share of each of 8 threads: memory.bytes = 100"), "{error}");
    let recipe = Recipe::parse("uct,memory.nodes=7,parallel.kind=root,parallel.threads=8").unwrap();
    let error = recipe.bot(&Nim::new(9), 1).err().unwrap().to_string();
    assert!(error.contains("`memory.nodes` = 7") && error.contains("accepted: 8 or more"), "{error}");
}
