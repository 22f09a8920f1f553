//! Synthetic game trees with known values.

use crate::mix::{hash, mix};
use crate::size::SizeError;
use std::fmt;
use tesuji::{Game, Keyed, Knowledge, Notation, Outcome, Player, Playouts, Value, alpha_beta};

/// A P-game (Kocsis and Szepesvári 2006; Smith and Nau 1994): a random tree of uniform branching
/// factor and depth.
///
/// Players alternate. Every move of the first player is worth a uniformly random number from 0 to
/// 127, every move of the second from -127 to 0, and the first player wins if the numbers of all
/// moves add up to more than 0. There are no draws. The numbers are hashes of the seed and the
/// moves that lead there, so a tree takes no memory and the same seed is the same tree everywhere.
///
/// A move is the index of a branch, and its text is that number.
#[derive(Clone, PartialEq, Debug)]
pub struct PGame {
    branching: u16,
    /// Moves until the end.
    left: u16,
    to_move: Player,
    /// The sum of the moves so far.
    sum: i32,
    /// Fingerprint of the node.
    node: u64,
    evaluation: StaticEvaluation,
    /// Whether playouts end at once with the evaluation.
    is_evaluated: bool,
}

/// A stand-in for a policy-value network on a [`PGame`]: see [`PGame::evaluation`] and
/// [`PGame::priors`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StaticEvaluation {
    /// Standard deviation of the evaluation's noise, on the scale of ln(x / (1 - x)) of a value x.
    /// At least 0, default 1.
    pub noise: f32,
    /// Temperature of the priors, on the scale of values. At least 0.012, below which they
    /// overflow, default 0.2.
    pub temperature: f32,
}

impl Default for StaticEvaluation {
    fn default() -> StaticEvaluation {
        StaticEvaluation { noise: 1.0, temperature: 0.2 }
    }
}

/// The largest value of a move.
const LARGEST: i32 = 127;

impl PGame {
    /// The tree of this seed, with `branching` moves at every node and `depth` moves to the end.
    ///
    /// # Errors
    /// If `branching` or `depth` is not 1 to 1000.
    pub fn new(branching: usize, depth: usize, seed: u64) -> Result<PGame, SizeError> {
        SizeError::check("the branching factor of a P-game", branching, 1..=1000)?;
        SizeError::check("the depth of a P-game", depth, 1..=1000)?;
        Ok(PGame {
            branching: branching as u16,
            left: depth as u16,
            to_move: Player::FIRST,
            sum: 0,
            node: hash([seed]),
            evaluation: StaticEvaluation::default(),
            is_evaluated: false,
        })
    }

    /// The same tree for searches with a network: playouts end at once with the
    /// [evaluation](PGame::evaluation).
    pub fn evaluated(self, evaluation: StaticEvaluation) -> PGame {
        PGame { evaluation, is_evaluated: true, ..self }
    }

    /// The sum of the moves so far, in the first player's favour.
    pub fn sum(&self) -> i32 {
        self.sum
    }

    /// A stand-in for a value network: the chance that random moves from here end well, disturbed
    /// by noise that is a function of the node; exact at the end.
    ///
    /// The value for the first player is `1 / (1 + exp(-x))` with
    /// `x = (sum + rest + 1/2) / scale + noise`. The expected rest is ±63.5 if one player has a
    /// move more to come, else 0; `scale = 37 √(moves left) · √3/π` is that of a logistic
    /// distribution as wide as the rest's. The noise, a sum of four uniform numbers, has the
    /// standard deviation of [`StaticEvaluation`]. Because the sum of 0 is a loss of the first
    /// player, -1/2 would be the right correction; +1/2 favours the first player, by about 0.01
    /// with one move left and less before.
    pub fn evaluation(&self) -> Value {
        if let Some(result) = self.result() {
            return result;
        }
        let left = f32::from(self.left);
        let rest = match self.to_move {
            _ if self.left.is_multiple_of(2) => 0.0,
            Player::FIRST => 63.5,
            _ => -63.5,
        };
        let bits = mix(self.node ^ NOISE);
        // The sum of four uniform numbers in [-1/2, 1/2] has variance 1/3.
        let uniform: f32 = (0..4).map(|i| (bits >> (16 * i) & 0xffff) as f32 / 65536.0 - 0.5).sum();
        let noise = self.evaluation.noise * 3_f32.sqrt() * uniform;
        let scale = 37.0 * (3.0 * left).sqrt() / std::f32::consts::PI;
        let x = (self.sum as f32 + rest + 0.5) / scale + noise;
        Value::new(Player::FIRST, 1.0 / (1.0 + libm::expf(-x)))
    }

