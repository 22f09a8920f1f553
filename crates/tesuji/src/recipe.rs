//! Recipes: agents described in TOML.
//!
//! A recipe names one part for each axis of the search and its parameters; what it leaves out has
//! its default. The fields of the parts' own types are the parameters, and their schema is what
//! [`parts`] lists and what a recipe is checked against.
//!
//! ```
//! use tesuji::recipe::Recipe;
//! use tesuji::doc_game::Nim;
//! use tesuji::{Bot, Budget, Reply};
//!
//! let recipe = Recipe::parse("uct,select.c=0.5,final_move=max").unwrap();
//! let game = Nim::new(7);
//! let mut bot = recipe.bot(&game, 1).unwrap();
//! let Reply::Play(report) = bot.genmove(&game, &Budget::simulations(500), &mut ()).unwrap() else { panic!() };
//! assert_eq!(report.best, 3);
//! ```

mod check;
mod error;
mod identity;
mod network;
mod patterns;
pub(crate) mod register;
mod schema;
mod suggest;
mod text;

pub use check::check_part;
pub use error::RecipeError;
pub use patterns::{PatternEffect, PatternRule};
pub use schema::{Parameter, Part, parts};
pub use suggest::{did_you_mean, nearest};
pub use text::{base, words};

use crate::any::{AnyBackup, AnyParallel, AnyPlayout, AnySelect, BoundPlayout};
use crate::bias::Advisor;
use crate::bot::Bot;
use crate::code::Link;
use crate::columns::Columns;
use crate::evaluate::{Evaluate, NetworkOptions};
use crate::game::SearchGame;
use crate::node::Node;
use crate::playout::{Maxi, Playout};
use crate::rng::Rng;
use crate::root_parallel::RootParallel;
use crate::root_policy::RootPolicy;
use crate::search::{AskTell, BuildError, Options, Search};
use crate::select::Select;
use error::Source;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::boxed::Box;
use std::string::{String, ToString};
use std::sync::Arc;
use std::vec::Vec;
use toml::{Table, Value};

/// The recipes that come with the library: name and text.
const BUILT_IN: &[(&str, &str)] = &[
    ("uct", include_str!("../recipes/uct.toml")),
    ("ucb1", include_str!("../recipes/ucb1.toml")),
    ("uct-survey-equation", include_str!("../recipes/uct-survey-equation.toml")),
    ("uct-survey-code", include_str!("../recipes/uct-survey-code.toml")),
    ("ucb1-tuned", include_str!("../recipes/ucb1-tuned.toml")),
    ("puct", include_str!("../recipes/puct.toml")),
    ("flat-mc", include_str!("../recipes/flat-mc.toml")),
    ("flat-ucb", include_str!("../recipes/flat-ucb.toml")),
    ("epsilon-greedy", include_str!("../recipes/epsilon-greedy.toml")),
    ("mast", include_str!("../recipes/mast.toml")),
    ("maxi", include_str!("../recipes/maxi.toml")),
    ("uct-solver", include_str!("../recipes/uct-solver.toml")),
    ("uct2", include_str!("../recipes/uct2.toml")),
    ("uctr", include_str!("../recipes/uctr.toml")),
    ("uctr2", include_str!("../recipes/uctr2.toml")),
    ("rave", include_str!("../recipes/rave.toml")),
    ("rave-hand-selected", include_str!("../recipes/rave-hand-selected.toml")),
    ("grave", include_str!("../recipes/grave.toml")),
    ("grave-lean", include_str!("../recipes/grave-lean.toml")),
    ("hrave", include_str!("../recipes/hrave.toml")),
    ("grave2", include_str!("../recipes/grave2.toml")),
    ("graver", include_str!("../recipes/graver.toml")),
    ("graver2", include_str!("../recipes/graver2.toml")),
    ("erwa", include_str!("../recipes/erwa.toml")),
    ("monotone", include_str!("../recipes/monotone.toml")),
    ("softmax", include_str!("../recipes/softmax.toml")),
    ("coulom", include_str!("../recipes/coulom.toml")),
    ("power-uct", include_str!("../recipes/power-uct.toml")),
    ("accelerated-uct", include_str!("../recipes/accelerated-uct.toml")),
    ("accelerated-softmax", include_str!("../recipes/accelerated-softmax.toml")),
    ("max-mcts", include_str!("../recipes/max-mcts.toml")),
    ("puct-net", include_str!("../recipes/puct-net.toml")),
    ("puct-net-erwa", include_str!("../recipes/puct-net-erwa.toml")),
    ("puct-net-feedback", include_str!("../recipes/puct-net-feedback.toml")),
    ("puct-net-monotone", include_str!("../recipes/puct-net-monotone.toml")),
    ("puct-net-softmax", include_str!("../recipes/puct-net-softmax.toml")),
    ("puct-net-coulom", include_str!("../recipes/puct-net-coulom.toml")),
    ("puct-net-mixed", include_str!("../recipes/puct-net-mixed.toml")),
    ("puct-net-feedback-400", include_str!("../recipes/puct-net-feedback-400.toml")),
    ("puct-net-monotone-400", include_str!("../recipes/puct-net-monotone-400.toml")),
    ("puct-net-softmax-400", include_str!("../recipes/puct-net-softmax-400.toml")),
    ("puct-net-coulom-400", include_str!("../recipes/puct-net-coulom-400.toml")),
];

