//! The planes by which a network sees a position of Go.

use super::katago_planes::{GLOBALS, PLANES};
use crate::go::Go;
use std::fmt;
use tesuji::Player;
use tesuji_net::Shape;

/// The planes of Go (Silver et al. 2017): for the present position, then for each one before it,
/// the stones of the player to move and the stones of the opponent. Points are in rows from A1, as
/// the policy has them. An odd number of planes has one more, which is 1 everywhere where Black is
/// to move.
///
/// 10 planes show the present position and 4 earlier ones, 18 planes show 8 earlier ones. Positions
/// before the first one, or before the last [`Go::set_up`], are empty.
///
/// ```
/// use tesuji::Game;
/// use tesuji_go::network::Planes;
/// use tesuji_go::{Go9, Rules, Vertex};
///
/// let mut game = Go9::new(9, Rules::default());
/// game.play(Vertex::parse("B1").unwrap());
/// let mut planes = vec![0.0; 10 * 81];
/// Planes::new(10)?.write(&game, &mut planes);
/// assert_eq!(planes.iter().position(|&x| x == 1.0), Some(81 + 1));
/// # Ok::<(), tesuji_go::network::PlanesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Planes {
    positions: usize,
    colour: bool,
}

impl Planes {
    /// A description of N planes (2 or more).
    ///
    /// # Errors
    /// If there are fewer.
    pub fn new(planes: usize) -> Result<Planes, PlanesError> {
        match planes {
            0 | 1 => Err(PlanesError::Plain(planes)),
            _ => Ok(Planes { positions: planes / 2, colour: planes % 2 == 1 }),
        }
    }

    /// Those of a network for one board.
    ///
    /// # Errors
    /// If it has fewer than two planes, or its moves are not points and the pass.
    pub fn of(shape: &Shape) -> Result<Planes, PlanesError> {
        match shape.actions {
            0 => Planes::new(shape.planes),
            actions => Err(PlanesError::Actions(actions)),
        }
    }

    /// The number of planes.
    pub fn count(&self) -> usize {
        2 * self.positions + usize::from(self.colour)
    }

    /// Writes the planes of a position, `[plane, y, x]`. Allocates nothing.
    ///
    /// # Panics
    /// If `planes` has not the number of planes times the number of points.
    pub fn write<const STRIDE: usize, const LEN: usize>(&self, game: &Go<STRIDE, LEN>, planes: &mut [f32]) {
        let points = game.size() * game.size();
        let count = self.count();
        assert_eq!(planes.len(), count * points, "there are {count} planes of {points} points");
        planes.fill(0.0);
        let own = game.to_move;
        let plane_of = |player: Player| if player == own { 0 } else { points };
        for (point, v) in game.points().enumerate() {
            if let Some(player) = game.stone(v) {
                planes[plane_of(player) + point] = 1.0;
            }
        }
        let mut back = game.history.back();
        for ago in 1..self.positions {
            let Some(undo) = back.step(points) else { break };
            let (later, pair) = planes[2 * (ago - 1) * points..].split_at_mut(2 * points);
            pair[..2 * points].copy_from_slice(later);
            if undo.point == points {
                continue;
            }
            let suicide = undo.captured().any(|point| point == undo.point);
            let captured = plane_of(if suicide { undo.player } else { undo.player.other() });
            undo.captured().for_each(|point| pair[captured + point] = 1.0);
            pair[plane_of(undo.player) + undo.point] = 0.0;
        }
        if self.colour && own == Player::FIRST {
            planes[2 * self.positions * points..].fill(1.0);
        }
    }

    /// A hash of all that [`Planes::write`] writes.
    pub fn hash<const STRIDE: usize, const LEN: usize>(&self, game: &Go<STRIDE, LEN>) -> u64 {
        let mix = |hash: u64, x: u64| {
            let hash = (hash ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^ (hash >> 29)
        };
        let points = game.size() * game.size();
        let mut back = game.history.back();
        let mut hash = mix(game.to_move.index() as u64 + 1, back.hash());
        for _ in 1..self.positions {
            let seen = back.step(points).map(|_| back.hash());
            hash = mix(hash, seen.unwrap_or_default());
        }
        // The best mixed bits are the highest.
        mix(hash, 0)
    }
}

/// Inputs that do not describe a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanesError {
    /// A network for one board with N planes.
    Plain(usize),
    /// A network with a number of actions.
    Actions(usize),
    /// A pooling network with other planes or numbers than KataGo's.
    Pooling {
        /// Its planes.
        planes: usize,
        /// Its numbers for the whole position.
        globals: usize,
    },
}

