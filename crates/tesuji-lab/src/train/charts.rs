//! The figures of a training.

use super::{IterationRow, TrainingResults};
use crate::report::{Axis, Chart, ChartCurve, ChartLine, CurveStyle, Legend, Place, Point};

const SIZE: (u32, u32) = (560, 320);

impl TrainingResults {
    /// Elo over hours of processor time, losses, accuracy and entropy, and what the games were like; each with its caption.
    pub fn charts(&self) -> Vec<(String, Chart)> {
        let mut charts = Vec::new();
        if self.checkpoints.len() > 1 {
            charts.push(self.elo());
        }
        if self.iterations.len() < 2 {
            return charts;
        }
        charts.push((
            "Cross entropy of the policy after each iteration: in the steps, and on games that were held out; what is learnt has \
             itself the entropy below."
                .to_owned(),
            chart(
                "iteration",
                "nats",
                Legend::UpperRight,
                vec![
                    self.curve("trained on", |row| row.policy_loss),
                    self.curve("held out", |row| row.held_out_policy_loss),
                    self.curve("entropy of what is learnt", |row| row.target_entropy),
                    self.curve("entropy of the network", |row| row.entropy),
                ],
            ),
        ));
        charts.push((
            "Squared error of the value, in [-1, 1]; who always says 0 has 1.".to_owned(),
            chart(
                "iteration",
                "squared error",
                Legend::UpperRight,
                vec![
                    self.curve("trained on", |row| row.value_loss),
                    self.curve("held out", |row| row.held_out_value_loss),
                ],
            ),
        ));
        charts.push((
            "The share of held-out positions whose best move is the network's first.".to_owned(),
            chart("iteration", "share", Legend::LowerRight, vec![self.curve("", |row| row.top1)]),
        ));
        if self.iterations.iter().any(|row| row.games > 0) {
            charts.push((
                "Moves of a game of self-play, on average.".to_owned(),
                chart("iteration", "moves", Legend::LowerRight, vec![self.curve("", |row| Some(row.moves))]),
            ));
            charts.push((
                "The share of points that Black won in self-play.".to_owned(),
                chart("iteration", "share", Legend::LowerRight, vec![self.curve("", |row| Some(row.black))]),
            ));
        }
        charts
    }

    fn elo(&self) -> (String, Chart) {
        let points = self.checkpoints.iter().filter_map(|row| {
            Some(Point { x: row.core_hours, y: row.elo?, interval: Some([row.elo_lo?, row.elo_hi?]) })
        });
        let curve = ChartCurve {
            label: "the network".to_owned(),
            points: points.collect(),
            style: CurveStyle::Points,
        };
        let mut chart = chart("hours of processor time", "Elo", Legend::LowerRight, vec![curve]);
        let lines = self.opponents.iter();
        chart.lines = lines
            .filter_map(|(name, elo)| {
                Some(ChartLine { label: name.clone(), places: vec![Place::Y((*elo)?)] })
            })
            .collect();
        chart.size = (SIZE.0, 420);
        (
            "Elo of the measured checkpoints and of their opponents, the first of which has 0; 95 %."
                .to_owned(),
            chart,
        )
    }

    fn curve(&self, label: &str, y: fn(&IterationRow) -> Option<f64>) -> ChartCurve {
        let point = |row: &IterationRow| Some(Point { x: row.iteration as f64, y: y(row)?, interval: None });
        let points = self.iterations.iter().filter_map(point).collect();
        ChartCurve { label: label.to_owned(), points, style: CurveStyle::Line }
    }
}

fn chart(x: &str, y: &str, legend: Legend, curves: Vec<ChartCurve>) -> Chart {
    Chart {
        x: Axis { label: x.to_owned(), ..Axis::default() },
        y: Axis { label: y.to_owned(), ..Axis::default() },
        curves,
        lines: Vec::new(),
        legend,
        size: SIZE,
    }
}
