//! A kind of experiment.

use serde::Deserialize;
use tesuji_lab::report::{Axis, Chart, ChartCurve, CurveStyle, Point};
use tesuji_lab::store::Store;
use tesuji_lab::{Kind, LabError, MatchConfig, OwnKind, Results};

/// Softmax MCTS at some temperatures T against an opponent: a child with n visits and the value x
/// has a weight in proportion to n e^(x / T).
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct TemperatureSweep {
    temperatures: Vec<f64>,
    opponent: String,
    game: String,
    games: u64,
    playouts: u64,
}

impl OwnKind for TemperatureSweep {
    const KIND: &'static str = "temperature-sweep";
}

impl Kind for TemperatureSweep {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn matches(&self) -> Result<Vec<MatchConfig>, LabError> {
        let at = |&t: &f64| {
            let agent = format!("softmax,backup.schedule=constant,backup.weight={}", 1.0 / t);
            let (name, agents) = (format!("T{t}"), [agent.as_str(), &self.opponent]);
            MatchConfig {
                x: Some(t),
                ..MatchConfig::new(&name, agents, &self.game, self.games, self.playouts)
            }
        };
        Ok(self.temperatures.iter().map(at).collect())
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        let mut results = Results::matches(store)?;
        let table = &results.tables[0];
        let points = (0..table.len()).map(|row| Point::of(table, row, ["x", "elo", "elo_lo", "elo_hi"]));
        let points = points.filter(|point| point.y.is_finite());
        let curve = ChartCurve::new("", CurveStyle::Points, points);
        let temperature = Axis { log: true, ..Axis::new("T") };
        let chart = Chart::new(temperature, Axis::new("Elo"), vec![curve]);
        results.charts.push(("Elo over the temperature.".to_owned(), chart));
        let scores = table.numbers("score").into_iter().zip(table.numbers("x"));
        if let Some((score, t)) = scores.max_by(|a, b| a.0.total_cmp(&b.0)) {
            results.summary.push(format!("best at T = {t}: {score:.3}"));
        }
        Ok(results)
    }
}
