//! Thermographs against an independent method, and against the literature.

use crate::common::heaps;
use proptest::prelude::*;
use tesuji::Player;
use tesuji_sums::{
    Analysis, Component, Domineering, Dyadic, Graph, Heap, Position, Solution, Sum, Thermograph, Tree,
};

/// Both walls at temperature `t >= 0` straight from the definition, by recursion over options, with
/// the temperature by bisection: no breakpoints. Exact, since temperatures are multiples of
/// 1/2^`grid`.
struct Slow<'a> {
    graph: &'a Graph,
    grid: u32,
    temperatures: Vec<Option<i128>>,
}

impl Slow<'_> {
    /// Scaffolds at `t`.
    fn scaffolds(&mut self, position: usize, t: i128) -> (i128, i128) {
        let [left, right] = self.graph.positions()[position].options.clone();
        let grid = self.grid;
        let points = |gain: i64| i128::from(gain) << grid;
        let l = left.iter().map(|&(gain, option)| self.walls(option, t).1 + points(gain) - t).max().unwrap();
        let r = right.iter().map(|&(gain, option)| self.walls(option, t).0 - points(gain) + t).min().unwrap();
        (l, r)
    }

    /// The first temperature, in steps of the grid, at which the left scaffold is not above the
    /// right one.
    fn temperature(&mut self, position: usize) -> i128 {
        if let Some(t) = self.temperatures[position] {
            return t;
        }
        let (mut below, mut above) = (-1i128, 1i128 << (self.grid + 8));
        while above - below > 1 {
            let t = (above + below) >> 1;
            let (l, r) = self.scaffolds(position, t);
            if l > r { below = t } else { above = t }
        }
        self.temperatures[position] = Some(above);
        above
    }

    fn walls(&mut self, position: usize, t: i128) -> (i128, i128) {
        if let Some(end) = self.graph.positions()[position].end {
            let end = end.numerator() << (self.grid - end.exponent());
            return (end, end);
        }
        let temperature = self.temperature(position);
        let (l, r) = self.scaffolds(position, t.min(temperature));
        if t >= temperature {
            assert_eq!(l, r, "scaffolds meet on the grid");
        }
        (l, r)
    }
}

/// Compares every position's thermograph of a graph whose positions are all hot or ends with
/// [`Slow`], at every step of the grid up to above the temperature, or at `steps` of them.
fn agrees(graph: &Graph, grid: u32, steps: i128) {
    let mut slow = Slow { graph, grid, temperatures: vec![None; graph.positions().len()] };
    for (position, thermograph) in graph.thermographs().iter().enumerate() {
        let temperature = match graph.positions()[position].end {
            Some(_) => 0,
            None => slow.temperature(position),
        };
        if graph.positions()[position].end.is_none() {
            assert_eq!(thermograph.temperature(), Dyadic::new(temperature, grid));
        }
        let top = temperature + (1 << grid);
        let stride = (top / steps).max(1);
        let mut t = 0;
        while t <= top {
            let (l, r) = slow.walls(position, t);
            let wall = |first| thermograph.wall(first, Dyadic::new(t, grid));
            assert_eq!(
                (wall(Player::FIRST), wall(Player::SECOND)),
                (Dyadic::new(l, grid), Dyadic::new(r, grid))
            );
            t += stride;
        }
        let mean = Dyadic::new(slow.walls(position, top).0, grid);
        assert_eq!(thermograph.mean(), mean);
        for first in [Player::FIRST, Player::SECOND] {
            breakpoints_are_the_wall(thermograph, first);
        }
    }
}

/// Interpolates between breakpoints, and wants their turns to be real.
fn breakpoints_are_the_wall(thermograph: &Thermograph, first: Player) {
    let points = thermograph.breakpoints(first);
    assert_eq!(points[0].0, Dyadic::ZERO);
    assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0));
    for pair in points.windows(2) {
        let [(t0, x0), (t1, x1)] = [pair[0], pair[1]];
        assert!((x1 - x0).abs() == t1 - t0 || x1 == x0, "slopes are 0 and 1: {points:?}");
        let (t, x) = ((t0 + t1).half(), (x0 + x1).half());
        assert_eq!(thermograph.wall(first, t), x);
    }
    let (_, last) = points[points.len() - 1];
    assert_eq!(last, thermograph.mean());
}

fn of(text: &str) -> Thermograph {
    text.parse::<Tree>().unwrap_or_else(|e| panic!("{text}: {e}")).thermograph()
}

