//! `tesuji incentive`.

use super::{cores, print, print_json, stop_on_interrupt};
use crate::progress::{Progress, ProgressForm};
use crate::resources::bytes;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use serde_json::json;
use tesuji_lab::{LabError, Learning, ListOrder, PlayoutPolicy, Rates, SearchPreset, learn_incentives};

/// Learn incentives on random sums of Heap-Go, and compare their order with temperatures.
///
/// Each sum is searched from the beginning of its game. The match rate is a percentage of pairs of
/// actions from different heaps with different temperatures: those that the learned list orders as
/// the temperatures do. Standard errors are over games. The same searches collect
/// all-moves-as-first values: of the outcome (RAVE), of the outcome by Left's moves alone, and of
/// the score still to come. The same seed gives the same numbers with any number of threads.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji incentive --games 20\n  tesuji incentive --heaps 3 --policy rand --games 20 --json\n\nMore: docs/incentives.md"
)]
pub(crate) struct Args {
    /// Make sums of N heaps, 2 to 60, with at most 400 counters in all.
    #[arg(long, default_value_t = 5)]
    heaps: usize,
    /// Make heaps of N counters, 1 to 60, at most 400 in all heaps.
    #[arg(long, default_value_t = 5)]
    counters: usize,
    /// Make N simulations in each sum.
    #[arg(long, default_value_t = 625)]
    simulations: u64,
    /// Search N sums, at most 10 million.
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// The default policy.
    #[arg(long, value_parser = one_of::<PlayoutPolicy>(&POLICIES), default_value = "maxi")]
    policy: PlayoutPolicy,
    /// The probability with which the policies maxi and to-come play a random move, 0 to 1.
    #[arg(long, default_value_t = 0.0)]
    epsilon: f32,
    /// The kind of search.
    #[arg(long, value_parser = one_of::<SearchPreset>(&READINGS), default_value = "p")]
    reading: SearchPreset,
    /// The order before anything is learned. Default: that of the reading.
    #[arg(long, value_parser = one_of::<ListOrder>(&LISTS))]
    list: Option<ListOrder>,
    /// The exploration constant of UCB in points, at least 0.
    #[arg(long, default_value_t = 20.0)]
    exploration: f32,
    /// Limit the table of each search, such as 32KiB, 1MiB or 500000 bytes. Default: no limit.
    #[arg(long = "memory", value_name = "SIZE", value_parser = bytes)]
    bytes: Option<u64>,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Search N sums at a time. Default: one for each core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    progress: ProgressForm,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Words with what they mean.
type Words<const N: usize> = [(&'static str, &'static str); N];

const POLICIES: Words<3> = [
    ("maxi", "The first move of the list"),
    ("rand", "Uniformly random moves"),
    ("to-come", "AMAF: the move of the greatest mean score to come"),
];

const READINGS: Words<3> = [
    (
        "p",
        "The reading closest to the tables of the paper: values of states, playouts to the end, a list that begins with the top counters",
    ),
    ("r", "For playing: UCB in every known state, a random list"),
    ("tree", "UCT: a tree that grows by one node per simulation, a random list"),
];

const LISTS: Words<2> =
    [("top-first", "The top counters of all heaps, then those below them"), ("random", "Random")];

/// Takes one of these words, as experiment files have them.
fn one_of<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: &[(&'static str, &'static str)],
) -> impl TypedValueParser<Value = T> + use<T> {
    let possible = words.iter().map(|(word, about)| PossibleValue::new(*word).help(*about));
    PossibleValuesParser::new(possible).try_map(|word| serde_json::from_value(json!(word)))
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let learning = Learning {
        name: String::new(),
        series: String::new(),
        paper: None,
        heaps: args.heaps,
        counters: args.counters,
        simulations: args.simulations,
        games: args.games,
        policy: args.policy,
        epsilon: args.epsilon,
        reading: args.reading,
        list: args.list,
        exploration: args.exploration,
        seed: args.seed,
        bytes: args.bytes.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
    };
    learning.check()?;
    let stop = stop_on_interrupt()?;
    let mut progress = Progress::new(args.progress);
    let threads = args.threads.map_or(cores(), usize::from);
    let result = learn_incentives(&learning, threads, &stop, &mut |event| progress.show(event))?;
    let result = result.ok_or_else(|| LabError::Failed("stopped before the last game".to_owned()))?;
    if args.json {
        return print_json(&json!({
            "heaps": learning.heaps,
            "counters": learning.counters,
            "simulations": learning.simulations,
            "games": result.games,
            "policy": learning.policy,
            "epsilon": learning.epsilon,
            "reading": learning.reading,
            "list": learning.list_order(),
            "exploration": learning.exploration,
            "seed": learning.seed,
            "match_rate": result.ride.map(|rates| rates.mean),
            "match_rate_se": result.ride.map(|rates| rates.se),
            "match_rate_with_ties": result.ride_with_ties.map(|rates| rates.mean),
            "match_rate_with_ties_se": result.ride_with_ties.map(|rates| rates.se),
            "rave_match_rate": result.rave.map(|rates| rates.mean),
            "rave_match_rate_se": result.rave.map(|rates| rates.se),
            "rave_left_match_rate": result.rave_left.map(|rates| rates.mean),
            "rave_left_match_rate_se": result.rave_left.map(|rates| rates.se),
            "to_come_match_rate": result.to_come.map(|rates| rates.mean),
            "to_come_match_rate_se": result.to_come.map(|rates| rates.se),
            "pairs": result.pairs,
            "tied_pairs": result.tied_pairs,
            "seconds": result.seconds,
            "simulations_per_second": result.simulations_per_second,
        }));
    }
    print(format_args!(
        "{} sums of {} heaps of {} counters, {} simulations each; match rate in percent\n\n",
        result.games, learning.heaps, learning.counters, learning.simulations
    ))?;
    for (name, rates) in [
        ("incentives (RIDE)", result.ride),
        ("  ties counted half", result.ride_with_ties),
        ("AMAF, outcome (RAVE)", result.rave),
        ("  Left's moves alone", result.rave_left),
        ("AMAF, score to come", result.to_come),
    ] {
        let text = rates.map_or("     -".to_owned(), |Rates { mean, se }| format!("{mean:6.2} +- {se:.2}"));
        print(format_args!("{name:<22} {text}\n"))?;
    }
    print(format_args!(
        "\n{} of {} pairs are tied in temperature; {:.0} simulations a second\n",
        result.tied_pairs, result.pairs, result.simulations_per_second
    ))
}
