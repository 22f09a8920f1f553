//! Search over the states of a sum with scores.
//!
//! It has its own loop, because `tesuji::Search` grows a tree. Here a state has many parents, a
//! simulation stores all its states, UCB chooses again in known states after an unknown one, and
//! each state learns the score to come from it, in points. These differences decide how well
//! incentives are learned: of 5x5 Heap-Go at (mn)² simulations, 79 % of the pairs of actions come
//! in order from states, 72 % from a tree that grows by one node ([`StateOptions::TREE`]), both
//! from a random list (docs/incentives.md). MAXI on ordinary trees is a playout policy of recipes,
//! [`tesuji::Maxi`].

use crate::component::Component;
use crate::default_policy::{default_choice, first, untried};
use crate::move_values::MoveValues;
use crate::space::{Place, Space};
use crate::state_options::{FirstPlay, Growth, Identity, StateOptions, StatePlayout};
use crate::state_table::{Entry, StateTable};
use crate::sum::Sum;
use crate::sum_move::SumMove;
use std::time::Instant;
use tesuji::{
    Bot, BotError, Budget, ChildReport, Game, Incentives, Observer, Reply, Report, Rng, StopReason, ln,
};

/// A Monte Carlo search for the score of a sum, which also learns incentives (Kao, Wu, Yen and Shan
/// 2013).
///
/// For a state it learns Q(s, a), the mean score still to come after action a, in points and with
/// Left's sign. A state is the positions of the components and the player to move, without the
/// score so far or the moves that led there. In a state of its table it takes an action that it has
/// not tried there, each with the same probability, or else one that maximises
///
/// ```text
/// sign Q(s, a) + c sqrt(ln N(s) / N(s, a)),    sign = 1 for Left, -1 for Right, c in points,
/// ```
///
/// ties at random; [`FirstPlay`] has other rules for actions that were not tried. Elsewhere the
/// default policy chooses. Then, from the last state of the
/// simulation to the first, Q of the action that was taken is updated and compared with Q of all
/// other actions that were tried there: their differences make up D and order L\* ([`Incentives`]),
/// from which the default policy MAXI takes its moves at once.
///
/// Actions are keys of the sum. With [`Sum::with_shared_keys`] both players' moves at the same
/// place are one action, as in the paper, which suits games in which they are equally large; with
/// ordinary keys either player has actions of its own.
///
/// A simulation takes time in O(l a (1 + w)) for l moves, a actions in each state and w places that
/// a comparison looks at in the list. Every position of every component is listed beforehand. The
/// search takes 12 bytes per state and action, at most [`StateOptions::bytes`], and 8 bytes per
/// pair of actions or 12 for each of [`StateOptions::pairs`].
///
/// ```
/// use tesuji::Budget;
/// use tesuji_sums::{Heap, StateOptions, StateSearch, Sum};
///
/// let heaps = ["b4b5", "r2r1", "b1"].map(|text| text.parse::<Heap>().unwrap());
/// let sum = Sum::new(heaps.to_vec()).with_shared_keys();
/// let mut search = StateSearch::new(&sum, StateOptions::PLAY, 1);
/// let report = search.run(&sum, &Budget::simulations(1000), &mut ()).unwrap();
/// assert_eq!(report.best.component(), 0);
/// // The keys of the first heap are 0 and 1, from the lowest counter up: its top is the greatest of all.
/// assert_eq!(search.incentives().list()[0], 1);
/// ```
#[derive(Clone, Debug)]
pub struct StateSearch {
    options: StateOptions,
    space: Space,
    table: StateTable,
    incentives: Incentives,
    values: MoveValues,
    /// Whether the incentives have their initial list.
    is_begun: bool,
    rng: Rng,
    seed: u64,
    place: Place,
    path: Vec<Step>,
    /// The options of a state that is not in the table.
    legal: Vec<u32>,
    nodes_peak: usize,
}

/// A move of a simulation.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The head of the state in the table, or [`NONE`].
    head: u32,
    /// Which of its options, counted from 0.
    chosen: u32,
    /// The number of the option.
    option: u32,
}

const NONE: u32 = u32::MAX;

/// How often clock and stop are looked at.
const LOOK: u64 = 32;

