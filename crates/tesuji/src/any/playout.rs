//! Playout policies.

use crate::{
    Archive, ArchiveError, Columns, Evaluate, Evaluated, Evaluation, Mast, Maxi, Played, Playout, Rng,
    SearchGame, Trace, Uniform,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Any playout policy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[repr(u8)]
pub enum AnyPlayout {
    /// Uniformly random moves.
    Uniform(Uniform),
    /// MAST: moves that did well wherever they were played.
    Mast(Mast),
    /// MAXI: the move of the greatest incentive, as RIDE orders them by comparing siblings.
    Maxi(Maxi),
    /// The outcome that the game's network expects, in place of a playout.
    Net {},
}

impl Default for AnyPlayout {
    fn default() -> AnyPlayout {
        AnyPlayout::Uniform(Uniform {})
    }
}

/// A playout policy of a recipe, with the evaluator that it needs in this game.
#[derive(Clone, Debug)]
pub struct BoundPlayout<G: SearchGame> {
    policy: AnyPlayout,
    evaluated: Option<Evaluated<G>>,
}

impl<G: SearchGame> BoundPlayout<G> {
    /// Playouts by this policy; priors, and for [`AnyPlayout::Net`] outcomes, by the evaluator. Without one,
    /// [`AnyPlayout::Net`] plays uniform playouts.
    pub fn new(policy: AnyPlayout, evaluator: Option<Box<dyn Evaluate<G>>>) -> BoundPlayout<G> {
        BoundPlayout { policy, evaluated: evaluator.map(Evaluated::new) }
    }

    /// The policy, with what it has learnt.
    pub fn policy(&self) -> &AnyPlayout {
        &self.policy
    }

    /// The outcome in place of a playout.
    #[inline(never)]
    fn evaluate<T: Trace>(
        &mut self,
        game: &mut G,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        trace: &mut T,
    ) -> G::Outcome {
        match &mut self.evaluated {
            Some(evaluated) => evaluated.run(game, rng, buffer, trace),
            None => game.playout(rng, buffer, trace),
        }
    }
}

/// Calls a policy that plays, or else `$other`.
macro_rules! playing {
    ($policy:expr, $part:ident => $call:expr, $other:expr) => {
        match $policy {
            AnyPlayout::Uniform($part) => $call,
            AnyPlayout::Mast($part) => $call,
            AnyPlayout::Maxi($part) => $call,
            AnyPlayout::Net {} => $other,
        }
    };
}

impl<G: SearchGame> Playout<G> for BoundPlayout<G> {
    #[inline]
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        playing!(&mut self.policy, part => part.choose(game, rng, buffer), game.playout_move(rng, buffer))
    }

    #[inline(always)]
    fn run<T: Trace>(
        &mut self,
        game: &mut G,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        trace: &mut T,
    ) -> G::Outcome {
        playing!(
            &mut self.policy,
            part => part.run(game, rng, buffer, trace),
            self.evaluate(game, rng, buffer, trace)
        )
    }

    fn prime(&mut self, asked: &mut [Evaluation<'_, G>]) {
        match &mut self.evaluated {
            Some(evaluated) => evaluated.prime(asked),
            None => Uniform {}.prime(asked),
        }
    }

    fn reserve(&mut self, positions: usize) {
        if let Some(evaluated) = &mut self.evaluated {
            evaluated.reserve(positions);
        }
    }

    fn evaluates(&self) -> bool {
        matches!(self.policy, AnyPlayout::Net {}) && self.evaluated.is_some()
    }

    #[inline]
    fn learns(&self) -> bool {
        playing!(&self.policy, part => Playout::<G>::learns(part), false)
    }

    #[inline]
    fn learn(&mut self, line: &[Played], outcome: &G::Outcome) {
        playing!(&mut self.policy, part => Playout::<G>::learn(part, line, outcome), {});
    }

    #[inline]
    fn needs(&self) -> Columns {
        playing!(&self.policy, part => Playout::<G>::needs(part), Columns::NONE)
    }

    #[inline]
    fn compare(&mut self, a: usize, b: usize, difference: f32) {
        playing!(&mut self.policy, part => Playout::<G>::compare(part, a, b, difference), {});
    }

    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        playing!(&mut self.policy, part => Playout::<G>::archive(part, archive), Ok(()))
    }

    fn new_game(&mut self, game: &G) {
        playing!(&mut self.policy, part => part.new_game(game), {});
        if let Some(evaluated) = &mut self.evaluated {
            evaluated.new_game(game);
        }
    }

    fn new_move(&mut self) {
        playing!(&mut self.policy, part => Playout::<G>::new_move(part), {});
    }

    fn bytes(&self, game: &G) -> usize {
        let tables = playing!(&self.policy, part => part.bytes(game), 0);
        tables + self.evaluated.as_ref().map_or(0, |evaluated| evaluated.bytes(game))
    }
}
