//! Games of a network against itself.

use crate::replay::number;
use crate::{End, Policy, SelfPlay, Target, TrainingGame, Turn};
use std::fmt::{self, Debug};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tesuji::{
    Budget, Evaluate, Evaluated, Game, Gumbel, Mean, NetworkOptions, Options, Outcome, Player, Puct, Rng,
    RootPolicy, Search, Stop,
};
use tesuji_go::network::{NetEvaluator, ReadyNetwork};
use tesuji_go::{Go, Rules, Vertex, with_go};
use tesuji_net::Cache;

/// Plays games by a network on both sides, one after the other.
pub trait SelfPlayer: Send + Debug {
    /// Plays the game of a seed; none if it was stopped. Games before it make no difference.
    fn play(&mut self, seed: u64, stop: &Stop) -> Option<SelfPlayed>;
}

/// A game of self-play.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlayed {
    /// The game.
    pub game: TrainingGame,
    /// Positions that were evaluated, or found in the memory of evaluations.
    pub evaluations: u64,
    /// Of these, found.
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

/// A network cannot play against itself so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayError(String);

impl fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SelfPlayError {}

type NetSearch<G> = Search<G, Puct, Mean, Evaluated<G>>;

#[derive(Debug)]
struct GoPlayer<const STRIDE: usize, const LEN: usize> {
    start: Go<STRIDE, LEN>,
    settings: SelfPlay,
    /// What is learnt.
    full: NetSearch<Go<STRIDE, LEN>>,
    /// What only leads the game on, if not all searches are full.
    cheap: Option<NetSearch<Go<STRIDE, LEN>>>,
    counts: Arc<Counts>,
    target: Vec<(Vertex<STRIDE>, f32)>,
}

