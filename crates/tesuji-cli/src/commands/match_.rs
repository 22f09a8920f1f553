//! `tesuji match`.

use super::match_lines::of_run;
use super::recipe_agents::own_komi;
use super::results::print_lines;
use super::{cores, print, print_json, stop_on_interrupt};
use crate::cluster::ClusterArgs;
use crate::number::positive;
use crate::progress::{Progress, ProgressForm, tell};
use crate::resources::Resources;
use crate::time::time_a_move;
use std::path::PathBuf;
use std::time::Duration;
use tesuji_go::gtp::komi_note;
use tesuji_lab::stats::Sprt;
use tesuji_lab::store::{Disputed, Labels};
use tesuji_lab::{
    Adjudication, AgentSpec, EngineLimits, GameSpec, LabError, Limit, MatchOptions, MatchSpec, MatchSummary,
    Openings, counted, run_match,
};

/// Play a colour-balanced match between two agents.
///
/// Every opening is played once with each colour. The same seed gives the same games with any
/// number of threads, unless --time limits the searches.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji match grave,playout=uniform uct --game hex:7 --games 20 --playouts 200\n  tesuji match uct random --game connect-four --games 40 --playouts 50 --out out/example\n\nMore: docs/tutorial.md"
)]
pub(crate) struct Args {
    /// The agent whose side the result takes: a built-in recipe or a TOML file with `,key=value`
    /// overrides, `random`, or `gtp:COMMAND`.
    a: String,
    /// Its opponent.
    b: String,
    /// The game; `tesuji list` names all games.
    #[arg(long, default_value = "go9")]
    game: String,
    /// Play N games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = positive)]
    games: u64,
    /// Make N simulations per move. A recipe's own number, as in uct,playouts=500, replaces N.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = positive)]
    playouts: u64,
    #[command(flatten)]
    resources: Resources,
    /// Search for this time per move, such as 500ms or 2s, in place of --playouts. A recipe's own
    /// number of simulations replaces the time. Such games are not reproducible.
    #[arg(long, conflicts_with = "playouts", value_parser = time_a_move)]
    time: Option<Duration>,
    /// Play N games at a time. Default: as many as the cores can search, or one with --time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 63))]
    seed: u64,
    /// Go: give White this many points, a multiple of 0.5.
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<String>,
    /// Begin each game with N random moves. Default: the usual number for the game.
    #[arg(long, value_name = "N")]
    opening_plies: Option<u32>,
    /// Play the openings of this file in turn: one line of moves each, such as `e5 c3`.
    #[arg(long, value_name = "FILE", conflicts_with = "opening_plies")]
    openings: Option<PathBuf>,
    /// Give each game an opening of its own, so that all games are independent. Default: two games
    /// share an opening.
    #[arg(long)]
    unpaired: bool,
    /// Declare a draw after N moves.
    #[arg(long, alias = "longest", value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: u32,
    /// End a game when both agents agree for three consecutive moves each: the loser's value is at
    /// most X, the winner's at least 1 - X. With 0, play every game to its end.
    #[arg(long, value_name = "X", default_value = "0", allow_negative_numbers = true)]
    adjudicate: Adjudication,
    /// Stop as soon as a sequential test over pairs decides between these Elo differences.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = sprt_text)]
    sprt: Option<Sprt>,
    /// Score a game whose result an engine disputes by this rule: `void` counts neither the game
    /// nor its pair, `board` takes the result on the board, `opponent` takes the engine's.
    #[arg(long, default_value_t)]
    disputed: Disputed,
    /// Wait at most this long for the first answer of an engine, such as 60s.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time_a_move)]
    engine_handshake: Duration,
    /// Wait at most this long for a move of an engine under --playouts, such as 120s.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time_a_move)]
    engine_move: Duration,
    /// Store the record in this directory. Run the same command again to resume.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume a record made with other settings. Games that did not change still count, and the
    /// record logs the change.
    #[arg(long, alias = "changed", requires = "out")]
    allow_changes: bool,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    progress: ProgressForm,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let (json, mut progress) = (args.json, Progress::new(args.progress));
    let cluster = args.cluster.clone();
    let (spec, mut options) = options(args)?;
    let stop = stop_on_interrupt()?;
    options.cluster = cluster.connect(&stop, options.out.as_deref())?;
    let summary = run_match(&spec, &options, &stop, &mut |event| progress.show(event))?;
    let notes = komi_notes(&spec.game, [spec.a.as_str(), &spec.b]);
    if json {
        notes.iter().for_each(|note| tell(format_args!("{note}")));
        print_json(&summary)?
    } else {
        print_lines(&of_run(&summary, spec.unpaired))?;
        notes.iter().try_for_each(|note| print(format_args!("  {note}\n")))?;
    }
    end(&spec, &options, &summary)
}

