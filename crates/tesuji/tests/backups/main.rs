//! Backups against values computed by other means, and against each other.
#![cfg(feature = "recipe")]

mod oracles;

use proptest::prelude::*;
use tesuji::doc_game::Nim;
use tesuji::{
    AnyBackup, Backup, Coulom, Feedback, Max, MaxMcts, Mean, Monotone, MonotoneWeights, Profile, Replay,
    Schedule, Softmax,
};

const ERROR: f64 = 1e-9;

/// A backup as the text between the braces of a recipe has it, prepared.
fn backup(text: &str) -> AnyBackup {
    #[derive(serde::Deserialize)]
    struct Agent {
        backup: AnyBackup,
    }
    let agent: Agent =
        toml::from_str(&format!("backup = {{ {text} }}")).unwrap_or_else(|e| panic!("{text}: {e}"));
    prepared(agent.backup)
}

fn prepared<B: Backup>(mut backup: B) -> B {
    backup.new_game(&Nim::new(9));
    backup
}

/// The fields of each line that is not a comment, with the line.
fn rows(table: &str) -> impl Iterator<Item = (Vec<&str>, &str)> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| (line.split('|').map(str::trim).collect(), line))
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn pairs(text: &str) -> Vec<(u32, f64)> {
    numbers(text).chunks(2).map(|pair| (pair[0] as u32, pair[1])).collect()
}

/// What a backup says of a node whose own sample, children and visits these are.
fn value(backup: &impl Backup, own: Option<f64>, visits: u32, children: &[(u32, f64)], opposed: bool) -> f64 {
    let mut node = Replay::new(backup, children.len());
    node.opposed = opposed;
    if let Some(own) = own {
        node.sample(backup, None, own);
    }
    node.children.copy_from_slice(children);
    node.visits = visits - 1;
    node.update(backup, Some(0), 0.5);
    node.value
}

#[test]
fn return_weighted() {
    for (row, line) in rows(include_str!("returns.txt")) {
        let backup = backup(row[0]);
        let mut node = Replay::new(&backup, 0);
        for (sample, expected) in [1.0, 0.0, 1.0, 1.0, 0.0].into_iter().zip(numbers(row[1])) {
            assert_eq!(node.sample(&backup, None, sample), sample);
            assert!((node.value - expected).abs() < ERROR, "{line}: {}, not {expected}", node.value);
        }
    }
}

#[test]
fn child_weighted() {
    for (row, line) in rows(include_str!("children.txt")) {
        let (backup, own) = (backup(row[0]), row[1].parse().ok());
        let children = pairs(row[3]);
        for (opposed, expected) in [(false, row[4]), (true, row[5])] {
            let Ok(expected) = expected.parse::<f64>() else { continue };
            let found = value(&backup, own, row[2].parse().unwrap(), &children, opposed);
            assert!((found - expected).abs() < ERROR, "{line}: {found}");
        }
    }
}

#[test]
fn coulom() {
    for (row, line) in rows(include_str!("coulom.txt")) {
        let parameters = numbers(row[0]);
        let mut backup = Coulom::new(parameters[0], parameters[1]);
        backup.area = Some(81);
        let visits: u32 = row[1].parse().unwrap();
        let (mean, expected): (f64, f64) = (row[3].parse().unwrap(), row[4].parse().unwrap());
        let mut node = Replay::new(&backup, 2);
        for _ in 0..visits {
            node.sample(&backup, None, mean);
        }
        node.children[0] = (visits / 10, 0.3);
        node.children[1] = pairs(row[2])[0];
        node.visits = visits - 1;
        node.update(&backup, Some(0), mean);
        assert!((node.value - expected).abs() < ERROR, "{line}: {}", node.value);
    }
}

#[test]
fn monotone_functions() {
    for (row, line) in rows(include_str!("monotone.txt")) {
        let knots: Vec<f64> = numbers(row[0]).iter().map(|y| y + 4.0_f64.ln()).collect();
        let (one, zero) = (Monotone::new(1.0, &knots), Monotone::new(0.0, &knots));
        for (x, expected) in (0..).zip(numbers(row[1])) {
            let u = f64::from(x) / 4.0;
            assert!((one.value(u) - expected).abs() < ERROR, "{line}: f({x}) = {}", one.value(u));
            assert!((one.ln_value(u) - expected.ln()).abs() < ERROR, "{line}");
            assert!((zero.value(u) - (expected - 1.0)).abs() < ERROR, "{line}");
        }
    }
}

