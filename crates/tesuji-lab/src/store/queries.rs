//! Counts, always asked of the games themselves.

use super::{Config, Ending, GameRow, SearchRow, Store, Usage};
use crate::LabError;
use crate::schedule::PairScore;
use crate::stats::Counts;
use rusqlite::{Row, params};
use std::collections::BTreeMap;

/// What the games between two agents say, from the side of `a`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// Games lost, drawn, won.
    pub games: [u64; 3],
    /// Complete pairs: LL, LD, LW or DD, DW, WW.
    pub pairs: [u64; 5],
    /// Games that `a` forfeited.
    pub forfeits_a: u64,
    /// Games that `b` forfeited.
    pub forfeits_b: u64,
    /// Games that ended because both players took them for decided.
    pub adjudicated: u64,
    /// Games of which an engine scored the end otherwise than the referee.
    pub disputes: u64,
    /// Games whose moves equal those of an earlier one.
    pub duplicates: u64,
    /// Wall-clock time of all games, one after the other.
    pub seconds: f64,
}

impl Tally {
    /// The games as counts.
    pub fn counts(&self) -> Counts {
        Counts::Games(self.games)
    }

    /// The pairs as counts, if every game belongs to a complete pair; else the games.
    pub fn best_counts(&self) -> Counts {
        let pairs = Counts::Pairs(self.pairs);
        if pairs.games() == self.counts().games() { pairs } else { self.counts() }
    }
}

const BETWEEN: &str = "FROM game JOIN pair ON pair.id = game.pair
    JOIN config AS a ON a.id = pair.a JOIN config AS b ON b.id = pair.b
    WHERE a.hash = ?1 AND b.hash = ?2 AND pair.opening < ?3";

impl Store {
    /// What the games of `a` against `b` say; only those from openings below `openings`.
    pub fn tally(&self, a: &Config, b: &Config, openings: u64) -> Result<Tally, LabError> {
        let mut query = self.db.prepare_cached(&format!(
            "SELECT pair.id, a_first, a_value, ending, dispute IS NOT NULL, seconds, moves_hash {BETWEEN}
             ORDER BY game.number"
        ))?;
        let mut rows = query.query(params![a.hash(), b.hash(), limit(openings)])?;
        let mut tally = Tally::default();
        let mut pairs: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
        let mut seen = std::collections::HashSet::new();
        while let Some(row) = rows.next()? {
            let (a_value, ending): (f64, String) = (row.get(2)?, row.get(3)?);
            pairs.entry(row.get(0)?).or_default().push(a_value);
            tally.games[(a_value * 2.0).round() as usize] += 1;
            if ending == Ending::Forfeit.to_string() {
                *(if a_value == 0.0 { &mut tally.forfeits_a } else { &mut tally.forfeits_b }) += 1;
            }
            tally.adjudicated += u64::from(ending == Ending::Adjudicated.to_string());
            tally.disputes += u64::from(row.get::<_, bool>(4)?);
            tally.seconds += row.get::<_, f64>(5)?;
            tally.duplicates += u64::from(!seen.insert(row.get::<_, String>(6)?));
        }
        for values in pairs.values() {
            if let [first, second] = values[..] {
                tally.pairs[PairScore::of(first, second).index()] += 1;
            }
        }
        Ok(tally)
    }

    /// What the searches of `a` (or of `b`) cost in the games of `a` against `b`.
    pub fn usage(&self, a: &Config, b: &Config, openings: u64, of_a: bool) -> Result<Usage, LabError> {
        let between = BETWEEN.replacen("FROM game", "FROM move JOIN game ON game.number = move.game", 1);
        let mut query = self.db.prepare_cached(&format!(
            "SELECT COALESCE(SUM(simulations), 0), COALESCE(SUM(move.seconds), 0.0), COALESCE(MAX(nodes_peak), 0),
                    COALESCE(MAX(bytes_peak), 0) {between} AND by_a = ?4"
        ))?;
        Ok(query.query_row(params![a.hash(), b.hash(), limit(openings), of_a], |row| {
            Ok(Usage {
                simulations: row.get::<_, i64>(0)? as u64,
                seconds: row.get(1)?,
                nodes_peak: row.get::<_, i64>(2)? as u64,
                bytes_peak: row.get::<_, i64>(3)? as u64,
            })
        })?)
    }

    /// The most memory of a process that wrote to this store, as the ends of its runs note it.
    pub fn process_bytes_peak(&self) -> Result<Option<u64>, LabError> {
        let mut query = self.db.prepare_cached(
            "SELECT MAX(json_extract(detail, '$.process_bytes_peak')) FROM event WHERE kind = 'end'",
        )?;
        Ok(query.query_row([], |row| row.get::<_, Option<i64>>(0))?.map(|bytes| bytes as u64))
    }

    /// Every game, in the order of pairs, the one that `a` began first, with its place.
    pub fn games(&self) -> Result<Vec<(Place, GameRow)>, LabError> {
        let mut query = self.db.prepare(
            "SELECT game.number, pair.id, a.name, b.name, pair.opening, replica, game.id, a_first, seed, game.opening, moves,
                    a_value, result, ending, detail, dispute, seconds
             FROM game JOIN pair ON pair.id = game.pair
             JOIN config AS a ON a.id = pair.a JOIN config AS b ON b.id = pair.b
             ORDER BY pair.a, pair.b, pair.opening, replica, a_first DESC",
        )?;
        let mut searches = self.db.prepare(
            "SELECT ply, by_a, move, visits, value, simulations, seconds, nodes_peak, bytes_peak
             FROM move WHERE game = ? ORDER BY ply",
        )?;
        let mut games = Vec::new();
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(0)?;
            let mut game = game_of(row)?;
            game.searches = searches.query_map([number], search_of)?.collect::<Result<_, _>>()?;
            games.push((place_of(row)?, game));
        }
        Ok(games)
    }

    /// The identities of all games.
    pub fn ids(&self) -> Result<Vec<String>, LabError> {
        let mut query = self.db.prepare("SELECT id FROM game ORDER BY id")?;
        Ok(query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// SQLite's own check of the file: empty if it is sound, else what is wrong.
    pub fn integrity(&self) -> Result<Vec<String>, LabError> {
        let mut query = self.db.prepare("PRAGMA integrity_check")?;
        let lines: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}

/// Where a game belongs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The pair's number in the store.
    pub pair: i64,
    /// The name of the first agent of the pair.
    pub a: String,
    /// The name of the second.
    pub b: String,
    /// The opening's number.
    pub opening: u64,
    /// The repetition's number.
    pub replica: u32,
}

fn limit(openings: u64) -> i64 {
    i64::try_from(openings).unwrap_or(i64::MAX)
}

fn place_of(row: &Row<'_>) -> Result<Place, rusqlite::Error> {
    Ok(Place {
        pair: row.get(1)?,
        a: row.get(2)?,
        b: row.get(3)?,
        opening: row.get::<_, i64>(4)? as u64,
        replica: row.get(5)?,
    })
}

fn game_of(row: &Row<'_>) -> Result<GameRow, rusqlite::Error> {
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
    let ending: String = row.get(13)?;
    Ok(GameRow {
        id: row.get(6)?,
        a_first: row.get(7)?,
        seed: row.get::<_, i64>(8)? as u64,
        opening: words(row.get(9)?),
        moves: words(row.get(10)?),
        a_value: row.get(11)?,
        result: row.get(12)?,
        ending: Ending::ALL.into_iter().find(|e| e.to_string() == ending).unwrap_or(Ending::Rules),
        detail: row.get(14)?,
        dispute: row.get(15)?,
        seconds: row.get(16)?,
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