impl StateSearch {
    /// A search for games that begin at `start`.
    pub fn new<C: Component>(start: &Sum<C>, options: StateOptions, seed: u64) -> StateSearch {
        let space = Space::new(start);
        let codes = space.states.filter(|_| options.identity == Identity::Positions);
        let mut values = MoveValues::default();
        if options.gathers_values {
            values.reset(space.actions());
        }
        StateSearch {
            options,
            table: StateTable::new(codes, options.bytes),
            incentives: Incentives::new(space.actions()).keeping(options.pairs),
            values,
            space,
            is_begun: false,
            rng: Rng::new(seed),
            seed,
            place: Place::default(),
            path: Vec::new(),
            legal: Vec::new(),
            nodes_peak: 0,
        }
    }

    /// Searches `sum`; none if it is over. Everything learned about earlier states is forgotten,
    /// including D and L\* unless [`StateOptions::keeps_incentives`].
    ///
    /// Values of the report map an expected final score of x points, the mover's sign, to
    /// 1/2 + x / (2 (|x| + 20)).
    pub fn run<C: Component>(
        &mut self,
        sum: &Sum<C>,
        budget: &Budget,
        observer: &mut dyn Observer<SumMove<C::Move>>,
    ) -> Option<Report<SumMove<C::Move>>> {
        if sum.result().is_some() {
            return None;
        }
        let begun = Instant::now();
        self.prepare(sum);
        let root = self.space.place(sum);
        let (mut done, every) = (0u64, observer.every());
        let reason = loop {
            if budget.simulations.is_some_and(|most| done >= most) {
                break StopReason::Simulations;
            }
            if done.is_multiple_of(LOOK) {
                if budget.stop.is_stopped() {
                    break StopReason::Stopped;
                }
                if budget.time.is_some_and(|time| begun.elapsed() >= time) {
                    break StopReason::Time;
                }
            }
            self.simulate(&root);
            done += 1;
            if done == self.options.seeds_list_at && self.options.gathers_values {
                self.seed_list();
            }
            if done.is_multiple_of(every) && observer.is_due() {
                observer.progress(&self.report(sum, &root, StopReason::Simulations, done, begun));
            }
        };
        Some(self.report(sum, &root, reason, done, begun))
    }

    /// The differences D and the list L\*.
    pub fn incentives(&self) -> &Incentives {
        &self.incentives
    }

    /// AMAF values of the last search, if the options ask for them.
    pub fn move_values(&self) -> Option<&MoveValues> {
        (!self.values.is_empty()).then_some(&self.values)
    }

    /// Its settings.
    pub fn options(&self) -> &StateOptions {
        &self.options
    }

    /// The expected final score of `sum` after each of [`Game::moves`], with the number of its
    /// tries, from the last search; Left's sign. Empty if the search does not know the state.
    pub fn scores<C: Component>(&self, sum: &Sum<C>) -> Vec<(SumMove<C::Move>, u32, f64)> {
        if self.options.identity == Identity::Moves || !self.space.knows(sum) {
            return Vec::new();
        }
        self.root_scores(sum, self.space.place(sum).code)
    }

    fn root_scores<C: Component>(&self, sum: &Sum<C>, code: u64) -> Vec<(SumMove<C::Move>, u32, f64)> {
        let Some(head) = self.table.find(code) else { return Vec::new() };
        let mut moves = Vec::new();
        sum.moves(&mut moves);
        let score = sum.score().to_f64();
        let entries = moves.into_iter().zip(self.table.options(head));
        entries.map(|(m, entry)| (m, entry.n, score + f64::from(entry.q))).collect()
    }

    fn prepare<C: Component>(&mut self, sum: &Sum<C>) {
        if !self.space.knows(sum) {
            *self = StateSearch::new(sum, self.options, self.seed);
        }
        self.table.clear();
        if !self.is_begun || !self.options.keeps_incentives {
            self.is_begun = true;
            self.incentives.reset(self.space.actions());
            self.options.list.begin(&mut self.incentives, self.space.heights(), &mut self.rng);
        }
        if self.options.gathers_values {
            self.values.reset(self.space.actions());
        }
    }

    /// Puts L\* into the order of the score to come; actions that were never played come last, in
    /// the order that they had.
    fn seed_list(&mut self) {
        let mut list: Vec<usize> = self.incentives.list().iter().map(|&action| action as usize).collect();
        let value = |action: usize| self.values.to_come(action).unwrap_or(f64::NEG_INFINITY);
        list.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        self.incentives.set_list(list);
    }

