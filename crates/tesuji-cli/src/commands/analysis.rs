//! `tesuji analysis`.

use super::cores;
use super::recipe_agents::{DEFAULT_BYTES, LIGHT, RecipeAgents, STRONGEST, recycling};
use crate::progress::tell;
use crate::resources::Resources;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{stdin, stdout};
use std::path::{Path, PathBuf};
use tesuji::recipe::{Recipe, RecipeError};
use tesuji::{Bot, BotError, Evaluate, NetworkOptions};
use tesuji_go::analysis::{Server, Settings, Watch, read_config, read_overrides};
use tesuji_go::engine::{Agents, AgentsOf, Engine};
use tesuji_go::{Go, Komi, network};
use tesuji_lab::{LabError, Playable};

/// Analyse positions by KataGo's JSON analysis protocol on standard input and output.
///
/// You may spell options as KataGo does, with one dash.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji analysis --recipe grave,playout=uniform\n  tesuji analysis -override-config \"maxVisits=100\"\n\nMore: docs/analysis.md"
)]
pub(crate) struct Args {
    /// Use this network, one of KataGo's files or one of this program's [default: the pooling
    /// network that comes with the program].
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Read a configuration file of KataGo's; a later one overrides.
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,
    /// Override settings of the file, such as "maxVisits=100,numAnalysisThreads=2".
    #[arg(long, value_name = "SETTINGS")]
    override_config: Vec<String>,
    /// Analyse N positions at a time [default: numAnalysisThreads of the settings, or one for each
    /// core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    analysis_threads: Option<u16>,
    /// When standard input ends, end the searches with their results so far.
    #[arg(long)]
    quit_without_waiting: bool,
    /// Accepted, with a warning and without effect.
    #[arg(long, value_name = "FILE")]
    human_model: Option<PathBuf>,
    /// Search by a built-in recipe or a TOML file, then any `,key=value`, in place of the network's
    /// recipe.
    #[arg(long, conflicts_with = "model")]
    recipe: Option<String>,
    #[command(flatten)]
    resources: Resources,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// The command line with two dashes where KataGo's options of the command `analysis` have one.
pub(crate) fn spelled(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|command| command == "analysis") {
        for argument in &mut arguments[2..] {
            let word = argument.to_str().and_then(|text| text.strip_prefix('-'));
            if word.is_some_and(|word| word.len() > 1 && word.starts_with(|c: char| c.is_ascii_lowercase())) {
                let mut long = OsString::from("-");
                long.push(&argument);
                *argument = long;
            }
        }
    }
    arguments
}

/// Agents whose evaluations are watched.
#[derive(Clone, Debug)]
struct WatchedAgents {
    agents: RecipeAgents,
    watch: Watch,
}

impl Agents for WatchedAgents {
    fn name(&self, size: usize) -> String {
        self.agents.name(size)
    }

    fn own_komi(&self, size: usize) -> Option<Komi> {
        self.agents.own_komi(size)
    }

    fn network(&self, size: usize) -> Option<NetworkOptions> {
        self.agents.network(size)
    }
}

impl<const STRIDE: usize, const LEN: usize> AgentsOf<Go<STRIDE, LEN>> for WatchedAgents
where
    Go<STRIDE, LEN>: Playable,
{
    fn agent(&self, start: &Go<STRIDE, LEN>, seed: u64) -> Result<Box<dyn Bot<Go<STRIDE, LEN>>>, BotError> {
        let evaluator = self.evaluator(start)?.map(|evaluator| self.watch.over(evaluator));
        match start.bot_by(self.agents.recipe(start.size()), evaluator, seed) {
            Ok(bot) => Ok(bot),
            Err(error) => Err(BotError(error.to_string())),
        }
    }

    fn evaluator(
        &self,
        start: &Go<STRIDE, LEN>,
    ) -> Result<Option<Box<dyn Evaluate<Go<STRIDE, LEN>>>>, BotError> {
        self.agents.evaluator(start)
    }
}

/// Tells of something that is no failure. KataGo's clients take a line with the word error for one,
/// even as part of a name.
fn note(text: &str) {
    tell(format_args!("{}", text.replace("rror", "r~ror").replace("RROR", "R~ROR")));
}

fn input(error: impl std::fmt::Display) -> LabError {
    LabError::input(error.to_string())
}

/// The least memory of a search: the scratch space of a large network, and room for a tree.
const LEAST_BYTES: u64 = 64 << 20;

/// The recipe by the network of a file, or by the one that comes with the program.
fn by_network(model: Option<&Path>, resources: Resources, bytes: u64) -> Result<Recipe, RecipeError> {
    let file = |file: &Path| toml::Value::String(file.display().to_string());
    let name = model.map_or(STRONGEST.to_owned(), |model| format!("puct-net,network.file={}", file(model)));
    // Answers tell what the network says of each position, so that none may be remembered.
    recycling(&format!("{name},network.cache=0"), resources, bytes)
}

