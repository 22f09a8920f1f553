//! Uniformly random games, played fast.
//!
//! A playout chooses with equal probability among the moves that are not suicide, do not retake a ko at
//! once, and do not fill an own single-point eye; it passes only if there is none, and ends with the second
//! pass in a row or at the move cap.

use crate::Vertex;
use crate::board::EMPTY;
use crate::go::{Go, value_of};
use tesuji::{Player, Rng, Trace, Value};

/// After so many refused candidates, the choice is made from a list of the playable moves. Any number
/// gives the same distribution; this one is the fastest.
const TRIES: usize = 3;

impl<const STRIDE: usize, const LEN: usize> Go<STRIDE, LEN> {
    /// Appends the moves a playout may choose from.
    pub(crate) fn all_playable(&self, out: &mut Vec<Vertex<STRIDE>>) {
        let (list, len) = match self.to_move.index() {
            0 => self.playable_list::<0>(),
            _ => self.playable_list::<1>(),
        };
        if len == 0 {
            out.push(Vertex::PASS);
        }
        out.extend(list[..len].iter().map(|&v| Vertex::from_index(v)));
    }

    fn playable_list<const C: usize>(&self) -> ([u16; LEN], usize) {
        let mut list = [0; LEN];
        let mut len = 0;
        for &v in self.board.empties() {
            list[len] = v;
            len += usize::from(self.board.is_playable::<C>(v.into()));
        }
        (list, len)
    }

    /// One of the playable moves, each equally likely.
    pub(crate) fn random_playable(&self, rng: &mut Rng) -> Vertex<STRIDE> {
        let v = match self.to_move.index() {
            0 => self.choose::<0>(rng),
            _ => self.choose::<1>(rng),
        };
        Vertex::from_index(v as u16)
    }

    /// The index of a playable point, or 0 if there is none.
    #[inline(always)]
    fn choose<const C: usize>(&self, rng: &mut Rng) -> usize {
        let empties = self.board.empties();
        if empties.is_empty() {
            return 0;
        }
        for _ in 0..TRIES {
            let v = empties[rng.below(empties.len() as u32) as usize].into();
            if self.board.is_playable::<C>(v) {
                return v;
            }
        }
        self.choose_from_list::<C>(rng)
    }

    #[inline(never)]
    fn choose_from_list<const C: usize>(&self, rng: &mut Rng) -> usize {
        let (list, len) = self.playable_list::<C>();
        if len == 0 { 0 } else { list[rng.below(len as u32) as usize].into() }
    }

    /// Plays at the empty point with this index, or passes at 0, without a look at superko.
    #[inline]
    pub(crate) fn play_quickly(&mut self, index: usize) {
        match self.to_move.index() {
            0 => self.step::<0>(index),
            _ => self.step::<1>(index),
        }
    }

    #[inline(always)]
    fn step<const C: usize>(&mut self, v: usize) {
        if v == 0 {
            self.board.lift_ko();
            self.passes += 1;
        } else {
            self.board.place::<C, false>(v);
            self.passes = 0;
        }
        self.to_move = Player::new(1 - C);
        self.playout_moves += 1;
    }

    fn playout_cap(&self) -> u32 {
        self.rules.playout_cap.unwrap_or(3 * (self.size() * self.size()) as u32)
    }

    /// The value, if the playout is over.
    pub(crate) fn playout_end(&self) -> Option<Value> {
        let [black, white] = self.board.stones();
        if self.passes >= 2 {
            Some(value_of(self.playout_score()))
        } else if self.playout_moves >= self.playout_cap() {
            Some(self.value())
        } else if self.rules.mercy.is_some_and(|lead| black.abs_diff(white) >= lead) {
            Some(Value::win(if black > white { Player::FIRST } else { Player::SECOND }))
        } else {
            None
        }
    }

    /// [`Go::score`] for the end of a playout, where every empty point has neighbours of one colour only
    /// or is nobody's.
    fn playout_score(&self) -> i32 {
        if self.board.empties().iter().any(|&v| self.board.is_open(v.into())) {
            return self.score();
        }
        let [black, white] = self.board.stones();
        let eyes = self.board.enclosed_area();
        2 * (i32::from(black) - i32::from(white) + eyes) - i32::from(self.rules.komi.halves())
    }

    /// Plays to the end.
    pub(crate) fn run_playout<T: Trace>(&mut self, rng: &mut Rng, trace: &mut T) -> Value {
        let mut local = rng.clone();
        let value = loop {
            if let Some(value) = self.playout_end() {
                break value;
            }
            match self.to_move.index() {
                0 => self.turn::<0, T>(&mut local, trace),
                _ => self.turn::<1, T>(&mut local, trace),
            }
        };
        *rng = local;
        value
    }

    #[inline(always)]
    fn turn<const C: usize, T: Trace>(&mut self, rng: &mut Rng, trace: &mut T) {
        let v = self.choose::<C>(rng);
        if T::RECORDS {
            trace.record(Player::new(C), tesuji::Game::key(self, Vertex::from_index(v as u16)));
        }
        debug_assert!(v == 0 || self.board.stone(v) == EMPTY);
        self.step::<C>(v);
    }
}
