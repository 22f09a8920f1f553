//! Forfeited games, and those that were declared void.

use super::digest::seal;
use super::error::VoidError;
use super::games::{ALL, COLUMNS, ORDER};
use super::{Ending, GameRow, Place, Store, insert_event};
use crate::error::LabError;
use rusqlite::params;

/// The fewest characters of an identity that name a game.
const SHORTEST: usize = 4;

/// A game that no longer counts.
#[derive(Clone, PartialEq, Debug)]
pub struct VoidedGame {
    /// When it was declared void, UTC.
    pub at: String,
    /// The game.
    pub game: GameRow,
}

impl Store {
    /// The forfeited games, in the order of their openings.
    ///
    /// # Errors
    /// If the store fails.
    pub fn forfeits(&self) -> Result<Vec<(Place, GameRow)>, LabError> {
        let mut found = Vec::new();
        self.select_games(
            &format!("{COLUMNS} {ALL} WHERE ending = ? {ORDER}"),
            [Ending::Forfeit.to_string()],
            &mut |place, game| {
                found.push((place, game));
                Ok(())
            },
        )?;
        Ok(found)
    }

    /// The games that were declared void, in the order in which they were.
    ///
    /// # Errors
    /// If the store fails.
    pub fn voided(&self) -> Result<Vec<VoidedGame>, LabError> {
        let mut query = self.db.prepare("SELECT at, game FROM voided ORDER BY id")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        rows.map(|row| {
            let (at, game) = row?;
            Ok(VoidedGame { at, game: serde_json::from_str(&game).map_err(LabError::failed)? })
        })
        .collect()
    }

    /// Declares forfeited games void, all of them or none. A void game is kept but does not count,
    /// and the next run plays it again. Games are named by their identities or the beginnings of
    /// them. An event records each. Returns the games.
    ///
    /// # Errors
    /// If a name is that of no forfeited game, or of several. If the experiment is a tuning or a
    /// race: what it played later follows from what these games gave.
    pub fn void(&mut self, names: &[String]) -> Result<Vec<GameRow>, LabError> {
        if let Some(description) = self.description()?
            && ["tuning", "race"].contains(&description.kind.as_str())
        {
            return Err(VoidError::Follows { kind: description.kind }.into());
        }
        let forfeits = self.forfeits()?;
        let mut chosen: Vec<&(Place, GameRow)> = Vec::new();
        for name in names {
            let mut meant = forfeits.iter().filter(|(_, game)| game.id.starts_with(name.as_str()));
            let game = name.clone();
            match (meant.next(), meant.next()) {
                (Some(game), None) if name.len() >= SHORTEST => chosen.push(game),
                (Some(_), _) => {
                    return Err(VoidError::Ambiguous { game }.into());
                }
                (None, _) => {
                    return Err(VoidError::Unknown { game }.into());
                }
            }
        }
        chosen.sort_by_key(|(place, _)| place.number);
        chosen.dedup_by_key(|(place, _)| place.number);
        let chosen: Vec<(Place, GameRow)> = chosen.into_iter().cloned().collect();
        self.void_games(&chosen, None)?;
        Ok(chosen.into_iter().map(|(_, game)| game).collect())
    }

    /// Declares all games void that a worker has played, and notes why; gives their number. Of a
    /// tuning or a race none is: what was played later follows from what they gave.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) fn void_worker(&mut self, worker: &str, why: &str) -> Result<u64, LabError> {
        let ids = self.games_of_worker(worker)?;
        let follows = self.description()?.is_some_and(|is| ["tuning", "race"].contains(&is.kind.as_str()));
        if ids.is_empty() || follows {
            return Ok(0);
        }
        let mut chosen = Vec::new();
        self.select_games(&format!("{COLUMNS} {ALL} {ORDER}"), [], &mut |place, game| {
            if ids.contains(&game.id) {
                chosen.push((place, game));
            }
            Ok(())
        })?;
        self.void_games(&chosen, Some(why))?;
        Ok(chosen.len() as u64)
    }

    /// Declares games void; `why` where that is not what the game says itself.
    fn void_games(&mut self, games: &[(Place, GameRow)], why: Option<&str>) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        for (place, game) in games {
            let text = serde_json::to_string(game).map_err(LabError::failed)?;
            let row = params![place.number, place.pair, text];
            transaction.execute("INSERT INTO voided (number, pair, game) VALUES (?, ?, ?)", row)?;
            seal(&transaction, "voided", "id = ?", [transaction.last_insert_rowid()])?;
            transaction.execute("DELETE FROM move WHERE game = ?", [place.number])?;
            transaction.execute("DELETE FROM game WHERE number = ?", [place.number])?;
            let detail = serde_json::json!({ "game": game.id, "result": game.result, "why": why.or(game.detail.as_deref()) });
            insert_event(&transaction, "game voided", &detail)?;
        }
        Ok(transaction.commit()?)
    }
}
