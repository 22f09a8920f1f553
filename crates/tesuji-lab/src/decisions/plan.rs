//! What is decided, by whom, and how often.

use super::problem::Problems;
use crate::error::{LabError, faults};
use crate::experiment::name::{PLAIN, is_plain};
use crate::experiment::number::count;
use crate::trials::check_count;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use tesuji::recipe::{Recipe, base};
use tesuji_agents::Playable;
use tesuji_games::{PGame, StaticEvaluation};

/// Agents that decide at the roots of the same [P-games](PGame), as a TOML file with
/// `kind = "decisions"` describes it.
///
/// The trees are those in which the player to move can force a win with at most a quarter of the
/// moves; an agent fails at a tree if it chooses another one. For each number of simulations, every
/// agent searches every tree from the beginning, with random numbers that depend only on the tree.
/// So agents can be compared tree by tree.
///
/// ```
/// # use tesuji_lab::{Experiment, Decisions};
/// let text = r#"
///     kind = "decisions"
///     name = "first-play"
///     trees = 500
///     simulations = [100, 1000]
///     baseline = "parent"
///
///     [[setting]]
///     name = "network"
///     branching = 8
///     depth = 6
///     values = { noise = 1, temperature = 0.2 }     # without it: random playouts
///     recipe = "puct"
///     c = [0.2, 0.5]
///
///     [[agent]]
///     name = "parent"
///
///     [[agent]]
///     name = "even"
///     parts = "select.first_play=even"             # added to the setting's recipe
///     c = { network = [0.3] }                      # in place of the setting's
/// "#;
/// let experiment = Experiment::parse("first-play.toml", text)?;
/// let plan: &Decisions = experiment.plan_as().expect("its kind says so");
/// assert_eq!(plan.agents.len(), 2);
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decisions {
    /// The number of trees, at most 10 million.
    pub trees: u64,
    /// The trees are the first ones that qualify, counted from this seed on. The seed is below
    /// 2^62. Default 1.
    #[serde(default = "count::<1>")]
    pub seed: u64,
    /// Numbers of simulations.
    pub simulations: Vec<u64>,
    /// The name of the agent with which the others are compared: in each setting at the same c, or
    /// at its only one.
    pub baseline: String,
    /// The settings in which agents decide.
    #[serde(rename = "setting")]
    pub settings: Vec<Setting>,
    /// The agents that decide.
    #[serde(rename = "agent")]
    pub agents: Vec<DecisionAgent>,
    /// The trees of each setting, once they are needed.
    #[serde(skip)]
    pub(super) problems: Problems,
}

/// A kind of tree, and a search that agents modify.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// Its name: letters, digits, `.`, `-` and `_`.
    pub name: String,
    /// Moves of each position, at least 4.
    pub branching: usize,
    /// Moves to the end.
    pub depth: usize,
    /// Noisy values of leaves, which also give the priors. Without them, random playouts value the
    /// leaves.
    pub values: Option<NoisyValues>,
    /// The recipe without c and without the overrides of an agent.
    pub recipe: String,
    /// Exploration constants `select.c` of agents that do not name their own.
    pub c: Vec<f64>,
}

/// A stand-in for a policy-value network: [`StaticEvaluation`].
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoisyValues {
    /// See [`StaticEvaluation::noise`].
    pub noise: f32,
    /// See [`StaticEvaluation::temperature`].
    pub temperature: f32,
}

/// An agent in all settings.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionAgent {
    /// Its name: letters, digits, `.`, `-` and `_`.
    pub name: String,
    /// The overrides of the recipe: `key=value`, with commas between; `{simulations}` stands for
    /// their number.
    #[serde(default)]
    pub parts: String,
    /// Exploration constants for each setting, in place of the setting's own.
    #[serde(default)]
    pub c: BTreeMap<String, Vec<f64>>,
}

/// An agent with one exploration constant in one setting.
#[derive(Clone, Debug)]
pub(crate) struct AgentInSetting {
    pub(super) name: String,
    /// The setting's index.
    pub(super) setting: usize,
    /// The agent's name.
    pub(super) agent: String,
    pub(super) c: f64,
    /// One for each number of simulations.
    pub(super) recipes: BTreeMap<u64, Recipe>,
}

/// The most lines of play of a tree: it is solved in as many steps at most.
const MOST_LINES: u64 = 100_000_000;

impl Setting {
    /// The tree of a seed.
    pub(super) fn tree(&self, seed: u64) -> Result<PGame, LabError> {
        let tree = PGame::new(self.branching, self.depth, seed).map_err(LabError::input)?;
        Ok(match self.values {
            Some(NoisyValues { noise, temperature }) => {
                tree.evaluated(StaticEvaluation { noise, temperature })
            }
            None => tree,
        })
    }

    /// What decides its trees, for records and people.
    pub(super) fn game(&self) -> String {
        let values = match self.values {
            Some(NoisyValues { noise, temperature }) => format!(", noise {noise}, temperature {temperature}"),
            None => String::new(),
        };
        format!("p-game:{},{}{values}", self.branching, self.depth)
    }

    fn check(&self) -> Result<(), LabError> {
        let fault =
            |error: DecisionsError| Err(LabError::from(error).within(format_args!("setting {}", self.name)));
        if !(4..=1000).contains(&self.branching) {
            return fault(DecisionsError::Branching { branching: self.branching });
        }
        // Each tree is solved.
        if (self.branching as u64).checked_pow(self.depth as u32).is_none_or(|lines| lines > MOST_LINES) {
            let (branching, depth) = (self.branching, self.depth);
            return fault(DecisionsError::Lines { branching, depth, most: MOST_LINES });
        }
        if let Some(NoisyValues { noise, temperature }) = self.values
            && !(noise >= 0.0 && noise.is_finite() && temperature >= 0.012 && temperature.is_finite())
        {
            return fault(DecisionsError::Values { noise, temperature });
        }
        self.tree(0).map(|_| ())
    }
}

