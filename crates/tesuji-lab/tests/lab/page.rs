//! The page of an experiment: what is in it, and that it stays small. `tesuji-cli` looks at it in a
//! browser.

use std::path::Path;
use tesuji::{Rng, Stop};
use tesuji_lab::report::{PageOptions, Record};
use tesuji_lab::store::SearchRow;
use tesuji_lab::{Experiment, ExperimentOptions, run_experiment};

const FILE: &str = r#"
kind = "matches"
name = "small"
about = "Who wins <here> & why?"
games = 4
playouts = 5
game = "go9"
[[match]]
name = "first"
a = "uct"
b = "random"
series = "UCT"
x = 5
[[match]]
name = "second"
a = "uct,playouts=10"
b = "random"
series = "UCT"
x = 10
"#;

/// The record of the first `games` games of each match.
fn record(out: &Path, games: u64) -> Record {
    let experiment = Experiment::parse("small.toml", FILE).unwrap();
    let options = ExperimentOptions {
        out: out.to_owned(),
        results: out.to_owned(),
        games: Some(games),
        only: Vec::new(),
        threads: 2,
        cluster: None,
        changed: false,
        version: "1".to_owned(),
    };
    run_experiment(&experiment, &options, &Stop::default(), &mut |_| {}).unwrap();
    Record::read(&out.join("small")).unwrap()
}

#[test]
fn a_page_follows_an_experiment() {
    let out = tempfile::tempdir().unwrap();
    let options = PageOptions { again: 7, ..PageOptions::default() };
    let running = record(out.path(), 2);
    assert!(running.progress.is_unfinished);
    let page = running.html(options).unwrap();
    assert!(page.contains("4 of 8 games, unfinished") && page.contains("data-again=\"7\""));
    let finished = record(out.path(), 4);
    assert_eq!((finished.progress.made, finished.progress.is_unfinished), (8, false));
    let page = finished.html(options).unwrap();
    assert!(page.contains("8 of 8 games.") && page.contains("data-again=\"0\""));
    assert!(page.contains("tesuji run experiment.toml"));
    // Scores over x, over games, and lengths.
    assert_eq!(page.matches("<figcaption>").count(), 3);
    assert_eq!(finished.match_results()[0].summary.games, 4);
}

#[test]
fn texts_of_an_experiment_are_no_markup() {
    let out = tempfile::tempdir().unwrap();
    let mut record = record(out.path(), 2);
    record.name = "</title><script>alert(1)</script>".to_owned();
    record.matches[0].planned.a = "gtp:\"<script>alert(2)</script>\"".to_owned();
    record.matches[0].summary.a = record.matches[0].planned.a.clone();
    record.matches[0].planned.name = "<b>bold</b>".to_owned();
    let page = record.html(PageOptions::default()).unwrap();
    assert!(!page.contains("<script>alert") && !page.contains("<b>bold") && !page.contains("wins <here>"));
}

#[test]
fn a_page_of_4000_games_is_below_2_mb_and_says_what_it_leaves_out() {
    let out = tempfile::tempdir().unwrap();
    let mut record = record(out.path(), 2);
    // Random moves and figures take more bytes than those of any player.
    let mut rng = Rng::new(1);
    let (place, game) = record.matches[0].games[0].clone();
    let mut random_game = |opening: u64| {
        let (mut place, mut game) = (place.clone(), game.clone());
        place.opening = opening / 2;
        game.a_first = opening.is_multiple_of(2);
        let letters = b"ABCDEFGHJ";
        let mut move_text = || format!("{}{}", char::from(letters[rng.below(9) as usize]), 1 + rng.below(9));
        game.moves = (0..110).map(|_| move_text()).collect();
        let search = |ply: u32| SearchRow {
            ply,
            by_a: true,
            chosen: String::new(),
            visits: Some(rng.below(1001)),
            value: Some(rng.below(1001) as f32 / 1000.0),
            simulations: 1000,
            seconds: 0.0,
            nodes_peak: 0,
            bytes_peak: 0,
        };
        game.searches = (4..110).map(search).collect();
        (place, game)
    };
    record.matches[0].games = (0..4000).map(&mut random_game).collect();
    let page = record.html(PageOptions::default()).unwrap();
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert!(!page.contains("id=\"left-out\"") && !page.contains("id=\"no-figures\""), "all fits");

    let size = |games_bytes| record.html(PageOptions { games_bytes, again: 0 }).unwrap();
    let (page, less, none) = (page.len(), size(1_000_000), size(300_000));
    assert!(less.contains("id=\"no-figures\"") && !less.contains("id=\"left-out\""));
    assert!(none.contains("id=\"left-out\"") && none.contains("of 4002 games are in this page"));
    assert!(none.len() < less.len() - 200_000 && less.len() < page - 500_000);
    assert!(none.len() > 300_000, "what fits is used");
}
