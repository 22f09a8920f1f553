//! The features of a move that are not its surroundings.

use super::surroundings::Surroundings;
use crate::board::Board;

/// What a move does to chains.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Deed {
    /// It captures the chain of the last move, which has one stone, or more.
    Capture,
    CaptureLong,
    /// It captures a chain next to one of one stone, or more, that the last move put into atari.
    Rescue,
    RescueLong,
    /// It extends such a chain and leaves it two liberties.
    Escape,
    EscapeLong,
    /// It leaves its own chain one liberty and captures nothing.
    SelfAtari,
}

impl Deed {
    pub(super) const ALL: [Deed; 7] = [
        Deed::Capture,
        Deed::CaptureLong,
        Deed::Rescue,
        Deed::RescueLong,
        Deed::Escape,
        Deed::EscapeLong,
        Deed::SelfAtari,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Deed::Capture => "capture",
            Deed::CaptureLong => "capture-long",
            Deed::Rescue => "rescue",
            Deed::RescueLong => "rescue-long",
            Deed::Escape => "escape",
            Deed::EscapeLong => "escape-long",
            Deed::SelfAtari => "self-atari",
        }
    }
}

/// The most moves near the last one: its eight neighbours, the captures of four chains in atari by
/// four neighbours each, and the liberties of five chains.
pub(super) const MOST: usize = 32;

/// A move near the last one, with its features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) point: u16,
    /// None for a move that is not next to the last one.
    pub(super) surroundings: Option<Surroundings>,
    /// Bits by [`Deed`].
    pub(super) deeds: u8,
}

impl Near {
    pub(super) fn does(self, deed: Deed) -> bool {
        self.deeds >> deed as u8 & 1 == 1
    }
}

/// The moves near the last one.
pub(super) struct Neighbourhood {
    moves: [Near; MOST],
    len: usize,
}

impl Neighbourhood {
    /// The playable moves of colour `C` around the last one, at `last` (0: a pass, or none was
    /// played), and those that capture or escape because of it.
    #[inline(always)]
    pub(super) fn new<const C: usize, const STRIDE: usize, const LEN: usize>(
        board: &Board<STRIDE, LEN>,
        last: usize,
    ) -> Neighbourhood {
        let mut near =
            Neighbourhood { moves: [Near { point: 0, surroundings: None, deeds: 0 }; MOST], len: 0 };
        if last == 0 {
            return near;
        }
        let orthogonal = Board::<STRIDE, LEN>::orthogonal(last);
        for v in orthogonal.into_iter().chain(Board::<STRIDE, LEN>::diagonal(last)) {
            if board.is_empty(v) && board.is_playable::<C>(v) {
                let surroundings = Some(board.surroundings::<C>(v));
                near.moves[near.len] = Near { point: v as u16, surroundings, deeds: 0 };
                near.len += 1;
            }
        }
        if board.colour(last) < 2 {
            let liberty = board.last_liberty(last);
            if liberty != 0 {
                let deed = if board.is_long(last) { Deed::CaptureLong } else { Deed::Capture };
                near.add::<C, _, _>(board, liberty, deed);
            }
        }
        for v in orthogonal {
            if board.colour(v) == C as u8 {
                let liberty = board.last_liberty(v);
                if liberty != 0 {
                    near.save::<C, _, _>(board, v, liberty);
                }
            }
        }
        for near in &mut near.moves[..near.len] {
            if board.is_self_atari::<C>(near.point.into()) {
                near.deeds |= 1 << Deed::SelfAtari as u8;
            }
        }
        near
    }

    pub(super) fn moves(&self) -> &[Near] {
        &self.moves[..self.len]
    }

    pub(super) fn has(&self, v: usize) -> bool {
        self.moves().iter().any(|near| usize::from(near.point) == v)
    }

    /// Adds the moves that save the own chain of the stone at `v`, whose last liberty this is.
    #[inline(never)]
    fn save<const C: usize, const STRIDE: usize, const LEN: usize>(
        &mut self,
        board: &Board<STRIDE, LEN>,
        v: usize,
        liberty: usize,
    ) {
        let is_long = board.is_long(v);
        let by = |short, long| if is_long { long } else { short };
        if !board.is_self_atari::<C>(liberty) {
            self.add::<C, _, _>(board, liberty, by(Deed::Escape, Deed::EscapeLong));
        }
        for stone in board.chain_of(v) {
            for n in Board::<STRIDE, LEN>::orthogonal(stone) {
                if board.colour(n) == 1 - C as u8 {
                    let capture = board.last_liberty(n);
                    if capture != 0 {
                        self.add::<C, _, _>(board, capture, by(Deed::Rescue, Deed::RescueLong));
                    }
                }
            }
        }
    }

    /// Gives the move at `v` one more deed, if it is playable.
    fn add<const C: usize, const STRIDE: usize, const LEN: usize>(
        &mut self,
        board: &Board<STRIDE, LEN>,
        v: usize,
        deed: Deed,
    ) {
        let place = self.moves().iter().position(|near| usize::from(near.point) == v);
        if place.is_none() && (self.len == MOST || !board.is_playable::<C>(v)) {
            return;
        }
        let place = place.unwrap_or(self.len);
        if place == self.len {
            self.moves[place] = Near { point: v as u16, surroundings: None, deeds: 0 };
            self.len += 1;
        }
        self.moves[place].deeds |= 1 << deed as u8;
    }
}
