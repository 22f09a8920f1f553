//! Positions in which a search leaves out some moves.

use crate::board::EMPTY;
use crate::go::Go;
use crate::restriction::Restriction;
use crate::vertex::Vertex;
use std::sync::Arc;

impl<const STRIDE: usize, const LEN: usize> Go<STRIDE, LEN> {
    /// Leaves moves out of searches of this position and of those that it leads to; `None` ends
    /// that. The rules do not change: [`Go::legal`] and [`Go::play_as`] ignore it.
    pub fn restrict(&mut self, restriction: Option<Arc<Restriction>>) {
        self.restricted = restriction.map(|restriction| (restriction, self.moves));
    }

    /// The moves of `listed`, all legal, that the restriction leaves, or all if there is none.
    #[cold]
    pub(crate) fn unrestricted(&self, listed: &[Vertex<STRIDE>], out: &mut Vec<Vertex<STRIDE>>) {
        let first = out.len();
        out.extend(listed.iter().filter(|v| !self.bars(self.board.number_of(v.index().into()))));
        if out.len() == first {
            out.extend_from_slice(listed);
        }
    }

    /// Whether the restriction, if there is one, names this move of the player to move here.
    #[inline]
    pub(crate) fn bars(&self, cell: usize) -> bool {
        let restricted = self.restricted.as_ref();
        restricted.is_some_and(|(restriction, from)| {
            restriction.bars(self.to_move, cell, self.moves.saturating_sub(*from))
        })
    }

    /// Whether a search move that the restriction names is left out, because it leaves others.
    #[cold]
    pub(crate) fn has_others(&self) -> bool {
        let Some((restriction, from)) = &self.restricted else { return true };
        let points = self.size() * self.size();
        let good = |v: usize| {
            self.board.stone(v) == EMPTY
                && match self.to_move.index() {
                    0 => self.is_search_move::<0>(v),
                    _ => self.is_search_move::<1>(v),
                }
        };
        let mut open = restriction.open(self.to_move, self.moves.saturating_sub(*from));
        open.any(|cell| cell == points || good(self.board.point(cell).into()))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Go9, Restriction, Rules, Vertex};
    use std::sync::Arc;
    use tesuji::{Game, Keyed, Player};

    fn searched(game: &Go9) -> Vec<String> {
        let mut moves = Vec::new();
        game.search_moves(&mut moves);
        let first = game.to_move().index() * 10;
        let found: Vec<_> = (first..first + 10).filter_map(|key| game.search_move_of(key)).collect();
        assert_eq!(found, moves, "by key and in the list");
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn moves_are_left_out_down_to_a_depth_and_never_all() {
        let mut restriction = Restriction::new(3);
        restriction.allow(Player::FIRST, &[4, 5], 3);
        restriction.avoid(Player::SECOND, &[0, 1, 9], 2);
        let free = Go9::new(3, Rules::default());
        let mut game = free.clone();
        game.restrict(Some(Arc::new(restriction)));
        assert_ne!(game.hash(), free.hash(), "a tree of the one is none of the other");
        assert_eq!(searched(&game), ["B2", "C2"]);
        game.play(Vertex::parse("B2").unwrap());
        assert_eq!(searched(&game), ["C1", "A2", "C2", "A3", "B3", "C3"]);
        game.play(Vertex::parse("C2").unwrap());
        assert_eq!(searched(&game).len(), 8, "both points are taken, so that all moves are free");
        game.play(Vertex::parse("A3").unwrap());
        assert!(searched(&game).contains(&"PASS".to_owned()), "beyond the depth");
        game.restrict(None);
        game.clone_from(&free);
        assert_eq!(game.hash(), free.hash());
        assert_eq!(searched(&game).len(), 10);
    }
}