fn options(args: Args) -> Result<(MatchSpec, MatchOptions), LabError> {
    let game = GameSpec::parse(&args.game, args.komi.as_deref())?;
    let (limit, threads) = match args.time {
        Some(time) => (Limit::Milliseconds(time.as_millis() as u64), 1),
        None => {
            let of_each = args.resources.search_threads.map_or(1, usize::from);
            (Limit::Playouts(args.playouts), (cores() / of_each).max(1))
        }
    };
    let openings = match (args.opening_plies, &args.openings) {
        (Some(plies), _) => Some(Openings::RandomPlies(plies)),
        (None, Some(file)) => Some(Openings::read(file, &game)?),
        (None, None) => None,
    };
    let spec = MatchSpec {
        name: "match".to_owned(),
        labels: Labels::default(),
        a: args.resources.limit(args.a),
        b: args.resources.limit(args.b),
        game,
        games: args.games,
        limit,
        seed: args.seed,
        openings,
        unpaired: args.unpaired,
        longest: args.max_moves,
        adjudicate: args.adjudicate,
        sprt: args.sprt,
        disputed: args.disputed,
        engine: EngineLimits {
            handshake: args.engine_handshake.as_secs_f64(),
            per_move: args.engine_move.as_secs_f64(),
        },
    };
    let options = MatchOptions {
        threads: args.threads.map_or(threads, usize::from),
        cluster: None,
        out: args.out,
        changed: args.allow_changes,
        version: crate::VERSION.to_owned(),
    };
    Ok((spec, options))
}

/// A line for each agent whose network does not see the komi of the game.
pub(super) fn komi_notes<'a>(game: &GameSpec, agents: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let Some((_, rules)) = game.go() else { return Vec::new() };
    let note = |agent: &str| match AgentSpec::parse(agent) {
        Ok(AgentSpec::Recipe(recipe)) => {
            let own = own_komi(&recipe).filter(|&own| own != rules.komi)?;
            Some(komi_note(agent, rules.komi, own))
        }
        _ => None,
    };
    agents.into_iter().filter_map(note).collect()
}

/// Tells what is missing, if anything is.
fn end(spec: &MatchSpec, options: &MatchOptions, summary: &MatchSummary) -> Result<(), LabError> {
    let resume = match &options.out {
        Some(dir) => {
            format!("the finished games are in {}; the same command again plays the rest", dir.display())
        }
        None => "nothing was kept; with --out DIR a match can be resumed".to_owned(),
    };
    if summary.interrupted {
        return Err(LabError::failed(format!(
            "stopped after {} of {} games: {resume}",
            summary.played(),
            spec.games
        )));
    }
    if summary.failed > 0 {
        return Err(LabError::failed(format!("{} failed: {resume}", counted(summary.failed, "game"))));
    }
    Ok(())
}

fn sprt_text(text: &str) -> Result<Sprt, String> {
    let number = |text: &str| text.trim().parse().ok();
    let numbers = text.split_once(',').and_then(|(elo0, elo1)| number(elo0).zip(number(elo1)));
    let (elo0, elo1) = numbers.ok_or("accepted: two Elo differences such as 0,10")?;
    Sprt::asked(elo0, elo1).map_err(|e| e.to_string())
}
