//! Go on boards of several sizes, for one pooling network.

use crate::error::{ReplayError, SelfPlayError};
use crate::game::TrainingGame;
use crate::replay::{Goal, Pick, Replayed};
use crate::self_play::{SelfPlayed, SelfPlayer};
use crate::settings::SelfPlay;
use crate::teacher::Teacher;
use crate::trainable::{TrainableGame, trainable_go};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tesuji::{NetworkOptions, Rng, Stop};
use tesuji_go::Rules;
use tesuji_net::{Batch, Parameters, ReadyNetwork, Shape};

/// Go on the boards of some settings of self-play; `size` is the board of the network's shape, on
/// which it is measured. Without [boards](SelfPlay::boards), it is [`trainable_go`].
///
/// # Panics
/// If a size is not 2 to 19, see [`SelfPlay::check`].
///
/// ```
/// use tesuji_go::Rules;
/// use tesuji_train::{SelfPlay, trainable_go_on};
///
/// let settings = SelfPlay { boards: vec![(7, 1), (9, 3)], ..SelfPlay::default() };
/// assert_eq!(trainable_go_on(9, &settings, Rules::default()).boards(), [7, 9]);
/// ```
pub fn trainable_go_on(size: usize, settings: &SelfPlay, rules: Rules) -> Box<dyn TrainableGame> {
    let own = trainable_go(size, rules);
    if settings.boards.is_empty() {
        return own;
    }
    let games = settings.boards.iter().map(|&(size, _)| trainable_go(size, rules)).collect();
    Box::new(GoBoards { own, games })
}

#[derive(Debug)]
struct GoBoards {
    /// On the board of the network's shape.
    own: Box<dyn TrainableGame>,
    games: Vec<Box<dyn TrainableGame>>,
}

impl GoBoards {
    /// The game on a board of this size.
    fn of(&self, size: usize) -> Result<&dyn TrainableGame, ReplayError> {
        let game = self.games.iter().find(|game| game.board() == size);
        let wanted = self.own.board();
        game.map(|game| &**game).ok_or(ReplayError::Board { found: size, wanted })
    }

    /// A teacher for each board.
    fn teachers<E>(
        &self,
        teacher: impl FnMut(&dyn TrainableGame) -> Result<Box<dyn Teacher>, E>,
    ) -> Result<Box<dyn Teacher>, E> {
        let teachers = self.games.iter().map(|game| &**game).map(teacher).collect::<Result<_, E>>()?;
        Ok(Box::new(Teachers { boards: self.boards(), teachers }))
    }
}

impl TrainableGame for GoBoards {
    fn board(&self) -> usize {
        self.own.board()
    }

    fn boards(&self) -> Vec<usize> {
        self.games.iter().map(|game| game.board()).collect()
    }

    fn fixed(&self) -> Option<[usize; 2]> {
        None
    }

    fn check(&self, shape: &Shape) -> Result<(), ReplayError> {
        if !shape.pools() {
            return Err(ReplayError::Inputs(
                "a network without globals is for one board; accepted with several: globals = 19, planes = 22"
                    .to_owned(),
            ));
        }
        self.own.check(shape)
    }

    fn new_network(&self, shape: Shape, seed: u64) -> Parameters {
        self.own.new_network(shape, seed)
    }

    fn self_player(
        &self,
        networks: &[ReadyNetwork],
        settings: &SelfPlay,
    ) -> Result<Box<dyn SelfPlayer>, SelfPlayError> {
        let [boards, found] = [self.games.len(), networks.len()];
        if boards != found || boards != settings.boards.len() {
            return Err(SelfPlayError(format!("there are {found} networks for {boards} boards")));
        }
        let pairs = self.games.iter().zip(networks);
        let players = pairs.map(|(game, network)| game.self_player(std::slice::from_ref(network), settings));
        let players = players.collect::<Result<_, _>>()?;
        let shares = settings.boards.iter().map(|&(_, share)| share).collect();
        let queues = vec![VecDeque::new(); boards];
        Ok(Box::new(Players { shares, players, queues, open: vec![0; boards], pool: settings.pool }))
    }

    fn add_positions(
        &self,
        game: &TrainingGame,
        goal: &Goal,
        picks: &[Pick],
        batch: &mut Batch,
    ) -> Result<(), ReplayError> {
        self.of(game.size)?.add_positions(game, goal, picks, batch)
    }

    fn replay(&self, game: &TrainingGame) -> Result<Replayed, ReplayError> {
        self.of(game.size)?.replay(game)
    }

    fn teacher(&self, options: &NetworkOptions, every: u32) -> Result<Box<dyn Teacher>, String> {
        self.teachers(|game| game.teacher(options, every))
    }

    fn teacher_of(
        &self,
        networks: &[ReadyNetwork],
        options: &NetworkOptions,
        every: u32,
    ) -> Result<Box<dyn Teacher>, SelfPlayError> {
        let mut networks = networks.iter();
        self.teachers(|game| {
            let network = networks.next().map_or(&[][..], std::slice::from_ref);
            game.teacher_of(network, options, every)
        })
    }
}

/// The player of each board.
struct Players {
    /// How often a game is on each board.
    shares: Vec<u32>,
    players: Vec<Box<dyn SelfPlayer>>,
    /// Numbers and seeds of games that have not begun.
    queues: Vec<VecDeque<(u64, u64)>>,
    /// Games that have not ended.
    open: Vec<usize>,
    /// Games that have not ended, at most, on all boards together.
    pool: usize,
}

/// Keeps the random number of the board apart from those of its game.
const BOARD: u64 = 0x0062_6f61_7264;

impl Players {
    /// The index of the board of a game.
    fn board_of(&self, seed: u64) -> usize {
        let mut drawn = Rng::new(Rng::derive(seed, BOARD)).below(self.shares.iter().sum());
        let is_it = |&share: &u32| {
            let is_it = drawn < share;
            drawn = drawn.wrapping_sub(share);
            is_it
        };
        self.shares.iter().position(is_it).expect("the number is below the sum")
    }
}

impl SelfPlayer for Players {
    fn play(&mut self, games: &mut dyn Iterator<Item = (u64, u64)>, stop: &Stop) -> Option<SelfPlayed> {
        while self.open.iter().sum::<usize>() < self.pool
            && let Some((number, seed)) = games.next()
        {
            let board = self.board_of(seed);
            self.queues[board].push_back((number, seed));
            self.open[board] += 1;
        }
        // Games of one board end before those of the next: so more of them are evaluated together.
        let board = self.open.iter().position(|&open| open > 0)?;
        let queue = &mut self.queues[board];
        let played = self.players[board].play(&mut std::iter::from_fn(|| queue.pop_front()), stop)?;
        self.open[board] -= 1;
        Some(played)
    }

    fn count_simulations(&mut self, count: Arc<AtomicU64>) {
        self.players.iter_mut().for_each(|player| player.count_simulations(count.clone()));
    }
}

/// The teacher of each board.
#[derive(Debug)]
struct Teachers {
    boards: Vec<usize>,
    teachers: Vec<Box<dyn Teacher>>,
}

impl Teacher for Teachers {
    fn label(&mut self, game: TrainingGame) -> Result<TrainingGame, ReplayError> {
        let at = self.boards.iter().position(|&board| board == game.size);
        let at = at.ok_or(ReplayError::Board { found: game.size, wanted: self.boards[0] })?;
        self.teachers[at].label(game)
    }

    fn boxed(&self) -> Box<dyn Teacher> {
        Box::new(Teachers { boards: self.boards.clone(), teachers: self.teachers.clone() })
    }
}
