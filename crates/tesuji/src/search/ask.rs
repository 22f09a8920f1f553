//! A search that is driven from outside: its caller asks for leaves and tells it their values.

use super::Search;
use super::flight::Flight;
use super::reporting::SearchError;
use crate::backup::Backup;
use crate::bot::Bot;
use crate::budget::Budget;
use crate::code::Link;
use crate::evaluate::Evaluation;
use crate::game::{Game, SearchGame};
use crate::node_report::{NodeCounts, NodeReport};
use crate::playout::Playout;
use crate::report::{Report, StopReason};
use crate::search::Choice;
use crate::select::Select;
use alloc::vec::Vec;

/// A search that its caller drives. While the caller evaluates positions, the search waits and
/// other searches go on.
///
/// [`AskTell::ask`] leads the simulations in flight (one, or as many as [`Search::with_batch`]
/// says) to their leaves. A leaf needs
///
/// - nothing, if the tree knows its outcome: then its simulation has ended;
/// - a playout, which the search plays by itself in [`AskTell::tell`];
/// - an evaluation: of its outcome, if outcomes of the playout policy [take the place of
///   playouts](crate::Playout::evaluates), and of the priors of its moves, if the tree policy reads
///   them.
///
/// The driver answers evaluations in place, as
/// [`Evaluate::evaluate_many`](crate::Evaluate::evaluate_many) does, and then calls
/// [`AskTell::tell`]. The same answers lead to the same tree as [`Search::run`] with the same seed
/// and the same batch. [`Pool`](crate::Pool) drives many searches at once.
///
/// ```
/// use tesuji::doc_game::Nim;
/// use tesuji::{AskTell, Budget, Evaluation, InFlight, Mean, Options, Puct, Search, StopReason, Uniform};
///
/// let game = Nim::new(30);
/// let search = Search::new(&game, Puct::default(), Mean {}, Uniform {}, Options::default(), 1).unwrap();
/// let mut search = search.with_batch(8, InFlight::Lost(1)).unwrap();
/// search.begin(&game, &Budget::simulations(200)).unwrap();
/// let reason = loop {
///     let mut asked: Vec<Evaluation<'_, Nim>> = Vec::new();
///     if let Some(reason) = search.ask(&mut asked) {
///         break reason;
///     }
///     for asked in asked {
///         // A network would look at `asked.position`. The search plays its playouts by itself.
///         asked.priors.extend(asked.moves.iter().map(|&counters| f32::from(counters)));
///     }
///     search.tell();
/// };
/// assert_eq!((reason, search.decide().unwrap().simulations), (StopReason::Simulations, 200));
/// ```
pub trait AskTell<G: Game>: Bot<G> {
    /// Begins a search of `game`, to the end of the budget. A search that is under way is given up.
    ///
    /// # Errors
    /// As [`Search::run`].
    fn begin(&mut self, game: &G, budget: &Budget) -> Result<(), SearchError>;

    /// Leads the simulations in flight to their leaves and appends those to be evaluated; at the
    /// beginning it may be the root alone. If the search has ended, returns the reason, and there
    /// is nothing to tell. Simulations that still wait are [told](AskTell::tell) first.
    fn ask<'a>(&'a mut self, asked: &mut Vec<Evaluation<'a, G>>) -> Option<StopReason>;

    /// Ends the simulations in flight: backs up the outcomes of their leaves, by the answers or by
    /// playouts. A leaf without an answer is evaluated by the search itself.
    fn tell(&mut self);

    /// The decision that the search would make now, or has made. None before it has begun.
    fn decide(&mut self) -> Option<Choice<G::Move>>;

    /// Appends the target of a policy network at the root, see [`Search::policy_target`].
    fn policy_target(&self, out: &mut Vec<(G::Move, f32)>);

    /// The report that it would give now, or has given. None before it has begun.
    fn report(&mut self) -> Option<Report<G::Move>>;

    /// The node after some legal moves from the root, and the moves tried there. None if the tree
    /// has no such node.
    fn inspect(&self, line: &[G::Move]) -> Option<NodeReport<G::Move>>;

    /// The nodes that it holds, and how many it gave up since its tree was planted.
    fn node_counts(&self) -> NodeCounts;

    /// The path of the last simulation through the tree, as far as its nodes still exist.
    fn last_line(&self) -> Vec<G::Move>;
}

impl<G, S, B, P, I> AskTell<G> for Search<G, S, B, P, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    P: Playout<G>,
    I: Link,
{
    fn begin(&mut self, game: &G, budget: &Budget) -> Result<(), SearchError> {
        let limits = self.set_out(game, budget)?;
        self.flight = Some(Flight { limits, opens: self.worker.simulation.waits, asked: false, ended: None });
        Ok(())
    }

    fn ask<'a>(&'a mut self, asked: &mut Vec<Evaluation<'a, G>>) -> Option<StopReason> {
        self.tell();
        let Some(flight) = &mut self.flight else { return Some(StopReason::Stopped) };
        if !flight.opens && flight.ended.is_none() {
            self.worker.set_off(&mut self.core, flight);
        }
        flight.asked = flight.ended.is_none();
        if flight.asked {
            self.worker.append_questions(&self.core, asked);
        }
        flight.ended
    }

    fn tell(&mut self) {
        self.take_answers();
    }

    fn decide(&mut self) -> Option<Choice<G::Move>> {
        self.tell();
        let reason = self.flight.as_ref()?.ended;
        Some(self.decision(reason.unwrap_or(StopReason::Stopped)))
    }

    fn policy_target(&self, out: &mut Vec<(G::Move, f32)>) {
        Search::policy_target(self, out);
    }

    fn report(&mut self) -> Option<Report<G::Move>> {
        self.tell();
        let flight = self.flight.as_ref()?;
        let (reason, clock) = (flight.ended.unwrap_or(StopReason::Stopped), flight.limits.clock);
        Some(self.account(reason, clock))
    }

    fn inspect(&self, line: &[G::Move]) -> Option<NodeReport<G::Move>> {
        self.core.inspect(line)
    }

    fn node_counts(&self) -> NodeCounts {
        let tree = &self.core.tree;
        NodeCounts {
            stored: tree.len(),
            limit: tree.limit(),
            recycled: tree.recycled(),
            pruned: tree.pruned(),
        }
    }

    fn last_line(&self) -> Vec<G::Move> {
        self.core.line_of(&self.worker.simulation.path)
    }
}
