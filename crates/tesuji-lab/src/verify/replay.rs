//! A game played again by its rules.

use crate::adjudication::Adjudicator;
use crate::conditions::Conditions;
use crate::deal::Deal;
use crate::store::{Ending, GameRow};
use tesuji::{Outcome, Player};
use tesuji_agents::Playable;

/// Plays a game again by its rules.
pub(crate) struct Replay<'a> {
    pub(super) game: &'a GameRow,
    pub(super) conditions: &'a Conditions,
    /// The number of its opening.
    pub(super) opening: u64,
    /// For the first player.
    pub(super) value: f64,
}

impl Replay<'_> {
    /// Its points, if the game draws initial positions.
    pub(crate) fn run<G: Playable>(self, start: &G, deal: Option<Deal<G>>) -> Result<Option<f64>, String> {
        let Replay { game, conditions, opening, value } = self;
        let mut adjudicator = Adjudicator::new(conditions.adjudicate);
        let mut searches = game.searches.iter().peekable();
        let mut position = Deal::start(deal, start, conditions, opening).into_owned();
        let given = crate::opening::opening(&position, conditions, opening).map_err(|e| e.to_string())?;
        // Whoever forfeits may do so before the end of the opening.
        if game.opening.len() != given.len().min(game.moves.len()) {
            let (has, given) = (game.opening.len(), given.len());
            return Err(format!("its opening has {has} moves, but {given} are given"));
        }
        for (ply, text) in game.moves.iter().enumerate() {
            if position.result().is_some() {
                return Err(format!("it was over before its move {}", ply + 1));
            }
            let player = position.to_move();
            if let Some(search) = searches.next_if(|search| search.ply as usize == ply) {
                if (search.by_a == game.a_first) != (player == Player::FIRST) || search.chosen != *text {
                    return Err(format!("the stored search of move {} is not of this move", ply + 1));
                }
                adjudicator.searched(player, search.value);
            } else if ply >= game.opening.len() {
                return Err(format!("the search of its move {} is not stored", ply + 1));
            }
            let Some(m) = position.parse_move(text) else {
                return Err(format!("its move {}, {text:?}, is not legal", ply + 1));
            };
            if given.get(ply).is_some_and(|&given| given != m) {
                return Err(format!("move {} of its opening is not the one that is given", ply + 1));
            }
            position.play(m);
        }
        // An illegal move is no move of the game.
        if game.ending == Ending::Forfeit {
            searches.next_if(|search| search.ply as usize == game.moves.len() && !search.chosen.is_empty());
        }
        let after = searches.count();
        if after > 0 {
            return Err(format!("{after} searches are stored that belong to none of its moves"));
        }
        let by_rules = position.result().map(|outcome| f64::from(outcome.of(Player::FIRST)));
        let lost_by = |loser: Player| if loser == Player::FIRST { 0.0 } else { 1.0 };
        let expected = match game.ending {
            Ending::Rules => by_rules.ok_or("it ended by the rules, but by the rules it is not over")?,
            // An engine may fail after the last move.
            Ending::Forfeit if value != 0.5 => value,
            Ending::Forfeit => return Err("it was forfeited and counts as a draw".to_owned()),
            _ if by_rules.is_some() => return Err("by the rules it was over before it ended".to_owned()),
            Ending::Resign => lost_by(position.to_move()),
            Ending::Length if game.moves.len() >= conditions.longest as usize => 0.5,
            Ending::Length => {
                return Err(format!(
                    "it ended by its length after {} moves, but {} are allowed",
                    game.moves.len(),
                    conditions.longest
                ));
            }
            Ending::Adjudicated => {
                let winner =
                    adjudicator.decision().ok_or("it was adjudicated, though the players do not agree")?;
                lost_by(winner.other())
            }
        };
        if value != expected {
            return Err(format!("its value for the first player is {value}, but its end gives {expected}"));
        }
        Ok(deal.map(|deal| (deal.points)(&position)))
    }
}
