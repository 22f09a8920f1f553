//! `tesuji analyze`.

use super::annotate::annotate;
use super::explain::said;
use super::recipe_agents::RecipeAgents;
use super::{print, print_json};
use crate::number::positive;
use crate::progress::tell;
use crate::resources::Resources;
use crate::time::time_a_move;
use serde_json::json;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tesuji::recipe::Recipe;
use tesuji::{Budget, Drawing, Expectation, Observer, Player, Report, Rng, Stop};
use tesuji_go::engine::{Engine, Evaluation, Move, Options, move_text};
use tesuji_go::gtp::komi_note;
use tesuji_go::sgf::{MainLine, Point, Tree, decode, parse, read_file};
use tesuji_lab::{
    AgentSpec, Analysis, AnalysisOptions, GameSpec, JudgedMove, LabError, RootSamples, TreeFiles, WholeGame,
    picture, report_json,
};

/// Search one position of a game, or every one, and print the result.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji analyze --game connect-four --moves \"4 4 3\"\n  tesuji analyze --game hex:7 --recipe graver2 --memory 32KiB --svg hex.svg\n\nMore: docs/tour.md"
)]
pub(crate) struct Args {
    /// A game of Go, an SGF file.
    #[arg(conflicts_with = "game")]
    file: Option<PathBuf>,
    /// A game from its start; `tesuji list` names all games.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["number", "after", "explain"])]
    game: Option<String>,
    /// The moves of that game that lead to the position, such as "4 4 3".
    #[arg(long, default_value = "", requires = "game", conflicts_with = "file")]
    moves: String,
    /// Take the position before this move of the SGF file, counted from 1 [default: the end of the
    /// main line].
    #[arg(long = "move", value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,
    /// Play these moves from there first, such as "D4 E5 pass"; the player to move begins.
    #[arg(long, value_name = "MOVES", default_value = "")]
    after: String,
    /// Search every position of the game. Print a line for each move: its value, the best move and
    /// its value, and the loss.
    #[arg(
        long,
        conflicts_with_all = ["number", "after", "time", "explain", "dot", "svg", "tree", "save_tree"]
    )]
    all_moves: bool,
    /// A built-in recipe or a TOML file, then any `,key=value`.
    #[arg(long, default_value = "uct")]
    recipe: String,
    #[command(flatten)]
    resources: Resources,
    /// Make N simulations [default: no limit with --time, else the recipe's number, or 10000].
    #[arg(long, value_parser = positive)]
    playouts: Option<u64>,
    /// Search for this time, such as 500ms or 2s.
    #[arg(long, value_parser = time_a_move)]
    time: Option<Duration>,
    /// Continue with the tree in this file: add the simulations to those of the tree.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "explain"])]
    tree: Option<PathBuf>,
    /// Save the tree to this file after the search, for --tree.
    #[arg(long, value_name = "FILE")]
    save_tree: Option<PathBuf>,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Search a position of an SGF file with means, and print the values that the recipe's backup
    /// and all others would make of the same samples.
    #[arg(long)]
    explain: bool,
    /// Print one JSON object, or one for each move with --all-moves.
    #[arg(long)]
    json: bool,
    /// Print the record with the values, the largest losses and the expected lines of --all-moves.
    #[arg(long, requires_all = ["all_moves", "file"], conflicts_with_all = ["json", "game"])]
    sgf: bool,
    /// Write the tried moves and the principal variation to this file, for Graphviz.
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Draw the position and the tried moves into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    match (&args.game, &args.file) {
        (Some(game), _) if args.all_moves => judge_game(&GameSpec::parse(game, None)?, &args),
        (None, Some(file)) if args.all_moves => judge_file(file, &args),
        (Some(game), _) => run_game(&GameSpec::parse(game, None)?, &args),
        (None, Some(file)) => run_file(file, &args),
        (None, None) => Err(LabError::input("accepted: an SGF file, or --game GAME")),
    }
}

fn read_recipe(spec: &str) -> Result<Recipe, LabError> {
    Recipe::parse(spec).map_err(|error| match AgentSpec::parse(spec) {
        Ok(_) => LabError::input(format!("`{spec}` is an agent without a tree; accepted: a recipe")),
        Err(_) => LabError::input(error),
    })
}

