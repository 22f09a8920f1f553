//! Searches that are watched: Leela Zero's, KataGo's and the computer Go server's formats.

use super::play::{Mode, choose};
use super::{DONE, colour, vertex};
use crate::engine::{Engine, Move, best_first, lower_bound, move_text};
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use crate::restriction::Restriction;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji::{Budget, ChildReport, Observer, Player, Report};

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    /// Values from 0 to 10000.
    LeelaZero,
    /// Values from 0 to 1.
    KataGo,
}

pub(super) fn lz_analyze(session: &mut Session, call: &mut Call<'_>) -> Answer {
    analyze(session, call, Format::LeelaZero)
}

pub(super) fn kata_analyze(session: &mut Session, call: &mut Call<'_>) -> Answer {
    analyze(session, call, Format::KataGo)
}

pub(super) fn lz_genmove(session: &mut Session, call: &mut Call<'_>) -> Answer {
    genmove(session, call, Format::LeelaZero)
}

pub(super) fn kata_genmove(session: &mut Session, call: &mut Call<'_>) -> Answer {
    genmove(session, call, Format::KataGo)
}

/// The arguments after the command.
struct AnalyzeArguments {
    player: Player,
    interval: Option<Duration>,
    /// What a line says after its moves, if anything.
    ownership: String,
    max_moves: usize,
    restriction: Option<Arc<Restriction>>,
}

impl AnalyzeArguments {
    /// Reads `[colour] [centiseconds] [key value]...`.
    fn read(call: &Call<'_>, engine: &Engine) -> Result<AnalyzeArguments, String> {
        let mut request = AnalyzeArguments {
            player: engine.to_move(),
            interval: None,
            ownership: String::new(),
            max_moves: usize::MAX,
            restriction: None,
        };
        let mut restriction = Restriction::new(engine.size());
        let (mut restricted, mut owners) = (false, false);
        let mut words = call.command.args.iter().map(String::as_str).peekable();
        if let Some(player) = words.peek().and_then(|word| colour(word).ok()) {
            request.player = player;
            words.next();
        }
        if let Some(interval) = words.next_if(|word| word.parse::<f64>().is_ok()) {
            request.interval = Some(centiseconds(interval)?);
        }
        while let Some(key) = words.next() {
            let value = words.next().ok_or_else(|| format!("'{key}' needs a value"))?;
            match key {
                "avoid" | "allow" => {
                    restrict(&mut restriction, engine, key, [Some(value), words.next(), words.next()])?;
                    restricted = true;
                }
                "interval" => request.interval = Some(centiseconds(value)?),
                "ownership" => owners = value == "true",
                "maxmoves" => {
                    request.max_moves =
                        value.parse().map_err(|_| format!("'{value}' is not a number of moves"))?;
                }
                // Wishes that change only what else is shown.
                "minmoves"
                | "rootInfo"
                | "movesOwnership"
                | "ownershipStdev"
                | "pvVisits"
                | "pvEdgeVisits"
                | "noResultValue"
                | "movesOwnershipStdev" => {}
                _ => {
                    return Err(format!(
                        "'{key}' is not known here, only interval, minmoves, maxmoves, ownership, avoid, allow"
                    ));
                }
            }
        }
        if owners {
            request.ownership = ownership(engine, request.player)?;
        }
        request.restriction = restricted.then(|| Arc::new(restriction));
        Ok(request)
    }
}

/// Reads `COLOUR VERTEX,VERTEX,... DEPTH` after `avoid` or `allow`.
fn restrict(
    restriction: &mut Restriction,
    engine: &Engine,
    key: &str,
    words: [Option<&str>; 3],
) -> Result<(), String> {
    let [Some(player), Some(vertices), Some(depth)] = words else {
        return Err(format!("'{key}' needs a colour, vertices with commas between them, and a depth"));
    };
    let player = colour(player)?;
    let size = engine.size();
    let cell = |text| {
        let point = vertex(text, engine)?;
        Ok(point.map_or(size * size, |p| usize::from(p.row) * size + usize::from(p.column)))
    };
    let cells: Result<Vec<usize>, String> = vertices.split(',').map(cell).collect();
    let depth = depth.parse().map_err(|_| format!("'{depth}' is not a depth, a number of moves"))?;
    match key {
        "avoid" => restriction.avoid(player, &cells?, depth),
        _ => restriction.allow(player, &cells?, depth),
    }
    Ok(())
}

fn centiseconds(text: &str) -> Result<Duration, String> {
    let time = text.parse::<f64>().ok().and_then(|c| Duration::try_from_secs_f64(c / 100.0).ok());
    time.ok_or_else(|| format!("'{text}' is not an interval in hundredths of a second"))
}

