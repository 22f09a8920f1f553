//! Games in brace notation.

use crate::component::Component;
use crate::dyadic::Dyadic;
use crate::graph::{Graph, PLAYERS, Position};
use crate::parse_error::ParseError;
use crate::thermograph::Thermograph;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use tesuji::Player;

/// A game given by its options, in brace notation: `{3|-1}`, `{{5|2}|-1}`, `{1,2|0}`.
///
/// ```text
/// game    = number | "{" options "|" options "}"      Left's options, Right's options
/// options = nothing | game { "," game }
/// number  = [ "-" ] digits [ "/" digits ]             the denominator a power of two
/// ```
///
/// Spaces are allowed around numbers, braces, bars and commas, and an option that is given twice
/// counts once. A number is worth that number of points. A player without options in `{...}` has
/// lost there, as in games where the player who moves last wins: `{|}` is 0, `{0|}` is 1. As a
/// component of a sum a tree ends where it is worth a number, or a number and an infinitesimal.
#[derive(Clone, Debug)]
pub struct Tree {
    whole: Arc<WholeTree>,
    position: usize,
}

/// What does not change in the course of a game.
#[derive(Debug)]
struct WholeTree {
    /// As written.
    graph: Graph,
    /// Where play ends.
    settled: Graph,
    /// The first move of each position, and one number behind the last of all.
    moves: Vec<u32>,
}

impl Tree {
    /// The deepest nesting of braces.
    pub const DEEPEST: usize = 60;
    /// The greatest number of points.
    pub const LARGEST: i64 = 1_000_000_000;
    /// The greatest denominator.
    pub const FINEST: i64 = 1 << 20;
    /// The largest number of positions in a text, where a position that is written twice counts
    /// once.
    pub const MOST: usize = 100_000;

    /// The initial position of `graph`, whose gains count in play; brace notation does not show
    /// them.
    ///
    /// # Panics
    /// If the game is too long: as [`Graph::thermographs`]. No text is too long.
    pub fn new(graph: Graph) -> Tree {
        let mut moves = vec![0];
        for position in graph.positions() {
            let options = position.options.iter().map(Vec::len).max().unwrap_or(0);
            moves.push(moves[moves.len() - 1] + options as u32);
        }
        let (settled, position) = (graph.settled(), graph.start());
        Tree { whole: Arc::new(WholeTree { graph, settled, moves }), position }
    }

    /// The positions as written, including those that are worth a number.
    pub fn graph(&self) -> &Graph {
        &self.whole.graph
    }

    /// The thermograph of the position.
    pub fn thermograph(&self) -> Thermograph {
        self.whole.graph.thermographs().swap_remove(self.position)
    }

    /// What each option of a player gains, and where it leads to.
    fn options(&self, player: Player) -> &[(i64, usize)] {
        &self.whole.settled.positions()[self.position].options[player.index()]
    }

    fn option(&self, player: Player, m: u32) -> (i64, usize) {
        self.options(player)[(m - self.whole.moves[self.position]) as usize]
    }
}

impl Component for Tree {
    /// Another one in another position, and for another option of the same player.
    type Move = u32;

    fn moves(&self, player: Player, tell: impl FnMut(u32)) {
        let first = self.whole.moves[self.position];
        (first..first + self.options(player).len() as u32).for_each(tell);
    }

    fn play(&mut self, player: Player, m: u32) -> i64 {
        let (gain, after) = self.option(player, m);
        self.position = after;
        gain
    }

    fn end(&self) -> Option<Dyadic> {
        self.whole.settled.positions()[self.position].end
    }

    fn code(&self) -> u64 {
        self.position as u64
    }

    fn game(&self) -> u64 {
        self.whole.graph.fingerprint()
    }

    fn keys(&self) -> usize {
        self.whole.moves[self.whole.moves.len() - 1] as usize
    }

    fn key(&self, m: u32) -> usize {
        m as usize
    }

    fn move_of(&self, _: Player, key: usize) -> u32 {
        key as u32
    }

    fn move_text(&self, player: Player, m: u32) -> String {
        Tree { whole: Arc::clone(&self.whole), position: self.option(player, m).1 }.to_string()
    }
}

/// Brace notation without spaces. A graph whose positions share options may have a text that is
/// exponentially longer: after [`Tree::MOST`] positions, each other one is written as `…`.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = Tree::MOST;
        write(&self.whole.graph, self.position, &mut left, f)
    }
}

/// Writes a position; `left` counts how many may still be written.
fn write(graph: &Graph, position: usize, left: &mut usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if *left == 0 {
        return f.write_str("…");
    }
    *left -= 1;
    let position = &graph.positions()[position];
    if let Some(x) = position.end {
        return write!(f, "{x}");
    }
    for (player, opening) in PLAYERS.into_iter().zip(["{", "|"]) {
        f.write_str(opening)?;
        for (i, &(_, option)) in position.options[player.index()].iter().enumerate() {
            f.write_str(if i > 0 { "," } else { "" })?;
            write(graph, option, left, f)?;
        }
    }
    f.write_str("}")
}

