//! The expected score and the expected owners of points.

use super::watch::Watch;
use crate::engine::Move;

/// What is expected of the end of a game, from Black's side.
#[derive(Clone, Debug)]
pub(super) struct Outlook {
    /// Black's lead in points, komi included.
    pub(super) lead: f64,
    /// The standard deviation of the score.
    pub(super) deviation: f64,
    /// Whose each point will be, in rows from A1: 1 Black's, -1 White's.
    pub(super) ownership: Vec<f64>,
}

/// Where outlooks come from.
#[derive(Debug)]
pub(super) enum Source<'a> {
    /// From the network's evaluations of the positions that the search looked at.
    Network(&'a Watch),
    /// From random playouts, where the network says nothing of the score or there is none.
    Playouts {
        /// From the root.
        root: Outlook,
        /// The komi, in points.
        komi: f64,
        /// The ownership behind some moves.
        behind: Vec<(Move, Vec<f64>)>,
    },
}

impl Source<'_> {
    /// The source where only playouts tell of the score: Black owned each point in these shares of
    /// those from the root. Their deviation is as if each point were decided alone: the square is
    /// the sum of 1 - o² over points of ownership o.
    pub(super) fn playouts(black: &[f32], komi: f32) -> Source<'static> {
        let (ownership, komi) = (signed(black), f64::from(komi));
        let root = Outlook {
            lead: ownership.iter().sum::<f64>() - komi,
            deviation: ownership.iter().map(|o| 1.0 - o * o).sum::<f64>().max(0.0).sqrt(),
            ownership,
        };
        Source::Playouts { root, komi, behind: Vec::new() }
    }

    /// Adds the shares in which Black owned each point behind a move, where playouts are the
    /// source.
    pub(super) fn add(&mut self, m: Move, black: &[f32]) {
        if let Source::Playouts { behind, .. } = self {
            behind.push((m, signed(black)));
        }
    }

    /// The outlook of the root, for which the search says that Black wins in this share.
    pub(super) fn root(&self, black: f64) -> Option<Outlook> {
        match self {
            Source::Network(watch) => outlook(watch.all().means()),
            Source::Playouts { root, komi, .. } => Some(weigh(root, *komi, black)),
        }
    }

    /// The outlook behind a move of the root, for which the search says that Black wins in this
    /// share. Where no playouts told of the ownership behind it, there is none.
    pub(super) fn behind(&self, m: Move, black: f64, size: usize) -> Option<Outlook> {
        match self {
            Source::Network(watch) => outlook(watch.behind(m, size).means()),
            Source::Playouts { root, komi, behind } => {
                let said = behind.iter().find(|(behind, _)| *behind == m);
                let ownership = said.map_or_else(Vec::new, |(_, ownership)| ownership.clone());
                Some(Outlook { ownership, ..weigh(root, *komi, black) })
            }
        }
    }
}

/// From shares of Black's to 1 for Black and -1 for White.
fn signed(black: &[f32]) -> Vec<f64> {
    black.iter().map(|&share| 2.0 * f64::from(share) - 1.0).collect()
}

fn outlook(means: Option<(f64, f64, Vec<f64>)>) -> Option<Outlook> {
    means.map(|(lead, deviation, ownership)| Outlook { lead, deviation, ownership })
}

/// What playouts and the search say together. Where everything is open, the lead is the one with
/// which a normal distribution of the score gives the search's win rate; where every point is
/// decided, it is the count. It is no more than the board allows.
fn weigh(said: &Outlook, komi: f64, black: f64) -> Outlook {
    let points = said.ownership.len() as f64;
    let open = said.deviation * said.deviation / points.max(1.0);
    let searched = said.deviation * quantile(black.clamp(0.002, 0.998));
    let lead = open * searched + (1.0 - open) * said.lead;
    Outlook { lead: lead.clamp(-points - komi, points - komi), ..said.clone() }
}

/// The p quantile of the standard normal distribution, to .001: Hastings (1955), sheet 67.
fn quantile(p: f64) -> f64 {
    let t = (-2.0 * p.min(1.0 - p).ln()).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    (t - above / below) * if p < 0.5 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        for (p, z) in [(0.5, 0.0), (0.975, 1.96), (0.025, -1.96), (0.9, 1.2816), (0.999, 3.0902)] {
            assert!((quantile(p) - z).abs() < 1e-3, "{p}: {}", quantile(p));
        }
    }

    #[test]
    fn open_boards_are_those_of_the_search_and_settled_ones_are_counted() {
        let open = Source::playouts(&[0.5; 81], 7.5);
        assert!(open.root(0.5).unwrap().lead.abs() < 0.01);
        let lead = open.root(0.9).unwrap().lead;
        assert!((lead - 9.0 * 1.2816).abs() < 0.1, "{lead}");
        let settled = Source::playouts(&[1.0; 81], 7.5);
        assert_eq!(settled.root(0.5).unwrap().lead, 73.5);
        assert_eq!(settled.root(0.5).unwrap().deviation, 0.0);
        // Four points are the most that there are.
        let small = Source::playouts(&[0.5; 4], 0.5);
        assert_eq!([0.0, 1.0].map(|black| small.root(black).unwrap().lead), [-4.5, 3.5]);
    }
}
