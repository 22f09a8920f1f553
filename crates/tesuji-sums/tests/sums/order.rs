//! The order of games against play by the rules, and incentives against optimal scores.

use crate::common::heaps;
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::HashMap;
use tesuji::{Player, Rng};
use tesuji_sums::{Analysis, Component, Dyadic, Graph, Groups, Heap, Position, StateOptions, Sum, Tree};

fn game(text: &str) -> Graph {
    text.parse::<Tree>().unwrap().graph().clone()
}

fn order(a: &str, b: &str) -> Option<Ordering> {
    game(a).compare(&game(b)).unwrap()
}

#[test]
fn known_values_are_ordered() {
    use Ordering::{Equal, Greater, Less};
    for (a, b, expected) in [
        ("{|}", "0", Some(Equal)),
        ("{0|}", "1", Some(Equal)),
        ("{0|1}", "1/2", Some(Equal)),
        ("{0|{0|1}}", "1/4", Some(Equal)),
        // Zero games that are no numbers as written, and values that are infinitely small.
        ("{{|0}|{0|}}", "0", Some(Equal)),
        ("{0|0}", "0", None),
        ("{0|{0|0}}", "0", Some(Greater)),
        ("{0|{0|0}}", "1/1024", Some(Less)),
        ("{0|{0|0}}", "{0|0}", None),
        ("{{0|0}|{0|0}}", "0", Some(Equal)),
        // Hot games.
        ("{3|1}", "2", None),
        ("{3|1}", "1", None),
        ("{3|1}", "0", Some(Greater)),
        ("{3|1}", "4", Some(Less)),
        ("{5|0}", "{3|1}", None),
        ("{5|2}", "{3|1}", Some(Greater)),
        ("{5,3|2}", "{5|2}", Some(Equal)),
        // A reversible option.
        ("{{{0|0}|{0|0}},1|2}", "3/2", Some(Equal)),
    ] {
        assert_eq!(order(a, b), expected, "{a} and {b}");
        assert_eq!(order(b, a), expected.map(Ordering::reverse), "{b} and {a}");
    }
}

/// A small game whose numbers are whole.
fn small() -> impl Strategy<Value = Graph> {
    let options = || prop::collection::vec(any::<prop::sample::Index>(), 0..3);
    let position = prop_oneof![
        (-2i64..=2).prop_map(|x| (Some(x), vec![], vec![])),
        (options(), options()).prop_map(|(left, right)| (None, left, right)),
    ];
    prop::collection::vec(position, 1..6).prop_map(|positions| {
        let place = |(at, (end, left, right)): (usize, (Option<i64>, Vec<_>, Vec<_>))| {
            let options = |list: Vec<prop::sample::Index>| {
                let inside = list.iter().filter(|_| at > 0).map(|index| (0, index.index(at)));
                inside.collect()
            };
            Position { end: end.map(Dyadic::from), options: [options(left), options(right)] }
        };
        Graph::new(positions.into_iter().enumerate().map(place).collect())
    })
}

/// Whether the player who moves first wins G - H when the last to move wins, by all lines of play;
/// a whole number is as many free moves of its player.
fn first_wins(
    games: [&Graph; 2],
    at: [usize; 2],
    free: i64,
    first: Player,
    known: &mut HashMap<([usize; 2], i64, Player), bool>,
) -> bool {
    let key = (at, free, first);
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    // The second game is negated: its players change places, and so does the owner of its numbers.
    let mut followers = Vec::new();
    for (which, player) in [(0, first), (1, first.other())] {
        let position = &games[which].positions()[at[which]];
        for &(_, after) in &position.options[player.index()] {
            let mut next = at;
            next[which] = after;
            let end = |i: usize| games[i].positions()[next[i]].end.map_or(0, |x| x.to_f64() as i64);
            let gained = if which == 0 { end(0) } else { -end(1) };
            followers.push((next, free + gained));
        }
    }
    let own = if first == Player::FIRST { free } else { -free };
    if own > 0 {
        followers.push((at, free - free.signum()));
    }
    let wins = followers.into_iter().any(|(next, free)| !first_wins(games, next, free, first.other(), known));
    known.insert(key, wins);
    wins
}

fn by_play(a: &Graph, b: &Graph) -> Option<Ordering> {
    let end = |graph: &Graph| graph.positions()[graph.start()].end.map_or(0, |x| x.to_f64() as i64);
    let free = end(a) - end(b);
    let [left, right] = [Player::FIRST, Player::SECOND]
        .map(|first| first_wins([a, b], [a.start(), b.start()], free, first, &mut HashMap::new()));
    match (left, right) {
        (false, false) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Greater),
        (false, true) => Some(Ordering::Less),
        (true, true) => None,
    }
}