/// Root MAX with the MIN nodes a and b, which have the leaves c, d and e, f.
#[test]
fn max_mcts() {
    for (lambda, a_values, roots) in [
        (1.0, [1.0, 0.5, 0.5, 2.0 / 3.0, 2.0 / 3.0], [1.0, 0.0, 1.0, 1.0, 1.0]),
        (0.5, [1.0, 0.5, 0.5, 0.5, 0.5], [1.0, 0.25, 1.0, 0.75, 1.0]),
        (0.0, [1.0, 0.5, 0.5, 1.0 / 3.0, 1.0 / 3.0], [1.0, 0.5, 1.0, 1.0, 1.0]),
    ] {
        let backup = MaxMcts { lambda };
        let mut nodes = [Replay::new(&backup, 2), Replay::new(&backup, 2)];
        nodes.iter_mut().for_each(|node| node.opposed = true);
        let mut root = Replay::new(&backup, 2);
        let iterations = [(0, 0, 1.0), (0, 1, 0.0), (1, 0, 1.0), (0, 0, 1.0), (1, 1, 1.0)];
        for (i, (edge, leaf, z)) in iterations.into_iter().enumerate() {
            let passed = nodes[edge].sample(&backup, Some(leaf), z);
            root.children[edge] = (nodes[edge].visits, nodes[edge].value);
            let target = root.update(&backup, Some(edge), passed);
            assert!((nodes[0].value - a_values[i]).abs() < ERROR, "{lambda}, {i}: a = {}", nodes[0].value);
            assert!((target - roots[i]).abs() < ERROR, "{lambda}, {i}: {target}");
        }
    }
}

#[test]
fn accelerated() {
    let backup = backup("kind=\"accelerated\", lambda=0.9");
    let mut node = Replay::new(&backup, 2);
    let expected = [0.4, 0.505_263_157_895, 0.540_221_402_214, 0.499_447_513_812];
    for (child, expected) in [0, 1, 1, 0].into_iter().zip(expected) {
        node.sample(&backup, Some(child), [0.4, 0.6][child]);
        assert!((node.value - expected).abs() < ERROR, "{}", node.value);
    }
}

/// Samples that come through children, and now and then are the node's own.
fn samples() -> impl Strategy<Value = Vec<(Option<usize>, f64)>> {
    let child = prop_oneof![1 => Just(None), 20 => (0..5_usize).prop_map(Some)];
    proptest::collection::vec((child, 0.0..=1.0_f64), 1..200)
}

/// The greatest difference of the values that two backups give along the same samples.
fn difference(one: &impl Backup, two: &impl Backup, samples: &[(Option<usize>, f64)]) -> f64 {
    let (mut a, mut b) = (Replay::new(one, 5), Replay::new(two, 5));
    let mut most = 0.0_f64;
    for &(child, sample) in samples {
        a.sample(one, child, sample);
        b.sample(two, child, sample);
        most = most.max((a.value - b.value).abs());
    }
    most
}