    /// The code of the state where a search begins.
    fn root_code(&self, root: &Place) -> u64 {
        match self.options.identity {
            Identity::Positions => root.code,
            Identity::Moves => 0,
        }
    }

    fn simulate(&mut self, root: &Place) {
        self.place.copy(root);
        self.path.clear();
        let mut code = self.root_code(root);
        // Whether every state up to now was known.
        let mut in_tree = true;
        while self.place.live > 0 {
            let looks = in_tree || self.options.reenters || self.options.growth == Growth::WholePath;
            let found = if looks { self.table.find(code) } else { None };
            let step = match found {
                Some(head) => {
                    let by_ucb = in_tree || self.options.reenters;
                    let chosen = if by_ucb { self.ucb(head) } else { self.default_known(head) };
                    self.step(head, chosen)
                }
                None if (in_tree || self.options.growth == Growth::WholePath) && self.table.has_room() => {
                    in_tree = false;
                    let (space, place) = (&self.space, &self.place);
                    let head = self.table.insert(code, |tell| space.each_option(place, tell));
                    let chosen = self.default_known(head);
                    self.step(head, chosen)
                }
                None => {
                    in_tree = false;
                    Step { head: NONE, chosen: 0, option: self.default_unknown() }
                }
            };
            self.place.play(self.space.option(step.option));
            code = match self.options.identity {
                Identity::Positions => self.place.code,
                Identity::Moves => crate::mix::mix(code ^ (u64::from(step.option) + 1)),
            };
            self.path.push(step);
        }
        self.learn(root.player);
    }

    #[inline]
    fn step(&self, head: usize, chosen: usize) -> Step {
        Step { head: head as u32, chosen: chosen as u32, option: self.table.options(head)[chosen].option }
    }

    /// The option that UCB chooses.
    #[inline]
    fn ucb(&mut self, head: usize) -> usize {
        let options = self.table.options(head);
        let sign = sign(self.place.player);
        let scale = self.options.exploration * ln(self.table.visits(head)).sqrt();
        let (mut best, mut highest, mut ties) = (0, f32::NEG_INFINITY, 1);
        for (i, option) in options.iter().enumerate() {
            if option.n == 0 {
                return self.first_play(head);
            }
            let score = sign * option.q + scale / (option.n as f32).sqrt();
            if score > highest {
                (best, highest, ties) = (i, score, 1);
            } else if score == highest {
                ties += 1;
                if self.rng.below(ties) == 0 {
                    best = i;
                }
            }
        }
        best
    }

    /// The option that UCB chooses where one was never tried.
    #[cold]
    fn first_play(&mut self, head: usize) -> usize {
        let options = self.table.options(head);
        if self.options.first_play == FirstPlay::Random {
            return untried(options, &mut self.rng);
        }
        let action = |option: &Entry| self.space.option(option.option).action as usize;
        let sign = sign(self.place.player);
        let tried = options.iter().filter(|option| option.n > 0);
        let best = tried.max_by(|a, b| (sign * a.q).total_cmp(&(sign * b.q)));
        let scale = self.options.exploration * ln(self.table.visits(head)).sqrt();
        let urgency = |option: &Entry| match (best, option.n) {
            (Some(best), 0) if self.options.first_play == FirstPlay::ByDifference => {
                sign * best.q + self.incentives.difference(action(option), action(best)) + scale
            }
            (_, 0) => f32::INFINITY,
            (_, n) => sign * option.q + scale / (n as f32).sqrt(),
        };
        first(options.iter().map(|option| (-urgency(option), self.incentives.place(action(option)))))
    }

    /// The option that the default policy chooses in a state of the table.
    #[inline]
    fn default_known(&mut self, head: usize) -> usize {
        let options = self.table.options(head).iter().map(|option| option.option);
        let learnt = (&self.incentives, &self.values);
        default_choice(self.options.playout, options, &self.space, learnt, &mut self.rng)
    }

