//! Writing a played game.

use super::{Point, Tree};
use tesuji::Player;

/// The program that a record names as its writer (`AP`).
pub(crate) const APPLICATION: &str = "tesuji";

/// A played game, to be written as an SGF file.
///
/// ```
/// use tesuji::Player;
/// use tesuji_go::sgf::{GameRecord, Point, RecordedMove};
///
/// let mut record = GameRecord { size: 9, komi: 7.0, result: "W+7".into(), ..GameRecord::default() };
/// record.moves.push(RecordedMove::new(Player::FIRST, Some(Point::parse("E5", 9)?)));
/// record.moves.push(RecordedMove::new(Player::SECOND, None));
/// assert_eq!(record.to_sgf(), "(;FF[4]GM[1]CA[UTF-8]AP[tesuji]SZ[9]KM[7]RE[W+7];B[ee];W[])\n");
/// # Ok::<(), tesuji_go::sgf::PointError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameRecord {
    /// Lines of the board.
    pub size: usize,
    /// Points added to White's score.
    pub komi: f32,
    /// Stones of handicap, 0 for none.
    pub handicap: usize,
    /// Black stones on the board before the first move (those of the handicap).
    pub black_stones: Vec<Point>,
    /// White stones on the board before the first move.
    pub white_stones: Vec<Point>,
    /// The player of Black; left out if empty.
    pub black: String,
    /// The player of White; left out if empty.
    pub white: String,
    /// The rules, by name or as [`RuleSet::to_object`](crate::RuleSet::to_object) writes them; left
    /// out if empty.
    pub rules: String,
    /// The result, such as `B+3.5`, `W+R`, `0` (a draw), `Void`; left out if empty.
    pub result: String,
    /// A comment on the whole game; left out if empty.
    pub comment: String,
    /// Whose turn it is after the last move; none if it is the turn of the player who did not move
    /// last, or is not known.
    pub to_move: Option<Player>,
    /// The moves.
    pub moves: Vec<RecordedMove>,
}

/// A move of a [`GameRecord`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedMove {
    /// The player who played it.
    pub player: Player,
    /// The point; none for a pass.
    pub point: Option<Point>,
    /// A comment; left out if empty.
    pub comment: String,
}

impl RecordedMove {
    /// A move without a comment.
    pub fn new(player: Player, point: Option<Point>) -> RecordedMove {
        RecordedMove { player, point, comment: String::new() }
    }

    /// A move as GTP writes it: `D4` or `pass`.
    ///
    /// # Errors
    /// If the text is neither, or no point of a board with `size` lines.
    pub fn parse(player: Player, text: &str, size: usize) -> Result<RecordedMove, super::PointError> {
        let point = if text.eq_ignore_ascii_case("pass") { None } else { Some(Point::parse(text, size)?) };
        Ok(RecordedMove::new(player, point))
    }
}

impl GameRecord {
    /// The game as an FF\[4\] file.
    pub fn to_sgf(&self) -> String {
        self.to_tree().to_string()
    }

    /// The game as a tree without variations.
    pub fn to_tree(&self) -> Tree {
        let mut tree = Tree::new();
        let mut at = Tree::ROOT;
        let mut root = |name: &str, value: &str| {
            if !value.is_empty() {
                tree.set(at, name, &[value]);
            }
        };
        root("FF", "4");
        root("GM", "1");
        root("CA", "UTF-8");
        root("AP", APPLICATION);
        root("SZ", &self.size.to_string());
        root("KM", &self.komi.to_string());
        root("HA", &if self.handicap > 0 { self.handicap.to_string() } else { String::new() });
        root("PB", &self.black);
        root("PW", &self.white);
        root("RU", &self.rules);
        root("RE", &self.result);
        root("C", &self.comment);
        for (name, stones) in [("AB", &self.black_stones), ("AW", &self.white_stones)] {
            if !stones.is_empty() {
                let values: Vec<_> = stones.iter().map(|p| p.to_sgf(self.size)).collect();
                tree.set(at, name, &values.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
        let colour = |player| if player == Player::FIRST { "B" } else { "W" };
        // Black begins, or White after a handicap: whose turn it is need be said only where it is
        // not so.
        let mut turn = if self.handicap > 1 { Player::SECOND } else { Player::FIRST };
        if let Some(first) = self.moves.first().map(|m| m.player).or(self.to_move).filter(|&p| p != turn) {
            tree.set(at, "PL", &[colour(first)]);
            turn = first;
        }
        for m in &self.moves {
            turn = m.player.other();
            at = tree.add(at);
            tree.set(at, colour(m.player), &[&m.point.map_or(String::new(), |p| p.to_sgf(self.size))]);
            if !m.comment.is_empty() {
                tree.set(at, "C", &[&m.comment]);
            }
        }
        if let Some(player) = self.to_move.filter(|&p| p != turn) {
            at = tree.add(at);
            tree.set(at, "PL", &[colour(player)]);
        }
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::parse;

    #[test]
    fn a_record_is_read_back() {
        let point = |text| Point::parse(text, 9).unwrap();
        let mut record = GameRecord {
            size: 9,
            komi: 0.5,
            handicap: 2,
            black_stones: vec![point("G7"), point("C3")],
            black: "a [bot] with \\".into(),
            white: "b".into(),
            result: "W+R".into(),
            comment: "two\nlines".into(),
            ..GameRecord::default()
        };
        record.moves.push(RecordedMove::parse(Player::SECOND, "e5", 9).unwrap());
        record.moves.push(RecordedMove::parse(Player::FIRST, "PASS", 9).unwrap());
        record.moves[0].comment = "a ] in a comment".into();
        let text = record.to_sgf();
        assert!(text.contains("KM[0.5]HA[2]PB[a [bot\\] with \\\\]"), "{text}");
        assert!(text.contains("AB[gc][cg];W[ee]C[a \\] in a comment];B[])"), "{text}");
        assert_eq!(parse(&text).unwrap().games, [record.to_tree()]);
    }

    #[test]
    fn whose_turn_it_is_stands_where_nothing_else_tells() {
        let (black, white) = (Player::FIRST, Player::SECOND);
        for (handicap, moves, to_move, end) in [
            (0, &[white][..], Some(black), "KM[0]PL[W];W[])\n"),
            (0, &[], None, "KM[0])\n"),
            (0, &[], Some(black), "KM[0])\n"),
            (0, &[], Some(white), "KM[0]PL[W])\n"),
            (2, &[], Some(white), "KM[0]HA[2])\n"),
            (2, &[], Some(black), "KM[0]HA[2]PL[B])\n"),
            (2, &[white], Some(white), "KM[0]HA[2];W[];PL[W])\n"),
            (0, &[black, white], Some(white), "KM[0];B[];W[];PL[W])\n"),
        ] {
            let moves = moves.iter().map(|&player| RecordedMove::new(player, None)).collect();
            let record = GameRecord { size: 9, handicap, moves, to_move, ..GameRecord::default() };
            assert!(record.to_sgf().ends_with(end), "{} {end}", record.to_sgf());
        }
    }
}
