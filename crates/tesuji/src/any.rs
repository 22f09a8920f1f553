//! One enum for each axis of the search, for recipes chosen at run time.
//!
//! Each forwards whole operations (pick a child, back up a path, play a playout), so that the
//! choice is made once a node or once a simulation and the loops inside stay as they are in static
//! code.

pub(crate) mod own;
mod playout;

pub use own::{Own, OwnBackup, OwnPart, OwnPlayout, OwnPolicy};
pub use playout::{AnyPlayout, BoundPlayout};

use crate::backup::{
    Accelerated, Backup, Coulom, Erwa, Feedback, Max, MaxMcts, Mean, Mellowmax, MonotoneWeights, NodeMut,
    PowerMean, Softmax, Steps, Weights, update_path,
};
use crate::code::{Code, Link};
use crate::columns::Columns;
use crate::game::SearchGame;
use crate::node::Step;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::select::{
    Child, EpsilonGreedy, Grave, HandSelectedRave, NodeView, Parent, Pick, Puct, Reference, RoundRobin,
    Select, Shared, Ucb, UcbTuned,
};
use crate::tree::{InFlight, Tree};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Any tree policy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(transform = own::add_kinds::<own::Policies>)]
#[repr(u8)]
pub enum AnySelect {
    /// UCT, x + c sqrt(ln N / n).
    Uct(Ucb),
    /// UCB1-tuned: the exploration term shrinks with the variance of the samples.
    #[serde(rename = "ucb1-tuned")]
    UcbTuned(UcbTuned),
    /// PUCT, x + c P sqrt(N) / (1 + n) with priors P.
    Puct(Puct),
    /// The least visited child, in turn.
    RoundRobin(RoundRobin),
    /// The child of the highest value, or with probability epsilon any child.
    EpsilonGreedy(EpsilonGreedy),
    /// GRAVE, (1 - b) x + b AMAF with b = a / (a + n + bias a n); also RAVE and HRAVE.
    Grave(Grave),
    /// RAVE by the hand-selected schedule, b = sqrt(k / (3 N + k)).
    #[serde(rename = "rave-hand-selected")]
    HandSelectedRave(HandSelectedRave),
    /// A policy of another crate.
    #[serde(untagged)]
    #[schemars(skip)]
    Own(OwnPolicy),
}

impl Default for AnySelect {
    fn default() -> AnySelect {
        AnySelect::Uct(Ucb::default())
    }
}

macro_rules! select {
    ($self:ident, $part:ident => $call:expr) => {
        match $self {
            AnySelect::Uct($part) => $call,
            AnySelect::UcbTuned($part) => $call,
            AnySelect::Puct($part) => $call,
            AnySelect::RoundRobin($part) => $call,
            AnySelect::EpsilonGreedy($part) => $call,
            AnySelect::Grave($part) => $call,
            AnySelect::HandSelectedRave($part) => $call,
            AnySelect::Own($part) => $call,
        }
    };
}

impl Select for AnySelect {
    const NEEDS: Columns = Columns::ALL;

    #[inline]
    fn needs(&self) -> Columns {
        select!(self, part => part.needs())
    }

    #[inline]
    fn shared(&self, parent: &Parent) -> Shared {
        select!(self, part => part.shared(parent))
    }

    #[inline]
    fn score(&self, shared: Shared, child: &Child) -> f32 {
        select!(self, part => part.score(shared, child))
    }

    #[inline]
    fn untried(&self, shared: Shared, child: &Child) -> f32 {
        select!(self, part => part.untried(shared, child))
    }

    #[inline]
    fn min_amaf_mean(&self, shared: Shared, score: f32) -> f32 {
        select!(self, part => part.min_amaf_mean(shared, score))
    }

    #[inline]
    fn reference(&self) -> u32 {
        select!(self, part => part.reference())
    }

    #[inline]
    fn random(&self) -> f32 {
        select!(self, part => part.random())
    }

    #[inline]
    fn grave(&self) -> Option<&Grave> {
        if let AnySelect::Grave(grave) = self { Some(grave) } else { None }
    }