impl Decisions {
    /// Checks everything and lists who decides where, setting by setting, in the order of the file.
    pub(crate) fn cells(&self) -> Result<Vec<AgentInSetting>, LabError> {
        let fault = |error: DecisionsError| Err(error.into());
        check_count("trees", self.trees)?;
        let different: HashSet<_> = self.simulations.iter().collect();
        if different.is_empty() || different.contains(&0) || different.len() < self.simulations.len() {
            return fault(DecisionsError::Simulations { simulations: self.simulations.clone() });
        }
        if self.seed >= 1 << 62 {
            return fault(DecisionsError::Seed { seed: self.seed });
        }
        let names = self.settings.iter().map(|setting| &setting.name);
        for name in names.chain(self.agents.iter().map(|agent| &agent.name)) {
            if !is_plain(name) {
                return fault(DecisionsError::Name { name: name.clone(), accepted: PLAIN });
            }
        }
        let known: Vec<_> = self.agents.iter().map(|agent| agent.name.as_str()).collect();
        if !known.contains(&self.baseline.as_str()) {
            let (baseline, agents) = (self.baseline.clone(), known.join(", "));
            return fault(DecisionsError::Baseline { baseline, agents });
        }
        let (mut cells, mut names) = (Vec::new(), HashSet::new());
        for (index, setting) in self.settings.iter().enumerate() {
            setting.check()?;
            for agent in &self.agents {
                if let Some(other) =
                    agent.c.keys().find(|&name| self.settings.iter().all(|setting| setting.name != *name))
                {
                    let (agent, setting) = (agent.name.clone(), other.clone());
                    return fault(DecisionsError::NoSetting { agent, setting });
                }
                for &c in agent.c.get(&setting.name).unwrap_or(&setting.c) {
                    let name = format!("{}-{}-{c}", setting.name, agent.name);
                    let mut spec = format!("{},select.c={c:?}", setting.recipe);
                    if !agent.parts.is_empty() {
                        spec += &format!(",{}", agent.parts);
                    }
                    let named = |error: &dyn std::fmt::Display| {
                        let (name, fault) = (name.clone(), error.to_string());
                        LabError::from(DecisionsError::Agent { name, fault })
                    };
                    let mut recipes = BTreeMap::new();
                    for &simulations in &self.simulations {
                        let spec = spec.replace("{simulations}", &simulations.to_string());
                        let recipe = Recipe::parse(&spec).map_err(|e| named(&e))?;
                        setting.tree(0)?.bot(&recipe, 0).map_err(|e| named(&e))?;
                        recipes.insert(simulations, recipe);
                    }
                    if !names.insert(name.clone()) {
                        return fault(DecisionsError::Twice { name });
                    }
                    cells.push(AgentInSetting {
                        name,
                        setting: index,
                        agent: agent.name.clone(),
                        c,
                        recipes,
                    });
                }
            }
        }
        Ok(cells)
    }

    /// Makes sure that workers of a cluster have the recipes: they do not have files of this
    /// machine.
    pub(super) fn check_recipes_elsewhere(&self) -> Result<(), DecisionsError> {
        for Setting { name, recipe, .. } in &self.settings {
            let base = base(recipe);
            if Recipe::built_in(base).is_none() {
                return Err(DecisionsError::FileElsewhere { setting: name.clone(), file: base.to_owned() });
            }
        }
        Ok(())
    }

    /// The index of the cell with which one is compared: the baseline's in its setting, at the same
    /// c or the only one.
    pub(super) fn rival(&self, cells: &[AgentInSetting], index: usize) -> Option<usize> {
        let cell = &cells[index];
        if cell.agent == self.baseline {
            return None;
        }
        let baseline = |&i: &usize| cells[i].setting == cell.setting && cells[i].agent == self.baseline;
        let rivals: Vec<usize> = (0..cells.len()).filter(baseline).collect();
        match rivals[..] {
            [only] => Some(only),
            _ => rivals.into_iter().find(|&i| cells[i].c == cell.c),
        }
    }
}

faults! {
    /// Why decisions are not possible, apart from numbers out of their [range](crate::RangeError).
    DecisionsError {
        Branching { branching: usize } => "branching is {branching}; accepted: 4 to 1000",
        Lines { branching: usize, depth: usize, most: u64 } => "branching is {branching} and depth {depth}, but each tree is solved; accepted: \
            trees of at most {most} lines, which are the depth-th power of branching",
        Values { noise: f32, temperature: f32 } => "noise is {noise} and temperature {temperature}; accepted: at least 0, at least 0.012",
        Simulations { simulations: Vec<u64> } => "simulations is {simulations:?}; accepted: a list of different numbers, each at least 1",
        Seed { seed: u64 } => "seed is {seed}; accepted: below 2^62",
        Name { name: String, accepted: &'static str } => "name is {name:?}; accepted: {accepted}",
        Baseline { baseline: String, agents: String } => "baseline is {baseline:?}; the agents are {agents}",
        NoSetting { agent: String, setting: String } => "agent {agent}: there is no setting {setting}",
        Agent { name: String, fault: String } => "{name}: {fault}",
        FileElsewhere { setting: String, file: String } => "setting {setting}: workers of a cluster do not have the file {file}; \
            accepted on a cluster: a recipe that comes with the program, with any overrides",
        Twice { name: String } => "there are two of the name {name}",
        FewTrees { setting: String, trees: u64, found: usize } => "setting {setting}: of {trees} trees only {found} are won by at least \
            one and at most a quarter of the moves; choose another branching or an even depth",
    }
}
