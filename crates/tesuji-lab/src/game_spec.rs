//! The games that have a name.

mod any_game;
mod error;
mod family;
mod games;
mod go;
mod named;

pub use error::GameError;
pub use named::NamedGame;

use crate::analysis::{Analysis, AnalysisOptions, Look};
use crate::error::LabError;
use crate::live_search::LiveSearch;
use crate::position::Position;
use crate::record::{GoReferee, PlainReferee, Referee};
use crate::report::Board;
use crate::searches::{PlanesNetwork, Searches};
use crate::whole_game::{JudgedMove, WholeGame};
use any_game::AnyGame;
use std::fmt;
use std::sync::Arc;
use tesuji::TreeLabel;
use tesuji::recipe::{Recipe, did_you_mean};
use tesuji_go::Rules;
use tesuji_train::{SelfPlay, TrainableGame, trainable_go_on};

/// A game, as `--game` and experiment files name it, with its initial position.
#[derive(Clone, Debug)]
pub struct GameSpec {
    /// The name under which the game is recorded.
    name: String,
    start: Arc<dyn AnyGame>,
    opening_plies: u32,
    gtp_setup: Option<Vec<String>>,
    board: Option<Board>,
    go: Option<(usize, Rules)>,
    draws: bool,
}

/// One line of the list of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEntry {
    /// The notation of the game, with parameters in capitals.
    pub syntax: &'static str,
    /// A description, with the ranges of the parameters.
    pub about: &'static str,
}

/// What stands before a komi that is not the usual one in the label of a tree.
const KOMI: &str = " with komi ";

impl GameSpec {
    /// Every game. Those that were [registered](GameSpec::register) come last.
    pub fn list() -> Vec<GameEntry> {
        named::families().iter().flat_map(|family| family.list).copied().collect()
    }

    /// Reads a game; `komi` is accepted if the game has one.
    ///
    /// # Errors
    /// If the name or a parameter is not one of [`GameSpec::list`]; the message says what is
    /// accepted.
    pub fn parse(text: &str, komi: Option<&str>) -> Result<GameSpec, LabError> {
        let (name, parameters) = match text.split_once(':') {
            Some((name, parameters)) => (name, Some(parameters)),
            None => (text, None),
        };
        let families = named::families();
        let family = families.iter().find(|family| family.names.contains(&name));
        let spec = family.map(|family| (family.read)(name, parameters, komi)).transpose()?.flatten();
        spec.ok_or_else(|| {
            let accepted: Vec<_> = GameSpec::list().iter().map(|entry| entry.syntax).collect();
            let accepted = accepted.join(", ");
            let hint = match family {
                Some(family) => {
                    let forms: Vec<_> = family.list.iter().map(|entry| entry.syntax).collect();
                    format!("; {name} is written {}", forms.join(" or "))
                }
                None => did_you_mean(name, families.iter().flat_map(|family| family.names).copied()),
            };
            GameError::Unknown { game: text.to_owned(), accepted, hint }.into()
        })
    }

    /// The initial position, with all that the laboratory does with it.
    pub(crate) fn start(&self) -> &dyn AnyGame {
        &*self.start
    }

    /// The usual number of random moves at the beginning of a game.
    pub fn opening_plies(&self) -> u32 {
        self.opening_plies
    }

    /// The lines of the board and the rules, if the game is Go.
    pub fn go(&self) -> Option<(usize, Rules)> {
        self.go
    }

    /// Whether each pair of games of a match draws its own initial position. Such games have points
    /// at their end, which matches report.
    pub fn draws_positions(&self) -> bool {
        self.draws
    }

    /// Points for the second player, where the game has a komi.
    pub fn komi(&self) -> Option<String> {
        self.go.map(|(_, rules)| rules.komi.to_string())
    }

    /// The GTP commands that prepare an engine for the game; none if GTP does not know the game.
    pub fn gtp_setup(&self) -> Option<Vec<String>> {
        self.gtp_setup.clone()
    }

