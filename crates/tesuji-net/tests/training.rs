//! The trainer against the reference, on networks of random shapes; reproduction and resumption.

use proptest::prelude::*;
use tesuji::Rng;
use tesuji_net::{Batch, Muon, Notes, Parameters, Safetensors, Sgd, Shape, Trainer, reference};

/// A batch of random planes and targets.
fn batch(shape: Shape, positions: usize, rng: &mut Rng) -> Batch {
    let mut batch = Batch::new(shape);
    for i in 0..positions {
        let planes: Vec<f32> = (0..shape.inputs()).map(|_| rng.unit()).collect();
        let mut policy = vec![0.0; shape.moves()];
        // Some positions have no policy to learn.
        if i % 4 != 3 {
            policy[rng.below(shape.moves() as u32) as usize] += 0.5;
            policy[rng.below(shape.moves() as u32) as usize] += 0.5;
        }
        batch.push(&planes, &policy, 2.0 * rng.unit() - 1.0);
    }
    batch
}

/// The largest error of a tensor of the gradient, relative to its size and a thousandth of that of
/// the whole gradient, and the tensor's name.
fn largest_error(shape: Shape, positions: usize, threads: usize, seed: u64) -> (f64, String) {
    let batch = batch(shape, positions, &mut Rng::new(seed));
    let parameters = Parameters::<f32>::random(shape, seed);
    let wanted = reference::gradient(&parameters.cast::<f64>(), &batch);
    let found = Trainer::new(parameters, Sgd::default()).with_threads(threads).gradient(&batch);
    assert!((found.losses.policy - wanted.losses.policy).abs() < 1e-5);
    assert!((found.losses.value - wanted.losses.value).abs() < 1e-5);
    let size = |numbers: &[f64]| numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
    let learned = wanted.derivatives.names().filter(|(name, _)| !name.contains("running"));
    let whole =
        learned.map(|(name, _)| size(wanted.derivatives.tensor(name).unwrap()).powi(2)).sum::<f64>().sqrt();
    let error = |(name, _): (&str, &[usize])| {
        let wanted = wanted.derivatives.tensor(name).unwrap();
        let found = found.derivatives.tensor(name).unwrap().iter();
        let differences: Vec<f64> = found.zip(wanted).map(|(&f, w)| f64::from(f) - w).collect();
        (size(&differences) / (size(wanted) + 1e-3 * whole), name.to_owned())
    };
    wanted.derivatives.names().map(error).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

/// What is descended on is linear in the value's weight, and without it nothing of the value head
/// is.
#[test]
fn value_weights() {
    let batch = batch(SHAPE, 5, &mut Rng::new(3));
    let of = |weight| {
        let trainer = Trainer::new(Parameters::random(SHAPE, 4), Sgd::default());
        trainer.with_threads(2).with_value_weight(weight).gradient(&batch)
    };
    let [none, tenth, one] = [0.0, 0.1, 1.0].map(of);
    assert_eq!((tenth.losses, none.losses), (one.losses, one.losses));
    for (name, _) in one.derivatives.names().filter(|(name, _)| !name.contains("running")) {
        let [none, tenth, one] =
            [&none, &tenth, &one].map(|gradient| gradient.derivatives.tensor(name).unwrap());
        let size = one.iter().map(|x| x * x).sum::<f32>().sqrt();
        for ((&none, &tenth), &one) in none.iter().zip(tenth).zip(one) {
            assert!((0.9 * none + 0.1 * one - tenth).abs() <= 1e-5 * size, "{name}: {none} {tenth} {one}");
        }
        assert_eq!(name.starts_with("value."), none.iter().all(|&x| x == 0.0), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn gradients(
        (board, planes, filters, blocks) in (2..20_usize, 1..12_usize, 1..20_usize, 0..3_usize),
        (policy_filters, value_filters, value_hidden) in (1..12_usize, 1..12_usize, 1..20_usize),
        (positions, threads, seed) in (1..7_usize, 1..4_usize, 0..u64::MAX - 2),
    ) {
        let heads = Shape { policy_filters, value_filters, value_hidden, ..Shape::GO9 };
        let shape = Shape { board, planes, filters, blocks, actions: planes % 3 * 7, ..heads };
        // Now and then rounding moves an activation across 0, and the gradient jumps: then other
        // numbers must do.
        let mut errors = (seed..=seed + 2).map(|seed| largest_error(shape, positions, threads, seed));
        prop_assert!(errors.any(|(error, _)| error < 1e-4), "{:?}", largest_error(shape, positions, threads, seed));
    }
}

const SHAPE: Shape = Shape {
    board: 5,
    planes: 4,
    filters: 12,
    blocks: 2,
    policy_filters: 2,
    value_filters: 1,
    value_hidden: 8,
    globals: 0,
    actions: 0,
    replies: 0,
    horizons: 0,
};

fn muon() -> Sgd {
    Sgd { muon: Some(Muon::default()), ..Sgd::default() }
}

#[test]
fn the_same_steps_give_the_same_bits() {
    for (threads, sgd) in [(1, Sgd::default()), (3, Sgd::default()), (3, muon())] {
        let train = || {
            let mut rng = Rng::new(9);
            let mut trainer = Trainer::new(Parameters::random(SHAPE, 1), sgd.clone()).with_threads(threads);
            let losses: Vec<_> = (0..6).map(|_| trainer.step(&batch(SHAPE, 7, &mut rng))).collect();
            (losses, trainer.parameters().clone())
        };
        assert_eq!(train(), train());
    }
}

/// Only the 3x3 kernels take other steps.
#[test]
fn muon_moves_kernels() {
    let mut rng = Rng::new(4);
    let batch = batch(SHAPE, 5, &mut rng);
    let start = Parameters::random(SHAPE, 1);
    let after = |sgd: Sgd| {
        let mut trainer = Trainer::new(start.clone(), sgd);
        trainer.step(&batch);
        trainer.parameters().clone()
    };
    let (plain, found) = (after(Sgd::default()), after(muon()));
    for (name, dims) in start.names() {
        let is_same = plain.tensor(name) == found.tensor(name);
        assert_eq!(is_same, !matches!(dims, [_, _, 3, 3]), "{name}");
    }
}

#[test]
fn a_resumed_trainer_goes_on_as_if_never_stopped() {
    let path = std::env::temp_dir().join(format!("tesuji-net-trainer-{}", std::process::id()));
    let notes = Notes::from([("games".to_owned(), "31".to_owned())]);
    let mut rng = Rng::new(2);
    let batches: Vec<Batch> = (0..6).map(|i| batch(SHAPE, 4 + i / 3, &mut rng)).collect();
    let mut trainer = Trainer::new(Parameters::random(SHAPE, 1), muon());
    for batch in &batches[..3] {
        trainer.step(batch);
    }
    trainer.save(&path, &notes).unwrap();
    let (mut resumed, read) = Trainer::load(&path, muon()).unwrap();
    assert_eq!((read, resumed.steps()), (notes, 3));
    for batch in &batches[3..] {
        assert_eq!(trainer.step(batch), resumed.step(batch));
    }
    assert_eq!(trainer.parameters(), resumed.parameters());

    // A checkpoint is a network, a network is no checkpoint.
    let (network, notes) = Parameters::load(&path).unwrap();
    assert_eq!(notes["step"], "3");
    network.save(&path, &Notes::new()).unwrap();
    let error = Trainer::load(&path, Sgd::default()).unwrap_err().to_string();
    assert!(error.contains("momentum/trunk.conv.weight is missing"), "{error}");
    trainer.save(&path, &Notes::new()).unwrap();
    let mut file = Safetensors::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
    file.metadata.insert("step".into(), "few".into());
    file.metadata.remove("checksum");
    std::fs::write(&path, file.to_bytes()).unwrap();
    let error = Trainer::load(&path, Sgd::default()).unwrap_err().to_string();
    assert!(error.contains("step is \"few\", but must be a number"), "{error}");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn the_network_may_be_a_mean_of_the_parameters() {
    let path = std::env::temp_dir().join(format!("tesuji-net-mean-{}", std::process::id()));
    let mut rng = Rng::new(3);
    let batches: Vec<Batch> = (0..8).map(|_| batch(SHAPE, 5, &mut rng)).collect();
    let new = || Trainer::new(Parameters::random(SHAPE, 1), Sgd::default());
    let (mut plain, mut trainer) = (new(), new().with_average(0.3));
    let numbers = |parameters: &Parameters| -> Vec<f32> {
        parameters.names().flat_map(|(name, _)| parameters.tensor(name).unwrap().to_vec()).collect()
    };
    let mut mean = numbers(plain.parameters());
    for (step, batch) in batches.iter().enumerate() {
        assert_eq!(plain.step(batch), trainer.step(batch));
        let keep = f32::min(0.3, (step + 1) as f32 / (step + 10) as f32);
        mean.iter_mut().zip(numbers(plain.parameters())).for_each(|(m, w)| *m += (1.0 - keep) * (w - *m));
        if step == 4 {
            trainer.save(&path, &Notes::new()).unwrap();
            assert_eq!(&Parameters::load(&path).unwrap().0, trainer.network());
            let (loaded, notes) = Trainer::load(&path, Sgd::default()).unwrap();
            assert!(notes.is_empty() && loaded.mean().unwrap().1 == 0.3);
            trainer = loaded;
        }
        assert_eq!(plain.parameters(), trainer.parameters());
        assert_eq!(numbers(trainer.network()), mean);
    }
    assert_ne!(trainer.network(), trainer.parameters());
    let loaded = |average: Option<&str>| {
        let mut file = Safetensors::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
        file.metadata.remove("average");
        file.metadata.remove("checksum");
        file.metadata.extend(average.map(|share| ("average".into(), share.into())));
        std::fs::write(&path, file.to_bytes()).unwrap();
        Trainer::load(&path, Sgd::default()).map(|(trainer, _)| trainer.mean().unwrap().1)
    };
    assert_eq!(loaded(None).unwrap(), 0.5, "earlier versions did not write the share");
    assert_eq!(loaded(Some("0.75")).unwrap(), 0.75);
    for wrong in ["much", "1", "-0.5", "NaN"] {
        assert!(loaded(Some(wrong)).unwrap_err().to_string().contains("average is"), "{wrong}");
    }
    let without = trainer.with_average(0.0);
    assert_eq!(without.network(), without.parameters());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_small_network_learns_a_rule() {
    // The best move is where the one stone lies; the value is the colour.
    let mut rng = Rng::new(6);
    let mut trainer = Trainer::new(Parameters::random(SHAPE, 1), Sgd::default());
    let mut last = 0.0;
    for _ in 0..150 {
        let mut batch = Batch::new(SHAPE);
        for _ in 0..16 {
            let (point, colour) = (rng.below(25) as usize, rng.below(2) as usize);
            let (mut planes, mut policy) = (vec![0.0; SHAPE.inputs()], vec![0.0; SHAPE.moves()]);
            (planes[colour * 25 + point], policy[point]) = (1.0, 1.0);
            batch.push(&planes, &policy, if colour == 0 { 1.0 } else { -1.0 });
        }
        let losses = trainer.step(&batch);
        last = losses.policy + losses.value;
    }
    assert!(last < 1.0, "the loss is still {last}");
}
