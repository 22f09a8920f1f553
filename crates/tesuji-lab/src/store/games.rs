//! The games of a store.

use super::agenda::matchup_ids;
use super::tally::{BETWEEN, between};
use super::{Ending, GameRow, Matchup, SearchRow, Store};
use crate::LabError;
use rusqlite::{OptionalExtension, Params, Row, params};

/// Where a game belongs.
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

const COLUMNS: &str = "SELECT game.number, pair.id, pair.conditions, a.name, b.name, pair.opening, replica,
    game.id, a_first, seed, game.opening, moves, a_value, result, ending, detail, dispute, game.seconds";

const ORDER: &str = "ORDER BY pair.conditions, pair.a, pair.b, pair.opening, replica, a_first DESC";

impl Store {
    /// The value for `a` of the game with this identity, if it was played.
    pub fn value_of(&self, id: &str) -> Result<Option<f64>, LabError> {
        let mut query = self.db.prepare_cached("SELECT a_value FROM game WHERE id = ?")?;
        Ok(query.query_row([id], |row| row.get(0)).optional()?)
    }

    /// Records a finished game in one transaction; does nothing if it is there already.
    pub fn insert(
        &mut self,
        matchup: &Matchup,
        opening: u64,
        replica: u32,
        game: &GameRow,
    ) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        {
            let [conditions, a, b] = matchup_ids(&transaction, matchup)?;
            let place = params![conditions, a, b, opening as i64, replica];
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
                     detail, dispute, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                )?
                .execute(params![
                    game.id,
                    pair,
                    game.a_first,
                    game.seed as i64,
                    game.opening.join(" "),
                    game.moves.join(" "),
                    game.moves_hash(),
                    game.a_value,
                    game.result,
                    game.ending.to_string(),
                    game.detail,
                    game.dispute,
                    game.seconds,
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
                        s.value,
                        s.simulations as i64,
                        s.seconds,
                        s.nodes_peak as i64,
                        s.bytes_peak as i64,
                    ])?;
                }
            }
        }
        Ok(transaction.commit()?)
    }

    /// Every game, matchup by matchup in the order of pairs, the one that `a` began first.
    pub fn games(&self) -> Result<Vec<(Place, GameRow)>, LabError> {
        let mut games = Vec::new();
        self.each_game(&mut |place, game| {
            games.push((place, game));
            Ok(())
        })?;
        Ok(games)
    }

    /// Hands every game on, in the order of [`Store::games`].
    ///
    /// # Errors
    /// The first that `f` gives.
    pub fn each_game(
        &self,
        f: &mut dyn FnMut(Place, GameRow) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        let from = "FROM game JOIN pair ON pair.id = game.pair
            JOIN config AS a ON a.id = pair.a JOIN config AS b ON b.id = pair.b";
        self.select_games(&format!("{COLUMNS} {from} {ORDER}"), [], f)
    }

    /// The first `games` games of a matchup, in the same order.
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
    pub fn ids(&self) -> Result<Vec<String>, LabError> {
        let mut query = self.db.prepare("SELECT id FROM game ORDER BY id")?;
        Ok(query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// The canonical TOML of the conditions with this number.
    pub fn conditions(&self, number: i64) -> Result<String, LabError> {
        let mut query = self.db.prepare_cached("SELECT spec FROM conditions WHERE id = ?")?;
        Ok(query.query_row([number], |row| row.get(0))?)
    }

    fn select_games(
        &self,
        sql: &str,
        parameters: impl Params,
        f: &mut dyn FnMut(Place, GameRow) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        let mut query = self.db.prepare(sql)?;
        let mut searches = self.db.prepare(
            "SELECT ply, by_a, move, visits, value, simulations, seconds, nodes_peak, bytes_peak
             FROM move WHERE game = ? ORDER BY ply",
        )?;
        let mut rows = query.query(parameters)?;
        while let Some(row) = rows.next()? {
            let (place, mut game) = (place_of(row)?, game_of(row)?);
            game.searches = searches.query_map([place.number], search_of)?.collect::<Result<_, _>>()?;
            f(place, game)?;
        }
        Ok(())
    }
}

fn place_of(row: &Row<'_>) -> Result<Place, rusqlite::Error> {
    Ok(Place {
        number: row.get(0)?,
        pair: row.get(1)?,
        conditions: row.get(2)?,
        a: row.get(3)?,
        b: row.get(4)?,
        opening: row.get::<_, i64>(5)? as u64,
        replica: row.get(6)?,
    })
}

fn game_of(row: &Row<'_>) -> Result<GameRow, rusqlite::Error> {
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
    let ending: String = row.get(14)?;
    Ok(GameRow {
        id: row.get(7)?,
        a_first: row.get(8)?,
        seed: row.get::<_, i64>(9)? as u64,
        opening: words(row.get(10)?),
        moves: words(row.get(11)?),
        a_value: row.get(12)?,
        result: row.get(13)?,
        ending: Ending::ALL.into_iter().find(|e| e.to_string() == ending).unwrap_or(Ending::Rules),
        detail: row.get(15)?,
        dispute: row.get(16)?,
        seconds: row.get(17)?,
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
        simulations: row.get::<_, i64>(5)? as u64,
        seconds: row.get(6)?,
        nodes_peak: row.get::<_, i64>(7)? as u64,
        bytes_peak: row.get::<_, i64>(8)? as u64,
    })
}
