//! Optimal scores of sums, and what heaps must satisfy.

use crate::common::{heaps, minimax};
use proptest::prelude::*;
use std::collections::HashMap;
use tesuji::{Game, Player, Rng, alpha_beta};
use tesuji_sums::{Component, Domineering, Dyadic, Graph, Heap, Position, Solution, Sum, Thermograph, Tree};

const BOTH: [Player; 2] = [Player::FIRST, Player::SECOND];

fn graphs<C: Component>(components: &[C]) -> Vec<Graph> {
    components.iter().map(|component| Graph::of(component).0).collect()
}

/// The optimal score with Left first and with Right first.
fn scores<C: Component>(components: &[C]) -> [Dyadic; 2] {
    let solution = Solution::new(&graphs(components)).unwrap();
    BOTH.map(|first| solution.score(first))
}

fn thermograph(heap: &Heap) -> Thermograph {
    let (graph, _) = Graph::of(heap);
    graph.thermographs().swap_remove(graph.start())
}

/// The largest temperature among all parts of the heaps, 0 if they are empty.
fn hottest(heaps: &[Heap]) -> Dyadic {
    let thermographs = heaps.iter().flat_map(|heap| Graph::of(heap).0.thermographs());
    thermographs.map(|t| t.temperature()).max().unwrap_or_default().max(Dyadic::ZERO)
}

fn some_heaps(most: usize, highest: usize) -> impl Strategy<Value = Vec<Heap>> {
    prop::collection::vec(heaps(highest, 10), 1..=most)
}

