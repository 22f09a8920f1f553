//! Games made for tests, and games seen in another way.

use std::marker::PhantomData;
use tesuji::{
    CodeOf, Game, Guide, Keyed, Knowledge, Outcome, PlainGame, Player, Playouts, Rng, Scores, SearchGame,
    Trace, Value,
};

/// Only what a game must have: every hook is the default one.
#[derive(Clone)]
pub(crate) struct Plain<G>(pub G);

impl<G: SearchGame> Game for Plain<G> {
    type Move = G::Move;
    type Outcome = G::Outcome;

    fn to_move(&self) -> Player {
        self.0.to_move()
    }
    fn moves(&self, out: &mut Vec<G::Move>) {
        self.0.moves(out);
    }
    fn play(&mut self, m: G::Move) {
        self.0.play(m);
    }
    fn result(&self) -> Option<G::Outcome> {
        self.0.result()
    }
}

impl<G: SearchGame> PlainGame for Plain<G> {}

/// A game of two whose outcome is a vector with one value for each player.
#[derive(Clone)]
pub(crate) struct Vector<G>(pub G);

fn scores(value: Value) -> Scores<2> {
    Scores([value.of(Player::FIRST), value.of(Player::SECOND)])
}

impl<G: SearchGame<Outcome = Value>> Game for Vector<G> {
    type Move = G::Move;
    type Outcome = Scores<2>;

    fn to_move(&self) -> Player {
        self.0.to_move()
    }
    fn moves(&self, out: &mut Vec<G::Move>) {
        self.0.moves(out);
    }
    fn play(&mut self, m: G::Move) {
        self.0.play(m);
    }
    fn result(&self) -> Option<Scores<2>> {
        self.0.result().map(scores)
    }
    fn hash(&self) -> Option<u64> {
        self.0.hash()
    }
    fn search_moves(&self, out: &mut Vec<G::Move>) {
        self.0.search_moves(out);
    }
}

impl<G: SearchGame<Outcome = Value>> Keyed for Vector<G> {
    fn keys(&self) -> usize {
        self.0.keys()
    }
    fn first_key(&self) -> usize {
        self.0.first_key()
    }
    fn code(&self, m: G::Move) -> CodeOf<G> {
        self.0.code(m)
    }
    fn decode(&self, code: CodeOf<G>) -> G::Move {
        self.0.decode(code)
    }
    const FINDS_MOVES: bool = G::FINDS_MOVES;

    fn search_move_of(&self, key: usize) -> Option<G::Move> {
        self.0.search_move_of(key)
    }

    fn playout_move_of(&self, key: usize) -> Option<G::Move> {
        self.0.playout_move_of(key)
    }

    fn is_taken(&self, key: usize) -> bool {
        self.0.is_taken(key)
    }
}

impl<G: SearchGame<Outcome = Value>> Playouts for Vector<G> {
    fn playout_moves(&self, out: &mut Vec<G::Move>) {
        self.0.playout_moves(out);
    }
    fn playout_move(&self, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        self.0.playout_move(rng, buffer)
    }
    fn playout_play<T: Trace>(&mut self, m: G::Move, trace: &mut T) {
        self.0.playout_play(m, trace);
    }
    fn playout_result(&self) -> Option<Scores<2>> {
        self.0.playout_result().map(scores)
    }

    fn playout<T: Trace>(&mut self, rng: &mut Rng, buffer: &mut Vec<G::Move>, trace: &mut T) -> Scores<2> {
        scores(self.0.playout(rng, buffer, trace))
    }

    fn guided_playout<T: Guide>(
        &mut self,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        guide: &mut T,
    ) -> Scores<2> {
        scores(self.0.guided_playout(rng, buffer, guide))
    }
}

impl<G: SearchGame<Outcome = Value>> Knowledge for Vector<G> {
    fn area(&self) -> usize {
        self.0.area()
    }
    fn priors(&self, moves: &[G::Move], out: &mut Vec<f32>) {
        self.0.priors(moves, out);
    }
    fn draw_search_move(&self, rng: &mut Rng) -> Option<G::Move> {
        self.0.draw_search_move(rng)
    }
}

/// The same game with the names of the players swapped.
#[derive(Clone)]
pub(crate) struct Swapped<G>(pub G);

fn swap(value: Value) -> Value {
    Value::new(Player::SECOND, value.of(Player::FIRST))
}

impl<G: SearchGame<Outcome = Value>> Game for Swapped<G> {
    type Move = G::Move;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.0.to_move().other()
    }
    fn moves(&self, out: &mut Vec<G::Move>) {
        self.0.moves(out);
    }
    fn play(&mut self, m: G::Move) {
        self.0.play(m);
    }
    fn result(&self) -> Option<Value> {
        self.0.result().map(swap)
    }
}

