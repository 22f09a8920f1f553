//! Games of a network against itself.

use crate::encoding::Encoding;
use crate::error::SelfPlayError;
use crate::game::{End, Target, TrainingGame, Turn};
use crate::policy::Policy;
use crate::settings::SelfPlay;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tesuji::recipe::Recipe;
use tesuji::{
    AnyBackup, AnyPlayout, AnySelect, AskTell, Budget, Ended, Evaluate, Evaluation, Game, Gumbel, Mean,
    NetworkOptions, Options, Outcome, Pool, Rng, RootPolicy, Stop, Value,
};
use tesuji_agents::Playable;
use tesuji_net::{Cache, ReadyNetwork};

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
    game: G,
    rng: Rng,
    /// Whether a player may resign.
    resigns: bool,
    /// The record as far as it goes.
    record: TrainingGame,
    searches: Searches<G>,
    evaluations: u64,
}

impl<G: Game> Running<G> {
    /// Moves played.
    fn moves(&self) -> u32 {
        self.record.turns.len() as u32
    }
}

/// Plays a game by its encoding.
pub(crate) struct Player<E: Encoding> {
    encoding: E,
    settings: SelfPlay,
    /// Searches under way, each with its game and whether it is full.
    pool: Pool<E::Game, (Running<E::Game>, bool)>,
    /// Of games that have ended, for those to come.
    spare: Vec<Searches<E::Game>>,
    ended: Vec<SelfPlayed>,
    evaluator: Counted<E>,
    target: Vec<(<E::Game as Game>::Move, f32)>,
    simulations: Arc<AtomicU64>,
}

impl<E: Encoding> Player<E> {
    /// # Errors
    /// If the network is for another game, or a setting is out of its range.
    pub(crate) fn new(
        encoding: E,
        network: &ReadyNetwork,
        settings: &SelfPlay,
    ) -> Result<Self, SelfPlayError> {
        settings.check().map_err(SelfPlayError)?;
        if encoding.fixed().is_some() && settings.komi.is_some() {
            return Err(SelfPlayError("komi is for Go; accepted: no komi".to_owned()));
        }
        let reserved = Vec::<u8>::new().try_reserve_exact(settings.cache << 20);
        reserved.map_err(|_| {
            SelfPlayError(format!("cache is {} MiB, more than this machine can give", settings.cache))
        })?;
        let board = encoding.board();
        let moves = encoding.fixed().map_or(board * board + 1, |[_, actions]| actions);
        let cache = (settings.cache << 20) / Cache::bytes_per_slot(moves);
        let options = NetworkOptions { cache, ..NetworkOptions::default() };
        let evaluator = Counted { evaluator: encoding.evaluator(network, &options)?, hits: Arc::default() };
        let mut player = Player {
            pool: Pool::new(Some(Box::new(evaluator.clone()))),
            spare: Vec::new(),
            ended: Vec::new(),
            settings: settings.clone(),
            evaluator,
            target: Vec::new(),
            simulations: Arc::default(),
            encoding,
        };
        let searches = player.searches()?;
        player.spare.push(searches);
        Ok(player)
    }

    /// Searches for one more game.
    fn searches(&self) -> Result<Searches<E::Game>, SelfPlayError> {
        let settings = &self.settings;
        let start = self.encoding.start();
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
            let search = start.driven_by(&recipe, Some(evaluator), 0);
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
        let mut rng = Rng::new(seed);
        let mut game = self.encoding.begin(&self.settings, &mut rng);
        let random = self.settings.opening.map(|most| rng.below(most + 1)).unwrap_or_default();
        for (number, search) in (0..).zip([&mut searches.full, &mut searches.cheap]) {
            if let Some(search) = search {
                search.new_game(&game, Rng::derive(seed, number)).expect("all games have this board");
            }
        }
        let resigns = self.settings.resign > 0.0 && rng.unit() >= self.settings.no_resign;
        let mut record = self.encoding.record(&game);
        for _ in 0..random.min(self.longest()) {
            if game.result().is_some() {
                break;
            }
            let m = self.encoding.opening_move(&game, &mut rng);
            record.turns.push(Turn { m: self.encoding.number(&game, m), target: None });
            game.play(m);
        }
        self.search(Running { number, game, rng, resigns, record, searches, evaluations: 0 });
    }

    /// Moves of a game at most.
    fn longest(&self) -> u32 {
        match self.settings.longest {
            0 => 3 * (self.encoding.board() * self.encoding.board()) as u32,
            longest => longest,
        }
    }

    /// Begins the search for the next move of a game, if it goes on.
    fn search(&mut self, mut running: Running<E::Game>) {
        let SelfPlay { simulations, full, cheap, .. } = self.settings;
        if let Some(value) = running.game.result() {
            return self.end(running, value, End::Passes);
        }
        if running.moves() >= self.longest() {
            let value = self.encoding.count(&running.game);
            return self.end(running, value, End::Length);
        }
        let is_full = running.searches.cheap.is_none() || running.rng.unit() < full;
        let Searches { full, cheap: other } = &mut running.searches;
        let (search, n) = if is_full { (full, simulations) } else { (other, cheap) };
        let search = search.take().expect("a game makes one search at a time");
        let game = running.game.clone();
        let added = self.pool.add((running, is_full), search, &game, &Budget::simulations(n));
        added.expect("the game is not over");
    }