impl<const STRIDE: usize, const LEN: usize> GoPlayer<STRIDE, LEN> {
    fn new(
        start: Go<STRIDE, LEN>,
        network: &ReadyNetwork,
        settings: &SelfPlay,
    ) -> Result<Self, SelfPlayError> {
        let is_mixed = settings.full < 1.0;
        let reserved = Vec::<u8>::new().try_reserve_exact(settings.cache << 20);
        reserved.map_err(|_| {
            SelfPlayError(format!("cache is {} MiB, more than this machine can give", settings.cache))
        })?;
        let slot = Cache::bytes_per_slot(start.size() * start.size() + 1);
        let cache = (settings.cache << 20) / slot / if is_mixed { 2 } else { 1 };
        let counts = Arc::new(Counts::default());
        let search = |root: RootPolicy| {
            let options = NetworkOptions { cache, ..NetworkOptions::default() };
            let evaluator =
                NetEvaluator::of(network, &options).map_err(|error| SelfPlayError(error.to_string()))?;
            let counted = Box::new(Counted { evaluator, counts: counts.clone() });
            let options = Options { root, ..Options::default() };
            Search::new(&start, settings.select, Mean {}, Evaluated::new(counted), options, 0)
                .map_err(|error| SelfPlayError(error.to_string()))
        };
        let silent = match &settings.root {
            RootPolicy::Gumbel(gumbel) => RootPolicy::Gumbel(Gumbel { noise: 0.0, ..gumbel.clone() }),
            _ => RootPolicy::Plain,
        };
        Ok(GoPlayer {
            full: search(settings.root.clone())?,
            cheap: is_mixed.then(|| search(silent)).transpose()?,
            start,
            settings: settings.clone(),
            counts,
            target: Vec::new(),
        })
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

    /// A move drawn with a probability proportional to that of the target to the power 1/temperature.
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

impl<const STRIDE: usize, const LEN: usize> SelfPlayer for GoPlayer<STRIDE, LEN> {
    fn play(&mut self, seed: u64, stop: &Stop) -> Option<SelfPlayed> {
        let SelfPlay { simulations, tempered, full, cheap, resign, no_resign, longest, .. } = self.settings;
        let mut rng = Rng::new(seed);
        let mut go = self.start.clone();
        if let Some(komi) = &self.settings.komi {
            go.set_komi(komi.draw(&mut rng));
        }
        let random = self.settings.opening.map(|most| rng.below(most + 1)).unwrap_or_default();
        let points = (go.size() * go.size()) as u32;
        let longest = if longest == 0 { 3 * points } else { longest };
        let draws = !matches!(self.settings.root, RootPolicy::Gumbel(_));
        let resigns = resign > 0.0 && rng.unit() >= no_resign;
        self.full.start_game(&go, Rng::derive(seed, 0));
        if let Some(search) = &mut self.cheap {
            search.start_game(&go, Rng::derive(seed, 1));
        }
        let before = self.counts.read();
        let mut turns = Vec::new();
        let (value, end) = loop {
            if let Some(value) = go.result() {
                break (value, End::Passes);
            }
            if go.move_number() >= longest {
                break (go.value(), End::Length);
            }
            if stop.is_stopped() {
                return None;
            }
            if go.move_number() < random {
                let m = random_point(&go, &mut rng);
                turns.push(Turn { m: number(&go, m), target: None });
                go.play(m);
                continue;
            }
            let searches = (&mut self.full, &mut self.cheap);
            let (search, n, is_full) = match searches {
                (_, Some(search)) if rng.unit() >= full => (search, cheap, false),
                (search, _) => (search, simulations, true),
            };
            let choice = search.choose(&go, &Budget::simulations(n)).expect("the game is not over");
            if resigns && is_full && choice.value < resign {
                break (tesuji::Value::win(go.to_move().other()), End::Resignation);
            }
            self.target.clear();
            search.policy_target(&mut self.target);
            let drawn = if draws && go.move_number() < tempered { self.draw(&mut rng) } else { None };
            let m = drawn.unwrap_or(choice.best);
            let target =
                is_full.then(|| Target { policy: self.policy(), value: choice.value, outlook: None });
            turns.push(Turn { m: number(&go, m), target });
            go.play(m);
        };
        let black = value.of(Player::FIRST);
        let winner = match black {
            0.0 => Some(Player::SECOND),
            1.0 => Some(Player::FIRST),
            _ => None,
        };
        let [evaluations, hits] = self.counts.read();
        Some(SelfPlayed {
            game: TrainingGame {
                size: go.size(),
                komi: go.komi(),
                stones: Vec::new(),
                first: Player::FIRST,
                turns,
                winner,
                end,
            },
            evaluations: evaluations - before[0],
            hits: hits - before[1],
        })
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

/// Evaluations so far, and how many of them were found in memory.
#[derive(Debug, Default)]
struct Counts([AtomicU64; 2]);

impl Counts {
    fn read(&self) -> [u64; 2] {
        self.0.each_ref().map(|count| count.load(Ordering::Relaxed))
    }
}

/// Counts the evaluations of a network.
#[derive(Clone, Debug)]
struct Counted {
    evaluator: NetEvaluator,
    counts: Arc<Counts>,
}

impl<const STRIDE: usize, const LEN: usize> Evaluate<Go<STRIDE, LEN>> for Counted {
    fn evaluate(
        &mut self,
        position: &Go<STRIDE, LEN>,
        moves: &[Vertex<STRIDE>],
        priors: &mut Vec<f32>,
    ) -> tesuji::Value {
        let before = self.evaluator.hits();
        let value = self.evaluator.evaluate(position, moves, priors);
        let [evaluations, found] = &self.counts.0;
        evaluations.fetch_add(1, Ordering::Relaxed);
        found.fetch_add(self.evaluator.hits() - before, Ordering::Relaxed);
        value
    }

    fn bytes(&self) -> usize {
        Evaluate::<Go<STRIDE, LEN>>::bytes(&self.evaluator)
    }

    fn boxed(&self) -> Box<dyn Evaluate<Go<STRIDE, LEN>>> {
        Box::new(self.clone())
    }
}
