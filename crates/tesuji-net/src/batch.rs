//! What a network is trained on.

use crate::Shape;

/// Positions with what the network should say of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    shape: Shape,
    planes: Vec<f32>,
    policies: Vec<f32>,
    values: Vec<f32>,
}

impl Batch {
    /// No positions yet, for networks of this shape.
    pub fn new(shape: Shape) -> Batch {
        Batch { shape, planes: Vec::new(), policies: Vec::new(), values: Vec::new() }
    }

    /// Adds a position: its planes (`[plane, y, x]`), the policy wanted (it sums to 1, or is all 0 where nothing is known of it, and then
    /// trains the value alone) and the value wanted, in [-1, 1].
    ///
    /// # Panics
    /// If a slice has another length than the shape has [`Shape::inputs`] and [`Shape::moves`].
    pub fn push(&mut self, planes: &[f32], policy: &[f32], value: f32) {
        assert_eq!(planes.len(), self.shape.inputs(), "the planes are for another network");
        assert_eq!(policy.len(), self.shape.moves(), "the policy is for another network");
        self.planes.extend_from_slice(planes);
        self.policies.extend_from_slice(policy);
        self.values.push(value);
    }

    /// Forgets all positions and keeps the memory.
    pub fn clear(&mut self) {
        self.planes.clear();
        self.policies.clear();
        self.values.clear();
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The shape of the networks it is for.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The planes of all positions, `[position, plane, y, x]`.
    pub fn planes(&self) -> &[f32] {
        &self.planes
    }

    /// The policies of all positions, `[position, move]`.
    pub fn policies(&self) -> &[f32] {
        &self.policies
    }

    /// The values of all positions.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}

/// How far a network is from what it should say, as means over a batch.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    /// Cross entropy of the policy, in nats.
    pub policy: f64,
    /// Squared error of the value.
    pub value: f64,
}
