//! Agents by name.

use crate::agent::{Factory, RandomBot};
use crate::alpha_beta::{AlphaBetaBot, AlphaBetaSpec};
use crate::conditions::Limit;
use crate::engine_limits::EngineLimits;
use crate::error::{LabError, faults};
use crate::gtp_bot::GtpBot;
use crate::store::Config;
use std::any::Any;
use std::path::Path;
use tesuji::recipe::{Recipe, base, did_you_mean};
use tesuji::{Bot, BotError, Evaluate, Game, Notation, SearchGame};
use tesuji_agents::Playable;
use tesuji_go::network;
use tesuji_sums::{Heap, Strategy, StrategyBot, Sum};

/// An agent as the command line and experiment files name it.
#[derive(Clone, PartialEq, Debug)]
pub enum AgentSpec {
    /// `random`: uniformly random moves.
    Random,
    /// `greedy`, `hotstrat`, `thermostrat`, `sentestrat`: a strategy for sums of games.
    Strategy(Strategy),
    /// `alpha-beta`: minimax to a depth.
    AlphaBeta(AlphaBetaSpec),
    /// A built-in recipe or a TOML file, with any overrides; its `playouts` take the place of the
    /// experiment's.
    Recipe(Box<Recipe>),
    /// `gtp:COMMAND`: an engine of someone else.
    Gtp(String),
}

/// How the name of an agent begins that is an engine of someone else.
pub(crate) const ENGINE: &str = "gtp:";

impl AgentSpec {
    /// Whether the text names an engine of someone else, `gtp:COMMAND`, which takes no overrides.
    pub(crate) fn is_engine(text: &str) -> bool {
        text.starts_with(ENGINE)
    }

    /// Reads `random`, a strategy for sums, `alpha-beta`, `gtp:COMMAND`, or a recipe as
    /// [`Recipe::parse`] does.
    ///
    /// # Errors
    /// If the text names none of these; the message says what is accepted.
    pub fn parse(text: &str) -> Result<AgentSpec, LabError> {
        if text == "random" {
            return Ok(AgentSpec::Random);
        }
        if let Ok(strategy) = text.parse() {
            return Ok(AgentSpec::Strategy(strategy));
        }
        if base(text) == AlphaBetaSpec::NAME {
            return Ok(AgentSpec::AlphaBeta(AlphaBetaSpec::parse(text)?));
        }
        match text.strip_prefix(ENGINE) {
            Some(command) if command.trim().is_empty() => Err(AgentError::NoCommand.into()),
            Some(command) if command.contains(char::is_control) => {
                Err(AgentError::ControlCharacters { agent: text.to_owned() }.into())
            }
            Some(command) => Ok(AgentSpec::Gtp(command.trim().to_owned())),
            None => {
                let base = base(text);
                if base == "random" || base.parse::<Strategy>().is_ok() {
                    let (agent, base) = (text.to_owned(), base.to_owned());
                    return Err(AgentError::NoOverrides { agent, base }.into());
                }
                let recipe = Recipe::parse(text).map_err(|error| {
                    let is_file = base.to_ascii_lowercase().ends_with(".toml");
                    if is_file || Recipe::built_in(base).is_some() {
                        return LabError::from(AgentError::Recipe { fault: error.to_string() });
                    }
                    let mut others = Strategy::ALL.map(Strategy::name).to_vec();
                    others.push(AlphaBetaSpec::NAME);
                    let meant = did_you_mean(base, others.iter().copied());
                    let (fault, others) = (error.to_string(), others.join(", "));
                    AgentError::Unknown { fault, others, meant }.into()
                })?;
                Ok(AgentSpec::Recipe(Box::new(recipe)))
            }
        }
    }

