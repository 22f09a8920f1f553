//! `tesuji list`.

use super::{print, print_json};
use serde_json::json;
use tesuji::recipe::{Part, Recipe, parts};
use tesuji_lab::{GameSpec, LabError};
use tesuji_sums::Strategy;

/// List the games, recipes and parts, and each parameter with its unit, range and default.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tesuji list\n  tesuji list --json\n\nMore: docs/tour.md")]
pub(crate) struct Args {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    if args.json {
        let entry = |name: &str, about: &str| json!({ "name": name, "about": about });
        let games: Vec<_> = GameSpec::list().iter().map(|game| entry(game.syntax, game.about)).collect();
        let recipes: Vec<_> = Recipe::built_ins().map(|(name, about)| entry(name, &about)).collect();
        return print_json(&json!({ "games": games, "recipes": recipes, "parts": parts() }));
    }
    print(format_args!("games (--game)\n"))?;
    for game in GameSpec::list() {
        print(format_args!("  {:<22} {}\n", game.syntax, game.about))?;
    }
    print(format_args!("\nagents: a recipe or a TOML file, then any ,key=value\n"))?;
    for (name, about) in Recipe::built_ins() {
        print(format_args!("  {name:<22} {about}\n"))?;
    }
    print(format_args!("  {:<22} uniformly random moves\n", "random"))?;
    for strategy in Strategy::ALL.into_iter().filter(|&strategy| strategy != Strategy::Random) {
        print(format_args!("  {:<22} {}\n", strategy.name(), strategy.about()))?;
    }
    print(format_args!("  {:<22} an engine that speaks GTP\n", "gtp:COMMAND"))?;
    parts().iter().try_for_each(part)
}

fn part(part: &Part) -> Result<(), LabError> {
    let kind = if part.kind.is_empty() { String::new() } else { format!("={}", part.kind) };
    print(format_args!("\n{}{kind}: {}\n", part.axis, part.about))?;
    for p in &part.parameters {
        let unit = p.unit.as_ref().map_or(String::new(), |unit| format!(" {unit}"));
        print(format_args!("  {:<22} {}\n", p.key, p.about))?;
        print(format_args!("  {:<22} {}{unit}, default {}\n", "", p.range, p.default))?;
    }
    Ok(())
}
