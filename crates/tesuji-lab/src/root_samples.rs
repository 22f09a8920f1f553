//! The values of all backups for the same samples.

use tesuji::recipe::{Recipe, parts};
use tesuji::{AnyBackup, Observer, Replay, Report};

/// The samples that came to the root of a search which backs up means, in their order.
#[derive(Clone, PartialEq, Debug)]
pub struct RootSamples<M> {
    /// Moves with their visits and means so far.
    children: Vec<(M, u32, f64)>,
    /// The place of the move, and the sample for the player to move.
    log: Vec<(usize, f64)>,
}

/// The values that a backup gives the root, sample after sample.
#[derive(Clone, PartialEq, Debug)]
pub struct BackupCurve {
    /// The backup; `the recipe's` is that of the agent.
    pub backup: String,
    /// Numbers of samples, each with the value in [0, 1] for the player to move after that number;
    /// the last one counts all samples.
    pub points: Vec<(usize, f64)>,
}

/// Points of a curve, at equal ratios.
const POINTS: f64 = 80.0;

impl<M> Default for RootSamples<M> {
    fn default() -> Self {
        RootSamples { children: Vec::new(), log: Vec::new() }
    }
}

impl<M: Clone + PartialEq> Observer<M> for RootSamples<M> {
    fn every(&self) -> u64 {
        1
    }

    /// What is new about a child since the last simulation gives its newest samples back.
    fn progress(&mut self, report: &Report<M>) {
        for child in &report.children {
            let known = self.children.iter().position(|(m, ..)| *m == child.m);
            let i = known.unwrap_or_else(|| {
                self.children.push((child.m.clone(), 0, 0.0));
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

impl<M> RootSamples<M> {
    /// The values that the samples get from the recipe's own backup and from every other one with
    /// its default parameters. `prepare` calls [`Backup::new_game`](tesuji::Backup::new_game) with
    /// the start of the game.
    pub fn curves(&self, recipe: &Recipe, prepare: &dyn Fn(&mut AnyBackup)) -> Vec<BackupCurve> {
        let kinds = parts().into_iter().filter(|part| part.axis == "backup").map(|part| part.kind);
        let defaults = kinds.filter_map(|kind| {
            let recipe = Recipe::parse(&format!("uct,backup={kind}")).ok()?;
            Some((kind, recipe.backup().clone()))
        });
        let own = ("the recipe's".to_owned(), recipe.backup().clone());
        std::iter::once(own)
            .chain(defaults)
            .map(|(name, mut backup)| {
                prepare(&mut backup);
                BackupCurve { backup: name, points: self.points(&backup) }
            })
            .collect()
    }

    fn points(&self, backup: &AnyBackup) -> Vec<(usize, f64)> {
        let mut node = Replay::new(backup, self.children.len());
        let step = (self.log.len() as f64).powf(1.0 / POINTS).max(1.01);
        let (mut points, mut next) = (Vec::new(), 1.0);
        for (i, &(child, sample)) in self.log.iter().enumerate() {
            node.sample(backup, Some(child), sample);
            let n = i + 1;
            if n as f64 >= next || n == self.log.len() {
                points.push((n, node.value));
                next = (next * step).max(n as f64 + 1.0);
            }
        }
        points
    }
}
