//! A search of any game that goes on in small steps, so that somebody can watch it.

use crate::analysis::line_texts;
use crate::error::LabError;
use crate::opening::parse;
use crate::position::{At, Position};
use crate::root_samples::{BackupCurve, RootSamples};
use std::fmt;
use tesuji::recipe::Recipe;
use tesuji::{
    AskTell, Backup, Budget, Evaluate, Evaluation, Knowledge, NodeCounts, NodeReport, Observer, Report, Stop,
    StopReason, TreeLabel,
};
use tesuji_agents::Playable;

/// A search of one position of any game, which the caller drives.
///
/// ```
/// use tesuji::recipe::Recipe;
/// use tesuji_lab::GameSpec;
///
/// let game = GameSpec::parse("connect-four", None)?;
/// let recipe = Recipe::parse("uct").map_err(tesuji_lab::LabError::input)?;
/// let mut search = game.live_search(&game.position(), &recipe, 1, Some(1000))?;
/// assert_eq!(search.step(300), None);
/// assert_eq!(search.report().unwrap().simulations, 300);
/// assert!(search.step(10_000).is_some());
/// assert_eq!(search.inspect("4")?.unwrap().moves.len(), 7);
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
pub struct LiveSearch(Box<dyn AnyLiveSearch>);

/// What a [`LiveSearch`] does, compiled for its game.
pub(crate) trait AnyLiveSearch: Send {
    fn step(&mut self, simulations: u64) -> Option<StopReason>;
    fn report(&mut self) -> Option<Report<String>>;
    fn inspect(&self, line: &str) -> Result<Option<NodeReport<String>>, LabError>;
    fn node_counts(&self) -> NodeCounts;
    fn last_line(&self) -> Vec<String>;
    fn backups(&mut self, recipe: &Recipe, simulations: u64) -> Vec<BackupCurve>;
    fn save(&mut self, label: &TreeLabel) -> Result<Vec<u8>, LabError>;
    fn open(&mut self, label: &TreeLabel, bytes: &[u8]) -> Result<(), LabError>;
}

impl fmt::Debug for LiveSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveSearch").finish_non_exhaustive()
    }
}

impl LiveSearch {
    pub(crate) fn begin<G: Playable>(
        start: &G,
        position: &Position,
        recipe: &Recipe,
        seed: u64,
        simulations: Option<u64>,
    ) -> Result<LiveSearch, LabError> {
        let at: &At<G> = position
            .of()
            .ok_or_else(|| LabError::input("the position is one of another game than the search"))?;
        let evaluator = start.evaluator_of(recipe).map_err(LabError::input)?;
        let mut search = start.driven_by(recipe, evaluator.clone(), seed).map_err(LabError::input)?;
        search.new_game(start, seed).map_err(LabError::failed)?;
        let mut game = start.clone();
        for &m in &at.moves {
            game.play(m);
            search.played(m, &game).map_err(LabError::failed)?;
        }
        let budget = Budget { simulations, ..Budget::default() };
        search.begin(&game, &budget).map_err(LabError::input)?;
        Ok(LiveSearch(Box::new(LiveSearchOf { game, search, evaluator, budget, before: 0 })))
    }

    /// Makes N simulations, or a few more if several are in flight. If the search has ended,
    /// returns the reason.
    pub fn step(&mut self, simulations: u64) -> Option<StopReason> {
        self.0.step(simulations)
    }

    /// The report so far; none before the first step.
    pub fn report(&mut self) -> Option<Report<String>> {
        self.0.report()
    }

    /// The node after some moves from the searched position, with spaces between them; none if the
    /// tree has no such node.
    ///
    /// # Errors
    /// If a move is not legal there.
    pub fn inspect(&self, line: &str) -> Result<Option<NodeReport<String>>, LabError> {
        self.0.inspect(line)
    }

    /// The nodes that it holds, and how many it gave up since its tree was planted.
    pub fn node_counts(&self) -> NodeCounts {
        self.0.node_counts()
    }

    /// The path of the last simulation through the tree.
    pub fn last_line(&self) -> Vec<String> {
        self.0.last_line()
    }

    /// Makes N simulations, and returns the values that the backup of `recipe` and every other
    /// backup compute from their results. The search itself must back up means.
    pub fn backups(&mut self, recipe: &Recipe, simulations: u64) -> Vec<BackupCurve> {
        self.0.backups(recipe, simulations)
    }

    /// The tree as [`Bot::save_tree`](tesuji::Bot::save_tree) writes it. The search goes on
    /// afterwards.
    ///
    /// # Errors
    /// If the tree cannot be saved.
    pub fn save(&mut self, label: &TreeLabel) -> Result<Vec<u8>, LabError> {
        self.0.save(label)
    }

