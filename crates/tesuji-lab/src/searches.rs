//! Many searches side by side, of a game whose type is known at run time only.

use crate::error::{LabError, faults};
use crate::position::{At, Position, action};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use tesuji::recipe::Recipe;
use tesuji::{AskTell, Budget, Ended, Evaluate, Evaluation, Pool, StopReason, Value};
use tesuji_agents::Playable;

/// Takes logits and values. It refuses logits that are not numbers.
pub type PlanesAnswer<'a> = &'a mut dyn FnMut(&[f32], &[f32]) -> Result<(), LabError>;

/// A network outside of this program that sees positions as planes.
pub trait PlanesNetwork: Send {
    /// Evaluates `batch` positions. `planes` has the shape [batch, C, H, W], row by row, as
    /// [`Notation::write_planes`](tesuji::Notation::write_planes) writes each position. Calls
    /// `tell` once, with the logits of all moves by their numbers, of the shape [batch, actions],
    /// and with the values, each in [0, 1] for the player to move.
    ///
    /// It may panic; the panic reaches the caller of [`Searches::run`].
    fn evaluate(&mut self, planes: Vec<f32>, batch: usize, tell: PlanesAnswer<'_>);
}

/// Searches of positions of one game by one recipe, which keep their trees from call to call.
///
/// ```
/// use tesuji::recipe::Recipe;
/// use tesuji_lab::GameSpec;
///
/// let game = GameSpec::parse("connect-four", None)?;
/// let mut searches = game.searches(&Recipe::parse("uct").map_err(tesuji_lab::LabError::input)?, None)?;
/// let found = searches.run(&[&game.position()], &[1], 500, &mut || true)?;
/// assert_eq!(found[0].visits.iter().map(|&(_, visits)| visits).sum::<u32>(), 500);
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
pub struct Searches(Box<dyn AnySearches>);

/// The outcome of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The move to play, by its number.
    pub best: usize,
    /// The value in [0, 1] of the position for the player to move.
    pub value: f32,
    /// The moves that were tried, by their numbers, with their visits.
    pub visits: Vec<(usize, u32)>,
    /// The target of a policy network: moves by their numbers, and probabilities, as
    /// [`Search::policy_target`](tesuji::Search::policy_target) has them.
    pub target: Vec<(usize, f32)>,
    /// Simulations of this search.
    pub simulations: u64,
    /// Positions that were evaluated for it.
    pub evaluations: u64,
    /// Why it ended.
    pub reason: StopReason,
}

trait AnySearches: Send {
    fn run(
        &mut self,
        positions: &[&Position],
        seeds: &[u64],
        simulations: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Found>, LabError>;
    fn clear(&mut self);
}

impl fmt::Debug for Searches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searches").finish_non_exhaustive()
    }
}

