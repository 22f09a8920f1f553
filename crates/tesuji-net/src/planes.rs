//! What a network sees of a position of Go.

use std::fmt;
use tesuji::Player;
use tesuji_go::Go;

/// Bits for the points of the largest board.
const WORDS: usize = 6;

/// The planes of Go (Silver et al. 2017): for the present position, then for each one before it, the stones of the player
/// to move and the stones of the opponent. Points are in rows from A1, as the policy has them. An odd number of planes
/// has one more, which is 1 everywhere where Black is to move.
///
/// 10 planes are the present position and 4 before it, 18 planes that and 8; positions before the first are empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Planes {
    positions: usize,
    colour: bool,
}

impl Planes {
    /// So many planes, at least 2.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn new(planes: usize) -> Result<Planes, PlanesError> {
        match planes {
            0 | 1 => Err(PlanesError(planes)),
            _ => Ok(Planes { positions: planes / 2, colour: planes % 2 == 1 }),
        }
    }

    /// How many positions are seen.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The past of a game that begins with this position.
    pub fn past<const STRIDE: usize, const LEN: usize>(&self, game: &Go<STRIDE, LEN>) -> Past {
        let mut past = Past {
            ring: vec![Seen::default(); self.positions],
            newest: 0,
            colour: self.colour,
            size: game.size(),
        };
        past.push(game);
        past
    }
}

/// A number of planes that does not describe a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanesError(usize);

impl fmt::Display for PlanesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} planes do not show a position of Go, at least 2 do", self.0)
    }
}

impl std::error::Error for PlanesError {}

/// The stones of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Seen {
    /// Black's, then White's.
    stones: [[u64; WORDS]; 2],
    hash: u64,
}

/// The last positions of a game, as many as a network sees.
///
/// ```
/// use tesuji::Game;
/// use tesuji_go::{Go9, Rules, Vertex};
/// use tesuji_net::Planes;
///
/// let mut game = Go9::new(9, Rules::default());
/// let mut past = Planes::new(10)?.past(&game);
/// game.play(Vertex::parse("B1").unwrap());
/// past.push(&game);
/// let mut planes = vec![0.0; 10 * 81];
/// past.write(game.to_move(), &mut planes);
/// assert_eq!(planes.iter().position(|&x| x == 1.0), Some(81 + 1));
/// # Ok::<(), tesuji_net::PlanesError>(())
/// ```
#[derive(Debug)]
pub struct Past {
    ring: Vec<Seen>,
    newest: usize,
    colour: bool,
    size: usize,
}

impl Past {
    /// Takes in the position after a move.
    pub fn push<const STRIDE: usize, const LEN: usize>(&mut self, game: &Go<STRIDE, LEN>) {
        let mut seen = Seen { hash: game.position_hash(), ..Seen::default() };
        for (point, v) in game.points().enumerate() {
            if let Some(player) = game.stone(v) {
                seen.stones[player.index() & 1][point / 64] |= 1 << (point % 64);
            }
        }
        self.newest = (self.newest + 1) % self.ring.len();
        self.ring[self.newest] = seen;
    }

    /// The positions from the present one back.
    fn positions(&self) -> impl Iterator<Item = &Seen> {
        let (new, old) = self.ring.split_at(self.newest + 1);
        new.iter().rev().chain(old.iter().rev())
    }

    /// Writes the planes, `[plane, y, x]`, for this player to move.
    ///
    /// # Panics
    /// If `planes` has not the number of planes times the number of points.
    pub fn write(&self, to_move: Player, planes: &mut [f32]) {
        let points = self.size * self.size;
        let count = 2 * self.ring.len() + usize::from(self.colour);
        assert_eq!(planes.len(), count * points, "there are {count} planes of {points} points");
        let own = to_move.index() & 1;
        let stones = self.positions().flat_map(|seen| [&seen.stones[own], &seen.stones[1 - own]]);
        let mut planes = planes.chunks_exact_mut(points);
        for (bits, plane) in stones.zip(&mut planes) {
            for (point, x) in plane.iter_mut().enumerate() {
                *x = ((bits[point / 64] >> (point % 64)) & 1) as f32;
            }
        }
        planes.for_each(|plane| plane.fill((1 - own) as f32));
    }

    /// A hash of all that [`Past::write`] writes.
    pub fn hash(&self, to_move: Player) -> u64 {
        let mix = |hash: u64, x: u64| {
            let hash = (hash ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^ (hash >> 29)
        };
        self.positions().fold(to_move.index() as u64 + 1, |hash, seen| mix(hash, seen.hash))
    }
}

impl Clone for Past {
    fn clone(&self) -> Past {
        Past { ring: self.ring.clone(), ..*self }
    }

    /// Allocates nothing where both see as many positions.
    fn clone_from(&mut self, other: &Past) {
        self.ring.clone_from(&other.ring);
        (self.newest, self.colour, self.size) = (other.newest, other.colour, other.size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::{Game, Rng};
    use tesuji_go::{Go9, Rules};

    /// The planes of all positions of a game, one after the other, from the positions themselves.
    fn plainly(games: &[Go9], positions: usize, colour: bool) -> Vec<f32> {
        let game = games.last().unwrap();
        let mut planes = Vec::new();
        for ago in 0..positions {
            for player in [game.to_move(), game.to_move().other()] {
                let then = games.len().checked_sub(ago + 1).map(|i| &games[i]);
                let is_there = |v| then.is_some_and(|then| then.stone(v) == Some(player));
                planes.extend(game.points().map(|v| f32::from(u8::from(is_there(v)))));
            }
        }
        if colour {
            let black = f32::from(u8::from(game.to_move() == Player::FIRST));
            planes.resize(planes.len() + game.size() * game.size(), black);
        }
        planes
    }

    #[test]
    fn planes_of_a_random_game() {
        let mut rng = Rng::new(4);
        for (count, size) in [(10, 9), (17, 5), (2, 7), (3, 2)] {
            let planes = Planes::new(count).unwrap();
            let mut games = vec![Go9::new(size, Rules::default())];
            let mut past = planes.past(&games[0]);
            for _ in 0..60 {
                let mut written = vec![f32::NAN; count * size * size];
                let game = games.last().unwrap().clone();
                past.write(game.to_move(), &mut written);
                assert_eq!(written, plainly(&games, count / 2, count % 2 == 1), "{game}");
                let mut moves = Vec::new();
                game.moves(&mut moves);
                let mut next = game;
                next.play(moves[rng.below(moves.len() as u32) as usize]);
                past.push(&next);
                games.push(next);
            }
        }
        assert_eq!(
            Planes::new(1).unwrap_err().to_string(),
            "1 planes do not show a position of Go, at least 2 do"
        );
    }

    #[test]
    fn the_hash_sees_what_the_planes_show() {
        let mut game = Go9::new(9, Rules::default());
        let mut past = Planes::new(4).unwrap().past(&game);
        let mut hashes = vec![past.hash(game.to_move())];
        for name in ["A1", "pass", "pass", "B2"] {
            game.play(tesuji_go::Vertex::parse(name).unwrap());
            past.push(&game);
            hashes.push(past.hash(game.to_move()));
        }
        for (i, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..i].contains(hash), "{i}");
        }
        let mut other = Planes::new(4).unwrap().past(&Go9::new(9, Rules::default()));
        other.clone_from(&past);
        assert_eq!(other.hash(game.to_move()), hashes[4]);
    }
}
