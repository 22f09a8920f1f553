//! The samples of a node itself, for backups that compute its value from its children.

use super::NodeMut;

/// How many samples were taken at a node itself, and their mean, for the player who moved into it.
/// It is kept in the first two numbers of the node's state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct OwnSamples {
    pub(super) count: f64,
    pub(super) mean: f64,
}

impl OwnSamples {
    /// Numbers of the state.
    pub(super) const NUMBERS: usize = 2;

    /// Learns the sample if it is the node's own.
    #[inline]
    pub(super) fn learn(node: &mut impl NodeMut, sample: f64) -> OwnSamples {
        let is_own = node.is_own();
        let state = node.backup_state();
        if is_own {
            let (count, mean) = (state.get(0) + 1.0, state.get(1));
            state.set(0, count);
            state.set(1, mean + (sample - mean) / count);
        }
        OwnSamples { count: state.get(0), mean: state.get(1) }
    }

    /// (k r + M S) / (k + M): the value, for the player who moved into the node, of k own samples
    /// of mean r and of children with M visits in all and the value S for the player to move; S is
    /// not looked at where M = 0.
    ///
    /// Where children were recycled or dropped, visits are missing. They become own samples, with
    /// the mean that makes this update a step of the plain mean; so the value does not jump when a
    /// child goes.
    #[inline]
    pub(super) fn blend(self, node: &mut impl NodeMut, visits: u32, sample: f64, (m, s): (f64, f64)) -> f64 {
        let (visits, s) = (f64::from(visits), if m == 0.0 { 0.0 } else { s });
        let own = if self.count + m < visits { self.with_lost(node, visits, sample, (m, s)) } else { self };
        if m == 0.0 {
            return own.mean;
        }
        (own.count * own.mean + m * node.turn(s)) / (own.count + m)
    }

    #[inline(never)]
    fn with_lost(self, node: &mut impl NodeMut, visits: f64, sample: f64, (m, s): (f64, f64)) -> OwnSamples {
        let value = node.value();
        let value = value + (sample - value) / visits;
        let count = visits - m;
        let mean = ((value * visits - m * node.turn(s)) / count).clamp(0.0, 1.0);
        node.backup_state().set(0, count);
        node.backup_state().set(1, mean);
        OwnSamples { count, mean }
    }
}
