//! Games of self-play in a store.

use super::checks::{self, has_table};
use super::digest::seal;
use super::origins::{Origin, insert_origin};
use super::stored_plan::cell_id;
use super::{Store, TrialGroup, damaged};
use crate::error::LabError;
use rusqlite::{Transaction, params};
use serde::{Deserialize, Serialize};
use tesuji_train::{End, SelfPlayed, TrainingGame};

/// A game that a network played against itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayRow {
    /// Its number among all games of the run.
    pub number: u64,
    /// Positions to train on.
    pub positions: u64,
    /// Moves.
    pub moves: u64,
    /// Its result in [0, 1] as Black sees it.
    pub black: f64,
    /// Whether a player resigned.
    pub resigned: bool,
    /// Positions that were evaluated, or whose evaluations were in the cache.
    pub evaluations: u64,
    /// Of these, found.
    pub hits: u64,
    /// Processor time of its thread.
    pub seconds: f64,
    /// The game, as [`TrainingGame::to_bytes`] writes it; base64 in JSON.
    #[serde(with = "in_base64")]
    pub game: Vec<u8>,
}

mod in_base64 {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&BASE64_STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<u8>, D::Error> {
        BASE64_STANDARD.decode(String::deserialize(from)?).map_err(de::Error::custom)
    }
}

impl SelfPlayRow {
    /// Of a game that took N seconds of a processor.
    pub(crate) fn of(played: SelfPlayed, seconds: f64) -> SelfPlayRow {
        let SelfPlayed { number, game, evaluations, hits } = played;
        SelfPlayRow {
            number,
            positions: game.positions() as u64,
            moves: game.turns.len() as u64,
            black: game.result_of(tesuji::Player::FIRST).into(),
            resigned: game.end == End::Resignation,
            evaluations,
            hits,
            seconds,
            game: game.to_bytes(),
        }
    }
}

/// Sums over games of self-play.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SelfPlayTotals {
    /// Games.
    pub games: u64,
    /// Positions to train on.
    pub positions: u64,
    /// Moves.
    pub moves: u64,
    /// Points of Black.
    pub black: f64,
    /// Games that ended by resignation.
    pub resigned: u64,
    /// Evaluations, those found in memory included.
    pub evaluations: u64,
    /// Evaluations found in memory.
    pub hits: u64,
    /// Processor time of all games.
    pub seconds: f64,
}

/// Only stores of training have the table, so that others are still read by programs that do not
/// know it.
const TABLE: &str = "CREATE TABLE self_play (
    cell        INTEGER NOT NULL REFERENCES cell,
    number      INTEGER NOT NULL,
    positions   INTEGER NOT NULL,
    moves       INTEGER NOT NULL,
    black       REAL NOT NULL,
    resigned    INTEGER NOT NULL,
    evaluations INTEGER NOT NULL,
    hits        INTEGER NOT NULL,
    seconds     REAL NOT NULL,
    has_targets INTEGER NOT NULL,       -- 0 once nothing is trained on it any more
    game        BLOB NOT NULL,
    digest      TEXT,
    PRIMARY KEY (cell, number)
) STRICT";

