//! `tesuji forfeits`.

use super::{print, print_json};
use serde_json::json;
use std::path::PathBuf;
use tesuji_lab::LabError;
use tesuji_lab::store::{GameRow, Place, Store, VoidedGame};

/// Characters of a game's identity that are shown.
const SHOWN: usize = 12;

/// List the forfeited games of a record, and the games that were declared void.
///
/// A forfeit counts as a loss. If an engine lost a game through no fault of its own, such as a full
/// disk, declare the game void. The record keeps the game and marks it; the game no longer counts,
/// and the next run of the experiment replays it.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji forfeits out/examples/sweep\n  tesuji forfeits out/examples/sweep --json\n\nMore: docs/records.md"
)]
pub(crate) struct Args {
    /// The directory of the record: OUT/EXPERIMENT of `tesuji run`, or the --out of `tesuji match`.
    dir: PathBuf,
    /// Declare these games void. Name them as the list does, by 4 or more characters.
    #[arg(long, value_name = "GAME", num_args = 1..)]
    void: Vec<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let store = if args.void.is_empty() {
        Store::read(&args.dir)?
    } else {
        // It exists, or this says so.
        Store::read(&args.dir)?;
        let mut store = Store::open(&args.dir)?;
        store.void(&args.void)?;
        store
    };
    let (forfeits, voided) = (store.forfeits()?, store.voided()?);
    if args.json {
        let forfeits: Vec<_> = forfeits.iter().map(|(place, game)| forfeit(place, game)).collect();
        return print_json(
            &json!({ "forfeits": forfeits, "voided": voided.iter().map(void).collect::<Vec<_>>() }),
        );
    }
    for (place, game) in &forfeits {
        let colours = if game.a_first { [&place.a, &place.b] } else { [&place.b, &place.a] };
        let [first, second] = colours;
        print(format_args!(
            "{}  {}  opening {}, {first} first, against {second}, {} moves: {}\n",
            short(game),
            game.result,
            place.opening + 1,
            game.moves.len(),
            why(game)
        ))?;
    }
    for VoidedGame { at, game } in &voided {
        print(format_args!("{}  {}  void since {at}: {}\n", short(game), game.result, why(game)))?;
    }
    print(format_args!("{} forfeited, {} void\n", forfeits.len(), voided.len()))?;
    if !args.void.is_empty() {
        print(format_args!("run the experiment again to play what is missing\n"))?;
    }
    Ok(())
}

fn short(game: &GameRow) -> &str {
    game.id.get(..SHOWN).unwrap_or(&game.id)
}

fn why(game: &GameRow) -> &str {
    game.detail.as_deref().unwrap_or_default()
}

fn forfeit(place: &Place, game: &GameRow) -> serde_json::Value {
    json!({
        "game": game.id,
        "a": place.a,
        "b": place.b,
        "a_first": game.a_first,
        "opening": place.opening,
        "result": game.result,
        "moves": game.moves.len(),
        "why": game.detail,
    })
}

fn void(voided: &VoidedGame) -> serde_json::Value {
    let VoidedGame { at, game } = voided;
    json!({ "game": game.id, "at": at, "result": game.result, "why": game.detail })
}