    /// The board on which reports show the game; none for a game without a board.
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// The referee, who reads the results of finished games.
    pub fn referee(&self) -> Box<dyn Referee> {
        match self.go {
            Some((size, rules)) => Box::new(GoReferee { size, rules }),
            None => Box::new(PlainReferee),
        }
    }

    /// The initial position.
    pub fn position(&self) -> Position {
        self.start.position()
    }

    /// Searches by a recipe, with a network for positions if one is given.
    ///
    /// # Errors
    /// If the recipe cannot play the game or makes no use of the network, or the game has no planes
    /// or no numbers of moves.
    pub fn searches(
        &self,
        recipe: &Recipe,
        network: Option<Box<dyn PlanesNetwork>>,
    ) -> Result<Searches, LabError> {
        self.start.searches(recipe, network)
    }

    /// The game as networks learn it by self-play with these settings.
    ///
    /// # Errors
    /// If networks cannot see it, or a setting is out of its range.
    pub(crate) fn trainable(&self, settings: &SelfPlay) -> Result<Box<dyn TrainableGame>, LabError> {
        settings.check().map_err(|fault| LabError::input(fault).within("self_play"))?;
        if let Some((size, rules)) = self.go {
            return Ok(trainable_go_on(size, settings, rules));
        }
        self.start.trainable().map_err(|error| {
            let (game, fault) = (self.to_string(), error.to_string());
            GameError::Untrainable { game, fault }.into()
        })
    }

    /// A search of `position` by a recipe that the caller drives, from this seed. It ends after N
    /// `simulations`; without a number it does not end by itself.
    ///
    /// # Errors
    /// If the position is one of another game, or over; if the recipe cannot play the game, or
    /// drives its searches itself.
    pub fn live_search(
        &self,
        position: &Position,
        recipe: &Recipe,
        seed: u64,
        simulations: Option<u64>,
    ) -> Result<LiveSearch, LabError> {
        self.start.live_search(position, recipe, seed, simulations)
    }

    /// Searches the position after some moves of the game.
    ///
    /// # Errors
    /// If a move is not legal, the game is over, or the recipe cannot play it; if a tree cannot be
    /// opened. [`Analysis::unsaved`] says why one could not be saved.
    pub fn analyze(&self, options: &AnalysisOptions) -> Result<Analysis, LabError> {
        self.analyze_watched(options, &mut || ())
    }

    /// The same, while `look` is called on this thread every few simulations: it may stop the
    /// budget.
    ///
    /// # Errors
    /// As [`GameSpec::analyze`].
    pub fn analyze_watched(
        &self,
        options: &AnalysisOptions,
        look: &mut dyn FnMut(),
    ) -> Result<Analysis, LabError> {
        let label = self.tree_label(&options.recipe, &options.moves);
        self.start.analyze(&self.name, &label, options, &mut Look::new(look))
    }

