//! What backups make of samples, as comma-separated values.
//!
//! `weight`: the weight of the n-th of 1000 samples of a node, with 1 for a weight of 1/1000: what
//! the value changes by if that sample alone does. `value`: the value of a node whose three
//! children of values 0.4, 0.6 and 0.55 have a half, three tenths and a fifth of its visits.

use tesuji::{
    Backup, Coulom, Erwa, ErwaStart, Feedback, Max, Mean, MonotoneWeights, PowerMean, Profile, Replay,
    Schedule, Softmax,
};

/// Samples of a node.
const SAMPLES: u32 = 1000;

/// The weights of some samples among all.
fn weights(name: &str, mut backup: impl Backup) {
    backup.new_game(&tesuji::doc_game::Nim::new(4));
    for n in (1..=SAMPLES).step_by(9) {
        let mut node = Replay::new(&backup, 0);
        for i in 1..=SAMPLES {
            node.sample(&backup, None, f64::from(u8::from(i == n)));
        }
        println!("weight,{name},{n},{:.5}", node.value * f64::from(SAMPLES));
    }
}

/// The value of a node with three children, for several numbers of visits.
fn values(name: &str, mut backup: impl Backup) {
    backup.new_game(&tesuji::doc_game::Nim::new(4));
    for step in 0..=12 {
        let n = (10.0 * 10_f64.powf(f64::from(step) / 4.0) / 10.0).round() as u32 * 10;
        let children = vec![(n / 2, 0.4), (n * 3 / 10, 0.6), (n / 5, 0.55)];
        let mean = children.iter().map(|&(n, x)| f64::from(n) * x).sum::<f64>() / f64::from(n);
        let mut node = Replay::new(&backup, children.len());
        node.children = children;
        for _ in 0..n {
            node.update(&backup, Some(0), mean);
        }
        println!("value,{name},{n},{:.5}", node.value);
    }
}

fn main() {
    println!("figure,series,x,y");
    weights("mean", Mean {});
    weights("ERWA 0.003", Erwa::new(0.003, ErwaStart::Debiased));
    weights("ERWA 0.003 first", Erwa::new(0.003, ErwaStart::First));
    for (name, profile) in [("feedback lin", Profile::Lin), ("feedback exp2", Profile::Exp2)] {
        let mut feedback = Feedback::default();
        (feedback.profile, feedback.simulations) = (profile, SAMPLES);
        weights(name, feedback);
    }
    weights("Monotone 1 + n", MonotoneWeights::new(&[f64::from(SAMPLES).ln()], SAMPLES));
    weights("Monotone exponential", MonotoneWeights::new(&[0.0, 1.5, 3.0, 4.5, 6.0], SAMPLES));
    values("mean", Mean {});
    for (name, schedule, weight) in [
        ("Softmax 5", Schedule::Constant, 5.0),
        ("Softmax 0.01 N", Schedule::Linear, 0.01),
        ("Softmax 0.4 sqrt N", Schedule::Root, 0.4),
    ] {
        let mut softmax = Softmax::default();
        (softmax.schedule, softmax.weight) = (schedule, weight);
        values(name, softmax);
    }
    let mut coulom = Coulom::default();
    coulom.area = Some(4);
    values("Coulom 2 16", coulom);
    values("power mean 2", PowerMean { p: 2.0 });
    values("max", Max {});
}
