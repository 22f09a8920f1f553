//! The register of parts of other crates, for recipes.

use super::schema::has_kind;
use crate::any::{OwnPart, own};
use crate::backup::Backup;
use crate::game::SearchGame;
use crate::playout::Playout;
use crate::select::Select;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held while a part is registered: two threads may register the same one.
static REGISTERING: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    REGISTERING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes sure that no part of an axis has the kind.
fn check_free<S: OwnPart>(axis: &str) {
    assert!(!has_kind(axis, S::KIND), "two parts have {axis}.kind = {}", S::KIND);
}

/// Makes recipes know a tree policy, from now on and in the whole program.
///
/// # Panics
/// If another tree policy has the kind.
pub fn register_select<S: OwnPart + Select>() {
    let _alone = alone();
    check_free::<S>("select");
    own::add_select::<S>();
}

/// Makes recipes know a backup, from now on and in the whole program. Its [`Backup::new_game`] is
/// never called.
///
/// # Panics
/// If another backup has the kind.
pub fn register_backup<B: OwnPart + Backup>() {
    let _alone = alone();
    check_free::<B>("backup");
    own::add_backup::<B>();
}

/// Makes recipes know a playout policy in games of type `G`, from now on and in the whole program.
/// It may be registered for any number of games. A playout through a recipe costs one indirect
/// call.
///
/// # Panics
/// If another playout policy has the kind.
pub fn register_playout<P: OwnPart + Playout<G> + Clone, G: SearchGame>() {
    let _alone = alone();
    if !own::has_playout::<P>() {
        check_free::<P>("playout");
        own::add_playout::<P>();
    }
    own::add_game::<P, G>();
}