impl fmt::Display for PlanesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanesError::Plain(planes) => {
                write!(f, "{planes} planes cannot show a position of Go; accepted: at least 2")
            }
            PlanesError::Actions(actions) => write!(
                f,
                "a network with {actions} actions is for another game than Go; accepted: one whose moves are points"
            ),
            PlanesError::Pooling { planes, globals } => write!(
                f,
                "{planes} planes and {globals} numbers cannot show a position of Go; accepted in a network that pools: {PLANES} \
                 and {GLOBALS}"
            ),
        }
    }
}

impl std::error::Error for PlanesError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Go9, Rules, Vertex};
    use tesuji::{Game, Rng};

    /// The planes of the last of all positions of a game, from the positions themselves.
    fn plainly(games: &[Go9], planes: Planes) -> Vec<f32> {
        let game = games.last().unwrap();
        let mut written = Vec::new();
        for ago in 0..planes.positions {
            for player in [game.to_move(), game.to_move().other()] {
                let then = games.len().checked_sub(ago + 1).map(|i| &games[i]);
                let is_there = |v| then.is_some_and(|then| then.stone(v) == Some(player));
                written.extend(game.points().map(|v| f32::from(u8::from(is_there(v)))));
            }
        }
        if planes.colour {
            let black = f32::from(u8::from(game.to_move() == Player::FIRST));
            written.resize(written.len() + game.size() * game.size(), black);
        }
        written
    }

    /// Random games with captures, passes and suicides, moves out of turn, set-ups and handicaps on
    /// the way.
    #[test]
    fn planes_of_random_games() {
        let mut rng = Rng::new(4);
        let (mut captures, mut suicides, mut passes) = (0, 0, 0);
        for (count, size) in [(10, 9), (11, 9), (18, 9), (17, 5), (2, 7), (3, 2), (16, 3), (40, 4)] {
            let planes = Planes::new(count).unwrap();
            let mut games = vec![Go9::new(size, Rules { suicide: true, ..Rules::default() })];
            if size == 9 {
                let points = games[0].fixed_handicap(4).unwrap();
                games[0].place_handicap(&points).unwrap();
            }
            let mut seen: Vec<(Vec<f32>, u64)> = Vec::new();
            for turn in 0..200 {
                let game = games.last().unwrap().clone();
                let mut written = vec![f32::NAN; planes.count() * size * size];
                planes.write(&game, &mut written);
                assert_eq!(written, plainly(&games, planes), "{count} planes\n{game}");
                let hash = planes.hash(&game);
                for (before, other) in &seen {
                    assert_eq!(*before == written, *other == hash, "{count} planes\n{game}");
                }
                // Where planes do not tell the colour, the same planes have two hashes.
                if planes.colour {
                    seen.push((written, hash));
                }
                let mut next = game.clone();
                match rng.below(60) {
                    0 if turn > 60 => {
                        let stones: Vec<_> = game.points().map(|v| (v, next.stone(v))).collect();
                        let gone = stones[rng.below(stones.len() as u32) as usize].0;
                        next.set_up(&[(gone, None)]).unwrap();
                        games.clear();
                    }
                    1 => next.set_to_move(game.to_move().other()),
                    2..5 => {
                        next.play(Vertex::PASS);
                        passes += 1;
                        games.push(next);
                        continue;
                    }
                    _ => {
                        let mut moves = Vec::new();
                        next.moves(&mut moves);
                        let m = moves[rng.below(moves.len() as u32) as usize];
                        next.play(m);
                        let lost =
                            game.points().filter(|&v| game.stone(v).is_some() && next.stone(v).is_none());
                        captures += lost.count();
                        suicides += usize::from(!m.is_pass() && next.stone(m).is_none());
                        games.push(next);
                        continue;
                    }
                }
                // The same position, with another past or player.
                games.pop();
                games.push(next);
            }
        }
        assert!(captures > 500 && suicides > 5 && passes > 20, "{captures} {suicides} {passes}");
        assert_eq!(
            Planes::new(1).unwrap_err().to_string(),
            "1 planes cannot show a position of Go; accepted: at least 2"
        );
    }

    #[test]
    fn a_copy_has_the_same_past() {
        let mut game = Go9::new(9, Rules::default());
        for name in ["A1", "B1", "pass", "A2"] {
            game.play(Vertex::parse(name).unwrap());
        }
        let planes = Planes::new(8).unwrap();
        let mut other = Go9::new(9, Rules::default());
        let before = planes.hash(&other);
        other.clone_from(&game);
        assert_ne!(planes.hash(&game), before);
        for copy in [&other, &game.clone()] {
            let mut written = [vec![0.0; 8 * 81], vec![0.0; 8 * 81]];
            planes.write(&game, &mut written[0]);
            planes.write(copy, &mut written[1]);
            assert_eq!(written[0], written[1]);
            assert_eq!(planes.hash(copy), planes.hash(&game));
        }
    }
}
