//! A game about one chain.

use crate::go::Go;
use crate::vertex::Vertex;
use std::sync::Arc;
use tesuji::{
    Budget, Game, Grave, Keyed, Knowledge, Mean, Options, Player, Playouts, Rng, Search, Trace, Uniform,
    Value,
};

/// Go played for one chain: the value for its owner is the share of its points that are the owner's
/// at the end, by Tromp and Taylor's count. Nothing else on the board counts.
#[derive(Debug)]
pub(super) struct Fate<const STRIDE: usize, const LEN: usize> {
    game: Go<STRIDE, LEN>,
    owner: Player,
    /// The numbers of the points, in rows from A1.
    points: Arc<[usize]>,
}

impl<const STRIDE: usize, const LEN: usize> Fate<STRIDE, LEN> {
    /// The game about the chain on these points.
    pub(super) fn new(game: Go<STRIDE, LEN>, owner: Player, points: impl Iterator<Item = usize>) -> Self {
        Fate { game, owner, points: points.collect() }
    }

    /// The share that the owner keeps, as a search by GRAVE expects it. It has uniform playouts,
    /// whose moves all find the vital points soon.
    pub(super) fn search(&self, budget: &Budget, seed: u64) -> f32 {
        let search = Search::new(self, Grave::default(), Mean {}, Uniform {}, Options::default(), seed);
        // Nothing limits its memory, and the game is not over.
        let report = search.ok().and_then(|mut search| search.choose(self, budget).ok());
        let value = report.map_or(0.5, |choice| choice.value);
        if self.owner == self.to_move() { value } else { 1.0 - value }
    }

    fn value(&self) -> Value {
        let owned = self.game.owned_by(self.owner, &self.points);
        Value::new(self.owner, owned / self.points.len().max(1) as f32)
    }
}

impl<const STRIDE: usize, const LEN: usize> Clone for Fate<STRIDE, LEN> {
    fn clone(&self) -> Self {
        Fate { game: self.game.clone(), owner: self.owner, points: self.points.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.game.clone_from(&other.game);
        self.owner = other.owner;
        self.points.clone_from(&other.points);
    }
}

impl<const STRIDE: usize, const LEN: usize> Game for Fate<STRIDE, LEN> {
    type Move = Vertex<STRIDE>;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.game.to_move()
    }

    fn moves(&self, out: &mut Vec<Vertex<STRIDE>>) {
        self.game.moves(out);
    }

    fn play(&mut self, m: Vertex<STRIDE>) {
        self.game.play(m);
    }

    fn result(&self) -> Option<Value> {
        (self.game.passes() >= 2).then(|| self.value())
    }

    fn search_moves(&self, out: &mut Vec<Vertex<STRIDE>>) {
        self.game.search_moves_at_play(out);
    }
}

impl<const STRIDE: usize, const LEN: usize> Keyed for Fate<STRIDE, LEN> {
    fn keys(&self) -> usize {
        self.game.keys()
    }

    fn code(&self, m: Vertex<STRIDE>) -> u16 {
        self.game.code(m)
    }

    fn decode(&self, code: u16) -> Vertex<STRIDE> {
        self.game.decode(code)
    }
}

impl<const STRIDE: usize, const LEN: usize> Playouts for Fate<STRIDE, LEN> {
    fn playout_moves(&self, out: &mut Vec<Vertex<STRIDE>>) {
        self.game.playout_moves(out);
    }

    fn playout<T: Trace>(&mut self, rng: &mut Rng, buffer: &mut Vec<Vertex<STRIDE>>, trace: &mut T) -> Value {
        self.game.playout(rng, buffer, trace);
        self.value()
    }
}

impl<const STRIDE: usize, const LEN: usize> Knowledge for Fate<STRIDE, LEN> {}
