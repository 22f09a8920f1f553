//! Counts, always computed from the games themselves.

use super::{Disputed, Ending, Matchup, PlannedMatch, Store, Usage, damaged, rows::hash};
use crate::conditions::{Conditions, Limit};
use crate::error::LabError;
use crate::schedule::{PairScore, counted_openings};
use crate::stats::Counts;
use rusqlite::types::ValueRef;
use rusqlite::{Row, params};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// The results of the games between two agents, from the side of `a`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// Games played, whether they count or not.
    pub played: u64,
    /// Games that count: lost, drawn, won.
    pub games: [u64; 3],
    /// Complete pairs: LL, LD, LW or DD, DW, WW; none if games are independent.
    pub pairs: [u64; 5],
    /// Games that `a` forfeited.
    pub forfeits_a: u64,
    /// Games that `b` forfeited.
    pub forfeits_b: u64,
    /// Games that ended because both players considered them decided.
    pub adjudicated: u64,
    /// Games whose end an engine scored differently from the referee.
    pub disputes: u64,
    /// Games whose moves equal those of an earlier one.
    pub duplicates: u64,
    /// Wall-clock time of all games, one after the other.
    pub seconds: f64,
}

impl Tally {
    /// Counts a game with this value.
    fn count(&mut self, value: f64) {
        self.games[(value * 2.0).round() as usize] += 1;
    }

    /// The games as counts.
    pub fn counts(&self) -> Counts {
        Counts::Games(self.games)
    }

    /// The complete pairs as counts: games from one opening are not independent. Without any, the
    /// games.
    pub fn independent_counts(&self) -> Counts {
        let pairs = Counts::Pairs(self.pairs);
        if pairs.games() > 0 { pairs } else { self.counts() }
    }
}

/// Values of games by opening, replica and whether the first agent began.
pub(crate) type KnownValues = HashMap<(u64, u32, bool), (f64, Option<f64>)>;

/// The games of a matchup, ?1 to ?3, without those from number ?4 on.
pub(super) const BETWEEN: &str = "FROM game JOIN pair ON pair.id = game.pair
    JOIN conditions AS c ON c.id = pair.conditions
    JOIN config AS a ON a.id = pair.a JOIN config AS b ON b.id = pair.b
    WHERE c.hash = ?1 AND a.hash = ?2 AND b.hash = ?3 AND 2 * pair.opening + 1 - game.a_first < ?4";

