//! Matches.

use crate::error::{input, raise};
use crate::game::Game;
use crate::recipes;
use crate::run::watch;
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use tesuji_lab::stats::Sprt;
use tesuji_lab::store::{Disputed, Labels};
use tesuji_lab::{
    Adjudication, EngineLimits, Event, LabError, Limit, MatchOptions, MatchSpec, Openings, counted, run_match,
};

/// What a match is, as `lib/tesuji` says it.
#[derive(Deserialize)]
struct Asked {
    a: String,
    b: String,
    games: u64,
    simulations: u64,
    seconds: Option<f64>,
    seed: u64,
    opening_plies: Option<u32>,
    openings: Option<Vec<String>>,
    unpaired: bool,
    longest: u32,
    adjudicate: f64,
    sprt: Option<(f64, f64)>,
    disputed: String,
    threads: Option<usize>,
    out: Option<PathBuf>,
    changed: bool,
}

/// The program's version, for records.
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (Python)");

/// Games at a time if nobody says: one for each core.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Plays a match: the JSON of `tesuji match`.
#[pyfunction]
pub(crate) fn play_match(
    py: Python<'_>,
    game: Py<Game>,
    asked: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let asked: Asked = serde_json::from_str(asked).map_err(input)?;
    if asked.out.is_some() {
        game.get().check_name(py)?;
    }
    let adjudicate: Adjudication = asked.adjudicate.to_string().parse().map_err(input)?;
    let disputed: Disputed = asked.disputed.parse().map_err(input)?;
    let sprt = asked.sprt.map(|(elo0, elo1)| Sprt::asked(elo0, elo1)).transpose().map_err(raise)?;
    if asked.seconds.is_some_and(|seconds| !(0.001..1e9).contains(&seconds)) {
        return Err(input("seconds is out of range; accepted: 0.001 to 10^9"));
    }
    let limit = match asked.seconds {
        Some(seconds) => Limit::Milliseconds((seconds * 1000.0).round() as u64),
        None => Limit::Playouts(asked.simulations),
    };
    let openings = match (asked.opening_plies, asked.openings) {
        (Some(plies), _) => Some(Openings::RandomPlies(plies)),
        (None, lines) => lines.map(Openings::Lines),
    };
    let is_python = |agent: &str| recipes::read(agent).is_ok_and(|recipe| recipes::has_python(&recipe));
    let calls_python = game.get().is_python() || is_python(&asked.a) || is_python(&asked.b);
    let alone = asked.seconds.is_some() || calls_python;
    let options = MatchOptions {
        cluster: None,
        threads: asked.threads.unwrap_or(if alone { 1 } else { cores() }).max(1),
        out: asked.out,
        changed: asked.changed,
        version: VERSION.to_owned(),
    };
    let rest = match &options.out {
        Some(dir) => format!("the finished games are in {}; the same call plays the rest", dir.display()),
        None => "nothing was kept; with out a match can be resumed".to_owned(),
    };
    watch(py, progress, |run, tell| {
        let spec = MatchSpec {
            name: "match".to_owned(),
            labels: Labels::default(),
            a: asked.a,
            b: asked.b,
            game: game.get().spec()?,
            games: asked.games,
            limit,
            seed: asked.seed,
            openings,
            unpaired: asked.unpaired,
            longest: asked.longest,
            adjudicate,
            sprt,
            disputed,
            engine: EngineLimits::default(),
        };
        let (mut total, mut counts, mut notes) = (spec.games, [0; 3], Vec::new());
        let mut failure = None;
        let summary = run_match(&spec, &options, &run.stop, &mut |event| match event {
            Event::Started { total: games, .. } => total = games,
            Event::Moved(estimate) => counts = estimate.counts.unwrap_or(counts),
            Event::Note(note) => notes.push(note.to_owned()),
            Event::Failed { why, .. } => _ = failure.get_or_insert_with(|| why.to_owned()),
            Event::Done(played) => {
                let [losses, draws, wins] = counts;
                let note = std::mem::take(&mut notes).join("\n");
                tell(
                    json!({
                        "played": played, "total": total, "wins": wins, "draws": draws, "losses": losses, "note": note,
                    })
                    .to_string(),
                );
            }
            _ => {}
        })?;
        if summary.failed > 0 && !summary.interrupted {
            let (games, why) = (counted(summary.failed, "game"), failure.unwrap_or_default());
            return Err(LabError::Failed(format!("{games} failed ({why}): {rest}")));
        }
        serde_json::to_string(&summary).map_err(LabError::failed)
    })
}
