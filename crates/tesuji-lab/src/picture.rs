//! A picture of a position and the result of its search.

use std::fmt::Write;
use tesuji::{Board, Drawing, Piece, Places, Player, Report};

/// Pixels from place to place, around the board, and of the list beside it.
const STEP: f64 = 44.0;
const MARGIN: f64 = 40.0;
const LIST: f64 = 270.0;
/// Moves in the list; on the board every move is shown.
const LISTED: usize = 10;

/// The board, with a disc for each move, and a list of the moves with the most visits beside it.
/// The area of a disc is the move's share of the visits. Without a report it is the board alone.
/// None for a game that is not drawn as a board.
pub fn picture<M: PartialEq>(
    drawing: &Drawing,
    report: Option<&Report<M>>,
    text: impl Fn(&M) -> String,
) -> Option<String> {
    let Drawing::Board(board) = drawing else { return None };
    let (columns, rows) = (board.columns.len(), board.pieces.len() / board.columns.len().max(1));
    let slant = if board.places == Places::Hexagons { 0.5 * (rows - 1) as f64 } else { 0.0 };
    let (across, down) = (2.0 * MARGIN + STEP * (columns as f64 + slant), 2.0 * MARGIN + STEP * rows as f64);
    let (wide, high) = match report {
        Some(_) => (across + LIST, down.max(MARGIN + 26.0 * (LISTED + 3) as f64) + 24.0),
        None => (across, down),
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" viewBox=\"0 0 {wide} {high}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    places(&mut out, board, rows);
    if let Some(report) = report {
        discs(&mut out, board, rows, report, &text);
        list(&mut out, across, high, report, &text);
    }
    out += "</svg>\n";
    Some(out)
}

/// A disc for each move.
fn discs<M: PartialEq>(
    out: &mut String,
    board: &Board,
    rows: usize,
    report: &Report<M>,
    text: impl Fn(&M) -> String,
) {
    let visits: f64 = report.children.iter().map(|c| f64::from(c.visits)).sum();
    for c in &report.children {
        let Some(place) = place_of(board, &text(&c.m)) else { continue };
        let (x, y) = centre(board, rows, place);
        let radius = 0.48 * STEP * (f64::from(c.visits) / visits.max(1.0)).sqrt();
        let fill = if c.m == report.best { "#c2410c" } else { "#2563eb" };
        let _ = writeln!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius:.1}\" fill=\"{fill}\" fill-opacity=\".8\"/>"
        );
    }
}

/// The moves with the most visits, and the variation.
fn list<M: PartialEq>(
    out: &mut String,
    across: f64,
    high: f64,
    report: &Report<M>,
    text: impl Fn(&M) -> String,
) {
    let mut line = |y: f64, cells: [&str; 3], style: &str| {
        let _ = write!(out, "<g{style}><text x=\"{across}\" y=\"{y}\">{}</text>", escaped(cells[0]));
        for (x, cell) in [(150.0, cells[1]), (230.0, cells[2])] {
            let _ = write!(out, "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{cell}</text>", across + x);
        }
        *out += "</g>\n";
    };
    line(MARGIN, ["move", "visits", "win rate"], " fill=\"#666\"");
    for (i, c) in report.children.iter().take(LISTED).enumerate() {
        let rate = format!("{:.1} %", 100.0 * c.value);
        let style = if c.m == report.best { " fill=\"#c2410c\" font-weight=\"bold\"" } else { "" };
        line(MARGIN + 26.0 * (i + 1) as f64, [&text(&c.m), &c.visits.to_string(), &rate], style);
    }
    let variation: Vec<String> = report.variation.iter().take(10).map(&text).collect();
    let caption = format!(
        "{}, {} simulations. Disc: share of the visits. Expected: {}",
        report.recipe,
        report.simulations,
        variation.join(" ")
    );
    let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"{}\">{}</text>", high - 14.0, escaped(&caption));
}

