//! Faults in a game of a match.

use super::replay::Replay;
use crate::conditions::Conditions;
use crate::deal::with_margin;
use crate::record::Referee;
use crate::store::{Ending, GameRow};

/// What is wrong with a game under its conditions, from the opening and replica with these numbers.
pub(crate) fn faults_of_game(
    conditions: &Conditions,
    (opening, replica): (u64, u32),
    game: &GameRow,
    referee: &dyn Referee,
    replay: &dyn Fn(Replay<'_>) -> Result<Option<f64>, String>,
) -> Vec<String> {
    let mut faults = Vec::new();
    if game.seed != conditions.game_seed(opening, replica, game.a_first) {
        faults.push("its seed is not that of its conditions and opening".to_owned());
    }
    let number = conditions.opening_number(opening, game.a_first);
    if (game.ending == Ending::Forfeit) != game.detail.is_some() {
        faults.push("a reason is stored for forfeits, and for nothing else".to_owned());
    }
    let value = if game.a_first { game.score_a } else { 1.0 - game.score_a };
    let replayed = replay(Replay { game, conditions, opening: number, value });
    let result = referee.result(&game.moves, value, game.ending);
    let result = with_margin(result, game.ending, replayed.as_ref().ok().copied().flatten());
    if game.result != result {
        faults.push(format!("its result is {}, but its moves and its end give {result}", game.result));
    }
    faults.extend(replayed.err());
    faults
}
