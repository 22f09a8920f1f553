//! A game in progress on a board of some size: the one place where the engine meets the
//! const-generic boards.

use super::fate::Fate;
use super::stones::Stones;
use super::{Evaluation, Move};
use crate::go::{Go, Go9, Go13, Go19};
use crate::network::{self, RawEvaluation};
use crate::restriction::Restriction;
use crate::rules::{Illegal, Komi, Rules};
use crate::sgf::Point;
use crate::vertex::Vertex;
use crate::with_go;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use tesuji::{
    Bot, BotError, Budget, Drawing, Evaluate, Expectation, Game, NetworkOptions, Notation, Observer, Outcome,
    Player, Reply, Report, SavedTreeError, TreeLabel,
};
use tesuji_net::Symmetry;

/// Positions kept on the way back through a game.
const RECENT: usize = 64;

/// Makes the agents that an engine plays with, for each size of board.
pub trait Agents: AgentsOf<Go9> + AgentsOf<Go13> + AgentsOf<Go19> {
    /// The name of the agent for boards of this size.
    fn name(&self, size: usize) -> String;

    /// The komi that the agent for boards of this size always assumes: that of the games from which
    /// it learned. Default: none, the agent sees the komi of the game.
    fn own_komi(&self, size: usize) -> Option<Komi> {
        let _ = size;
        None
    }

    /// The network of the agent for boards of this size, if it has one. Default: none.
    fn network(&self, size: usize) -> Option<NetworkOptions> {
        let _ = size;
        None
    }
}

/// Makes agents for games of one type.
pub trait AgentsOf<G: Game> {
    /// An agent for games that begin at `start`.
    ///
    /// # Errors
    /// If there is none for this game.
    fn agent(&self, start: &G, seed: u64) -> Result<Box<dyn Bot<G>>, BotError>;

    /// The evaluator of the agents in games that begin at `start`, if they have one. Default: none.
    ///
    /// # Errors
    /// If there is none for this game.
    fn evaluator(&self, start: &G) -> Result<Option<Box<dyn Evaluate<G>>>, BotError> {
        let _ = start;
        Ok(None)
    }
}

/// A game and the agent that plays in it, whatever the size.
pub(super) trait GameState {
    fn size(&self) -> usize;
    fn stones(&self) -> Stones;
    fn to_move(&self) -> Player;
    fn set_to_move(&mut self, player: Player);
    /// Consecutive passes played last.
    fn passes(&self) -> u8;
    fn captures(&self, player: Player) -> u32;
    /// Black's area less White's and the komi, in half points, every stone alive.
    fn score(&self) -> i32;
    /// The board as text.
    fn text(&self) -> String;
    fn drawing(&self) -> Option<Drawing>;
    fn moves(&self) -> &[(Player, Move)];
    fn legal(&self, player: Player, m: Move) -> Result<(), Illegal>;
    /// Whether a move, illegal because it repeats a position, would be so by simple ko too.
    fn repeats_at_once(&self, player: Player, m: Move) -> bool;
    /// Plays a move that is a pass or at an empty point. Suicide and repetitions are carried out.
    fn play(&mut self, player: Player, m: Move) -> Result<(), String>;
    fn undo(&mut self) -> bool;
    fn set_up(&mut self, edits: &[(Point, Option<Player>)]) -> Result<(), String>;
    /// Changes the komi and whether suicide is allowed.
    fn set_rules(&mut self, rules: Rules);
    /// Points of a handicap of this many stones, as GTP fixes them or as we like.
    fn handicap_points(&self, count: usize, fixed: bool) -> Result<Vec<Point>, String>;
    fn place_handicap(&mut self, points: &[Point]) -> Result<(), String>;
    /// Starts over on the empty board.
    fn restart(&mut self, rules: Rules, seed: u64) -> Result<(), BotError>;
    /// Searches for a player; where `passes_end` is false, as if nobody had passed.
    fn think(
        &mut self,
        player: Player,
        passes_end: bool,
        restriction: Option<&Arc<Restriction>>,
        budget: &Budget,
        observer: &mut dyn Observer<Move>,
    ) -> Result<Reply<Move>, BotError>;
    /// Saves the tree of the latest search.
    fn save_tree(&mut self, label: &TreeLabel) -> Result<Vec<u8>, SavedTreeError>;
    /// Opens a saved tree of the position with this player to move.
    fn open_tree(&mut self, player: Player, label: &TreeLabel, bytes: &[u8]) -> Result<(), SavedTreeError>;
    /// What the agent's evaluator makes of the position, if it has one.
    fn evaluate(&self, player: Player, passes_end: bool) -> Result<Option<Evaluation>, BotError>;
    /// All that the agent's network says of the position in each of these symmetries, if it has
    /// one.
    fn raw(&self, player: Player, symmetries: &[Symmetry]) -> Result<Option<Vec<RawEvaluation>>, BotError>;
    /// How often each point was Black's (1), White's (0) or nobody's (1/2) at the end of `playouts`
    /// random playouts.
    fn ownership(&self, playouts: u32, seed: u64) -> Vec<f32>;
    /// What a search for the fate of a player's chain expects, the player to move beginning: the
    /// share of the chain's points that are the player's at the end.
    fn fate(&self, player: Player, chain: &BTreeSet<Point>, budget: &Budget, seed: u64) -> f32;
}

