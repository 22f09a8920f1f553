//! The games of a page, in few bytes.

use super::{Board, MatchRecord, Record};
use crate::store::GameRow;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::Serialize;
use std::collections::HashMap;

/// The games of a page as its script reads them: JSON, compressed, in base64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Packed {
    pub(super) text: String,
    /// Games in it.
    pub(super) games: usize,
    /// Whether the figures of searches are in it.
    pub(super) has_figures: bool,
}

#[derive(Serialize)]
struct PackedMatch<'a> {
    name: &'a str,
    a: &'a str,
    b: &'a str,
    game: &'a str,
    komi: Option<&'a str>,
    board: Option<Board>,
    /// Every move that occurs; games give places in this list.
    moves: Vec<&'a str>,
    games: Vec<PackedGame<'a>>,
}

#[derive(Serialize)]
struct PackedGame<'a> {
    opening: u64,
    replica: u32,
    a_first: bool,
    a_value: f64,
    result: &'a str,
    ending: String,
    /// Moves given to both.
    given: usize,
    length: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
    /// A character for each move.
    moves: String,
    /// A character for each move: hundredths of the value for its player.
    #[serde(skip_serializing_if = "String::is_empty")]
    values: String,
    /// A character for each move: percents of the search's simulations.
    #[serde(skip_serializing_if = "String::is_empty")]
    shares: String,
}

/// The character of a number, as the page's script reads it. Surrogates are left out.
fn character(number: usize) -> char {
    ('#'..).nth(number).unwrap_or(char::MAX)
}

/// Stands for no figure.
const NONE: usize = 101;

impl Packed {
    /// As many games as `bytes` allow: all with the figures of their searches, or without them, or
    /// else the same share of each match, from its first opening on.
    pub(super) fn new(record: &Record, bytes: usize) -> Packed {
        let most = record.matches.iter().map(|m| m.games.len()).max().unwrap_or(0);
        let (mut kept, mut packed) = (most, Packed::of(record, most, most, true));
        while packed.text.len() > bytes && packed.games > 0 {
            if !packed.has_figures {
                let share = 0.97 * bytes as f64 / packed.text.len() as f64;
                kept = (kept - 1).min((kept as f64 * share) as usize);
            }
            packed = Packed::of(record, kept, most, false);
        }
        packed
    }

    /// The share `kept / of` of the games of each match.
    fn of(record: &Record, kept: usize, of: usize, has_figures: bool) -> Packed {
        let matches: Vec<_> = record
            .matches
            .iter()
            .map(|m| packed_match(m, (m.games.len() * kept).div_ceil(of.max(1)), has_figures))
            .collect();
        let games = matches.iter().map(|m| m.games.len()).sum();
        let json = serde_json::json!({ "matches": matches }).to_string();
        let text = BASE64_STANDARD.encode(compress_to_vec_zlib(json.as_bytes(), 9));
        Packed { text, games, has_figures }
    }
}

fn packed_match(m: &MatchRecord, games: usize, has_figures: bool) -> PackedMatch<'_> {
    let (mut moves, mut places) = (Vec::new(), HashMap::new());
    let mut packed_games = Vec::new();
    for (place, game) in m.games.iter().take(games) {
        let coded = game.moves.iter().map(|text| {
            character(*places.entry(text.as_str()).or_insert_with(|| {
                moves.push(text.as_str());
                moves.len() - 1
            }))
        });
        let coded = coded.collect();
        let [values, shares] = if has_figures { figures(game) } else { [const { String::new() }; 2] };
        packed_games.push(PackedGame {
            opening: place.opening,
            replica: place.replica,
            a_first: game.a_first,
            a_value: game.score_a,
            result: &game.result,
            ending: game.ending.to_string(),
            given: game.opening.len(),
            length: game.moves.len(),
            note: [&game.detail, &game.dispute].into_iter().flatten().cloned().collect::<Vec<_>>().join("; "),
            moves: coded,
            values,
            shares,
        });
    }
    PackedMatch {
        name: &m.planned.name,
        a: &m.planned.a,
        b: &m.planned.b,
        game: &m.conditions.game,
        komi: m.conditions.komi.as_deref(),
        board: m.game().and_then(|game| game.board().cloned()),
        moves,
        games: packed_games,
    }
}

/// Values and shares of simulations; nothing where no search gave one.
fn figures(game: &GameRow) -> [String; 2] {
    let mut numbers = [vec![NONE; game.moves.len()], vec![NONE; game.moves.len()]];
    let percent = |part: f64| (100.0 * part.clamp(0.0, 1.0)).round() as usize;
    for search in &game.searches {
        let ply = search.ply as usize;
        if ply >= game.moves.len() {
            continue;
        }
        if let Some(value) = search.value.filter(|value| value.is_finite()) {
            numbers[0][ply] = percent(f64::from(value));
        }
        if let Some(visits) = search.visits.filter(|_| search.simulations > 0) {
            numbers[1][ply] = percent(f64::from(visits) / search.simulations as f64);
        }
    }
    numbers.map(|numbers| {
        if numbers.iter().all(|&number| number == NONE) {
            String::new()
        } else {
            numbers.into_iter().map(character).collect()
        }
    })
}
