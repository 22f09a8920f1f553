//! What KataGo 1.17.2 says of positions, and what its networks say here.
//!
//! `katago/README.md` says where the files come from.

use serde_json::Value;
use tesuji::{Evaluate, Expectation, Game, NetworkOptions, Outcome, Player};
use tesuji_go::network::{self, NetEvaluator};
use tesuji_go::{Go, Komi, RuleSet, Rules, Vertex, with_go};

fn path(name: &str) -> String {
    format!("{}/tests/katago/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn player(name: &Value) -> Player {
    if name == "B" { Player::FIRST } else { Player::SECOND }
}

/// The largest differences of win rate, lead, ownership and policy.
fn differences<const STRIDE: usize, const LEN: usize>(
    evaluator: &mut NetEvaluator,
    game: &Go<STRIDE, LEN>,
    raw: &Value,
) -> [f64; 4] {
    let size = game.size();
    let number = |name: &str| raw[name].as_f64().unwrap();
    let numbers = |name: &str| raw[name].as_array().unwrap().iter().map(Value::as_f64);
    let is_white = game.to_move() == Player::SECOND;
    let sign = if is_white { 1.0 } else { -1.0 };
    let (mut moves, mut priors) = (Vec::new(), Vec::new());
    game.moves(&mut moves);
    let value = evaluator.evaluate(game, &moves, &mut priors).of(game.to_move());
    let win = number(if is_white { "whiteWin" } else { "whiteLoss" });
    let value = f64::from(value) - (win + number("noResult") / 2.0);
    let Expectation { lead, ownership } = evaluator.expectation(game).unwrap();
    let lead = sign * f64::from(lead) - number("whiteLead");

    // Points of games are in rows from A1, KataGo's in rows from the top.
    let from_top = |v: Vertex<STRIDE>| (size - 1 - v.row().unwrap()) * size + v.column().unwrap();
    let wanted: Vec<f64> = numbers("whiteOwnership").map(Option::unwrap).collect();
    let owners = game.points().zip(&ownership);
    let owners = owners.map(|(v, &owner)| sign * f64::from(owner) - wanted[from_top(v)]);
    let mut wanted: Vec<Option<f64>> = numbers("policy").collect();
    let pass = number("policyPass") - f64::from(priors[moves.iter().position(|m| m.is_pass()).unwrap()]);
    let mut policy = pass.abs();
    for (&m, &prior) in moves.iter().zip(&priors).filter(|(m, _)| !m.is_pass()) {
        let wanted = wanted[from_top(m)].take().expect("KataGo takes the same moves for legal");
        policy = policy.max((f64::from(prior) - wanted).abs());
    }
    assert!(wanted.iter().all(Option::is_none), "moves that KataGo calls legal");
    [value.abs(), lead.abs(), owners.map(f64::abs).fold(0.0, f64::max), policy]
}

fn check(network: &str, positions: &str) {
    let text = std::fs::read_to_string(path(positions)).unwrap();
    let mut count = 0;
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let (told, suicide) = RuleSet::parse(line["rules"].as_str().unwrap()).unwrap();
        let komi = Komi::from_points(line["komi"].as_f64().unwrap() as f32);
        let rules = Rules { komi, suicide, told, ..Rules::default() };
        let options = NetworkOptions { file: Some(path(network)), ..NetworkOptions::default() };
        with_go!(line["size"].as_u64().unwrap() as usize, rules, |game| {
            for m in line["moves"].as_array().unwrap() {
                game.play_as(player(&m[0]), Vertex::parse(m[1].as_str().unwrap()).unwrap());
            }
            assert_eq!(game.to_move(), player(&line["to_move"]));
            let mut evaluator = network::evaluator(&options, game.size()).unwrap();
            let [value, lead, owner, policy] = differences(&mut evaluator, &game, &line["raw"]);
            let all =
                format!("win {value:.6}, lead {lead:.6}, ownership {owner:.6}, policy {policy:.6}\n{game}");
            // Policies are written to six places, leads to three.
            assert!(
                value < 1e-4 && owner < 1e-4 && policy < 1e-4 && lead < 2e-3,
                "{positions} {count}: {all}"
            );
        });
        count += 1;
    }
    assert_eq!(count, 60);
}

#[test]
fn b6c96_says_what_katago_says() {
    check("g170-b6c96.bin.gz", "katago-b6c96.jsonl");
}

#[test]
fn a_transformer_says_what_katago_says() {
    check("katago-transformer.bin.gz", "katago-transformer.jsonl");
}
