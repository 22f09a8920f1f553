//! Games of Go as SGF.

use crate::failure::{Answer, Failure, json_answer};
use crate::positions::Place;
use crate::request::{Body, SgfFile};
use crate::set_up::{PASS, Stones, checked};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use tesuji::Player;
use tesuji_go::sgf::{Action, GameRecord, MainLine, RecordedMove, Step, decode, parse};

/// `POST /api/sgf/read`: the position at the end of the main line of the first game.
pub(crate) async fn read(SgfFile(bytes): SgfFile) -> Answer {
    let collection = parse(&decode(&bytes)).map_err(Failure::bad)?;
    let first = collection.games.first().ok_or_else(|| Failure::bad("the file has no game"))?;
    let line = MainLine::read(first).map_err(Failure::bad)?;
    let mut place = Place {
        game: format!("go:{}", line.size),
        komi: line.komi.map(|komi| komi.to_string()),
        moves: String::new(),
    };
    let is_play = |step: &&Step| matches!(step.action, Action::Play(..));
    let mut moves = set_up(&line, &mut place)?;
    // What is said of each number of moves.
    let mut comments: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for step in line.steps.iter().skip_while(|step| !is_play(step)) {
        let Action::Play(player, point) = step.action else {
            let why = "stones are set up after the first move; accepted: a game that is set up before it";
            return Err(Failure::bad(why));
        };
        // A player who moves twice has an opponent who passes.
        if player != to_move(&moves) {
            moves.push(PASS.to_owned());
        }
        // A game that goes on after two passes is one without them: on the page they end it.
        if moves.ends_with(&[PASS, PASS].map(str::to_owned)) {
            moves.truncate(moves.len() - 2);
            for comment in comments.split_off(&(moves.len() + 1)).into_values().flatten() {
                comments.entry(moves.len()).or_default().push(comment);
            }
        }
        moves.push(point.map_or_else(|| PASS.to_owned(), |point| point.to_string()));
        if !step.comment.is_empty() {
            comments.entry(moves.len()).or_default().push(step.comment.clone());
        }
    }
    let comments: BTreeMap<_, _> = comments.into_iter().map(|(ply, said)| (ply, said.join("\n\n"))).collect();
    let warnings: Vec<String> =
        collection.faults.iter().chain(&line.faults).map(ToString::to_string).collect();
    place.moves = moves.join(" ");
    place.read()?;
    Ok(json_answer(&json!({
        "game": place.game, "komi": place.komi, "moves": place.moves,
        "black": line.black, "white": line.white, "result": line.result, "comments": comments,
        "warnings": warnings,
    })))
}

fn to_move(moves: &[String]) -> Player {
    if moves.len().is_multiple_of(2) { Player::FIRST } else { Player::SECOND }
}

/// The moves in place of what is set up before the first move.
fn set_up(line: &MainLine, place: &mut Place) -> Result<Vec<String>, Failure> {
    let (mut stones, mut to_move) = (Stones::new(), None);
    for step in &line.steps {
        match step.action {
            Action::Set(points, owner) => {
                for point in points.points() {
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
    if !stones.is_empty() {
        let empty = Place { moves: String::new(), ..place.clone() };
        *place = checked(empty, &stones, to_move.unwrap_or(Player::FIRST))?;
    }
    Ok(place.moves.split_whitespace().map(str::to_owned).collect())
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
    said: Vec<Said>,
}

/// `POST /api/sgf/write`: values as comments, variations as moves.
pub(crate) async fn write(Body(record): Body<Record>) -> Answer {
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
    let whole = GameRecord {
        size,
        komi: rules.komi.points(),
        black: record.black,
        white: record.white,
        moves,
        ..GameRecord::default()
    };
    let mut tree = whole.to_tree();
    let line = tree.main_line();
    for said in &record.said {
        let Some((&before, &after)) =
            said.number.checked_sub(1).and_then(|before| line.get(before).zip(line.get(said.number)))
        else {
            return Err(Failure::bad(format!("the game has no move {}", said.number)));
        };
        let percent = |value: f64| format!("{:.1} %", 100.0 * value);
        let comment = format!(
            "value {}; best {} {}; loss {}",
            percent(said.value),
            said.best,
            percent(said.best_value),
            percent(said.loss)
        );
        tree.set(after, "C", &[&comment]);
        if said.loss > 0.0 {
            let mut at = before;
            for (ply, text) in (said.number - 1..).zip(&said.variation) {
                let m = read(ply, text)?;
                at = tree.add(at);
                let name = if m.player == Player::FIRST { "B" } else { "W" };
                tree.set(at, name, &[&m.point.map_or(String::new(), |point| point.to_sgf(size))]);
            }
        }
    }
    Ok(json_answer(&json!({ "sgf": tree.to_string() })))
}
