//! Games of a network against itself.

use crate::replay::number;
use crate::{End, Policy, SelfPlay, Target, TrainingGame, Turn};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tesuji::recipe::Recipe;
use tesuji::{
    AnyBackup, AnyPlayout, AnySelect, AskTell, Budget, Ended, Evaluate, Evaluation, Game, Gumbel, Mean,
    NetworkOptions, Options, Outcome, Player, Pool, Rng, RootPolicy, Stop,
};
use tesuji_agents::Playable;
use tesuji_go::network::{NetEvaluator, ReadyNetwork};
use tesuji_go::{Go, Rules, Vertex, with_go};
use tesuji_net::Cache;

/// Plays games with one network on both sides, several games side by side ([`SelfPlay::pool`]).
pub trait SelfPlayer: Send {
    /// Plays on until a game ends. While there is room, it takes further games, each with a number
    /// and a seed. None if no game is left or it was stopped. A game is a function of the network
    /// and its seed; other games have no effect on it.
    fn play(&mut self, games: &mut dyn Iterator<Item = (u64, u64)>, stop: &Stop) -> Option<SelfPlayed>;

    /// From now on, adds the simulations to this count while it plays.
    fn count_simulations(&mut self, count: Arc<AtomicU64>);
}

/// A game of self-play.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlayed {
    /// The game's number.
    pub number: u64,
    /// The game.
    pub game: TrainingGame,
    /// Positions that were evaluated, or whose evaluations were in the cache.
    pub evaluations: u64,
    /// The positions among them that were in the cache. Games side by side share the cache: a hit
    /// counts for the next game that ends.
    pub hits: u64,
}

/// A player on a board of this size.
///
/// # Errors
/// If the network is for another board or shows no position, or a setting is out of its range.
pub fn self_player(
    size: usize,
    rules: Rules,
    network: &ReadyNetwork,
    settings: &SelfPlay,
) -> Result<Box<dyn SelfPlayer>, SelfPlayError> {
    settings.check().map_err(SelfPlayError)?;
    let board = network.board();
    if board != size {
        return Err(SelfPlayError(format!(
            "the network is for {board}x{board}, the game is on {size}x{size}"
        )));
    }
    with_go!(size, rules, |go| {
        let player = GoPlayer::new(go, network, settings);
        player.map(|player| Box::new(player) as Box<dyn SelfPlayer>)
    })
}

/// Why a network cannot play against itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayError(String);

impl fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SelfPlayError {}

type Driven<G> = dyn AskTell<G> + Send;

/// The searches of a game.
struct Searches<G: Game> {
    /// What is learned.
    full: Option<Box<Driven<G>>>,
    /// What only leads the game on, if not all searches are full.
    cheap: Option<Box<Driven<G>>>,
}

/// A game that is being played.
struct Running<G: Game> {
    number: u64,
    go: G,
    rng: Rng,
    /// Whether a player may resign.
    resigns: bool,
    turns: Vec<Turn>,
    searches: Searches<G>,
    evaluations: u64,
}

struct GoPlayer<const STRIDE: usize, const LEN: usize> {
    start: Go<STRIDE, LEN>,
    settings: SelfPlay,
    /// Searches under way, each with its game and whether it is full.
    pool: Pool<Go<STRIDE, LEN>, (Running<Go<STRIDE, LEN>>, bool)>,
    /// Of games that have ended, for those to come.
    spare: Vec<Searches<Go<STRIDE, LEN>>>,
    ended: Vec<SelfPlayed>,
    evaluator: Counted,
    target: Vec<(Vertex<STRIDE>, f32)>,
    simulations: Arc<AtomicU64>,
}

