//! A backup.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji::{Backup, NodeMut, OwnPart};

/// An average in which late samples count more than early ones, v += (r - v) max(1/n, rate).
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Fading {
    /// Least weight of a sample.
    #[schemars(range(min = 0.0, max = 1.0), extend("unit" = "share"))]
    rate: f64,
}

impl Default for Fading {
    fn default() -> Fading {
        Fading { rate: 0.01 }
    }
}

impl Backup for Fading {
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let n = f64::from(node.visit());
        let value = node.value();
        node.set_value(value + (sample - value) * (1.0 / n).max(self.rate));
        sample
    }
}

impl OwnPart for Fading {
    const KIND: &'static str = "fading";
}
