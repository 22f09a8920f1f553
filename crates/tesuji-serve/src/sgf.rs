//! Games of Go as SGF.

use crate::failure::{Answer, Failure, json_answer};
use crate::positions::Place;
use crate::request::Body;
use serde::Deserialize;
use serde_json::json;
use tesuji::Player;
use tesuji_go::sgf::{Action, GameRecord, MainLine, RecordedMove, parse};

/// A file.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct File {
    text: String,
}

/// `POST /api/sgf/read`: the position at the end of the main line of the first game.
pub(crate) async fn read(Body(File { text }): Body<File>) -> Answer {
    let collection = parse(&text).map_err(Failure::bad)?;
    let first = collection.games.first().ok_or_else(|| Failure::bad("the file has no game"))?;
    let line = MainLine::read(first).map_err(Failure::bad)?;
    let mut moves = Vec::new();
    for step in &line.steps {
        let expected = if moves.len() % 2 == 0 { Player::FIRST } else { Player::SECOND };
        match step.action {
            Action::Play(player, point) if player == expected => {
                moves.push(point.map_or_else(|| "pass".to_owned(), |point| point.to_string()));
            }
            Action::ToMove(player) if player == expected => {}
            _ => {
                let why = "stones are set up, or a player moves twice; accepted: Black and White in turn from an empty board";
                return Err(Failure::bad(why));
            }
        }
    }
    let place = Place {
        game: format!("go:{}", line.size),
        komi: line.komi.map(|komi| komi.to_string()),
        moves: moves.join(" "),
    };
    place.read()?;
    let comments: Vec<&str> = line.steps.iter().map(|step| step.comment.as_str()).collect();
    Ok(json_answer(&json!({
        "game": place.game, "komi": place.komi, "moves": place.moves,
        "black": line.black, "white": line.white, "result": line.result, "comments": comments,
    })))
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
    game: String,
    komi: Option<String>,
    moves: String,
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
    #[serde(default)]
    said: Vec<Said>,
}

/// `POST /api/sgf/write`: values as comments, variations as moves.
pub(crate) async fn write(Body(record): Body<Record>) -> Answer {
    let place = Place { game: record.game, komi: record.komi, moves: record.moves };
    let (game, position) = place.read()?;
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
