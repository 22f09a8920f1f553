//! Every backup against its formula, computed from all that came before, at each of 20 000 visits:
//! beyond every table that a backup keeps.

use super::backup;
use tesuji::{Backup, Replay, Rng};

const VISITS: u32 = 20_000;

/// Whether each of the samples was won, as 0 and 1: what makes the most of a wrong weight.
fn samples(seed: u64) -> impl Iterator<Item = f64> {
    let mut rng = Rng::new(seed);
    std::iter::repeat_with(move || f64::from(rng.below(2)))
}

/// Checks a weighted mean of samples against sums of the weights w(1), w(2), ... and of what they
/// weigh.
fn check_weights(text: &str, prior: f64, mut weight: impl FnMut(u32) -> f64) {
    let backup = backup(text);
    let mut node = Replay::new(&backup, 0);
    let (mut sum, mut weights) = (prior * 0.5, prior);
    for (n, sample) in (1..=VISITS).zip(samples(1)) {
        let w = weight(n);
        (sum, weights) = (sum + w * sample, weights + w);
        node.sample(&backup, None, sample);
        let wanted = sum / weights;
        assert!((node.value - wanted).abs() < 1e-9, "{text}, visit {n}: {}, not {wanted}", node.value);
    }
}

#[test]
fn weights_to_the_end_of_the_list() {
    let mut rng = Rng::new(3);
    let rough: Vec<f64> = (0..3000).map(|_| 10.0_f64.powf(4.0 * f64::from(rng.unit()) - 2.0)).collect();
    // One in a hundred weighs as much as the others together, to the last; then each weighs a
    // little more than the one before.
    let spikes: Vec<f64> = (1..=15_000).map(|n| if n % 100 == 0 { 100.0 } else { 1.0 }).collect();
    let rising: Vec<f64> = (1..=2500).map(|n| f64::from(n) * 1.001_f64.powi(n)).collect();
    let lengths = [1, 2, 1023, 1024, 1025, 1026, 1040, 2049].map(|length| rough[..length].to_vec());
    for list in [rough, spikes, rising].into_iter().chain(lengths) {
        let last = list.len() - 1;
        // The last weight again, so that weights beyond the list are equal, or ever so much more
        // than the one before.
        let rises = list[last] > 1000.0;
        let list = if rises { list } else { [list.as_slice(), &[list[last]]].concat() };
        let growth = if rises { list[last] / list[last - 1] } else { 1.0 };
        check_weights(&format!("kind=\"weights\", weights={list:?}"), 0.0, |n| {
            list.get(n as usize - 1).copied().unwrap_or_else(|| {
                let beyond = n as usize - list.len();
                list[list.len() - 1] * growth.powi(beyond as i32)
            })
        });
    }
}

#[test]
fn feedback_to_the_border_of_each_segment() {
    for simulations in [1, 3, 500, 1021, 1022, 1023, 1024, 1025, 1600, 4096, 5000, 12_345, 19_999, 1_000_000]
    {
        for segments in [1, 7, 10, 20] {
            for profile in ["lin", "quad", "exp2", "expslow"] {
                let weight = |n: u32| {
                    let share = f64::from((n - 1) * segments.min(10))
                        * (f64::from(segments) / f64::from(segments.min(10)));
                    let s = (1.0 + (share / f64::from(simulations)).floor()).min(f64::from(segments));
                    match profile {
                        "lin" => s,
                        "quad" => s * s,
                        "exp2" => 2.0_f64.powf(s - 1.0),
                        _ => 1.5_f64.powf(s - 1.0).round(),
                    }
                };
                let text = format!(
                    "kind=\"feedback\", profile={profile:?}, segments={segments}, simulations={simulations}"
                );
                check_weights(&text, 0.0, weight);
                if segments == 10 && simulations % 1000 == 0 {
                    check_weights(&format!("{text}, clock=\"search\""), 0.0, weight);
                    check_weights(&format!("{text}, as_visits=true"), 0.0, weight);
                }
            }
        }
    }
}

