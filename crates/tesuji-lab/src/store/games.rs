//! The games of a store.

use super::digest::seal;
use super::origins::{Origin, insert_origin};
use super::stored_plan::matchup_ids;
use super::tally::{BETWEEN, between, check_moves, dispute_in, value_in};
use super::{Ending, GameRow, Matchup, SearchRow, Store, damaged};
use crate::error::LabError;
use rusqlite::{Params, Row, Transaction, params};
use std::collections::BTreeMap;

/// The place of a game in the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The game's number in the store, in the order in which games ended.
    pub number: i64,
    /// The pair's number in the store.
    pub pair: i64,
    /// The conditions' number in the store.
    pub conditions: i64,
    /// The name of the first agent of the pair.
    pub a: String,
    /// The name of the second.
    pub b: String,
    /// The opening's number.
    pub opening: u64,
    /// The repetition's number.
    pub replica: u32,
}

pub(super) const COLUMNS: &str = "SELECT game.number, pair.id, pair.conditions, a.name, b.name, pair.opening, replica,
    game.id, a_first, seed, game.opening, moves, a_value, result, ending, detail, dispute, game.seconds, moves_hash,
    dispute_value";

/// All games, with their pairs and agents.
pub(super) const ALL: &str = "FROM game JOIN pair ON pair.id = game.pair
    JOIN config AS a ON a.id = pair.a JOIN config AS b ON b.id = pair.b";

pub(super) const ORDER: &str =
    "ORDER BY pair.conditions, pair.a, pair.b, pair.opening, replica, a_first DESC";

/// A finished game to be stored.
pub(crate) struct StoredGame<'a> {
    pub(crate) matchup: Matchup,
    pub(crate) opening: u64,
    pub(crate) replica: u32,
    pub(crate) game: &'a GameRow,
    /// Who played it, if that was not this program.
    pub(crate) origin: Option<&'a Origin>,
}

