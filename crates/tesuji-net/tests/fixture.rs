//! The network against one that another program computed in double precision.

mod support;

use std::sync::Arc;
use support::{batch, fixture, names, parameters, relative_error};
use tesuji_net::{Evaluator, Instructions, Network, Parameters, Real, Schedule, Sgd, Trainer, reference};

/// Forward, losses, gradients and two steps of descent in this precision.
fn check_reference<T: Real>(tolerance: f64) {
    let fixture = fixture();
    let start = parameters(&fixture, "param/");
    let batch = batch(&fixture, *start.shape());
    let mut parameters: Parameters<T> = start.cast();
    let wide = |numbers: &[T]| numbers.iter().map(|x| x.wide()).collect::<Vec<f64>>();

    let planes: Vec<T> = batch.planes().iter().map(|&x| T::of(x.into())).collect();
    let (policy, value) = reference::evaluate(&parameters, &planes);
    assert!(relative_error(wide(&policy), &fixture.tensors["eval.policy_logits"].1) < tolerance);
    assert!(relative_error(wide(&value), &fixture.tensors["eval.value"].1) < tolerance);

    let gradient = reference::gradient(&parameters, &batch);
    assert!(relative_error([gradient.losses.policy], &fixture.tensors["train.loss_policy"].1) < tolerance);
    assert!(relative_error([gradient.losses.value], &fixture.tensors["train.loss_value"].1) < tolerance);
    for name in names(&start).iter().filter(|name| !name.contains("running")) {
        let wanted = &fixture.tensors[&format!("grad/{name}")].1;
        let error = relative_error(wide(gradient.derivatives.tensor(name).unwrap()), wanted);
        assert!(error < tolerance, "gradient of {name}: {error}");
    }

    let sgd = Sgd { rate: Schedule::Constant { rate: 0.02 }, momentum: 0.9, decay: 1e-4, muon: None };
    let mut velocity = vec![T::zero(); parameters.count()];
    for step in 0..2 {
        let gradient = reference::gradient(&parameters, &batch).derivatives;
        sgd.apply(step, &mut parameters, &mut velocity, &gradient, Instructions::best());
    }
    for name in names(&start) {
        let wanted = &fixture.tensors[&format!("after2/{name}")].1;
        let error = relative_error(wide(parameters.tensor(&name).unwrap()), wanted);
        assert!(error < tolerance, "{name} after two steps: {error}");
    }
}

#[test]
fn reference_in_double_precision() {
    check_reference::<f64>(1e-6);
}

#[test]
fn reference_in_single_precision() {
    check_reference::<f32>(1e-5);
}

#[test]
fn evaluator() {
    let fixture = fixture();
    let parameters = parameters(&fixture, "param/");
    let batch = batch(&fixture, *parameters.shape());
    let network = Arc::new(Network::new(&parameters));
    for &instructions in Instructions::all() {
        let mut evaluator = Evaluator::with_instructions(network.clone(), instructions);
        let (mut logits, mut values) = (Vec::new(), Vec::new());
        for planes in batch.planes().chunks(parameters.shape().inputs()) {
            let mut policy = vec![0.0; parameters.shape().moves()];
            values.push(f64::from(evaluator.evaluate(planes, &mut policy)));
            logits.extend(policy.iter().map(|&x| f64::from(x)));
        }
        assert!(relative_error(logits, &fixture.tensors["eval.policy_logits"].1) < 1e-5);
        assert!(relative_error(values, &fixture.tensors["eval.value"].1) < 1e-5);
    }
}

#[test]
fn trainer() {
    let fixture = fixture();
    let start = parameters(&fixture, "param/");
    let batch = batch(&fixture, *start.shape());
    let wide = |numbers: &[f32]| numbers.iter().map(|&x| x.into()).collect::<Vec<f64>>();
    let sgd = Sgd { rate: Schedule::Constant { rate: 0.02 }, momentum: 0.9, decay: 1e-4, muon: None };
    for threads in [1, 2, 3] {
        let mut trainer = Trainer::new(start.clone(), sgd.clone()).with_threads(threads);
        let gradient = trainer.gradient(&batch);
        assert!(relative_error([gradient.losses.policy], &fixture.tensors["train.loss_policy"].1) < 1e-5);
        assert!(relative_error([gradient.losses.value], &fixture.tensors["train.loss_value"].1) < 1e-5);
        for name in names(&start).iter().filter(|name| !name.contains("running")) {
            let wanted = &fixture.tensors[&format!("grad/{name}")].1;
            let error = relative_error(wide(gradient.derivatives.tensor(name).unwrap()), wanted);
            assert!(error < 2e-5, "gradient of {name}, {threads} threads: {error}");
        }
        trainer.step(&batch);
        trainer.step(&batch);
        for name in names(&start) {
            let wanted = &fixture.tensors[&format!("after2/{name}")].1;
            let error = relative_error(wide(trainer.parameters().tensor(&name).unwrap()), wanted);
            assert!(error < 1e-5, "{name} after two steps, {threads} threads: {error}");
        }
    }
}
