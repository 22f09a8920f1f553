//! The native half of the Python package `tesuji`: types and functions that `lib/tesuji` gives
//! their final shape.
//!
//! Nothing of the library is done again here. Matches and experiments go through [`tesuji_lab`],
//! recipes through [`tesuji::recipe`], games through [`tesuji_lab::GameSpec`].

mod analysis;
mod error;
mod experiment;
mod game;
mod lists;
mod matches;
mod names;
mod network;
mod own_backup;
mod own_game;
mod position;
mod race;
mod recipes;
mod run;
mod searches;
mod stats;
mod store;
mod thermograph;
mod tuner;

use pyo3::prelude::*;

/// The native half of `tesuji`.
#[pymodule]
mod _tesuji {
    #[pymodule_export]
    use crate::analysis::{Picture, analyze};
    #[pymodule_export]
    use crate::error::{InputError, RunError};
    #[pymodule_export]
    use crate::experiment::run_experiment;
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::lists::{games, parts, recipe_toml, recipes};
    #[pymodule_export]
    use crate::matches::play_match;
    #[pymodule_export]
    use crate::own_backup::{Node, register_backup};
    #[pymodule_export]
    use crate::own_game::register_game;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::race::Race;
    #[pymodule_export]
    use crate::run::mark_forked;
    #[pymodule_export]
    use crate::searches::Searches;
    #[pymodule_export]
    use crate::stats::stats;
    #[pymodule_export]
    use crate::store::{store_matches, verify};
    #[pymodule_export]
    use crate::thermograph::thermographs;
    #[pymodule_export]
    use crate::tuner::Tuner;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        tesuji_go::register_playouts();
        crate::own_game::make_known();
        crate::own_backup::make_known();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
