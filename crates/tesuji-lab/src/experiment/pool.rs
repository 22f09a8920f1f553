//! Results of several runs of an experiment as one.

use crate::error::{LabError, faults};
use crate::experiment::run::named;
use crate::experiment::seeds::Seeds;
use crate::stats::{Counts, agresti_coull, holm};
use crate::store::Disputed;
use crate::table::{Field, Row, Table, rounded, significant};
use std::path::Path;

/// The fate of a column when rows are pooled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pooled {
    /// A text that must be the same.
    Text,
    /// A number that must be the same.
    Same,
    Sum,
    /// A sum with one decimal.
    Seconds,
    Greatest,
    Seeds,
    /// It follows from the games.
    Follows,
    /// It is one run's.
    Test,
}

use Pooled::{Follows, Greatest, Same, Seconds, Sum, Test, Text};

/// The columns of a table of matches.
const COLUMNS: [(&str, Pooled); 37] = [
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
];

/// Columns that tables of anything else than matches do not all have.
const OF_MATCHES: [&str; 7] = ["name", "a", "b", "game", "wins", "draws", "losses"];

/// The fields of a match by the places of [`COLUMNS`], then its disputes: how many, what they
/// count, the score by the board.
struct PooledMatch(Vec<Field>);

const DISPUTES: usize = COLUMNS.len();

/// The tables of matches of one experiment, from runs with different seeds on several machines or
/// at several times, as if they were one run. Games and costs are added up, peaks are the maxima,
/// and the statistics are computed from the sums. Elo and p treat games as single, because a row
/// does not hold the results of pairs. Equal games in different runs are not found. A match that
/// only one run has stays unchanged except for `p_holm`.
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
    let has_disputes = pooled.iter().any(|line| line.0[DISPUTES].count().unwrap_or(0) > 0);
    let row = |line: PooledMatch| {
        let mut fields = line.0.into_iter();
        let row = COLUMNS
            .iter()
            .zip(fields.by_ref())
            .fold(Row::new(), |row, (column, field)| row.with(column.0, field));
        let [Some(disputes), Some(disputed), score] = [fields.next(), fields.next(), fields.next()] else {
            return row;
        };
        if !has_disputes {
            return row;
        }
        let or = |field: Field, default: Field| if field == Field::Empty { default } else { field };
        row.with("disputes", or(disputes, Field::Count(0)))
            .with("disputed", or(disputed, Field::word(&Disputed::default())))
            .with("score_board", score.unwrap_or(Field::Empty))
    };
    Ok(Table::new("matches", pooled.into_iter().map(row)))
}

/// The lines of a table of matches.
fn read(path: &Path) -> Result<Vec<PooledMatch>, LabError> {
    let table = Table::read(path)?;
    if let Some(column) = OF_MATCHES.iter().find(|&column| table.column(column).is_err()) {
        let error = LabError::from(PoolError::NoMatches { column: (*column).to_owned() });
        return Err(error.within(path.display()));
    }
    let columns = COLUMNS.iter().copied();
    let columns: Vec<_> =
        columns.chain([("disputes", Sum), ("disputed", Text), ("score_board", Follows)]).collect();
    let line = |row: usize| {
        let field = |&(name, pooled): &(&str, Pooled)| {
            let text = table.at(row, name).text();
            let typed = match pooled {
                _ if text.is_empty() => Some(if pooled == Text && name != "disputed" {
                    Field::Text(String::new())
                } else {
                    Field::Empty
                }),
                Text | Test => Some(Field::Text(text.to_owned())),
                Pooled::Seeds => text.parse::<Seeds>().ok().map(|seeds| Field::word(&seeds)),
                Sum | Greatest => text.parse().ok().map(Field::Count),
                Same | Seconds | Follows if text.contains(['.', 'e']) => text.parse().ok().map(Field::Real),
                Same | Seconds | Follows => text.parse().ok().map(Field::Count),
            };
            typed.ok_or_else(|| {
                let (path, column, text) = (path.display().to_string(), name.to_owned(), text.to_owned());
                LabError::from(PoolError::Number { path, record: row + 1, line: row + 2, column, text })
            })
        };
        columns.iter().map(field).collect::<Result<_, _>>().map(PooledMatch)
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
            |line: &PooledMatch| line.0[DISPUTES + 1].text().parse::<Disputed>().unwrap_or_default();
        let [one, another] = [&*self, other].map(disputed);
        if one != another {
            let (one, another) = (one.to_string(), another.to_string());
            return fail(PoolError::Differ { key: "disputed".to_owned(), one, another });
        }
        for (i, (key, pooled)) in COLUMNS.iter().enumerate() {
            let [own, its] = [&self.0[i], &other.0[i]];
            let summed = own.number().unwrap_or(0.0) + its.number().unwrap_or(0.0);
            let counts = [own.count(), its.count()];
            self.0[i] = match pooled {
                Text | Follows => continue,
                Same if own.number() != its.number() => {
                    return fail(PoolError::Numbers);
                }
                Same => continue,
                Sum => Field::Count(counts.into_iter().flatten().sum()),
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
        // How many games count on the board alone, no row says.
        let disputes = [&*self, other].map(|line| line.0[DISPUTES].count().unwrap_or(0));
        self.0[DISPUTES] = Field::Count(disputes.into_iter().sum());
        self.0[DISPUTES + 2] = Field::Empty;
        let games = ["losses", "draws", "wins"].map(|key| self.at(key).count().unwrap_or(0));
        self.count(&Counts::Games(games));
        Ok(())
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
            "{path}: CSV deserialize error: record {record} (line {line}): {column} is {text:?}; accepted: a number",
        Differ { key: String, one: String, another: String } =>
            "{key} is {one} in one run and {another} in another; accepted: the same",
        Numbers => "x or the playouts of two runs differ; accepted: the same",
        Seeds { own: String, its: String } => "seeds {own} and {its}: a seed would count twice",
        SequentialTest => "it has a sequential test, which belongs to one run; accepted: matches without one",
    }
}
