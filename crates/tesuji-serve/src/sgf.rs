//! Games of Go as SGF.

use crate::failure::{Answer, Failure, json_answer};
use crate::positions::Place;
use crate::request::{Body, SgfFile, aside};
use crate::set_up::{PASS, Stones, checked};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tesuji::Player;
use tesuji_go::sgf::{Action, GameRecord, MainLine, Property, RecordedMove, Step, decode, parse};

/// The most points at which stones are set up before the first move, one for each time: a rectangle
/// has many points in a few letters.
const POINTS: usize = 20_000;

/// Comments, by the number of moves that they follow.
type Comments = BTreeMap<usize, Vec<String>>;

/// `POST /api/sgf/read`: the position at the end of the main line of the first game.
pub(crate) async fn read(SgfFile(bytes): SgfFile) -> Answer {
    aside(move || Ok(json_answer(&read_game(&bytes)?))).await
}

fn read_game(bytes: &[u8]) -> Result<Value, Failure> {
    let collection = parse(&decode(bytes)).map_err(Failure::bad)?;
    let first = collection.games.first().ok_or_else(|| Failure::bad("the file has no game"))?;
    let line = MainLine::read(first).map_err(Failure::bad)?;
    let (mut place, warning) = set_up(&line)?;
    let mut moves: Vec<String> = place.moves.split_whitespace().map(str::to_owned).collect();
    let is_play = |step: &&Step| matches!(step.action, Action::Play(..));
    let mut comments = Comments::new();
    let before_moves = line.steps.iter().take_while(|step| !is_play(step)).map(|step| &step.comment);
    for comment in std::iter::once(&line.comment).chain(before_moves) {
        note(&mut comments, moves.len(), comment);
    }
    // Passes of the file since its last stone.
    let mut passes = 0;
    for step in line.steps.iter().skip_while(|step| !is_play(step)) {
        let (player, point) = match step.action {
            Action::Play(player, point) => (player, point),
            // The next move says whose turn it is.
            Action::ToMove(_) => {
                note(&mut comments, moves.len(), &step.comment);
                continue;
            }
            Action::Set(..) => {
                let why = "stones are set up after the first move; accepted: a game that is set up before it";
                return Err(Failure::bad(why));
            }
        };
        // A player who moves twice has an opponent who passes.
        if player != to_move(&moves) {
            moves.push(PASS.to_owned());
        }
        // A game that goes on after two passes is one without them: on the page they end it.
        if ends_with_two_passes(&moves) {
            moves.truncate(moves.len() - 2);
            for comment in comments.split_off(&(moves.len() + 1)).into_values().flatten() {
                comments.entry(moves.len()).or_default().push(comment);
            }
        }
        passes = if point.is_some() { 0 } else { passes + 1 };
        moves.push(point.map_or_else(|| PASS.to_owned(), |point| point.to_string()));
        note(&mut comments, moves.len(), &step.comment);
    }
    // The first of two passes may be gone, with one that stood in for a stone.
    if passes >= 2 && !ends_with_two_passes(&moves) {
        moves.push(PASS.to_owned());
    }
    let comments: BTreeMap<_, _> = comments.into_iter().map(|(ply, said)| (ply, said.join("\n\n"))).collect();
    let faults = collection.faults.iter().chain(&line.faults).map(ToString::to_string);
    let warnings: Vec<String> = faults.chain(warning).collect();
    place.moves = moves.join(" ");
    place.read()?;
    Ok(json!({
        "game": place.game, "komi": place.komi, "moves": place.moves,
        "black": line.black, "white": line.white, "result": line.result, "comments": comments,
        "warnings": warnings,
    }))
}

fn note(comments: &mut Comments, ply: usize, comment: &str) {
    if !comment.is_empty() {
        comments.entry(ply).or_default().push(comment.to_owned());
    }
}

fn ends_with_two_passes(moves: &[String]) -> bool {
    moves.len() >= 2 && moves[moves.len() - 2..].iter().all(|m| m == PASS)
}

fn to_move(moves: &[String]) -> Player {
    if moves.len().is_multiple_of(2) { Player::FIRST } else { Player::SECOND }
}