/// Other names of recipes that come with the library.
const OTHER_NAMES: &[(&str, &str)] = &[("max-lambda", "max-mcts")];

/// Name and text of a recipe that comes with the library, by one of its names.
fn find_built_in(name: &str) -> Option<(&'static str, &'static str)> {
    let name = OTHER_NAMES.iter().find(|(other, _)| *other == name).map_or(name, |&(_, name)| name);
    BUILT_IN.iter().find(|(n, _)| *n == name).copied()
}

/// The keys whose tables name a part by its `kind`.
const AXES: [&str; 6] = ["select", "backup", "playout", "parallel", "root", "bias"];

/// An agent as a recipe describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Recipe {
    name: String,
    agent: Agent,
}

/// The content of a recipe.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Agent {
    /// Simulations per move. For this agent, the number replaces the limit of a match or
    /// experiment, be it simulations or time. In `tesuji analyze` and `tesuji gtp`, `--playouts` or
    /// `--time` replaces the number.
    ///
    /// Range: 1 or more (simulations).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), extend("unit" = "simulations"))]
    playouts: Option<u64>,
    /// A description of the recipe, in a sentence.
    about: String,
    /// Tree policy.
    select: AnySelect,
    /// Backup.
    backup: AnyBackup,
    /// Playout policy.
    playout: AnyPlayout,
    /// The game's network, for priors or in place of playouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NetworkOptions")]
    network: Option<NetworkOptions>,
    /// Threads of one search.
    parallel: AnyParallel,
    /// The other settings.
    #[serde(flatten)]
    options: Options,
    /// Patterns of the game that bias the tree policy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    patterns: Vec<PatternRule>,
}

impl Recipe {
    /// A recipe of these parts, under a name of the caller's choice.
    pub fn of_parts(
        name: &str,
        select: AnySelect,
        backup: AnyBackup,
        playout: AnyPlayout,
        options: Options,
    ) -> Recipe {
        let agent = Agent { select, backup, playout, options, ..Agent::default() };
        Recipe { name: name.to_owned(), agent }
    }

    /// The names of the recipes that come with the library, each with what it is.
    pub fn built_ins() -> impl Iterator<Item = (&'static str, String)> {
        BUILT_IN.iter().map(|&(name, text)| {
            let about = Recipe::from_toml(name, text).map(|recipe| recipe.agent.about).unwrap_or_default();
            (name, about)
        })
    }

    /// The recipe of this name that comes with the library; `max-lambda` is another name of
    /// `max-mcts`.
    pub fn built_in(name: &str) -> Option<Recipe> {
        let (name, text) = find_built_in(name)?;
        Recipe::from_toml(name, text).ok()
    }

