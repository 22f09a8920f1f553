//! Fast uniformly random playouts.
//!
//! A playout chooses with equal probability among the moves that are not suicide, do not retake a
//! ko at once, and do not fill an own single-point eye; it passes only if there is none, and ends
//! with the second pass in a row or at the move cap.

use crate::go::{Go, value_of};
#[cfg(feature = "recipe")]
use crate::go::{Go9, Go13, Go19};
use crate::vertex::Vertex;
#[cfg(feature = "recipe")]
use tesuji::Playout;
use tesuji::{Guide, Look, Player, Playouts, Rng, Trace, Value};

/// The choice is made from a list of the playable moves once a share of the empty points, one pair
/// of candidates for each `TRIES` of them, has been refused; from the second list of a playout on,
/// for each `LATE_TRIES`. Any numbers give the same distribution; these are the fastest.
const TRIES: u32 = 2;
const LATE_TRIES: u32 = 8;

/// Makes recipes know the playout policies of this crate, `tactics` and `patterns`, on 9x9, 13x13
/// and 19x19, from now on and in the whole program.
///
/// # Panics
/// If another playout policy has one of these kinds.
#[cfg(feature = "recipe")]
pub fn register_playouts() {
    fn on_all_boards<P>()
    where
        P: tesuji::OwnPart + Playout<Go9> + Playout<Go13> + Playout<Go19> + Clone,
    {
        tesuji::register_playout::<P, Go9>();
        tesuji::register_playout::<P, Go13>();
        tesuji::register_playout::<P, Go19>();
    }
    on_all_boards::<crate::tactics::Tactics>();
    on_all_boards::<crate::pattern::PatternPlayouts>();
}

impl<const STRIDE: usize, const LEN: usize> Go<STRIDE, LEN> {
    /// Appends the moves a playout may choose from.
    pub(crate) fn all_playable(&self, out: &mut Vec<Vertex<STRIDE>>) {
        let mut list = [0; LEN];
        let len = match self.to_move.index() {
            0 => self.list_playable::<0>(&mut list),
            _ => self.list_playable::<1>(&mut list),
        };
        if len == 0 {
            out.push(Vertex::PASS);
        }
        out.extend(list[..len].iter().map(|&v| Vertex::from_index(v)));
    }

    /// Fills the front of `list` and returns its length.
    #[inline(always)]
    fn list_playable<const C: usize>(&self, list: &mut [u16; LEN]) -> usize {
        let mut len = 0;
        for &v in self.board.empties() {
            list[len] = v;
            len += usize::from(self.board.is_playable::<C>(v.into()));
        }
        len
    }

    /// One of the playable moves, each equally likely.
    pub(crate) fn random_playable(&self, rng: &mut Rng) -> Vertex<STRIDE> {
        let random = rng.bits();
        let v = match self.to_move.index() {
            0 => self.choose::<0>(random as u32, &mut { TRIES }, rng),
            _ => self.choose::<1>(random as u32, &mut { TRIES }, rng),
        };
        Vertex::from_index(v as u16)
    }

    /// The index of a playable point, or 0 if there is none. The first candidate is drawn by
    /// `random`, the others until the playable points are listed by `rng`; `tries` is [`TRIES`] at
    /// the start.
    #[inline(always)]
    fn choose<const C: usize>(&self, random: u32, tries: &mut u32, rng: &mut Rng) -> usize {
        let empties = self.board.empties();
        if empties.is_empty() {
            return 0;
        }
        let v = empties[below(empties.len(), random, rng)].into();
        if self.board.is_playable::<C>(v) { v } else { self.choose_again::<C>(tries, rng) }
    }

    #[inline(never)]
    fn choose_again<const C: usize>(&self, tries: &mut u32, rng: &mut Rng) -> usize {
        let empties = self.board.empties();
        for _ in 0..empties.len() as u32 / *tries {
            let random = rng.bits();
            for half in [(random >> 32) as u32, random as u32] {
                let v = empties[below(empties.len(), half, rng)].into();
                if self.board.is_playable::<C>(v) {
                    return v;
                }
            }
        }
        *tries = LATE_TRIES;
        let mut list = [0; LEN];
        let len = self.list_playable::<C>(&mut list);
        if len == 0 { 0 } else { list[rng.below(len as u32) as usize].into() }
    }

    /// Plays at the empty point with this index, or passes at 0, without a look at superko.
    #[inline]
    pub(crate) fn play_quickly<T: Trace>(&mut self, index: usize, trace: &mut T) {
        match self.to_move.index() {
            0 => self.step::<0, T>(index, trace),
            _ => self.step::<1, T>(index, trace),
        }
        self.to_move = self.to_move.other();
        self.playout_moves += 1;
    }