#[test]
fn means_and_exponential_averages() {
    check_weights("kind=\"mean\"", 0.0, |_| 1.0);
    for rate in [1e-5, 0.001, 0.03] {
        let growth: f64 = 1.0 / (1.0 - rate);
        let erwa = |start: &str| format!("kind=\"erwa\", rate={rate:?}, start={start:?}");
        check_weights(&erwa("debiased"), 0.0, |n| growth.powi(n as i32));
        check_weights(&erwa("first"), 0.0, |n| if n == 1 { 1.0 } else { rate * growth.powi(n as i32 - 1) });
        check_weights(&erwa("prior"), 1.0, |n| rate * growth.powi(n as i32));
        // Equal weights as long as each has more than its share.
        let mut sum = 0.0;
        check_weights(&erwa("max"), 0.0, |n| {
            let weight = if 1.0 / f64::from(n) >= rate { 1.0 } else { sum * rate / (1.0 - rate) };
            sum += weight;
            weight
        });
    }
}

/// f(u) by the integrals of e^g over the pieces of g.
fn rising(start: f64, knots: &[f64], u: f64) -> f64 {
    let width = 1.0 / (knots.len() as f64 - 1.0);
    let piece = |j: usize| {
        let left = j as f64 * width;
        let (h, slope) = match knots.get(j + 1) {
            Some(next) => ((u - left).clamp(0.0, width), (next - knots[j]) / width),
            None => ((u - left).max(0.0), 0.0),
        };
        knots[j].exp() * if slope == 0.0 { h } else { ((slope * h).exp() - 1.0) / slope }
    };
    start + (0..knots.len()).map(piece).sum::<f64>()
}

/// Steps w(n) / S(n) of Monotone MCTS: exact up to 1024 visits, and beyond within 5 % for knots of
/// the usual box, as its page says.
#[test]
fn monotone_steps() {
    let lists: [&[f64]; 7] = [
        &[8.5; 5],
        &[-6.0, 8.0, -6.0, 8.0, -6.0],
        &[-6.0, -6.0, -6.0, -6.0, 8.0],
        &[2.3, -0.5, -3.6, 1.0, 7.7],
        &[8.0, -6.0, -6.0, 0.0, 8.0],
        &[-6.0, 8.0],
        &[0.0, 8.0, 8.0],
    ];
    for (knots, simulations) in lists.iter().flat_map(|knots| [500, 1600, 5000, 9999].map(|b| (knots, b))) {
        let backup = backup(&format!("kind=\"monotone\", knots={knots:?}, simulations={simulations}"));
        let (mut sum, mut last, mut growth) = (0.0, 0.0, 1.0);
        for n in 1..=VISITS {
            // Beyond 2 B each weight is larger than the one before by the same factor.
            if n <= 2 * simulations {
                let weight = rising(1.0, knots, f64::from(n) / f64::from(simulations));
                (last, growth) = (weight, weight / last);
            } else {
                last *= growth;
            }
            sum += last;
            let wanted = last / sum;
            let mut node = Replay::new(&backup, 0);
            node.visits = n - 1;
            node.sample(&backup, None, 1.0);
            let error = (node.value / wanted - 1.0).abs();
            let allowed = if n <= 1024 { 1e-9 } else { 0.05 };
            assert!(
                error < allowed,
                "{knots:?}, {simulations}, visit {n}: step {}, not {wanted}",
                node.value
            );
        }
    }
}

/// A node with five children, and what its samples were.
struct World {
    /// Samples of the node itself and their sum, for the player to move.
    own: f64,
    own_sum: f64,
    /// Visits and value of each child, for the player to move.
    children: [(f64, f64); 5],
    /// The mean of all samples, for the player to move.
    mean: f64,
    visits: f64,
    /// The latest sample, for the player to move, and the child that it came through.
    sample: f64,
    child: Option<usize>,
}

impl World {
    fn tried(&self) -> impl Iterator<Item = (f64, f64)> + Clone {
        self.children.into_iter().filter(|&(n, _)| n > 0.0)
    }

