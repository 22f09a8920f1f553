//! Playout policies.

use super::own::{OwnPlayout, Playouts, add_kinds};
use crate::archive::{Archive, ArchiveError};
use crate::columns::Columns;
use crate::evaluate::{Evaluate, Evaluation};
use crate::game::{Played, SearchGame, Trace};
use crate::playout;
use crate::playout::{Evaluated, Mast, Maxi, Mixed, Playout, Uniform};
use crate::rng::Rng;
use alloc::boxed::Box;
use alloc::vec::Vec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Any playout policy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(transform = add_kinds::<Playouts>)]
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
    /// A mix of both: the outcome of a uniform playout and what the game's network expects.
    Mixed(Mixed),
    /// A policy of another crate.
    #[serde(untagged)]
    #[schemars(skip)]
    Own(OwnPlayout),
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
    own: Option<Box<dyn playout::ErasedPlayout<G>>>,
    evaluated: Option<Evaluated<G>>,
}

/// A playout by a policy of another crate.
fn run_own<G: SearchGame, T: Trace>(
    own: &mut dyn playout::ErasedPlayout<G>,
    game: &mut G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
    trace: &mut T,
) -> G::Outcome {
    if T::RECORDS {
        own.run(game, rng, buffer, Some(&mut |player, key| trace.record(player, key)))
    } else {
        own.run(game, rng, buffer, None)
    }
}

impl<G: SearchGame> BoundPlayout<G> {
    /// Playouts by this policy; priors, and for [`AnyPlayout::Net`] outcomes, by the evaluator.
    /// Without one, [`AnyPlayout::Net`] plays uniform playouts, and so does a policy of another
    /// crate that is not [registered](crate::register_playout) for this game.
    pub fn new(policy: AnyPlayout, evaluator: Option<Box<dyn Evaluate<G>>>) -> BoundPlayout<G> {
        let own = match &policy {
            AnyPlayout::Own(own) => own.play(),
            _ => None,
        };
        BoundPlayout { policy, own, evaluated: evaluator.map(Evaluated::new) }
    }

    /// The policy, with what it has learned if it is one of the library.
    pub fn policy(&self) -> &AnyPlayout {
        &self.policy
    }

    /// The outcome in place of a playout, or that of a playout of another crate.
    #[inline(never)]
    fn evaluate<T: Trace>(
        &mut self,
        game: &mut G,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        trace: &mut T,
    ) -> G::Outcome {
        if let (AnyPlayout::Mixed(mixed), Some(evaluated)) = (&self.policy, &mut self.evaluated) {
            let expected = evaluated.run(game, rng, buffer, trace);
            return mixed.outcome(game.playout(rng, buffer, trace), expected);
        }
        match (&mut self.own, &mut self.evaluated) {
            (Some(own), _) => run_own(own.as_mut(), game, rng, buffer, trace),
            (None, Some(evaluated)) => evaluated.run(game, rng, buffer, trace),
            (None, None) => game.playout(rng, buffer, trace),
        }
    }
}

/// Calls a policy of the library that plays, or else `$other`.
macro_rules! playing {
    ($policy:expr, $part:ident => $call:expr, $other:expr) => {
        match $policy {
            AnyPlayout::Uniform($part) => $call,
            AnyPlayout::Mast($part) => $call,
            AnyPlayout::Maxi($part) => $call,
            AnyPlayout::Net {} | AnyPlayout::Mixed(_) | AnyPlayout::Own(_) => $other,
        }
    };
}

impl<G: SearchGame> Playout<G> for BoundPlayout<G> {
    #[inline]
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        playing!(&mut self.policy, part => part.choose(game, rng, buffer), match &mut self.own {
            Some(own) => own.choose(game, rng, buffer),
            None => game.playout_move(rng, buffer),
        })
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
        match (&mut self.evaluated, &mut self.own) {
            (Some(evaluated), _) => evaluated.prime(asked),
            (None, Some(own)) => own.prime(asked),
            (None, None) => Uniform {}.prime(asked),
        }
    }

    fn reserve(&mut self, positions: usize) {
        if let Some(evaluated) = &mut self.evaluated {
            evaluated.reserve(positions);
        }
        if let Some(own) = &mut self.own {
            own.reserve(positions);
        }
    }

    fn evaluates(&self) -> bool {
        match &self.own {
            // Where there is a network it answers in its place.
            Some(own) => own.evaluates() && self.evaluated.is_none(),
            None => matches!(self.policy, AnyPlayout::Net {}) && self.evaluated.is_some(),
        }
    }

    #[inline]
    fn learns(&self) -> bool {
        playing!(&self.policy, part => Playout::<G>::learns(part), self.own.as_ref().is_some_and(|own| own.learns()))
    }

    #[inline]
    fn learn(&mut self, line: &[Played], outcome: &G::Outcome) {
        playing!(&mut self.policy, part => Playout::<G>::learn(part, line, outcome), if let Some(own) = &mut self.own {
            own.learn(line, outcome);
        });
    }

    #[inline]
    fn needs(&self) -> Columns {
        playing!(&self.policy, part => Playout::<G>::needs(part), self.own.as_ref().map_or(Columns::NONE, |own| own.needs()))
    }

    #[inline]
    fn compare(&mut self, a: usize, b: usize, difference: f32) {
        playing!(&mut self.policy, part => Playout::<G>::compare(part, a, b, difference), if let Some(own) = &mut self.own {
            own.compare(a, b, difference);
        });
    }

    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        playing!(&mut self.policy, part => Playout::<G>::archive(part, archive), match &mut self.own {
            Some(own) => own.archive(archive),
            None => Ok(()),
        })
    }

    fn take_patterns(&mut self, patterns: &[(&str, i8)]) {
        if let Some(own) = &mut self.own {
            own.take_patterns(patterns);
        }
    }

    fn new_game(&mut self, game: &G) {
        playing!(&mut self.policy, part => part.new_game(game), if let Some(own) = &mut self.own {
            own.new_game(game);
        });
        if let Some(evaluated) = &mut self.evaluated {
            evaluated.new_game(game);
        }
    }

    fn new_move(&mut self) {
        playing!(&mut self.policy, part => Playout::<G>::new_move(part), if let Some(own) = &mut self.own {
            own.new_move();
        });
    }

    fn bytes(&self, game: &G) -> usize {
        let tables = playing!(&self.policy, part => part.bytes(game), self.own.as_ref().map_or(0, |own| own.bytes(game)));
        tables + self.evaluated.as_ref().map_or(0, |evaluated| evaluated.bytes(game))
    }
}