    /// The same agent with the network of this file.
    ///
    /// # Errors
    /// If it is no recipe, or one that makes no use of a network.
    pub(crate) fn with_network(self, file: &Path) -> Result<AgentSpec, LabError> {
        match self {
            AgentSpec::Recipe(recipe) => {
                let recipe = recipe.with_network(file.display().to_string());
                recipe.check_network().map_err(LabError::input)?;
                Ok(AgentSpec::Recipe(Box::new(recipe)))
            }
            _ => Err(AgentError::NoRecipe.into()),
        }
    }

    /// The limit of its searches, where it has one of its own.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            AgentSpec::Recipe(recipe) => recipe.playouts().map(Limit::Playouts),
            AgentSpec::Random | AgentSpec::Strategy(_) | AgentSpec::AlphaBeta(_) | AgentSpec::Gtp(_) => None,
        }
    }

    /// Its description in a record of games with this limit of each search. Every version of the
    /// program in which the agent plays the same games gives the same description.
    pub fn config(&self, limit: Limit) -> Config {
        self.described(limit, true)
    }

    /// The same in a job, which names the file of a network by the hash of its content, so that no
    /// file has that name.
    pub(crate) fn config_in_job(&self, limit: Limit) -> Config {
        self.described(limit, false)
    }

    fn described(&self, limit: Limit, reads_files: bool) -> Config {
        let table = |key: &str, value: &str| {
            toml::Table::from_iter([(key.to_owned(), toml::Value::String(value.to_owned()))]).to_string()
        };
        match self {
            AgentSpec::Random => Config { name: "random".to_owned(), spec: table("kind", "random") },
            AgentSpec::Strategy(strategy) => {
                Config { name: strategy.to_string(), spec: table("kind", strategy.name()) }
            }
            AgentSpec::AlphaBeta(spec) => Config {
                name: spec.to_string(),
                spec: format!("kind = \"alpha-beta\"\ndepth = {}\nsamples = {}\n", spec.depth, spec.samples),
            },
            AgentSpec::Recipe(recipe) => {
                let simulations = match self.limit().unwrap_or(limit) {
                    Limit::Playouts(playouts) => Some(playouts),
                    Limit::Milliseconds(_) => None,
                };
                let mut spec = recipe.identity(simulations);
                // A network is what its file holds; the name of the file may be another's tomorrow.
                let network =
                    recipe.network().filter(|options| reads_files || network::file(options).is_none());
                if let Some(content) = network.and_then(|options| network::content(&options).ok()) {
                    spec.insert_str(0, &table("network_content", blake3::hash(&content).to_hex().as_str()));
                }
                Config { name: recipe.name().to_owned(), spec }
            }
            AgentSpec::Gtp(command) => Config { name: format!("gtp:{command}"), spec: table("gtp", command) },
        }
    }

    /// The agent for games that GTP engines prepare with the commands `gtp_setup`, which are none
    /// if engines do not know the game. `limits` says how long to wait for engines.
    pub fn factory<G: SearchGame>(
        &self,
        gtp_setup: Option<Vec<String>>,
        engine: EngineLimits,
    ) -> AgentFactory<G> {
        AgentFactory { spec: self.clone(), gtp_setup, engine, evaluator: None }
    }

    /// An evaluator for the players of both agents, if they are recipes with the same network and
    /// options: what one looked at the other need not look at again.
    ///
    /// # Errors
    /// If the game has no such network.
    pub(crate) fn common_evaluator<G: Playable>(
        agents: [&AgentSpec; 2],
        start: &G,
    ) -> Result<Option<Box<dyn Evaluate<G>>>, LabError> {
        match agents {
            [AgentSpec::Recipe(a), AgentSpec::Recipe(b)] if a.network() == b.network() => {
                start.evaluator_of(a).map_err(LabError::input)
            }
            _ => Ok(None),
        }
    }
}

/// Makes the players of an [`AgentSpec`].
#[derive(Clone, Debug)]
pub struct AgentFactory<G: Game> {
    spec: AgentSpec,
    gtp_setup: Option<Vec<String>>,
    engine: EngineLimits,
    evaluator: Option<Box<dyn Evaluate<G>>>,
}