/// A game at its start, with an agent of these.
pub(super) fn open(
    agents: &Rc<dyn Agents>,
    size: usize,
    rules: Rules,
    seed: u64,
) -> Result<Box<dyn GameState>, BotError> {
    with_go!(size, rules, |start| {
        let bot = agents.agent(&start, seed)?;
        let (now, recent, agents) = (start.clone(), Vec::new(), Rc::clone(agents));
        Ok(Box::new(SizedGameState { start, now, moves: Vec::new(), turns: Vec::new(), recent, bot, agents }))
    })
}

struct SizedGameState<const STRIDE: usize, const LEN: usize> {
    /// Before the first move.
    start: Go<STRIDE, LEN>,
    now: Go<STRIDE, LEN>,
    moves: Vec<(Player, Move)>,
    /// Whose turn it was made otherwise than by a move, and after how many moves.
    turns: Vec<(usize, Player)>,
    /// The positions before the last moves, where there was a way back: a position has its whole
    /// history, so that one for each move of a long game would take too much.
    recent: Vec<Go<STRIDE, LEN>>,
    bot: Box<dyn Bot<Go<STRIDE, LEN>>>,
    agents: Rc<dyn Agents>,
}

impl<const STRIDE: usize, const LEN: usize> SizedGameState<STRIDE, LEN>
where
    dyn Agents: AgentsOf<Go<STRIDE, LEN>>,
{
    fn vertex(&self, m: Move) -> Result<Vertex<STRIDE>, Illegal> {
        let Some(p) = m else { return Ok(Vertex::PASS) };
        self.now.vertex(p.column.into(), p.row.into()).ok_or(Illegal::OffBoard)
    }

    /// A new game from the position as it is now.
    fn begin(&mut self) {
        self.start.clone_from(&self.now);
        self.moves.clear();
        self.turns.clear();
        self.recent.clear();
    }

    /// Plays the game again, to have the positions before its last moves.
    fn remember(&mut self) {
        let kept = self.moves.len().saturating_sub(RECENT);
        let mut game = self.start.clone();
        let mut turns = self.turns.iter().peekable();
        for (i, &(player, m)) in self.moves.iter().enumerate() {
            while let Some(&(_, player)) = turns.next_if(|(after, _)| *after == i) {
                game.set_to_move(player);
            }
            if i >= kept {
                self.recent.push(game.clone());
            }
            // The move was played before.
            game.play_as(player, self.vertex(m).unwrap_or(Vertex::PASS));
        }
    }

    /// The position with `player` to move and not over.
    fn turn_of(&self, player: Player) -> Go<STRIDE, LEN> {
        let mut game = self.now.clone();
        if game.to_move() != player || game.result().is_some() {
            game.set_to_move(player);
        }
        game
    }

    /// The same; where `passes_end` is false, as if nobody had passed.
    fn position_for(&self, player: Player, passes_end: bool) -> Go<STRIDE, LEN> {
        let mut game = self.turn_of(player);
        if !passes_end {
            game.set_to_move(player);
        }
        game
    }
}

