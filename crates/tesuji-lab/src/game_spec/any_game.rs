//! What the laboratory does with a game whose type is known at run time only.

use crate::analysis::{Analysis, AnalysisOptions, Look};
use crate::bench_case::{Measured, PlayoutCase, SearchCase};
use crate::conditions::Openings;
use crate::deal::Deal;
use crate::error::LabError;
use crate::game_player::{GamePlayer, PlayerOf};
use crate::live_search::LiveSearch;
use crate::match_games::{MatchGames, Play};
use crate::opening::{Lines, MoveError, check_lines, parse};
use crate::position::Position;
use crate::race::PatternSampler;
use crate::race::SampledPattern;
use crate::record::Referee;
use crate::runner::RunReport;
use crate::searches::{PlanesNetwork, Searches, SearchesOf};
use crate::store::Config;
use crate::verify::Replay;
use crate::whole_game::{Tell, WholeGame};
use std::fmt::Debug;
use tesuji::recipe::Recipe;
use tesuji::{TreeLabel, perft};
use tesuji_agents::Playable;
use tesuji_net::GamePlanesError;
use tesuji_train::{TrainableGame, trainable};

/// A game's initial position.
pub(super) struct Start<G> {
    pub(super) start: G,
    /// How each pair of games of a match draws another one.
    pub(super) deal: Option<Deal<G>>,
}

impl<G> Debug for Start<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(std::any::type_name::<G>())
    }
}

/// Writes the trait of initial positions of games, and what each method is for the type of a game.
macro_rules! any_game {
    ($(fn $name:ident(&$start:ident $(, $argument:ident: $type:ty)* $(,)?) -> $result:ty $body:block)*) => {
        /// The initial position of a game.
        pub(crate) trait AnyGame: Debug + Send + Sync {
            $(fn $name(&self $(, $argument: $type)*) -> $result;)*
        }

        impl<G: Playable> AnyGame for Start<G> {
            $(fn $name(&$start $(, $argument: $type)*) -> $result $body)*
        }
    };
}

any_game! {
    fn check_lines(&self, lines: &Lines<'_>) -> Result<(), LabError> {
        check_lines(&self.start, lines)
    }

    fn check_match(&self, games: &MatchGames) -> Result<(), LabError> {
        if self.deal.is_some() && matches!(games.conditions.openings, Openings::Lines(_)) {
            return Err(MoveError::Drawn { game: games.conditions.game.clone() }.into());
        }
        games.check_for(&self.start)
    }

    fn play_match(&self, play: Play<'_>) -> Result<RunReport, LabError> {
        play.run(&self.start, self.deal)
    }

    fn player(
        &self,
        games: MatchGames,
        configs: [Config; 2],
        referee: Box<dyn Referee>,
    ) -> Result<Box<dyn GamePlayer>, LabError> {
        Ok(Box::new(PlayerOf::new(&self.start, self.deal, games, configs, referee)?))
    }

    fn sample_patterns(&self, sampler: PatternSampler<'_>) -> Result<Option<Vec<SampledPattern>>, LabError> {
        sampler.run(&self.start)
    }

    fn replay(&self, replay: Replay<'_>) -> Result<Option<f64>, String> {
        replay.run(&self.start, self.deal)
    }

    fn playouts(&self, case: PlayoutCase<'_>) -> Measured {
        case.run(&self.start)
    }

    fn search(&self, case: SearchCase<'_>) -> Result<Measured, LabError> {
        case.run(&self.start)
    }

    fn analyze(
        &self,
        name: &str,
        label: &TreeLabel,
        options: &AnalysisOptions,
        look: &mut Look<'_>,
    ) -> Result<Analysis, LabError> {
        options.run(&self.start, name, label, look)
    }

    fn judge(&self, moves: &str, how: &WholeGame, tell: Tell<'_>) -> Result<(), LabError> {
        how.run_line(&self.start, &parse(&self.start, moves)?, tell)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.start, depth)
    }

    fn position(&self) -> Position {
        Position::start(&self.start)
    }

    fn searches(
        &self,
        recipe: &Recipe,
        network: Option<Box<dyn PlanesNetwork>>,
    ) -> Result<Searches, LabError> {
        SearchesOf::open(&self.start, recipe, network)
    }

    fn trainable(&self) -> Result<Box<dyn TrainableGame>, GamePlanesError> {
        trainable(&self.start)
    }

    fn live_search(
        &self,
        position: &Position,
        recipe: &Recipe,
        seed: u64,
        simulations: Option<u64>,
    ) -> Result<LiveSearch, LabError> {
        LiveSearch::begin(&self.start, position, recipe, seed, simulations)
    }
}