impl<const STRIDE: usize, const LEN: usize> GoPlayer<STRIDE, LEN>
where
    Go<STRIDE, LEN>: Playable<Move = Vertex<STRIDE>>,
{
    fn new(
        start: Go<STRIDE, LEN>,
        network: &ReadyNetwork,
        settings: &SelfPlay,
    ) -> Result<Self, SelfPlayError> {
        let reserved = Vec::<u8>::new().try_reserve_exact(settings.cache << 20);
        reserved.map_err(|_| {
            SelfPlayError(format!("cache is {} MiB, more than this machine can give", settings.cache))
        })?;
        let cache = (settings.cache << 20) / Cache::bytes_per_slot(start.size() * start.size() + 1);
        let options = NetworkOptions { cache, ..NetworkOptions::default() };
        let evaluator =
            NetEvaluator::of(network, &options).map_err(|error| SelfPlayError(error.to_string()))?;
        let evaluator = Counted { evaluator, hits: Arc::default() };
        let mut player = GoPlayer {
            pool: Pool::new(Some(Box::new(evaluator.clone()))),
            spare: Vec::new(),
            ended: Vec::new(),
            settings: settings.clone(),
            evaluator,
            target: Vec::new(),
            simulations: Arc::default(),
            start,
        };
        let searches = player.searches()?;
        player.spare.push(searches);
        Ok(player)
    }

    /// Searches for one more game.
    fn searches(&self) -> Result<Searches<Go<STRIDE, LEN>>, SelfPlayError> {
        let settings = &self.settings;
        let search = |root: RootPolicy| {
            let options = Options { root, ..Options::default() };
            let recipe = Recipe::of_parts(
                "self-play",
                AnySelect::Puct(settings.select),
                AnyBackup::Mean(Mean {}),
                AnyPlayout::Net {},
                options,
            );
            let evaluator = Box::new(self.evaluator.clone());
            let search = self.start.driven_by(&recipe, Some(evaluator), 0);
            search.map_err(|error| SelfPlayError(error.to_string()))
        };
        let silent = match &settings.root {
            RootPolicy::Gumbel(gumbel) => RootPolicy::Gumbel(Gumbel { noise: 0.0, ..gumbel.clone() }),
            _ => RootPolicy::Plain,
        };
        let is_mixed = settings.full < 1.0;
        Ok(Searches {
            full: Some(search(settings.root.clone())?),
            cheap: is_mixed.then(|| search(silent)).transpose()?,
        })
    }

    /// Begins a game.
    fn begin(&mut self, number: u64, seed: u64) {
        let spare = self.spare.pop();
        let mut searches = spare.unwrap_or_else(|| self.searches().expect("such searches were made before"));
        let (mut rng, mut go) = (Rng::new(seed), self.start.clone());
        if let Some(komi) = &self.settings.komi {
            go.set_komi(komi.draw(&mut rng));
        }
        let random = self.settings.opening.map(|most| rng.below(most + 1)).unwrap_or_default();
        for (number, search) in (0..).zip([&mut searches.full, &mut searches.cheap]) {
            if let Some(search) = search {
                search.new_game(&go, Rng::derive(seed, number)).expect("all games have this board");
            }
        }
        let resigns = self.settings.resign > 0.0 && rng.unit() >= self.settings.no_resign;
        let mut turns = Vec::new();
        while go.move_number() < random && go.move_number() < self.longest() && go.result().is_none() {
            let m = random_point(&go, &mut rng);
            turns.push(Turn { m: self::number(&go, m), target: None });
            go.play(m);
        }
        self.search(Running { number, go, rng, resigns, turns, searches, evaluations: 0 });
    }

    /// Moves of a game at most.
    fn longest(&self) -> u32 {
        match self.settings.longest {
            0 => 3 * (self.start.size() * self.start.size()) as u32,
            longest => longest,
        }
    }

    /// Begins the search for the next move of a game, if it goes on.
    fn search(&mut self, mut game: Running<Go<STRIDE, LEN>>) {
        let SelfPlay { simulations, full, cheap, .. } = self.settings;
        let (go, longest) = (&game.go, self.longest());
        if let Some(value) = go.result() {
            return self.end(game, value, End::Passes);
        }
        if go.move_number() >= longest {
            let value = go.value();
            return self.end(game, value, End::Length);
        }
        let is_full = game.searches.cheap.is_none() || game.rng.unit() < full;
        let Searches { full, cheap: other } = &mut game.searches;
        let (search, n) = if is_full { (full, simulations) } else { (other, cheap) };
        let search = search.take().expect("a game makes one search at a time");
        let go = game.go.clone();
        let added = self.pool.add((game, is_full), search, &go, &Budget::simulations(n));
        added.expect("the game is not over");
    }

    /// Plays the move that a search has found.
    fn play_move(
        &mut self,
        mut game: Running<Go<STRIDE, LEN>>,
        mut search: Box<Driven<Go<STRIDE, LEN>>>,
        is_full: bool,
    ) {
        let SelfPlay { tempered, resign, .. } = self.settings;
        let choice = search.decide().expect("the search has ended");
        self.target.clear();
        search.policy_target(&mut self.target);
        let kept = if is_full { &mut game.searches.full } else { &mut game.searches.cheap };
        *kept = Some(search);
        if game.resigns && is_full && choice.value < resign {
            let winner = game.go.to_move().other();
            return self.end(game, tesuji::Value::win(winner), End::Resignation);
        }
        let draws = !matches!(self.settings.root, RootPolicy::Gumbel(_));
        let is_drawn = draws && game.go.move_number() < tempered;
        let drawn = if is_drawn { self.draw(&mut game.rng) } else { None };
        let m = drawn.unwrap_or(choice.best);
        let target = is_full.then(|| Target { policy: self.policy(), value: choice.value, outlook: None });
        game.turns.push(Turn { m: number(&game.go, m), target });
        game.go.play(m);
        self.search(game);
    }

    /// Hands a game in.
    fn end(&mut self, game: Running<Go<STRIDE, LEN>>, value: tesuji::Value, end: End) {
        let Running { number, go, turns, searches, evaluations, .. } = game;
        self.spare.push(searches);
        let winner = match value.of(Player::FIRST) {
            0.0 => Some(Player::SECOND),
            1.0 => Some(Player::FIRST),
            _ => None,
        };
        let hits = self.evaluator.hits.load(Ordering::Relaxed).min(evaluations);
        self.evaluator.hits.fetch_sub(hits, Ordering::Relaxed);
        self.ended.push(SelfPlayed {
            number,
            game: TrainingGame {
                size: go.size(),
                komi: go.komi(),
                stones: Vec::new(),
                first: Player::FIRST,
                turns,
                winner,
                end,
            },
            evaluations,
            hits,
        });
    }

    /// What the policy of a position should be, by move.
    fn policy(&self) -> Policy {
        let size = self.start.size();
        let mut probabilities = vec![0.0; size * size + 1];
        for &(m, p) in &self.target {
            probabilities[usize::from(number(&self.start, m))] = p;
        }
        Policy::of(&probabilities)
    }

    /// A move drawn with a probability proportional to that of the target to the power
    /// 1/temperature.
    fn draw(&self, rng: &mut Rng) -> Option<Vertex<STRIDE>> {
        let weight = |p: f32| p.powf(1.0 / self.settings.temperature);
        let total: f32 = self.target.iter().map(|&(_, p)| weight(p)).sum();
        let mut left = rng.unit() * total;
        let drawn = self.target.iter().find(|&&(_, p)| {
            left -= weight(p);
            left < 0.0
        });
        drawn.map(|&(m, _)| m)
    }
}

