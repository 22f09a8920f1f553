//! Results of several runs of an experiment as one.

use super::Row;
use crate::LabError;
use crate::csv_table::{rounded, significant};
use crate::stats::{Counts, agresti_coull};
use std::path::Path;

/// Columns that tables of anything else than matches do not all have.
const OF_MATCHES: [&str; 7] = ["name", "a", "b", "game", "wins", "draws", "losses"];

impl Row {
    /// The rows of a table of matches as [`Results::csv`](super::Results::csv) writes it.
    ///
    /// # Errors
    /// If there is no such file, or it is no table of matches; the message names the line.
    pub fn read(path: &Path) -> Result<Vec<Row>, LabError> {
        let named = |error: csv::Error| LabError::Input(format!("{}: {error}", path.display()));
        let mut reader = csv::Reader::from_path(path).map_err(named)?;
        let header = reader.headers().map_err(named)?;
        if let Some(column) = OF_MATCHES.iter().find(|&column| header.iter().all(|there| there != *column)) {
            return Err(LabError::Input(format!(
                "{}: this is no table of matches, it has no column {column}; accepted: what `tesuji run` writes of matches, \
                 round robins and sweeps",
                path.display()
            )));
        }
        reader.into_deserialize().collect::<Result<_, _>>().map_err(named)
    }

    /// The rows of runs of one experiment with different seeds, on several machines or at several times, as if they were one run:
    /// games and costs are summed, peaks are the greatest, and the statistics are those of the sums. Elo and p are those of
    /// single games: a row does not say how the games of a pair went together. Equal games of different runs are not seen.
    /// A match that only one run has stays as it is, but for [`p_holm`](Row::p_holm).
    ///
    /// # Errors
    /// If a match is not the same in two runs, if a seed would count twice, or if a match has a sequential test, which
    /// decides from one run when it ends.
    pub fn pool(runs: impl IntoIterator<Item = Vec<Row>>) -> Result<Vec<Row>, LabError> {
        let mut pooled: Vec<Row> = Vec::new();
        for row in runs.into_iter().flatten() {
            match pooled.iter_mut().find(|earlier| earlier.name == row.name) {
                None => pooled.push(row),
                Some(earlier) => earlier.add(row)?,
            }
        }
        let mut rows: Vec<Option<Row>> = pooled.into_iter().map(Some).collect();
        Row::correct(&mut rows);
        let mut rows: Vec<Row> = rows.into_iter().flatten().collect();
        Row::tell_disputes(&mut rows);
        Ok(rows)
    }

    fn add(&mut self, row: Row) -> Result<(), LabError> {
        let name = &row.name;
        let fail = |message: String| Err(LabError::Input(format!("match {name}: {message}")));
        let texts = [
            ("a", &self.a, &row.a),
            ("b", &self.b, &row.b),
            ("game", &self.game, &row.game),
            ("claim", &self.claim, &row.claim),
            ("series", &self.series, &row.series),
        ];
        if let Some((key, one, other)) = texts.into_iter().find(|(_, one, other)| one != other) {
            return fail(format!("{key} is {one:?} in one run and {other:?} in another; accepted: the same"));
        }
        let [one, other] = [self.disputed, row.disputed].map(Option::unwrap_or_default);
        if one != other {
            return fail(format!("disputed is {one} in one run and {other} in another; accepted: the same"));
        }
        if (self.x, self.playouts_a, self.playouts_b) != (row.x, row.playouts_a, row.playouts_b) {
            return fail("x or the playouts of two runs differ; accepted: the same".to_owned());
        }
        if self.verdict.or(row.verdict).is_some() {
            return fail(
                "it has a sequential test, which is one run's; accepted: matches without".to_owned(),
            );
        }
        let Some(seed) = self.seed.union(&row.seed) else {
            return fail(format!("seeds {} and {}: a seed would count twice", self.seed, row.seed));
        };
        self.seed = seed;
        self.planned = self.planned.max(row.planned);
        self.games += row.games;
        self.wins += row.wins;
        self.draws += row.draws;
        self.losses += row.losses;
        for (peak, other) in [
            (&mut self.nodes_peak_a, row.nodes_peak_a),
            (&mut self.nodes_peak_b, row.nodes_peak_b),
            (&mut self.bytes_peak_a, row.bytes_peak_a),
            (&mut self.bytes_peak_b, row.bytes_peak_b),
        ] {
            *peak = (*peak).max(other);
        }
        self.process_bytes_peak = self.process_bytes_peak.max(row.process_bytes_peak);
        self.simulations_a += row.simulations_a;
        self.simulations_b += row.simulations_b;
        self.seconds_a = rounded(self.seconds_a + row.seconds_a, 1);
        self.seconds_b = rounded(self.seconds_b + row.seconds_b, 1);
        self.adjudicated += row.adjudicated;
        self.forfeits += row.forfeits;
        self.duplicates += row.duplicates;
        // How many games count on the board alone, no row says.
        self.disputes = Some(self.disputes.unwrap_or(0) + row.disputes.unwrap_or(0));
        self.score_board = None;
        self.count(&Counts::Games([self.losses, self.draws, self.wins]));
        Ok(())
    }

    /// The statistics of these games.
    fn count(&mut self, games: &Counts) {
        let (ci95, elo) = (agresti_coull(games.points(), games.games() as f64, 0.95), games.elo());
        let finite = |elo: f64| elo.is_finite().then(|| rounded(elo, 1));
        self.score = rounded(games.score(), 6);
        [self.ci95_lo, self.ci95_hi] = [ci95.lo, ci95.hi].map(|end| rounded(end, 6));
        [self.elo, self.elo_lo, self.elo_hi] = [elo.elo, elo.lo, elo.hi].map(finite);
        self.p = significant(games.p_value());
    }
}
