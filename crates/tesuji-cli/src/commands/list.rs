//! `tesuji list`.

use super::{print, print_json};
use serde_json::{Map, Value, json};
use tesuji::recipe::{Parameter, Part, Recipe, did_you_mean, parts};
use tesuji_lab::{AlphaBetaSpec, GameEntry, GameSpec, LabError};
use tesuji_sums::Strategy;

/// List the games, recipes and parts, and each parameter with its unit, range and default.
///
/// With a name, print everything about it.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tesuji list\n  tesuji list grave --json\n\nMore: docs/tour.md")]
pub(crate) struct Args {
    /// A recipe, agent, game, axis, part, key or value, such as grave, hex, backup, select=uct,
    /// select.c or max-robust.
    name: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// A group of recipes, and whether a recipe, as a table, belongs to it.
type Group = (&'static str, fn(&toml::Table) -> bool);

/// The groups. A recipe is in the first one that has it.
const GROUPS: [Group; 6] = [
    ("with a network", |recipe| {
        recipe.contains_key("network") || ["net", "mixed"].iter().any(|kind| is_kind(recipe, "playout", kind))
    }),
    ("without a tree", |recipe| recipe.get("depth").and_then(toml::Value::as_integer) == Some(1)),
    ("values of all moves as first (AMAF)", |recipe| {
        is_kind(recipe, "select", "grave") || is_kind(recipe, "select", "rave-hand-selected")
    }),
    ("little memory", |recipe| {
        let lambda = recipe.get("two_level").and_then(|two_level| two_level.get("lambda"));
        let has_two_levels = lambda.and_then(toml::Value::as_float).is_some_and(|lambda| lambda > 0.0);
        has_two_levels || recipe.get("recycle") == Some(&true.into())
    }),
    ("backups", |recipe| !is_kind(recipe, "backup", "mean")),
    ("UCT and its relatives", |_| true),
];

fn is_kind(recipe: &toml::Table, axis: &str, kind: &str) -> bool {
    recipe.get(axis).and_then(|part| part.get("kind")).and_then(toml::Value::as_str) == Some(kind)
}

fn group(name: &str) -> &'static str {
    let text = Recipe::built_in(name).map(|recipe| recipe.to_toml()).unwrap_or_default();
    let recipe: toml::Table = text.parse().unwrap_or_default();
    GROUPS.iter().find(|(_, has)| has(&recipe)).map_or("", |&(group, _)| group)
}

/// Agents that are no recipes, each with what it is.
fn other_agents() -> impl Iterator<Item = (&'static str, &'static str)> {
    let strategies = Strategy::ALL.into_iter().map(|strategy| (strategy.name(), strategy.about()));
    strategies
        .chain([(AlphaBetaSpec::NAME, AlphaBetaSpec::ABOUT), ("gtp:COMMAND", "an engine that speaks GTP")])
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    match (args.name, args.json) {
        (Some(name), json) => {
            let found = Found::of(&name)?;
            if json { print_json(&found.object()) } else { found.print() }
        }
        (None, true) => print_json(&everything()),
        (None, false) => print_everything(),
    }
}

fn everything() -> Value {
    let games: Vec<_> = GameSpec::list().iter().map(game_object).collect();
    let recipes: Vec<_> = Recipe::built_ins()
        .map(|(name, about)| json!({ "name": name, "about": about, "group": group(name) }))
        .collect();
    let agents: Vec<_> =
        other_agents().map(|(name, about)| json!({ "name": name, "about": about })).collect();
    json!({ "games": games, "recipes": recipes, "agents": agents, "parts": parts() })
}

fn print_everything() -> Result<(), LabError> {
    print(format_args!("games (--game)\n"))?;
    GameSpec::list().iter().try_for_each(print_game)?;
    print(format_args!("\nagents: a recipe or a TOML file, then any ,key=value\n"))?;
    for (wanted, _) in GROUPS.iter().rev() {
        print(format_args!("\n {wanted}\n"))?;
        for (name, about) in Recipe::built_ins().filter(|(name, _)| group(name) == *wanted) {
            print(format_args!("  {name:<22} {about}\n"))?;
        }
    }
    print(format_args!("\n without a recipe\n"))?;
    for (name, about) in other_agents() {
        print(format_args!("  {name:<22} {about}\n"))?;
    }
    parts().iter().try_for_each(print_part)?;
    print(format_args!("\ntesuji list NAME prints all about one of them.\n"))
}

fn game_object(game: &GameEntry) -> Value {
    json!({ "name": game.syntax, "about": game.about })
}

fn print_game(game: &GameEntry) -> Result<(), LabError> {
    print(format_args!("  {:<22} {}\n", game.syntax, game.about))
}

/// `select=uct`, or `search` for settings that belong to no part.
fn part_name(part: &Part) -> String {
    if part.kind.is_empty() { part.axis.clone() } else { format!("{}={}", part.axis, part.kind) }
}

fn print_part(part: &Part) -> Result<(), LabError> {
    print(format_args!("\n{}: {}\n", part_name(part), part.about))?;
    part.parameters.iter().try_for_each(print_parameter)
}

fn print_parameter(p: &Parameter) -> Result<(), LabError> {
    let unit = p.unit.as_ref().map_or(String::new(), |unit| format!(" {unit}"));
    print(format_args!("  {:<22} {}\n", p.key, p.about))?;
    print(format_args!("  {:<22} {}{unit}, default {}\n", "", p.range, p.default))
}

/// Whether a key accepts this word as a value: `robust` or the `secure` of `{ secure = number }`.
fn accepts(p: &Parameter, word: &str) -> bool {
    p.range.split(", ").any(|value| value.trim_start_matches("{ ").split(" =").next() == Some(word))
}

/// All that has a name.
struct Found {
    name: String,
    recipe: Option<Recipe>,
    games: Vec<GameEntry>,
    agent: Option<(&'static str, &'static str)>,
    parts: Vec<Part>,
    /// Keys, each with the part that it belongs to.
    keys: Vec<(String, Parameter)>,
}

impl Found {
    fn of(name: &str) -> Result<Found, LabError> {
        let all = parts();
        let head = name.split(':').next().filter(|_| GameSpec::parse(name, None).is_ok());
        let is_game =
            |game: &GameEntry| game.syntax == name || family(game) == name || Some(family(game)) == head;
        let is_part = |part: &Part| part.axis == name || part.kind == name || part_name(part) == name;
        let is_key = |part: &Part, p: &Parameter| {
            let is_table = part.kind.is_empty() && p.key.split(['.', '[']).next() == Some(name);
            is_table || p.key == name || p.key.rsplit('.').next() == Some(name) || accepts(p, name)
        };
        let found = Found {
            name: name.to_owned(),
            recipe: Recipe::built_in(name),
            games: GameSpec::list().into_iter().filter(is_game).collect(),
            agent: other_agents().find(|(agent, _)| *agent == name || agent.split(':').next() == Some(name)),
            keys: all
                .iter()
                .flat_map(|part| part.parameters.iter().map(move |p| (part, p)))
                .filter(|(part, p)| is_key(part, p))
                .map(|(part, p)| (part_name(part), p.clone()))
                .collect(),
            parts: all.iter().filter(|part| is_part(part)).cloned().collect(),
        };
        let nothing = found.recipe.is_none() && found.games.is_empty() && found.agent.is_none();
        if nothing && found.parts.is_empty() && found.keys.is_empty() {
            let mut names: Vec<String> = Recipe::built_ins().map(|(name, _)| name.to_owned()).collect();
            names.extend(GameSpec::list().iter().map(|game| family(game).to_owned()));
            names.extend(other_agents().map(|(agent, _)| agent.to_owned()));
            for part in &all {
                names.extend([part.axis.clone(), part.kind.clone(), part_name(part)]);
                names.extend(part.parameters.iter().map(|p| p.key.clone()));
            }
            let meant = did_you_mean(name, names.iter().map(String::as_str));
            return Err(LabError::input(format!(
                "nothing has the name {name:?}{meant}; accepted: a recipe, agent, game, axis, part, key or value of `tesuji list`"
            )));
        }
        Ok(found)
    }

