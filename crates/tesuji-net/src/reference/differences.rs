//! Every derivative against finite differences.

use crate::batch::Batch;
use crate::parameters::Parameters;
use crate::reference;
use crate::shape::Shape;
use tesuji::Rng;

/// A batch of random planes and targets.
fn batch(shape: Shape, positions: usize, rng: &mut Rng) -> Batch {
    let mut batch = Batch::new(shape);
    for _ in 0..positions {
        let planes: Vec<f32> = (0..shape.inputs()).map(|_| rng.unit() - 0.3).collect();
        let mut policy: Vec<f32> = (0..shape.moves()).map(|_| rng.unit()).collect();
        let total: f32 = policy.iter().sum();
        policy.iter_mut().for_each(|p| *p /= total);
        batch.push(&planes, &policy, 2.0 * rng.unit() - 1.0);
    }
    batch
}

#[test]
fn every_layer_agrees_with_finite_differences() {
    let mut rng = Rng::new(7);
    for shape in [
        Shape {
            board: 3,
            planes: 2,
            filters: 3,
            blocks: 1,
            policy_filters: 2,
            value_filters: 1,
            value_hidden: 4,
            globals: 0,
            actions: 0,
            replies: 0,
            horizons: 0,
        },
        Shape {
            board: 4,
            planes: 1,
            filters: 2,
            blocks: 2,
            policy_filters: 1,
            value_filters: 3,
            value_hidden: 2,
            globals: 0,
            actions: 5,
            replies: 0,
            horizons: 0,
        },
    ] {
        let batch = batch(shape, 3, &mut rng);
        let mut parameters = Parameters::<f64>::random(shape, rng.bits());
        parameters.learned.iter_mut().for_each(|w| *w += f64::from(rng.unit()) - 0.4);
        let derivatives = reference::gradient(&parameters, &batch).derivatives;
        let loss = |parameters: &Parameters<f64>| {
            let losses = reference::gradient(parameters, &batch).losses;
            losses.policy + losses.value
        };
        let layout = parameters.layout.clone();
        for tensor in layout.tensors.iter().filter(|tensor| !tensor.is_statistic) {
            for at in tensor.range.clone() {
                let (step, kept) = (1e-6, parameters.learned[at]);
                parameters.learned[at] = kept + step;
                let above = loss(&parameters);
                parameters.learned[at] = kept - step;
                let below = loss(&parameters);
                parameters.learned[at] = kept;
                let (found, wanted) = (derivatives.learned[at], (above - below) / (2.0 * step));
                let error = (found - wanted).abs();
                assert!(error < 1e-7 + 1e-6 * wanted.abs(), "{} {at}: {found}, {wanted}", tensor.name);
            }
        }
    }
}
