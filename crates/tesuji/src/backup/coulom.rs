//! Coulom's mix of mean and maximum.

use super::max::greatest;
use super::{Backup, NodeMut};
use crate::game::SearchGame;

/// Coulom's mix: v = (n x + W m) / (n + W), where x is the value of the best child and n its
/// visits, and m the mean of the node's samples (Coulom 2006, as Softmax and Monotone MCTS, eq. 2,
/// has it).
///
/// W = p A for a board of A points, and p A N / (q A) from N = q A visits on. Coulom's own (p, q)
/// is (2, 16). The larger W, the nearer the mean; W = 0 is the best child's value.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Coulom {
    /// p: the weight of the mean, for each point of the board.
    ///
    /// Range: 0 to 1e12 (visits/point). Default: 2.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1e12), extend("unit" = "visits/point")))]
    pub p: f64,
    /// q: visits from which on that weight grows, for each point of the board.
    ///
    /// Range: 0.001 to 1e12 (visits/point). Default: 16.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.001, max = 1e12), extend("unit" = "visits/point")))]
    pub q: f64,
    /// The area A. Default: the number that the game states, see
    /// [`Knowledge::area`](crate::Knowledge::area).
    ///
    /// Range: 1 to 65536 (points).
    #[cfg_attr(feature = "recipe", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "recipe", schemars(range(min = 1, max = 65536), extend("unit" = "points")))]
    pub area: Option<u32>,
    /// The measure of the best child.
    ///
    /// Default: `value`.
    pub best: BestChild,
    #[cfg_attr(feature = "recipe", serde(skip))]
    points: u32,
}

/// The child that [`Coulom`] calls the best.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum BestChild {
    /// The one with the highest value. Values within 10^-6 of the highest, more than the error of
    /// rounding, count as equal to it; among equals, the one with the most visits.
    #[default]
    Value,
    /// The one with the most visits; among equals, the one with the highest value.
    Visits,
}

/// Values of the best children differ by no more than this.
const TIE: f64 = 1e-6;

impl Default for Coulom {
    /// (2, 16), the board's area from the game, the best child by value.
    fn default() -> Coulom {
        Coulom::new(2.0, 16.0)
    }
}

impl Coulom {
    /// The mix of this (p, q), the board's area from the game, the best child by value.
    pub fn new(p: f64, q: f64) -> Coulom {
        Coulom { p, q, area: None, best: BestChild::Value, points: 1 }
    }
}

impl Backup for Coulom {
    /// The mean of all samples.
    fn backup_state(&self) -> usize {
        1
    }

    fn turns_values(&self) -> bool {
        true
    }

    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let visits = f64::from(node.visit());
        let state = node.backup_state();
        let mean = state.get(0) + (sample - state.get(0)) / visits;
        state.set(0, mean);
        let least = match self.best {
            BestChild::Value => greatest(node).map_or(0.0, |value| value - TIE),
            BestChild::Visits => f64::NEG_INFINITY,
        };
        let better = |a: (u32, f64), b: (u32, f64)| if b > a { b } else { a };
        let value = match node.children().filter(|&(n, x)| n > 0 && x >= least).reduce(better) {
            Some((n, x)) => {
                let (n, x) = (f64::from(n), node.turn(x));
                // The weight may be beyond any number of visits.
                x + (mean - x) * (self.weight(visits) / (n + self.weight(visits)))
            }
            None => mean,
        };
        node.set_value(value);
        sample
    }

    fn new_game<G: SearchGame>(&mut self, start: &G) {
        self.points = start.area().max(1) as u32;
    }
}

impl Coulom {
    /// The revision of its games: 1 where the best child is that of the highest value, of which any
    /// rounding once decided.
    #[cfg(feature = "recipe")]
    pub(crate) fn revision(&self) -> u32 {
        u32::from(self.best == BestChild::Value)
    }

    /// W at a node of `visits` visits.
    fn weight(&self, visits: f64) -> f64 {
        let area = f64::from(self.area.unwrap_or(self.points));
        self.p * area * (visits / (self.q * area)).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Replay;
    use crate::doc_game::Nim;

    #[test]
    fn the_game_tells_the_area() {
        let mut backup = Coulom::new(2.0, 16.0);
        backup.new_game(&Nim::new(9));
        assert_eq!([1.0, 48.0, 96.0].map(|visits| backup.weight(visits)), [6.0, 6.0, 12.0]);
        backup.area = Some(1);
        assert_eq!([1.0, 48.0, 96.0].map(|visits| backup.weight(visits)), [2.0, 6.0, 12.0]);
    }

    /// A child of few visits whose value is higher by rounding alone is not the best one, wherever
    /// it stands.
    #[test]
    fn equal_values_are_told_apart_by_visits() {
        let value = |children: &[(u32, f64)]| {
            let mut node = Replay::new(&Coulom::new(2.0, 16.0), children.len());
            node.children.copy_from_slice(children);
            node.visits = 110;
            node.update(&Coulom::new(2.0, 16.0), Some(0), 0.0);
            node.value
        };
        let tie = value(&[(100, 0.7), (10, 0.7)]);
        assert_eq!(tie, 0.7 * 100.0 / (100.0 + 2.0 * 111.0 / 16.0));
        for off in [1e-10, -1e-10, 1e-9, 9e-7] {
            assert!((value(&[(100, 0.7), (10, 0.7 + off)]) - tie).abs() < 1e-12, "{off}");
            assert!((value(&[(10, 0.7 + off), (100, 0.7)]) - tie).abs() < 1e-12, "{off}");
        }
        let higher = value(&[(100, 0.7), (10, 0.7 + 1.1e-6)]);
        assert!((higher - 0.7 * 10.0 / (10.0 + 2.0 * 111.0 / 16.0)).abs() < 1e-6);
    }
}