impl<const STRIDE: usize, const LEN: usize> SelfPlayer for GoPlayer<STRIDE, LEN>
where
    Go<STRIDE, LEN>: Playable<Move = Vertex<STRIDE>>,
{
    fn play(&mut self, games: &mut dyn Iterator<Item = (u64, u64)>, stop: &Stop) -> Option<SelfPlayed> {
        while self.ended.is_empty() {
            if stop.is_stopped() {
                return None;
            }
            while self.pool.len() < self.settings.pool
                && let Some((number, seed)) = games.next()
            {
                self.begin(number, seed);
            }
            if self.pool.is_empty() && self.ended.is_empty() {
                return None;
            }
            // A step makes one of each search, or ends it.
            self.simulations.fetch_add(self.pool.len() as u64, Ordering::Relaxed);
            for Ended { name: (mut game, is_full), search, evaluations } in self.pool.step() {
                game.evaluations += evaluations;
                self.play_move(game, search, is_full);
            }
        }
        Some(self.ended.remove(0))
    }

    fn count_simulations(&mut self, count: Arc<AtomicU64>) {
        self.simulations = count;
    }
}

/// A legal move at a point, each as likely; a pass if there is none.
fn random_point<const STRIDE: usize, const LEN: usize>(
    go: &Go<STRIDE, LEN>,
    rng: &mut Rng,
) -> Vertex<STRIDE> {
    let mut moves = Vec::new();
    go.moves(&mut moves);
    moves.retain(|m| !m.is_pass());
    if moves.is_empty() { Vertex::PASS } else { moves[rng.below(moves.len() as u32) as usize] }
}

/// Counts what a network's evaluator finds in memory.
#[derive(Clone, Debug)]
struct Counted {
    evaluator: NetEvaluator,
    hits: Arc<AtomicU64>,
}

impl Counted {
    /// Evaluates, and counts hits.
    fn count<R>(&mut self, evaluate: impl FnOnce(&mut NetEvaluator) -> R) -> R {
        let before = self.evaluator.hits();
        let result = evaluate(&mut self.evaluator);
        self.hits.fetch_add(self.evaluator.hits() - before, Ordering::Relaxed);
        result
    }
}

impl<const STRIDE: usize, const LEN: usize> Evaluate<Go<STRIDE, LEN>> for Counted {
    fn evaluate(
        &mut self,
        position: &Go<STRIDE, LEN>,
        moves: &[Vertex<STRIDE>],
        priors: &mut Vec<f32>,
    ) -> tesuji::Value {
        self.count(|evaluator| evaluator.evaluate(position, moves, priors))
    }

    fn evaluate_many(&mut self, asked: &mut [Evaluation<'_, Go<STRIDE, LEN>>]) {
        self.count(|evaluator| evaluator.evaluate_many(asked));
    }

    fn bytes(&self) -> usize {
        Evaluate::<Go<STRIDE, LEN>>::bytes(&self.evaluator)
    }

    fn boxed(&self) -> Box<dyn Evaluate<Go<STRIDE, LEN>>> {
        Box::new(self.clone())
    }
}
