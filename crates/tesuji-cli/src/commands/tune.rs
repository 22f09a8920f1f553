//! `tesuji tune`.

use super::results::print_lines;
use super::run::{Recording, other_kind};
use super::{print, print_json};
use serde_json::{Map, json};
use std::path::PathBuf;
use tesuji_lab::store::{Description, Store, StoredPlan};
use tesuji_lab::{Experiment, LabError, Suggestion, Tuning, TuningState};

/// Find the best values of an agent's parameters by Bayesian optimization, then check them on fresh
/// openings.
///
/// The program stores every suggestion and every finished game in OUT/EXPERIMENT; run the same
/// command again to resume. With --ask and --tell, another program computes the values: `--ask`
/// prints a suggestion with its number, and `--tell NUMBER VALUE` takes its value. Without either,
/// the command prints the recommendation. Several processes may ask and tell at the same time; each
/// waits for its turn.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji tune experiments/examples/tune.toml\n  tesuji tune experiments/examples/tune.toml --limit 0\n\nMore: docs/tuning.md"
)]
pub(crate) struct Args {
    /// The experiment file, of kind "tuning".
    file: PathBuf,
    /// Print one more suggestion as JSON. It stays under way until you tell its value.
    #[arg(long, conflicts_with = "tell")]
    ask: bool,
    /// Tell the value of a suggestion; greater is better.
    #[arg(long, num_args = 2, value_names = ["NUMBER", "VALUE"], allow_hyphen_values = true)]
    tell: Option<Vec<String>>,
    /// VALUE is the win rate over N games. The optimizer learns (N VALUE + 1/2) / (N + 1), as of
    /// games that it plays itself.
    #[arg(long, value_name = "N", requires = "tell", conflicts_with = "sd")]
    games: Option<u64>,
    /// The standard deviation of the noise of VALUE. The optimizer estimates any remaining noise.
    #[arg(long, requires = "tell")]
    sd: Option<f64>,
    /// Play at most N games of each validation match. With 0, check everything, and write the
    /// tables from the stored results.
    #[arg(long, value_name = "N", conflicts_with_all = ["ask", "tell"])]
    limit: Option<u64>,
    #[command(flatten)]
    recording: Recording,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let experiment = Experiment::read(&args.file)?;
    let Some(tuning) = experiment.plan_as::<Tuning>() else {
        return Err(other_kind(&args.file, &experiment, "tuning"));
    };
    if args.ask || args.tell.is_some() || tuning.game.is_none() {
        return ask_or_tell(&args, &experiment, tuning);
    }
    args.recording.run(&experiment, args.limit, Vec::new())
}

/// Asks for values, takes their results, or prints the recommendation.
fn ask_or_tell(args: &Args, experiment: &Experiment, tuning: &Tuning) -> Result<(), LabError> {
    if tuning.game.is_some() {
        return Err(LabError::input(
            "the tuning names a game, so its values come from matches; --ask and --tell are for files without one",
        ));
    }
    let mut store = Store::open_in_turn(&args.recording.out.join(&experiment.name))?;
    let description = Description {
        kind: experiment.plan().kind().to_owned(),
        name: experiment.name.clone(),
        about: experiment.about.clone(),
        file: experiment.file.clone(),
        version: crate::VERSION.to_owned(),
    };
    store.begin(&description, &StoredPlan::default(), args.recording.allow_changes)?;
    let mut state = TuningState::new(tuning, &store)?;
    state.begin(&store, args.recording.allow_changes)?;
    if args.ask {
        let suggestion = state.ask(&store)?;
        return print_json(&suggested(tuning, &suggestion));
    }
    if let Some([number, value]) = args.tell.as_deref() {
        let bad = |text: &str, what: &str| LabError::input(format!("{text:?} is not {what}"));
        let number =
            number.parse().map_err(|_| bad(number, "a number of a suggestion, as --ask prints it"))?;
        let value: f64 = value.parse().map_err(|_| bad(value, "a number"))?;
        return match (args.games, args.sd) {
            (Some(games), _) => state.tell_games(&store, number, value, games),
            (None, Some(sd)) if sd < 0.0 => Err(LabError::input(format!("sd is {sd}; accepted: at least 0"))),
            (None, sd) => state.tell(&store, number, value, sd.unwrap_or(0.0).powi(2)),
        };
    }
    let best = state.recommend()?;
    if args.recording.json {
        return print_json(
            &json!({ "name": experiment.name, "recommended": best, "pending": state.pending() }),
        );
    }
    print(format_args!("{} evaluations completed\n", state.completions().len()))?;
    best.map_or(Ok(()), |best| print_lines(&best.lines()))
}

fn suggested(tuning: &Tuning, suggestion: &Suggestion) -> serde_json::Value {
    let named = tuning.parameter.iter().zip(&suggestion.values);
    let values: Map<_, _> = named.map(|(parameter, value)| (parameter.name.clone(), json!(value))).collect();
    json!({ "number": suggestion.number, "values": values, "pending": suggestion.pending })
}
