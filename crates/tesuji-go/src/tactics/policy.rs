//! Playouts by weights.

use super::feature::{Deed, Near, Neighbourhood};
use super::weights::{PowerTable, UNIT, Weights};
use crate::go::Go;
use crate::vertex::Vertex;
use tesuji::{Evaluation, Game, Playout, Rng, Trace, Value};

/// Draws of a move far from the last one before the playable ones are listed.
const TRIES: usize = 8;

/// Go: captures, escapes and learnt 3x3 patterns near the last move.
///
/// A move near the last one has the product of the weights of its features, to the power
/// `exponent`; every other move has weight 1. A move is drawn in proportion to its weight. A
/// self-atari far from the last move is drawn again with the probability 1 less its weight. The
/// same weights are the priors of positions in the tree.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Tactics {
    /// The power of all weights: 0 gives nearly uniform playouts, more than 1 sharper ones.
    ///
    /// Range: 0 to 4. Default: 1.5.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 4.0)))]
    pub exponent: f32,
    #[cfg_attr(feature = "recipe", serde(skip))]
    table: Option<PowerTable>,
}

impl Default for Tactics {
    fn default() -> Tactics {
        Tactics { exponent: 1.5, table: None }
    }
}

#[cfg(feature = "recipe")]
impl tesuji::OwnPart for Tactics {
    const KIND: &'static str = "tactics";
}

impl Tactics {
    /// With all weights to this power.
    pub fn new(exponent: f32) -> Tactics {
        Tactics { exponent, table: None }
    }

    fn table(&mut self) -> &PowerTable {
        self.table.get_or_insert_with(|| PowerTable::new(&Weights::learnt(), self.exponent))
    }
}

/// The point that colour `C` plays, or 0 for the pass.
#[inline(always)]
fn choose<const C: usize, const STRIDE: usize, const LEN: usize>(
    table: &PowerTable,
    game: &Go<STRIDE, LEN>,
    last: usize,
    rng: &mut Rng,
) -> usize {
    let near = Neighbourhood::new::<C, STRIDE, LEN>(&game.board, last);
    let weights = near.moves().iter().map(|&near| table.weight(near));
    let sum: u32 = weights.clone().sum();
    let far = (game.board.empties().len() - near.moves().len()) as u32;
    let total = sum + UNIT * far;
    if sum > 0 {
        let mut drawn = rng.below(total);
        for (&Near { point, .. }, weight) in near.moves().iter().zip(weights) {
            if drawn < weight {
                return point.into();
            }
            drawn -= weight;
        }
    }
    choose_far::<C, STRIDE, LEN>(table, game, &near, rng)
}

/// A point that is not near.
#[inline(always)]
fn choose_far<const C: usize, const STRIDE: usize, const LEN: usize>(
    table: &PowerTable,
    game: &Go<STRIDE, LEN>,
    near: &Neighbourhood,
    rng: &mut Rng,
) -> usize {
    let (board, empties) = (&game.board, game.board.empties());
    if empties.is_empty() {
        return 0;
    }
    let is_kept =
        |v: usize, rng: &mut Rng| !board.is_self_atari::<C>(v) || rng.unit() < table.deed(Deed::SelfAtari);
    for _ in 0..TRIES {
        let v = usize::from(empties[rng.below(empties.len() as u32) as usize]);
        if board.is_playable::<C>(v) && !near.has(v) && is_kept(v, rng) {
            return v;
        }
    }
    // Anything that is playable, so that a playout never passes early.
    let mut list = [0; LEN];
    let mut len = 0;
    for &v in empties {
        list[len] = v;
        len += usize::from(board.is_playable::<C>(v.into()) && is_kept(v.into(), rng));
    }
    if len == 0 {
        for &v in empties {
            list[len] = v;
            len += usize::from(board.is_playable::<C>(v.into()));
        }
    }
    if len == 0 { 0 } else { list[rng.below(len as u32) as usize].into() }
}

impl<const STRIDE: usize, const LEN: usize> Go<STRIDE, LEN> {
    /// The point of the last move before the playout; 0 for a pass, or if there is none.
    pub(crate) fn last_point(&self) -> usize {
        let last = (self.moves as usize).checked_sub(1).and_then(|count| self.move_after(count));
        last.map_or(0, |number| self.board.point(number).into())
    }
}

impl<const STRIDE: usize, const LEN: usize> Playout<Go<STRIDE, LEN>> for Tactics {
    fn choose(
        &mut self,
        game: &Go<STRIDE, LEN>,
        rng: &mut Rng,
        _: &mut Vec<Vertex<STRIDE>>,
    ) -> Vertex<STRIDE> {
        let (table, last) = (self.table(), game.last_point());
        let v = match game.to_move.index() {
            0 => choose::<0, STRIDE, LEN>(table, game, last, rng),
            _ => choose::<1, STRIDE, LEN>(table, game, last, rng),
        };
        Vertex::from_index(v as u16)
    }

    fn run<T: Trace>(
        &mut self,
        game: &mut Go<STRIDE, LEN>,
        rng: &mut Rng,
        _: &mut Vec<Vertex<STRIDE>>,
        trace: &mut T,
    ) -> Value {
        let (table, mut last) = (self.table(), game.last_point());
        loop {
            if let Some(value) = game.playout_end() {
                return value;
            }
            last = match game.to_move.index() {
                0 => choose::<0, STRIDE, LEN>(table, game, last, rng),
                _ => choose::<1, STRIDE, LEN>(table, game, last, rng),
            };
            game.play_quickly(last, trace);
        }
    }

    fn prime(&mut self, asked: &mut [Evaluation<'_, Go<STRIDE, LEN>>]) {
        let table = self.table();
        for Evaluation { position, moves, priors, .. } in asked {
            let last = position.last_point();
            let board = &position.board;
            let near = match position.to_move().index() {
                0 => Neighbourhood::new::<0, STRIDE, LEN>(board, last),
                _ => Neighbourhood::new::<1, STRIDE, LEN>(board, last),
            };
            priors.extend(moves.iter().map(|m| {
                let same = near.moves().iter().find(|near| near.point == m.index());
                same.map_or(1.0, |&near| table.weight(near) as f32 / UNIT as f32)
            }));
        }
    }

    fn new_game(&mut self, _: &Go<STRIDE, LEN>) {
        self.table();
    }

    fn bytes(&self, _: &Go<STRIDE, LEN>) -> usize {
        self.table.as_ref().map_or(0, PowerTable::bytes)
    }
}
