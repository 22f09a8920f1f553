//! The main line of a game of Go, as a file tells it.

use super::parse::SgfError;
use super::tree::{Location, Node, Property, Tree, text};
use super::{Point, Rectangle};
use std::ops::RangeInclusive;
use tesuji::Player;

/// The smallest board and the largest.
const SIZES: RangeInclusive<usize> = 2..=19;

/// The main line of a game of Go: facts about the game, and the actions on the board.
#[derive(Clone, PartialEq, Debug)]
pub struct MainLine {
    /// Lines of the board (`SZ`), 2 to 19; 19 if the file does not say.
    pub size: usize,
    /// Points added to White's score (`KM`), if the file says it.
    pub komi: Option<f32>,
    /// Stones of handicap (`HA`); 0 if the file does not say.
    pub handicap: usize,
    /// The player of Black (`PB`).
    pub black: String,
    /// The player of White (`PW`).
    pub white: String,
    /// The rules (`RU`).
    pub rules: String,
    /// The program that wrote the file (`AP`), without its version.
    pub application: String,
    /// The result (`RE`), as the file writes it.
    pub result: String,
    /// The actions of the game, in order.
    pub steps: Vec<Step>,
}

/// Something that happens on the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The action.
    pub action: Action,
    /// The comment of the node (`C`), with the first step of it.
    pub comment: String,
    /// The place of the property in the file.
    pub at: Location,
}

/// An action on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// The points are set to stones of this player, or to none (`AB`, `AW`, `AE`).
    Set(Rectangle, Option<Player>),
    /// This player is to move (`PL`).
    ToMove(Player),
    /// A move; no point is a pass (`B`, `W`).
    Play(Player, Option<Point>),
}

impl MainLine {
    /// Reads the main line of a tree.
    ///
    /// # Errors
    /// If the file is of another game, the board is not square or not of 2 to 19 lines, or a
    /// property has a value that it cannot have.
    pub fn read(tree: &Tree) -> Result<MainLine, SgfError> {
        let root = tree.node(Tree::ROOT);
        if let Some(game) = root.get("GM").filter(|p| p.text().trim() != "1") {
            let message = format!("GM[{}] is not a game of Go, which is GM[1]", game.text());
            return Err(SgfError::new(game.at, message));
        }
        let size = root.get("SZ").map_or(Ok(*SIZES.end()), read_size)?;
        let said = |name| root.get(name).map_or(String::new(), Property::text);
        let mut line = MainLine {
            size,
            komi: root.get("KM").map(read_komi).transpose()?,
            handicap: root.get("HA").map_or(Ok(0), read_handicap)?,
            black: said("PB"),
            white: said("PW"),
            rules: said("RU"),
            application: said("AP").split(':').next().unwrap_or_default().trim().to_owned(),
            result: said("RE"),
            steps: Vec::new(),
        };
        for index in tree.main_line() {
            line.read_node(tree.node(index))?;
        }
        Ok(line)
    }

    fn read_node(&mut self, node: &Node) -> Result<(), SgfError> {
        let first = self.steps.len();
        for property in &node.properties {
            let player = match property.name.as_str() {
                "AB" | "B" => Some(Player::FIRST),
                "AW" | "W" => Some(Player::SECOND),
                _ => None,
            };
            match property.name.as_str() {
                "AB" | "AW" | "AE" => {
                    for value in &property.values {
                        let points = read_points(value, self.size, property)?;
                        self.step(Action::Set(points, player), property);
                    }
                }
                "PL" => {
                    let player = match property.text().trim().chars().next() {
                        Some('B' | 'b' | '1') => Player::FIRST,
                        Some('W' | 'w' | '2') => Player::SECOND,
                        _ => return Err(bad(property, "who is to move, B or W")),
                    };
                    self.step(Action::ToMove(player), property);
                }
                _ => {}
            }
        }
        // Set-up comes first even where a file, against the format's advice, mixes it with a move.
        for property in &node.properties {
            let player = match property.name.as_str() {
                "B" => Player::FIRST,
                "W" => Player::SECOND,
                _ => continue,
            };
            let point = read_move(property, self.size)?;
            self.step(Action::Play(player, point), property);
        }
        if let (Some(comment), Some(step)) = (node.get("C"), self.steps.get_mut(first)) {
            step.comment = comment.text();
        }
        Ok(())
    }

    fn step(&mut self, action: Action, property: &Property) {
        self.steps.push(Step { action, comment: String::new(), at: property.at });
    }

    /// The number of moves, passes included.
    pub fn moves(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step.action, Action::Play(..))).count()
    }
}

/// `property` should hold `expected`.
fn bad(property: &Property, expected: &str) -> SgfError {
    let message = format!("{}[{}] is not {expected}", property.name, property.text());
    SgfError::new(property.at, message)
}

