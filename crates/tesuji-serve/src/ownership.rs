//! Who owns the points of a board of Go at the end.

use crate::failure::{Answer, Failure, json_answer};
use crate::positions::Place;
use crate::request::{Body, aside};
use serde_json::json;
use tesuji::{Game, Player};
use tesuji_go::sgf::{Point, RecordedMove};
use tesuji_go::{Vertex, with_go};

/// Playouts of an answer.
const PLAYOUTS: u32 = 400;

/// `POST /api/ownership`: for each point, the share of uniform playouts from the position at whose
/// end it is the first player's. A point that is nobody's counts half.
pub(crate) async fn show(Body(place): Body<Place>) -> Answer {
    let shares = aside(move || shares(&place));
    Ok(json_answer(&json!({ "playouts": PLAYOUTS, "ownership": shares.await? })))
}

fn shares(place: &Place) -> Result<Vec<(String, f32)>, Failure> {
    let (spec, position) = place.read()?;
    let (size, rules) = spec.go().ok_or_else(|| Failure::bad("only games of Go have owners of points"))?;
    let shares = with_go!(size, rules, |start| {
        for text in position.history() {
            let m = RecordedMove::parse(Player::FIRST, text, size).map_err(Failure::bad)?;
            let at = m.point.and_then(|p| Vertex::new(p.column.into(), p.row.into()));
            start.play(at.unwrap_or(Vertex::PASS));
        }
        start.ownership_shares(PLAYOUTS, 0)
    });
    let name = |point| Point { column: (point % size) as u8, row: (point / size) as u8 }.to_string();
    Ok(shares.into_iter().enumerate().map(|(point, share)| (name(point), share)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_owns_its_side() {
        // Black has the column C, White the column D: A to C are Black's, E is White's.
        let moves = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5";
        let place = Place { game: "go:5".into(), komi: None, moves: moves.into() };
        let shares = shares(&place).unwrap();
        let of = |name: &str| shares.iter().find(|(point, _)| point == name).unwrap().1;
        assert_eq!(shares.len(), 25);
        assert!(of("C3") > 0.6 && of("D3") < 0.4, "{shares:?}");
        let hex = Place { game: "hex:5".into(), komi: None, moves: String::new() };
        assert!(super::shares(&hex).is_err());
    }
}
