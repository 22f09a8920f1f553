//! `tesuji thermo`.

use super::{print, print_json};
use serde_json::{Value, json};
use std::path::PathBuf;
use tesuji::Player;
use tesuji_lab::LabError;
use tesuji_sums::{Dyadic, Graph, Heap, Solution, Thermograph, Tree, thermographs_svg};

/// Print the mean and temperature of heaps and other games, and the optimal score of their sum.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji thermo b3r5b5 r2b1\n  tesuji thermo \"{3|-1}\" --svg thermograph.svg\n\nMore: docs/sums.md"
)]
pub(crate) struct Args {
    /// Heaps of Heap-Go, counters from top to bottom such as b3r5b5, - for an empty one; or games in brace notation such as
    /// {3|-1}.
    #[arg(required = true, value_name = "HEAP", allow_negative_numbers = true)]
    heaps: Vec<String>,
    /// Draw the thermographs into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// A component as it was named.
struct Named {
    /// As it is written.
    name: String,
    graph: Graph,
    thermograph: Thermograph,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let games = args.heaps.iter().map(|text| named(text)).collect::<Result<Vec<_>, _>>()?;
    if let Some(file) = &args.svg {
        let thermographs: Vec<_> =
            games.iter().map(|game| (game.name.clone(), game.thermograph.clone())).collect();
        std::fs::write(file, thermographs_svg(&thermographs))
            .map_err(|e| LabError::Failed(format!("{}: {e}", file.display())))?;
    }
    let settled: Vec<Graph> = games.iter().map(|game| game.graph.settled()).collect();
    let solution = Solution::new(&settled);
    let scores = solution.as_ref().map(|sum| [Player::FIRST, Player::SECOND].map(|first| sum.score(first)));
    if args.json {
        let sum = scores
            .ok()
            .map(|[left, right]| json!({ "left_first": number(left), "right_first": number(right) }));
        let heaps: Vec<Value> = games.iter().map(object).collect();
        return print_json(&json!({ "heaps": heaps, "sum": sum }));
    }
    for game in &games {
        let thermograph = &game.thermograph;
        print(format_args!("{}\n", game.name))?;
        print(format_args!(
            "  mean {}, temperature {}; Left first {}, Right first {}\n\n{}\n",
            thermograph.mean(),
            thermograph.temperature(),
            thermograph.left_stop(),
            thermograph.right_stop(),
            thermograph.to_text(72)
        ))?;
    }
    match scores {
        Ok([left, right]) => print(format_args!("sum, best play: Left first {left}, Right first {right}\n")),
        Err(error) => print(format_args!("sum: not searched, {error}\n")),
    }
}

/// Reads a heap, or a game in brace notation, which begins with a brace, a digit or a minus that does not stand alone.
fn named(text: &str) -> Result<Named, LabError> {
    let begins_tree = |c: char| c == '{' || c == '-' || c.is_ascii_digit();
    let is_tree = text != "-" && text.trim_start().starts_with(begins_tree);
    let (name, graph) = if is_tree {
        text.parse().map(|tree: Tree| (tree.to_string(), tree.graph().clone()))
    } else {
        text.parse().map(|heap: Heap| (heap.to_string(), Graph::of(&heap).0))
    }
    .map_err(|error| {
        LabError::Input(format!(
            "{text:?}: {error}; accepted are heaps such as b3r5b5 and games in braces such as {{3|-1}}"
        ))
    })?;
    let thermograph = graph.thermographs().swap_remove(graph.start());
    Ok(Named { name, graph, thermograph })
}

fn object(game: &Named) -> Value {
    let thermograph = &game.thermograph;
    let wall = |first| -> Vec<[String; 2]> {
        let points = thermograph.breakpoints(first).into_iter();
        points.map(|(t, x)| [t.to_string(), x.to_string()]).collect()
    };
    json!({
        "heap": game.name,
        "mean": thermograph.mean().to_string(),
        "temperature": thermograph.temperature().to_string(),
        "left_stop": thermograph.left_stop().to_string(),
        "right_stop": thermograph.right_stop().to_string(),
        "walls": { "left": wall(Player::FIRST), "right": wall(Player::SECOND) },
    })
}

/// A JSON number: whole where it is.
fn number(x: Dyadic) -> Value {
    match (x.exponent(), i64::try_from(x.numerator())) {
        (0, Ok(whole)) => json!(whole),
        _ => json!(x.to_f64()),
    }
}
