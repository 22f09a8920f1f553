//! Results of several runs of an experiment as one.

use crate::error::{LabError, faults};
use crate::experiment::run::named;
use crate::experiment::seeds::Seeds;
use crate::stats::{Counts, agresti_coull, holm};
use crate::store::Disputed;
use crate::table::{Field, Row, Table, rounded, significant};
use std::ops::Range;
use std::path::Path;

/// The fate of a column when rows are pooled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pooled {
    /// A text that must be the same.
    Text,
    /// A number that must be the same.
    Same,
    Sum,
    /// A sum with one decimal, of the runs that have it.
    Seconds,
    Greatest,
    Seeds,
    /// It follows from the games.
    Follows,
    /// It is one run's.
    Test,
    /// What disputed games count, which must be the same.
    Disputed,
    /// A row does not say enough to pool it.
    Lost,
    /// A mean over pairs of games, or an end of its interval.
    Points,
}

use Pooled::{Follows, Greatest, Lost, Points, Same, Seconds, Sum, Test, Text};

/// The columns of a table of matches; the last ones are those of engines, disputes and points,
/// which not every table has.
const COLUMNS: [(&str, Pooled); 45] = [
    ("name", Text),
    ("claim", Text),
    ("series", Text),
    ("x", Same),
    ("a", Text),
    ("b", Text),
    ("game", Text),
    ("playouts_a", Same),
    ("playouts_b", Same),
    ("seed", Pooled::Seeds),
    ("planned", Greatest),
    ("games", Sum),
    ("wins", Sum),
    ("draws", Sum),
    ("losses", Sum),
    ("score", Follows),
    ("ci95_lo", Follows),
    ("ci95_hi", Follows),
    ("elo", Follows),
    ("elo_lo", Follows),
    ("elo_hi", Follows),
    ("p", Follows),
    ("p_holm", Follows),
    ("nodes_peak_a", Greatest),
    ("nodes_peak_b", Greatest),
    ("bytes_peak_a", Greatest),
    ("bytes_peak_b", Greatest),
    ("simulations_a", Sum),
    ("simulations_b", Sum),
    ("seconds_a", Seconds),
    ("seconds_b", Seconds),
    ("process_bytes_peak", Greatest),
    ("adjudicated", Sum),
    ("forfeits", Sum),
    ("duplicates", Sum),
    ("llr", Test),
    ("verdict", Test),
    ("processor_seconds_a", Seconds),
    ("processor_seconds_b", Seconds),
    ("disputes", Sum),
    ("disputed", Pooled::Disputed),
    ("score_board", Lost),
    ("points", Points),
    ("points_lo", Points),
    ("points_hi", Points),
];

/// The places of the columns that not every table has.
const ENGINES: Range<usize> = 37..39;
const DISPUTES: Range<usize> = 39..42;
const POINTS: Range<usize> = 42..45;

/// Columns that tables of anything else than matches do not all have.
const OF_MATCHES: [&str; 7] = ["name", "a", "b", "game", "wins", "draws", "losses"];

/// The fields of a match by the places of [`COLUMNS`].
struct PooledMatch(Vec<Field>);

/// The tables of matches of one experiment, from runs with different seeds on several machines or
/// at several times, as if they were one run. Games and costs are added up, peaks are the maxima,
/// and the statistics are computed from the sums. Elo and p treat games as single, because a row
/// does not hold the results of pairs; points are weighted by the numbers of games. Equal games in
/// different runs are not found. A match that only one run has stays unchanged except for `p_holm`.
///
/// # Errors
/// If a file is not there, or no table of matches; the message names the line. If a match is not
/// the same in two runs, if a seed would count twice, or if a match has a sequential test, which
/// decides from one run when it ends.
#[expect(clippy::missing_panics_doc, reason = "the columns are those of the tables of matches")]
pub fn pool<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<Table, LabError> {
    let mut pooled: Vec<PooledMatch> = Vec::new();
    for path in paths {
        for line in read(path)? {
            match pooled.iter_mut().find(|earlier| earlier.0[0] == line.0[0]) {
                None => pooled.push(line),
                Some(earlier) => earlier.add(&line)?,
            }
        }
    }
    let place = |name: &str| COLUMNS.iter().position(|column| column.0 == name).expect("it is a column");
    let p: Vec<f64> = pooled.iter().map(|line| line.0[place("p")].number().unwrap_or(1.0)).collect();
    for (line, p) in pooled.iter_mut().zip(holm(&p)) {
        line.0[place("p_holm")] = Field::Real(significant(p));
    }
    let has = |places: &Range<usize>| {
        let mut fields = pooled.iter().flat_map(|line| &line.0[places.clone()]);
        fields.any(|field| field.number().is_some_and(|number| number != 0.0))
    };
    let absent: Vec<Range<usize>> =
        [ENGINES, DISPUTES, POINTS].into_iter().filter(|places| !has(places)).collect();
    let rows = pooled.iter().map(|line| {
        let fields = COLUMNS.iter().zip(&line.0).enumerate();
        let shown = fields.filter(|(place, _)| !absent.iter().any(|places| places.contains(place)));
        shown.fold(Row::new(), |row, (_, ((name, _), field))| {
            let field = match (*name, field) {
                ("disputes", Field::Empty) => Field::Count(0),
                ("disputed", Field::Empty) => Field::word(&Disputed::default()),
                _ => field.clone(),
            };
            row.with(*name, field)
        })
    });
    Ok(Table::new("matches", rows))
}

