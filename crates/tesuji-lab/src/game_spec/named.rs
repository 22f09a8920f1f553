//! How a game gets a name.

use super::any_game::Start;
use super::error::GameError;
use super::family::Family;
use super::{GameEntry, GameSpec, go};
use crate::deal::Deal;
use crate::error::LabError;
use crate::report::Board;
use std::sync::{Arc, PoisonError, RwLock};
use tesuji_agents::Playable;
use tesuji_games::{ConnectFour, Domineering, Hex, Knightthrough, PGame, TicTacToe};
use tesuji_sums::{Heap, Sum};

/// A game that has a name: on the command line, in experiment files and in records.
///
/// [`GameSpec::register`] makes the program know it.
pub trait NamedGame: Playable {
    /// The name, before any colon.
    const NAME: &'static str;

    /// The ways to write the game, each with a description, one per line.
    const LIST: &'static [GameEntry];

    /// How many random moves begin a game unless one says otherwise.
    const OPENING_PLIES: u32 = 2;

    /// The initial position with these parameters, which are the text after the colon, and the
    /// parameters as records write them. None if their form is not in the list.
    ///
    /// # Errors
    /// If a parameter is out of range; the message says what is accepted.
    fn start(parameters: Option<&str>) -> Result<Option<(Self, Option<String>)>, String>;

    /// How each pair of games of a match draws its initial position, if these parameters ask for
    /// it; [`NamedGame::start`] then gives one for everything else. Default: none.
    fn deal(parameters: Option<&str>) -> Option<Deal<Self>> {
        let _ = parameters;
        None
    }

    /// The GTP commands that prepare an engine for the game; none if GTP does not know the game.
    fn gtp_setup(&self) -> Option<Vec<String>> {
        None
    }

    /// The board on which reports show the game; none for a game without a board.
    fn board(&self) -> Option<Board> {
        None
    }
}

/// The game of a type.
const fn family<G: NamedGame>() -> Family {
    Family { names: &[G::NAME], list: G::LIST, read: read::<G> }
}

fn read<G: NamedGame>(
    _: &str,
    parameters: Option<&str>,
    komi: Option<&str>,
) -> Result<Option<GameSpec>, LabError> {
    let deal = G::deal(parameters);
    let Some((start, parameters)) = G::start(parameters).map_err(|fault| GameError::Parameters { fault })?
    else {
        return Ok(None);
    };
    let name = parameters.map_or(G::NAME.to_owned(), |parameters| format!("{}:{parameters}", G::NAME));
    if komi.is_some() {
        return Err(GameError::NoKomi { game: name }.into());
    }
    Ok(Some(GameSpec {
        name,
        // Drawn positions differ enough, and none has a board that fits all games.
        opening_plies: if deal.is_some() { 0 } else { G::OPENING_PLIES },
        gtp_setup: start.gtp_setup(),
        board: start.board().filter(|_| deal.is_none()),
        draws: deal.is_some(),
        start: Arc::new(Start { start, deal }),
        go: None,
    }))
}

/// Every game of the workspace, in the order of the list.
const BUILT_IN: &[Family] = &[
    go::FAMILY,
    family::<Hex>(),
    family::<ConnectFour>(),
    family::<TicTacToe>(),
    family::<Domineering>(),
    family::<Knightthrough>(),
    family::<PGame>(),
    family::<Sum<Heap>>(),
];

/// Games of other crates.
static REGISTERED: RwLock<Vec<Family>> = RwLock::new(Vec::new());

/// Every game.
pub(super) fn families() -> Vec<Family> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(&*registered).copied().collect()
}

impl GameSpec {
    /// Gives a game its name, from now on and in the whole program. A game that is registered twice
    /// counts once.
    ///
    /// # Panics
    /// If another game has the name.
    pub fn register<G: NamedGame>() {
        let own = family::<G>();
        let has_name = |other: &Family| other.names.contains(&G::NAME);
        if let Some(other) = families().into_iter().find(has_name) {
            assert!(other.list == G::LIST, "two games have the name {}", G::NAME);
            return;
        }
        REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(own);
    }
}