    /// Reads a recipe from TOML; `name` is the file's or the recipe's name.
    ///
    /// # Errors
    /// If the text is not TOML, has an unknown key, or a value out of its range: the message names
    /// file, line, key, and what would be accepted.
    pub fn from_toml(name: &str, text: &str) -> Result<Recipe, RecipeError> {
        Recipe::of_table(name, text, text::parse(name, text)?)
    }

    /// The recipe of a table that was read from this text.
    fn of_table(name: &str, text: &str, table: Table) -> Result<Recipe, RecipeError> {
        Recipe::build(name.to_string(), table, |key| Source::File {
            name: name.to_string(),
            line: text::line_of(text, key),
        })
    }

    /// Reads a recipe as the command line names it: a name that [`Recipe::built_in`] knows or a
    /// TOML file's path (see [`base`]), then any overrides, as in
    /// `uct,select.c=0.5,memory.nodes=1000`. Setting a part's `kind` gives all its other parameters
    /// their defaults; `select=puct` is short for `select.kind=puct`.
    ///
    /// # Errors
    /// As [`Recipe::from_toml`]; also if there is no such recipe or file.
    pub fn parse(spec: &str) -> Result<Recipe, RecipeError> {
        let fail = |message| RecipeError { source: Source::Line(spec.to_string()), message };
        let base = text::base(spec);
        let words = text::words(spec[base.len()..].trim_start_matches(',')).filter(|word| !word.is_empty());
        let (recipe, table) = match find_built_in(base) {
            Some((name, text)) => (Recipe::from_toml(name, text)?, text::parse(name, text)?),
            None if text::is_toml(base) => {
                let text = std::fs::read_to_string(base)
                    .map_err(|error| fail(std::format!("cannot read `{base}`: {error}")))?;
                (Recipe::from_toml(base, &text)?, text::parse(base, &text)?)
            }
            None if std::path::Path::new(base).is_file() => {
                return Err(fail(std::format!(
                    "`{base}` is not a recipe; accepted: a file that ends in .toml, and the file of a network as in \
                     puct-net,network.file={base}"
                )));
            }
            None => {
                let names: Vec<&str> = BUILT_IN.iter().map(|&(name, _)| name).collect();
                let meant = did_you_mean(base, names.iter().copied());
                let names = names.join(", ");
                return Err(fail(std::format!(
                    "there is no recipe `{base}`; accepted: {names}, or the path of a file that ends in .toml{meant}"
                )));
            }
        };
        let (mut table, mut changed) = (table, false);
        identity::respell(&mut table);
        for word in words {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| fail(std::format!("`{word}` is not an override; accepted: key=value")))?;
            recipe.name_kind(&mut table, key.trim());
            text::set(&mut table, key.trim(), value.trim());
            identity::respell(&mut table);
            changed = true;
        }
        if !changed {
            return Ok(recipe);
        }
        Recipe::build(spec.to_string(), table, |_| Source::Line(spec.to_string()))
    }

    /// Writes down which part of the axis of `key` the recipe has, where that goes without saying:
    /// a parameter needs its part.
    fn name_kind(&self, table: &mut Table, key: &str) {
        let Some((axis, rest)) = key.split_once('.') else { return };
        if AXES.contains(&axis) && rest != "kind" && !table.contains_key(axis) {
            let kind =
                Table::try_from(&self.agent).ok().and_then(|agent| agent.get(axis)?.get("kind").cloned());
            kind.map(|kind| table.insert(axis.to_string(), kind));
        }
    }

    fn build(name: String, mut table: Table, source: impl Fn(&str) -> Source) -> Result<Recipe, RecipeError> {
        for axis in AXES {
            if let Some(Value::String(kind)) = table.get(axis) {
                let kind = Value::String(kind.clone());
                table.insert(axis.to_string(), Value::Table(Table::from_iter([("kind".to_string(), kind)])));
            }
        }
        if let Some(Value::Table(bias)) = table.get_mut("bias")
            && !bias.contains_key("kind")
        {
            bias.insert("kind".to_string(), Value::String("log-decay".to_string()));
        }
        identity::respell(&mut table);
        let value = Value::Table(table);
        let schema = schemars::schema_for!(Agent).to_value();
        check::check(&schema, &value).map_err(|misfit| RecipeError {
            source: source(&misfit.key),
            message: {
                let about =
                    if misfit.is_unknown { schema::about_key(&misfit.key, &value) } else { String::new() };
                std::format!("`{}`: {}{about}", misfit.key, misfit.message)
            },
        })?;
        let agent: Agent = value.try_into().map_err(|error: toml::de::Error| RecipeError {
            source: source(""),
            message: error.message().to_string(),
        })?;
        Ok(Recipe { name, agent })
    }

    /// The recipe's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A description of the recipe, in a sentence.
    pub fn about(&self) -> &str {
        &self.agent.about
    }

    /// Simulations per move: in matches in place of their limit, elsewhere if the caller names no
    /// limit. A search itself has the budget that it is given.
    pub fn playouts(&self) -> Option<u64> {
        self.agent.playouts
    }

    /// The whole recipe as TOML, every parameter written out: equal recipes have equal texts.
    pub fn to_toml(&self) -> String {
        let text = toml::to_string(&self.agent).unwrap_or_default();
        // Where nothing is biased the usual bias goes without saying.
        let unsaid = !self.agent.patterns.is_empty() && self.options().bias.is_default();
        if unsaid { text + &patterns::bias_text(self.options().bias) } else { text }
    }

    /// The backup, which is still to be prepared for a game.
    pub fn backup(&self) -> &AnyBackup {
        &self.agent.backup
    }

    /// The settings beside the parts.
    pub fn options(&self) -> &Options {
        &self.agent.options
    }

    /// The use of several threads.
    pub fn parallel(&self) -> &AnyParallel {
        &self.agent.parallel
    }

    /// The agent that the recipe describes, for games that begin at `start`.
    ///
    /// # Errors
    /// If a part cannot work on this game, two parts clash, or the memory limit is too small.
    pub fn bot<G>(&self, start: &G, seed: u64) -> Result<Box<dyn Bot<G> + Send>, RecipeError>
    where
        G: SearchGame + Send + Sync + 'static,
        G::Move: Send + Sync,
    {
        self.bot_by(start, self.evaluator(start)?, seed)
    }

    /// The same, with a given [evaluator](Recipe::evaluator): agents that get copies of one share
    /// what it remembers.
    ///
    /// # Errors
    /// As [`Recipe::bot`].
    pub fn bot_by<G>(
        &self,
        start: &G,
        evaluator: Option<Box<dyn Evaluate<G>>>,
        seed: u64,
    ) -> Result<Box<dyn Bot<G> + Send>, RecipeError>
    where
        G: SearchGame + Send + Sync + 'static,
        G::Move: Send + Sync,
    {
        match &self.agent.parallel {
            AnyParallel::Root(root) => {
                let mut share = self.clone();
                let memory = &mut share.agent.options.memory;
                if let Some(nodes) = memory.nodes
                    && nodes < root.threads
                {
                    return Err(self.clash(&std::format!(
                        "`memory.nodes` = {nodes} leaves no node for each of {} threads; accepted: {0} or more",
                        root.threads
                    )));
                }
                memory.nodes = memory.nodes.map(|nodes| nodes / root.threads);
                memory.bytes = memory.bytes.map(|bytes| bytes / root.threads);
                self.check(start)?;
                let advisor = self.advisor(start)?;
                let searches = (0..root.threads as u64)
                    .map(|i| share.assemble(start, advisor.clone(), evaluator.clone(), Rng::derive(seed, i)));
                let searches = searches.collect::<Result<Vec<RecipeSearch<G>>, _>>().map_err(|error| {
                    let whose = match error {
                        BuildError::Memory(_) => {
                            std::format!("the share of each of {} threads: ", root.threads)
                        }
                        BuildError::Clash(_) => String::new(),
                    };
                    self.clash(&std::format!("{whose}{error}"))
                })?;
                Ok(Box::new(RootParallel::new(searches, self.options().final_move)))
            }
            AnyParallel::Serial | AnyParallel::Tree(_) => Ok(self.driven_by(start, evaluator, seed)?),
        }
    }

    /// The agent as a search that somebody else drives, such as a [`Pool`](crate::Pool), with a
    /// given [evaluator](Recipe::evaluator).
    ///
    /// # Errors
    /// As [`Recipe::bot`]; root parallelization drives its searches by itself.
    pub fn driven_by<G>(
        &self,
        start: &G,
        evaluator: Option<Box<dyn Evaluate<G>>>,
        seed: u64,
    ) -> Result<Box<dyn AskTell<G> + Send>, RecipeError>
    where
        G: SearchGame + Send + Sync + 'static,
        G::Move: Send + Sync,
    {
        let evaluator_bytes = evaluator.as_ref().map_or(0, |evaluator| evaluator.bytes());
        match &self.agent.parallel {
            AnyParallel::Serial if self.is_compact(evaluator_bytes) => {
                Ok(Box::new(self.serial::<G, u16>(start, evaluator, seed)?))
            }
            AnyParallel::Serial => Ok(Box::new(self.serial::<G, u32>(start, evaluator, seed)?)),
            AnyParallel::Root(_) => {
                Err(self.clash("root parallelization cannot share batches with other searches; `tree` can"))
            }
            AnyParallel::Tree(tree) => {
                if self.options().depth == 1 {
                    return Err(self.clash(
                        "tree parallelization needs a tree, and `depth` = 1 grows none; root parallelization does without",
                    ));
                }
                if self.is_compact(evaluator_bytes) {
                    self.in_one_tree::<G, u16>(start, evaluator, seed, tree)
                } else {
                    self.in_one_tree::<G, u32>(start, evaluator, seed, tree)
                }
            }
        }
    }

    /// The search that the recipe describes, on one thread, of a type that can run any recipe.
    ///
    /// # Errors
    /// As [`Recipe::bot`].
    pub fn search<G: SearchGame>(&self, start: &G, seed: u64) -> Result<RecipeSearch<G>, RecipeError> {
        self.search_by(start, self.evaluator(start)?, seed)
    }

    /// [`Recipe::search`] with a given [evaluator](Recipe::evaluator).
    ///
    /// # Errors
    /// As [`Recipe::bot`].
    pub fn search_by<G: SearchGame>(
        &self,
        start: &G,
        evaluator: Option<Box<dyn Evaluate<G>>>,
        seed: u64,
    ) -> Result<RecipeSearch<G>, RecipeError> {
        self.serial(start, evaluator, seed)
    }

    /// [`Recipe::search`] with narrow links, see [`Search::compact`].
    ///
    /// # Errors
    /// As [`Recipe::bot`].
    pub fn compact_search<G: SearchGame>(
        &self,
        start: &G,
        seed: u64,
    ) -> Result<CompactSearch<G>, RecipeError> {
        self.serial(start, self.evaluator(start)?, seed)
    }

    /// The search on one thread, with links of either width.
    fn serial<G: SearchGame, I: Link>(
        &self,
        start: &G,
        evaluator: Option<Box<dyn Evaluate<G>>>,
        seed: u64,
    ) -> Result<RecipeSearch<G, I>, RecipeError> {
        self.check(start)?;
        self.assemble(start, self.advisor(start)?, evaluator, seed)
            .map_err(|error| self.clash(&error.to_string()))
    }

    /// The search by several threads in one tree, with links of either width.
    fn in_one_tree<G, I: Link + 'static>(
        &self,
        start: &G,
        evaluator: Option<Box<dyn Evaluate<G>>>,
        seed: u64,
        tree: &crate::any::TreeThreads,
    ) -> Result<Box<dyn AskTell<G> + Send>, RecipeError>
    where
        G: SearchGame + Send + Sync + 'static,
        G::Move: Send + Sync,
    {
        self.check(start)?;
        let advisor = self.advisor(start)?;
        let make = || {
            let mut search = self.without_tree::<G, I>(start, advisor, evaluator, seed)?;
            search.make_batch(tree.batch)?;
            search.make_threads(tree.threads)?;
            search.plan_tree(Some(tree.in_flight()))?;
            Ok(search)
        };
        let search = make().map_err(|error: BuildError| self.clash(&error.to_string()))?;
        Ok(Box::new(search))
    }

    /// The search, of an advisor and an evaluator that several may share.
    fn assemble<G: SearchGame, I: Link>(
        &self,
        start: &G,
        advisor: Option<Arc<dyn Advisor<G>>>,
        evaluator: Option<Box<dyn Evaluate<G>>>,
        seed: u64,
    ) -> Result<RecipeSearch<G, I>, BuildError> {
        let mut search = self.without_tree(start, advisor, evaluator, seed)?;
        search.plan_tree(None)?;
        Ok(search)
    }

    /// The search, whose tree is still to be planned.
    fn without_tree<G: SearchGame, I: Link>(
        &self,
        start: &G,
        advisor: Option<Arc<dyn Advisor<G>>>,
        evaluator: Option<Box<dyn Evaluate<G>>>,
        seed: u64,
    ) -> Result<RecipeSearch<G, I>, BuildError> {
        let Agent { select, backup, options, .. } = self.agent.clone();
        let mut playout = self.playout(evaluator);
        playout.take_patterns(&self.advice());
        let mut search = Search::without_tree(start, select, backup, playout, options, seed)?;
        if let Some(advisor) = advisor {
            search.take_advisor(advisor);
        }
        Ok(search.named(self.name.clone()))
    }

    /// Whether narrow links suffice for the nodes that the memory limits leave beside an evaluator
    /// of `evaluator` bytes.
    fn is_compact(&self, evaluator: usize) -> bool {
        let memory = &self.agent.options.memory;
        let most = evaluator + <u16 as Link>::NODES * size_of::<Node<u16, u16>>();
        memory.nodes.is_some_and(|nodes| nodes < <u16 as Link>::NODES)
            || memory.bytes.is_some_and(|bytes| bytes < most)
    }

    /// Whether the parts suit this game and the threads, beyond what [`Search::new`] checks.
    fn check<G: SearchGame>(&self, start: &G) -> Result<(), RecipeError> {
        self.check_network()?;
        if let AnyPlayout::Own(own) = &self.agent.playout
            && own.play::<G>().is_none()
        {
            let kind = own.kind();
            return Err(self.clash(&std::format!(
                "playout `{kind}` is not for this game; accepted: a game for which its crate registers it"
            )));
        }
        let (learner, most) = match self.agent.playout {
            AnyPlayout::Uniform(_) | AnyPlayout::Net {} | AnyPlayout::Mixed(_) | AnyPlayout::Own(_) => {
                ("", usize::MAX)
            }
            AnyPlayout::Mast(_) => ("mast", usize::MAX),
            AnyPlayout::Maxi(_) => ("maxi", Maxi::MOST_KEYS),
        };
        if !learner.is_empty() && start.keys() == 0 {
            return Err(
                self.clash(&std::format!("playout `{learner}` learns by move key, but this game has none"))
            );
        }
        if start.keys() > most {
            return Err(self.clash(&std::format!(
                "playout `{learner}` compares all pairs of move keys, but this game has more than {most} keys"
            )));
        }
        if self.agent.select.needs().has(Columns::AMAF) && start.keys() == 0 {
            return Err(self.clash("`select` reads AMAF tables by move key, but this game has none"));
        }
        if matches!(self.options().root, RootPolicy::Gumbel(_))
            && matches!(self.agent.parallel, AnyParallel::Root(_))
        {
            return Err(self.clash("root policy `gumbel` does not go with `parallel` = `root`; `tree` does"));
        }
        Ok(())
    }

    fn clash(&self, message: &str) -> RecipeError {
        RecipeError { source: Source::Line(self.name.clone()), message: message.to_string() }
    }
}

/// A search whose parts were chosen at run time.
pub type RecipeSearch<G, I = u32> = Search<G, AnySelect, AnyBackup, BoundPlayout<G>, I>;

/// A [`RecipeSearch`] with narrow links.
pub type CompactSearch<G> = RecipeSearch<G, u16>;

#[cfg(test)]
mod tests;
