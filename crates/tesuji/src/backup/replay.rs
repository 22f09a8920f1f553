//! One node apart from any tree.

use super::{Backup, Change, ErasedBackup, NodeMut};
use crate::atomic::AtomicF64;
use crate::tree::BackupState;
use alloc::vec::Vec;

/// One node with its children, without a tree. It shows the values that a backup makes from given
/// samples.
///
/// ```
/// use tesuji::{Max, Mean, Replay};
///
/// let samples = [(0, 1.0), (1, 0.0), (0, 0.0), (0, 1.0)];
/// let (mut mean, mut max) = (Replay::new(&Mean {}, 2), Replay::new(&Max {}, 2));
/// for (child, sample) in samples {
///     mean.sample(&Mean {}, Some(child), sample);
///     max.sample(&Max {}, Some(child), sample);
/// }
/// assert_eq!(mean.value, 0.5);
/// assert!((max.value - 2.0 / 3.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    /// Visits of the node.
    pub visits: u32,
    /// The node's value for the player who moved into it.
    pub value: f64,
    /// Visits and value of each child, for the player to move at the node.
    pub children: Vec<(u32, f64)>,
    /// Whether the player to move is the opponent of the one who moved into the node.
    pub opposed: bool,
    state: Vec<AtomicF64>,
    width: usize,
    below: Option<usize>,
}

impl Replay {
    /// A fresh node with `children` unvisited children, where the player who moved into the node is
    /// to move again. The backup must have been prepared, see [`Backup::new_game`].
    pub fn new(backup: &impl Backup, children: usize) -> Replay {
        let width = backup.backup_state();
        Replay {
            visits: 0,
            value: 0.0,
            children: alloc::vec![(0, 0.0); children],
            opposed: false,
            state: alloc::vec![AtomicF64::new(0.0); width * (children + 1)],
            width,
            below: None,
        }
    }

    /// Gives the node a sample for the player who moved into it: a sample of its own, or one that
    /// came through a child, whose value is the mean of its samples. Returns the sample for the
    /// next node towards the root.
    pub fn sample(&mut self, backup: &impl Backup, child: Option<usize>, sample: f64) -> f64 {
        if let Some(i) = child {
            let seen = if self.opposed { 1.0 - sample } else { sample };
            let (n, x) = &mut self.children[i];
            *n += 1;
            *x += (seen - *x) / f64::from(*n);
        }
        self.update(backup, child, sample)
    }

    /// [`Replay::sample`] where the children already are up to date.
    pub fn update(&mut self, backup: &impl Backup, child: Option<usize>, sample: f64) -> f64 {
        self.below = child;
        backup.update(self, sample)
    }
}

impl NodeMut for Replay {
    fn visit_many(&mut self, visits: u32) -> u32 {
        self.visits = self.visits.saturating_add(visits);
        self.visits
    }

    fn update_by(&mut self, backup: &dyn ErasedBackup, sample: f64) -> f64 {
        backup.update_replay(self, sample)
    }

    fn value(&self) -> f64 {
        self.value
    }

    fn set_value(&mut self, value: f64) {
        self.value = value;
    }

    fn turn(&self, value: f64) -> f64 {
        if self.opposed { 1.0 - value } else { value }
    }

    fn is_own(&self) -> bool {
        self.below.is_none()
    }

    fn children(&self) -> impl Iterator<Item = (u32, f64)> {
        self.children.iter().copied()
    }

    fn change(&self) -> Option<Change> {
        None
    }

    fn backup_state(&self) -> BackupState<'_> {
        BackupState(&self.state[..self.width])
    }

    fn backup_state_below(&self) -> Option<BackupState<'_>> {
        self.below.map(|i| BackupState(&self.state[(i + 1) * self.width..][..self.width]))
    }

    fn backup_states_of_children(&self) -> impl Iterator<Item = BackupState<'_>> {
        (1..=self.children.len()).map(|i| BackupState(&self.state[i * self.width..][..self.width]))
    }

    /// The node's own: it is its own root.
    fn backup_state_of_root(&self) -> BackupState<'_> {
        self.backup_state()
    }
}