    /// The commonest policy becomes part of the search loop; one call leads to the others.
    #[inline(always)]
    fn pick<C: Code, I: Link>(
        &self,
        view: NodeView<'_, C, I>,
        reference: Option<&mut Reference<'_>>,
        rng: &mut Rng,
    ) -> Pick {
        match self {
            AnySelect::Uct(part) => part.pick(view, reference, rng),
            other => other.pick_outlined(view, reference, rng),
        }
    }
}

impl AnySelect {
    #[inline(never)]
    fn pick_outlined<C: Code, I: Link>(
        &self,
        view: NodeView<'_, C, I>,
        reference: Option<&mut Reference<'_>>,
        rng: &mut Rng,
    ) -> Pick {
        select!(self, part => pick_by(part, view, reference, rng))
    }
}

/// [`Select::pick`] by a call that is all that is left of its caller.
#[inline(never)]
fn pick_by<S: Select, C: Code, I: Link>(
    policy: &S,
    view: NodeView<'_, C, I>,
    reference: Option<&mut Reference<'_>>,
    rng: &mut Rng,
) -> Pick {
    policy.pick(view, reference, rng)
}

/// Any backup.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(transform = own::add_kinds::<own::Backups>)]
pub enum AnyBackup {
    /// The mean of all samples.
    Mean(Mean),
    /// ERWA, an exponential average: v += alpha (r - v).
    Erwa(Erwa),
    /// Feedback adjustment: a mean in which samples of later segments of the search count more.
    Feedback(Feedback),
    /// A mean with weights from a list.
    Weights(Weights),
    /// Monotone MCTS: a mean in which later samples count more, by a rising function of the visits.
    Monotone(MonotoneWeights),
    /// Softmax MCTS: the mean of the children with weights n e^(w x), w growing with the visits.
    Softmax(Softmax),
    /// The greatest value of the children.
    Max(Max),
    /// Coulom's mix of mean and best child, (n x + W m) / (n + W).
    Coulom(Coulom),
    /// The power mean of the children, (sum (n/M) x^p)^(1/p).
    PowerMean(PowerMean),
    /// Mellowmax of the children, ln(sum (n/M) e^(w x)) / w.
    Mellowmax(Mellowmax),
    /// Accelerated UCT: the mean of the children weighted by decaying counts.
    Accelerated(Accelerated),
    /// MaxMCTS(lambda): samples are mixed with the greatest child's value on their way up.
    MaxMcts(MaxMcts),
    /// A backup of another crate.
    #[serde(untagged)]
    #[schemars(skip)]
    Own(OwnBackup),
}

impl Default for AnyBackup {
    fn default() -> AnyBackup {
        AnyBackup::Mean(Mean {})
    }
}

macro_rules! backup {
    ($self:ident, $part:ident => $call:expr) => {
        match $self {
            AnyBackup::Mean($part) => $call,
            AnyBackup::Erwa($part) => $call,
            AnyBackup::Feedback($part) => $call,
            AnyBackup::Weights($part) => $call,
            AnyBackup::Monotone($part) => $call,
            AnyBackup::Softmax($part) => $call,
            AnyBackup::Max($part) => $call,
            AnyBackup::Coulom($part) => $call,
            AnyBackup::PowerMean($part) => $call,
            AnyBackup::Mellowmax($part) => $call,
            AnyBackup::Accelerated($part) => $call,
            AnyBackup::MaxMcts($part) => $call,
            AnyBackup::Own($part) => $call,
        }
    };
}

impl Backup for AnyBackup {
    fn needs(&self) -> Columns {
        backup!(self, part => part.needs())
    }

    fn backup_state(&self) -> usize {
        backup!(self, part => part.backup_state())
    }

    fn turns_values(&self) -> bool {
        backup!(self, part => part.turns_values())
    }

    fn is_local(&self) -> bool {
        backup!(self, part => part.is_local())
    }

    fn looks_at_changes(&self) -> bool {
        backup!(self, part => part.looks_at_changes())
    }

