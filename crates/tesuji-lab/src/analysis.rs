//! The search of one position of any game.

use crate::error::LabError;
use crate::opening::{MoveError, parse};
use crate::tree_files::TreeFiles;
use serde_json::json;
use std::cell::RefCell;
use tesuji::recipe::Recipe;
use tesuji::{Budget, ChildReport, Drawing, Observer, Player, Reply, Report, TreeLabel};
use tesuji_agents::Playable;

/// The agent, the limits and the positions of an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    /// The moves that lead to the position, with spaces between them.
    pub moves: String,
    /// The agent.
    pub recipe: Recipe,
    /// When the search ends.
    pub budget: Budget,
    /// The seed of its random numbers; an opened tree has its own.
    pub seed: u64,
    /// The files of its tree.
    pub trees: TreeFiles,
}

/// A position and what a search found there.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The game, as records name it.
    pub game: String,
    /// The moves that led to the position.
    pub moves: Vec<String>,
    /// The position as text.
    pub position: String,
    /// The position as data to draw, where the game has a board.
    pub drawing: Option<Drawing>,
    /// The player to move.
    pub to_move: Player,
    /// The report of the search, moves as text.
    pub report: Report<String>,
    /// Why its tree was not saved, if it was to be.
    pub unsaved: Option<LabError>,
}

/// Looks up every few simulations, and wants no reports.
pub(crate) struct Look<'a>(RefCell<&'a mut dyn FnMut()>);

impl<'a> Look<'a> {
    pub(crate) fn new(look: &'a mut dyn FnMut()) -> Look<'a> {
        Look(RefCell::new(look))
    }
}

impl<M> Observer<M> for Look<'_> {
    fn every(&self) -> u64 {
        64
    }

    fn is_due(&self) -> bool {
        (self.0.borrow_mut())();
        false
    }
}

/// The report of a search, as `tesuji analyze --json` prints it; `text` writes a move.
pub fn report_json<M>(report: &Report<M>, text: impl Fn(&M) -> String) -> serde_json::Value {
    let child = |c: &ChildReport<M>| json!({ "move": text(&c.m), "visits": c.visits, "value": c.value, "prior": c.prior });
    json!({
        "best": text(&report.best),
        "value": report.value,
        "variation": report.variation.iter().map(&text).collect::<Vec<_>>(),
        "moves": report.children.iter().map(child).collect::<Vec<_>>(),
        "simulations": report.simulations,
        "nodes": report.nodes,
        "bytes": report.bytes,
        "depth": report.depth,
        "stopped_by": format!("{:?}", report.reason).to_lowercase(),
        "seconds": report.elapsed.as_secs_f64(),
        "seed": report.seed,
        "recipe": report.recipe,
    })
}

impl Analysis {
    /// As `tesuji analyze --game --json` prints it.
    pub fn json(&self) -> serde_json::Value {
        let mut object = report_json(&self.report, String::clone);
        object["game"] = json!(self.game);
        object["moves_played"] = json!(self.moves);
        object["to_move"] = json!(self.to_move.index() + 1);
        object["drawing"] = json!(self.drawing);
        object
    }
}

impl AnalysisOptions {
    pub(crate) fn run<G: Playable>(
        &self,
        start: &G,
        name: &str,
        label: &TreeLabel,
        look: &mut Look<'_>,
    ) -> Result<Analysis, LabError> {
        let mut bot = start.bot(&self.recipe, self.seed).map_err(LabError::input)?;
        let mut game = start.clone();
        bot.new_game(&game, self.seed).map_err(LabError::failed)?;
        for m in parse(start, &self.moves)? {
            game.play(m);
            bot.played(m, &game).map_err(LabError::failed)?;
        }
        if game.result().is_some() {
            return Err(MoveError::Over { moves: self.moves.clone() }.into());
        }
        self.trees.open_by(|bytes| bot.open_tree(&game, label, bytes))?;
        let report = match bot.genmove(&game, &self.budget, look).map_err(LabError::failed)? {
            Reply::Play(report) => report,
            Reply::Resign => return Err(LabError::Failed("the agent resigns".to_owned())),
        };
        let unsaved = self.trees.save_by(|| bot.save_tree(label)).err();
        let mut told = report.map(|m| game.move_text(m));
        told.variation = line_texts(&game, &report.variation);
        for (told, child) in told.children.iter_mut().zip(&report.children) {
            told.variation = line_texts(&game, &child.variation);
        }
        Ok(Analysis {
            game: name.to_owned(),
            moves: self.moves.split_whitespace().map(str::to_owned).collect(),
            position: game.to_string(),
            drawing: game.drawing(),
            to_move: game.to_move(),
            report: told,
            unsaved,
        })
    }
}

/// The moves of a line as text: they have their names in the positions in which they are played.
pub(crate) fn line_texts<G: Playable>(game: &G, line: &[G::Move]) -> Vec<String> {
    let mut game = game.clone();
    let text = |&m: &G::Move| {
        let text = game.move_text(m);
        game.play(m);
        text
    };
    line.iter().map(text).collect()
}