    /// The value under best play, by alpha-beta: takes up to `branching^depth` steps.
    pub fn solve(&self) -> Value {
        alpha_beta(self).value
    }

    fn child(&self, m: u16) -> PGame {
        let mut child = self.clone();
        child.play(m);
        child
    }
}

/// Tells the noise of a node from the values of its moves.
const NOISE: u64 = 0x6a09_e667_f3bc_c908;

impl Game for PGame {
    type Move = u16;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut Vec<u16>) {
        out.extend(0..self.branching);
    }

    fn play(&mut self, m: u16) {
        self.node = mix(self.node ^ mix(u64::from(m) + 1));
        let value = (self.node >> 57) as i32;
        self.sum += if self.to_move == Player::FIRST { value } else { value - LARGEST };
        self.to_move = self.to_move.other();
        self.left -= 1;
    }

    fn result(&self) -> Option<Value> {
        let winner = if self.sum > 0 { Player::FIRST } else { Player::SECOND };
        (self.left == 0).then_some(Value::win(winner))
    }

    fn most_moves(&self) -> Option<usize> {
        Some(self.branching.into())
    }

    fn hash(&self) -> Option<u64> {
        Some(self.node)
    }
}

impl Keyed for PGame {
    #[inline]
    fn keys(&self) -> usize {
        2 * usize::from(self.branching)
    }
}

impl Playouts for PGame {
    fn playout_result(&self) -> Option<Value> {
        if self.is_evaluated { Some(self.evaluation()) } else { self.result() }
    }
}

impl Knowledge for PGame {
    /// Softmax of the children's [evaluations](PGame::evaluation) x at the temperature T of
    /// [`StaticEvaluation`]: `exp(x / T)`.
    fn priors(&self, moves: &[u16], out: &mut Vec<f32>) {
        let value = |m: u16| self.child(m).evaluation().of(self.to_move);
        out.extend(moves.iter().map(|&m| libm::expf(value(m) / self.evaluation.temperature)));
    }
}

impl Notation for PGame {
    fn move_text(&self, m: u16) -> String {
        m.to_string()
    }
}

impl fmt::Display for PGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sum {}, {} moves left", self.sum, self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::{Rng, minimax};

    #[test]
    fn values_of_moves_are_uniform_and_of_their_players_sign() {
        let mut counts = [0; 128];
        for seed in 0..200 {
            let game = PGame::new(64, 2, seed).unwrap();
            for m in 0..64 {
                let child = game.child(m);
                counts[child.sum as usize] += 1;
                assert!((-LARGEST..=0).contains(&(child.child(m).sum - child.sum)));
            }
        }
        // 100 expected each, so a standard deviation of 10.
        assert!(counts.iter().all(|n| (50..150).contains(n)), "{counts:?}");
    }

    #[test]
    fn alpha_beta_solves_it() {
        let mut wins = 0.0;
        for seed in 0..100 {
            let game = PGame::new(3, 6, seed).unwrap();
            assert_eq!(game.solve(), minimax(&game).value);
            wins += game.solve().of(Player::FIRST);
        }
        assert!((20.0..=80.0).contains(&wins), "{wins} of 100 trees are won");
    }

    #[test]
    fn evaluations_foretell_random_play() {
        let (mut rng, mut buffer) = (Rng::new(1), Vec::new());
        for depth in [4, 5, 10] {
            let (mut error, mut mean_error) = (0.0, 0.0);
            for seed in 0..200 {
                let mut game = PGame::new(4, depth + 1, seed).unwrap();
                game.play(0);
                let value = game.evaluation().of(Player::FIRST);
                let results = (0..100).map(|_| game.clone().playout(&mut rng, &mut buffer, &mut ()));
                let mean = results.map(|r| r.of(Player::FIRST)).sum::<f32>() / 100.0;
                error += (value - mean).abs() / 200.0;
                mean_error += (value - mean) / 200.0;
            }
            assert!(error < 0.25 && mean_error.abs() < 0.1, "depth {depth}: {error}, {mean_error}");
        }
        let end = PGame::new(2, 1, 1).unwrap().child(0);
        assert_eq!(Some(end.evaluation()), end.result());
        let game = PGame::new(4, 9, 1).unwrap();
        let evaluated = game.clone().evaluated(StaticEvaluation::default());
        let result = evaluated.clone().playout(&mut rng, &mut buffer, &mut ());
        assert_eq!(result, game.evaluation(), "a playout is the evaluation");
        assert_eq!(evaluated.result(), None);
        assert!(PGame::new(0, 3, 1).is_err() && PGame::new(2, 0, 1).is_err());
    }
}