impl<G: SearchGame> AgentFactory<G> {
    /// Gives copies of this evaluator, if there is one, to all players; they share what it
    /// remembers.
    pub(crate) fn with_evaluator(self, evaluator: Option<Box<dyn Evaluate<G>>>) -> AgentFactory<G> {
        AgentFactory { evaluator, ..self }
    }
}

impl<G: Playable> Factory<G> for AgentFactory<G> {
    fn bot(&self, start: &G) -> Result<Box<dyn Bot<G>>, BotError> {
        match &self.spec {
            AgentSpec::Random => Ok(Box::new(RandomBot::new(0))),
            AgentSpec::Strategy(strategy) => strategy_bot(*strategy)
                .ok_or_else(|| BotError(format!("{strategy} plays sums of games only, such as heap-go:5x5"))),
            AgentSpec::AlphaBeta(spec) => Ok(Box::new(AlphaBetaBot::new(*spec))),
            AgentSpec::Recipe(recipe) => {
                let bot = match &self.evaluator {
                    Some(evaluator) => start.bot_by(recipe, Some(evaluator.clone()), 0),
                    None => start.bot(recipe, 0),
                };
                Ok(bot.map_err(|error| BotError(error.to_string()))?)
            }
            AgentSpec::Gtp(command) => match &self.gtp_setup {
                Some(setup) => Ok(Box::new(GtpBot::<G>::spawn(command, setup.clone(), self.engine)?)),
                None => Err(BotError("GTP engines play Go and Hex only".to_owned())),
            },
        }
    }
}

/// A player of this strategy, if `G` is a sum that is known to be one.
fn strategy_bot<G: Notation + 'static>(strategy: Strategy) -> Option<Box<dyn Bot<G>>> {
    let bot: Box<dyn Bot<Sum<Heap>>> = Box::new(StrategyBot::new(strategy));
    let bot: Box<dyn Any> = Box::new(bot);
    bot.downcast().ok().map(|bot| *bot)
}

