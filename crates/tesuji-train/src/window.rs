//! The latest positions, from which batches are drawn.

use crate::bytes::FormatError;
use crate::error::ReplayError;
use crate::game::TrainingGame;
use crate::replay::{Goal, Pick};
use crate::settings::Learning;
use crate::trainable::TrainableGame;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use tesuji::Rng;
use tesuji_net::{Batch, Shape, Symmetry};

/// The latest games that fit into a given number of positions to train on.
///
/// Batches are drawn from it at random, in one of the eight symmetries: every position is equally
/// likely, or those of a game by their [surprise](Window::by_surprise). But a batch has at most one
/// position of each game. If a batch has more positions than there are games, it takes as few per
/// game as possible; then the positions of short games are drawn more often. If games are on boards
/// of several sizes, all positions of a batch are from boards of one size; a size is drawn as often
/// as it has positions.
#[derive(Clone, Debug)]
pub struct Window {
    most: u64,
    surprise: f32,
    games: VecDeque<Entry>,
    /// The number of games on boards of each size.
    boards: BTreeMap<usize, usize>,
    /// Positions of games that are no longer there.
    gone: u64,
}

#[derive(Clone, Debug)]
struct Entry {
    /// All positions up to this game and with it.
    end: u64,
    /// Rows of its board.
    board: usize,
    /// The weights of its positions, in sums.
    weights: Box<[f32]>,
    bytes: Box<[u8]>,
}

impl Window {
    /// An empty window for at most `most` positions; one game may be larger than that.
    pub fn new(most: u64) -> Window {
        Window { most, surprise: 0.0, games: VecDeque::new(), boards: BTreeMap::new(), gone: 0 }
    }

    /// An empty window by these settings.
    pub fn of(learning: &Learning) -> Window {
        Window::new(learning.window).by_surprise(learning.surprise as f32)
    }

    /// The same, where this share of the samples of the games to come is drawn by surprise, see
    /// [`TrainingGame::by_surprise`]. In [0, 1]. Default: 0.
    pub fn by_surprise(mut self, share: f32) -> Window {
        self.surprise = share;
        self
    }

    /// From now on, the window has at most `most` positions.
    pub fn resize(&mut self, most: u64) {
        self.most = most;
    }

    /// Adds a game. Games without positions to train on are left out.
    pub fn push(&mut self, game: &TrainingGame) {
        let weights = game.by_surprise(self.surprise);
        if weights.is_empty() {
            return;
        }
        let end = self.end() + weights.len() as u64;
        let (board, bytes) = (game.size, game.to_bytes().into());
        self.games.push_back(Entry { end, board, weights: weights.into(), bytes });
        *self.boards.entry(board).or_default() += 1;
        while self.positions() > self.most && self.games.len() > 1 {
            let Some(oldest) = self.games.pop_front() else { return };
            self.gone = oldest.end;
            self.boards.entry(oldest.board).and_modify(|games| *games -= 1);
            self.boards.retain(|_, games| *games > 0);
        }
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.end() - self.gone
    }

    fn end(&self) -> u64 {
        self.games.back().map_or(self.gone, |game| game.end)
    }

    /// A position: its place among all, and that of its game in the window.
    fn place(&self, rng: &mut Rng) -> (u64, usize) {
        let place = self.gone + rng.bits() % self.positions();
        (place, self.games.partition_point(|game| game.end <= place))
    }

    /// Draws positions of one board: for each game by its place in the window, what is picked of
    /// it.
    fn draw(&self, count: usize, rng: &mut Rng) -> BTreeMap<usize, Vec<Pick>> {
        let mut drawn: BTreeMap<usize, Vec<Pick>> = BTreeMap::new();
        let has_several = self.boards.len() > 1;
        let board = if has_several { self.games[self.place(rng).1].board } else { 0 };
        let games = if has_several { self.boards[&board] } else { self.games.len() };
        let most = count.div_ceil(games.max(1));
        for _ in 0..count {
            loop {
                let (place, game) = self.place(rng);
                if has_several && self.games[game].board != board {
                    continue;
                }
                let symmetry = Symmetry::ALL[rng.below(8) as usize];
                let Entry { end, weights, .. } = &self.games[game];
                let mut at = (weights.len() as u64 - (end - place)) as f32;
                if self.surprise > 0.0 {
                    at += rng.unit();
                }
                let picks = drawn.entry(game).or_default();
                if picks.len() < most {
                    let position = weights.partition_point(|&end| end <= at).min(weights.len() - 1);
                    picks.push(Pick { position, symmetry });
                    break;
                }
            }
        }
        drawn
    }

    /// The batch of a step of `count` positions of this game; the same for the same seed and number
    /// of the step. It is for networks of this shape, for a pooling one on the board of its games.
    ///
    /// # Errors
    /// If the window is empty, or a game in it is corrupt.
    pub fn batch(
        &self,
        game: &dyn TrainableGame,
        shape: Shape,
        goal: &Goal,
        count: usize,
        seed: u64,
        step: u64,
    ) -> Result<Batch, WindowError> {
        if self.games.is_empty() {
            return Err(WindowError::Empty);
        }
        let drawn = self.draw(count, &mut Rng::new(Rng::derive(seed, step)));
        let board = drawn.keys().next().map_or(shape.board, |&place| self.games[place].board);
        let board = if shape.pools() { board } else { shape.board };
        let mut batch = Batch::new(Shape { board, ..shape });
        for (place, picks) in drawn {
            let record = TrainingGame::from_bytes(&self.games[place].bytes).map_err(WindowError::Format)?;
            game.add_positions(&record, goal, &picks, &mut batch).map_err(WindowError::Replay)?;
        }
        Ok(batch)
    }
}

