//! Batches: the positions on which a network is trained.

use crate::shape::Shape;

/// Positions with the targets of the network.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    shape: Shape,
    planes: Vec<f32>,
    globals: Vec<f32>,
    policies: Vec<f32>,
    values: Vec<f32>,
    leads: Vec<f32>,
    ownerships: Vec<f32>,
    replies: Vec<f32>,
    soon: Vec<f32>,
}

/// In place of a number that is not known.
const UNKNOWN: f32 = f32::INFINITY;

/// A position with the targets of a network, from the view of the player to move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Example<'a> {
    /// Its planes, `[plane, y, x]`.
    pub planes: &'a [f32],
    /// The numbers for the whole position.
    pub globals: &'a [f32],
    /// The target of the policy: it sums to 1, or is all 0 if it is not known.
    pub policy: &'a [f32],
    /// The value wanted, in [-1, 1].
    pub value: f32,
    /// The target of the lead, in points, komi included; none if it is not known.
    pub lead: Option<f32>,
    /// The target of the owner of each point: 1 is the player to move, -1 the opponent; none if it
    /// is not known.
    pub ownership: Option<&'a [f32]>,
    /// The target of the policy of the opponent's reply: it sums to 1; none if it is not known.
    pub reply: Option<&'a [f32]>,
    /// The values wanted of the near future, in [-1, 1], one for each of [`Shape::horizons`]; none
    /// if they are not known.
    pub soon: Option<&'a [f32]>,
}

impl Batch {
    /// No positions yet, for networks of this shape.
    pub fn new(shape: Shape) -> Batch {
        Batch {
            shape,
            planes: Vec::new(),
            globals: Vec::new(),
            policies: Vec::new(),
            values: Vec::new(),
            leads: Vec::new(),
            ownerships: Vec::new(),
            replies: Vec::new(),
            soon: Vec::new(),
        }
    }

    /// Adds a position: its planes (`[plane, y, x]`), the target of the policy and the target of
    /// the value, in [-1, 1]. The policy sums to 1. If it is not known, it is all 0, and the
    /// position trains the value only.
    ///
    /// # Panics
    /// If a slice has another length than the shape has [`Shape::inputs`] and [`Shape::moves`].
    pub fn push(&mut self, planes: &[f32], policy: &[f32], value: f32) {
        self.add(&Example { planes, policy, value, ..Example::default() });
    }