proptest! {
    #[test]
    fn the_order_is_that_of_play(a in small(), b in small()) {
        prop_assert_eq!(a.compare(&b).unwrap(), by_play(&a, &b));
    }

    #[test]
    fn games_form_a_group_with_an_order(a in heaps(3, 4), b in heaps(3, 4), c in small()) {
        let [a, b] = [&a, &b].map(|heap| Graph::of(heap).0);
        let zero = Graph::number(Dyadic::ZERO);
        prop_assert_eq!(a.plus(&a.negated()).unwrap().compare(&zero).unwrap(), Some(Ordering::Equal));
        let order = a.compare(&b).unwrap();
        prop_assert_eq!(b.negated().compare(&a.negated()).unwrap(), order);
        let with_c = a.plus(&c).unwrap().compare(&b.plus(&c).unwrap()).unwrap();
        prop_assert_eq!(with_c, order, "the same game added to both changes nothing");
        if order == Some(Ordering::Greater) {
            let mean = |graph: &Graph| graph.thermographs().pop().unwrap().mean();
            prop_assert!(mean(&a) >= mean(&b));
        }
    }
}

/// Equation 17: an action of the greater incentive is worth at least as much in every state.
#[test]
fn a_greater_incentive_is_worth_at_least_as_much_everywhere() {
    let (mut ordered, mut all) = (0, 0);
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let heaps: Vec<Heap> = (0..3).map(|_| Heap::random(3, &mut rng)).collect();
        let solution = Analysis::new(&Sum::new(heaps.clone())).solve().unwrap();
        let graphs: Vec<Graph> = heaps.iter().map(|heap| Graph::of(heap).0).collect();
        for player in [Player::FIRST, Player::SECOND] {
            let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
            let incentive =
                |heap: usize, left: usize| graphs[heap].incentives(left, player).unwrap().remove(0);
            for (i, j, k) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
                for (a, b) in (1..=3).flat_map(|a| (1..=3).map(move |b| (a, b))) {
                    all += 1;
                    let order = incentive(i, a).compare(&incentive(j, b)).unwrap();
                    let Some(order) = order else { continue };
                    ordered += 1;
                    for third in 0..=3 {
                        let mut state = [0; 3];
                        (state[i], state[j], state[k]) = (a, b, third);
                        let value = |heap: usize| {
                            let mut after = heaps[heap].clone();
                            let gain = after.play(player, state[heap] as u8) as f64;
                            let mut positions = state;
                            positions[heap] = after.height();
                            gain + sign * solution.to_come(&positions, player.other()).to_f64()
                        };
                        let difference = value(i) - value(j);
                        let holds = match order {
                            Ordering::Greater => difference >= 0.0,
                            Ordering::Less => difference <= 0.0,
                            Ordering::Equal => difference == 0.0,
                        };
                        assert!(holds, "seed {seed}, {player:?}, {state:?}: {order:?}, {difference}");
                    }
                }
            }
        }
    }
    assert!(ordered * 3 > all, "{ordered} of {all} pairs are ordered");
}

#[test]
fn sums_that_are_too_large_are_an_error() {
    let heap = Graph::of(&Heap::random(60, &mut Rng::new(1))).0;
    let two = heap.plus(&heap).unwrap();
    let error = two.plus(&two).unwrap_err().to_string();
    assert!(error.contains("13845841"), "{error}");
}

#[test]
fn one_group_learns_as_one_search_and_two_know_the_hottest() {
    let mut rng = Rng::new(7);
    let sum = Sum::new((0..6).map(|_| Heap::random(3, &mut rng)).collect::<Vec<Heap>>()).with_shared_keys();
    let learn = |groups, runs| Groups { groups, runs }.learn(&sum, StateOptions::PAPER, 3000, 5);
    let rate = |incentives: &tesuji::Incentives| {
        let order = |a, b| incentives.place(b).cmp(&incentives.place(a));
        tesuji_sums::Temperatures::new(&sum).match_rate(order).percent().unwrap()
    };
    assert_eq!(learn(2, 3), learn(2, 3), "the seed decides");
    let (search, _) = crate::incentives::searched(&sum, StateOptions::PAPER, 3000, Rng::derive(5, 1));
    assert_eq!(learn(1, 1), *search.incentives());
    for (groups, runs) in [(1, 1), (2, 3), (3, 4)] {
        let rate = rate(&learn(groups, runs));
        assert!(rate > 70.0, "{groups} groups in {runs} runs: {rate}");
    }
    let apart = learn(6, 1);
    assert!((0..3).all(|a| (3..18).all(|b| apart.samples(a, b) == 0)), "no pair of two heaps was compared");
}
