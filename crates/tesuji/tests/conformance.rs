//! The conformance kit accepts a right game and finds every defect of a wrong one.

use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use tesuji::conformance::{check, check_notation, check_with_loose_playouts};
use tesuji::{Game, Keyed, Knowledge, Notation, Order, Player, Playouts, Rng, Scores, Trace};

/// A fault of a [`Pile`].
#[derive(Clone, Copy, PartialEq, Debug)]
enum Defect {
    None,
    MovesChange,
    MovesRepeat,
    NoMoves,
    Endless,
    SharedState,
    StaleCopy,
    RandomPlay,
    ResultOutOfRange,
    ResultsDoNotSum,
    KeyTooLarge,
    KeyIgnoresPlayer,
    KeyIgnoresMove,
    DecodesAnother,
    KeyChanges,
    KeysChange,
    TooManyMoves,
    HashIgnoresPlayer,
    HashIgnoresPile,
    HashComesAndGoes,
    HashRandom,
    SearchMovesEmpty,
    SearchMovesIllegal,
    OpenCellsTooMany,
    OrderOfAnother,
    OrderNotInverse,
    PlayoutMovesIllegal,
    PlayoutMoveIllegal,
    PlayoutMoveBiased,
    PlayoutMoveLeavesBuffer,
    PlayoutBiased,
    PlayoutEndless,
    PlayoutHidesMoves,
    PlayoutSwapsPlayers,
    PlayoutWrongResult,
    TooFewPriors,
    NegativePriors,
    InfinitePriors,
    TextWithSpace,
    TextAmbiguous,
    PrintsNothing,
}

/// Take one to three from a pile; who takes the last wins.
struct Pile {
    left: u8,
    to_move: Player,
    shared: Rc<Cell<u8>>,
    defect: Defect,
}

fn pile(defect: Defect) -> Pile {
    Pile { left: 15, to_move: Player::FIRST, shared: Rc::default(), defect }
}

impl Clone for Pile {
    fn clone(&self) -> Pile {
        Pile { shared: Rc::clone(&self.shared), ..*self }
    }
    fn clone_from(&mut self, other: &Pile) {
        let left = self.left;
        *self = other.clone();
        if self.defect == Defect::StaleCopy {
            self.left = left;
        }
    }
}

/// A different number at every call.
fn tick(shared: &Cell<u8>) -> u8 {
    shared.replace(shared.get().wrapping_add(1))
}

impl Game for Pile {
    type Move = u8;
    type Outcome = Scores<2>;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut Vec<u8>) {
        match self.defect {
            Defect::NoMoves if self.left == 4 => {}
            Defect::MovesChange if tick(&self.shared).is_multiple_of(2) => out.extend([1]),
            Defect::MovesRepeat => out.extend([1, 1]),
            _ => out.extend(1..=self.left.min(3)),
        }
    }

    fn play(&mut self, m: u8) {
        self.left -= m;
        self.to_move = self.to_move.other();
        match self.defect {
            Defect::SharedState => _ = tick(&self.shared),
            Defect::RandomPlay if self.left > 1 => self.left -= tick(&self.shared) % 2,
            Defect::Endless => self.left = 15,
            _ => {}
        }
    }

    fn result(&self) -> Option<Scores<2>> {
        let mut scores = [0.0, 0.0];
        scores[self.to_move.other().index()] = 1.0;
        match self.defect {
            Defect::ResultOutOfRange => scores = [2.0, -1.0],
            Defect::ResultsDoNotSum => scores = [1.0, 1.0],
            _ => {}
        }
        (self.left == 0).then_some(Scores(scores))
    }

    fn search_moves(&self, out: &mut Vec<u8>) {
        match self.defect {
            Defect::SearchMovesEmpty => {}
            Defect::SearchMovesIllegal => out.push(3),
            _ => self.moves(out),
        }
    }

    fn most_moves(&self) -> Option<usize> {
        Some(if self.defect == Defect::TooManyMoves { 2 } else { 3 })
    }

    fn hash(&self) -> Option<u64> {
        let (player, left) = (self.to_move.index() as u64, u64::from(self.left));
        match self.defect {
            Defect::HashIgnoresPlayer => Some(left),
            Defect::HashIgnoresPile => Some(player),
            Defect::HashComesAndGoes => (left > 5).then_some(2 * left + player),
            Defect::HashRandom => Some(u64::from(tick(&self.shared))),
            Defect::SharedState => Some(512 * left + 2 * u64::from(self.shared.get()) + player),
            _ => Some(2 * left + player),
        }
    }
}

