//! A tree policy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji::{Child, OwnPart, Parent, Select, Shared};

/// x + c sqrt(N) / n, which explores more than UCT does.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Polynomial {
    /// Weight c of exploration.
    #[schemars(range(min = 0.0, max = 100.0), extend("unit" = "value"))]
    c: f32,
}

impl Default for Polynomial {
    fn default() -> Polynomial {
        Polynomial { c: 0.3 }
    }
}

impl Select for Polynomial {
    fn shared(&self, parent: &Parent) -> Shared {
        Shared { scale: self.c * (parent.visits as f32).sqrt(), first_play: 0.0 }
    }

    fn score(&self, shared: Shared, child: &Child) -> f32 {
        child.value + shared.scale / child.visits as f32
    }
}

impl OwnPart for Polynomial {
    const KIND: &'static str = "polynomial";
}
