//! Forfeited games, and those that were declared void.

use super::digest::seal;
use super::error::VoidError;
use super::games::{ALL, COLUMNS, ORDER};
use super::origins::{GAME_VOIDED, SELF_PLAY_VOIDED, TRIAL_VOIDED};
use super::stored_plan::cell_id;
use super::{Ending, GameRow, Place, SelfPlayRow, Store, TrialGroup, insert_event};
use crate::error::LabError;
use rusqlite::{OptionalExtension, params};
use serde_json::json;
use std::collections::HashSet;
use tesuji_train::TrainingGame;

/// The fewest characters of an identity that name a game.
const SHORTEST: usize = 4;

/// The kind of an event that names a worker that is wrong.
const WRONG: &str = "wrong worker";

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

    /// Declares void all games and trials of a worker that is wrong, and notes who it is and why;
    /// gives their number. The next run makes them again. Games of self-play:
    /// [`Store::void_self_play`].
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) fn void_worker(&mut self, worker: &str, why: &str) -> Result<u64, LabError> {
        if !self.wrong_workers()?.iter().any(|(known, _)| known == worker) {
            self.event(WRONG, &json!({ "worker": worker, "why": why }))?;
        }
        let ids = self.games_of_worker(worker)?;
        let mut chosen = Vec::new();
        if !ids.is_empty() {
            self.select_games(&format!("{COLUMNS} {ALL} {ORDER}"), [], &mut |place, game| {
                if ids.contains(&game.id) {
                    chosen.push((place, game));
                }
                Ok(())
            })?;
        }
        self.void_games(&chosen, Some(why))?;
        let trials = self.trials_of_worker(worker)?;
        let transaction = self.db.transaction()?;
        let mut voided = chosen.len() as u64;
        for (cell, number) in trials {
            let figures = transaction
                .prepare_cached(
                    "DELETE FROM trial WHERE cell = (SELECT id FROM cell WHERE hash = ?) AND number = ? RETURNING figures",
                )?
                .query_row(params![cell, number], |row| row.get::<_, String>(0));
            if let Some(figures) = figures.optional()? {
                let detail = json!({ "cell": cell, "trial": number, "figures": figures, "why": why });
                insert_event(&transaction, TRIAL_VOIDED, &detail)?;
                voided += 1;
            }
        }
        transaction.commit()?;
        Ok(voided)
    }

    /// Declares void the games of self-play from number `first` on that a worker has played; gives
    /// their number. The record keeps their moves.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) fn void_self_play(
        &mut self,
        worker: &str,
        why: &str,
        cell: &TrialGroup,
        first: u64,
    ) -> Result<u64, LabError> {
        let hash = cell.hash();
        let numbers: HashSet<i64> = self.self_play_of_worker(worker, cell)?;
        let mut games = Vec::new();
        self.each_self_play(cell, [first, i64::MAX as u64], &mut |row| {
            if numbers.contains(&(row.number as i64)) {
                games.push(row);
            }
            Ok(())
        })?;
        let transaction = self.db.transaction()?;
        let id = cell_id(&transaction, cell)?;
        for row in &games {
            let moves = TrainingGame::from_bytes(&row.game).map_err(LabError::failed)?.without_targets();
            let game = SelfPlayRow { game: moves.to_bytes(), ..row.clone() };
            let detail = json!({ "cell": hash, "self_play": game, "why": why });
            insert_event(&transaction, SELF_PLAY_VOIDED, &detail)?;
            let place = params![id, row.number as i64];
            transaction.execute("DELETE FROM self_play WHERE cell = ? AND number = ?", place)?;
        }
        transaction.commit()?;
        Ok(games.len() as u64)
    }

    /// The workers that were found wrong, each with the reason.
    ///
    /// # Errors
    /// If the store fails.
    pub fn wrong_workers(&self) -> Result<Vec<(String, String)>, LabError> {
        let mut query = self.db.prepare_cached(
            "SELECT json_extract(detail, '$.worker'), json_extract(detail, '$.why') FROM event WHERE kind = ? ORDER BY id",
        )?;
        Ok(query.query_map([WRONG], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
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
            let detail =
                json!({ "game": game.id, "result": game.result, "why": why.or(game.detail.as_deref()) });
            insert_event(&transaction, GAME_VOIDED, &detail)?;
        }
        Ok(transaction.commit()?)
    }
}
