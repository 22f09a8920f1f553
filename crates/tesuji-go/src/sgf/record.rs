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
        root("PB", &self.black);
        root("PW", &self.white);
        root("RU", &self.rules);
        root("RE", &self.result);
        root("C", &self.comment);
        // Black begins, where a file does not say more.
        if self.moves.first().is_some_and(|m| m.player != Player::FIRST) {
            root("PL", "W");
        }
        for m in &self.moves {
            at = tree.add_move(at, m, self.size);
        }
        tree
    }
}

impl Tree {
    /// Adds a move on a board with `size` lines after all children of `parent` and gives its index.
    ///
    /// # Panics
    /// If there is no node `parent`.
    pub fn add_move(&mut self, parent: usize, m: &RecordedMove, size: usize) -> usize {
        let node = self.add(parent);
        let colour = if m.player == Player::FIRST { "B" } else { "W" };
        self.set(node, colour, &[&m.point.map_or(String::new(), |p| p.to_sgf(size))]);
        if !m.comment.is_empty() {
            self.set(node, "C", &[&m.comment]);
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::parse;

    #[test]
    fn a_record_is_read_back() {
        let mut record = GameRecord {
            size: 9,
            komi: 0.5,
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
        assert!(text.contains("KM[0.5]PB[a [bot\\] with \\\\]"), "{text}");
        assert!(text.contains("PL[W];W[ee]C[a \\] in a comment];B[])"), "{text}");
        assert_eq!(parse(&text).unwrap().games, [record.to_tree()]);
    }
}