impl Store {
    /// Makes room for games of self-play.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn prepare_self_play(&mut self) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        if !has_table(&transaction, "self_play")? {
            transaction.execute_batch(TABLE)?;
            checks::add(&transaction, Some("self_play"), false)?;
        }
        Ok(transaction.commit()?)
    }

    /// Whether the store has room for games of self-play.
    fn has_self_play(&self) -> Result<bool, LabError> {
        has_table(&self.db, "self_play")
    }

    /// Adds finished games in one transaction, with who played all of them, if that was not this
    /// program.
    pub(crate) fn insert_self_plays(
        &mut self,
        cell: &TrialGroup,
        games: &[SelfPlayRow],
        origin: Option<&Origin>,
    ) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        let id = cell_id(&transaction, cell)?;
        games.iter().try_for_each(|game| insert(&transaction, id, game))?;
        if let Some(origin) = origin {
            let numbers: Vec<u64> = games.iter().map(|game| game.number).collect();
            insert_origin(&transaction, origin, ("self_play", Some(cell)), &serde_json::json!(numbers))?;
        }
        transaction.commit()?;
        self.check_file()
    }

    /// The games from number `first` on and before `end`, in order.
    ///
    /// # Errors
    /// The first that `f` gives.
    pub fn each_self_play(
        &self,
        cell: &TrialGroup,
        [first, end]: [u64; 2],
        f: &mut dyn FnMut(SelfPlayRow) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        if !self.has_self_play()? {
            return Ok(());
        }
        let mut query = self.db.prepare_cached(
            "SELECT number, positions, moves, black, resigned, evaluations, hits, seconds, game
             FROM self_play JOIN cell ON cell.id = cell
             WHERE hash = ? AND number >= ? AND number < ? ORDER BY number",
        )?;
        let mut rows = query.query(params![cell.hash(), first as i64, end as i64])?;
        while let Some(row) = rows.next()? {
            let number = |place: usize| row.get::<_, u64>(place);
            f(SelfPlayRow {
                number: number(0)?,
                positions: number(1)?,
                moves: number(2)?,
                black: row.get(3)?,
                resigned: row.get(4)?,
                evaluations: number(5)?,
                hits: number(6)?,
                seconds: row.get(7)?,
                game: row.get(8)?,
            })?;
        }
        Ok(())
    }

    /// The number and the positions of each game before number `end`, the last one first.
    ///
    /// # Errors
    /// If the store fails.
    pub fn self_play_positions(&self, cell: &TrialGroup, end: u64) -> Result<Vec<(u64, u64)>, LabError> {
        if !self.has_self_play()? {
            return Ok(Vec::new());
        }
        let mut query = self.db.prepare_cached(
            "SELECT number, positions FROM self_play JOIN cell ON cell.id = cell
             WHERE hash = ? AND number < ? ORDER BY number DESC",
        )?;
        let rows = query.query_map(params![cell.hash(), end as i64], |row| {
            Ok((row.get::<_, u64>(0)?, row.get::<_, u64>(1)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The first game, from number `first` on and before `end`, whose training data is gone.
    ///
    /// # Errors
    /// If the store fails.
    pub fn self_play_without_targets(
        &self,
        cell: &TrialGroup,
        [first, end]: [u64; 2],
    ) -> Result<Option<u64>, LabError> {
        if !self.has_self_play()? {
            return Ok(None);
        }
        let mut query = self.db.prepare_cached(
            "SELECT MIN(number) FROM self_play JOIN cell ON cell.id = cell
             WHERE hash = ? AND number >= ? AND number < ? AND has_targets = 0",
        )?;
        let range = params![cell.hash(), first as i64, end as i64];
        Ok(query.query_row(range, |row| row.get(0))?)
    }

    /// Sums over the games from number `first` on and before `end`.
    ///
    /// # Errors
    /// If the store fails.
    pub fn self_play_totals(
        &self,
        cell: &TrialGroup,
        [first, end]: [u64; 2],
    ) -> Result<SelfPlayTotals, LabError> {
        if !self.has_self_play()? {
            return Ok(SelfPlayTotals::default());
        }
        let mut query = self.db.prepare_cached(
            "SELECT COUNT(*), TOTAL(positions), TOTAL(moves), TOTAL(black), TOTAL(resigned), TOTAL(evaluations),
                    TOTAL(hits), TOTAL(seconds)
             FROM self_play JOIN cell ON cell.id = cell WHERE hash = ? AND number >= ? AND number < ?",
        )?;
        Ok(query.query_row(params![cell.hash(), first as i64, end as i64], |row| {
            let sum = |place: usize| row.get::<_, f64>(place);
            Ok(SelfPlayTotals {
                games: row.get::<_, u64>(0)?,
                positions: sum(1)? as u64,
                moves: sum(2)? as u64,
                black: sum(3)?,
                resigned: sum(4)? as u64,
                evaluations: sum(5)? as u64,
                hits: sum(6)? as u64,
                seconds: sum(7)?,
            })
        })?)
    }

    /// Drops the training data of the games before number `end` and keeps their moves, because they
    /// leave the window.
    ///
    /// # Errors
    /// If a game is corrupt, or the store fails.
    pub fn prune_self_play(&mut self, cell: &TrialGroup, end: u64) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        {
            let id = cell_id(&transaction, cell)?;
            let mut query = transaction.prepare_cached(
                "SELECT number, game FROM self_play WHERE cell = ? AND number < ? AND has_targets = 1",
            )?;
            let rows = query.query_map(params![id, end as i64], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
            })?;
            let games: Vec<(i64, Vec<u8>)> = rows.collect::<Result<_, _>>()?;
            let mut update = transaction.prepare_cached(
                "UPDATE self_play SET has_targets = 0, game = ? WHERE cell = ? AND number = ?",
            )?;
            for (number, game) in games {
                let game = TrainingGame::from_bytes(&game)
                    .map_err(|error| damaged(format_args!("game {number} of self-play: {error}")))?;
                update.execute(params![game.without_targets().to_bytes(), id, number])?;
                seal(&transaction, "self_play", "cell = ? AND number = ?", params![id, number])?;
            }
        }
        Ok(transaction.commit()?)
    }
}

/// Adds a game of the cell with this number in the store.
fn insert(transaction: &Transaction<'_>, id: i64, game: &SelfPlayRow) -> Result<(), LabError> {
    transaction
            .prepare_cached(
                "INSERT INTO self_play (cell, number, positions, moves, black, resigned, evaluations, hits, seconds,
                     has_targets, game) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)",
            )?
            .execute(params![
                id,
                game.number as i64,
                game.positions as i64,
                game.moves as i64,
                game.black,
                game.resigned,
                game.evaluations as i64,
                game.hits as i64,
                game.seconds,
                game.game,
            ])?;
    seal(transaction, "self_play", "cell = ? AND number = ?", params![id, game.number as i64])
}