fn read_size(property: &Property) -> Result<usize, SgfError> {
    let expected = || bad(property, "the size of a square board, 2 to 19");
    let said = property.text();
    let (columns, rows) = said.split_once(':').unwrap_or((&said, &said));
    let size: usize = columns.trim().parse().map_err(|_| expected())?;
    if rows.trim().parse() != Ok(size) || !SIZES.contains(&size) {
        return Err(expected());
    }
    Ok(size)
}

fn read_komi(property: &Property) -> Result<f32, SgfError> {
    let said = property.text().trim().replace(',', ".");
    let komi = if said.is_empty() { Ok(0.0) } else { said.parse::<f32>() };
    komi.ok().filter(|k| k.is_finite()).ok_or_else(|| bad(property, "a komi such as 6.5"))
}

fn read_handicap(property: &Property) -> Result<usize, SgfError> {
    let said = property.text();
    let handicap = if said.trim().is_empty() { Ok(0) } else { said.trim().parse::<usize>() };
    handicap
        .ok()
        .filter(|&h| h <= SIZES.end() * SIZES.end())
        .ok_or_else(|| bad(property, "a number of stones"))
}

/// A point, or nothing for a pass, which older files write `tt`.
fn read_move(property: &Property, size: usize) -> Result<Option<Point>, SgfError> {
    let said = property.text();
    let said = said.trim();
    match Point::from_sgf(said, size) {
        Some(point) => Ok(Some(point)),
        None if said.is_empty() || said == "tt" => Ok(None),
        None => Err(bad(property, &format!("a point of the {size}x{size} board or a pass"))),
    }
}

/// A point or a rectangle `aa:cc` of points.
fn read_points(value: &str, size: usize, property: &Property) -> Result<Rectangle, SgfError> {
    let said = text(value);
    let (a, b) = said.split_once(':').unwrap_or((&said, &said));
    let read = |t: &str| {
        Point::from_sgf(t.trim(), size).ok_or_else(|| {
            let message =
                format!("{}[{said}] names a point that the {size}x{size} board does not have", property.name);
            SgfError::new(property.at, message)
        })
    };
    Ok(Rectangle::new(read(a)?, read(b)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::parse;

    fn read(text: &str) -> Result<MainLine, SgfError> {
        MainLine::read(&parse(text).unwrap().games[0])
    }

    #[test]
    fn a_game_is_read() {
        let line = read(
            "(;GM[1]SZ[9]KM[6.5]HA[2]PB[b]PW[w]RE[B+2]RU[Chinese]AB[gc][cg:ch]PL[W]\n\
             ;W[ee]C[good];B[tt](;W[];B[aa])(;W[bb]))",
        )
        .unwrap();
        assert_eq!((line.size, line.komi, line.handicap, line.moves()), (9, Some(6.5), 2, 4));
        assert_eq!((&*line.black, &*line.white, &*line.result, &*line.rules), ("b", "w", "B+2", "Chinese"));
        let point = |text| Point::parse(text, 9).unwrap();
        let points = |a, b| Rectangle::new(point(a), point(b));
        let actions: Vec<Action> = line.steps.iter().map(|s| s.action).collect();
        assert_eq!(
            actions,
            [
                Action::Set(points("G7", "G7"), Some(Player::FIRST)),
                Action::Set(points("C3", "C2"), Some(Player::FIRST)),
                Action::ToMove(Player::SECOND),
                Action::Play(Player::SECOND, Some(point("E5"))),
                Action::Play(Player::FIRST, None),
                Action::Play(Player::SECOND, None),
                Action::Play(Player::FIRST, Some(point("A9"))),
            ]
        );
        assert_eq!(line.steps[3].comment, "good");
        assert_eq!(read("(;)").unwrap().size, 19);
        assert_eq!(read("(;KM[3.75])").unwrap().komi, Some(3.75));
    }

    #[test]
    fn many_points_in_few_letters_take_little_memory() {
        let text = format!("(;AE{})", "[aa:ss]".repeat(20_000));
        assert_eq!(read(&text).unwrap().steps.len(), 20_000);
    }

    #[test]
    fn faults_are_named() {
        for (text, expected) in [
            ("(;GM[2])", "line 1, column 3: GM[2] is not a game of Go, which is GM[1]"),
            ("(;SZ[20])", "line 1, column 3: SZ[20] is not the size of a square board, 2 to 19"),
            ("(;\nSZ[1])", "line 2, column 1: SZ[1] is not the size of a square board, 2 to 19"),
            ("(;SZ[9:7])", "line 1, column 3: SZ[9:7] is not the size of a square board, 2 to 19"),
            ("(;KM[much])", "line 1, column 3: KM[much] is not a komi such as 6.5"),
            ("(;HA[-1])", "line 1, column 3: HA[-1] is not a number of stones"),
            ("(;SZ[9];B[jj])", "line 1, column 9: B[jj] is not a point of the 9x9 board or a pass"),
            ("(;SZ[9]AB[aa][jj])", "line 1, column 8: AB[jj] names a point that the 9x9 board does not have"),
            ("(;PL[x])", "line 1, column 3: PL[x] is not who is to move, B or W"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), expected);
        }
    }
}
