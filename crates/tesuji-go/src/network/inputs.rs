//! The inputs of this project's networks.

use super::katago_planes::{GLOBALS, KataGoPlanes, PLANES};
use super::{Planes, PlanesError};
use crate::go::Go;
use tesuji_net::Shape;
use tesuji_net::graph::LearnedRules;

/// The input of a network of this project: [`Planes`] in rows from A1, or for a pooling network
/// KataGo's 22 planes in rows from the top and KataGo's 19 numbers for the whole position, among
/// them the komi for the player to move. Whatever the rules of the game, they are shown as those of
/// Tromp and Taylor without suicide, by which these networks learn.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// Of a network for one board.
    Plain(Planes),
    /// Of a pooling network.
    Pooling(PoolingInputs),
}

/// The input of a pooling network.
#[derive(Clone, Debug)]
pub struct PoolingInputs(Box<KataGoPlanes>);

impl Inputs {
    /// Those of networks of this shape.
    ///
    /// # Errors
    /// If it has planes or numbers that do not describe a position.
    pub fn new(shape: &Shape) -> Result<Inputs, PlanesError> {
        if !shape.pools() {
            return Planes::of(shape).map(Inputs::Plain);
        }
        if (shape.planes, shape.globals) != (PLANES, GLOBALS) {
            return Err(PlanesError::Pooling { planes: shape.planes, globals: shape.globals });
        }
        Ok(Inputs::Pooling(PoolingInputs(Box::new(KataGoPlanes::new(
            shape.board,
            LearnedRules::TrompTaylor,
        )))))
    }

    /// Whether rows are from the top.
    pub fn from_top(&self) -> bool {
        matches!(self, Inputs::Pooling(_))
    }

    /// Writes the planes of a position, `[plane, y, x]`, and the numbers for the whole of it.
    ///
    /// # Panics
    /// If the game is on a board of another size, or a slice has another length.
    pub fn write<const STRIDE: usize, const LEN: usize>(
        &mut self,
        game: &Go<STRIDE, LEN>,
        planes: &mut [f32],
        globals: &mut [f32],
    ) {
        match self {
            Inputs::Plain(plain) => plain.write(game, planes),
            Inputs::Pooling(PoolingInputs(all)) => all.write(game, planes, globals),
        }
    }
}
