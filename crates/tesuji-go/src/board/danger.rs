//! Chains in danger and the cells around a point, for playouts with tactics.

use super::{Board, EMPTY, LIBERTIES, LIBERTY};

impl<const STRIDE: usize, const LEN: usize> Board<STRIDE, LEN> {
    /// The cells around the point `v` as colour `C` sees them, two bits each, row by row from the
    /// lower left: 0 own, 1 the opponent's, 2 empty, 3 outside.
    #[inline(always)]
    pub(crate) fn surroundings<const C: usize>(&self, v: usize) -> u16 {
        let [south, west, east, north] = Self::orthogonal(v);
        let [south_west, south_east, north_west, north_east] = Self::diagonal(v);
        let cells = [south_west, south, south_east, west, east, north_west, north, north_east];
        let code = cells.iter().rev().fold(0, |code, &n| code << 2 | u16::from(self.stone[n]));
        // The lower bit of a stone, whose higher bit is 0, is its colour.
        if C == 0 { code } else { code ^ (!code >> 1 & 0x5555) }
    }

    /// The colour of the stone at `v`, a cell next to a point; 2 or more if there is none.
    #[inline(always)]
    pub(crate) fn colour(&self, v: usize) -> u8 {
        self.stone[v]
    }

    /// The only liberty of the chain of the stone at `v`; 0 if it has more.
    #[inline(always)]
    pub(crate) fn last_liberty(&self, v: usize) -> usize {
        // One point is next to at most four stones.
        if self.liberties[self.chain[v].into()] > 4 { 0 } else { self.find_last_liberty(v) }
    }

    #[inline(never)]
    fn find_last_liberty(&self, v: usize) -> usize {
        let is_liberty = |&n: &usize| self.stone[n] == EMPTY;
        let first = self.chain_of(v).find_map(|u| Self::orthogonal(u).into_iter().find(is_liberty));
        first.filter(|&liberty| self.liberties_without(liberty, self.chain[v]) == 0).unwrap_or(0)
    }

    /// The liberties of the chain of the stone at `v`, if it has one or two.
    pub(crate) fn liberties_to_two(&self, v: usize) -> (Option<usize>, Option<usize>) {
        let (mut first, mut second) = (None, None);
        for n in self.chain_of(v).flat_map(Self::orthogonal).filter(|&n| self.stone[n] == EMPTY) {
            if first.is_none() {
                first = Some(n);
            } else if first != Some(n) && second.is_none() {
                second = Some(n);
            } else if first != Some(n) && second != Some(n) {
                return (None, None);
            }
        }
        (first, second)
    }

    /// Whether the chain of the stone at `v` has more than one stone.
    #[inline(always)]
    pub(crate) fn is_long(&self, v: usize) -> bool {
        usize::from(self.next[v]) != v
    }

    /// The stones of the chain of the stone at `v`, which is the first of them.
    pub(crate) fn chain_of(&self, v: usize) -> impl Iterator<Item = usize> {
        let after = move |&u: &usize| Some(usize::from(self.next[u])).filter(|&next| next != v);
        core::iter::successors(Some(v), after)
    }

    /// Whether a stone of colour `C` at the empty point `v`, where it has a liberty, would have
    /// only one and capture nothing.
    #[inline(always)]
    pub(crate) fn is_self_atari<const C: usize>(&self, v: usize) -> bool {
        self.around[v] & LIBERTIES < 2 * LIBERTY && self.leaves_one_liberty::<C>(v)
    }

    #[inline(never)]
    fn leaves_one_liberty<const C: usize>(&self, v: usize) -> bool {
        let neighbours = Self::orthogonal(v);
        let mut only = neighbours.into_iter().find(|&n| self.stone[n] == EMPTY).unwrap_or(0);
        for n in neighbours {
            if self.stone[n] == 1 - C as u8 && self.liberties_without(v, self.chain[n]) == 0 {
                return false;
            }
        }
        for n in neighbours {
            if self.stone[n] != C as u8 {
                continue;
            }
            if self.liberties_without(v, self.chain[n]) > 4 {
                return false;
            }
            for liberty in self.chain_of(n).flat_map(Self::orthogonal) {
                if self.stone[liberty] == EMPTY && liberty != v && liberty != only {
                    if only != 0 {
                        return false;
                    }
                    only = liberty;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::{Go9, Rules, Vertex};
    use tesuji::{Game, Player, Playouts, Rng};

    /// Liberties of the chain at `v`, by search.
    fn liberties(game: &Go9, v: usize) -> Vec<usize> {
        let board = &game.board;
        let (mut chain, mut liberties) = (vec![v], Vec::new());
        let mut i = 0;
        while i < chain.len() {
            for n in [chain[i] - 10, chain[i] - 1, chain[i] + 1, chain[i] + 10] {
                let stone = board.stone(n);
                if stone == board.stone(v) && !chain.contains(&n) {
                    chain.push(n);
                } else if stone == super::EMPTY && !liberties.contains(&n) {
                    liberties.push(n);
                }
            }
            i += 1;
        }
        liberties
    }

    #[test]
    fn last_liberties_and_self_ataris_are_those_that_a_search_finds() {
        let (mut rng, mut buffer, mut ataris) = (Rng::new(3), Vec::new(), [0; 2]);
        for _ in 0..40 {
            let mut game = Go9::new(9, Rules::default());
            while game.result().is_none() && game.move_number() < 120 {
                for v in game.points() {
                    let index = usize::from(v.index());
                    if game.stone(v).is_some() {
                        let found = liberties(&game, index);
                        let expected = if found.len() == 1 { found[0] } else { 0 };
                        assert_eq!(game.board.last_liberty(index), expected, "{game} {v}");
                        let (first, second) = game.board.liberties_to_two(index);
                        let mut few: Vec<usize> = first.into_iter().chain(second).collect();
                        few.sort_unstable();
                        let mut sorted = if found.len() <= 2 { found } else { Vec::new() };
                        sorted.sort_unstable();
                        assert_eq!(few, sorted, "{game} {v}");
                        ataris[0] += usize::from(expected != 0);
                    } else if game.to_move() == Player::FIRST && game.board.is_playable::<0>(index) {
                        let mut after = game.clone();
                        let stones = after.board.stones()[1];
                        after.play(v);
                        let is_self_atari =
                            after.board.stones()[1] == stones && liberties(&after, index).len() == 1;
                        assert_eq!(game.board.is_self_atari::<0>(index), is_self_atari, "{game} {v}");
                        ataris[1] += usize::from(is_self_atari);
                    }
                }
                let m = game.playout_move(&mut rng, &mut buffer);
                if game.legal(game.to_move(), m).is_err() {
                    break;
                }
                game.play(m);
            }
        }
        assert!(ataris[0] > 100 && ataris[1] > 100, "{ataris:?}");
    }

    #[test]
    fn both_colours_see_their_own_stones_as_own() {
        let mut game = Go9::new(9, Rules::default());
        let at = |text: &str| Vertex::parse(text).unwrap();
        game.set_up(&[(at("A1"), Some(Player::FIRST)), (at("B2"), Some(Player::SECOND))]).unwrap();
        let v = at("A2").index().into();
        let [own, other, empty, outside] = [0, 1, 2, 3];
        let black = [outside, own, empty, outside, other, outside, empty, empty];
        let white = [outside, other, empty, outside, own, outside, empty, empty];
        let code = |cells: [u16; 8]| cells.iter().rev().fold(0, |code, cell| code << 2 | cell);
        assert_eq!(game.board.surroundings::<0>(v), code(black));
        assert_eq!(game.board.surroundings::<1>(v), code(white));
    }
}