/// Lines, squares or hexagons, the names of columns and rows, and the pieces.
fn places(out: &mut String, board: &Board, rows: usize) {
    let columns = board.columns.len();
    let (left, top) = (MARGIN + STEP / 2.0, MARGIN + STEP / 2.0);
    let (right, bottom) = (left + STEP * (columns - 1) as f64, top + STEP * (rows - 1) as f64);
    if board.places == Places::Points {
        for (n, vertical) in (0..columns).map(|n| (n, true)).chain((0..rows).map(|n| (n, false))) {
            let at = left + STEP * n as f64;
            let path =
                if vertical { format!("M{at} {top}V{bottom}") } else { format!("M{left} {at}H{right}") };
            let _ = writeln!(out, "<path d=\"{path}\" stroke=\"#999\"/>");
        }
    }
    for (place, piece) in board.pieces.iter().enumerate() {
        let (x, y) = centre(board, rows, place);
        let half = STEP / 2.0;
        match board.places {
            Places::Points => {}
            Places::Squares => {
                let _ = writeln!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{STEP}\" height=\"{STEP}\" fill=\"none\" stroke=\"#bbb\"/>",
                    x - half,
                    y - half
                );
            }
            Places::Hexagons => {
                let (near, far) = (half / 3_f64.sqrt(), 2.0 * half / 3_f64.sqrt());
                let _ = writeln!(
                    out,
                    "<path d=\"M{x} {:.1}l{half} {near:.1}v{far:.1}l-{half} {near:.1}l-{half} -{near:.1}v-{far:.1}z\" fill=\"none\" stroke=\"#bbb\"/>",
                    y - far
                );
            }
        }
        if let Some(piece) = piece {
            draw(out, piece, x, y);
        }
    }
    for (column, name) in board.columns.iter().enumerate() {
        let first = if board.bottom_up { 0 } else { rows - 1 };
        let (x, y) = centre(board, rows, first * columns + column);
        let y = y + 0.5 * STEP + 22.0;
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"#666\">{name}</text>");
    }
    for (row, name) in board.rows.iter().enumerate() {
        let (x, y) = centre(board, rows, row * columns);
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#666\">{name}</text>",
            x - STEP / 2.0 - 8.0,
            y + 5.0
        );
    }
}

fn draw(out: &mut String, piece: &Piece, x: f64, y: f64) {
    let (fill, ink) = match piece.owner {
        Some(Player::FIRST) => ("#222", "#fff"),
        Some(Player::SECOND) => ("#fff", "#222"),
        _ => ("#ccc", "#222"),
    };
    let _ = writeln!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\" stroke=\"#222\"/>",
        0.44 * STEP
    );
    if !piece.label.is_empty() {
        let label = escaped(&piece.label);
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{label}</text>",
            y + 5.0
        );
    }
}

/// The middle of a place, by its index.
fn centre(board: &Board, rows: usize, place: usize) -> (f64, f64) {
    let (column, row) = (place % board.columns.len(), place / board.columns.len());
    let line = (if board.bottom_up { rows - 1 - row } else { row }) as f64;
    let (slant, pitch) = match board.places {
        Places::Hexagons => (0.5 * line, 0.75_f64.sqrt()),
        Places::Points | Places::Squares => (0.0, 1.0),
    };
    let pixels = |steps: f64| ((MARGIN + STEP * steps) * 10.0).round() / 10.0;
    (pixels(0.5 + column as f64 + slant), pixels(0.5 + line * pitch))
}

/// The place that a move fills: the one that it names by column and row, or the first empty one of
/// its column where rows have no names; none for other moves, such as a pass.
fn place_of(board: &Board, text: &str) -> Option<usize> {
    let across = board.columns.len();
    let places = 0..board.pieces.len();
    if board.rows.is_empty() {
        let column = board.columns.iter().position(|name| name == text)?;
        return places.into_iter().find(|&p| p % across == column && board.pieces[p].is_none());
    }
    let named = |p: &usize| {
        text.eq_ignore_ascii_case(&format!("{}{}", board.columns[p % across], board.rows[p / across]))
    };
    places.into_iter().find(named)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