    /// The label of a tree that this recipe grows after these moves.
    pub fn tree_label(&self, recipe: &Recipe, moves: &str) -> TreeLabel {
        let usual = GameSpec::parse(&self.name, None).ok().and_then(|game| game.komi());
        let komi = self.komi().filter(|komi| usual.as_ref() != Some(komi));
        TreeLabel {
            recipe: recipe.identity(None),
            game: komi.map_or(self.name.clone(), |komi| format!("{}{KOMI}{komi}", self.name)),
            moves: moves.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    /// The game and the recipe of a saved tree.
    ///
    /// # Errors
    /// If there is no such game, or the recipe is not one of this version.
    pub fn of_tree(label: &TreeLabel) -> Result<(GameSpec, Recipe), LabError> {
        let (game, komi) = match label.game.split_once(KOMI) {
            Some((game, komi)) => (game, Some(komi)),
            None => (&*label.game, None),
        };
        let recipe = Recipe::of_identity("saved", &label.recipe).map_err(LabError::input)?;
        Ok((GameSpec::parse(game, komi)?, recipe))
    }

    /// Searches the position before the first of some moves and after each of them, and reports
    /// each move in turn.
    ///
    /// # Errors
    /// If there are no moves, or one is not legal; if the recipe cannot play the game, or shares no
    /// batches; what `tell` returns.
    pub fn judge(
        &self,
        moves: &str,
        how: &WholeGame,
        tell: &mut dyn FnMut(&JudgedMove) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        self.start.judge(moves, how, tell)
    }

    /// The number of legal sequences of `depth` moves.
    pub fn perft(&self, depth: u32) -> u64 {
        self.start.perft(depth)
    }
}

/// The name under which the game is recorded: `go:9` is `go9`.
impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_and_named() {
        for (text, name) in [
            ("go9", "go9"),
            ("go:9", "go9"),
            ("go:7", "go:7"),
            ("hex:11", "hex:11"),
            ("domineering:4x5", "domineering:4x5"),
            ("p-game:2,20", "p-game:2,20,0"),
            ("p-game:2,20,7", "p-game:2,20,7"),
            ("knightthrough", "knightthrough"),
            ("heap-go:5x4", "heap-go:5x4,0"),
            ("heap-go:5x4,7", "heap-go:5x4,7"),
            ("heap-go:random:5x4", "heap-go:random:5x4"),
            ("heap-go:B3r5,r2", "heap-go:b3r5,r2"),
        ] {
            assert_eq!(GameSpec::parse(text, None).unwrap().to_string(), name);
        }
        assert_eq!(GameSpec::parse("go9", Some("5.5")).unwrap().komi().as_deref(), Some("5.5"));
    }

    #[test]
    fn a_saved_tree_tells_its_game_and_recipe() {
        for (game, komi, named) in
            [("go:9", None, "go9"), ("go:9", Some("5.5"), "go9 with komi 5.5"), ("hex:5", None, "hex:5")]
        {
            // The last two have parts that were revised.
            for recipe in ["mast,playout.decay=0.5", "uct,backup=coulom", "uct,backup=feedback"] {
                let game = GameSpec::parse(game, komi).unwrap();
                let recipe = Recipe::parse(recipe).unwrap();
                let label = game.tree_label(&recipe, " a1  b2");
                assert_eq!((&*label.game, &*label.moves), (named, "a1 b2"));
                let (found, read) = GameSpec::of_tree(&label).unwrap();
                assert_eq!(found.komi(), game.komi());
                assert_eq!(read.to_toml(), recipe.to_toml());
                assert_eq!(found.tree_label(&read, &label.moves), label);
            }
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let error = |text, komi| GameSpec::parse(text, komi).unwrap_err().to_string();
        assert!(error("go:20", None).contains("2 to 19"));
        assert!(error("hex:1", None).contains("2 to 19"));
        assert!(error("go9:3", None).contains("accepted are go9"));
        assert!(error("hex:a", None).contains("accepted are go9"));
        assert!(error("p-game:2", None).contains("p-game is written p-game:B,D"));
        assert!(error("conect-four", None).contains("did you mean `connect-four`?"));
        assert!(error("hex", None).contains("hex is written hex:N"));
        assert!(error("go9", Some("7.3")).contains("7.3"));
        assert!(error("hex:5", Some("7")).contains("no komi"));
        assert!(error("heap-go:5x5", Some("7")).contains("no komi"));
        assert!(error("heap-go:5x61", None).contains("1 to 60 counters"));
        assert!(error("heap-go:random:5x61", None).contains("1 to 60 counters"));
        assert!(error("heap-go:random:5x5,7", None).contains("heap-go:random:MxN"));
        assert!(error("heap-go:0x5", None).contains("1 to 60 heaps"));
        assert!(error("heap-go:b3,x", None).contains("heap \"x\": character 1"));
        assert!(error("heap-go:-,-", None).contains("has no counters"));
        assert!(error("heap-go", None).contains("heap-go:MxN"));
        assert!(error("domineering:1x4", None).contains("at least two rows"));
    }
}