fn parsed(heaps: &[&str]) -> Vec<Heap> {
    heaps.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn small_sums_have_their_known_scores() {
    for (heaps, left, right) in [(&["b1"][..], 1, -1), (&["B4B5", "R2R1"], 6, -2), (&["B3R9R5"], 7, 1)] {
        assert_eq!(scores(&parsed(heaps)), [Dyadic::from(left), Dyadic::from(right)], "{heaps:?}");
    }
    let b1 = thermograph(&"b1".parse().unwrap());
    assert_eq!((b1.mean(), b1.temperature()), (Dyadic::ZERO, Dyadic::ONE));
}

/// Five heaps of five counters: all sums of up to this size are searched by alpha-beta too, whose
/// outcome is the sign of the score.
#[test]
fn large_sums_agree_with_alpha_beta() {
    let mut rng = Rng::new(5);
    for _ in 0..2 {
        let heaps: Vec<Heap> = (0..5).map(|_| Heap::random(5, &mut rng)).collect();
        let solution = Solution::new(&graphs(&heaps)).unwrap();
        // After a few moves the rest is small enough.
        for first in BOTH {
            let mut sum = Sum::new(heaps.clone()).with_to_move(first);
            while sum.components().iter().map(Heap::height).sum::<usize>() > 13 {
                let mut moves = Vec::new();
                sum.moves(&mut moves);
                sum.play(moves[rng.below(moves.len() as u32) as usize]);
            }
            let at: Vec<usize> = sum.components().iter().map(Heap::height).collect();
            let score = sum.score() + solution.to_come(&at, sum.to_move());
            assert_eq!(score, minimax(&sum));
            let sign = match score.signum() {
                0 => tesuji::Value::DRAW,
                1 => tesuji::Value::win(Player::FIRST),
                _ => tesuji::Value::win(Player::SECOND),
            };
            assert_eq!(alpha_beta(&sum).value, sign);
        }
    }
}

/// The table of a whole 5x5 sum keeps Bellman's equation everywhere, which with its ends fixes it.
#[test]
fn every_entry_is_the_best_of_its_options() {
    let mut rng = Rng::new(55);
    let heaps: Vec<Heap> = (0..5).map(|_| Heap::random(5, &mut rng)).collect();
    let solution = Solution::new(&graphs(&heaps)).unwrap();
    for state in 0..6usize.pow(5) {
        let at: Vec<usize> = (0..5).map(|i| state / 6usize.pow(i) % 6).collect();
        for player in BOTH {
            let scores = (0..5).filter(|&i| at[i] > 0).map(|i| {
                let mut heap = heaps[i].clone();
                let gain = heap.play(player, at[i] as u8);
                let mut after = at.clone();
                after[i] = heap.height();
                let gain = Dyadic::from(if player == Player::FIRST { gain } else { -gain });
                gain + solution.to_come(&after, player.other())
            });
            let best = if player == Player::FIRST { scores.max() } else { scores.min() };
            assert_eq!(solution.to_come(&at, player), best.unwrap_or_default());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sums_of_heaps_agree_with_minimax(heaps in some_heaps(4, 3)) {
        let found = BOTH.map(|first| minimax(&Sum::new(heaps.clone()).with_to_move(first)));
        prop_assert_eq!(scores(&heaps), found);
    }

    #[test]
    fn the_other_colours_negate(heaps in some_heaps(4, 5)) {
        let negated: Vec<Heap> = heaps.iter().map(Heap::negated).collect();
        let [left, right] = scores(&heaps);
        prop_assert_eq!(scores(&negated), [-right, -left]);
        for (heap, negated) in heaps.iter().zip(&negated) {
            let (t, n) = (thermograph(heap), thermograph(negated));
            prop_assert_eq!((n.mean(), n.temperature()), (-t.mean(), t.temperature()));
        }
    }

    #[test]
    fn weights_scale(heap in heaps(8, 10), factor in 2u32..=7) {
        let counters: Vec<_> = heap.counters().collect();
        let heavier: Vec<_> =
            counters.iter().map(|&c| tesuji_sums::Counter { weight: c.weight * factor, ..c }).collect();
        let (t, h) = (thermograph(&heap), thermograph(&Heap::new(&heavier).unwrap()));
        let times = |x: Dyadic| (0..factor).map(|_| x).sum::<Dyadic>();
        prop_assert_eq!(h.mean(), times(t.mean()));
        if heap.height() > 0 {
            prop_assert_eq!(h.temperature(), times(t.temperature()));
        }
    }

    /// Moving first is no loss; each counter goes to one player; the means say the score up to the
    /// largest temperature.
    #[test]
    fn scores_are_near_the_means(heaps in some_heaps(5, 5)) {
        let [left, right] = scores(&heaps);
        prop_assert!(left >= right);
        let weight: u32 = heaps.iter().flat_map(Heap::counters).map(|c| c.weight).sum();
        let mean: Dyadic = heaps.iter().map(|heap| thermograph(heap).mean()).sum();
        for score in [left, right] {
            prop_assert_eq!(score.exponent(), 0);
            prop_assert_eq!(score.numerator().rem_euclid(2), i128::from(weight) % 2);
            prop_assert!((score - mean).abs() <= hottest(&heaps));
        }
    }

    #[test]
    fn a_heap_and_its_negative_are_even(heap in heaps(6, 10)) {
        prop_assert_eq!(scores(&[heap.clone(), heap.negated()]), [Dyadic::ZERO; 2]);
    }

    #[test]
    fn many_copies_are_near_their_means(heap in heaps(5, 10), copies in 1usize..=6) {
        let heaps = vec![heap.clone(); copies];
        let mean: Dyadic = heaps.iter().map(|heap| thermograph(heap).mean()).sum();
        for score in scores(&heaps) {
            prop_assert!((score - mean).abs() <= hottest(&heaps));
        }
    }

    /// A single heap's optimal scores are its stops.
    #[test]
    fn stops_are_optimal_scores(heap in heaps(8, 10)) {
        let t = thermograph(&heap);
        prop_assert_eq!(scores(&[heap]), [t.left_stop(), t.right_stop()]);
    }
}

/// The same positions with numbers as the games that they are: `{x - 1/2^k | x + 1/2^k}`,
/// `{n - 1|}`, `{|n + 1}`.
fn without_numbers(graph: &Graph) -> Graph {
    fn number(x: Dyadic, known: &mut HashMap<Dyadic, usize>, positions: &mut Vec<Position>) -> usize {
        if let Some(&number) = known.get(&x) {
            return number;
        }
        let step = Dyadic::new(1, x.exponent());
        let mut option = |is_there: bool, x| match is_there {
            true => vec![(0, number(x, known, positions))],
            false => Vec::new(),
        };
        let is_whole = x.exponent() == 0;
        let left = option(!is_whole || x > Dyadic::ZERO, x - step);
        let right = option(!is_whole || x < Dyadic::ZERO, x + step);
        positions.push(Position { end: None, options: [left, right] });
        known.insert(x, positions.len() - 1);
        positions.len() - 1
    }
    let (mut positions, mut known, mut numbers) = (Vec::new(), HashMap::new(), Vec::new());
    for position in graph.positions() {
        numbers.push(match position.end {
            Some(x) => number(x, &mut known, &mut positions),
            None => {
                let options = position.options.clone();
                let options = options.map(|o| o.into_iter().map(|(gain, o)| (gain, numbers[o])).collect());
                positions.push(Position { end: None, options });
                positions.len() - 1
            }
        });
    }
    Graph::new(positions)
}

/// The sum of two games as one.
fn sum_of([a, b]: [&Graph; 2]) -> Graph {
    let n = a.positions().len();
    let position = |state: usize| {
        let (i, j) = (state % n, state / n);
        let options = BOTH.map(|player| {
            let in_a = a.positions()[i].options[player.index()].iter().map(|&(_, o)| (0, o + n * j));
            let in_b = b.positions()[j].options[player.index()].iter().map(|&(_, o)| (0, i + n * o));
            in_a.chain(in_b).collect()
        });
        Position { end: None, options }
    };
    Graph::new((0..n * b.positions().len()).map(position).collect())
}

fn trees(depth: u32) -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        4 => (-4i32..=4).prop_map(|n| n.to_string()),
        1 => (-3i32..=3).prop_map(|n| format!("{}/2", 2 * n + 1)),
    ];
    leaf.prop_recursive(depth, 8, 2, |game| {
        let options = || prop::collection::vec(game.clone(), 1..=2).prop_map(|options| options.join(","));
        (options(), options()).prop_map(|(left, right)| format!("{{{left}|{right}}}"))
    })
    .prop_map(|text| text.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Scores of sums that end at numbers are the stops of the sum as one game: moves in numbers,
    /// which the sum leaves out, do not change them, nor do infinitesimals.
    #[test]
    fn scores_of_sums_are_stops_of_the_sum(a in trees(2), b in trees(2)) {
        let whole = sum_of([&without_numbers(a.graph()), &without_numbers(b.graph())]);
        let start = without_numbers(a.graph()).positions().len() * without_numbers(b.graph()).positions().len() - 1;
        let stops = whole.thermographs().swap_remove(start);
        prop_assert_eq!(scores(&[a, b]), [stops.left_stop(), stops.right_stop()]);
    }

    #[test]
    fn sums_of_trees_agree_with_minimax(a in trees(2), b in trees(2), c in trees(2)) {
        let components = [a, b, c];
        let found = BOTH.map(|first| minimax(&Sum::new(components.to_vec()).with_to_move(first)));
        prop_assert_eq!(scores(&components), found);
    }
}

/// Regions that share no cell play like one board: the score says who makes the last move, as far
/// as it is not 0.
#[test]
fn scores_of_regions_decide_domineering() {
    let regions =
        ["../..", ".../...", "....", "./.", ".../#../#..", "../.#/..", "#../..#", "..../....", ".#./..."];
    for a in regions {
        for b in regions {
            let components: Vec<Domineering> = [a, b].iter().map(|text| text.parse().unwrap()).collect();
            let found = scores(&components);
            for first in BOTH {
                let wins_last = last_mover(&components, first);
                match found[first.index()].signum() {
                    1 => assert_eq!(wins_last, Player::FIRST, "{a} and {b}, {first:?} first"),
                    -1 => assert_eq!(wins_last, Player::SECOND, "{a} and {b}, {first:?} first"),
                    _ => {}
                }
            }
        }
    }
}

/// Who makes the last move if both play well and play goes on to the end.
fn last_mover(components: &[Domineering], first: Player) -> Player {
    fn wins(
        graphs: &[Graph],
        at: &mut Vec<usize>,
        player: Player,
        known: &mut HashMap<(Vec<usize>, Player), bool>,
    ) -> bool {
        if let Some(&wins) = known.get(&(at.clone(), player)) {
            return wins;
        }
        let mut found = false;
        for i in 0..graphs.len() {
            let before = at[i];
            for &(_, option) in &graphs[i].positions()[before].options[player.index()] {
                at[i] = option;
                found |= !wins(graphs, at, player.other(), known);
            }
            at[i] = before;
        }
        known.insert((at.clone(), player), found);
        found
    }
    let graphs: Vec<Graph> = components.iter().map(Domineering::graph).collect();
    let mut at = graphs.iter().map(Graph::start).collect();
    if wins(&graphs, &mut at, first, &mut Default::default()) { first } else { first.other() }
}