/// The knots by which Monotone MCTS is the debiased exponential average: c x + ln c, spread over B
/// visits.
fn erwa_knots(rate: f64, simulations: u32) -> Vec<f64> {
    let growth = -(-rate).ln_1p();
    let span = f64::from(simulations);
    (0..5).map(|j| growth * span * f64::from(j) / 4.0 + (growth * span).ln()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn limits_are_the_mean(samples in samples()) {
        for text in [
            "kind=\"weights\", weights=[3, 3]",
            "kind=\"monotone\", knots=[-40.0, -40.0]",
            "kind=\"feedback\", segments=1",
            "kind=\"erwa\", rate=1e-7, start=\"max\"",
            "kind=\"softmax\", schedule=\"constant\", weight=0.0",
            "kind=\"softmax\", schedule=\"linear\", weight=0.0, error=0.0",
            "kind=\"mellowmax\", weight=0.0",
            "kind=\"power-mean\", p=1.0",
            "kind=\"coulom\", p=1e12",
            "kind=\"max-mcts\", lambda=1.0",
        ] {
            let error = if text.contains("coulom") { 1e-9 } else { 1e-12 };
            prop_assert!(difference(&backup(text), &Mean {}, &samples) < error, "{}", text);
        }
        for exact in ["kind=\"weights\", weights=[3, 3]", "kind=\"max-mcts\", lambda=1.0", "kind=\"feedback\", segments=1"] {
            prop_assert_eq!(difference(&backup(exact), &Mean {}, &samples), 0.0);
        }
    }

    #[test]
    fn limits_are_the_max(mut samples in samples()) {
        // Without samples of the node itself.
        samples.iter_mut().for_each(|(child, _)| *child = child.or(Some(0)));
        let best = backup("kind=\"coulom\", p=0.0");
        let found = difference(&best, &Max {}, &samples);
        // Of the values within 10^-6 of the greatest it takes that of most visits.
        prop_assert!(found < 1.000_001e-6, "{}", found);
        let greedy = backup("kind=\"softmax\", schedule=\"constant\", weight=1e6");
        let found = difference(&greedy, &Max {}, &samples);
        prop_assert!(found < 1e-5, "{}", found);
    }

    #[test]
    fn exponential_weights_are_a_monotone_function(samples in samples(), rate in 0.0001..0.2_f64, simulations in 10..400_u32) {
        let erwa = backup(&format!("kind=\"erwa\", rate={rate:?}"));
        let monotone = prepared(MonotoneWeights::new(&erwa_knots(rate, simulations), simulations));
        // Beyond the last knot the function is a line.
        let within = &samples[..samples.len().min(simulations as usize)];
        prop_assert!(difference(&erwa, &monotone, within) < 1e-10);
    }

    #[test]
    fn monotone_functions_rise_and_are_smooth(knots in proptest::collection::vec(-60.0..60.0_f64, 1..8), u in 0.0..1.5_f64) {
        let f = Monotone::new(1.0, &knots);
        // Near 0 ln f may bend like ln u, and differences must be far smaller than u.
        let h = (u / 100.0).min(1e-6);
        let slope = (f.ln_value(u + h) - f.ln_value(u - h)) / (2.0 * h);
        let expected = f.ln_derivative(u) - f.ln_value(u);
        // Far more than the derivative: ln f is too flat to be told from a line by differences.
        if (-10.0..20.0).contains(&expected) && u > 2e-6 {
            prop_assert!((slope.ln() - expected).abs() < 0.01, "{} {}", slope.ln(), expected);
        }
        let (here, there) = (f.ln_value(u), f.ln_value(u + 0.01));
        prop_assert!(here >= 0.0 && there >= here - 1e-12 * here);
        prop_assert_eq!(f.knots(), &knots[..]);
        for (j, &y) in knots.iter().enumerate() {
            let at = j as f64 / (knots.len() - 1).max(1) as f64;
            prop_assert!((f.derivative(at).ln() - y).abs() < 1e-9, "g = ln f'");
        }
    }

    #[test]
    fn softmax_lies_between_mean_and_max(
        children in proptest::collection::vec((1..1000_u32, 0.0..=1.0_f64), 1..12),
        w in prop_oneof![Just(0.0), 0.001..600.0_f64, Just(1e6)],
    ) {
        let visits = children.iter().map(|c| c.0).sum();
        let of = |w: f64| {
            let backup = Softmax::new(Schedule::Constant, w);
            value(&backup, None, visits, &children, false)
        };
        let (best, max) = children.iter().copied().fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
        let (found, mean) = (of(w), of(0.0));
        prop_assert!(found >= mean - 1e-11 && found <= max + 1e-11);
        prop_assert!(of(w * 1.5) >= found - 1e-11, "it rises with the weight");
        if w > 0.0 {
            let bound = (f64::from(visits) / f64::from(best.max(1))).ln().max(0.0) / w;
            // ln(sum of visits / visits of the best) / w bounds mellowmax, and softmax lies above
            // it.
            prop_assert!(max - found <= bound + 1e-11, "{} {}", max - found, bound);
            let mellow = backup(&format!("kind=\"mellowmax\", weight={w:?}"));
            prop_assert!(value(&mellow, None, visits, &children, false) <= found + 1e-9);
        }
    }

    #[test]
    fn weighted_means_stay_in_the_hull(
        knots in proptest::collection::vec(-40.0..55.0_f64, 1..7),
        samples in proptest::collection::vec(0.2..=0.7_f64, 1..100),
    ) {
        let backup = prepared(MonotoneWeights::new(&knots, 50));
        let mut node = Replay::new(&backup, 0);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for &sample in &samples {
            let before = node.value;
            node.sample(&backup, None, sample);
            (least, most) = (least.min(sample), most.max(sample));
            prop_assert!((least - 1e-12..=most + 1e-12).contains(&node.value));
            // Later samples never count less than in the mean.
            let step = if sample == before { 1.0 } else { (node.value - before) / (sample - before) };
            prop_assert!(step >= 1.0 / f64::from(node.visits) - 1e-6);
        }
        let mut constant = Replay::new(&backup, 0);
        samples.iter().for_each(|_| _ = constant.sample(&backup, None, 0.375));
        prop_assert!((constant.value - 0.375).abs() < 1e-12);
    }
}

/// The plain average, begun with the first sample, is no debiased one, but in the long run it is.
#[test]
fn a_plain_exponential_average_is_debiased_only_in_the_long_run() {
    let (first, debiased) =
        (backup("kind=\"erwa\", rate=0.1, start=\"first\""), backup("kind=\"erwa\", rate=0.1"));
    let samples = |n: u32| (0..n).map(|i| (None, f64::from(i * i % 7) / 6.0)).collect::<Vec<_>>();
    assert!(difference(&first, &debiased, &samples(10)) > 0.1);
    let at_end = |backup: &AnyBackup| {
        let mut node = Replay::new(backup, 0);
        samples(400).into_iter().for_each(|(_, r)| _ = node.sample(backup, None, r));
        node.value
    };
    assert!((at_end(&first) - at_end(&debiased)).abs() < 1e-12);
}

#[test]
fn any_number_of_simulations_will_do() {
    let simulations = u32::MAX;
    let mut softmax = Softmax::new(Schedule::Knots, 0.0);
    softmax.simulations = simulations;
    for backup in [
        AnyBackup::Feedback(Feedback::new(Profile::Exp2, simulations)),
        AnyBackup::Monotone(MonotoneWeights::new(&[8.5; 5], simulations)),
        AnyBackup::Softmax(softmax),
    ] {
        assert!((0.0..=1.0).contains(&value(&prepared(backup), None, 1000, &[(999, 0.5)], false)));
    }
}

#[test]
fn extremes_of_weight_and_visits_stay_finite() {
    for w in [0.0, 1.0, 499.0, 501.0, 1e6] {
        for n in [1, 10_000_000] {
            let backup = Softmax::new(Schedule::Constant, w);
            for children in
                [vec![(n, 0.0)], vec![(n, 1.0), (1, 0.0)], vec![(n, 0.0), (1, 1.0)], vec![(n, 0.3); 3]]
            {
                let visits = children.iter().map(|c| c.0).sum();
                let found = value(&backup, None, visits, &children, false);
                assert!((0.0..=1.0).contains(&found), "{w} {children:?}: {found}");
                if w == 1e6 {
                    assert_eq!(found, children.iter().map(|c| c.1).fold(0.0, f64::max));
                }
            }
        }
    }
    for text in [
        "kind=\"monotone\", knots=[60.0, -60.0, 60.0]",
        "kind=\"monotone\", knots=[-60.0, 60.0]",
        "kind=\"erwa\", rate=1.0",
    ] {
        let backup = backup(text);
        for n in [1, 2, 1023, 1024, 4999, 5000, 10_000, 10_000_000] {
            let mut node = Replay::new(&backup, 0);
            (node.visits, node.value) = (n - 1, 0.5);
            node.sample(&backup, None, 1.0);
            let step = (node.value - 0.5) * 2.0;
            assert!(step >= 1.0 / f64::from(n) - 1e-9 && step <= 1.0, "{text}: step {step} at {n}");
        }
    }
    for schedule in [Schedule::Linear, Schedule::Root, Schedule::Knots] {
        let mut softmax = Softmax::new(schedule, 0.4);
        softmax.knots = vec![3.0, 2.0];
        let softmax = prepared(softmax);
        let weights: Vec<f64> =
            [1, 2, 1023, 1024, 9999, 10_000, 100_000].map(|n| softmax.weight_at(n)).to_vec();
        assert!(weights.is_sorted() && weights.iter().all(|w| w.is_finite()), "{schedule:?}: {weights:?}");
    }
}