    fn object(&self) -> Value {
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(self.name));
        if let Some(recipe) = &self.recipe {
            let (name, text) = (recipe.name(), recipe.to_toml());
            let value = json!({ "name": name, "about": recipe.about(), "group": group(name), "toml": text });
            object.insert("recipe".to_owned(), value);
        }
        if let Some((name, about)) = self.agent {
            object.insert("agent".to_owned(), json!({ "name": name, "about": about }));
        }
        let games: Vec<_> = self.games.iter().map(game_object).collect();
        let keys: Vec<_> =
            self.keys.iter().map(|(part, p)| json!({ "part": part, "parameter": p })).collect();
        object.extend([
            ("games".to_owned(), json!(games)),
            ("parts".to_owned(), json!(self.parts)),
            ("keys".to_owned(), json!(keys)),
        ]);
        Value::Object(object)
    }

    fn print(&self) -> Result<(), LabError> {
        if let Some(recipe) = &self.recipe {
            let name = recipe.name();
            print(format_args!("recipe {name} ({}): {}\n\n", group(name), recipe.about()))?;
            // The sentence is printed above; the rest is what a file of one's own may begin with.
            let text = recipe.to_toml();
            for line in text.lines().filter(|line| !line.starts_with("about = ")) {
                print(format_args!("  {line}\n"))?;
            }
            print(format_args!(
                "\nTry: tesuji match {name} uct --game {} --games 20 --playouts 100\n",
                game_to_try(recipe)
            ))?;
        }
        if let Some((name, about)) = self.agent {
            print(format_args!("agent {name}: {about}\n"))?;
        }
        if !self.games.is_empty() {
            print(format_args!("games (--game)\n"))?;
            self.games.iter().try_for_each(print_game)?;
        }
        self.parts.iter().try_for_each(print_part)?;
        for (part, parameter) in &self.keys {
            print(format_args!("\nkey of {part}\n"))?;
            print_parameter(parameter)?;
        }
        Ok(())
    }
}

/// A game that the recipe can play: the network of the program sees boards of Go.
fn game_to_try(recipe: &Recipe) -> &'static str {
    if recipe.network().is_some() { "go9" } else { "connect-four" }
}

/// The name of a game without its parameters.
fn family(game: &GameEntry) -> &'static str {
    game.syntax.split(':').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_can_play_the_game_to_try() {
        for (name, _) in Recipe::built_ins() {
            let recipe = Recipe::built_in(name).unwrap();
            let game = GameSpec::parse(game_to_try(&recipe), None).unwrap();
            let search = game.live_search(&game.position(), &recipe, 1, Some(1));
            assert!(search.is_ok(), "{name}: {}", search.unwrap_err());
        }
    }
}
