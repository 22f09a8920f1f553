//! The conformance kit finds defects of games that find moves by their keys.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tesuji::conformance::check;
use tesuji::{Game, Guide, Keyed, Knowledge, Look, Notation, Order, Player, Playouts, Rng, Trace, Value};

/// A fault of [`Cells`].
#[derive(Clone, Copy, PartialEq, Debug)]
enum Defect {
    None,
    SearchMoveMissed,
    SearchMoveTaken,
    PlayoutMoveMissed,
    PlayoutMoveTaken,
    OpenCellsMissOne,
    Ordered,
    TakenTooEarly,
    FreedTooLate,
    GuideUnheeded,
    GuideNotTold,
    GuidedResultSwapped,
    GuidedBufferLeft,
    DrawBiased,
    DrawIllegal,
}

const CELLS: u8 = 5;

/// The players take cells in turns. When cell 1 is taken after cell 0, cell 0 is free again, but
/// only once. Who takes the last cell wins.
#[derive(Clone)]
struct Cells {
    taken: u8,
    was_freed: bool,
    to_move: Player,
    defect: Defect,
}

impl Cells {
    fn is_free(&self, cell: u8) -> bool {
        self.taken >> cell & 1 == 0
    }

    /// The cell of a key of the player to move.
    fn cell(&self, key: usize) -> u8 {
        (key - self.first_key()) as u8
    }

    fn free(&self, key: usize) -> Option<u8> {
        Some(self.cell(key)).filter(|&cell| self.is_free(cell))
    }
}

impl Game for Cells {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend((0..CELLS).filter(|&cell| self.is_free(cell)));
    }

    fn play(&mut self, cell: u8) {
        self.playout_play(cell, &mut ());
    }

    fn result(&self) -> Option<Value> {
        (self.taken == (1 << CELLS) - 1).then(|| Value::win(self.to_move.other()))
    }
}

impl Keyed for Cells {
    fn keys(&self) -> usize {
        2 * usize::from(CELLS)
    }

    const FINDS_MOVES: bool = true;
    const LISTS_CELLS: bool = true;

    fn order(&self) -> Option<Order> {
        const SAME: [u16; CELLS as usize] = [0, 1, 2, 3, 4];
        (self.defect == Defect::Ordered).then_some(Order { places: &SAME, cells: &SAME })
    }

    fn search_move_of(&self, key: usize) -> Option<u8> {
        match self.defect {
            Defect::SearchMoveMissed if self.cell(key) == 2 => None,
            Defect::SearchMoveTaken => Some(self.cell(key)),
            _ => self.free(key),
        }
    }

    fn playout_move_of(&self, key: usize) -> Option<u8> {
        match self.defect {
            Defect::PlayoutMoveMissed if self.cell(key) == 2 => None,
            Defect::PlayoutMoveTaken => Some(self.cell(key)),
            _ => self.free(key),
        }
    }

    fn is_taken(&self, key: usize) -> bool {
        match self.defect {
            Defect::TakenTooEarly => self.cell(key) == 3,
            _ => self.free(key).is_none(),
        }
    }

    fn open_cells(&self, bits: &mut [u64]) {
        let missed = self.defect == Defect::OpenCellsMissOne;
        for cell in (0..CELLS).filter(|&cell| self.is_free(cell) && !(missed && cell == 2)) {
            bits[0] |= 1 << cell;
        }
    }
}

impl Playouts for Cells {
    fn playout_play<T: Trace>(&mut self, cell: u8, trace: &mut T) {
        if T::RECORDS {
            trace.record(self.to_move, self.key(cell));
        }
        self.taken |= 1 << cell;
        if cell == 1 && !self.was_freed && !self.is_free(0) {
            self.was_freed = true;
            self.taken &= !1;
            if self.defect != Defect::FreedTooLate {
                trace.freed(0);
            }
        }
        self.to_move = self.to_move.other();
    }

    fn guided_playout<T: Guide>(&mut self, rng: &mut Rng, buffer: &mut Vec<u8>, guide: &mut T) -> Value {
        loop {
            if let Some(outcome) = self.playout_result() {
                buffer.extend((self.defect == Defect::GuidedBufferLeft).then_some(0));
                let swapped = self.defect == Defect::GuidedResultSwapped;
                return if swapped { Value::win(self.to_move) } else { outcome };
            }
            let explores = guide.explores(rng.bits() as u32);
            let m = if explores || self.defect == Defect::GuideUnheeded {
                self.playout_move(rng, buffer)
            } else {
                let look = |cell| match self.free(self.first_key() + cell) {
                    Some(m) => Look::Found(m),
                    None => Look::Closed,
                };
                guide.best(self.to_move, rng, look).expect("a cell is free")
            };
            match self.defect {
                Defect::GuideNotTold if m == 4 => self.playout_play(m, &mut ()),
                _ => self.playout_play(m, guide),
            }
        }
    }
}

impl Knowledge for Cells {
    fn draw_search_move(&self, rng: &mut Rng) -> Option<u8> {
        let cell = rng.below(CELLS.into()) as u8;
        match self.defect {
            Defect::DrawIllegal => Some(cell),
            // Twice as often as any other.
            Defect::DrawBiased if rng.below(6) == 0 => (0..CELLS).find(|&cell| self.is_free(cell)),
            _ => Some(cell).filter(|&cell| self.is_free(cell)),
        }
    }
}

impl Notation for Cells {
    fn move_text(&self, cell: u8) -> String {
        cell.to_string()
    }
}

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05b}", self.taken)
    }
}

/// What the kit says of a game with this defect.
fn verdict(defect: Defect) -> String {
    let game = Cells { taken: 0, was_freed: false, to_move: Player::FIRST, defect };
    match catch_unwind(AssertUnwindSafe(|| check(&game, 1, 20))) {
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
        (SearchMoveMissed, "`search_move_of` finds None by key 2, not Some(2)"),
        (SearchMoveTaken, "`search_move_of` finds Some("),
        (PlayoutMoveMissed, "`playout_move_of` finds None by key 2, not Some(2)"),
        (PlayoutMoveTaken, "`playout_move_of` finds Some("),
        (OpenCellsMissOne, "`open_cells` leaves out the cell 2 of Some(2)"),
        (Ordered, "a game that finds moves by keys has an `order`"),
        (TakenTooEarly, "finds a move, though its cell is taken"),
        (FreedTooLate, "finds a move, though its cell is taken"),
        (GuideUnheeded, "of a guided playout is"),
        (GuideNotTold, "`guided_playout`"),
        (GuidedResultSwapped, "a guided playout has the result"),
        (GuidedBufferLeft, "leaves its buffer filled"),
        (DrawBiased, "`draw_search_move` is not uniform"),
        (DrawIllegal, "`draw_search_move` draws"),
    ] {
        let verdict = verdict(defect);
        assert!(verdict.contains(message), "{defect:?}: {verdict}");
        assert!(verdict.contains("after the moves ["), "{defect:?}: {verdict}");
    }
}
