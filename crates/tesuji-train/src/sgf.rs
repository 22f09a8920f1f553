//! Games of SGF files.

use crate::error::ReplayError;
use crate::game::{End, Target, TrainingGame, Turn};
use crate::go::GoEncoding;
use crate::policy::Policy;
use crate::replay::replay;
use std::collections::BTreeMap;
use std::fmt;
use tesuji::Player;
use tesuji_go::sgf::{Action, MainLine, SgfError, parse};
use tesuji_go::{Komi, Rules, with_go};

/// The games of an SGF file, or why a game cannot be used. The target of each position is the move
/// that was played there, and the game's result. A file that is not SGF counts as one broken game.
///
/// ```
/// let text = "(;SZ[5]KM[6.5]RE[B+R];B[cc];W[cb];B[bb])(;SZ[5]RE[B+R];B[cc];W[cc])";
/// let [good, bad] = &tesuji_train::read_sgf(text, 5)[..] else { panic!() };
/// let good = good.as_ref().unwrap();
/// assert_eq!((good.positions(), good.winner), (3, Some(tesuji::Player::FIRST)));
/// assert_eq!(bad, &Err(tesuji_train::Unusable::Illegal(1)));
/// ```
pub fn read_sgf(text: &str, size: usize) -> Vec<Result<TrainingGame, Unusable>> {
    match parse(text) {
        Ok(collection) => collection
            .games
            .iter()
            .map(|tree| game_of(&MainLine::read(tree).map_err(Unusable::Broken)?, size))
            .collect(),
        Err(error) => vec![Err(Unusable::Broken(error))],
    }
}

/// Why a game is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// It is no SGF of Go.
    Broken(SgfError),
    /// The game is on a board of another size.
    Size(usize),
    /// Nobody knows who won.
    NoResult,
    /// There is no move.
    NoMove,
    /// Stones are set up after the first move.
    SetUp,
    /// The stones set up cannot stand so.
    Stones,
    /// A player moves twice in a row.
    Turns,
    /// The move after the first N is not legal: occupied, suicide, or a repetition of the whole
    /// board.
    Illegal(usize),
}

impl Unusable {
    /// The reason alone, the same for all games with the same fault.
    pub fn reason(&self) -> &'static str {
        match self {
            Unusable::Broken(_) => "broken",
            Unusable::Size(_) => "another board",
            Unusable::NoResult => "no result",
            Unusable::NoMove => "no move",
            Unusable::SetUp => "stones set up after the first move",
            Unusable::Stones => "stones that cannot stand so",
            Unusable::Turns => "a player moves twice in a row",
            Unusable::Illegal(_) => "an illegal move",
        }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Broken(error) => write!(f, "broken: {error}"),
            Unusable::Size(size) => write!(f, "the board is {size}x{size}"),
            Unusable::Illegal(ply) => write!(f, "move {} is not legal", ply + 1),
            other => f.write_str(other.reason()),
        }
    }
}

impl std::error::Error for Unusable {}