    /// Plays colour `C` at the empty point `v`, or passes at 0, and tells `trace`.
    #[inline(always)]
    fn step<const C: usize, T: Trace>(&mut self, v: usize, trace: &mut T) {
        if T::RECORDS {
            trace.record(Player::new(C), self.board.key(C, v));
        }
        if v == 0 {
            self.board.lift_ko();
            self.passes += 1;
        } else {
            self.board.place::<C, false, T>(v, trace);
            self.passes = 0;
        }
    }

    /// For each point, in the order of [`Go::points`], the share of `playouts` uniform playouts at
    /// whose end it is the first player's. A point that is nobody's counts half.
    pub fn ownership_shares(&self, playouts: u32, seed: u64) -> Vec<f32> {
        let mut counts = vec![0_u32; self.size() * self.size()];
        let (mut game, mut buffer, mut rng) = (self.clone(), Vec::new(), Rng::new(seed));
        for _ in 0..playouts {
            game.clone_from(self);
            game.playout(&mut rng, &mut buffer, &mut ());
            for (count, owner) in counts.iter_mut().zip(game.ownership()) {
                *count += owner.map_or(1, |player| if player == Player::FIRST { 2 } else { 0 });
            }
        }
        let total = (2 * playouts.max(1)) as f32;
        counts.into_iter().map(|count| count as f32 / total).collect()
    }

    #[inline(always)]
    pub(crate) fn playout_cap(&self) -> u32 {
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

    /// [`Go::score`] for the end of a playout, where every empty point has neighbours of one colour
    /// only or is nobody's.
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
        if self.rules.mercy.is_some() {
            return self.run_watched(rng, trace);
        }
        let mut left = self.playout_cap().saturating_sub(self.playout_moves);
        let mut tries = TRIES;
        let mut over = self.passes >= 2 || left == 0;
        if !over && self.to_move != Player::FIRST {
            let random = rng.bits() as u32;
            over = self.turn::<1, T>(random, &mut left, &mut tries, rng, trace);
        }
        while !over {
            let random = rng.bits();
            over = self.turn::<0, T>((random >> 32) as u32, &mut left, &mut tries, rng, trace)
                || self.turn::<1, T>(random as u32, &mut left, &mut tries, rng, trace);
        }
        if self.passes >= 2 { value_of(self.playout_score()) } else { self.value() }
    }

    /// One turn; whether it was the last.
    #[inline(always)]
    fn turn<const C: usize, T: Trace>(
        &mut self,
        random: u32,
        left: &mut u32,
        tries: &mut u32,
        rng: &mut Rng,
        trace: &mut T,
    ) -> bool {
        let v = self.choose::<C>(random, tries, rng);
        self.step::<C, T>(v, trace);
        *left -= 1;
        *left == 0 || self.passes >= 2
    }

    /// Plays to the end by the choices of `guide`.
    pub(crate) fn run_guided<T: Guide>(&mut self, rng: &mut Rng, guide: &mut T) -> Value {
        let most = self.playout_cap().saturating_sub(self.playout_moves);
        let (mut left, mut tries) = (most, TRIES);
        let mut over = self.playout_end().is_some();
        if !over && self.to_move != Player::FIRST {
            over = self.guided_turn::<1, T>(&mut left, &mut tries, rng, guide);
        }
        while !over {
            over = self.guided_turn::<0, T>(&mut left, &mut tries, rng, guide)
                || self.guided_turn::<1, T>(&mut left, &mut tries, rng, guide);
        }
        self.playout_moves += most - left;
        self.playout_end().unwrap_or_else(|| self.value())
    }

    /// One turn; whether it was the last.
    #[inline(always)]
    fn guided_turn<const C: usize, T: Guide>(
        &mut self,
        left: &mut u32,
        tries: &mut u32,
        rng: &mut Rng,
        guide: &mut T,
    ) -> bool {
        let random = rng.bits();
        let v = if guide.explores((random >> 32) as u32) {
            self.choose::<C>(random as u32, tries, rng)
        } else {
            guide.best(Player::new(C), rng, |cell| self.look::<C>(cell)).unwrap_or(0)
        };
        self.step::<C, T>(v, guide);
        *left -= 1;
        *left == 0 || self.passes >= 2 || (self.rules.mercy.is_some() && self.playout_end().is_some())
    }

    /// Whether playouts may play colour `C` at the point with this number.
    #[inline(always)]
    fn look<const C: usize>(&self, number: usize) -> Look<usize> {
        let v = self.board.point(number).into();
        if !self.board.is_empty(v) {
            Look::Closed
        } else if self.board.is_open(v) || (!self.board.is_eye::<C>(v) && self.look_closely::<C>(v)) {
            Look::Found(v)
        } else {
            Look::NotNow
        }
    }

