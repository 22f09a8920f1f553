//! Identities of games never change, or stored games would no longer count.

use tesuji::recipe::Recipe;
use tesuji_lab::{Adjudication, AgentSpec, GameSpec, Limit, Match, MatchSpec};

/// A hash and the agent that had it when hashes were frozen, one a line: every recipe that comes
/// with the library, and every part.
const AGENTS: &str = include_str!("../data/identities.txt");

/// Agents whose games a later version changed, and the most visits of a node with which they stayed
/// as they were.
const REVISED: [(&str, u64); 7] = [
    ("coulom", 0),
    ("puct-net-coulom", 0),
    ("puct-net-coulom-400", 0),
    ("puct-net-feedback", 1024),
    ("uct,backup=feedback", 1024),
    ("uct,parallel=tree", 0),
    ("uct,parallel.kind=tree,parallel.threads=4,parallel.virtual_visits=3", 0),
];

#[test]
fn agents_keep_their_hashes() {
    tesuji_go::register_playouts();
    for limit in [Limit::Playouts(2), Limit::Playouts(1_000_000), Limit::Milliseconds(100)] {
        for line in AGENTS.lines() {
            let (hash, agent) = line.split_once(' ').unwrap();
            let config = AgentSpec::parse(agent).unwrap().config(limit);
            let visits = if let Limit::Playouts(visits) = limit { visits } else { u64::MAX };
            let is_revised = REVISED.iter().any(|&(name, most)| name == agent && visits > most);
            assert_eq!(config.hash() != hash, is_revised, "{agent} with {limit:?}:\n{}", config.spec);
            assert_eq!(config.spec.contains("\nrevision = "), is_revised, "{agent} with {limit:?}");
        }
    }
}

#[test]
fn every_recipe_has_a_frozen_hash() {
    tesuji_go::register_playouts();
    let agents: Vec<&str> =
        AGENTS.lines().filter_map(|line| line.split_once(' ')).map(|(_, agent)| agent).collect();
    for (name, _) in Recipe::built_ins() {
        assert!(agents.contains(&name), "{name} has no line in data/identities.txt");
    }
    let parts = tesuji::recipe::parts().into_iter().filter(|part| !part.kind.is_empty());
    for part in parts {
        let has = |agent: &str| {
            let spec = Recipe::parse(agent).map(|recipe| recipe.to_toml());
            let table = spec.ok().and_then(|spec| spec.parse::<toml::Table>().ok()).unwrap_or_default();
            let kind = table.get(&part.axis).and_then(|axis| axis.get("kind"));
            kind.is_some_and(|kind| kind.as_str() == Some(&part.kind))
        };
        // Not written at all.
        let is_plain = (part.axis.as_str(), part.kind.as_str()) == ("root", "plain");
        assert!(is_plain || agents.iter().any(|agent| has(agent)), "{}={} has no line", part.axis, part.kind);
    }
}

#[test]
fn games_keep_their_identities() {
    let spec = |game: &str| MatchSpec {
        name: "match".to_owned(),
        labels: Default::default(),
        a: "uct".to_owned(),
        b: "flat-mc".to_owned(),
        game: GameSpec::parse(game, None).unwrap(),
        games: 1,
        limit: Limit::Playouts(3),
        seed: 1,
        openings: None,
        unpaired: false,
        longest: 2000,
        adjudicate: Adjudication::NEVER,
        sprt: None,
        disputed: Default::default(),
        engine: Default::default(),
    };
    let komi = MatchSpec { game: GameSpec::parse("go:5", Some("5.5")).unwrap(), ..spec("go:5") };
    let limited = ["uct,memory.bytes=65536", "flat-mc,memory.bytes=65536"].map(str::to_owned);
    let [a, b] = limited;
    let timed = MatchSpec { limit: Limit::Milliseconds(1), ..spec("tic-tac-toe") };
    let openings = Some(tesuji_lab::Openings::RandomPlies(3));
    for (id, spec) in [
        ("7001816b51501cf346146380e6863ccd", spec("go9")),
        ("fb9930bbf7be2f57a70986e37f90d0a1", MatchSpec { longest: 20, ..spec("go13") }),
        ("b22a2a9d30dfb8c43a13aedfe45faea8", MatchSpec { longest: 20, ..spec("go19") }),
        ("57a5ef524c14acccfde9b9a6ade96207", komi),
        ("e4edc1853a394af71684a59768771580", MatchSpec { a, b, ..spec("go:7") }),
        ("1de792ef75b51af5a9bcf8e7d8cc0fd8", spec("hex:5")),
        ("fe570d8d3aa78644e64b234d8088701e", MatchSpec { seed: 7, ..spec("connect-four") }),
        ("f332baa920452d9dd2119e52d9841c81", timed),
        ("3e06caddce6d507ddc3e164bc0ec141f", MatchSpec { openings, ..spec("domineering:5x6") }),
        ("36354665c4969b98de1a470b05c9dc04", MatchSpec { longest: 20, ..spec("knightthrough") }),
        ("e4f4f395d278223f4c264204294b8bda", MatchSpec { unpaired: true, ..spec("p-game:4,5,2") }),
        (
            "945f9c55e0de063fc84ec5011c2732e1",
            MatchSpec { adjudicate: Adjudication::new(0.1).unwrap(), ..spec("heap-go:3x4,2") },
        ),
        ("5d554555520ebca750c37339483c232b", spec("heap-go:b3r5b5,r2b1")),
    ] {
        let played = Match::new(&spec).unwrap();
        let matchup = &played.planned().matchup;
        assert_eq!(matchup.game_id(0, 0, true), id, "{}", matchup.conditions);
    }
}