/// The limits of the search, of a recipe with some of its own perhaps.
fn budget(args: &Args, asked: &Recipe) -> Budget {
    let simulations =
        args.playouts.or(if args.time.is_some() { None } else { asked.playouts().or(Some(10_000)) });
    Budget { simulations, time: args.time, ..Budget::default() }
}

fn trees(args: &Args) -> TreeFiles {
    TreeFiles { open: args.tree.clone(), save: args.save_tree.clone() }
}

/// A position of any game.
fn run_game(game: &GameSpec, args: &Args) -> Result<(), LabError> {
    let recipe = read_recipe(&args.resources.limit(args.recipe.clone()))?;
    let budget = budget(args, &recipe);
    let moves = args.moves.clone();
    let options = AnalysisOptions { moves, recipe, budget, seed: args.seed, trees: trees(args) };
    let analysis = game.analyze(&options)?;
    let Analysis { position, drawing, report, .. } = &analysis;
    if args.json {
        print_json(&analysis.json())?;
    } else {
        print(format_args!("{position}\n\n"))?;
        show(report, String::clone, None, &[])?;
    }
    draw(args, drawing.as_ref(), report, String::clone)?;
    analysis.unsaved.map_or(Ok(()), Err)
}

/// How the positions of a whole game are searched.
fn whole_game(args: &Args, seed: u64) -> Result<WholeGame, LabError> {
    let recipe = read_recipe(&args.resources.limit(args.recipe.clone()))?;
    let simulations = budget(args, &recipe).simulations.unwrap_or(u64::MAX);
    Ok(WholeGame { recipe, simulations, seed, stop: Stop::default() })
}

/// Every move of any game.
fn judge_game(game: &GameSpec, args: &Args) -> Result<(), LabError> {
    let how = whole_game(args, args.seed)?;
    let name = |player: Player| json!(player.index() + 1);
    show_moves(args, name, |text| text, |tell| game.judge(&args.moves, &how, tell))
}

/// Every move of a game of Go in a file.
fn judge_file(file: &Path, args: &Args) -> Result<(), LabError> {
    let input = |e: String| LabError::input(e).within(file.display());
    let (game, line) = read_game(file)?;
    // A search of one position has the seed of an engine's first game, too.
    let how = whole_game(args, Rng::derive(args.seed, 1))?;
    let agents = RecipeAgents::of(how.recipe.clone());
    let mut engine = Engine::new(agents, line.size, Options::default()).map_err(LabError::input)?;
    engine.load(&game, Some(1)).map_err(input)?;
    let stones = engine.stones();
    load(file, &mut engine, &game, None)?;
    if engine.moves().len() != line.moves() {
        let why = "stones are set up after the first move; accepted: a game that is set up before it";
        return Err(input(why.to_owned()));
    }
    let judge =
        |tell: &mut dyn FnMut(&JudgedMove) -> _| how.judge_go(engine.rules(), &stones, engine.moves(), tell);
    if !args.sgf {
        return show_moves(args, colour, point, judge);
    }
    let (mut judged, mut game) = (Vec::new(), game);
    judge(&mut |m| {
        judged.push(m.clone());
        Ok(())
    })?;
    let searched = format!("{}, {} simulations for each position", how.recipe.name(), how.simulations);
    annotate(&mut game, line.size, &searched, &judged).map_err(LabError::failed)?;
    print(format_args!("{game}"))
}

/// A move of Go as positions of files have it.
fn point(text: &str) -> &str {
    if text == "PASS" { "pass" } else { text }
}

/// A player of Go.
fn colour(player: Player) -> serde_json::Value {
    json!(if player == Player::FIRST { "black" } else { "white" })
}

/// Prints a line for each move that is told.
fn show_moves(
    args: &Args,
    name: impl Fn(Player) -> serde_json::Value,
    text: impl Fn(&str) -> &str,
    judge: impl FnOnce(&mut dyn FnMut(&JudgedMove) -> Result<(), LabError>) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let mut first = true;
    judge(&mut |judged| {
        let &JudgedMove { number, player, value, best_value, loss, .. } = judged;
        let (played, best) = (text(&judged.played), text(&judged.best));
        let variation: Vec<&str> = judged.variation.iter().map(|m| text(m)).collect();
        if args.json {
            return print_json(&json!({
                "move_number": number, "to_move": name(player), "move": played, "value": value, "best": best,
                "best_value": best_value, "loss": loss, "variation": variation,
            }));
        }
        if std::mem::take(&mut first) {
            print(format_args!("  no.  move    value   best    value   loss\n"))?;
        }
        print(format_args!("{number:>5}  {played:<6}  {value:.3}   {best:<6}  {best_value:.3}   {loss:.3}\n"))
    })
}

