//! Faults in games of matches.

use super::bare;
use super::game::faults_of_game;
use super::replay::Replay;
use crate::conditions::Conditions;
use crate::error::LabError;
use crate::game_spec::GameSpec;
use crate::store::{Config, GameRow, Matchup, Place, Store};
use std::collections::HashMap;

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
    let spec = GameSpec::parse(&conditions.game, conditions.komi.as_deref())?;
    let (referee, replay) = (spec.referee(), |replay: Replay<'_>| spec.start().replay(replay));
    faults.extend(faults_of_game(conditions, (place.opening, place.replica), game, &*referee, &replay));
    Ok(faults)
}