    /// Goes on with a saved tree of the position.
    ///
    /// # Errors
    /// If the bytes are not such a tree.
    pub fn open(&mut self, label: &TreeLabel, bytes: &[u8]) -> Result<(), LabError> {
        self.0.open(label, bytes)
    }
}

struct LiveSearchOf<G: Playable> {
    /// The searched position.
    game: G,
    search: Box<dyn AskTell<G> + Send>,
    evaluator: Option<Box<dyn Evaluate<G>>>,
    budget: Budget,
    /// Simulations of the tree when the search began.
    before: u64,
}

impl<G: Playable> LiveSearchOf<G> {
    /// Leads simulations to their leaves and back.
    fn turn(&mut self) -> Option<StopReason> {
        let mut asked: Vec<Evaluation<'_, G>> = Vec::new();
        let ended = self.search.ask(&mut asked);
        match &mut self.evaluator {
            _ if asked.is_empty() => {}
            Some(evaluator) => evaluator.evaluate_many(&mut asked),
            None => asked
                .iter_mut()
                .for_each(|asked| Knowledge::priors(asked.position, asked.moves, asked.priors)),
        }
        drop(asked);
        if ended.is_none() {
            self.search.tell();
        }
        ended
    }

    fn begin_again(&mut self) -> Result<(), LabError> {
        self.search.begin(&self.game, &self.budget).map_err(LabError::input)?;
        self.before = self.simulations();
        Ok(())
    }

    fn simulations(&mut self) -> u64 {
        self.search.decide().map_or(0, |choice| choice.simulations)
    }
}

impl<G: Playable> AnyLiveSearch for LiveSearchOf<G> {
    fn step(&mut self, simulations: u64) -> Option<StopReason> {
        let target = self.simulations().saturating_add(simulations);
        let mut left = simulations;
        while left > 0 {
            for _ in 0..left {
                if let Some(ended) = self.turn() {
                    return Some(ended);
                }
            }
            // A turn makes several simulations, or none where it opens the root.
            left = target.saturating_sub(self.simulations());
        }
        None
    }

    fn report(&mut self) -> Option<Report<String>> {
        let report = self.search.report()?;
        let mut told = report.map(|m| self.game.move_text(m));
        told.variation = line_texts(&self.game, &report.variation);
        for (told, child) in told.children.iter_mut().zip(&report.children) {
            told.variation = line_texts(&self.game, &child.variation);
        }
        Some(told)
    }

    fn inspect(&self, line: &str) -> Result<Option<NodeReport<String>>, LabError> {
        let line = parse(&self.game, line)?;
        let mut game = self.game.clone();
        line.iter().for_each(|&m| game.play(m));
        Ok(self.search.inspect(&line).map(|node| node.map(|m| game.move_text(m))))
    }

    fn node_counts(&self) -> NodeCounts {
        self.search.node_counts()
    }

    fn last_line(&self) -> Vec<String> {
        line_texts(&self.game, &self.search.last_line())
    }

    fn backups(&mut self, recipe: &Recipe, simulations: u64) -> Vec<BackupCurve> {
        let mut samples = RootSamples::default();
        for _ in 0..simulations {
            let ended = self.step(1);
            if let Some(report) = self.search.report() {
                samples.progress(&report);
            }
            if ended.is_some() {
                break;
            }
        }
        samples.curves(recipe, &|backup| backup.new_game(&self.game))
    }

    fn save(&mut self, label: &TreeLabel) -> Result<Vec<u8>, LabError> {
        let stop = std::mem::take(&mut self.budget.stop);
        stop.stop();
        while self.turn().is_none() {}
        // What follows is the rest of the search.
        let made = self.simulations() - self.before;
        self.budget.simulations = self.budget.simulations.map(|all| all.saturating_sub(made));
        let saved = self.search.save_tree(label).map_err(LabError::input);
        match &saved {
            Ok(bytes) => self.open(label, bytes)?,
            Err(_) => self.begin_again()?,
        }
        saved
    }