    /// Plays the move that a search has found.
    fn play_move(&mut self, mut running: Running<E::Game>, mut search: Box<Driven<E::Game>>, is_full: bool) {
        let SelfPlay { tempered, resign, .. } = self.settings;
        let choice = search.decide().expect("the search has ended");
        self.target.clear();
        search.policy_target(&mut self.target);
        let kept = if is_full { &mut running.searches.full } else { &mut running.searches.cheap };
        *kept = Some(search);
        if running.resigns && is_full && choice.value < resign {
            let winner = running.game.to_move().other();
            return self.end(running, Value::win(winner), End::Resignation);
        }
        let draws = !matches!(self.settings.root, RootPolicy::Gumbel(_));
        let is_drawn = draws && running.moves() < tempered;
        let drawn = if is_drawn { self.draw(&mut running.rng) } else { None };
        let m = drawn.unwrap_or(choice.best);
        let target = is_full.then(|| self.target_of(&running.game, running.record.actions, choice.value));
        let m_number = self.encoding.number(&running.game, m);
        running.record.turns.push(Turn { m: m_number, target });
        running.game.play(m);
        self.search(running);
    }

    /// Hands a game in.
    fn end(&mut self, running: Running<E::Game>, value: Value, end: End) {
        let Running { number, mut record, searches, evaluations, .. } = running;
        self.spare.push(searches);
        record.winner = match value.of(tesuji::Player::FIRST) {
            0.0 => Some(tesuji::Player::SECOND),
            1.0 => Some(tesuji::Player::FIRST),
            _ => None,
        };
        record.end = end;
        let hits = self.evaluator.hits.load(Ordering::Relaxed).min(evaluations);
        self.evaluator.hits.fetch_sub(hits, Ordering::Relaxed);
        self.ended.push(SelfPlayed { number, game: record, evaluations, hits });
    }

    /// What the network should learn of a position whose search found this value.
    fn target_of(&mut self, game: &E::Game, actions: usize, value: f32) -> Target {
        let mut probabilities = vec![0.0; actions];
        for &(m, p) in &self.target {
            probabilities[usize::from(self.encoding.number(game, m))] = p;
        }
        let (mut moves, mut priors) = (Vec::new(), Vec::new());
        game.moves(&mut moves);
        self.evaluator.evaluator.evaluate(game, &moves, &mut priors);
        let divergence = |(&m, &prior): (&<E::Game as Game>::Move, &f32)| {
            let p = probabilities[usize::from(self.encoding.number(game, m))];
            if p > 0.0 { p * (p / prior.max(f32::MIN_POSITIVE)).ln() } else { 0.0 }
        };
        let surprise = moves.iter().zip(&priors).map(divergence).sum::<f32>().max(0.0);
        Target { policy: Policy::of(&probabilities), value, outlook: None, surprise: Some(surprise) }
    }

    /// A move drawn with a probability proportional to that of the target to the power
    /// 1/temperature.
    fn draw(&self, rng: &mut Rng) -> Option<<E::Game as Game>::Move> {
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

impl<E: Encoding> SelfPlayer for Player<E> {
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
            for Ended { name: (mut running, is_full), search, evaluations } in self.pool.step() {
                running.evaluations += evaluations;
                self.play_move(running, search, is_full);
            }
        }
        Some(self.ended.remove(0))
    }

    fn count_simulations(&mut self, count: Arc<AtomicU64>) {
        self.simulations = count;
    }
}

/// Counts what a network's evaluator finds in memory.
#[derive(Clone, Debug)]
struct Counted<E: Encoding> {
    evaluator: E::Evaluator,
    hits: Arc<AtomicU64>,
}

impl<E: Encoding> Counted<E> {
    /// Evaluates, and counts hits.
    fn count<R>(&mut self, evaluate: impl FnOnce(&mut E::Evaluator) -> R) -> R {
        let before = E::hits(&self.evaluator);
        let result = evaluate(&mut self.evaluator);
        self.hits.fetch_add(E::hits(&self.evaluator) - before, Ordering::Relaxed);
        result
    }
}

impl<E: Encoding> Evaluate<E::Game> for Counted<E> {
    fn evaluate(
        &mut self,
        position: &E::Game,
        moves: &[<E::Game as Game>::Move],
        priors: &mut Vec<f32>,
    ) -> Value {
        self.count(|evaluator| evaluator.evaluate(position, moves, priors))
    }

    fn evaluate_many(&mut self, asked: &mut [Evaluation<'_, E::Game>]) {
        self.count(|evaluator| evaluator.evaluate_many(asked));
    }

    fn bytes(&self) -> usize {
        self.evaluator.bytes()
    }

    fn boxed(&self) -> Box<dyn Evaluate<E::Game>> {
        Box::new(self.clone())
    }
}
