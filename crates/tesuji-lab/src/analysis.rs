//! The search of one position of any game.

use crate::error::LabError;
use crate::opening::parse;
use crate::tree_files::TreeFiles;
use tesuji::recipe::Recipe;
use tesuji::{Budget, Drawing, Player, Reply, Report, TreeLabel};
use tesuji_agents::Playable;

/// What to search, and how.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    /// The moves that lead to the position, with spaces between them.
    pub moves: String,
    /// The agent.
    pub recipe: Recipe,
    /// When the search ends.
    pub budget: Budget,
    /// The seed of its random numbers; a tree that is opened brings its own.
    pub seed: u64,
    /// The files of its tree.
    pub trees: TreeFiles,
}

/// A position and what a search found there.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The position as text.
    pub position: String,
    /// The position as data to draw, where the game has a board.
    pub drawing: Option<Drawing>,
    /// Who is to move.
    pub to_move: Player,
    /// What the search found, moves as text.
    pub report: Report<String>,
}

impl AnalysisOptions {
    pub(crate) fn run<G: Playable>(&self, start: &G, name: &str) -> Result<Analysis, LabError> {
        let mut bot = start.bot(&self.recipe, self.seed).map_err(LabError::input)?;
        let mut game = start.clone();
        bot.new_game(&game, self.seed).map_err(LabError::failed)?;
        for m in parse(start, &self.moves)? {
            game.play(m);
            bot.played(m, &game).map_err(LabError::failed)?;
        }
        if game.result().is_some() {
            return Err(LabError::Input(format!("the game is over after the moves {:?}", self.moves)));
        }
        let label = TreeLabel {
            recipe: self.recipe.identity(None),
            game: name.to_owned(),
            moves: self.moves.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        self.trees.open_by(|bytes| bot.open_tree(&game, &label, bytes))?;
        let report = match bot.genmove(&game, &self.budget, &mut ()).map_err(LabError::failed)? {
            Reply::Play(report) => report,
            Reply::Resign => return Err(LabError::Failed("the agent resigns".to_owned())),
        };
        self.trees.save_by(|| bot.save_tree(&label))?;
        // The moves of a variation have their names in the positions in which they are played.
        let line = |moves: &[G::Move]| -> Vec<String> {
            let mut game = game.clone();
            let text = |&m: &G::Move| {
                let text = game.move_text(m);
                game.play(m);
                text
            };
            moves.iter().map(text).collect()
        };
        let mut told = report.map(|m| game.move_text(m));
        told.variation = line(&report.variation);
        for (told, child) in told.children.iter_mut().zip(&report.children) {
            told.variation = line(&child.variation);
        }
        Ok(Analysis {
            position: game.to_string(),
            drawing: game.drawing(),
            to_move: game.to_move(),
            report: told,
        })
    }
}