/// Trees of numbers, some cold.
fn trees() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => (-6i32..=6).prop_map(|n| n.to_string()),
        1 => (-5i32..=5).prop_map(|n| format!("{}/2", 2 * n + 1)),
    ];
    leaf.prop_recursive(3, 24, 3, |game| {
        let options = || prop::collection::vec(game.clone(), 0..=2).prop_map(|options| options.join(","));
        (options(), options()).prop_map(|(left, right)| format!("{{{left}|{right}}}"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn heaps_agree_with_the_slow_method(heap in heaps(8, 10)) {
        let (graph, numbers) = Graph::of(&heap);
        prop_assert_eq!(graph.positions().len(), heap.height() + 1);
        prop_assert_eq!(numbers[&heap.code()], graph.start());
        agrees(&graph, heap.height().max(1) as u32, 40);
    }

    #[test]
    fn settled_trees_agree_with_the_slow_method(text in trees()) {
        let tree: Tree = text.parse().unwrap();
        agrees(&tree.graph().settled(), 6, 40);
        let (raw, settled) = (tree.graph().thermographs(), tree.graph().settled().thermographs());
        for (a, b) in raw.iter().zip(&settled) {
            for first in [Player::FIRST, Player::SECOND] {
                prop_assert_eq!(a.breakpoints(first), b.breakpoints(first));
            }
        }
    }

    /// Section 2 of the definitions: a heap's temperature is never below its smallest weight, walls
    /// have at most k + 1 breakpoints, denominators divide 2^(n - 1).
    #[test]
    fn heaps_are_hot(heap in heaps(20, 10)) {
        let (graph, _) = Graph::of(&heap);
        let counters: Vec<_> = heap.counters().collect();
        for (k, thermograph) in graph.thermographs().iter().enumerate().skip(1) {
            let lightest = counters[counters.len() - k..].iter().map(|c| c.weight).min().unwrap();
            prop_assert!(thermograph.temperature() >= Dyadic::from(i64::from(lightest)));
            for first in [Player::FIRST, Player::SECOND] {
                let points = thermograph.breakpoints(first);
                prop_assert!(points.len() <= k + 1);
                prop_assert!(points.iter().all(|(t, x)| t.exponent() < k as u32 && x.exponent() < k as u32));
            }
        }
    }
}

#[test]
fn switches_have_their_known_values() {
    for (text, mean, temperature, stops) in [
        ("{3|-1}", "1", "2", ("3", "-1")),
        ("{{5|2}|-1}", "5/4", "9/4", ("2", "-1")),
        // Left's moves threaten more than they gain: sente, at the price of a point; then Right's.
        ("{{20|4}|3}", "4", "1", ("4", "3")),
        ("{{20|2}|1,{3|-10}}", "2", "1", ("2", "1")),
        ("{4|{2|-9}}", "2", "2", ("4", "2")),
    ] {
        let thermograph = of(text);
        assert_eq!(thermograph.mean().to_string(), mean, "{text}");
        assert_eq!(thermograph.temperature().to_string(), temperature, "{text}");
        let (left, right) = (thermograph.left_stop().to_string(), thermograph.right_stop().to_string());
        assert_eq!((left.as_str(), right.as_str()), stops, "{text}");
    }
}

/// Simplest numbers, and infinitesimals: Berlekamp, Conway and Guy 1982; temperatures below zero:
/// Siegel 2013.
#[test]
fn numbers_and_infinitesimals_have_their_known_values() {
    for (text, mean, temperature) in [
        ("0", "0", "-1"),
        ("{|}", "0", "-1"),
        ("{2|}", "3", "-1"),
        ("{-3|}", "0", "-1"),
        ("{|-2}", "-3", "-1"),
        ("{|{5|-100}}", "0", "-1"),
        ("{0|1}", "1/2", "-1/2"),
        ("{0|2}", "1", "-1"),
        ("{0|3}", "1", "-1"),
        ("{1/4|1}", "1/2", "-1/2"),
        ("{0|1/2}", "1/4", "-1/4"),
        ("3/8", "3/8", "-1/8"),
        ("{-2|5/2}", "0", "-1"),
        // Star, up, and what they are not: {*|1} = 0, {0|*} = up, {*|*} = 0, {1|*} is hot.
        ("{0|0}", "0", "0"),
        ("{0|{0|0}}", "0", "0"),
        ("{{0|0}|{0|0}}", "0", "-1"),
        ("{{0|0}|1}", "0", "-1"),
        ("{{1|1}|2}", "1", "-1"),
        ("{{1/2|1/2}|1}", "1/2", "-1/2"),
        // Tiny: {0||0|-5}.
        ("{0|{0|-5}}", "0", "0"),
    ] {
        let thermograph = of(text);
        assert_eq!(thermograph.mean().to_string(), mean, "{text}");
        assert_eq!(thermograph.temperature().to_string(), temperature, "{text}");
    }
}

/// Berlekamp, Conway and Guy 1982, chapter 5 and 10: rows are worth moves of Right, 2x2 and 3x3 are
/// ±1, 2x3 is {2|-1/2}.
#[test]
fn domineering_has_its_known_values() {
    for (text, mean, temperature) in [
        (".", "0", "-1"),
        ("....", "-2", "-1"),
        ("././././.", "2", "-1"),
        ("../.#", "0", "0"),
        ("../..", "0", "1"),
        (".../...", "3/4", "5/4"),
        (".../.../...", "0", "1"),
    ] {
        let graph = text.parse::<Domineering>().unwrap().graph();
        let thermograph = &graph.thermographs()[graph.start()];
        assert_eq!(thermograph.mean().to_string(), mean, "{text}");
        assert_eq!(thermograph.temperature().to_string(), temperature, "{text}");
    }
}

/// The heap of the paper's Figure 3, from top to bottom a blue 3, a red 5, a blue 5.
#[test]
fn the_heap_of_the_paper() {
    let heap: Heap = "b3r5b5".parse().unwrap();
    let mut after = heap.clone();
    assert_eq!(after.play(Player::FIRST, 3) - after.play(Player::SECOND, 1), 3);
    assert_eq!(after.end(), Some(Dyadic::ZERO));
}

/// 1/2^moves as a game: Left may move to 0, Right to the number before, of which the first is 1.
fn chain(moves: usize) -> Graph {
    let end = |x: i64| Position { end: Some(x.into()), options: [Vec::new(), Vec::new()] };
    let number = |k: usize| Position { end: None, options: [vec![(0, 0)], vec![(0, k)]] };
    Graph::new([end(0), end(1)].into_iter().chain((1..=moves).map(number)).collect())
}

/// Lines of up to 119 moves from the numbers 0 and 1 are within the numbers. What is far too long
/// panics in every build; it gives no wrong numbers.
#[test]
fn games_may_be_as_long_as_their_documentation_says() {
    let graph = chain(119);
    let (number, unit) = (Dyadic::new(1, 119), Dyadic::new(-1, 119));
    let thermographs = graph.thermographs();
    let thermograph = &thermographs[graph.start()];
    assert_eq!((thermograph.mean(), thermograph.temperature()), (number, unit));
    let settled = graph.settled();
    assert_eq!(settled.positions()[settled.start()].end, Some(number));
    assert_eq!(Solution::new(&[settled]).unwrap().score(Player::FIRST), number);
    let sum = Sum::new(vec![Tree::new(graph.clone())]);
    assert_eq!(Analysis::new(&sum).mean(&sum), number);
    assert_eq!(graph.compare(&Graph::number(number)).unwrap(), Some(std::cmp::Ordering::Equal));

    let panics = |work: &(dyn Fn() + std::panic::RefUnwindSafe)| {
        let panic = std::panic::catch_unwind(work).unwrap_err();
        let text = panic.downcast_ref::<String>().map_or("", |text| text.as_str());
        let text = panic.downcast_ref::<&str>().map_or(text, |text| text);
        assert!(text.contains("128 bits"), "{text:?}");
    };
    let long = chain(127);
    panics(&|| drop(long.thermographs()));
    panics(&|| drop(long.settled()));
    panics(&|| drop(Tree::new(long.clone())));
    panics(&|| drop(long.compare(&Graph::number(Dyadic::ONE))));
    panics(&|| drop(Thermograph::number(Dyadic::new(1, 1_000_000))));
    let fine = Position { end: Some(Dyadic::new(1, 126)), options: [Vec::new(), Vec::new()] };
    let two_points = Position { end: None, options: [vec![(2, 0)], vec![(2, 0)]] };
    let graph = Graph::new(vec![fine, two_points]);
    panics(&|| drop(Solution::new(std::slice::from_ref(&graph))));
}