impl Store {
    /// The results of the first `games` games of a matchup: both games of each opening in turn, the
    /// one that `a` begins first.
    ///
    /// # Errors
    /// If the moves of a game are not those that were written, or the store fails.
    pub fn tally(&self, matchup: &Matchup, games: u64, disputed: Disputed) -> Result<Tally, LabError> {
        let mut query = self.db.prepare_cached(&format!(
            "SELECT pair.id, a_value, ending, dispute_value, seconds, moves_hash, game.number {BETWEEN}
             ORDER BY game.number"
        ))?;
        let mut rows = query.query(between(matchup, games))?;
        let mut tally = Tally::default();
        let is_unpaired = Conditions::parse(&matchup.conditions).is_ok_and(|conditions| conditions.unpaired);
        // Half pairs, and eight bytes of each game: a record may have millions.
        let mut firsts: HashMap<i64, Option<f64>> = HashMap::new();
        let mut seen = HashSet::new();
        while let Some(row) = rows.next()? {
            let (score_a, ending): (f64, String) = (value_in(row, 1, row.get(6)?)?, row.get(2)?);
            let dispute = dispute_in(row, 3, row.get(6)?)?;
            let (pair, value) = (row.get(0)?, disputed.value(score_a, dispute));
            // A game that counts for nobody takes the other one of its pair with it, unless games
            // are unpaired.
            if is_unpaired {
                value.into_iter().for_each(|value| tally.count(value));
            } else {
                match (firsts.remove(&pair), value) {
                    (None, value) => drop(firsts.insert(pair, value)),
                    (Some(Some(first)), Some(second)) => {
                        tally.pairs[PairScore::of(first, second).index()] += 1;
                        [first, second].into_iter().for_each(|value| tally.count(value));
                    }
                    _ => {}
                }
            }
            tally.played += 1;
            if ending == Ending::Forfeit.to_string() {
                *(if score_a == 0.0 { &mut tally.forfeits_a } else { &mut tally.forfeits_b }) += 1;
            }
            tally.adjudicated += u64::from(ending == Ending::Adjudicated.to_string());
            tally.disputes += u64::from(dispute.is_some());
            tally.seconds += row.get::<_, f64>(4)?;
            let moves_hash: String = row.get(5)?;
            let short = moves_hash.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok());
            tally.duplicates += u64::from(!seen.insert(short));
        }
        firsts.into_values().flatten().for_each(|value| tally.count(value));
        Ok(tally)
    }

    /// The cost of the searches of `a` (or of `b`) in the first `games` games of a matchup.
    ///
    /// # Errors
    /// If the store fails.
    pub fn usage(&self, matchup: &Matchup, games: u64, of_a: bool) -> Result<Usage, LabError> {
        let between_moves =
            BETWEEN.replacen("FROM game", "FROM move JOIN game ON game.number = move.game", 1);
        let mut query = self.db.prepare_cached(&format!(
            "SELECT COALESCE(SUM(simulations), 0), COALESCE(SUM(move.seconds), 0.0), COALESCE(MAX(nodes_peak), 0),
                    COALESCE(MAX(bytes_peak), 0), COALESCE(SUM(move.seconds - ?6) FILTER (WHERE move.seconds > ?6 + 0.1), 0.0),
                    COALESCE(MAX(move.seconds - ?6) FILTER (WHERE move.seconds > ?6 + 0.1), 0.0) {between_moves} AND by_a = ?5"
        ))?;
        let agent = if of_a { &matchup.a } else { &matchup.b };
        let time = match agent
            .limit()
            .map_or_else(|| Ok(Conditions::parse(&matchup.conditions)?.limit), Ok::<_, LabError>)?
        {
            Limit::Milliseconds(ms) => ms as f64 / 1000.0,
            Limit::Playouts(_) => f64::MAX,
        };
        let [conditions, a, b] = hashes(matchup);
        Ok(query.query_row(params![conditions, a, b, limit(games), of_a, time], |row| {
            Ok(Usage {
                simulations: row.get::<_, u64>(0)?,
                seconds: row.get(1)?,
                nodes_peak: row.get::<_, u64>(2)?,
                bytes_peak: row.get::<_, u64>(3)?,
                overtime: row.get(4)?,
                overtime_most: row.get(5)?,
                processor_seconds: None,
            })
        })?)
    }

    /// The values for `a` of the played games of a match with these numbers, in order, for games
    /// that are independent. A disputed game that counts for nobody is a draw here.
    ///
    /// # Errors
    /// If a row is corrupt, or the store fails.
    pub fn values(&self, planned: &PlannedMatch, numbers: Range<u64>) -> Result<Vec<f64>, LabError> {
        let value = match planned.disputed {
            Disputed::Void => "CASE WHEN dispute_value IS NOT NULL THEN 0.5 ELSE a_value END",
            Disputed::Board => "a_value",
            Disputed::Opponent => "COALESCE(dispute_value, a_value) AS value",
        };
        let mut query = self.db.prepare_cached(&format!(
            "SELECT {value}, game.number {BETWEEN} AND 2 * pair.opening + 1 - game.a_first >= ?5
             ORDER BY pair.opening, a_first DESC"
        ))?;
        let [conditions, a, b] = hashes(&planned.matchup);
        let (first, end) = (limit(numbers.start), limit(numbers.end));
        let mut rows = query.query(params![conditions, a, b, end, first])?;
        let mut values = Vec::new();
        while let Some(row) = rows.next()? {
            values.push(value_in(row, 0, row.get(1)?)?);
        }
        Ok(values)
    }

    /// The values for `a` of the stored games of a matchup whose openings are in a range, and those
    /// of engines that dispute them, by opening, replica and whether `a` began.
    ///
    /// # Errors
    /// If the moves of a game are not those that were written, or the store fails.
    pub(crate) fn values_of_openings(
        &self,
        matchup: &Matchup,
        openings: Range<u64>,
    ) -> Result<KnownValues, LabError> {
        let mut query = self.db.prepare_cached(&format!(
            "SELECT pair.opening, replica, a_first, a_value, dispute_value, game.number, moves, moves_hash {BETWEEN}
             AND pair.opening >= ?5 AND pair.opening < ?6"
        ))?;
        let [conditions, a, b] = hashes(matchup);
        let (first, end) = (limit(openings.start), limit(openings.end));
        let mut rows = query.query(params![conditions, a, b, i64::MAX, first, end])?;
        let mut values = KnownValues::new();
        while let Some(row) = rows.next()? {
            let number = row.get(5)?;
            check_moves(number, &row.get::<_, String>(6)?, &row.get::<_, String>(7)?)?;
            let place = (row.get(0)?, row.get(1)?, row.get(2)?);
            values.insert(place, (value_in(row, 3, number)?, dispute_in(row, 4, number)?));
        }
        Ok(values)
    }

    /// The points of `a` a game, in each pair of the first `games` games of a matchup both games of
    /// which have a margin.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) fn points(&self, matchup: &Matchup, games: u64) -> Result<Vec<f64>, LabError> {
        let mut query = self
            .db
            .prepare_cached(&format!("SELECT pair.id, a_first, result {BETWEEN} ORDER BY game.number"))?;
        let mut rows = query.query(between(matchup, games))?;
        let (mut firsts, mut pairs) = (HashMap::new(), Vec::new());
        while let Some(row) = rows.next()? {
            let (pair, is_first): (i64, bool) = (row.get(0)?, row.get(1)?);
            let points =
                points_of(&row.get::<_, String>(2)?).map(|points| if is_first { points } else { -points });
            match (firsts.remove(&pair), points) {
                (None, points) => drop(firsts.insert(pair, points)),
                (Some(Some(first)), Some(second)) => pairs.push((first + second) / 2.0),
                _ => {}
            }
        }
        Ok(pairs)
    }

    /// The number of games played among the first `games` of a matchup.
    ///
    /// # Errors
    /// If the store fails.
    pub fn played(&self, matchup: &Matchup, games: u64) -> Result<u64, LabError> {
        let mut query = self.db.prepare_cached(&format!("SELECT COUNT(*) {BETWEEN}"))?;
        Ok(query.query_row(between(matchup, games), |row| row.get::<_, u64>(0))?)
    }

    /// [`Store::played`], and how many of the first games hold all of these.
    pub(super) fn played_and_reach(&self, matchup: &Matchup, games: u64) -> Result<[u64; 2], LabError> {
        let mut query = self.db.prepare_cached(&format!(
            "SELECT COUNT(*), COALESCE(MAX(2 * pair.opening + 2 - game.a_first), 0) {BETWEEN}"
        ))?;
        Ok(query.query_row(between(matchup, games), |row| Ok([row.get(0)?, row.get(1)?]))?)
    }

    /// The games of a match that count: those of the plan, without games that were played after its
    /// sequential test had decided. The test looks at the pairs in the order of their openings, up
    /// to the first that is not finished.
    ///
    /// # Errors
    /// If a row is corrupt, or the store fails.
    pub fn counted_games(&self, planned: &PlannedMatch) -> Result<u64, LabError> {
        let Some(sprt) = planned.sprt else { return Ok(planned.games) };
        let mut query = self.db.prepare_cached(&format!(
            "SELECT pair.opening, a_value, game.number, dispute_value {BETWEEN} ORDER BY pair.opening"
        ))?;
        let mut rows = query.query(between(&planned.matchup, planned.games))?;
        let mut pairs: BTreeMap<u64, Vec<Option<f64>>> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let number = row.get(2)?;
            let value = planned.disputed.value(value_in(row, 1, number)?, dispute_in(row, 3, number)?);
            pairs.entry(row.get::<_, u64>(0)?).or_default().push(value);
        }
        let scores = pairs.into_iter().filter_map(|(opening, values)| match values[..] {
            [Some(first), Some(second)] => Some((opening, Some(PairScore::of(first, second)))),
            [_, _] => Some((opening, None)),
            _ => None,
        });
        Ok(counted_openings(sprt, scores).map_or(planned.games, |openings| planned.games.min(2 * openings)))
    }

    /// How many of the first `games` games of a match are missing that count.
    ///
    /// # Errors
    /// Like [`Store::counted_games`].
    pub(crate) fn missing(&self, planned: &PlannedMatch, games: u64) -> Result<u64, LabError> {
        let due = games.min(self.counted_games(planned)?);
        Ok(due.saturating_sub(self.played(&planned.matchup, games)?))
    }

    /// Whether the store lacks games or trials that were asked for.
    ///
    /// # Errors
    /// Like [`Store::counted_games`].
    pub(crate) fn is_unfinished(&self) -> Result<bool, LabError> {
        for planned in self.matches()? {
            if self.missing(&planned, planned.games)? > 0 {
                return Ok(true);
            }
        }
        for part in self.parts()? {
            if self.trial_count(&part.group)? < part.trials {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a match of one of these names was not asked for yet.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) fn lacks<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Result<bool, LabError> {
        let asked = self.matches()?;
        Ok(names.any(|name| asked.iter().all(|planned| planned.name != name)))
    }

    /// The peak memory, in bytes, of the processes that played games of the match with this name,
    /// from the events that end its runs.
    ///
    /// # Errors
    /// If the store fails.
    pub fn process_bytes_peak(&self, name: &str) -> Result<Option<u64>, LabError> {
        let mut query = self.db.prepare_cached(
            "SELECT MAX(json_extract(detail, '$.process_bytes_peak')) FROM event
             WHERE kind = 'end' AND json_extract(detail, '$.match') = ?",
        )?;
        Ok(query.query_row([name], |row| row.get::<_, Option<i64>>(0))?.map(|bytes| bytes as u64))
    }

    /// The processor seconds of the searches of both agents in the match with this name, from the
    /// events that end its runs; none if no run measured them.
    ///
    /// # Errors
    /// If the store fails.
    pub fn processor_seconds(&self, name: &str) -> Result<[Option<f64>; 2], LabError> {
        let mut query = self.db.prepare_cached(
            "SELECT SUM(json_extract(detail, '$.processor_seconds[0]')), SUM(json_extract(detail, '$.processor_seconds[1]'))
             FROM event WHERE kind = 'end' AND json_extract(detail, '$.match') = ?",
        )?;
        Ok(query.query_row([name], |row| Ok([row.get(0)?, row.get(1)?]))?)
    }
}

/// Makes sure that the moves of a game have their hash.
pub(super) fn check_moves(number: i64, moves: &str, moves_hash: &str) -> Result<(), LabError> {
    if hash(&[moves]) == moves_hash {
        return Ok(());
    }
    Err(damaged(format_args!("game {number}: its moves are not those that were written")))
}

/// The value of a game, from this column.
///
/// # Errors
/// If it is none, as after a fault of the disk.
pub(super) fn value_in(row: &Row<'_>, column: usize, number: i64) -> Result<f64, LabError> {
    let value: f64 = row.get(column)?;
    if [0.0, 0.5, 1.0].contains(&value) {
        return Ok(value);
    }
    let name = row.as_ref().column_name(column)?;
    Err(damaged(format_args!("game {number}: {name} is {value}; accepted: 0, 0.5 or 1")))
}

/// The value that an engine claims for a game, from this column; none if nobody disputes the game.
///
/// # Errors
/// Like [`value_in`].
pub(super) fn dispute_in(row: &Row<'_>, column: usize, number: i64) -> Result<Option<f64>, LabError> {
    if row.get_ref(column)? == ValueRef::Null { Ok(None) } else { value_in(row, column, number).map(Some) }
}

/// The hashes of the conditions and of both agents.
pub(super) fn hashes(matchup: &Matchup) -> [String; 3] {
    [hash(&[&matchup.conditions]), matchup.a.hash(), matchup.b.hash()]
}

/// The parameters of [`BETWEEN`].
pub(super) fn between(matchup: &Matchup, games: u64) -> (String, String, String, i64) {
    let [conditions, a, b] = hashes(matchup);
    (conditions, a, b, limit(games))
}

fn limit(games: u64) -> i64 {
    i64::try_from(games).unwrap_or(i64::MAX)
}

/// The points of the first player less those of the second; none if the result has no margin.
fn points_of(result: &str) -> Option<f64> {
    match result.split_at_checked(2) {
        Some(("B+", margin)) => margin.parse().ok(),
        Some(("W+", margin)) => margin.parse().ok().map(|margin: f64| -margin),
        _ => (result == "0").then_some(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{Disputed, Store, points_of};
    use crate::experiment::MatchConfig;
    use crate::stats::Counts;
    use crate::store::GameRow;

    #[test]
    fn a_disputed_game_takes_its_pair_with_it_only_where_there_is_one() {
        for unpaired in [false, true] {
            let config = MatchConfig { unpaired, ..MatchConfig::new("m", ["uct", "random"], "hex:3", 2, 9) };
            let (planned, mut store) = (config.planned().unwrap(), Store::in_memory().unwrap());
            for (a_first, dispute_value) in [(true, None), (false, Some(0.0))] {
                let game = GameRow::resigned(&planned.matchup, 0, a_first);
                let game = GameRow { score_a: 1.0, dispute_value, ..game };
                store.insert(&planned.matchup, 0, 0, &game).unwrap();
            }
            assert_eq!(store.values(&planned, 0..2), Ok(vec![1.0, 0.5]));
            let tally = store.tally(&planned.matchup, 2, Disputed::Void).unwrap();
            assert_eq!((tally.games, tally.played), ([0, 0, u64::from(unpaired)], 2));
        }
    }

    #[test]
    fn a_game_without_its_partner_leaves_the_pairs_what_they_are() {
        for (unpaired, last) in [(false, Counts::Pairs([0, 0, 1, 0, 1])), (true, Counts::Games([1, 0, 4]))] {
            let config = MatchConfig { unpaired, ..MatchConfig::new("m", ["uct", "random"], "hex:3", 5, 9) };
            let (planned, mut store) = (config.planned().unwrap(), Store::in_memory().unwrap());
            for (number, score_a) in (0_u64..).zip([1.0, 1.0, 1.0, 0.0, 1.0]) {
                let game = GameRow::resigned(&planned.matchup, number / 2, number.is_multiple_of(2));
                let game = GameRow { score_a, ..game };
                store.insert(&planned.matchup, number / 2, 0, &game).unwrap();
            }
            let tally = store.tally(&planned.matchup, 5, Disputed::Void).unwrap();
            assert_eq!((tally.games, tally.independent_counts()), ([1, 0, 4], last));
            let none = store.tally(&planned.matchup, 1, Disputed::Void).unwrap();
            assert_eq!(none.independent_counts(), Counts::Games([0, 0, 1]));
        }
    }

    #[test]
    fn margins_are_points_of_the_first_player() {
        for (result, points) in [
            ("B+12.5", Some(12.5)),
            ("W+3", Some(-3.0)),
            ("0", Some(0.0)),
            ("B+", None),
            ("W+R", None),
            ("", None),
        ] {
            assert_eq!(points_of(result), points, "{result}");
        }
    }
}