    /// Adds a position. Only a pooling network learns lead and ownership; only one with such
    /// outputs learns the reply and the near future.
    ///
    /// # Panics
    /// If a slice has another length than the shape has inputs, numbers for the whole position,
    /// moves and points.
    pub fn add(&mut self, example: &Example<'_>) {
        let Example { planes, globals, policy, value, lead, ownership, reply, soon } = *example;
        assert_eq!(planes.len(), self.shape.inputs(), "the planes are for another network");
        assert_eq!(globals.len(), self.shape.globals, "the numbers are for another network");
        assert_eq!(policy.len(), self.shape.moves(), "the policy is for another network");
        self.planes.extend_from_slice(planes);
        self.globals.extend_from_slice(globals);
        self.policies.extend_from_slice(policy);
        self.values.push(value);
        self.leads.push(lead.unwrap_or(UNKNOWN));
        let end = self.ownerships.len() + self.shape.points();
        if let Some(ownership) = ownership {
            assert_eq!(ownership.len(), self.shape.points(), "the ownership is for another network");
            self.ownerships.extend_from_slice(ownership);
        }
        self.ownerships.resize(end, UNKNOWN);
        let Shape { replies, horizons, .. } = self.shape;
        if replies > 0 {
            let end = self.replies.len() + self.shape.moves();
            if let Some(reply) = reply {
                assert_eq!(reply.len(), self.shape.moves(), "the reply is for another network");
                self.replies.extend_from_slice(reply);
            }
            self.replies.resize(end, 0.0);
        }
        let end = self.soon.len() + horizons;
        if let Some(soon) = soon.filter(|_| horizons > 0) {
            assert_eq!(soon.len(), horizons, "the near future is for another network");
            self.soon.extend_from_slice(soon);
        }
        self.soon.resize(end, UNKNOWN);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The shape of the networks it is for. A pooling network learns from batches of any board.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether it is for a network of this shape.
    pub fn is_for(&self, shape: &Shape) -> bool {
        let board = if shape.pools() { shape.board } else { self.shape.board };
        *shape == Shape { board, ..self.shape }
    }

    /// The planes of all positions, `[position, plane, y, x]`.
    pub fn planes(&self) -> &[f32] {
        &self.planes
    }

    /// The numbers of all positions, `[position, number]`.
    pub fn globals(&self) -> &[f32] {
        &self.globals
    }

    /// The policies of all positions, `[position, move]`.
    pub fn policies(&self) -> &[f32] {
        &self.policies
    }

    /// The values of all positions.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The leads of all positions; infinite where one is not known.
    pub fn leads(&self) -> &[f32] {
        &self.leads
    }

    /// The ownerships of all positions, `[position, y, x]`; infinite where one is not known.
    pub fn ownerships(&self) -> &[f32] {
        &self.ownerships
    }

    /// The policies of the opponents' replies, `[position, move]`, all 0 where one is not known;
    /// empty if the network has none.
    pub fn replies(&self) -> &[f32] {
        &self.replies
    }

    /// The values of the near future, `[position, horizon]`; infinite where they are not known.
    pub fn soon(&self) -> &[f32] {
        &self.soon
    }
}

/// The losses of a network, as means over a batch.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    /// Cross entropy of the policy, in nats.
    pub policy: f64,
    /// Squared error of the value.
    pub value: f64,
    /// Huber's loss of the lead in units of [`Losses::LEAD_SCALE`] points: half the square of an
    /// error up to 1, and the error minus a half above. A position without a lead counts 0.
    pub lead: f64,
    /// Squared error of the ownership, as a mean over points. A position without one counts 0.
    pub ownership: f64,
    /// Cross entropy of the policy of the opponent's reply, in nats. A position without one counts
    /// 0.
    pub reply: f64,
    /// Squared error of the values of the near future, as a mean over horizons. A position without
    /// them counts 0.
    pub soon: f64,
}

impl Losses {
    /// Points of a lead of 1.
    pub const LEAD_SCALE: f32 = 10.0;
    /// The factor of the lead's loss in the descent.
    pub const LEAD_WEIGHT: f32 = 0.2;
    /// The factor of the ownership's loss in the descent.
    pub const OWNERSHIP_WEIGHT: f32 = 1.0;
    /// The factor of the reply's loss in the descent (Wu 2019).
    pub const REPLY_WEIGHT: f32 = 0.15;
    /// The factor of the near future's loss in the descent.
    pub const SOON_WEIGHT: f32 = 0.5;

    /// The factor of each loss of [`Losses::list`] in the descent, with this factor of the value's.
    pub fn weights(value: f32) -> [f32; 6] {
        let [lead, ownership] = [Losses::LEAD_WEIGHT, Losses::OWNERSHIP_WEIGHT];
        [1.0, value, lead, ownership, Losses::REPLY_WEIGHT, Losses::SOON_WEIGHT]
    }

    /// The losses, each mapped by a function.
    #[must_use]
    pub fn of(self, f: impl Fn(f64) -> f64) -> Losses {
        let [policy, value, lead, ownership, reply, soon] = self.list().map(f);
        Losses { policy, value, lead, ownership, reply, soon }
    }

    /// Each loss.
    pub fn list(&self) -> [f64; 6] {
        [self.policy, self.value, self.lead, self.ownership, self.reply, self.soon]
    }
}

impl std::ops::AddAssign for Losses {
    fn add_assign(&mut self, other: Losses) {
        self.policy += other.policy;
        self.value += other.value;
        self.lead += other.lead;
        self.ownership += other.ownership;
        self.reply += other.reply;
        self.soon += other.soon;
    }
}
