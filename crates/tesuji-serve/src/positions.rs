//! Positions of games, as data to draw and play.

use crate::failure::{Answer, Failure, json_answer};
use crate::request::{Body, aside};
use serde::Deserialize;
use serde_json::{Value, json};
use tesuji_lab::{GameSpec, Position};

/// A position: a game and the moves that lead there.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Place {
    /// The game as `--game` names it.
    pub(crate) game: String,
    /// Points for the second player, in games that have a komi.
    #[serde(default)]
    pub(crate) komi: Option<String>,
    /// The moves, with spaces between them.
    #[serde(default)]
    pub(crate) moves: String,
}

/// The most characters of a line of moves.
const MOVES: usize = 20_000;

impl Place {
    pub(crate) fn read(&self) -> Result<(GameSpec, Position), Failure> {
        if self.moves.len() > MOVES || self.game.len() > MOVES {
            return Err(Failure::bad(format!("the moves have more than {MOVES} characters")));
        }
        let game = GameSpec::parse(&self.game, self.komi.as_deref())?;
        let mut position = game.position();
        position.play(&self.moves)?;
        Ok((game, position))
    }
}

/// A position as the page reads it.
pub(crate) fn to_json(game: &GameSpec, position: &Position) -> Value {
    json!({
        "game": game.to_string(),
        "komi": game.komi(),
        "moves": position.history(),
        "to_move": position.to_move().index() + 1,
        "legal": position.moves().iter().map(|m| &m.text).collect::<Vec<_>>(),
        "drawing": position.drawing(),
        "text": position.to_string(),
        "result": position.result(),
        "is_go": game.go().is_some(),
    })
}

/// `POST /api/position`.
pub(crate) async fn show(Body(place): Body<Place>) -> Answer {
    aside(move || {
        let (game, position) = place.read()?;
        Ok(json_answer(&to_json(&game, &position)))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(game: &str, moves: &str) -> Place {
        Place { game: game.to_owned(), komi: None, moves: moves.to_owned() }
    }

    /// Every game has what the page needs: a drawing or a text, and moves.
    #[test]
    fn every_game_can_be_shown() {
        for game in [
            "go:9",
            "go:19",
            "hex:7",
            "connect-four",
            "tic-tac-toe",
            "domineering:4x5",
            "knightthrough",
            "p-game:2,6",
            "heap-go:3x4",
        ] {
            let (spec, position) = place(game, "").read().unwrap();
            let json = to_json(&spec, &position);
            assert!(json["legal"].as_array().unwrap().len() > 1, "{game}");
            assert!(json["drawing"].is_object() || game.starts_with("p-game"), "{game}");
        }
    }

    #[test]
    fn what_is_not_legal_is_refused() {
        assert!(place("tic-tac-toe", "b2 b2").read().unwrap_err().message.contains("not legal"));
        assert!(place("chess", "").read().unwrap_err().message.contains("unknown game"));
        assert!(place("go:9", &"A1 ".repeat(10_000)).read().unwrap_err().message.contains("more than"));
    }
}
