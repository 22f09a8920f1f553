//! The search of every position of a game.

use crate::analysis::line_texts;
use crate::error::LabError;
use tesuji::recipe::Recipe;
use tesuji::{AskTell, Budget, Game, Outcome, Player, Pool, Report, Stop};
use tesuji_agents::Playable;
use tesuji_go::engine::{Move, Stones};
use tesuji_go::{Rules, Vertex, with_go};

/// Searches that share batches of a network at a time.
const AT_ONCE: usize = 32;

/// The search of all positions of a game.
///
/// Each is searched by itself, from the same seed, so the result for a move is that of a search of
/// its position alone. Searches with a network run side by side and share its batches, which
/// changes no result.
#[derive(Clone, Debug)]
pub struct WholeGame {
    /// The agent.
    pub recipe: Recipe,
    /// Simulations of each search.
    pub simulations: u64,
    /// The seed of each search.
    pub seed: u64,
    /// Ends the search early, with an error.
    pub stop: Stop,
}

/// A move of a game, beside the one that a search would have played. Values lie in [0, 1], for the
/// player who made the move.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove {
    /// Counted from 1.
    pub number: usize,
    /// The player who made the move.
    pub player: Player,
    /// The move.
    pub played: String,
    /// The value of the position after it, by the search of that position; the result, if the game
    /// was over.
    pub value: f32,
    /// The move that the search before it chose.
    pub best: String,
    /// The value of that move in that search.
    pub best_value: f32,
    /// The amount by which that value is higher; 0 if it is lower, or the move is the best one.
    pub loss: f32,
    /// The line that the search expected, its best move first.
    pub variation: Vec<String>,
}

/// Is told of each move, in the order of the game, as soon as it is judged.
pub(crate) type Tell<'a> = &'a mut dyn FnMut(&JudgedMove) -> Result<(), LabError>;

/// What a search found at a position.
struct FoundMove<M> {
    /// For the player to move.
    value: f32,
    choice: Option<Choice<M>>,
}

struct Choice<M> {
    best: M,
    value: f32,
    variation: Vec<M>,
}

impl<M: Copy + PartialEq> FoundMove<M> {
    fn new(report: Report<M>) -> FoundMove<M> {
        let best = report.children.iter().find(|child| child.m == report.best);
        let value = best.map_or(report.value, |child| child.value);
        let choice = Choice { best: report.best, value, variation: report.variation };
        FoundMove { value: report.value, choice: Some(choice) }
    }
}

impl WholeGame {
    pub(crate) fn run_line<G: Playable>(
        &self,
        start: &G,
        moves: &[G::Move],
        tell: Tell<'_>,
    ) -> Result<(), LabError> {
        let mut positions = vec![start.clone()];
        for &m in moves {
            let mut next = positions[positions.len() - 1].clone();
            next.play(m);
            positions.push(next);
        }
        self.run(&positions, moves, tell)
    }

    /// Searches the positions of a game of Go that begins with some stones; a player may move out
    /// of turn.
    ///
    /// # Errors
    /// As [`GameSpec::judge`](crate::GameSpec::judge); the moves must be legal, or repeat a
    /// position.
    pub fn judge_go(
        &self,
        rules: &Rules,
        stones: &Stones,
        moves: &[(Player, Move)],
        tell: Tell<'_>,
    ) -> Result<(), LabError> {
        with_go!(stones.size(), *rules, |game| {
            let at =
                |m: Move| m.and_then(|p| Vertex::new(p.column.into(), p.row.into())).unwrap_or(Vertex::PASS);
            let set = stones.points().filter_map(|p| Some((at(Some(p)), Some(stones.get(p)?))));
            let set: Vec<_> = set.collect();
            if !set.is_empty() {
                game.set_up(&set).map_err(LabError::input)?;
            }
            let (mut positions, mut vertices) = (Vec::new(), Vec::new());
            for &(player, m) in moves {
                if game.to_move() != player || game.result().is_some() {
                    game.set_to_move(player);
                }
                positions.push(game.clone());
                game.play_as(player, at(m));
                vertices.push(at(m));
            }
            positions.push(game);
            self.run(&positions, &vertices, tell)
        })
    }

    /// Each of `positions` but the last is followed by the next one, by one of `moves`.
    fn run<G: Playable>(&self, positions: &[G], moves: &[G::Move], tell: Tell<'_>) -> Result<(), LabError> {
        if moves.is_empty() {
            return Err(LabError::input("there is no move to judge; accepted: a game with moves"));
        }
        let start = &positions[0];
        let evaluator = start.evaluator_of(&self.recipe).map_err(LabError::input)?;
        let at_once = if evaluator.is_some() { AT_ONCE } else { 1 };
        let mut pool: Pool<G, usize, dyn AskTell<G> + Send> = Pool::new(evaluator.clone());
        let mut found: Vec<Option<FoundMove<G::Move>>> = positions.iter().map(|_| None).collect();
        let (mut next, mut told) = (0, 0);
        while told < moves.len() {
            while next < positions.len() && pool.len() < at_once {
                let game = &positions[next];
                if let Some(outcome) = game.result() {
                    found[next] = Some(FoundMove { value: outcome.of(game.to_move()), choice: None });
                } else {
                    let search = start.driven_by(&self.recipe, evaluator.clone(), self.seed);
                    let mut search = search.map_err(LabError::input)?;
                    search.new_game(start, self.seed).map_err(LabError::failed)?;
                    let budget = Budget::simulations(self.simulations);
                    pool.add(next, search, game, &budget).map_err(LabError::failed)?;
                }
                next += 1;
            }
            if self.stop.is_stopped() {
                return Err(LabError::failed("stopped before all moves were judged"));
            }
            for mut ended in pool.step() {
                found[ended.name] = ended.search.report().map(FoundMove::new);
            }
            while told < moves.len()
                && let [Some(before), Some(after)] = &found[told..told + 2]
            {
                tell(&judge(told, &positions[told..], moves[told], before, after))?;
                told += 1;
            }
        }
        Ok(())
    }
}