impl Searches {
    /// Searches each position, in a batch with the others. The i-th search goes on with the tree of
    /// the i-th search of the call before, where the recipe reuses trees and the position follows
    /// from the earlier one by some moves; otherwise it begins a game from the i-th seed. `go_on`
    /// is called after each step. If it returns false, the searches end.
    ///
    /// # Errors
    /// If a position is of another game, or the game is over there.
    pub fn run(
        &mut self,
        positions: &[&Position],
        seeds: &[u64],
        simulations: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Found>, LabError> {
        if positions.len() != seeds.len() {
            let (positions, seeds) = (positions.len(), seeds.len());
            return Err(SearchesError::Seeds { positions, seeds }.into());
        }
        self.0.run(positions, seeds, simulations, go_on)
    }

    /// Forgets all trees.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// A search and the moves after which it stands.
struct Slot<G: Playable> {
    search: Box<dyn AskTell<G> + Send>,
    moves: Vec<G::Move>,
}

pub(crate) struct SearchesOf<G: Playable> {
    start: G,
    recipe: Recipe,
    evaluator: Option<Box<dyn Evaluate<G>>>,
    slots: Vec<Option<Slot<G>>>,
}

impl<G: Playable> SearchesOf<G> {
    pub(crate) fn open(
        start: &G,
        recipe: &Recipe,
        network: Option<Box<dyn PlanesNetwork>>,
    ) -> Result<Searches, LabError> {
        let evaluator = match network {
            None => start.evaluator_of(recipe).map_err(LabError::input)?,
            Some(network) => {
                recipe
                    .clone()
                    .with_network("-")
                    .check_network()
                    .map_err(|_| SearchesError::NoNetwork { recipe: recipe.name().to_owned() })?;
                Some(Box::new(ByPlanes::new(start, network)?) as Box<dyn Evaluate<G>>)
            }
        };
        start.driven_by(recipe, evaluator.clone(), 0).map_err(LabError::input)?;
        let (start, recipe) = (start.clone(), recipe.clone());
        Ok(Searches(Box::new(SearchesOf { start, recipe, evaluator, slots: Vec::new() })))
    }

    /// The search of a position, which has been told of all moves that led there.
    fn search(&mut self, slot: usize, at: &At<G>, seed: u64) -> Result<Box<dyn AskTell<G> + Send>, LabError> {
        let (mut search, known) = match self.slots[slot].take() {
            Some(Slot { search, moves }) if self.recipe.options().reuse && at.moves.starts_with(&moves) => {
                (search, moves.len())
            }
            kept => {
                let mut search = match kept {
                    Some(slot) => slot.search,
                    None => {
                        let evaluator = self.evaluator.clone();
                        self.start.driven_by(&self.recipe, evaluator, seed).map_err(LabError::input)?
                    }
                };
                search.new_game(&self.start, seed).map_err(LabError::failed)?;
                (search, 0)
            }
        };
        let mut game = self.start.clone();
        for (number, &m) in at.moves.iter().enumerate() {
            game.play(m);
            if number >= known {
                search.played(m, &game).map_err(LabError::failed)?;
            }
        }
        Ok(search)
    }
}

impl<G: Playable> AnySearches for SearchesOf<G> {
    fn run(
        &mut self,
        positions: &[&Position],
        seeds: &[u64],
        simulations: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Found>, LabError> {
        let mut games = Vec::with_capacity(positions.len());
        for (number, position) in positions.iter().enumerate() {
            let at = position.of::<G>().ok_or(SearchesError::OtherGame { number })?;
            if at.game.result().is_some() {
                return Err(SearchesError::Over { number }.into());
            }
            games.push(at);
        }
        self.slots.resize_with(self.slots.len().max(games.len()), || None);
        let budget = Budget::simulations(simulations);
        let mut pool: Pool<G> = Pool::new(self.evaluator.clone());
        for (slot, at) in games.iter().enumerate() {
            let search = self.search(slot, at, seeds[slot])?;
            pool.add(slot, search, &at.game, &budget).map_err(LabError::input)?;
        }
        let mut found: Vec<Option<Found>> = games.iter().map(|_| None).collect();
        while !pool.is_empty() {
            for Ended { name: slot, mut search, evaluations } in pool.step() {
                found[slot] = look(&mut *search, &games[slot].game, evaluations);
                self.slots[slot] = Some(Slot { search, moves: games[slot].moves.clone() });
            }
            if !pool.is_empty() && !go_on() {
                budget.stop.stop();
            }
        }
        found
            .into_iter()
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| LabError::failed("a search found nothing"))
    }

    fn clear(&mut self) {
        self.slots.clear();
    }
}

/// What a search found in `game`.
fn look<G: Playable>(search: &mut (dyn AskTell<G> + Send), game: &G, evaluations: u64) -> Option<Found> {
    let report = search.report()?;
    let mut target = Vec::new();
    search.policy_target(&mut target);
    Some(Found {
        best: action(game, report.best),
        value: report.value,
        visits: report.children.iter().map(|child| (action(game, child.m), child.visits)).collect(),
        target: target.into_iter().map(|(m, share)| (action(game, m), share)).collect(),
        simulations: report.simulations,
        evaluations,
        reason: report.reason,
    })
}

/// A [`PlanesNetwork`] as an evaluator, which all copies share.
#[derive(Clone)]
struct ByPlanes {
    network: Arc<Mutex<Box<dyn PlanesNetwork>>>,
    /// Numbers of a position, and of its logits.
    planes: usize,
    actions: usize,
}

impl fmt::Debug for ByPlanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByPlanes").field("planes", &self.planes).field("actions", &self.actions).finish()
    }
}

impl ByPlanes {
    fn new<G: Playable>(start: &G, network: Box<dyn PlanesNetwork>) -> Result<ByPlanes, LabError> {
        let shape = start.planes_shape().ok_or(SearchesError::NoPlanes)?;
        let actions = start.codes();
        if actions == 0 {
            return Err(SearchesError::NoNumbers.into());
        }
        Ok(ByPlanes { network: Arc::new(Mutex::new(network)), planes: shape.iter().product(), actions })
    }
}

impl<G: Playable> Evaluate<G> for ByPlanes {
    fn evaluate(&mut self, position: &G, moves: &[G::Move], priors: &mut Vec<f32>) -> Value {
        let mut outcome = None;
        self.evaluate_many(&mut [Evaluation { position, moves, priors, outcome: &mut outcome }]);
        outcome.unwrap_or(Value::DRAW)
    }

