//! Positions of a game whose type is known at run time only.

use crate::error::LabError;
use crate::opening::{MoveError, parse};
use std::any::Any;
use std::fmt;
use tesuji::{Drawing, Keyed, Outcome, Player};
use tesuji_agents::Playable;

/// A position of any game, with the moves that led to it from the start.
///
/// ```
/// use tesuji_lab::GameSpec;
///
/// let mut position = GameSpec::parse("connect-four", None)?.position();
/// position.play("4")?;
/// assert_eq!((position.to_move().index(), position.moves().len()), (1, 7));
/// assert_eq!(position.history(), ["4"]);
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position(Box<dyn AnyPosition>);

/// A move of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedMove {
    /// Its number, below [`Position::actions`] in a game with keys: [`Keyed::code`].
    pub action: usize,
    /// The move as text.
    pub text: String,
}

/// What a [`Position`] does, compiled for its game.
trait AnyPosition: fmt::Debug + fmt::Display + Send + Sync {
    fn to_move(&self) -> Player;
    fn moves(&self) -> Vec<NamedMove>;
    fn play(&mut self, line: &str) -> Result<(), LabError>;
    fn play_action(&mut self, action: usize) -> Result<(), LabError>;
    fn result(&self) -> Option<f32>;
    fn hash(&self) -> Option<u64>;
    fn drawing(&self) -> Option<Drawing>;
    fn history(&self) -> &[String];
    fn actions(&self) -> usize;
    fn planes_shape(&self) -> Option<[usize; 3]>;
    fn write_planes(&self, out: &mut [f32]);
    fn boxed(&self) -> Box<dyn AnyPosition>;
    fn as_any(&self) -> &dyn Any;
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// A position of a game of this type.
#[derive(Clone)]
pub(crate) struct At<G: Playable> {
    pub(crate) game: G,
    pub(crate) moves: Vec<G::Move>,
    texts: Vec<String>,
}

impl<G: Playable> At<G> {
    fn make(&mut self, m: G::Move) {
        self.texts.push(self.game.move_text(m));
        self.game.play(m);
        self.moves.push(m);
    }

    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.game.result().is_none() {
            self.game.moves(&mut moves);
        }
        moves
    }
}

impl<G: Playable> fmt::Debug for At<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.texts).finish()
    }
}

impl<G: Playable> fmt::Display for At<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.fmt(f)
    }
}

/// The number of a move of the player to move.
pub(crate) fn action<G: Keyed>(game: &G, m: G::Move) -> usize {
    tesuji::Code::index(game.code(m))
}

impl<G: Playable> AnyPosition for At<G> {
    fn to_move(&self) -> Player {
        self.game.to_move()
    }

    fn moves(&self) -> Vec<NamedMove> {
        let named = |m| NamedMove { action: action(&self.game, m), text: self.game.move_text(m) };
        self.legal().into_iter().map(named).collect()
    }

    fn play(&mut self, line: &str) -> Result<(), LabError> {
        parse(&self.game, line)?.into_iter().for_each(|m| self.make(m));
        Ok(())
    }

    fn play_action(&mut self, number: usize) -> Result<(), LabError> {
        let moves = self.legal();
        let m = moves.iter().copied().find(|&m| action(&self.game, m) == number).ok_or_else(|| {
            let some: Vec<_> = moves.iter().take(3).map(|&m| action(&self.game, m).to_string()).collect();
            let accepted = match moves.len() {
                0 => "none, because the game is over".to_owned(),
                n => format!("{}{}", some.join(", "), if n > some.len() { ", ..." } else { "" }),
            };
            MoveError::Action { number, accepted }
        })?;
        self.make(m);
        Ok(())
    }

    fn result(&self) -> Option<f32> {
        self.game.result().map(|outcome| outcome.of(Player::FIRST))
    }

    fn hash(&self) -> Option<u64> {
        self.game.hash()
    }

    fn drawing(&self) -> Option<Drawing> {
        self.game.drawing()
    }

