//! Tree policies whose type is known at run time only: one indirect call a node, none for a child.
//! And how the right method is found, for them and for backups.

use super::{Child, NodeView, Parent, Pick, Reference, Select, Shared};
use crate::backup::{ErasedBackup, Updating};
use crate::{Code, Columns, Link, Rng};

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
    fn amaf_bar(&self, shared: Shared, score: f32) -> f32;
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

    fn amaf_bar(&self, shared: Shared, score: f32) -> f32 {
        Select::amaf_bar(self, shared, score)
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

/// A word for codes, which finds the method of an [`ErasedSelect`] or [`ErasedBackup`] for nodes
/// with such codes.
pub trait ErasedCode: Sized {
    #[doc(hidden)]
    fn pick<I: Link>(
        policy: &dyn ErasedSelect,
        view: NodeView<'_, Self, I>,
        reference: Amaf<'_, '_>,
        rng: &mut Rng,
    ) -> Pick
    where
        Self: Code;
    #[doc(hidden)]
    fn update<I: Link>(backup: &dyn ErasedBackup, node: &mut Updating<'_, Self, I>, sample: f64) -> f64
    where
        Self: Code;
}

/// A word for links, which finds the rest of the method.
pub trait ErasedLink: Sized {
    #[doc(hidden)]
    fn pick_u16(
        policy: &dyn ErasedSelect,
        view: NodeView<'_, u16, Self>,
        reference: Amaf<'_, '_>,
        rng: &mut Rng,
    ) -> Pick
    where
        Self: Link;
    #[doc(hidden)]
    fn pick_u32(
        policy: &dyn ErasedSelect,
        view: NodeView<'_, u32, Self>,
        reference: Amaf<'_, '_>,
        rng: &mut Rng,
    ) -> Pick
    where
        Self: Link;
    #[doc(hidden)]
    fn update_u16(backup: &dyn ErasedBackup, node: &mut Updating<'_, u16, Self>, sample: f64) -> f64
    where
        Self: Link;
    #[doc(hidden)]
    fn update_u32(backup: &dyn ErasedBackup, node: &mut Updating<'_, u32, Self>, sample: f64) -> f64
    where
        Self: Link;
}

impl ErasedCode for u16 {
    fn pick<I: Link>(
        policy: &dyn ErasedSelect,
        view: NodeView<'_, u16, I>,
        reference: Amaf<'_, '_>,
        rng: &mut Rng,
    ) -> Pick {
        I::pick_u16(policy, view, reference, rng)
    }

    fn update<I: Link>(backup: &dyn ErasedBackup, node: &mut Updating<'_, u16, I>, sample: f64) -> f64 {
        I::update_u16(backup, node, sample)
    }
}

impl ErasedCode for u32 {
    fn pick<I: Link>(
        policy: &dyn ErasedSelect,
        view: NodeView<'_, u32, I>,
        reference: Amaf<'_, '_>,
        rng: &mut Rng,
    ) -> Pick {
        I::pick_u32(policy, view, reference, rng)
    }

    fn update<I: Link>(backup: &dyn ErasedBackup, node: &mut Updating<'_, u32, I>, sample: f64) -> f64 {
        I::update_u32(backup, node, sample)
    }
}

impl ErasedLink for u16 {
    fn pick_u16(
        policy: &dyn ErasedSelect,
        view: NodeView<'_, u16, u16>,
        reference: Amaf<'_, '_>,
        rng: &mut Rng,
    ) -> Pick {
        policy.pick_u16_u16(view, reference, rng)
    }

    fn pick_u32(
        policy: &dyn ErasedSelect,
        view: NodeView<'_, u32, u16>,
        reference: Amaf<'_, '_>,
        rng: &mut Rng,
    ) -> Pick {
        policy.pick_u32_u16(view, reference, rng)
    }

    fn update_u16(backup: &dyn ErasedBackup, node: &mut Updating<'_, u16, u16>, sample: f64) -> f64 {
        backup.update_u16_u16(node, sample)
    }

    fn update_u32(backup: &dyn ErasedBackup, node: &mut Updating<'_, u32, u16>, sample: f64) -> f64 {
        backup.update_u32_u16(node, sample)
    }
}

impl ErasedLink for u32 {
    fn pick_u16(
        policy: &dyn ErasedSelect,
        view: NodeView<'_, u16, u32>,
        reference: Amaf<'_, '_>,
        rng: &mut Rng,
    ) -> Pick {
        policy.pick_u16_u32(view, reference, rng)
    }

    fn pick_u32(
        policy: &dyn ErasedSelect,
        view: NodeView<'_, u32, u32>,
        reference: Amaf<'_, '_>,
        rng: &mut Rng,
    ) -> Pick {
        policy.pick_u32_u32(view, reference, rng)
    }

    fn update_u16(backup: &dyn ErasedBackup, node: &mut Updating<'_, u16, u32>, sample: f64) -> f64 {
        backup.update_u16_u32(node, sample)
    }

    fn update_u32(backup: &dyn ErasedBackup, node: &mut Updating<'_, u32, u32>, sample: f64) -> f64 {
        backup.update_u32_u32(node, sample)
    }
}
