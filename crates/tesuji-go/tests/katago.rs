//! What KataGo 1.17.2 says of positions, and what its networks say here.
//!
//! `katago/README.md` says where the files come from.

use serde_json::{Value, json};
use tesuji::{
    Bot, BotError, Evaluate, Expectation, Game, NetworkOptions, Notation, Outcome, Player, Search, SearchGame,
};
use tesuji_go::engine::{Agents, AgentsOf, Engine, Options};
use tesuji_go::gtp::Session;
use tesuji_go::network::{self, NetEvaluator};
use tesuji_go::{Go, Go9, Komi, RuleSet, Rules, Vertex, with_go};

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
    let Expectation { lead, ownership, .. } = evaluator.expectation(game).unwrap();
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

/// An agent with this network, or with none.
struct WithNetwork(Option<NetworkOptions>);

impl Agents for WithNetwork {
    fn name(&self, _: usize) -> String {
        "agent".into()
    }

    fn network(&self, _: usize) -> Option<NetworkOptions> {
        self.0.clone()
    }
}

impl<G: SearchGame + 'static> AgentsOf<G> for WithNetwork {
    fn agent(&self, start: &G, seed: u64) -> Result<Box<dyn Bot<G>>, BotError> {
        Ok(Box::new(Search::uct(start, 0.7, seed)))
    }
}

fn session(network: Option<NetworkOptions>, size: usize, rules: Rules) -> Session {
    let options = Options { rules, ..Options::default() };
    Session::new(Engine::new(WithNetwork(network), size, options).unwrap())
}

fn katago(file: &str) -> Option<NetworkOptions> {
    Some(NetworkOptions { file: Some(path(file)), ..NetworkOptions::default() })
}

/// What `kata-raw-nn` says, as KataGo's page has it read: keys and numbers between any whitespace,
/// `NAN` for none.
fn raw(session: &mut Session, arguments: &str, size: usize) -> Vec<Value> {
    let answer = session.execute(&format!("kata-raw-nn {arguments}"));
    assert!(answer.starts_with("= symmetry ") && answer.ends_with("\n\n"), "{answer}");
    assert!(!answer.trim_end().contains("\n\n"), "an empty line ends an answer: {answer}");
    let mut words = answer[1..].split_whitespace();
    let mut blocks: Vec<Value> = Vec::new();
    while let Some(key) = words.next() {
        let mut number = || match words.next().unwrap() {
            "NAN" => Value::Null,
            word => json!(word.parse::<f64>().unwrap_or_else(|_| panic!("{key} {word}"))),
        };
        if key == "symmetry" {
            blocks.push(json!({}));
        }
        let grid = matches!(key, "policy" | "whiteOwnership");
        let value = if grid { (0..size * size).map(|_| number()).collect() } else { number() };
        blocks.last_mut().unwrap()[key] = value;
    }
    blocks
}

#[test]
fn gtp_says_what_katago_says() {
    let mut compared = 0;
    for (file, positions) in [
        ("g170-b6c96.bin.gz", "katago-b6c96.jsonl"),
        ("katago-transformer.bin.gz", "katago-transformer.jsonl"),
    ] {
        for line in std::fs::read_to_string(path(positions)).unwrap().lines().step_by(3) {
            let line: Value = serde_json::from_str(line).unwrap();
            let (told, suicide) = RuleSet::parse(line["rules"].as_str().unwrap()).unwrap();
            let komi = Komi::from_points(line["komi"].as_f64().unwrap() as f32);
            let size = line["size"].as_u64().unwrap() as usize;
            let rules = Rules { komi, suicide, told, ..Rules::default() };
            let mut session = session(katago(file), size, rules);
            let mut moves = line["moves"].as_array().unwrap().iter();
            // Where another ko is in force, a game may repeat what superko forbids.
            if !moves.all(|m| {
                session.execute(&format!("play {} {}", m[0], m[1]).replace('"', "")).starts_with('=')
            }) {
                continue;
            }
            compared += 1;
            let said = raw(&mut session, "0", size).remove(0);
            let missing = ["varTimeLeft", "shorttermWinlossError", "shorttermScoreError"];
            for (key, wanted) in line["raw"].as_object().unwrap() {
                let most = match key.as_str() {
                    _ if missing.contains(&key.as_str()) => continue,
                    "whiteLead" | "whiteScoreSelfplay" => 2e-3,
                    // Of a square, which goes up to some thousands.
                    "whiteScoreSelfplaySq" => 1e-3 + 1e-4 * wanted.as_f64().unwrap(),
                    _ => 1e-4,
                };
                let list = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                let (said, wanted) = (list(&said[key]), list(wanted));
                assert_eq!(said.len(), wanted.len(), "{key}");
                for (said, wanted) in said.iter().zip(&wanted) {
                    match (said.as_f64(), wanted.as_f64()) {
                        (Some(a), Some(b)) => assert!((a - b).abs() < most, "{positions} {key}: {a}, {b}"),
                        (a, b) => assert_eq!(a, b, "{positions} {key}"),
                    }
                }
            }
        }
    }
    assert!(compared > 30, "{compared} of 40");
}