faults! {
    /// Why a text does not name an agent, or names one that is not accepted.
    AgentError {
        NoCommand => "gtp: needs a command, such as \"gtp:gnugo --mode gtp\"",
        ControlCharacters { agent: String } => "{agent:?} has control characters; accepted: a command in one line of plain text",
        NoOverrides { agent: String, base: String } => "{agent:?}: {base} takes no overrides; accepted: {base}",
        Recipe { fault: String } => "{fault}",
        Unknown { fault: String, others: String, meant: String } => "{fault}; or {others}, or gtp:COMMAND{meant}",
        NoRecipe => "only a recipe plays by a network; accepted: such as puct-net",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Limit = Limit::Playouts(100);

    #[test]
    fn a_job_does_not_read_the_file_that_it_names_by_a_hash() {
        let dir = tempfile::tempdir().unwrap();
        let hash = dir.path().join("0f");
        let recipe = Recipe::parse("puct-net").unwrap().with_network(hash.display().to_string());
        let agent = AgentSpec::Recipe(Box::new(recipe));
        let before = agent.config_in_job(LIMIT);
        assert_eq!(agent.config(LIMIT), before, "there is no file");
        std::fs::write(&hash, "a file of that name").unwrap();
        assert_eq!(agent.config_in_job(LIMIT), before);
        assert_ne!(agent.config(LIMIT), before);
    }

    #[test]
    fn commands_hide_nothing_from_a_terminal() {
        let error = AgentSpec::parse("gtp:rm -r x\u{1b}[2K").unwrap_err().to_string();
        assert!(error.starts_with(r#""gtp:rm -r x\u{1b}[2K" has control characters"#), "{error}");
    }

    #[test]
    fn names_of_files_may_have_commas_and_capitals() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a,b.toml", "c.TOML", "d,e=1.toml"] {
            let file = dir.path().join(name);
            std::fs::write(&file, "depth = 5\nselect = \"uct\"\n").unwrap();
            let text = format!("{},select.c=0.5", file.display());
            let AgentSpec::Recipe(recipe) = AgentSpec::parse(&text).unwrap() else { panic!("{text}") };
            assert_eq!((recipe.options().depth, base(&text)), (5, &*file.display().to_string()));
            assert!(recipe.to_toml().contains("c = 0.5"), "{text}");
        }
        let AgentSpec::Recipe(recipe) = AgentSpec::parse("puct-net,network.file=\"a,b\",depth=3").unwrap()
        else {
            panic!()
        };
        assert_eq!((recipe.network().unwrap().file.as_deref(), recipe.options().depth), (Some("a,b"), 3));
    }

    #[test]
    fn near_names_are_suggested() {
        let error = |text| AgentSpec::parse(text).unwrap_err().to_string();
        assert!(error("randm").ends_with("or gtp:COMMAND; did you mean `random`?"), "{}", error("randm"));
        assert!(error("grve,depth=2").contains("did you mean `grave`?"));
    }

    #[test]
    fn strategies_play_sums() {
        let agent = AgentSpec::parse("thermostrat").unwrap();
        assert_eq!(agent.config(LIMIT).name, "thermostrat");
        let sum = Sum::new(vec!["b3r5b5".parse::<Heap>().unwrap()]);
        assert!(
            agent
                .factory(None, EngineLimits::default())
                .bot(&sum)
                .is_ok_and(|bot| bot.name() == "thermostrat")
        );
        let error =
            agent.factory(None, EngineLimits::default()).bot(&tesuji_games::TicTacToe::new()).err().unwrap();
        assert!(error.0.contains("heap-go:5x5"), "{error}");
        let error = AgentSpec::parse("thermostrat,x=1").unwrap_err().to_string();
        assert!(error.contains("thermostrat takes no overrides"), "{error}");
    }

    #[test]
    fn a_network_is_what_its_file_holds() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("net.safetensors");
        let config = || {
            let agent = format!("puct-net,network.file={}", file.display());
            AgentSpec::parse(&agent).unwrap().config(LIMIT)
        };
        let missing = config();
        std::fs::write(&file, "one").unwrap();
        let one = config();
        std::fs::write(&file, "two").unwrap();
        assert_eq!((&missing.name, &one.name), (&config().name, &config().name));
        assert!(one.hash() != config().hash() && one.hash() != missing.hash());
        std::fs::write(&file, "one").unwrap();
        assert_eq!(one.hash(), config().hash());
        assert!(AgentSpec::parse("puct-net").unwrap().config(LIMIT).spec.starts_with("network_content = "));
        assert!(!AgentSpec::parse("puct").unwrap().config(LIMIT).spec.contains("network_content"));
    }

    #[test]
    fn an_agent_may_have_a_limit_of_its_own() {
        let agent = AgentSpec::parse("uct,playouts=1200,select.c=0.5").unwrap();
        assert_eq!(agent.limit(), Some(Limit::Playouts(1200)));
        let common = AgentSpec::parse("uct,select.c=0.5").unwrap().config(LIMIT);
        let own = agent.config(LIMIT);
        assert_eq!(own.name, "uct,playouts=1200,select.c=0.5");
        assert_ne!(own.hash(), common.hash());
        assert_eq!(own.spec.parse::<toml::Table>().unwrap()["playouts"].as_integer(), Some(1200));
        let error = AgentSpec::parse("uct,playouts=many").unwrap_err().to_string();
        assert!(error.contains("playouts=many") && error.contains("a whole number"), "{error}");
        let error = AgentSpec::parse("uct,playouts=0").unwrap_err().to_string();
        assert!(error.contains("accepted: 1 or more"), "{error}");
    }
}