impl Keyed for Pile {
    fn keys(&self) -> usize {
        if self.defect == Defect::KeysChange { 6 + self.left as usize } else { 6 }
    }

    fn first_key(&self) -> usize {
        if self.defect == Defect::KeyIgnoresPlayer { 0 } else { 3 * self.to_move.index() }
    }

    fn code(&self, m: u8) -> u16 {
        let m = u16::from(m) - 1;
        match self.defect {
            Defect::KeyTooLarge => m + 1,
            Defect::KeyIgnoresMove => 0,
            Defect::KeyChanges => (m + u16::from(self.left)) % 3,
            _ => m,
        }
    }

    const LISTS_CELLS: bool = true;

    fn open_cells(&self, bits: &mut [u64]) {
        let mut moves = Vec::new();
        self.search_moves(&mut moves);
        moves.extend((self.defect == Defect::OpenCellsTooMany).then_some(3));
        moves.iter().for_each(|&m| bits[0] |= 1 << self.code(m));
    }

    fn order(&self) -> Option<Order> {
        const FORWARD: &[u16] = &[0, 1, 2];
        const REVERSE: &[u16] = &[2, 1, 0];
        match self.defect {
            Defect::OrderOfAnother => Some(Order { places: REVERSE, cells: REVERSE }),
            Defect::OrderNotInverse => Some(Order { places: REVERSE, cells: FORWARD }),
            _ => None,
        }
    }

    fn decode(&self, code: u16) -> u8 {
        let m = code as u8 + 1;
        match self.defect {
            Defect::DecodesAnother => 1,
            Defect::KeyTooLarge => m - 1,
            Defect::KeyChanges => (code as u8 + 2 * self.left) % 3 + 1,
            _ => m,
        }
    }
}

impl Playouts for Pile {
    fn playout_moves(&self, out: &mut Vec<u8>) {
        match self.defect {
            Defect::PlayoutMovesIllegal => out.extend([self.left.min(3), 4]),
            _ => self.moves(out),
        }
    }

    fn playout_move(&self, rng: &mut Rng, buffer: &mut Vec<u8>) -> u8 {
        self.playout_moves(buffer);
        let n = buffer.len() as u32;
        let m = buffer[rng.below(n) as usize];
        if self.defect != Defect::PlayoutMoveLeavesBuffer {
            buffer.clear();
        }
        match self.defect {
            Defect::PlayoutMoveIllegal if self.left == 15 => 4,
            // One in two instead of one in three.
            Defect::PlayoutMoveBiased if rng.below(4) == 0 => 1,
            _ => m,
        }
    }

    fn playout_play<T: Trace>(&mut self, m: u8, _: &mut T) {
        self.play(m);
        if self.defect == Defect::PlayoutEndless {
            self.left = 15;
        }
    }

    fn playout<T: Trace>(&mut self, rng: &mut Rng, buffer: &mut Vec<u8>, trace: &mut T) -> Scores<2> {
        loop {
            if let Some(outcome) = self.playout_result() {
                let wrong = self.defect == Defect::PlayoutWrongResult;
                return if wrong { Scores([outcome.0[1], outcome.0[0]]) } else { outcome };
            }
            let mut m = self.playout_move(rng, buffer);
            if self.defect == Defect::PlayoutBiased && self.left < 4 {
                m = self.left;
            }
            let player = match self.defect {
                Defect::PlayoutSwapsPlayers => self.to_move.other(),
                _ => self.to_move,
            };
            if self.defect != Defect::PlayoutHidesMoves || self.left > 8 {
                trace.record(player, self.key(m));
            }
            self.playout_play(m, &mut ());
        }
    }
}

impl Knowledge for Pile {
    fn priors(&self, moves: &[u8], out: &mut Vec<f32>) {
        match self.defect {
            Defect::TooFewPriors => out.push(1.0),
            Defect::NegativePriors => out.extend(moves.iter().map(|_| -1.0)),
            Defect::InfinitePriors => out.extend(moves.iter().map(|_| f32::INFINITY)),
            _ => out.extend(moves.iter().map(|&m| f32::from(m))),
        }
    }
}