/// The first game of a file, and its main line.
fn read_game(file: &Path) -> Result<(Tree, MainLine), LabError> {
    let input = |e: String| LabError::input(e).within(file.display());
    let bytes = read_file(file).map_err(input)?;
    let mut collection = parse(&decode(&bytes)).map_err(|e| input(e.to_string()))?;
    for fault in &collection.faults {
        tell(format_args!("warning: {}: {fault}", file.display()));
    }
    let game = collection.games.swap_remove(0);
    let line = MainLine::read(&game).map_err(|e| input(e.to_string()))?;
    Ok((game, line))
}

/// Loads a game, and warns of what is strange about it.
fn load(file: &Path, engine: &mut Engine, game: &Tree, number: Option<u32>) -> Result<(), LabError> {
    let warnings = engine.load(game, number.map(|n| n as usize));
    for warning in warnings.map_err(|e| LabError::input(e).within(file.display()))? {
        tell(format_args!("warning: {}: {warning}", file.display()));
    }
    if let Some(own) = engine.foreign_komi() {
        tell(format_args!("{}", komi_note(engine.name(), engine.komi(), own)));
    }
    Ok(())
}

/// A position of a game of Go in a file.
fn run_file(file: &Path, args: &Args) -> Result<(), LabError> {
    let input = |e: String| LabError::input(e).within(file.display());
    let (game, line) = read_game(file)?;
    if let Some(number) = args.number.filter(|&n| n as usize > line.moves() + 1) {
        let moves = line.moves();
        return Err(input(format!("there is no position before move {number}: the game has {moves} moves")));
    }
    let spec = args.resources.limit(args.recipe.clone());
    let asked = read_recipe(&spec)?;
    let recipe = if args.explain { read_recipe(&format!("{spec},backup=mean"))? } else { asked.clone() };
    let options = Options { seed: args.seed, ..Options::default() };
    let identity = recipe.identity(None);
    let mut engine = Engine::new(RecipeAgents::of(recipe), line.size, options).map_err(LabError::input)?;
    load(file, &mut engine, &game, args.number)?;
    for text in args.after.split_whitespace() {
        let m = vertex(text, engine.size())?;
        let player = engine.to_move();
        engine.play(player, m).map_err(|e| LabError::input(format!("--after: {text}: {e}")))?;
    }
    let (player, drawing) = (engine.to_move(), engine.drawing());
    let budget = budget(args, &asked);
    let (trees, label) = (trees(args), engine.tree_label(identity));
    trees.open_by(|bytes| engine.open_tree(player, &label, bytes))?;
    let mut samples = RootSamples::default();
    let observer: &mut dyn Observer<Move> = if args.explain { &mut samples } else { &mut () };
    let report = engine.analyze(player, None, &budget, observer).map_err(LabError::Failed)?;
    let report = report.ok_or_else(|| LabError::Failed("the agent resigns".into()))?;
    let saved = trees.save_by(|| engine.save_tree(&label));
    let network = engine.evaluate(player).map_err(LabError::Failed)?;
    let said = if args.explain { said(&samples, &asked, engine.size()) } else { Vec::new() };
    if args.json {
        print_json(&object(&engine, player, &report, network.as_ref(), &said))?;
    } else {
        print(format_args!("{}\n\n", engine.board_text()))?;
        show(&report, |&m| move_text(m), network.as_ref(), &said)?;
    }
    draw(args, drawing.as_ref(), &report, |&m| move_text(m))?;
    saved
}

/// Writes the files of `--dot` and `--svg`.
fn draw<M: PartialEq>(
    args: &Args,
    drawing: Option<&Drawing>,
    report: &Report<M>,
    text: impl Fn(&M) -> String,
) -> Result<(), LabError> {
    let write = |file: &Path, content: String| {
        std::fs::write(file, content).map_err(|e| LabError::failed(e).within(file.display()))
    };
    if let Some(file) = &args.dot {
        write(file, dot(report, &text))?;
    }
    if let Some(file) = &args.svg {
        let drawn = drawing.and_then(|drawing| picture(drawing, Some(report), &text));
        write(file, drawn.ok_or_else(|| LabError::input("--svg: accepted for games on a board"))?)?;
    }
    Ok(())
}