impl<const STRIDE: usize, const LEN: usize> GameState for SizedGameState<STRIDE, LEN>
where
    dyn Agents: AgentsOf<Go<STRIDE, LEN>>,
{
    fn size(&self) -> usize {
        self.now.size()
    }

    fn stones(&self) -> Stones {
        let mut stones = Stones::new(self.size());
        for (p, v) in stones.points().zip(self.now.points()) {
            stones.set(p, self.now.stone(v));
        }
        stones
    }

    fn to_move(&self) -> Player {
        self.now.to_move()
    }

    fn set_to_move(&mut self, player: Player) {
        self.now.set_to_move(player);
        self.turns.push((self.moves.len(), player));
    }

    fn passes(&self) -> u8 {
        self.now.passes()
    }

    fn captures(&self, player: Player) -> u32 {
        self.now.captures(player)
    }

    fn score(&self) -> i32 {
        self.now.score()
    }

    fn text(&self) -> String {
        self.now.to_string()
    }

    fn drawing(&self) -> Option<Drawing> {
        Notation::drawing(&self.now)
    }

    fn moves(&self) -> &[(Player, Move)] {
        &self.moves
    }

    fn legal(&self, player: Player, m: Move) -> Result<(), Illegal> {
        self.now.legal(player, self.vertex(m)?)
    }

    fn repeats_at_once(&self, player: Player, m: Move) -> bool {
        self.vertex(m).is_ok_and(|vertex| self.now.repeats_at_once(player, vertex))
    }

    fn play(&mut self, player: Player, m: Move) -> Result<(), String> {
        let vertex = self.vertex(m).map_err(|e| e.to_string())?;
        self.now.play_as(player, vertex);
        self.moves.push((player, m));
        self.recent.clear();
        let told = self.bot.played(vertex, &self.now).map_err(|e| e.to_string());
        if told.is_err() {
            self.undo();
        }
        told
    }

    fn undo(&mut self) -> bool {
        if self.moves.is_empty() {
            return false;
        }
        if self.recent.is_empty() {
            self.remember();
        }
        let Some(before) = self.recent.pop() else { return false };
        self.now = before;
        self.moves.pop();
        self.turns.retain(|&(after, _)| after <= self.moves.len());
        true
    }

    fn set_up(&mut self, edits: &[(Point, Option<Player>)]) -> Result<(), String> {
        let edits: Result<Vec<_>, Illegal> =
            edits.iter().map(|&(p, stone)| Ok((self.vertex(Some(p))?, stone))).collect();
        self.now
            .set_up(&edits.map_err(|e| e.to_string())?)
            .map_err(|_| "a chain of the set-up has no liberty".to_owned())?;
        // Superko starts anew, so that the moves before are no longer part of the game.
        self.begin();
        Ok(())
    }

    fn set_rules(&mut self, rules: Rules) {
        let games = self.recent.iter_mut().chain([&mut self.start, &mut self.now]);
        games.for_each(|game| game.rules = rules);
    }

    fn handicap_points(&self, count: usize, fixed: bool) -> Result<Vec<Point>, String> {
        let vertices = if fixed { self.now.fixed_handicap(count) } else { self.now.free_handicap(count) };
        Ok(vertices.map_err(|e| e.to_string())?.into_iter().filter_map(Vertex::point).collect())
    }

    fn place_handicap(&mut self, points: &[Point]) -> Result<(), String> {
        let vertices: Result<Vec<_>, Illegal> = points.iter().map(|&p| self.vertex(Some(p))).collect();
        let vertices = vertices.map_err(|e| e.to_string())?;
        self.now.place_handicap(&vertices).map_err(|e| e.to_string())?;
        self.begin();
        Ok(())
    }

    fn restart(&mut self, rules: Rules, seed: u64) -> Result<(), BotError> {
        let game = Go::new(self.size(), rules);
        self.bot.new_game(&game, seed)?;
        self.now = game;
        self.begin();
        Ok(())
    }

    fn think(
        &mut self,
        player: Player,
        passes_end: bool,
        restriction: Option<&Arc<Restriction>>,
        budget: &Budget,
        observer: &mut dyn Observer<Move>,
    ) -> Result<Reply<Move>, BotError> {
        let mut game = self.position_for(player, passes_end);
        game.restrict(restriction.cloned());
        let reply = self.bot.genmove(&game, budget, &mut Neutral(observer))?;
        Ok(match reply {
            Reply::Resign => Reply::Resign,
            Reply::Play(report) => Reply::Play(neutral(&report)),
        })
    }

    fn save_tree(&mut self, label: &TreeLabel) -> Result<Vec<u8>, SavedTreeError> {
        self.bot.save_tree(label)
    }

    fn open_tree(&mut self, player: Player, label: &TreeLabel, bytes: &[u8]) -> Result<(), SavedTreeError> {
        let game = self.turn_of(player);
        self.bot.open_tree(&game, label, bytes)
    }

    fn evaluate(&self, player: Player, passes_end: bool) -> Result<Option<Evaluation>, BotError> {
        let game = self.position_for(player, passes_end);
        let Some(mut evaluator) = self.agents.evaluator(&game)? else { return Ok(None) };
        let (mut moves, mut priors) = (Vec::new(), Vec::new());
        game.moves(&mut moves);
        let value = evaluator.evaluate(&game, &moves, &mut priors).of(player);
        let total: f32 = priors.iter().sum();
        let mut policy: Vec<(Move, f32)> =
            moves.into_iter().map(Vertex::point).zip(priors.into_iter().map(|prior| prior / total)).collect();
        policy.sort_by(|a, b| b.1.total_cmp(&a.1));
        let expectation = evaluator.expectation(&game).map(|expectation| {
            // Points of games are in rows from A1.
            let rows = expectation.ownership.chunks_exact(self.size()).rev();
            Expectation { ownership: rows.flatten().copied().collect(), ..expectation }
        });
        Ok(Some(Evaluation { value, policy, expectation }))
    }

    fn raw(&self, player: Player, symmetries: &[Symmetry]) -> Result<Option<Vec<RawEvaluation>>, BotError> {
        let Some(options) = self.agents.network(self.size()) else { return Ok(None) };
        let options = NetworkOptions { cache: 0, ..options };
        let evaluator = network::evaluator(&options, self.size());
        let mut evaluator = evaluator.map_err(|error| BotError(error.to_string()))?;
        let game = self.turn_of(player);
        Ok(Some(symmetries.iter().map(|&symmetry| evaluator.raw(&game, symmetry)).collect()))
    }

    fn ownership(&self, playouts: u32, seed: u64) -> Vec<f32> {
        self.turn_of(self.to_move()).ownership_shares(playouts, seed)
    }

    fn fate(&self, player: Player, chain: &BTreeSet<Point>, budget: &Budget, seed: u64) -> f32 {
        let points = chain.iter().map(|p| p.row as usize * self.size() + p.column as usize);
        let mut game = self.now.clone();
        // The owner's own pass must not end the game, even after one of the opponent's.
        game.set_to_move(self.to_move());
        Fate::new(game, player, points).search(budget, seed)
    }
}

/// An observer of moves of any board, in the place of one of this board.
struct Neutral<'a>(&'a mut dyn Observer<Move>);

impl<const STRIDE: usize> Observer<Vertex<STRIDE>> for Neutral<'_> {
    fn every(&self) -> u64 {
        self.0.every()
    }

    fn is_due(&self) -> bool {
        self.0.is_due()
    }

    fn progress(&mut self, report: &Report<Vertex<STRIDE>>) {
        self.0.progress(&neutral(report));
    }
}

fn neutral<const STRIDE: usize>(report: &Report<Vertex<STRIDE>>) -> Report<Move> {
    report.map(Vertex::point)
}
