//! What each backup would say of a node, for `tesuji analyze --explain`.

use tesuji::recipe::{Recipe, parts};
use tesuji::{AnyBackup, Backup, Observer, Replay, Report};
use tesuji_go::engine::Move;
use tesuji_go::{Rules, with_go};

/// Gathers the samples of a node from the search that has it as its root and backs up means.
#[derive(Default)]
pub(super) struct Samples {
    /// Moves with their visits and means so far.
    children: Vec<(Move, u32, f64)>,
    /// The place of the move, and the sample for the player to move.
    log: Vec<(usize, f64)>,
}

impl Observer<Move> for Samples {
    fn every(&self) -> u64 {
        1
    }

    /// What is new about a child since the last simulation gives its newest samples back.
    fn progress(&mut self, report: &Report<Move>) {
        for child in &report.children {
            let known = self.children.iter().position(|&(m, ..)| m == child.m);
            let i = known.unwrap_or_else(|| {
                self.children.push((child.m, 0, 0.0));
                self.children.len() - 1
            });
            let (_, visits, mean) = &mut self.children[i];
            let new = child.visits.saturating_sub(*visits);
            if new > 0 {
                let sum = f64::from(child.visits) * f64::from(child.value) - f64::from(*visits) * *mean;
                let sample = near_half(sum / f64::from(new));
                *mean += (sample - *mean) * f64::from(new) / f64::from(child.visits);
                *visits = child.visits;
                self.log.extend((0..new).map(|_| (i, sample)));
            }
        }
    }
}

/// Results are wins, draws or losses: what is within rounding of one is one.
fn near_half(sample: f64) -> f64 {
    let half = (sample * 2.0).round() / 2.0;
    if (sample - half).abs() < 0.01 { half } else { sample }.clamp(0.0, 1.0)
}

impl Samples {
    /// What the recipe's own backup and every other, with its default parameters, make of the
    /// samples, on a board of this size: name and value for the player to move.
    pub(super) fn said(&self, recipe: &Recipe, size: usize) -> Vec<(String, f64)> {
        let kinds = parts().into_iter().filter(|part| part.axis == "backup").map(|part| part.kind);
        let defaults = kinds.filter_map(|kind| {
            let recipe = Recipe::parse(&format!("uct,backup={kind}")).ok()?;
            Some((kind, recipe.backup().clone()))
        });
        let own = ("the recipe's".to_owned(), recipe.backup().clone());
        std::iter::once(own).chain(defaults).map(|(name, backup)| (name, self.value(backup, size))).collect()
    }

    fn value(&self, mut backup: AnyBackup, size: usize) -> f64 {
        with_go!(size, Rules::default(), |start| backup.new_game(&start));
        let mut node = Replay::new(&backup, self.children.len());
        for &(child, sample) in &self.log {
            node.sample(&backup, Some(child), sample);
        }
        node.value
    }
}