impl Store {
    /// The values for `a` of the game with this identity: on the board, and by an engine that
    /// disputes it. None if the game was not played.
    ///
    /// # Errors
    /// If its moves are not those that were written.
    pub fn values_of(&self, id: &str) -> Result<Option<(f64, Option<f64>)>, LabError> {
        let mut query = self.db.prepare_cached(
            "SELECT a_value, number, moves, moves_hash, dispute_value FROM game WHERE id = ?",
        )?;
        let mut rows = query.query([id])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let (number, moves, moves_hash): (i64, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
        check_moves(number, &moves, &moves_hash)?;
        Ok(Some((value_in(row, 0, number)?, dispute_in(row, 4, number)?)))
    }

    /// Records a finished game in one transaction; does nothing if the game is already stored.
    ///
    /// # Errors
    /// If the file was deleted, moved or replaced, or cannot be written.
    pub fn insert(
        &mut self,
        matchup: &Matchup,
        opening: u64,
        replica: u32,
        game: &GameRow,
    ) -> Result<(), LabError> {
        let game = StoredGame { matchup: matchup.clone(), opening, replica, game, origin: None };
        self.insert_games(&[game])
    }

    /// Records finished games in one transaction, and who played them; leaves out those that are
    /// there already.
    pub(crate) fn insert_games(&mut self, games: &[StoredGame<'_>]) -> Result<(), LabError> {
        if games.is_empty() {
            return Ok(());
        }
        let transaction = self.db.transaction()?;
        let mut origins: BTreeMap<&Origin, Vec<&str>> = BTreeMap::new();
        for stored in games {
            if insert(&transaction, stored)?
                && let Some(origin) = stored.origin
            {
                origins.entry(origin).or_default().push(&stored.game.id);
            }
        }
        for (origin, games) in origins {
            insert_origin(&transaction, origin, ("games", None), &serde_json::json!(games))?;
        }
        transaction.commit()?;
        self.check_file()
    }

    /// Every game, matchup by matchup in the order of pairs, the one that `a` began first.
    ///
    /// # Errors
    /// If a row is corrupt, or the store fails.
    pub fn games(&self) -> Result<Vec<(Place, GameRow)>, LabError> {
        let mut games = Vec::new();
        self.each_game(&mut |place, game| {
            games.push((place, game));
            Ok(())
        })?;
        Ok(games)
    }

    /// Passes on every game, in the order of [`Store::games`].
    ///
    /// # Errors
    /// The first that `f` gives.
    pub fn each_game(
        &self,
        f: &mut dyn FnMut(Place, GameRow) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        self.select_games(&format!("{COLUMNS} {ALL} {ORDER}"), [], f)
    }

    /// The game with this number in the store.
    pub(super) fn game_of_number(&self, number: i64) -> Result<Option<(Place, GameRow)>, LabError> {
        let mut found = None;
        self.select_games(
            &format!("{COLUMNS} {ALL} WHERE game.number = ?"),
            [number],
            &mut |place, game| {
                found = Some((place, game));
                Ok(())
            },
        )?;
        Ok(found)
    }

    /// The first `games` games of a matchup, in the same order.
    ///
    /// # Errors
    /// If a row is corrupt, or the store fails.
    pub fn games_of(&self, matchup: &Matchup, games: u64) -> Result<Vec<(Place, GameRow)>, LabError> {
        let mut found = Vec::new();
        self.select_games(
            &format!("{COLUMNS} {BETWEEN} {ORDER}"),
            between(matchup, games),
            &mut |place, game| {
                found.push((place, game));
                Ok(())
            },
        )?;
        Ok(found)
    }

    /// The identities of all games.
    ///
    /// # Errors
    /// If the store fails.
    pub fn ids(&self) -> Result<Vec<String>, LabError> {
        let mut query = self.db.prepare("SELECT id FROM game ORDER BY id")?;
        Ok(query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// The canonical TOML of the conditions with this number.
    ///
    /// # Errors
    /// If the store has no such conditions, or fails.
    pub fn conditions(&self, number: i64) -> Result<String, LabError> {
        let mut query = self.db.prepare_cached("SELECT spec FROM conditions WHERE id = ?")?;
        Ok(query.query_row([number], |row| row.get(0))?)
    }

    pub(super) fn select_games(
        &self,
        sql: &str,
        parameters: impl Params,
        f: &mut dyn FnMut(Place, GameRow) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        let mut query = self.db.prepare_cached(sql)?;
        let mut searches = self.db.prepare_cached(
            "SELECT ply, by_a, move, visits, value, simulations, seconds, nodes_peak, bytes_peak
             FROM move WHERE game = ? ORDER BY ply",
        )?;
        let mut rows = query.query(parameters)?;
        while let Some(row) = rows.next()? {
            let place = place_of(row)?;
            let mut game = game_of(row, place.number)?;
            game.searches = searches.query_map([place.number], search_of)?.collect::<Result<_, _>>()?;
            f(place, game)?;
        }
        Ok(())
    }
}

fn place_of(row: &Row<'_>) -> Result<Place, LabError> {
    let (number, opening): (i64, i64) = (row.get(0)?, row.get(5)?);
    if !(0..1 << 62).contains(&opening) {
        return Err(damaged(format_args!("game {number}: its opening has the number {opening}")));
    }
    Ok(Place {
        number,
        pair: row.get(1)?,
        conditions: row.get(2)?,
        a: row.get(3)?,
        b: row.get(4)?,
        opening: opening as u64,
        replica: row.get(6)?,
    })
}

fn game_of(row: &Row<'_>, number: i64) -> Result<GameRow, LabError> {
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
    let (text, moves_hash): (String, String) = (row.get(11)?, row.get(18)?);
    check_moves(number, &text, &moves_hash)?;
    let ending: String = row.get(14)?;
    let known = Ending::ALL.into_iter().find(|e| e.to_string() == ending);
    let unknown = || damaged(format_args!("game {number}: its ending is {ending:?}"));
    Ok(GameRow {
        id: row.get(7)?,
        a_first: row.get(8)?,
        seed: row.get::<_, i64>(9)? as u64,
        opening: words(row.get(10)?),
        moves: words(text),
        score_a: value_in(row, 12, number)?,
        result: row.get(13)?,
        ending: known.ok_or_else(unknown)?,
        detail: row.get(15)?,
        dispute: row.get(16)?,
        seconds: row.get(17)?,
        dispute_value: dispute_in(row, 19, number)?,
        processor_seconds: None,
        searches: Vec::new(),
    })
}

fn search_of(row: &Row<'_>) -> Result<SearchRow, rusqlite::Error> {
    Ok(SearchRow {
        ply: row.get(0)?,
        by_a: row.get(1)?,
        chosen: row.get(2)?,
        visits: row.get(3)?,
        value: row.get(4)?,
        simulations: row.get::<_, u64>(5)?,
        seconds: row.get(6)?,
        nodes_peak: row.get::<_, u64>(7)?,
        bytes_peak: row.get::<_, u64>(8)?,
    })
}

/// Records a game; false if it is there already.
fn insert(transaction: &Transaction<'_>, stored: &StoredGame<'_>) -> Result<bool, LabError> {
    let StoredGame { matchup, opening, replica, game, .. } = stored;
    let [conditions, a, b] = matchup_ids(transaction, matchup)?;
    let place = params![conditions, a, b, *opening as i64, replica];
    transaction
        .prepare_cached(
            "INSERT INTO pair (conditions, a, b, opening, replica) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        )?
        .execute(place)?;
    let pair: i64 = transaction
        .prepare_cached(
            "SELECT id FROM pair WHERE conditions = ? AND a = ? AND b = ? AND opening = ? AND replica = ?",
        )?
        .query_row(place, |row| row.get(0))?;
    let inserted = transaction
        .prepare_cached(
            "INSERT INTO game (id, pair, a_first, seed, opening, moves, moves_hash, a_value, result, ending, \
             detail, dispute, seconds, dispute_value) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            game.id,
            pair,
            game.a_first,
            game.seed as i64,
            game.opening.join(" "),
            game.moves.join(" "),
            game.moves_hash(),
            game.score_a,
            game.result,
            game.ending.to_string(),
            game.detail,
            game.dispute,
            game.seconds,
            game.dispute_value,
        ])?;
    if inserted == 1 {
        let number = transaction.last_insert_rowid();
        let mut insert =
            transaction.prepare_cached("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
        for s in &game.searches {
            insert.execute(params![
                number,
                s.ply,
                s.by_a,
                s.chosen,
                s.visits,
                // Rounding may have left its range.
                s.value.filter(|value| !value.is_nan()).map(|value| value.clamp(0.0, 1.0)),
                s.simulations as i64,
                s.seconds,
                s.nodes_peak as i64,
                s.bytes_peak as i64,
            ])?;
        }
        seal(transaction, "game", "number = ?", [number])?;
    }
    Ok(inserted == 1)
}