impl FromStr for Tree {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Tree, ParseError> {
        let mut parser = Parser {
            text: text.chars().collect(),
            at: 0,
            depth: 0,
            positions: Vec::new(),
            numbers: HashMap::new(),
        };
        parser.game()?;
        match parser.peek() {
            None => Ok(Tree::new(Graph::new(parser.positions))),
            Some(_) => Err(parser.expected("the end")),
        }
    }
}

struct Parser {
    text: Vec<char>,
    at: usize,
    depth: usize,
    positions: Vec<Position>,
    /// Equal positions have one number.
    numbers: HashMap<Position, usize>,
}

impl Parser {
    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn expected(&mut self, what: &str) -> ParseError {
        self.peek();
        ParseError::expected(&self.text, self.at, what)
    }

    /// Reads a game and gives the number of its position, which is the last one if it was not known
    /// before.
    fn game(&mut self) -> Result<usize, ParseError> {
        let position = match self.peek() {
            Some('{') if self.depth == Tree::DEEPEST => {
                return Err(ParseError::at(self.at, format!("braces go at most {} deep", Tree::DEEPEST)));
            }
            Some('{') => {
                self.depth += 1;
                let left = self.options('|')?;
                let right = self.options('}')?;
                self.depth -= 1;
                Position { end: None, options: [left, right] }
            }
            Some(c) if c == '-' || c.is_ascii_digit() => {
                Position { end: Some(self.number()?), options: [Vec::new(), Vec::new()] }
            }
            _ => return Err(self.expected("a game: a number or {")),
        };
        if let Some(&number) = self.numbers.get(&position) {
            return Ok(number);
        }
        if self.positions.len() >= Tree::MOST {
            return Err(ParseError::at(self.at, format!("a tree has at most {} positions", Tree::MOST)));
        }
        self.numbers.insert(position.clone(), self.positions.len());
        self.positions.push(position);
        Ok(self.positions.len() - 1)
    }

    /// Reads the character before the options, the options, and looks at `end` behind them; the
    /// last is read too if it is a brace.
    fn options(&mut self, end: char) -> Result<Vec<(i64, usize)>, ParseError> {
        self.at += 1;
        let mut options = Vec::new();
        if self.peek() != Some(end) {
            loop {
                let option = (0, self.game()?);
                if !options.contains(&option) {
                    options.push(option);
                }
                match self.peek() {
                    Some(',') => self.at += 1,
                    Some(c) if c == end => break,
                    _ => return Err(self.expected(if end == '|' { ", or |" } else { ", or }" })),
                }
            }
        }
        if end == '}' {
            self.at += 1;
        }
        Ok(options)
    }

    fn number(&mut self) -> Result<Dyadic, ParseError> {
        let is_negative = self.text[self.at] == '-';
        self.at += usize::from(is_negative);
        let numerator = self.digits(Tree::LARGEST)?;
        let mut exponent = 0;
        if self.text.get(self.at) == Some(&'/') {
            self.at += 1;
            let begin = self.at;
            let denominator = self.digits(Tree::FINEST)?;
            if denominator.count_ones() != 1 {
                return Err(ParseError::at(
                    begin,
                    format!("a denominator is a power of two, not {denominator}"),
                ));
            }
            exponent = denominator.trailing_zeros();
        }
        Ok(Dyadic::new(if is_negative { -numerator } else { numerator }.into(), exponent))
    }

    fn digits(&mut self, most: i64) -> Result<i64, ParseError> {
        let begin = self.at;
        while self.text.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        if self.at == begin {
            return Err(ParseError::expected(&self.text, begin, "a digit"));
        }
        let digits: String = self.text[begin..self.at].iter().collect();
        let number = digits.parse().ok().filter(|&number| number <= most);
        number.ok_or_else(|| ParseError::at(begin, format!("a number here is at most {most}, not {digits}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analysis, Heap};

    #[test]
    fn gains_count() {
        let heap: Heap = "b3r1".parse().unwrap();
        let tree = Tree::new(Graph::of(&heap).0);
        let (trees, heaps) = (crate::Sum::new(vec![tree]), crate::Sum::new(vec![heap]));
        for player in [Player::FIRST, Player::SECOND] {
            let [tree, heap] = [Analysis::new(&trees).solve(), Analysis::new(&heaps).solve()]
                .map(|s| s.unwrap().score(player));
            assert_eq!(tree, heap);
        }
        // Many positions of the game share their options.
        let shared = crate::Domineering::new(4, 4).unwrap();
        let text = Tree::new(shared.graph()).to_string();
        assert!(text.contains('…') && text.len() < 20 * Tree::MOST, "{} bytes", text.len());
        let mut tree = trees.components()[0].clone();
        let mut moves = Vec::new();
        tree.moves(Player::FIRST, |m| moves.push(m));
        assert_ne!(tree.play(Player::FIRST, moves[0]), 0);
    }
}