/// The agents, and the network that they have as `query_models` lists it.
fn agents(args: &Args, resources: Resources, bytes: u64) -> Result<(RecipeAgents, Option<Value>), LabError> {
    if let Some(recipe) = &args.recipe {
        let recipe = Recipe::parse(&resources.limit(recipe.clone())).map_err(input)?;
        return Ok((RecipeAgents::of(recipe), None));
    }
    let network = by_network(args.model.as_deref(), resources, bytes).map_err(input)?;
    let options = network.network().unwrap_or_default();
    let only = network::only_board(&options).map_err(input)?;
    // A file with a fault is named before anybody waits for an answer.
    network::evaluator(&options, only.unwrap_or(Engine::MIN_SIZE)).map_err(input)?;
    let name = args.model.as_ref().and_then(|file| Some(file.file_name()?.to_string_lossy().into_owned()));
    let name = name.unwrap_or_else(|| "built-in".into());
    let model = json!({
        "name": name, "internalName": name, "maxBatchSize": 1, "usesHumanSLProfile": false, "usingFP16": "false",
    });
    let agents = match only {
        None => RecipeAgents::of(network),
        Some(size) => {
            note(&format!("The network is for {size}x{size}; other boards are searched without one"));
            RecipeAgents::with_network(recycling(LIGHT, resources, bytes).map_err(input)?, size, network)
        }
    };
    Ok((agents, Some(model)))
}

/// Reads the settings of files and of the command line.
fn settings(args: &Args) -> Result<Settings, LabError> {
    let mut settings = Settings::default();
    let mut idle = Vec::new();
    for file in &args.config {
        idle.extend(read_config(file, &mut settings).map_err(input)?);
    }
    for text in &args.override_config {
        idle.extend(read_overrides(text, &mut settings).map_err(input)?);
    }
    if !idle.is_empty() {
        note(&format!("Warning: without effect here: {}", idle.join(", ")));
    }
    Ok(settings)
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    note(&format!("tesuji {}: analysis engine starting", crate::VERSION));
    let settings = settings(&args)?;
    if args.human_model.is_some() {
        note("Warning: the human model is not used: there are no searches that play like people");
    }
    let cores = cores();
    let wanted = args.analysis_threads.map(usize::from).or(settings.analysis_threads).unwrap_or(cores);
    // More threads than cores would only wait for each other.
    let threads = wanted.min(cores);
    let each = args.resources.search_threads.map(usize::from).or(settings.search_threads).unwrap_or(1);
    let each = each.min((cores / threads).max(1));
    let resources = Resources { search_threads: (each > 1).then_some(each as u16), ..args.resources };
    let (agents, model) = agents(&args, resources, (DEFAULT_BYTES / threads as u64).max(LEAST_BYTES))?;
    let mut server = Server::new(|watch| WatchedAgents { agents: agents.clone(), watch }, settings);
    (server.threads, server.seed, server.quits) = (threads, args.seed, args.quit_without_waiting);
    server.version = format!("tesuji {}", crate::VERSION);
    server.models.extend(model);
    note(&format!("Analyzing up to {threads} positions at a time, each with a search of {each} threads"));
    let ready = || note("Started, ready to begin handling requests");
    server.run(stdin().lock(), stdout(), ready).map_err(|e| LabError::failed(e).within("standard output"))
}

/// What answers the clients of `tesuji serve`, each by an engine of its own.
#[cfg(feature = "serve")]
pub(super) struct Answers {
    agents: RecipeAgents,
    model: Option<Value>,
}

/// The agents of this recipe, or the strongest if there is none.
#[cfg(feature = "serve")]
pub(super) fn agents_of(recipe: Option<String>) -> Result<Answers, LabError> {
    let args = Args {
        model: None,
        config: Vec::new(),
        override_config: Vec::new(),
        analysis_threads: None,
        quit_without_waiting: true,
        human_model: None,
        recipe,
        resources: Resources { bytes: None, search_threads: None },
        seed: 0,
    };
    let (agents, model) = agents(&args, args.resources, DEFAULT_BYTES)?;
    Ok(Answers { agents, model })
}

#[cfg(feature = "serve")]
impl Answers {
    /// Answers the queries of `input` until it ends, one position at a time.
    pub(super) fn answer(&self, input: impl std::io::BufRead, output: impl std::io::Write + Send) {
        let agents = |watch| WatchedAgents { agents: self.agents.clone(), watch };
        let mut server = Server::new(agents, Settings::default());
        server.quits = true;
        server.version = format!("tesuji {}", crate::VERSION);
        server.models.extend(self.model.clone());
        if let Err(error) = server.run(input, output, || ()) {
            note(&format!("a client of the analysis protocol is gone: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn katagos_options_have_one_dash() {
        let spelled = |line: &str| {
            let words = spelled(line.split(' ').map(OsString::from));
            words.join(std::ffi::OsStr::new(" ")).into_string().unwrap()
        };
        assert_eq!(
            spelled("tesuji analysis -model a.gz --seed 1 -quit-without-waiting -h"),
            "tesuji analysis --model a.gz --seed 1 --quit-without-waiting -h"
        );
        assert_eq!(spelled("tesuji gtp -model x"), "tesuji gtp -model x");
    }
}
