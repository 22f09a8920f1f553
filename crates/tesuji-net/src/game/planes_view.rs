//! The view of any game on a board.

use super::{GameEvaluator, GamePlanes, GamePlanesError, View};
use crate::evaluator::Evaluator;
use crate::file::{FileError, Problem};
use crate::network::Network;
use crate::parameters::Parameters;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use tesuji::{Code, Keyed, NetworkOptions, NetworkSymmetry, Notation};

/// Shows a game by [its planes](GamePlanes).
#[derive(Clone, Debug)]
pub struct PlanesView {
    evaluator: Evaluator,
    planes: GamePlanes,
    /// The planes as the game writes them.
    own: Vec<f32>,
    /// The planes of each position.
    inputs: Vec<f32>,
}

impl PlanesView {
    /// An evaluator of games that begin at `start`, by a network that others may share.
    ///
    /// # Errors
    /// If the network is not for this game, or the options ask for symmetries, which such a game
    /// has not.
    pub fn evaluator<G: Notation + Keyed>(
        start: &G,
        network: Arc<Network>,
        options: &NetworkOptions,
    ) -> Result<GameEvaluator<PlanesView>, PlanesViewError> {
        let planes = GamePlanes::of(start).map_err(PlanesViewError::Planes)?;
        planes.check(network.shape()).map_err(PlanesViewError::Planes)?;
        if options.symmetry != NetworkSymmetry::None {
            return Err(PlanesViewError::Symmetry);
        }
        let moves = planes.actions();
        let (own, inputs) = (Vec::new(), vec![0.0; network.shape().inputs()]);
        let view = PlanesView { evaluator: Evaluator::new(network), planes, own, inputs };
        Ok(GameEvaluator::new(view, moves, options))
    }

    /// The same by the network of the file that the options name.
    ///
    /// # Errors
    /// As [`PlanesView::evaluator`]; and if no file is named, or it cannot be read or is no network
    /// with finite evaluations.
    pub fn load<G: Notation + Keyed>(
        start: &G,
        options: &NetworkOptions,
    ) -> Result<GameEvaluator<PlanesView>, PlanesViewError> {
        let file = options.file.as_ref().filter(|file| !file.starts_with(NetworkOptions::BUILT_IN));
        let Some(file) = file else { return Err(PlanesViewError::NoFile) };
        let (parameters, _) = Parameters::load(Path::new(file)).map_err(PlanesViewError::File)?;
        let fail = |error| PlanesViewError::OfFile { file: file.clone(), error: Box::new(error) };
        let planes = GamePlanes::of(start).map_err(PlanesViewError::Planes)?;
        planes.check(parameters.shape()).map_err(|error| fail(PlanesViewError::Planes(error)))?;
        let network = Network::try_new(&parameters).map_err(|error| fail(PlanesViewError::Memory(error)))?;
        let network = Arc::new(network);
        if !Evaluator::new(network.clone()).is_finite() {
            return Err(fail(PlanesViewError::Overflow));
        }
        PlanesView::evaluator(start, network, options).map_err(fail)
    }
}

impl<G: Notation + Keyed> View<G> for PlanesView {
    fn number(&self, position: &G, m: G::Move) -> usize {
        position.code(m).index()
    }

    /// The game's own hash tells apart at least what its planes tell apart; a game without one is
    /// told apart by its planes.
    fn hash(&self, position: &G) -> u64 {
        let mix = |hash: u64, x: u64| {
            let hash = (hash ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^ (hash >> 29)
        };
        if let Some(hash) = position.hash() {
            return mix(mix(1, hash), 0);
        }
        let mut planes = vec![0.0; self.inputs.len()];
        self.planes.write(position, &mut Vec::new(), &mut planes);
        mix(planes.iter().fold(0, |hash, x| mix(hash, x.to_bits().into())), 0)
    }

    fn look(&mut self, position: &G, _: u64, logits: &mut [f32]) -> f32 {
        let PlanesView { evaluator, planes, own, inputs } = self;
        let inputs = &mut inputs[..evaluator.network().shape().inputs()];
        planes.write(position, own, inputs);
        evaluator.evaluate(inputs, logits)
    }

    fn look_at_all<'a>(
        &mut self,
        positions: impl ExactSizeIterator<Item = (&'a G, u64)> + Clone,
        logits: &mut [f32],
        values: &mut [f32],
    ) where
        G: 'a,
    {
        let PlanesView { evaluator, planes, own, inputs } = self;
        let each = evaluator.network().shape().inputs();
        let needed = positions.len() * each;
        inputs.resize(inputs.len().max(needed), 0.0);
        for ((position, _), input) in positions.zip(inputs.chunks_exact_mut(each)) {
            planes.write(position, own, input);
        }
        evaluator.evaluate_many(&inputs[..needed], logits, values);
    }

    fn reserve(&mut self, positions: usize) {
        self.evaluator.reserve(positions);
        let needed = positions * self.evaluator.network().shape().inputs();
        self.inputs.resize(self.inputs.len().max(needed), 0.0);
    }

    fn bytes(&self) -> usize {
        let numbers = self.own.capacity() + self.inputs.capacity();
        self.evaluator.bytes() + numbers * size_of::<f32>()
    }
}

/// A network that cannot evaluate a game by its planes.
#[derive(Debug)]
pub enum PlanesViewError {
    /// There is no network of the game's own.
    NoFile,
    /// A file cannot be read.
    File(FileError),
    /// The network of this file cannot evaluate the game.
    OfFile {
        /// The file.
        file: String,
        /// Why.
        error: Box<PlanesViewError>,
    },
    /// The game shows itself to no network, or not to this one.
    Planes(GamePlanesError),
    /// There is no memory for the network.
    Memory(Problem),
    /// Its numbers are so large that its outputs are not finite.
    Overflow,
    /// The options ask for a symmetry.
    Symmetry,
}

impl fmt::Display for PlanesViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanesViewError::NoFile => f.write_str(
                "no network for this game comes with the program; accepted: the file of one, as network.file",
            ),
            PlanesViewError::File(error) => error.fmt(f),
            PlanesViewError::OfFile { file, error } => write!(f, "{file}: {error}"),
            PlanesViewError::Planes(error) => error.fmt(f),
            PlanesViewError::Memory(problem) => problem.fmt(f),
            PlanesViewError::Overflow => {
                f.write_str("its numbers are too large: if all planes are 1, the evaluation is not finite")
            }
            PlanesViewError::Symmetry => {
                f.write_str("the planes of this game are not turned; accepted: network.symmetry=none")
            }
        }
    }
}

impl std::error::Error for PlanesViewError {}