/// The position before the first move, and a warning about its searches if there is one.
fn set_up(line: &MainLine) -> Result<(Place, Option<String>), Failure> {
    let (mut stones, mut to_move, mut left) = (Stones::new(), None, POINTS);
    for step in &line.steps {
        match step.action {
            Action::Set(points, owner) => {
                for point in points.points() {
                    left = left.checked_sub(1).ok_or_else(|| {
                        Failure::bad(format!("more than {POINTS} points are set up before the first move"))
                    })?;
                    match owner {
                        Some(owner) => stones.insert((point.column, point.row), owner),
                        None => stones.remove(&(point.column, point.row)),
                    };
                }
            }
            Action::ToMove(player) => to_move = Some(player),
            Action::Play(player, _) => {
                to_move = to_move.or(Some(player));
                break;
            }
        }
    }
    let empty = Place {
        game: format!("go:{}", line.size),
        komi: line.komi.map(|komi| komi.to_string()),
        moves: String::new(),
    };
    if stones.is_empty() {
        Ok((empty, None))
    } else {
        // After handicap stones it is White's turn, where the file does not say more.
        let player = if line.handicap > 1 { Player::SECOND } else { Player::FIRST };
        checked(empty, &stones, to_move.unwrap_or(player))
    }
}

/// A move with what a sweep said of it.
#[derive(Clone, Deserialize, Debug)]
struct Said {
    number: usize,
    value: f64,
    best: String,
    best_value: f64,
    loss: f64,
    #[serde(default)]
    variation: Vec<String>,
}

/// A game, and what was said of its moves.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Record {
    #[serde(flatten)]
    place: Place,
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
    #[serde(default)]
    result: String,
    /// By the number of moves that they follow.
    #[serde(default)]
    comments: BTreeMap<usize, String>,
    #[serde(default)]
    said: Vec<Said>,
}

/// A comment with this judgement, in place of an earlier one.
fn with_judgement(comment: &str, judgement: &str) -> String {
    let is_judgement =
        |part: &&str| part.starts_with("value ") && part.contains("; best ") && part.contains("; loss ");
    let parts = comment.split("\n\n").filter(|part| !part.is_empty() && !is_judgement(part));
    parts.chain([judgement]).collect::<Vec<_>>().join("\n\n")
}

/// `POST /api/sgf/write`: values as comments, variations as moves.
pub(crate) async fn write(Body(record): Body<Record>) -> Answer {
    aside(move || Ok(json_answer(&json!({ "sgf": write_game(record)? })))).await
}

fn write_game(record: Record) -> Result<String, Failure> {
    let (game, position) = record.place.read()?;
    let Some((size, rules)) = game.go() else {
        return Err(Failure::bad("SGF files are written for games of Go"));
    };
    let player = |ply: usize| if ply.is_multiple_of(2) { Player::FIRST } else { Player::SECOND };
    let read = |ply: usize, text: &str| RecordedMove::parse(player(ply), text, size).map_err(Failure::bad);
    let mut moves = Vec::new();
    for (ply, text) in position.history().iter().enumerate() {
        moves.push(read(ply, text)?);
    }
    let missing = |number: usize| Failure::bad(format!("the game has no move {number}"));
    let mut about = String::new();
    for (ply, comment) in record.comments {
        let at = match ply {
            0 => Some(&mut about),
            ply => moves.get_mut(ply - 1).map(|m| &mut m.comment),
        };
        *at.ok_or_else(|| missing(ply))? = comment;
    }
    let whole = GameRecord {
        size,
        komi: rules.komi.points(),
        black: record.black,
        white: record.white,
        result: record.result,
        comment: about,
        moves,
        ..GameRecord::default()
    };
    let mut tree = whole.to_tree();
    let line = tree.main_line();
    for said in &record.said {
        let Some((&before, &after)) =
            said.number.checked_sub(1).and_then(|before| line.get(before).zip(line.get(said.number)))
        else {
            return Err(missing(said.number));
        };
        let percent = |value: f64| format!("{:.1} %", 100.0 * value);
        let judgement = format!(
            "value {}; best {} {}; loss {}",
            percent(said.value),
            said.best,
            percent(said.best_value),
            percent(said.loss)
        );
        let comment = tree.node(after).get("C").map_or(String::new(), Property::text);
        tree.replace(after, "C", &with_judgement(&comment, &judgement));
        if said.loss > 0.0 {
            let mut at = before;
            for (ply, text) in (said.number - 1..).zip(&said.variation) {
                at = tree.add_move(at, &read(ply, text)?, size);
            }
        }
    }
    Ok(tree.to_string())
}