fn game_of(line: &MainLine, size: usize) -> Result<TrainingGame, Unusable> {
    if line.size != size {
        return Err(Unusable::Size(line.size));
    }
    let winner = winner(&line.result).ok_or(Unusable::NoResult)?;
    let komi = Komi::from_points(line.komi.unwrap_or(0.0));
    let index = |column: u8, row: u8| u16::from(row) * size as u16 + u16::from(column);
    let (mut stones, mut first) = (BTreeMap::new(), None);
    let mut turns: Vec<Turn> = Vec::new();
    for step in &line.steps {
        match step.action {
            Action::Play(player, point) => {
                // Whoever moves, whatever PL says.
                let start = *first.get_or_insert(player);
                if (player == start) != turns.len().is_multiple_of(2) {
                    return Err(Unusable::Turns);
                }
                let m = point.map_or((size * size) as u16, |point| index(point.column, point.row));
                let value = winner.map_or(0.5, |winner| f32::from(u8::from(winner == player)));
                turns.push(Turn {
                    m,
                    target: Some(Target { policy: Policy::sure(m), value, outlook: None, surprise: None }),
                });
            }
            Action::Set(..) if !turns.is_empty() => return Err(Unusable::SetUp),
            Action::Set(points, player) => {
                stones.extend(points.points().map(|point| (index(point.column, point.row), player)));
            }
            Action::ToMove(_) => {}
        }
    }
    let first = first.ok_or(Unusable::NoMove)?;
    let stones = stones.into_iter().filter_map(|(m, player)| Some((m, player?))).collect();
    let actions = size * size + 1;
    let game = TrainingGame { size, actions, komi, stones, first, turns, winner, end: End::Unknown };
    let replayed = with_go!(size, Rules::default(), |go| replay(&GoEncoding::new(go), &game));
    match replayed {
        Ok(_) => Ok(game),
        Err(ReplayError::Move(ply) | ReplayError::Over(ply)) => Err(Unusable::Illegal(ply)),
        Err(_) => Err(Unusable::Stones),
    }
}

/// Who won, as a file says it: `B+3.5`, `W+Resign`, `0`, `Draw`; none if it does not say.
fn winner(result: &str) -> Option<Option<Player>> {
    let result = result.trim().to_ascii_lowercase();
    match result.as_str() {
        "0" | "draw" | "jigo" => Some(None),
        _ if result.starts_with("b+") => Some(Some(Player::FIRST)),
        _ if result.starts_with("w+") => Some(Some(Player::SECOND)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read() {
        let text = "(;SZ[5]KM[0.5]RE[W+2.5]AB[bb][dd]PL[W];W[cc];B[];W[ca])(;SZ[5]KM[3.75]RE[Draw];B[aa])";
        let games: Vec<TrainingGame> = read_sgf(text, 5).into_iter().map(Result::unwrap).collect();
        assert_eq!(games.len(), 2);
        // The upper left corner of the file is the last row.
        assert_eq!(games[1].turns[0].m, 20);
        assert_eq!((games[1].winner, games[1].komi), (None, Komi::from_halves(7)));
        let game = &games[0];
        assert_eq!(
            (game.komi, game.first, game.winner),
            (Komi::from_halves(1), Player::SECOND, Some(Player::SECOND))
        );
        assert_eq!(game.stones, [(8, Player::FIRST), (16, Player::FIRST)]);
        assert_eq!(game.turns.iter().map(|turn| turn.m).collect::<Vec<_>>(), [12, 25, 22]);
        assert_eq!(TrainingGame::from_bytes(&game.to_bytes()).as_ref(), Ok(game));
        let [Ok(against)] = &read_sgf("(;SZ[5]RE[B+1]PL[W];B[aa];W[bb])", 5)[..] else { panic!() };
        assert_eq!((against.first, against.turns.len()), (Player::FIRST, 2));
    }

    #[test]
    fn what_cannot_be_used_has_a_reason() {
        for (text, reason) in [
            ("", "broken"),
            ("(;SZ[5]RE[B+1];B[zz])", "broken"),
            ("(;SZ[9]RE[B+1];B[aa])", "another board"),
            ("(;SZ[5];B[aa])", "no result"),
            ("(;SZ[5]RE[Void];B[aa])", "no result"),
            ("(;SZ[5]RE[B+1])", "no move"),
            ("(;SZ[5]RE[B+1];B[aa]AW[bb];W[cc];AW[dd])", "stones set up after the first move"),
            ("(;SZ[5]RE[B+1]AB[ab][ba]AW[aa];B[cc])", "stones that cannot stand so"),
            ("(;SZ[5]RE[B+1];B[aa];B[bb])", "a player moves twice in a row"),
            ("(;SZ[5]RE[B+1];B[aa];W[aa])", "an illegal move"),
        ] {
            let [Err(why)] = &read_sgf(text, 5)[..] else { panic!("{text}") };
            assert_eq!(why.reason(), reason, "{text}");
        }
    }
}