    /// The option that the default policy chooses elsewhere.
    #[inline]
    fn default_unknown(&mut self) -> u32 {
        self.legal.clear();
        let legal = &mut self.legal;
        self.space.each_option(&self.place, |option| legal.push(option));
        let options = self.legal.iter().copied();
        let learnt = (&self.incentives, &self.values);
        let chosen = default_choice(self.options.playout, options, &self.space, learnt, &mut self.rng);
        self.legal[chosen]
    }

    /// Learns from the simulation, its last move first; `player` made the first one.
    fn learn(&mut self, player: usize) {
        let mut player = player ^ (self.path.len() & 1);
        let mut to_come = 0.0;
        for step in self.path.iter().rev() {
            player ^= 1;
            let option = self.space.option(step.option);
            to_come += option.gain;
            if step.head == NONE {
                continue;
            }
            let (head, chosen) = (step.head as usize, step.chosen as usize);
            self.table.learn(head, chosen, to_come);
            if self.options.learns {
                if self.options.gathers_values {
                    self.values.visit(option.action as usize);
                }
                let options = self.table.options(head);
                let (sign, own) = (sign(player), options[chosen].q);
                for (i, other) in options.iter().enumerate() {
                    if i != chosen && other.n > 0 {
                        let (a, b) =
                            (option.action as usize, self.space.option(other.option).action as usize);
                        let difference = sign * (own - other.q);
                        self.incentives.compare(a, b, difference);
                        if self.options.gathers_values {
                            self.values.compare(a, b, difference);
                        }
                    }
                }
            }
        }
        if self.options.gathers_values {
            let (outcome, mut to_come) = (to_come, to_come);
            for step in &self.path {
                let option = self.space.option(step.option);
                self.values.add(option.action as usize, player == 0, outcome, to_come);
                to_come -= option.gain;
                player ^= 1;
            }
        }
    }

    fn report<C: Component>(
        &mut self,
        sum: &Sum<C>,
        root: &Place,
        reason: StopReason,
        simulations: u64,
        begun: Instant,
    ) -> Report<SumMove<C::Move>> {
        let sign = f64::from(sign(root.player));
        let mut tried = self.root_scores(sum, self.root_code(root));
        tried.retain(|&(_, n, _)| n > 0);
        tried.sort_by(|a, b| b.1.cmp(&a.1).then((sign * b.2).total_cmp(&(sign * a.2))));
        let best = match tried.first() {
            Some(&(m, ..)) => m,
            // Nothing was simulated.
            None => {
                self.place.copy(root);
                let option = self.default_unknown();
                let number = self.legal.iter().position(|&other| other == option).unwrap_or(0);
                let mut moves = Vec::new();
                sum.moves(&mut moves);
                moves[number]
            }
        };
        let value = |score: f64| (0.5 + 0.5 * sign * score / (score.abs() + 20.0)) as f32;
        let visits: f64 = tried.iter().map(|&(_, n, _)| f64::from(n)).sum();
        let mean = tried.iter().map(|&(_, n, score)| f64::from(n) * score).sum::<f64>() / visits.max(1.0);
        let (variation, depth) = self.variation(sum, root, best);
        self.nodes_peak = self.nodes_peak.max(self.table.len());
        let bytes = self.bytes();
        Report {
            best,
            value: value(mean),
            variation,
            children: tried
                .iter()
                .map(|&(m, visits, score)| ChildReport {
                    m,
                    visits,
                    value: value(score),
                    prior: None,
                    proven: None,
                    variation: self.variation(sum, root, m).0,
                })
                .collect(),
            reason,
            simulations,
            nodes: self.table.len(),
            nodes_peak: self.nodes_peak,
            bytes,
            bytes_peak: bytes,
            depth,
            elapsed: begun.elapsed(),
            seed: self.seed,
            recipe: self.name(),
        }
    }

    /// The moves most often tried from the root on, the first of which is `best`; and how many
    /// there are.
    fn variation<C: Component>(
        &self,
        sum: &Sum<C>,
        root: &Place,
        best: SumMove<C::Move>,
    ) -> (Vec<SumMove<C::Move>>, usize) {
        let (mut sum, mut code) = (sum.clone(), self.root_code(root));
        let mut variation = Vec::new();
        while let Some(head) = self.table.find(code).filter(|_| sum.result().is_none()) {
            let mut moves = Vec::new();
            sum.moves(&mut moves);
            let options = self.table.options(head);
            let chosen = if variation.is_empty() {
                moves.iter().position(|&m| m == best)
            } else {
                (0..moves.len()).rev().max_by_key(|&i| options[i].n)
            };
            let Some(chosen) = chosen.filter(|&i| options[i].n > 0) else { break };
            sum.play(moves[chosen]);
            variation.push(moves[chosen]);
            code = match self.options.identity {
                Identity::Positions => self.space.place(&sum).code,
                Identity::Moves => crate::mix::mix(code ^ (u64::from(options[chosen].option) + 1)),
            };
        }
        if variation.is_empty() {
            variation.push(best);
        }
        let depth = variation.len();
        (variation, depth)
    }

