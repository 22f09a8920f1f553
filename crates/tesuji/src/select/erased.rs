//! Tree policies whose type is known at run time only: one indirect call a node, none for a child.

use super::{Child, NodeView, Parent, Pick, Reference, Select, Shared};
use crate::code::{ByWords, Code, Link};
use crate::columns::Columns;
use crate::rng::Rng;
use core::marker::PhantomData;

/// What [`Select::pick`] gets of an AMAF table.
type Amaf<'a, 'b> = Option<&'a mut Reference<'b>>;

/// [`Select`] without types in its calls, for each way in which nodes store moves and links.
pub trait ErasedSelect {
    #[doc(hidden)]
    fn needs(&self) -> Columns;
    #[doc(hidden)]
    fn shared(&self, parent: &Parent) -> Shared;
    #[doc(hidden)]
    fn score(&self, shared: Shared, child: &Child) -> f32;
    #[doc(hidden)]
    fn untried(&self, shared: Shared, child: &Child) -> f32;
    #[doc(hidden)]
    fn min_amaf_mean(&self, shared: Shared, score: f32) -> f32;
    #[doc(hidden)]
    fn reference(&self) -> u32;
    #[doc(hidden)]
    fn random(&self) -> f32;
    #[doc(hidden)]
    fn pick_u16_u16(&self, view: NodeView<'_, u16, u16>, reference: Amaf<'_, '_>, rng: &mut Rng) -> Pick;
    #[doc(hidden)]
    fn pick_u16_u32(&self, view: NodeView<'_, u16, u32>, reference: Amaf<'_, '_>, rng: &mut Rng) -> Pick;
    #[doc(hidden)]
    fn pick_u32_u16(&self, view: NodeView<'_, u32, u16>, reference: Amaf<'_, '_>, rng: &mut Rng) -> Pick;
    #[doc(hidden)]
    fn pick_u32_u32(&self, view: NodeView<'_, u32, u32>, reference: Amaf<'_, '_>, rng: &mut Rng) -> Pick;
}

impl<S: Select> ErasedSelect for S {
    fn needs(&self) -> Columns {
        Select::needs(self)
    }

    fn shared(&self, parent: &Parent) -> Shared {
        Select::shared(self, parent)
    }

    fn score(&self, shared: Shared, child: &Child) -> f32 {
        Select::score(self, shared, child)
    }

    fn untried(&self, shared: Shared, child: &Child) -> f32 {
        Select::untried(self, shared, child)
    }

    fn min_amaf_mean(&self, shared: Shared, score: f32) -> f32 {
        Select::min_amaf_mean(self, shared, score)
    }

    fn reference(&self) -> u32 {
        Select::reference(self)
    }

    fn random(&self) -> f32 {
        Select::random(self)
    }

    fn pick_u16_u16(&self, view: NodeView<'_, u16, u16>, reference: Amaf<'_, '_>, rng: &mut Rng) -> Pick {
        self.pick(view, reference, rng)
    }

    fn pick_u16_u32(&self, view: NodeView<'_, u16, u32>, reference: Amaf<'_, '_>, rng: &mut Rng) -> Pick {
        self.pick(view, reference, rng)
    }

    fn pick_u32_u16(&self, view: NodeView<'_, u32, u16>, reference: Amaf<'_, '_>, rng: &mut Rng) -> Pick {
        self.pick(view, reference, rng)
    }

    fn pick_u32_u32(&self, view: NodeView<'_, u32, u32>, reference: Amaf<'_, '_>, rng: &mut Rng) -> Pick {
        self.pick(view, reference, rng)
    }
}

/// A choice among children, by a policy whose type is known at run time only.
pub(crate) struct Picking<'v, 'a, 'b> {
    policy: &'a dyn ErasedSelect,
    reference: Amaf<'a, 'b>,
    rng: &'a mut Rng,
    view: PhantomData<&'v ()>,
}

impl<'v, 'a, 'b> Picking<'v, 'a, 'b> {
    /// What the policy picks.
    pub(crate) fn pick<C: Code, I: Link>(
        policy: &'a dyn ErasedSelect,
        view: NodeView<'v, C, I>,
        reference: Amaf<'a, 'b>,
        rng: &'a mut Rng,
    ) -> Pick {
        C::by::<I, _>(Picking { policy, reference, rng, view: PhantomData }, view)
    }
}

impl<'v> ByWords for Picking<'v, '_, '_> {
    type Of<C: Code, I: Link> = NodeView<'v, C, I>;
    type Out = Pick;

    fn u16_u16(self, view: NodeView<'v, u16, u16>) -> Pick {
        self.policy.pick_u16_u16(view, self.reference, self.rng)
    }

    fn u16_u32(self, view: NodeView<'v, u16, u32>) -> Pick {
        self.policy.pick_u16_u32(view, self.reference, self.rng)
    }

    fn u32_u16(self, view: NodeView<'v, u32, u16>) -> Pick {
        self.policy.pick_u32_u16(view, self.reference, self.rng)
    }

    fn u32_u32(self, view: NodeView<'v, u32, u32>) -> Pick {
        self.policy.pick_u32_u32(view, self.reference, self.rng)
    }
}