    fn greatest(&self) -> f64 {
        self.tried().map(|(_, x)| x).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The mean of own samples and the children's value by their visits.
    fn blend(&self, soft: f64) -> f64 {
        let m: f64 = self.tried().map(|(n, _)| n).sum();
        if m == 0.0 { self.own_sum / self.own } else { (self.own_sum + m * soft) / (self.own + m) }
    }

    fn softmax(&self, w: f64, own: &str) -> f64 {
        let extra = (own == "as-child" && self.own > 0.0).then(|| (self.own, self.own_sum / self.own));
        let all = self.tried().chain(extra);
        let top = all.clone().map(|(_, x)| x).fold(f64::NEG_INFINITY, f64::max);
        let weights = all.clone().map(|(n, x)| n * (w * (x - top)).exp());
        let soft =
            weights.clone().zip(all).map(|(weight, (_, x))| weight * x).sum::<f64>() / weights.sum::<f64>();
        if own == "blend" || self.tried().next().is_none() { self.blend(soft) } else { soft }
    }
}

/// Checks a backup that looks at the children against a formula for the player to move.
fn check_children(text: &str, error: f64, mut formula: impl FnMut(&World) -> f64) {
    for opposed in [false, true] {
        let backup = backup(text);
        let mut node = Replay::new(&backup, 5);
        node.opposed = opposed;
        let mut world = World {
            own: 0.0,
            own_sum: 0.0,
            children: [(0.0, 0.0); 5],
            mean: 0.0,
            visits: 0.0,
            sample: 0.0,
            child: None,
        };
        let mut rng = Rng::new(8);
        for (n, sample) in (1..=VISITS).zip(samples(2)) {
            // Some children are better, and are tried more often.
            let child = (n > 1 && rng.below(1000) > 0).then(|| rng.below(5).min(rng.below(5)) as usize);
            let sample =
                child.map_or(sample, |child| if rng.below(20) < child as u32 { 1.0 } else { sample });
            world.visits += 1.0;
            world.mean += (sample - world.mean) / world.visits;
            (world.sample, world.child) = (sample, child);
            if let Some(child) = child {
                let (visits, value) = &mut world.children[child];
                *visits += 1.0;
                *value += (sample - *value) / *visits;
            } else {
                (world.own, world.own_sum) = (world.own + 1.0, world.own_sum + sample);
            }
            let turn = |value: f64| if opposed { 1.0 - value } else { value };
            node.sample(&backup, child, turn(sample));
            let (found, wanted) = (turn(node.value), formula(&world));
            assert!((found - wanted).abs() < error, "{text}, visit {n}: {found}, not {wanted}");
        }
    }
}

#[test]
fn softmax() {
    for own in ["blend", "drop", "as-child"] {
        let of = |schedule: &str| format!("kind=\"softmax\", schedule={schedule}, own={own:?}");
        check_children(&of("\"constant\", weight=5.0"), 1e-9, |world| world.softmax(5.0, own));
        let text = of("\"linear\", weight=0.05");
        check_children(&text, 1e-9, |world| world.softmax(0.05 * world.visits, own));
        let text = of("\"root\", weight=0.8");
        check_children(&text, 1e-9, |world| world.softmax(0.8 * world.visits.sqrt(), own));
        for simulations in [500, 1600, 9999] {
            // A line is interpolated exactly; another function changes the weight by less than 2 %
            // of itself, and with it the value.
            for (knots, error) in [([3.0; 5], 1e-9), ([-3.0, 2.0, 0.0, 1.0, 3.0], 1e-4)] {
                let text = of(&format!("\"knots\", knots={knots:?}, simulations={simulations}"));
                check_children(&text, error, |world| {
                    world.softmax(rising(0.0, &knots, world.visits / f64::from(simulations)), own)
                });
            }
        }
    }
}

#[test]
fn other_means_of_children() {
    for w in [0.3, 20.0] {
        check_children(&format!("kind=\"mellowmax\", weight={w:?}"), 1e-9, |world| {
            let m: f64 = world.tried().map(|(n, _)| n).sum();
            let sum: f64 = world.tried().map(|(n, x)| n / m * (w * x).exp()).sum();
            world.blend(sum.ln() / w)
        });
    }
    for p in [1.0, 2.5, 4.0] {
        check_children(&format!("kind=\"power-mean\", p={p:?}"), 1e-9, |world| {
            let m: f64 = world.tried().map(|(n, _)| n).sum();
            world.blend((world.tried().map(|(n, x)| n / m * x.powf(p)).sum::<f64>()).powf(1.0 / p))
        });
    }
    for lambda in [0.9, 0.999, 1.0_f64] {
        let mut velocities = [0.0; 5];
        check_children(&format!("kind=\"accelerated\", lambda={lambda:?}"), 1e-9, |world| {
            if world.visits == 1.0 {
                velocities = [0.0; 5];
            }
            velocities.iter_mut().for_each(|v| *v *= lambda);
            if let Some(child) = world.child {
                velocities[child] += 1.0;
            }
            let sum: f64 = velocities.iter().zip(world.children).map(|(v, (_, x))| v * x).sum();
            world.blend(sum / velocities.iter().sum::<f64>())
        });
    }
    check_children("kind=\"max\"", 1e-9, |world| {
        if world.tried().next().is_none() { world.own_sum / world.own } else { world.greatest() }
    });
}

#[test]
fn coulom() {
    for (p, q, best) in
        [(2.0, 16.0, "value"), (8.0, 64.0, "visits"), (0.0, 1.0, "value"), (2.0, 16.0, "visits")]
    {
        let text = format!("kind=\"coulom\", p={p:?}, q={q:?}, area=81, best={best:?}");
        check_children(&text, 1e-9, |world| {
            let by_value = |&(n, x): &(f64, f64)| if x > world.greatest() - 1e-6 { n } else { 0.0 };
            let by_visits = |&(n, _): &(f64, f64)| n;
            let key = |child: &(f64, f64)| if best == "value" { by_value(child) } else { by_visits(child) };
            let Some((n, x)) =
                world.tried().max_by(|a, b| (key(a), a.1).partial_cmp(&(key(b), b.1)).unwrap())
            else {
                return world.mean;
            };
            let threshold = q * 81.0;
            let weight =
                if world.visits > threshold { p * 81.0 * world.visits / threshold } else { p * 81.0 };
            (n * x + weight * world.mean) / (n + weight)
        });
    }
}

#[test]
fn max_mcts() {
    for lambda in [0.0, 0.8, 1.0] {
        let (mut sum, mut count) = (0.0, 0.0);
        check_children(&format!("kind=\"max-mcts\", lambda={lambda:?}"), 1e-9, |world| {
            if world.visits == 1.0 {
                (sum, count) = (0.0, 0.0);
            }
            let greatest = if world.child.is_none() { world.sample } else { world.greatest() };
            sum += lambda * world.sample + (1.0 - lambda) * greatest;
            count += 1.0;
            sum / count
        });
    }
}

/// A search within a byte limit holds the steps of a long list, too.
#[test]
fn steps_take_the_bytes_that_they_say() {
    let bytes = |text: &str| backup(text).bytes();
    for simulations in [1000, 5000, 1_000_000] {
        let found = bytes(&format!("kind=\"feedback\", simulations={simulations}"));
        assert!(found <= 1025 * 8 + 10 * 12, "{simulations}: {found}");
    }
    let list: Vec<f64> = (1..=5000).map(f64::from).collect();
    let found = bytes(&format!("kind=\"weights\", weights={list:?}"));
    let least = 5000 * 8 + 1025 * 8 + (5000 - 1024) * 12;
    assert!((least..least + 5000 * 8).contains(&found), "{found}");
    assert_eq!(bytes("kind=\"feedback\", simulations=500"), 503 * 8);
}