    fn name(&self) -> String {
        let policy = match self.options.playout {
            StatePlayout::Uniform => "rand",
            StatePlayout::Maxi { .. } => "maxi",
            StatePlayout::ToCome { .. } => "to-come",
        };
        let first_play = match self.options.first_play {
            FirstPlay::Random => "",
            FirstPlay::ByOrder => "+order",
            FirstPlay::ByDifference => "+difference",
        };
        format!("states-{policy}{first_play}")
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.space.bytes() + Incentives::bytes(self.space.actions(), self.options.pairs)
    }
}

/// 1 for Left, -1 for Right.
#[inline]
fn sign(player: usize) -> f32 {
    1.0 - 2.0 * player as f32
}

impl<C: Component> Bot<Sum<C>> for StateSearch {
    fn name(&self) -> String {
        StateSearch::name(self)
    }

    fn new_game(&mut self, start: &Sum<C>, seed: u64) -> Result<(), BotError> {
        (self.rng, self.seed, self.is_begun) = (Rng::new(seed), seed, false);
        if !self.space.knows(start) {
            *self = StateSearch::new(start, self.options, seed);
        }
        Ok(())
    }

    fn played(&mut self, _: SumMove<C::Move>, _: &Sum<C>) -> Result<(), BotError> {
        Ok(())
    }

    fn genmove(
        &mut self,
        game: &Sum<C>,
        budget: &Budget,
        observer: &mut dyn Observer<SumMove<C::Move>>,
    ) -> Result<Reply<SumMove<C::Move>>, BotError> {
        let report = self.run(game, budget, observer);
        let over = || BotError("the game is over: there is no move to choose".to_owned());
        report.map(Reply::Play).ok_or_else(over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Heap;

    /// What is learned of a state does not depend on how the table finds it: by its place, in a
    /// table of hashes, or by a fingerprint as in sums of more than 2^64 states.
    #[test]
    fn all_tables_learn_the_same() {
        let mut rng = Rng::new(4);
        let sum = Sum::new((0..6).map(|_| Heap::random(5, &mut rng)).collect()).with_shared_keys();
        for options in [StateOptions::PLAY, StateOptions::PAPER] {
            let options = StateOptions { gathers_values: true, ..options };
            let space = Space::new(&sum);
            let states = space.states.expect("few states have numbers");
            let fingerprints = Space::numbered_up_to(&sum, states - 1);
            assert_eq!(fingerprints.states, None);
            let tables = [
                (space.clone(), StateTable::new(Some(states), usize::MAX)),
                // Less than 8 bytes a state: too little for a place of each.
                (space.clone(), StateTable::new(Some(states), 8 * states as usize - 1)),
                (fingerprints, StateTable::new(None, usize::MAX)),
            ];
            let [dense, sparse, fingerprints] = tables.map(|(space, table)| {
                let mut search = StateSearch { space, table, ..StateSearch::new(&sum, options, 7) };
                let report = search.run(&sum, &Budget::simulations(100), &mut ()).unwrap();
                assert!(search.table.has_room());
                (search, report)
            });
            assert!(dense.0.table.is_dense() && !sparse.0.table.is_dense());
            assert!(!fingerprints.0.table.is_dense());
            assert!(dense.1.nodes > 300 && dense.1.depth > 2, "states were met again");
            for other in [sparse, fingerprints] {
                assert_eq!(dense.0.incentives, other.0.incentives);
                assert_eq!(dense.0.values, other.0.values);
                assert_eq!(dense.1.children, other.1.children);
                assert_eq!((dense.1.nodes, dense.1.depth), (other.1.nodes, other.1.depth));
            }
        }
    }
}