/// The lines of a table of matches.
fn read(path: &Path) -> Result<Vec<PooledMatch>, LabError> {
    let table = Table::read(path)?;
    if let Some(column) = OF_MATCHES.iter().find(|&column| table.column(column).is_err()) {
        let error = LabError::from(PoolError::NoMatches { column: (*column).to_owned() });
        return Err(error.within(path.display()));
    }
    let line = |row: usize| {
        let field = |&(name, pooled): &(&str, Pooled)| {
            let text = table.at(row, name).text();
            let typed = match pooled {
                Text if text.is_empty() => Some(Field::Text(String::new())),
                _ if text.is_empty() => Some(Field::Empty),
                Text | Test | Pooled::Disputed => Some(Field::Text(text.to_owned())),
                Pooled::Seeds => text.parse::<Seeds>().ok().map(|seeds| Field::word(&seeds)),
                Sum => text.parse().ok().filter(|&count| count <= Counts::MOST).map(Field::Count),
                Greatest => text.parse().ok().map(Field::Count),
                _ if text.contains(['.', 'e']) => text.parse().ok().map(Field::Real),
                Same | Seconds | Follows | Lost | Points => text.parse().ok().map(Field::Count),
            };
            typed.ok_or_else(|| {
                let (path, column, text) = (path.display().to_string(), name.to_owned(), text.to_owned());
                LabError::from(PoolError::Number { path, record: row + 1, line: row + 2, column, text })
            })
        };
        COLUMNS.iter().map(field).collect::<Result<_, _>>().map(PooledMatch)
    };
    (0..table.len()).map(line).collect()
}

impl PooledMatch {
    fn at(&self, name: &str) -> &Field {
        let place = COLUMNS.iter().position(|column| column.0 == name);
        place.map_or(&Field::Empty, |place| &self.0[place])
    }

    fn add(&mut self, other: &PooledMatch) -> Result<(), LabError> {
        let name = self.at("name").to_string();
        let fail = |error: PoolError| Err(named(&name, error.into()));
        for key in ["a", "b", "game", "claim", "series"] {
            let [one, another] = [self, other].map(|line| line.at(key).text());
            if one != another {
                let (one, another) = (format!("{one:?}"), format!("{another:?}"));
                return fail(PoolError::Differ { key: key.to_owned(), one, another });
            }
        }
        let disputed =
            |line: &PooledMatch| line.at("disputed").text().parse::<Disputed>().unwrap_or_default();
        let [one, another] = [&*self, other].map(disputed);
        if one != another {
            let (one, another) = (one.to_string(), another.to_string());
            return fail(PoolError::Differ { key: "disputed".to_owned(), one, another });
        }
        let points = self.points(other);
        for (i, (key, pooled)) in COLUMNS.iter().enumerate() {
            let [own, its] = [&self.0[i], &other.0[i]];
            let summed = own.number().unwrap_or(0.0) + its.number().unwrap_or(0.0);
            let counts = [own.count(), its.count()];
            self.0[i] = match pooled {
                Text | Follows | Points | Pooled::Disputed => continue,
                Lost => Field::Empty,
                Same if own.number() != its.number() => {
                    return fail(PoolError::Numbers);
                }
                Same => continue,
                Sum => Field::Count(counts.into_iter().flatten().sum()),
                Seconds if own.number().or(its.number()).is_none() => continue,
                Seconds => Field::Real(rounded(summed, 1)),
                Greatest => counts.into_iter().flatten().max().map_or(Field::Empty, Field::Count),
                Pooled::Seeds => {
                    let seeds = |field: &Field| field.to_string().parse::<Seeds>().ok();
                    match seeds(own).zip(seeds(its)).and_then(|(own, its)| own.union(&its)) {
                        Some(seeds) => Field::word(&seeds),
                        None => return fail(PoolError::Seeds { own: own.to_string(), its: its.to_string() }),
                    }
                }
                Test if *key == "verdict" && (*own != Field::Empty || *its != Field::Empty) => {
                    return fail(PoolError::SequentialTest);
                }
                Test => continue,
            };
        }
        self.0.splice(POINTS, points);
        let games = ["losses", "draws", "wins"].map(|key| self.at(key).count().unwrap_or(0));
        self.count(&Counts::Games(games));
        Ok(())
    }