impl<G: SearchGame<Outcome = Value>> PlainGame for Swapped<G> {}

/// A tree of one to four moves a node, at most `depth` moves deep, in which lines end early now and
/// then, and the player to move at a node is anyone.
#[derive(Clone)]
pub(crate) struct RandomTree<O> {
    node: u64,
    played: u32,
    depth: u32,
    outcome: PhantomData<O>,
}

impl<O: Payoff> RandomTree<O> {
    pub(crate) fn new(depth: u32, seed: u64) -> Self {
        RandomTree { node: Rng::derive(seed, 0), played: 0, depth, outcome: PhantomData }
    }

    /// The `part`th random number below `n` of this node.
    fn draw(&self, part: u64, n: u32) -> u32 {
        Rng::new(self.node ^ part).below(n)
    }
}

/// An outcome that can be drawn at random.
pub(crate) trait Payoff: Outcome {
    fn random(rng: &mut Rng) -> Self;
}

impl Payoff for Value {
    /// One draw in five.
    fn random(rng: &mut Rng) -> Value {
        match rng.below(5) {
            0 => Value::DRAW,
            n => Value::win(Player::new(n as usize % 2)),
        }
    }
}

impl Payoff for Scores<3> {
    /// First, second and third place.
    fn random(rng: &mut Rng) -> Scores<3> {
        let mut scores = [1.0, 0.5, 0.0];
        scores.swap(0, rng.below(3) as usize);
        scores.swap(1, 1 + rng.below(2) as usize);
        Scores(scores)
    }
}

impl<O: Payoff> Game for RandomTree<O> {
    type Move = u8;
    type Outcome = O;

    fn to_move(&self) -> Player {
        Player::new(self.draw(1, O::PLAYERS as u32) as usize)
    }
    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..=self.draw(2, 4) as u8);
    }
    fn play(&mut self, m: u8) {
        self.node = Rng::derive(self.node, u64::from(m));
        self.played += 1;
    }
    fn result(&self) -> Option<O> {
        let over = self.played == self.depth || (self.played > 1 && self.draw(3, 8) == 0);
        over.then(|| O::random(&mut Rng::new(self.node ^ 4)))
    }
    fn hash(&self) -> Option<u64> {
        Some(self.node)
    }
}

impl<O: Payoff> Keyed for RandomTree<O> {
    fn keys(&self) -> usize {
        4 * O::PLAYERS
    }
}

impl<O: Payoff> Playouts for RandomTree<O> {}

impl<O: Payoff> Knowledge for RandomTree<O> {}

/// Slot machines: the first move chooses an arm, which pays 1 with its own probability. There is no
/// second player, and whatever happens after the choice is luck.
#[derive(Clone)]
pub(crate) struct Bandit {
    pub arms: &'static [f32],
    pub chosen: Option<usize>,
}

impl Game for Bandit {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        Player::FIRST
    }
    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..self.arms.len() as u8);
    }
    fn play(&mut self, m: u8) {
        self.chosen.get_or_insert(m.into());
    }
    fn result(&self) -> Option<Value> {
        None
    }
}

impl Keyed for Bandit {}

impl Playouts for Bandit {
    fn playout<T: Trace>(&mut self, rng: &mut Rng, _: &mut Vec<u8>, _: &mut T) -> Value {
        let arm = self.chosen.unwrap_or(0);
        Value::new(Player::FIRST, if rng.unit() < self.arms[arm] { 1.0 } else { 0.0 })
    }
}

impl Knowledge for Bandit {}

/// One choice among given values for the first player, after which the game is over.
#[derive(Clone)]
pub(crate) struct Choice {
    pub values: Vec<f32>,
    pub chosen: Option<usize>,
}

impl Game for Choice {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        Player::FIRST
    }
    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..self.values.len() as u8);
    }
    fn play(&mut self, m: u8) {
        self.chosen = Some(m.into());
    }
    fn result(&self) -> Option<Value> {
        self.chosen.map(|i| Value::new(Player::FIRST, self.values[i]))
    }
}

impl PlainGame for Choice {}

/// One legal move in each position, N in all; a draw.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Corridor(pub u16);

impl Game for Corridor {
    type Move = u16;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        Player::FIRST
    }

    fn moves(&self, out: &mut Vec<u16>) {
        out.push(self.0);
    }

    fn play(&mut self, _: u16) {
        self.0 -= 1;
    }

    fn result(&self) -> Option<Value> {
        (self.0 == 0).then_some(Value::DRAW)
    }

    fn hash(&self) -> Option<u64> {
        Some(self.0.into())
    }
}

impl PlainGame for Corridor {}
