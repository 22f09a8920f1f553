//! The network of a fixture and what it says, computed by another program in double precision.

use tesuji_net::{Batch, Parameters, Safetensors, Shape};

/// The content of the fixture.
pub(crate) fn fixture() -> Safetensors {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/net-9x9.safetensors");
    Safetensors::from_bytes(&std::fs::read(path).unwrap()).unwrap()
}

/// The network in the tensors with this prefix; running statistics may be missing.
pub(crate) fn parameters(fixture: &Safetensors, prefix: &str) -> Parameters {
    let number = |key: &str| fixture.metadata[key].parse().unwrap();
    let shape = Shape {
        board: number("board"),
        planes: number("planes"),
        filters: number("filters"),
        blocks: number("blocks"),
        policy_filters: 2,
        value_filters: 1,
        value_hidden: number("value_hidden"),
        globals: 0,
        actions: 0,
        replies: 0,
        horizons: 0,
    };
    let mut parameters = Parameters::zeroed(shape);
    for name in names(&parameters) {
        if let Some((_, numbers)) = fixture.tensors.get(&format!("{prefix}{name}")) {
            parameters.tensor_mut(&name).unwrap().copy_from_slice(numbers);
        }
    }
    parameters
}

/// The names of all tensors.
pub(crate) fn names(parameters: &Parameters) -> Vec<String> {
    parameters.names().map(|(name, _)| name.to_owned()).collect()
}

/// The fixture's positions and targets.
pub(crate) fn batch(fixture: &Safetensors, shape: Shape) -> Batch {
    let [planes, policies, values] =
        ["input", "target.policy", "target.value"].map(|name| fixture.tensors[name].1.as_slice());
    let mut batch = Batch::new(shape);
    for ((planes, policy), &value) in
        planes.chunks(shape.inputs()).zip(policies.chunks(shape.moves())).zip(values)
    {
        batch.push(planes, policy, value);
    }
    batch
}

/// The largest difference, relative to the largest of the numbers wanted; infinite if one is no
/// number.
pub(crate) fn relative_error(found: impl IntoIterator<Item = f64>, wanted: &[f32]) -> f64 {
    let largest = wanted.iter().fold(0.0, |most: f64, &x| most.max(f64::from(x).abs()));
    let found: Vec<f64> = found.into_iter().collect();
    assert_eq!(found.len(), wanted.len());
    let errors = found.iter().zip(wanted).map(|(found, &wanted)| (found - f64::from(wanted)).abs());
    errors.fold(0.0, |most: f64, x| if x.is_nan() { f64::INFINITY } else { most.max(x) }) / largest
}