    /// One function for both kinds of walk.
    #[inline(never)]
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        backup!(self, part => part.update(node, sample))
    }

    /// The commonest backup becomes part of the search loop; one call leads to the others, which
    /// are told apart at each node.
    #[inline]
    fn path<C: Code, I: Link, O: Outcome>(
        &self,
        tree: &Tree<C, I>,
        path: &[Step],
        below: Option<Step>,
        outcome: &O,
    ) {
        match self {
            AnyBackup::Mean(part) => part.path(tree, path, below, outcome),
            other => other.path_outlined(tree, path, below, outcome),
        }
    }

    fn new_game<G: SearchGame>(&mut self, start: &G) {
        backup!(self, part => part.new_game(start));
    }

    fn bytes(&self) -> usize {
        backup!(self, part => part.bytes())
    }
}

impl AnyBackup {
    #[inline(never)]
    fn path_outlined<C: Code, I: Link, O: Outcome>(
        &self,
        tree: &Tree<C, I>,
        path: &[Step],
        below: Option<Step>,
        outcome: &O,
    ) {
        match self.steps() {
            Some(steps) => steps.path(tree, path, below, outcome),
            None => update_path(self, tree, path, below, outcome),
        }
    }

    /// The steps of a weighted mean, which are told apart from other backups once a path.
    fn steps(&self) -> Option<&Steps> {
        match self {
            AnyBackup::Erwa(part) => part.steps(),
            AnyBackup::Feedback(part) => part.steps(),
            AnyBackup::Weights(part) => Some(part.steps()),
            AnyBackup::Monotone(part) => Some(part.steps()),
            _ => None,
        }
    }
}

/// Any way to use several threads for one search.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum AnyParallel {
    /// One thread.
    #[default]
    Serial,
    /// Independent trees whose roots are added up; reproducible. Memory limits are shared out.
    Root(RootThreads),
    /// One tree for all threads; not reproducible.
    Tree(TreeThreads),
}

/// The parameters of root parallelization.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RootThreads {
    /// Number of threads, each with a tree of its own.
    ///
    /// Range: 1 to 1024 (threads). Default: 2.
    #[schemars(range(min = 1, max = 1024), extend("unit" = "threads"))]
    pub threads: usize,
}

impl Default for RootThreads {
    /// Two threads.
    fn default() -> RootThreads {
        RootThreads { threads: 2 }
    }
}

/// The parameters of tree parallelization.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TreeThreads {
    /// Number of threads.
    ///
    /// Range: 1 to 1024 (threads). Default: 2.
    #[schemars(range(min = 1, max = 1024), extend("unit" = "threads"))]
    pub threads: usize,
    /// Simulations that each thread keeps in flight; their positions are evaluated together.
    ///
    /// Range: 1 to 4096 (simulations). Default: 1.
    #[schemars(range(min = 1, max = 4096), extend("unit" = "simulations"))]
    pub batch: usize,
    /// Lost visits that each simulation in progress counts as, with the virtual loss.
    ///
    /// Range: 1 to 1000 (visits). Default: 1.
    #[schemars(range(min = 1, max = 1000), extend("unit" = "visits"))]
    pub virtual_visits: u32,
    /// The effect of a simulation in progress on the other threads.
    ///
    /// Default: `virtual-loss`.
    pub in_flight: InFlightKind,
}

/// The effect of a simulation in progress, see [`InFlight`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InFlightKind {
    /// Visits that were lost.
    #[default]
    VirtualLoss,
    /// A visit whose sample is not observed yet (WU-UCT).
    Unobserved,
}

impl TreeThreads {
    /// The revision of its games: one more where threads stayed below fewer nodes, and where a
    /// child that has no value yet once counted as lost, or a batch once evaluated a leaf twice.
    pub(crate) fn revision(&self) -> u32 {
        u32::from(self.threads > 1) + u32::from(self.batch > 1 || self.in_flight == InFlightKind::Unobserved)
    }

    /// What a simulation on its way counts for.
    pub(crate) fn in_flight(&self) -> InFlight {
        match self.in_flight {
            InFlightKind::VirtualLoss => InFlight::Lost(self.virtual_visits),
            InFlightKind::Unobserved => InFlight::Unobserved,
        }
    }
}

impl Default for TreeThreads {
    /// Two threads, one simulation in flight on each, a virtual loss of one visit.
    fn default() -> TreeThreads {
        TreeThreads { threads: 2, batch: 1, virtual_visits: 1, in_flight: InFlightKind::VirtualLoss }
    }
}