    fn open(&mut self, label: &TreeLabel, bytes: &[u8]) -> Result<(), LabError> {
        self.search.open_tree(&self.game, label, bytes).map_err(LabError::input)?;
        self.budget.stop = Stop::default();
        self.begin_again()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_spec::GameSpec;

    fn search(game: &str, moves: &str, recipe: &str, simulations: Option<u64>) -> LiveSearch {
        let game = GameSpec::parse(game, None).unwrap();
        let mut position = game.position();
        position.play(moves).unwrap();
        game.live_search(&position, &Recipe::parse(recipe).unwrap(), 7, simulations).unwrap()
    }

    #[test]
    fn steps_make_the_tree_of_one_search() {
        for (game, moves, recipe) in
            [("connect-four", "4 4 3", "grave"), ("hex:5", "c3", "uct"), ("go:9", "C3", "puct-net")]
        {
            let mut in_steps = search(game, moves, recipe, None);
            (0..10).for_each(|_| assert_eq!(in_steps.step(5), None));
            let mut at_once = search(game, moves, recipe, Some(50));
            assert_eq!(at_once.step(1000), Some(StopReason::Simulations));
            let (a, b) = (in_steps.report().unwrap(), at_once.report().unwrap());
            assert_eq!((a.simulations, &a.children), (50, &b.children), "{game}");
            assert_eq!(in_steps.inspect("").unwrap(), at_once.inspect("").unwrap());
        }
    }

    #[test]
    fn a_saved_tree_goes_on_as_if_it_had_not_been_saved() {
        let label = TreeLabel { recipe: "r".into(), game: "g".into(), moves: "4".into() };
        let mut saved = search("connect-four", "4", "grave", None);
        let mut whole = search("connect-four", "4", "grave", None);
        saved.step(300);
        let bytes = saved.save(&label).unwrap();
        saved.step(200);
        whole.step(500);
        assert_eq!(saved.report().unwrap().children, whole.report().unwrap().children);
        let mut opened = search("connect-four", "4", "grave", None);
        opened.open(&label, &bytes).unwrap();
        opened.step(200);
        assert_eq!(opened.report().unwrap().children, whole.report().unwrap().children);
        assert!(opened.open(&TreeLabel::default(), &bytes).is_err());
    }

    #[test]
    fn a_search_with_an_end_has_it_after_it_was_saved() {
        let label = TreeLabel { recipe: "r".into(), game: "g".into(), moves: "4".into() };
        let mut saved = search("connect-four", "4", "grave", Some(500));
        let mut whole = search("connect-four", "4", "grave", Some(500));
        for _ in 0..2 {
            assert_eq!(saved.step(150), None);
            saved.save(&label).unwrap();
        }
        for search in [&mut saved, &mut whole] {
            assert_eq!(search.step(1000), Some(StopReason::Simulations));
        }
        assert_eq!(saved.report().unwrap().children, whole.report().unwrap().children);
    }

    #[test]
    fn what_bounded_searches_give_up_is_counted() {
        for (recipe, recycles, prunes) in [
            ("uct", false, false),
            ("graver,memory.nodes=100", true, false),
            ("grave2,memory.nodes=100", false, true),
        ] {
            let mut search = search("go:9", "", recipe, None);
            search.step(500);
            let counts = search.node_counts();
            assert!(counts.stored <= counts.limit, "{recipe}: {counts:?}");
            assert_eq!((counts.recycled > 0, counts.pruned > 0), (recycles, prunes), "{recipe}: {counts:?}");
            assert!(search.inspect(&search.last_line().join(" ")).unwrap().is_some(), "{recipe}");
        }
    }

    #[test]
    fn backups_say_what_they_make_of_the_same_samples() {
        let mut means = search("tic-tac-toe", "b2", "uct", None);
        let curves = means.backups(&Recipe::parse("uct,backup=max").unwrap(), 300);
        let report = means.report().unwrap();
        let at = |name: &str| curves.iter().find(|curve| curve.backup == name).unwrap();
        let (n, mean) = *at("mean").points.last().unwrap();
        let visits = |child: &tesuji::ChildReport<String>| f64::from(child.visits);
        let sum: f64 = report.children.iter().map(|child| visits(child) * f64::from(child.value)).sum();
        let all: f64 = report.children.iter().map(visits).sum();
        assert_eq!(n as f64, all);
        assert!((mean - sum / all).abs() < 1e-3, "{mean} and {}", sum / all);
        assert_eq!(at("the recipe's").points, at("max").points);
        assert!(at("max").points.last().unwrap().1 >= mean);
        assert!(at("mean").points.len() > 20 && at("mean").points.is_sorted_by_key(|&(n, _)| n));
    }

    #[test]
    fn a_line_must_be_legal() {
        let mut search = search("tic-tac-toe", "", "uct", None);
        search.step(100);
        assert!(search.inspect("b2 a1").unwrap().is_some());
        assert!(search.inspect("b2 b2").unwrap_err().to_string().contains("not legal"));
    }
}