/// Streams until the next line arrives.
fn analyze(session: &mut Session, call: &mut Call<'_>, format: Format) -> Answer {
    let request = AnalyzeArguments::read(call, &session.engine)?;
    session.note_komi();
    // The controller learns at once that the command was understood.
    call.stream("");
    let budget = Budget { stop: call.inbox.until_next(), ..Budget::default() };
    let inbox = call.inbox;
    let mut stream = Stream::new(call, &request, format, Duration::from_secs(1));
    let restriction = request.restriction.as_ref();
    let report = session.engine.analyze(request.player, restriction, &budget, &mut stream)?;
    if let Some(report) = report {
        stream.show(&report);
    }
    inbox.wait();
    DONE
}

/// Streams while a move is chosen, then says it.
fn genmove(session: &mut Session, call: &mut Call<'_>, format: Format) -> Answer {
    let request = AnalyzeArguments::read(call, &session.engine)?;
    let stop = call.inbox.until_interrupt();
    let mut stream = Stream::new(call, &request, format, Duration::MAX);
    let restriction = request.restriction.as_ref();
    let decision = choose(session, &stop, request.player, Mode::Play, restriction, &mut stream)?;
    if let Some(report) = session.engine.last_report() {
        stream.show(report);
    }
    call.stream("");
    Ok(format!("play {decision}"))
}

/// Chooses a move and says what the search found as one line of JSON.
pub(super) fn cgos_genmove(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let player = colour(call.arg(0, "a colour")?)?;
    let decision = choose(session, &call.inbox.until_interrupt(), player, Mode::Play, None, &mut ())?;
    let json = session.engine.last_report().map_or_else(|| "{}".to_owned(), json);
    call.stream(&json);
    Ok(format!("play {decision}"))
}

fn json(report: &Report<Move>) -> String {
    let entry = |c: &ChildReport<Move>| {
        let prior = c.prior.map_or(String::new(), |p| format!(",\"prior\":{p:.4}"));
        format!(
            "{{\"move\":\"{}\",\"winrate\":{:.4},\"visits\":{}{prior},\"pv\":\"{}\"}}",
            move_text(c.m),
            c.value,
            c.visits,
            variation(c)
        )
    };
    let moves: Vec<String> = best_first(report).into_iter().take(10).map(entry).collect();
    format!(
        "{{\"winrate\":{:.4},\"visits\":{},\"moves\":[{}]}}",
        report.value,
        report.simulations,
        moves.join(",")
    )
}

/// The line of play that begins with a move.
fn variation(child: &ChildReport<Move>) -> String {
    child.variation.iter().map(|&m| move_text(m)).collect::<Vec<_>>().join(" ")
}

/// Writes what a search finds, again and again.
struct Stream<'a, 'c> {
    call: &'a mut Call<'c>,
    format: Format,
    interval: Duration,
    last: Instant,
    max_moves: usize,
    ownership: String,
}

impl<'a, 'c> Stream<'a, 'c> {
    fn new(
        call: &'a mut Call<'c>,
        request: &AnalyzeArguments,
        format: Format,
        interval: Duration,
    ) -> Stream<'a, 'c> {
        Stream {
            call,
            format,
            interval: request.interval.unwrap_or(interval),
            last: Instant::now(),
            max_moves: request.max_moves,
            ownership: request.ownership.clone(),
        }
    }

    fn show(&mut self, report: &Report<Move>) {
        self.last = Instant::now();
        let infos = best_first(report).into_iter().enumerate().take(self.max_moves);
        let mut line: Vec<String> = infos.map(|(i, c)| self.info(i, c)).collect();
        if line.is_empty() {
            return;
        }
        if !self.ownership.is_empty() {
            line.push(self.ownership.clone());
        }
        self.call.stream(&line.join(" "));
    }

    /// One move.
    fn info(&self, order: usize, c: &ChildReport<Move>) -> String {
        let value = f64::from(c.value);
        let lcb = lower_bound(value, c.visits.into());
        let prior = c.prior.map_or(0.0, f64::from);
        let number = |x: f64| match self.format {
            Format::LeelaZero => format!("{:.0}", 10_000.0 * x),
            Format::KataGo => format!("{x:.6}"),
        };
        format!(
            "info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
            move_text(c.m),
            c.visits,
            number(value),
            number(prior),
            number(lcb),
            variation(c)
        )
    }
}

impl Observer<Move> for Stream<'_, '_> {
    /// Often enough to look at the watch some hundred times a second on the largest board.
    fn every(&self) -> u64 {
        16
    }

    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.interval
    }

    fn progress(&mut self, report: &Report<Move>) {
        self.show(report);
    }
}

/// Who owns each point in the end, from 1 (the player) to -1, row by row from the upper left.
fn ownership(engine: &Engine, player: Player) -> Result<String, String> {
    let owners = engine.owners(player)?;
    let values = owners.iter().map(|owner| format!("{owner:.2}"));
    Ok(format!("ownership {}", values.collect::<Vec<_>>().join(" ")))
}