/// No batch can be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WindowError {
    /// There is no position.
    Empty,
    /// A game cannot be read.
    Format(FormatError),
    /// A game cannot be replayed.
    Replay(ReplayError),
}

impl fmt::Display for WindowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WindowError::Empty => f.write_str("there is no position to train on"),
            WindowError::Format(error) => write!(f, "{error}"),
            WindowError::Replay(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for WindowError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{End, Target, Turn};
    use crate::policy::Policy;
    use std::collections::BTreeSet;
    use tesuji::Player;
    use tesuji_go::Komi;

    /// A game of N positions; of every second one the surprise is 3, of the others 0.
    fn game(positions: usize) -> TrainingGame {
        game_on(9, positions)
    }

    fn game_on(size: usize, positions: usize) -> TrainingGame {
        let target = |ply: usize| Target {
            policy: Policy::sure(0),
            value: 0.5,
            outlook: None,
            surprise: Some(3.0 * (ply % 2) as f32),
        };
        TrainingGame {
            size,
            actions: size * size + 1,
            komi: Komi::from_halves(15),
            stones: Vec::new(),
            first: Player::FIRST,
            turns: (0..positions).map(|ply| Turn { m: 0, target: Some(target(ply)) }).collect(),
            winner: None,
            end: End::Unknown,
        }
    }

    fn window(most: u64, positions: impl IntoIterator<Item = usize>) -> Window {
        let mut window = Window::new(most);
        positions.into_iter().for_each(|positions| window.push(&game(positions)));
        window
    }

    #[test]
    fn weights_follow_the_surprise() {
        assert_eq!(game(3).by_surprise(0.0), [1.0, 2.0, 3.0]);
        assert_eq!(game(1).by_surprise(0.5), [1.0], "no surprise at all");
        assert_eq!(game(4).by_surprise(0.5), [0.5, 2.0, 2.5, 4.0]);
        assert_eq!(game(4).by_surprise(1.0), [0.0, 2.0, 2.0, 4.0]);
    }

    #[test]
    fn draws_follow_the_surprise() {
        let mut window = Window::new(100).by_surprise(0.5);
        window.push(&game(10));
        let (mut rng, mut odd) = (Rng::new(1), 0);
        for _ in 0..1000 {
            odd += window.draw(1, &mut rng)[&0].iter().filter(|pick| pick.position % 2 == 1).count();
        }
        assert!((700..800).contains(&odd), "three quarters: {odd}");
    }

    /// A batch is of one board, and a board has as many of them as it has positions.
    #[test]
    fn batches_are_of_one_board() {
        let mut window = Window::new(300);
        for i in 0..60 {
            window.push(&game_on([9, 7, 5][i % 3], [10, 4, 1][i % 3]));
        }
        assert_eq!(window.boards, BTreeMap::from([(5, 20), (7, 20), (9, 20)]));
        let (mut rng, mut batches) = (Rng::new(1), BTreeMap::<usize, usize>::new());
        for _ in 0..3000 {
            let drawn = window.draw(30, &mut rng);
            assert!(drawn.values().all(|picks| picks.len() <= 2));
            let boards: BTreeSet<usize> = drawn.keys().map(|&place| window.games[place].board).collect();
            assert_eq!(boards.len(), 1);
            *batches.entry(*boards.first().unwrap()).or_default() += 1;
        }
        for (board, expected) in [(9, 2000), (7, 800), (5, 200)] {
            assert!(batches[&board].abs_diff(expected) < 120, "{batches:?}");
        }
        window.resize(1);
        window.push(&game(3));
        assert_eq!(window.boards, BTreeMap::from([(9, 1)]));
    }

    #[test]
    fn the_latest_games_stay() {
        let all = window(100, [60, 0, 30, 20, 50]);
        assert_eq!((all.games(), all.positions()), (3, 100));
        let one = window(100, [10, 300]);
        assert_eq!((one.games(), one.positions()), (1, 300));
        // What is there does not depend on what was before.
        let (long, short) = (window(70, [40, 50, 20, 30, 20]), window(70, [30, 20]));
        assert_eq!((long.games(), long.positions()), (3, 70));
        assert_eq!((short.games(), short.positions()), (2, 50));
    }

    #[test]
    fn positions_are_equally_likely_and_games_are_not_drawn_twice() {
        let window = window(1000, [10, 1, 30, 5]);
        let mut rng = Rng::new(3);
        let mut counts = [[0; 30]; 4];
        for _ in 0..4600 {
            for (game, picks) in window.draw(1, &mut rng) {
                picks.iter().for_each(|pick| counts[game][pick.position] += 1);
            }
        }
        for (game, positions) in [10, 1, 30, 5].into_iter().enumerate() {
            assert!(counts[game][..positions].iter().all(|n| (60..145).contains(n)), "{counts:?}");
            assert!(counts[game][positions..].iter().all(|&n| n == 0));
        }
        for (count, most) in [(4, 1), (5, 2), (17, 5)] {
            let drawn = window.draw(count, &mut rng);
            assert_eq!(drawn.values().map(Vec::len).sum::<usize>(), count);
            assert!(drawn.values().all(|picks| picks.len() <= most), "{drawn:?}");
        }
    }
}
