//! Playout policies whose type is known at run time only: one indirect call a playout.

use super::Playout;
use crate::archive::{Archive, ArchiveError};
use crate::columns::Columns;
use crate::evaluate::Evaluation;
use crate::game::{Played, SearchGame, Trace};
use crate::player::Player;
use crate::rng::Rng;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::Debug;

/// [`Playout`] without types in its calls.
pub trait ErasedPlayout<G: SearchGame>: Debug + Send + Sync {
    #[doc(hidden)]
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move;
    /// Its moves go to the listener, if there is one.
    #[doc(hidden)]
    fn run(
        &mut self,
        game: &mut G,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        record: Option<&mut dyn FnMut(Player, usize)>,
    ) -> G::Outcome;
    #[doc(hidden)]
    fn prime(&mut self, asked: &mut [Evaluation<'_, G>]);
    #[doc(hidden)]
    fn reserve(&mut self, positions: usize);
    #[doc(hidden)]
    fn evaluates(&self) -> bool;
    #[doc(hidden)]
    fn learns(&self) -> bool;
    #[doc(hidden)]
    fn learn(&mut self, line: &[Played], outcome: &G::Outcome);
    #[doc(hidden)]
    fn needs(&self) -> Columns;
    #[doc(hidden)]
    fn compare(&mut self, a: usize, b: usize, difference: f32);
    #[doc(hidden)]
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError>;
    #[doc(hidden)]
    fn take_patterns(&mut self, patterns: &[(&str, i8)]);
    #[doc(hidden)]
    fn new_game(&mut self, game: &G);
    #[doc(hidden)]
    fn new_move(&mut self);
    #[doc(hidden)]
    fn bytes(&self, game: &G) -> usize;
    #[doc(hidden)]
    fn boxed(&self) -> Box<dyn ErasedPlayout<G>>;
}

/// Hands the moves of a playout on.
struct Listener<'a>(&'a mut dyn FnMut(Player, usize));

impl Trace for Listener<'_> {
    const RECORDS: bool = true;

    fn record(&mut self, player: Player, key: usize) {
        (self.0)(player, key);
    }
}

impl<G: SearchGame, P: Playout<G> + Clone + Debug + Send + Sync + 'static> ErasedPlayout<G> for P {
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        Playout::choose(self, game, rng, buffer)
    }

    fn run(
        &mut self,
        game: &mut G,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        record: Option<&mut dyn FnMut(Player, usize)>,
    ) -> G::Outcome {
        match record {
            Some(record) => Playout::run(self, game, rng, buffer, &mut Listener(record)),
            None => Playout::run(self, game, rng, buffer, &mut ()),
        }
    }

    fn prime(&mut self, asked: &mut [Evaluation<'_, G>]) {
        Playout::prime(self, asked);
    }

    fn reserve(&mut self, positions: usize) {
        Playout::<G>::reserve(self, positions);
    }

    fn evaluates(&self) -> bool {
        Playout::<G>::evaluates(self)
    }

    fn learns(&self) -> bool {
        Playout::<G>::learns(self)
    }

    fn learn(&mut self, line: &[Played], outcome: &G::Outcome) {
        Playout::<G>::learn(self, line, outcome);
    }

    fn needs(&self) -> Columns {
        Playout::<G>::needs(self)
    }

    fn compare(&mut self, a: usize, b: usize, difference: f32) {
        Playout::<G>::compare(self, a, b, difference);
    }

    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        Playout::<G>::archive(self, archive)
    }

    fn take_patterns(&mut self, patterns: &[(&str, i8)]) {
        Playout::<G>::take_patterns(self, patterns);
    }

    fn new_game(&mut self, game: &G) {
        Playout::new_game(self, game);
    }

    fn new_move(&mut self) {
        Playout::<G>::new_move(self);
    }

    fn bytes(&self, game: &G) -> usize {
        Playout::bytes(self, game)
    }

    fn boxed(&self) -> Box<dyn ErasedPlayout<G>> {
        Box::new(self.clone())
    }
}

impl<G: SearchGame> Clone for Box<dyn ErasedPlayout<G>> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}