/// Where KataGo's symmetry takes a point (`SymmetryHelpers::getSymLoc`), in rows from the top.
fn taken(symmetry: usize, point: usize, size: usize) -> usize {
    let (mut y, mut x) = (point / size, point % size);
    if symmetry & 2 != 0 {
        x = size - 1 - x;
    }
    if symmetry & 1 != 0 {
        y = size - 1 - y;
    }
    if symmetry & 4 != 0 { x * size + y } else { y * size + x }
}

#[test]
fn symmetries_have_katagos_numbers() {
    const SIZE: usize = 7;
    let moves: [usize; 5] = [10, 18, 4, 31, 26];
    let play = |symmetry: usize| {
        let mut session = session(katago("g170-b6c96.bin.gz"), SIZE, Rules::default());
        for (ply, &m) in moves.iter().enumerate() {
            let m = taken(symmetry, m, SIZE);
            let (column, row) = (char::from(b"ABCDEFGH"[m % SIZE]), SIZE - m / SIZE);
            let command = format!("play {} {column}{row}", if ply % 2 == 0 { "b" } else { "w" });
            assert!(session.execute(&command).starts_with('='), "{command}");
        }
        session
    };
    let all = raw(&mut play(0), "all", SIZE);
    assert_eq!(all.len(), 8);
    let near = |a: &Value, b: &Value| match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-4,
        (a, b) => a == b,
    };
    for (symmetry, said) in all.iter().enumerate() {
        assert_eq!(said["symmetry"], symmetry as f64);
        assert_eq!(said, &raw(&mut play(0), &symmetry.to_string(), SIZE)[0]);
        // As the turned position looks as it is.
        let turned = raw(&mut play(symmetry), "0", SIZE).remove(0);
        assert!(near(&said["whiteWin"], &turned["whiteWin"]), "{symmetry}");
        for key in ["policy", "whiteOwnership"] {
            let same = |point| near(&said[key][point], &turned[key][taken(symmetry, point, SIZE)]);
            assert!((0..SIZE * SIZE).all(same), "{symmetry} {key}");
        }
        assert!(symmetry == 0 || said["whiteWin"] != all[0]["whiteWin"], "no network is symmetric");
    }
}

#[test]
fn a_network_of_this_project_says_what_it_can() {
    let mut session = session(Some(NetworkOptions::default()), 9, Rules::default());
    session.execute("play b E5");
    let said = raw(&mut session, "0", 9).remove(0);
    let mut game = Go9::new(9, Rules::default());
    game.play_as(Player::FIRST, Vertex::parse("E5").unwrap());
    let mut evaluator = network::evaluator(&NetworkOptions::default(), 9).unwrap();
    let (mut moves, mut priors) = (Vec::new(), Vec::new());
    game.moves(&mut moves);
    let value = f64::from(evaluator.evaluate(&game, &moves, &mut priors).of(Player::SECOND));
    assert!((said["whiteWin"].as_f64().unwrap() - value).abs() < 1e-5);
    assert!((said["whiteWin"].as_f64().unwrap() + said["whiteLoss"].as_f64().unwrap() - 1.0).abs() < 1e-5);
    for (m, &prior) in moves.iter().zip(&priors) {
        let said = match (m.column(), m.row()) {
            (Some(column), Some(row)) => &said["policy"][(8 - row) * 9 + column],
            _ => &said["policyPass"],
        };
        assert!((said.as_f64().unwrap() - f64::from(prior)).abs() < 1e-5, "{}", game.move_text(*m));
    }
    assert_eq!(said["policy"][4 * 9 + 4], Value::Null, "there is a stone");
    assert!(said["whiteOwnership"].as_array().unwrap().iter().all(Value::is_null));
    assert_eq!((&said["whiteLead"], said.get("whiteScoreSelfplay")), (&Value::Null, None));
    // The other player's view.
    let black = raw(&mut session, "black 0", 9).remove(0);
    assert!(black["whiteWin"] != said["whiteWin"]);
    assert_eq!(raw(&mut session, "W 0", 9)[0], said);
}

#[test]
fn what_the_raw_network_is_not_asked_is_refused() {
    let mut session = session(katago("g170-b6c96.bin.gz"), 5, Rules::default());
    for (arguments, words) in [
        ("", ["needs a symmetry", "0 to 7 or all"]),
        ("8", ["'8' is not a symmetry", "0 to 7 or all"]),
        ("-1", ["'-1' is not a symmetry", "0 to 7 or all"]),
        ("b", ["needs a symmetry", "0 to 7 or all"]),
        ("0 b", ["does not read 'b'", "accepted"]),
        ("all 0.5", ["does not read '0.5'", "accepted"]),
    ] {
        let answer = session.execute(&format!("kata-raw-nn {arguments}"));
        assert!(answer.starts_with("? ") && words.iter().all(|word| answer.contains(word)), "{answer}");
    }
    let mut none = self::session(None, 5, Rules::default());
    let answer = none.execute("kata-raw-nn 0");
    assert!(answer.starts_with("? the agent has no network"), "{answer}");
    assert!(none.execute("list_commands").lines().any(|line| line == "kata-raw-nn"));
}