    /// The points a game of two runs and the ends of their interval: the mean by the numbers of
    /// games, as a row does not hold the number of pairs.
    fn points(&self, other: &PooledMatch) -> Vec<Field> {
        let both = [self, other].map(|line| {
            let [points, lo, hi] = ["points", "points_lo", "points_hi"].map(|key| line.at(key).number());
            let half = lo.zip(hi).map(|(lo, hi)| (hi - lo) / 2.0);
            (line.at("games").number().unwrap_or(0.0), points, half)
        });
        let [(games, Some(points), half), (its_games, Some(its_points), its_half)] = both else {
            let with = if both[0].1.is_some() { self } else { other };
            return with.0[POINTS].to_vec();
        };
        let all = (games + its_games).max(1.0);
        let mean = (games * points + its_games * its_points) / all;
        let half = half.zip(its_half).map(|(half, its)| (games * half).hypot(its_games * its) / all);
        let end = |side: f64| half.map(|half| rounded(mean + side * half, 4)).into();
        vec![Field::Real(rounded(mean, 4)), end(-1.0), end(1.0)]
    }

    /// The statistics of these games.
    fn count(&mut self, games: &Counts) {
        let (ci95, elo) = (agresti_coull(games.points(), games.games() as f64, 0.95), games.elo());
        let finite = |elo: f64| if elo.is_finite() { Field::Real(rounded(elo, 1)) } else { Field::Empty };
        for (i, (key, _)) in COLUMNS.iter().enumerate() {
            self.0[i] = match *key {
                "score" => Field::Real(rounded(games.score(), 6)),
                "ci95_lo" => Field::Real(rounded(ci95.lo, 6)),
                "ci95_hi" => Field::Real(rounded(ci95.hi, 6)),
                "elo" => finite(elo.elo),
                "elo_lo" => finite(elo.lo),
                "elo_hi" => finite(elo.hi),
                "p" => Field::Real(significant(games.p_value())),
                _ => continue,
            };
        }
    }
}

faults! {
    /// Why tables of several runs cannot be combined.
    PoolError {
        NoMatches { column: String } => "this is not a table of matches: it has no column {column}; accepted: a table that `tesuji run` writes of \
            matches, round robins and sweeps",
        Number { path: String, record: usize, line: usize, column: String, text: String } =>
            "{path}: CSV deserialize error: record {record} (line {line}): {column} is {text:?}; accepted: a number, and at most 10^15 for a count",
        Differ { key: String, one: String, another: String } =>
            "{key} is {one} in one run and {another} in another; accepted: the same",
        Numbers => "x or the playouts of two runs differ; accepted: the same",
        Seeds { own: String, its: String } => "seeds {own} and {its}: a seed would count twice",
        SequentialTest => "it has a sequential test, which belongs to one run; accepted: matches without one",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_processor_seconds_are_pooled() {
        let dir = tempfile::tempdir().unwrap();
        let tables = ["1,10,5,5,1.5,-2.0,-5.0,1.0", "2,20,15,5,2.25,1.0,-1.0,3.0"].map(|line| {
            let head =
                "name,a,b,game,draws,seed,games,wins,losses,processor_seconds_a,points,points_lo,points_hi";
            let file = dir.path().join(&line[..1]);
            std::fs::write(&file, format!("{head}\nm,x,y,sum,0,{line}\n")).unwrap();
            file
        });
        let table = pool(tables.iter().map(|table| &**table)).unwrap();
        let at = |column: &str| table.at(0, column).number().unwrap();
        assert_eq!((at("games"), at("processor_seconds_a"), at("points")), (30.0, 3.8, 0.0));
        // The root of (10 * 3)^2 + (20 * 2)^2, over 30.
        assert_eq!((at("points_lo"), at("points_hi")), (-1.6667, 1.6667));
        let one = pool([&*tables[0]]).unwrap();
        assert_eq!(one.at(0, "points_hi").number(), Some(1.0));
        assert!(one.column("disputes").is_err() && one.column("processor_seconds_a").is_ok());
    }
}