/// A move as GTP has it.
fn vertex(text: &str, size: usize) -> Result<Move, LabError> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(None);
    }
    Point::parse(text, size).map(Some).map_err(|e| LabError::input(format!("--after: {e}")))
}

fn object(
    engine: &Engine,
    player: Player,
    report: &Report<Move>,
    network: Option<&Evaluation>,
    said: &[(String, f64)],
) -> serde_json::Value {
    let backups = said.iter().map(|(name, value)| json!({ "backup": name, "value": value }));
    let prior = |&(m, prior): &(Move, f32)| json!({ "move": move_text(m), "prior": prior });
    let network = network.map(|Evaluation { value, policy, expectation }| {
        let mut said = json!({ "value": value, "policy": policy.iter().map(prior).collect::<Vec<_>>() });
        if let Some(Expectation { lead, ownership, .. }) = expectation {
            said["lead"] = json!(lead);
            said["ownership"] = json!(ownership);
        }
        said
    });
    let mut object = report_json(report, |&m| move_text(m));
    object["size"] = json!(engine.size());
    object["komi"] = json!(engine.komi().points());
    object["move_number"] = json!(engine.moves().len() + 1);
    object["to_move"] = colour(player);
    object["network"] = json!(network);
    object["backups"] = json!(backups.collect::<Vec<_>>());
    object
}

fn show<M>(
    report: &Report<M>,
    text: impl Fn(&M) -> String,
    network: Option<&Evaluation>,
    said: &[(String, f64)],
) -> Result<(), LabError> {
    print(format_args!(
        "{}: {} simulations, {} nodes, depth {}, value {:.3}\n",
        report.recipe, report.simulations, report.nodes, report.depth, report.value
    ))?;
    let variation: Vec<String> = report.variation.iter().map(&text).collect();
    print(format_args!("variation: {}\n", variation.join(" ")))?;
    if let Some(Evaluation { value, policy, expectation }) = network {
        let best = policy.iter().take(10).map(|&(m, prior)| format!("{} {prior:.3}", move_text(m)));
        let best = best.collect::<Vec<_>>().join(", ");
        let lead = expectation.as_ref().map_or(String::new(), |e| format!("lead {:.1}, ", e.lead));
        print(format_args!("network: value {value:.3}, {lead}policy {best}\n"))?;
    }
    let has_priors = report.children.iter().any(|c| c.prior.is_some());
    print(format_args!("\nmove    visits   value{}\n", if has_priors { "   prior" } else { "" }))?;
    for c in report.children.iter().take(20) {
        let prior = c.prior.map_or(String::new(), |prior| format!("   {prior:.3}"));
        print(format_args!("{:<5} {:>8}   {:.3}{prior}\n", text(&c.m), c.visits, c.value))?;
    }
    if !said.is_empty() {
        print(format_args!("\nbackup        value, from the same samples\n"))?;
    }
    said.iter().try_for_each(|(name, value)| print(format_args!("{name:<13} {value:.4}\n")))
}

/// The root with its moves, and the variation below its first one.
fn dot<M: PartialEq, T: Display>(report: &Report<M>, move_text: impl Fn(&M) -> T) -> String {
    let mut text = format!("digraph search {{\n  root [label=\"value {:.3}\"];\n", report.value);
    for (i, c) in report.children.iter().enumerate() {
        let label = format!("{}\\n{} visits\\n{:.3}", move_text(&c.m), c.visits, c.value);
        text += &format!("  m{i} [label=\"{label}\"];\n  root -> m{i};\n");
    }
    let first = report.children.iter().position(|c| Some(&c.m) == report.variation.first());
    let mut above = format!("m{}", first.unwrap_or(0));
    for (i, m) in report.variation.iter().enumerate().skip(1) {
        text += &format!("  v{i} [label=\"{}\"];\n  {above} -> v{i};\n", move_text(m));
        above = format!("v{i}");
    }
    text + "}\n"
}