    fn evaluate_many(&mut self, asked: &mut [Evaluation<'_, G>]) {
        let mut planes = vec![0.0; asked.len() * self.planes];
        for (asked, planes) in asked.iter().zip(planes.chunks_mut(self.planes.max(1))) {
            asked.position.write_planes(planes);
        }
        let actions = self.actions;
        let mut network = self.network.lock().unwrap_or_else(PoisonError::into_inner);
        let batch = asked.len();
        network.evaluate(planes, batch, &mut |logits, values| {
            for ((asked, logits), &value) in asked.iter_mut().zip(logits.chunks_exact(actions)).zip(values) {
                write_priors(asked, logits)?;
                *asked.outcome = Some(Value::new(asked.position.to_move(), value));
            }
            Ok(())
        });
    }

    fn boxed(&self) -> Box<dyn Evaluate<G>> {
        Box::new(self.clone())
    }
}

/// The priors of the legal moves, in proportion to e^logit.
fn write_priors<G: Playable>(asked: &mut Evaluation<'_, G>, logits: &[f32]) -> Result<(), LabError> {
    let Evaluation { position, moves, priors, .. } = asked;
    let first = priors.len();
    priors.extend(moves.iter().map(|&m| logits[action(*position, m)]));
    let logits = &mut priors[first..];
    if let Some(logit) = logits.iter().find(|logit| logit.is_nan() || **logit == f32::INFINITY) {
        return Err(SearchesError::Logit { logit: *logit }.into());
    }
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    // Moves that all have the logit -infinity are equal.
    let weight = |x: f32| if most == f32::NEG_INFINITY { 1.0 } else { (x - most).exp() };
    logits.iter_mut().for_each(|x| *x = weight(*x));
    Ok(())
}

faults! {
    /// Why positions cannot be searched side by side.
    SearchesError {
        Seeds { positions: usize, seeds: usize } => "there are {seeds} seeds for {positions} positions",
        OtherGame { number: usize } => "position {number} is one of another game than the searches",
        Over { number: usize } => "the game is over in position {number}; accepted: positions with a move to search for",
        NoNetwork { recipe: String } =>
            "`{recipe}` makes no use of a network; accepted: a recipe with select=puct or playout=net, such as puct-net",
        NoPlanes => "the game has no planes; accepted: a game on a board, or one that writes its own",
        NoNumbers => "the game does not number its moves; accepted: a game that says how many there are",
        Logit { logit: f32 } => "the logit of a legal move is {logit}; accepted: finite numbers, or -inf",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_spec::GameSpec;

    /// Prefers one action, and says how large the batches were.
    struct Prefers(usize, Arc<Mutex<Vec<usize>>>);

    impl PlanesNetwork for Prefers {
        fn evaluate(&mut self, planes: Vec<f32>, batch: usize, tell: PlanesAnswer<'_>) {
            assert_eq!(planes.len(), batch * 126);
            self.1.lock().unwrap().push(batch);
            let mut logits = vec![0.0; batch * 49];
            logits.iter_mut().skip(self.0).step_by(49).for_each(|logit| *logit = 5.0);
            tell(&logits, &vec![0.5; batch]).unwrap();
        }
    }

    fn searches(recipe: &str, sizes: &Arc<Mutex<Vec<usize>>>) -> Result<Searches, LabError> {
        let game = GameSpec::parse("connect-four", None).unwrap();
        game.searches(&Recipe::parse(recipe).unwrap(), Some(Box::new(Prefers(14, sizes.clone()))))
    }

    #[test]
    fn a_network_sees_batches_and_leads_the_searches() {
        let sizes = Arc::default();
        let mut searches = searches("puct-net", &sizes).unwrap();
        let start = GameSpec::parse("connect-four", None).unwrap().position();
        let found = searches.run(&[&start; 4], &[1; 4], 20, &mut || true).unwrap();
        // Action 14 is the lowest cell of the third column.
        assert!(found.iter().all(|found| found.best == 14 && found.simulations == 20));
        assert!(found[1..].iter().all(|other| other == &found[0]));
        assert_eq!(sizes.lock().unwrap()[0], 4);
        assert!((found[0].target.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn trees_carry_over_where_the_recipe_reuses_them() {
        let sizes = Arc::default();
        let mut searches = searches("puct-net,reuse=true", &sizes).unwrap();
        let mut position = GameSpec::parse("connect-four", None).unwrap().position();
        let visits = |found: &[Found]| found[0].visits.iter().map(|&(_, n)| n).sum::<u32>();
        searches.run(&[&position], &[1], 50, &mut || true).unwrap();
        position.play("3").unwrap();
        let kept = searches.run(&[&position], &[1], 50, &mut || true).unwrap();
        searches.clear();
        let fresh = searches.run(&[&position], &[1], 50, &mut || true).unwrap();
        assert!(visits(&kept) > visits(&fresh), "{kept:?} {fresh:?}");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let sizes = Arc::default();
        let error = searches("uct", &sizes).unwrap_err().to_string();
        assert!(error.contains("makes no use of a network"), "{error}");
        let mut searches = searches("puct-net", &sizes).unwrap();
        let other = GameSpec::parse("tic-tac-toe", None).unwrap().position();
        let error = searches.run(&[&other], &[1], 5, &mut || true).unwrap_err().to_string();
        assert!(error.contains("position 0 is one of another game"), "{error}");
    }
}