    /// Whether playouts may play colour `C` at the empty point `v`, which is neither open nor an
    /// own eye. Out of line, so that a look at the other points is short enough to stand where it
    /// is taken.
    #[inline(never)]
    fn look_closely<const C: usize>(&self, v: usize) -> bool {
        self.board.is_playable_closely::<C>(v)
    }

    /// Plays to the end, with the mercy rule in force.
    fn run_watched<T: Trace>(&mut self, rng: &mut Rng, trace: &mut T) -> Value {
        loop {
            if let Some(value) = self.playout_end() {
                return value;
            }
            let m = self.random_playable(rng);
            self.play_quickly(m.index().into(), trace);
        }
    }
}

/// A number below `n`, each equally likely: made from `random` unless that would favour some
/// (Lemire 2019).
#[inline(always)]
fn below(n: usize, random: u32, rng: &mut Rng) -> usize {
    let n = n as u32;
    let product = u64::from(random) * u64::from(n);
    let unfair = (product as u32) < n && (product as u32) < n.wrapping_neg() % n;
    (if unfair { rng.below(n) } else { (product >> 32) as u32 }) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Go9, Komi, Rules};
    use tesuji::Playouts;

    /// A position from rows of X, O and points, the topmost first.
    fn drawn(rows: &[&str], to_move: Player) -> Go9 {
        let mut game = Go9::new(rows.len(), Rules::default());
        let mut edits = Vec::new();
        for (row, line) in rows.iter().rev().enumerate() {
            for (column, stone) in line.chars().enumerate() {
                let stone = "XO".find(stone).map(Player::new);
                edits.push((game.vertex(column, row).unwrap(), stone));
            }
        }
        game.set_up(&edits).unwrap();
        game.set_to_move(to_move);
        game
    }

    fn at(text: &str) -> Vertex<10> {
        Vertex::parse(text).unwrap()
    }

    fn plays(game: &Go9, point: &str) -> bool {
        let mut playable = Vec::new();
        game.all_playable(&mut playable);
        playable.contains(&at(point))
    }

    #[test]
    fn a_ko_is_retaken_after_a_pass() {
        let mut game = drawn(&[".XO..", "XO.O.", ".XO..", ".....", "....."], Player::FIRST);
        game.playout_play(at("C4"), &mut ());
        assert!(!plays(&game, "B4"));
        game.playout_play(Vertex::PASS, &mut ());
        game.playout_play(Vertex::PASS, &mut ());
        assert!(plays(&game, "B4"));
    }

    #[test]
    fn two_stones_taken_one_by_one_leave_no_ko() {
        let mut game = drawn(&["..O..", ".XOX.", "XO.OX", ".XOX.", "....."], Player::FIRST);
        game.playout_play(at("C3"), &mut ());
        assert_eq!((game.stone(at("B3")), game.stone(at("D3")), game.board.ko()), (None, None, 0));
    }

    #[test]
    fn mercy_begins_with_its_lead() {
        for (rows, end) in
            [(["XX.", "...", "..."], Some(Value::win(Player::FIRST))), (["X..", "...", "..."], None)]
        {
            let mut game = drawn(&rows, Player::FIRST);
            game.rules.mercy = Some(2);
            assert_eq!(game.playout_end(), end);
        }
    }

    #[test]
    fn each_listed_point_is_chosen_equally_often() {
        let (game, mut rng, mut counts) = (Go9::new(3, Rules::default()), Rng::new(1), [0; 9]);
        for _ in 0..9000 {
            // Nothing is tried before the list is made.
            counts[game.board.number_of(game.choose_again::<0>(&mut { u32::MAX }, &mut rng))] += 1;
        }
        assert!(counts.iter().all(|count| (800..1200).contains(count)), "{counts:?}");
    }

    /// A player who passed early may leave points that are nobody's.
    #[test]
    fn a_playout_after_a_pass_ends_with_the_true_score() {
        let mut neutral = 0;
        for size in 1..=3 {
            let points = size * size;
            for number in 0..3_u32.pow(points as u32) {
                let mut game = Go9::new(size, Rules { komi: Komi::from_halves(1), ..Rules::default() });
                let stone = |i: usize| Some(number / 3_u32.pow(i as u32) % 3).filter(|&s| s < 2);
                let edits: Vec<_> = game
                    .points()
                    .enumerate()
                    .map(|(i, v)| (v, stone(i).map(|s| Player::new(s as usize))))
                    .collect();
                if game.set_up(&edits).is_err() {
                    continue;
                }
                game.playout_play(Vertex::PASS, &mut ());
                game.run_playout(&mut Rng::new(number.into()), &mut ());
                if game.passes >= 2 {
                    assert_eq!(game.playout_score(), game.score(), "{game}");
                    neutral += game.ownership().iter().filter(|owner| owner.is_none()).count();
                }
            }
        }
        assert!(neutral > 0);
    }
}