/// What is said of a move, of what was found before and after it.
fn judge<G: Playable>(
    index: usize,
    positions: &[G],
    played: G::Move,
    before: &FoundMove<G::Move>,
    after: &FoundMove<G::Move>,
) -> JudgedMove {
    let game = &positions[0];
    let player = game.to_move();
    let value = if positions[1].to_move() == player { after.value } else { 1.0 - after.value };
    // Where the game was over the move was played all the same.
    let choice = before.choice.as_ref();
    let best = choice.map_or(played, |choice| choice.best);
    let best_value = choice.map_or(before.value, |choice| choice.value);
    JudgedMove {
        number: index + 1,
        player,
        played: game.move_text(played),
        value,
        best: game.move_text(best),
        best_value,
        loss: if best == played { 0.0 } else { (best_value - value).max(0.0) },
        variation: choice.map_or_else(Vec::new, |choice| line_texts(game, &choice.variation)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::AnalysisOptions;
    use crate::game_spec::GameSpec;
    use crate::tree_files::TreeFiles;

    fn judged(game: &str, moves: &str, recipe: &str, simulations: u64) -> Vec<JudgedMove> {
        let mut all = Vec::new();
        let how =
            WholeGame { recipe: Recipe::parse(recipe).unwrap(), simulations, seed: 5, stop: Stop::default() };
        let mut keep = |judged: &JudgedMove| {
            all.push(judged.clone());
            Ok(())
        };
        GameSpec::parse(game, None).unwrap().judge(moves, &how, &mut keep).unwrap();
        all
    }

    /// Whoever shares batches: each search finds what it finds alone.
    #[test]
    fn a_position_among_others_is_searched_as_if_alone() {
        for (game, moves, recipe, simulations) in [
            ("connect-four", "4 4 3 5 2 1", "grave", 200),
            ("go:9", "E5 D3 F3 G6 C7", "puct-net", 12),
            ("go:9", "E5 D3 pass", "puct-net,parallel=tree,parallel.threads=1,parallel.batch=3", 12),
            ("hex:4", "b2 c3", "mast,reuse=true", 200),
        ] {
            let judged = judged(game, moves, recipe, simulations);
            let words: Vec<&str> = moves.split(' ').collect();
            assert_eq!(judged.len(), words.len());
            let analyze = |moves: &[&str]| {
                let options = AnalysisOptions {
                    moves: moves.join(" "),
                    recipe: Recipe::parse(recipe).unwrap(),
                    budget: Budget::simulations(simulations),
                    seed: 5,
                    trees: TreeFiles::default(),
                };
                GameSpec::parse(game, None).unwrap().analyze(&options).unwrap()
            };
            for (i, judged) in judged.iter().enumerate() {
                let (before, after) = (analyze(&words[..i]), analyze(&words[..=i]));
                let best = before.report.children.iter().find(|child| child.m == before.report.best).unwrap();
                assert_eq!((judged.number, &judged.best), (i + 1, &before.report.best));
                assert_eq!(judged.variation, before.report.variation);
                assert_eq!((judged.best_value, judged.value), (best.value, 1.0 - after.report.value));
                let loss = (judged.best_value - judged.value).max(0.0);
                assert_eq!(judged.loss, if judged.best == judged.played { 0.0 } else { loss });
            }
        }
    }

    #[test]
    fn a_move_that_gives_the_game_away_loses_much() {
        // Three in a row are not blocked.
        let judged = judged("connect-four", "4 1 4 1 4 2 4", "uct", 3000);
        let [.., blunder, last] = &judged[..] else { panic!() };
        assert_eq!((blunder.best.as_str(), blunder.played.as_str()), ("4", "2"));
        assert!(blunder.loss > 0.2, "{blunder:?}");
        assert_eq!((last.value, last.loss, last.best.as_str()), (1.0, 0.0, "4"));
    }

    #[test]
    fn a_stop_ends_the_search_before_the_next_move() {
        let recipe = Recipe::parse("uct").unwrap();
        let how = WholeGame { recipe, simulations: u64::MAX, seed: 1, stop: Stop::default() };
        how.stop.stop();
        let game = GameSpec::parse("tic-tac-toe", None).unwrap();
        let error = game.judge("b2", &how, &mut |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("stopped"));
    }

    #[test]
    fn what_cannot_be_judged_is_refused() {
        let error = |moves: &str, recipe: &str| {
            let recipe = Recipe::parse(recipe).unwrap();
            let how = WholeGame { recipe, simulations: 10, seed: 1, stop: Stop::default() };
            let game = GameSpec::parse("tic-tac-toe", None).unwrap();
            game.judge(moves, &how, &mut |_| Ok(())).unwrap_err().to_string()
        };
        assert!(error("", "uct").contains("accepted: a game with moves"));
        assert!(error("b2 b2", "uct").contains("\"b2\", is not legal"));
        assert!(error("b2", "uct,parallel=root").contains("`tree` can"));
    }
}