    fn history(&self) -> &[String] {
        &self.texts
    }

    fn actions(&self) -> usize {
        self.game.codes()
    }

    fn planes_shape(&self) -> Option<[usize; 3]> {
        self.game.planes_shape()
    }

    fn write_planes(&self, out: &mut [f32]) {
        self.game.write_planes(out);
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Position {
    /// The initial position of a game.
    pub(crate) fn start<G: Playable>(start: &G) -> Position {
        Position(Box::new(At { game: start.clone(), moves: Vec::new(), texts: Vec::new() }))
    }

    /// The position, if it is one of a game of this type.
    pub(crate) fn of<G: Playable>(&self) -> Option<&At<G>> {
        self.0.as_any().downcast_ref()
    }

    /// The player to move.
    pub fn to_move(&self) -> Player {
        self.0.to_move()
    }

    /// The legal moves; none if the game is over.
    pub fn moves(&self) -> Vec<NamedMove> {
        self.0.moves()
    }

    /// Plays moves, separated by spaces: all of them, or none if one is not legal.
    ///
    /// # Errors
    /// If a move is not legal; the message names some that are.
    pub fn play(&mut self, line: &str) -> Result<(), LabError> {
        self.0.play(line)
    }

    /// Plays the legal move of this number.
    ///
    /// # Errors
    /// If there is none; the message names some that are.
    pub fn play_action(&mut self, action: usize) -> Result<(), LabError> {
        self.0.play_action(action)
    }

    /// The value for the first player in [0, 1], if the game is over.
    pub fn result(&self) -> Option<f32> {
        self.0.result()
    }

    /// [`Game::hash`](tesuji::Game::hash).
    pub fn hash(&self) -> Option<u64> {
        self.0.hash()
    }

    /// The position as data to draw, where the game has a board.
    pub fn drawing(&self) -> Option<Drawing> {
        self.0.drawing()
    }

    /// The moves that led here, as text.
    pub fn history(&self) -> &[String] {
        self.0.history()
    }

    /// The number of move codes, [`Keyed::codes`]; 0 in a game without keys.
    pub fn actions(&self) -> usize {
        self.0.actions()
    }

    /// [`Notation::planes_shape`](tesuji::Notation::planes_shape).
    pub fn planes_shape(&self) -> Option<[usize; 3]> {
        self.0.planes_shape()
    }

    /// [`Notation::write_planes`](tesuji::Notation::write_planes).
    ///
    /// # Panics
    /// If `out` is too short.
    pub fn write_planes(&self, out: &mut [f32]) {
        self.0.write_planes(out);
    }
}

/// As the game prints itself.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use crate::game_spec::GameSpec;

    #[test]
    fn positions_are_played_by_text_and_by_number() {
        for game in ["connect-four", "go:5", "hex:4", "heap-go:3x4", "p-game:3,4", "knightthrough"] {
            let start = GameSpec::parse(game, None).unwrap().position();
            let (mut by_text, mut by_number) = (start.clone(), start);
            while let (None, [.., m]) = (by_text.result(), &by_text.moves()[..]) {
                assert!(m.action < by_text.actions(), "{game}");
                by_text.play(&m.text).unwrap();
                by_number.play_action(m.action).unwrap();
                assert_eq!(by_text.to_string(), by_number.to_string());
                assert_eq!(by_text.history(), by_number.history());
                if by_text.history().len() > 40 {
                    break;
                }
            }
        }
    }

    #[test]
    fn moves_that_are_not_legal_change_nothing() {
        let mut position = GameSpec::parse("tic-tac-toe", None).unwrap().position();
        let error = position.play("b2 b2").unwrap_err().to_string();
        assert!(error.contains("\"b2\", is not legal there; accepted: a1"), "{error}");
        let error = position.play_action(9).unwrap_err().to_string();
        assert!(error.contains("the action 9 is not legal there; accepted: 0, 1, 2, ..."), "{error}");
        assert!(position.history().is_empty());
    }
}
