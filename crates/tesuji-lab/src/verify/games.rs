//! What is wrong with games of matches.

use super::bare;
use crate::adjudication::Adjudicator;
use crate::conditions::{Conditions, Openings};
use crate::error::LabError;
use crate::game_spec::GameSpec;
use crate::store::{Config, Ending, GameRow, Matchup, Place, Store};
use std::collections::HashMap;
use tesuji::{Outcome, Player};
use tesuji_agents::Playable;

/// Conditions by their number, with the text that is hashed; none where they cannot be read.
type Known = HashMap<i64, Option<(String, Conditions)>>;

/// What is wrong with each game, a sentence each.
pub(super) fn faults(store: &Store) -> Result<Vec<String>, LabError> {
    let (mut faults, mut known) = (Vec::new(), Known::new());
    for number in store.game_numbers()? {
        let found = match store.game(number) {
            Ok(Some((place, game, agents))) => faults_of(store, &mut known, &place, &game, &agents),
            Ok(None) => Ok(vec!["its pair or an agent of it is not in the store".to_owned()]),
            Err(error) => Err(error),
        };
        let name = format!("game {number}: ");
        match found {
            Ok(found) => faults.extend(found.into_iter().map(|fault| name.clone() + &fault)),
            Err(error) => {
                let error = bare(&error);
                faults.push(if error.starts_with(&name) { error } else { name + &error });
            }
        }
    }
    Ok(faults)
}

fn faults_of(
    store: &Store,
    known: &mut Known,
    place: &Place,
    game: &GameRow,
    [a, b]: &[Config; 2],
) -> Result<Vec<String>, LabError> {
    let found = known.entry(place.conditions).or_insert_with(|| {
        let text = store.conditions(place.conditions).ok()?;
        let conditions = Conditions::parse(&text).ok()?;
        Some((text, conditions))
    });
    let Some((text, conditions)) = found else {
        return Ok(vec![format!(
            "conditions {}, under which it was played, cannot be read",
            place.conditions
        )]);
    };
    let mut faults = Vec::new();
    let matchup = Matchup { conditions: text.clone(), a: a.clone(), b: b.clone() };
    if game.id != matchup.game_id(place.opening, place.replica, game.a_first) {
        faults.push("its identity is not that of its conditions, agents, opening and colours".to_owned());
    }
    if game.seed != conditions.game_seed(place.opening, place.replica, game.a_first) {
        faults.push("its seed is not that of its conditions and opening".to_owned());
    }
    let given = match &conditions.openings {
        Openings::RandomPlies(plies) => *plies as usize,
        Openings::Lines(lines) => {
            let number = conditions.opening_number(place.opening, game.a_first);
            let line = lines.get((number % lines.len().max(1) as u64) as usize);
            line.map_or(0, |line| line.split_whitespace().count())
        }
    };
    if game.opening.len() > given {
        faults.push(format!("its opening has {} moves, where {given} are given", game.opening.len()));
    }
    if (game.ending == Ending::Forfeit) != game.detail.is_some() {
        faults.push("a reason is stored for forfeits, and for nothing else".to_owned());
    }
    let spec = GameSpec::parse(&conditions.game, conditions.komi.as_deref())?;
    let value = if game.a_first { game.a_value } else { 1.0 - game.a_value };
    let result = spec.referee().result(&game.moves, value, game.ending);
    if game.result != result {
        faults.push(format!("its result is {}, where its moves and its end give {result}", game.result));
    }
    faults.extend(spec.start().replay(Replay { game, conditions, value }).err());
    Ok(faults)
}

/// Plays a game again by its rules.
pub(crate) struct Replay<'a> {
    game: &'a GameRow,
    conditions: &'a Conditions,
    /// For the first player.
    value: f64,
}

impl Replay<'_> {
    pub(crate) fn run<G: Playable>(self, start: &G) -> Result<(), String> {
        let Replay { game, conditions, value } = self;
        let mut adjudicator = Adjudicator::new(conditions.adjudicate);
        let mut searches = game.searches.iter().peekable();
        let mut position = start.clone();
        for (ply, text) in game.moves.iter().enumerate() {
            if position.result().is_some() {
                return Err(format!("it was over before its move {}", ply + 1));
            }
            let player = position.to_move();
            if let Some(search) = searches.next_if(|search| search.ply as usize == ply) {
                if (search.by_a == game.a_first) != (player == Player::FIRST) || search.chosen != *text {
                    return Err(format!(
                        "what is stored of the search of move {} is not of this move",
                        ply + 1
                    ));
                }
                adjudicator.searched(player, search.value);
            } else if ply >= game.opening.len() {
                return Err(format!("the search of its move {} is not stored", ply + 1));
            }
            let Some(m) = position.parse_move(text) else {
                return Err(format!("its move {}, {text:?}, is not legal", ply + 1));
            };
            position.play(m);
        }
        // An illegal move is no move of the game.
        let after = searches.count();
        if after > usize::from(game.ending == Ending::Forfeit) {
            return Err(format!("{after} searches are stored that belong to none of its moves"));
        }
        let by_rules = position.result().map(|outcome| f64::from(outcome.of(Player::FIRST)));
        let lost_by = |loser: Player| if loser == Player::FIRST { 0.0 } else { 1.0 };
        let expected = match game.ending {
            Ending::Rules => by_rules.ok_or("it ended by the rules, by which it is not over")?,
            // An engine may fail after the last move.
            Ending::Forfeit if value != 0.5 => value,
            Ending::Forfeit => return Err("it was forfeited and counts as a draw".to_owned()),
            _ if by_rules.is_some() => return Err("by the rules it was over before it ended".to_owned()),
            Ending::Resign => lost_by(position.to_move()),
            Ending::Length if game.moves.len() >= conditions.longest as usize => 0.5,
            Ending::Length => {
                return Err(format!(
                    "it ended for its length after {} moves, where {} are allowed",
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
            return Err(format!("its value for the first player is {value}, where its end gives {expected}"));
        }
        Ok(())
    }
}