impl Notation for Pile {
    fn move_text(&self, m: u8) -> String {
        match self.defect {
            Defect::TextWithSpace => format!("take {m}"),
            Defect::TextAmbiguous => "take".into(),
            _ => format!("take{m}"),
        }
    }
}

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.defect == Defect::PrintsNothing { Ok(()) } else { write!(f, "{} left", self.left) }
    }
}

/// What the kit says of a pile with this defect.
fn verdict(defect: Defect) -> String {
    let pile = pile(defect);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        check(&pile, 1, 20);
        check_notation(&pile, 1, 20);
    }));
    match outcome {
        Ok(()) => "accepted".into(),
        Err(panic) => panic.downcast_ref::<String>().expect("a message").clone(),
    }
}

#[test]
fn a_right_game_is_accepted() {
    assert_eq!(verdict(Defect::None), "accepted");
}

#[test]
fn every_defect_is_named() {
    use Defect::*;
    for (defect, message) in [
        (MovesChange, "differently the second time"),
        (MovesRepeat, "`moves` holds 1 twice"),
        (NoMoves, "`moves` is empty"),
        (Endless, "no end"),
        (SharedState, "on a clone changes the original"),
        (StaleCopy, "a copy by `clone_from` differs"),
        (RandomPlay, "two copies leads to different positions"),
        (ResultOutOfRange, "result is 2"),
        (ResultsDoNotSum, "sum to 2"),
        (KeyTooLarge, "is not below 6"),
        (KeyIgnoresPlayer, "means both"),
        (KeyIgnoresMove, "`decode` makes 1 of the code of 2"),
        (DecodesAnother, "`decode` makes 1 of the code of 2"),
        (KeyChanges, "means both"),
        (KeysChange, "`keys` changed"),
        (TooManyMoves, "there are 3 moves, but `most_moves` of the start says 2"),
        (HashIgnoresPlayer, "have the same hash"),
        (HashIgnoresPile, "have the same hash"),
        (HashComesAndGoes, "there is no hash"),
        (HashRandom, "differs from the original"),
        (SearchMovesEmpty, "`search_moves` is empty"),
        (SearchMovesIllegal, "`search_moves` holds 3, which is not legal"),
        (OpenCellsTooMany, "`open_cells` has the cells [0, 1, 2], the search moves [0, 1]"),
        (OrderOfAnother, "`open_cells` has the cells [2, 1, 0], the search moves [0, 1, 2]"),
        (OrderNotInverse, "`order` has cell 0 at the places 0 and 2"),
        (PlayoutMovesIllegal, "`playout_moves` holds 4, which is not legal"),
        (PlayoutMoveIllegal, "draws 4, not one of"),
        (PlayoutMoveBiased, "`playout_move` is not uniform"),
        (PlayoutMoveLeavesBuffer, "leaves its buffer filled"),
        (PlayoutBiased, "moves told by `playout` is"),
        (PlayoutEndless, "no end"),
        (PlayoutHidesMoves, "moves told by `playout`"),
        (PlayoutSwapsPlayers, "of a playout is reported as"),
        (PlayoutWrongResult, "leads to the result"),
        (TooFewPriors, "1 priors for 3 moves"),
        (NegativePriors, "prior of 1 is -1"),
        (InfinitePriors, "prior of 1 is inf"),
        (TextWithSpace, "holds a space"),
        (TextAmbiguous, "is read as"),
        (PrintsNothing, "prints as nothing"),
    ] {
        let verdict = verdict(defect);
        assert!(verdict.contains(message), "{defect:?}: {verdict}");
        assert!(verdict.contains("after the moves ["), "{defect:?}: {verdict}");
    }
}

#[test]
fn loose_playouts_may_leave_the_rules() {
    let mut game = pile(Defect::None);
    check_with_loose_playouts(&game, 1, 20);
    game.defect = Defect::PlayoutMoveBiased;
    let outcome = catch_unwind(AssertUnwindSafe(|| check_with_loose_playouts(&game, 1, 20)));
    assert!(outcome.is_err());
}
