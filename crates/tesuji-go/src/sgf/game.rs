//! The main line of a game of Go, as a file tells it.

use super::charset::charset_of;
use super::error::{Location, SgfError};
use super::tree::{Node, Property, Tree, text};
use super::{APPLICATION, Point, Rectangle};
use crate::rules::Komi;
use std::ops::RangeInclusive;
use tesuji::Player;

/// The smallest board and the largest.
const SIZES: RangeInclusive<usize> = 2..=19;

/// The main line of a game of Go: facts about the game, and the actions on the board.
#[derive(Clone, PartialEq, Debug)]
pub struct MainLine {
    /// Lines of the board (`SZ`), 2 to 19; 19 if the file does not say.
    pub size: usize,
    /// Points added to White's score (`KM`), if the file says it, as [`Komi::from_points`] takes
    /// them. Chinese records count stones, and a stone is two points: a quarter is doubled where
    /// the rules are Chinese.
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
    /// The comments (`C`) before the first action: those of the nodes without one.
    pub comment: String,
    /// The actions of the game, in order.
    pub steps: Vec<Step>,
    /// Faults of the file that do not prevent its reading, with what was taken instead.
    pub faults: Vec<SgfError>,
}

/// Something that happens on the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The action.
    pub action: Action,
    /// The comment of the node (`C`), with the first step of it. Comments of nodes without a step
    /// follow that of the last step before them, after an empty line.
    pub comment: String,
    /// Whether a move is to be made even if it is illegal (`KO`).
    pub forced: bool,
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
    /// If the file is of another game, the board is not square or not of 2 to 19 lines, or a stone
    /// or a move is not on the board.
    pub fn read(tree: &Tree) -> Result<MainLine, SgfError> {
        let root = tree.node(Tree::ROOT);
        let mut faults = Vec::new();
        if let Some(game) = root.get("GM").filter(|p| p.text().trim() != "1") {
            if !game.text().trim().is_empty() {
                return Err(bad(game, "a game of Go, which is GM[1]"));
            }
            faults.push(bad(game, "the number of a game; the game is Go"));
        }
        if let Some(charset) = root.get("CA").filter(|p| charset_of(p.text().as_bytes()).is_none()) {
            faults.push(bad(charset, "a known charset; the file is read as UTF-8, or else as Latin-1"));
        }
        let size = root.get("SZ").map_or(Ok(*SIZES.end()), |size| read_size(size, &mut faults))?;
        let said = |name| root.get(name).map_or(String::new(), Property::text);
        let rules = said("RU");
        let application = said("AP").split(':').next().unwrap_or_default().trim().to_owned();
        let mut line = MainLine {
            size,
            komi: root.get("KM").and_then(|komi| read_komi(komi, &rules, &application, &mut faults)),
            handicap: root.get("HA").map_or(0, |handicap| read_handicap(handicap, &mut faults)),
            black: said("PB"),
            white: said("PW"),
            rules,
            application,
            result: said("RE"),
            comment: String::new(),
            steps: Vec::new(),
            faults,
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
                        if text(value).trim().is_empty() {
                            self.faults.push(bad(property, "a list of points; it is left out"));
                            continue;
                        }
                        let points = read_points(value, self.size, property)?;
                        self.step(Action::Set(points, player), property);
                    }
                }
                "PL" => match read_turn(property) {
                    Some(player) => self.step(Action::ToMove(player), property),
                    None => self.faults.push(bad(property, "who is to move, B or W; it is left out")),
                },
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
        if node.get("KO").is_some() {
            self.steps[first..].iter_mut().for_each(|step| step.forced = true);
        }
        if let Some(comment) = node.get("C").map(Property::text) {
            // A node without a step has its comment where the last one was.
            let step =
                if first < self.steps.len() { self.steps.get_mut(first) } else { self.steps.last_mut() };
            let about = step.map_or(&mut self.comment, |step| &mut step.comment);
            if !about.is_empty() && !comment.is_empty() {
                about.push_str("\n\n");
            }
            about.push_str(&comment);
        }
        Ok(())
    }

    fn step(&mut self, action: Action, property: &Property) {
        self.steps.push(Step { action, comment: String::new(), forced: false, at: property.at });
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

fn read_size(property: &Property, faults: &mut Vec<SgfError>) -> Result<usize, SgfError> {
    let expected = || bad(property, "the size of a square board, 2 to 19");
    let said = property.text();
    if said.trim().is_empty() {
        faults.push(bad(property, "the size of a board; it is 19x19"));
        return Ok(*SIZES.end());
    }
    let (columns, rows) = said.split_once(':').unwrap_or((&said, &said));
    let size: usize = columns.trim().parse().map_err(|_| expected())?;
    if rows.trim().parse() != Ok(size) || !SIZES.contains(&size) {
        return Err(expected());
    }
    Ok(size)
}

fn read_komi(property: &Property, rules: &str, application: &str, faults: &mut Vec<SgfError>) -> Option<f32> {
    let said = property.text().trim().replace(',', ".");
    if said.is_empty() {
        return Some(0.0);
    }
    let end = said.find(|c: char| !matches!(c, '+' | '-' | '.' | '0'..='9')).unwrap_or(said.len());
    let Ok(mut komi) = said[..end].parse::<f32>() else {
        faults.push(bad(property, "a komi such as 6.5; it is left out"));
        return None;
    };
    // Fox Go Server writes hundredths of a point.
    let is_hundredths = application != APPLICATION && komi.abs() >= 100.0 && komi % 25.0 == 0.0;
    if is_hundredths {
        komi /= 100.0;
    }
    if (2.0 * komi).fract() != 0.0 && (4.0 * komi).fract() == 0.0 && is_chinese(rules) {
        komi *= 2.0;
    }
    let taken = Komi::from_points(komi);
    if end < said.len() || taken.points() != komi || is_hundredths {
        faults.push(bad(property, &format!("a komi such as 6.5; it is {taken}")));
    }
    Some(taken.points())
}

fn is_chinese(rules: &str) -> bool {
    let letters: String = rules.trim().chars().take(7).flat_map(char::to_lowercase).collect();
    letters == "chinese"
}

fn read_handicap(property: &Property, faults: &mut Vec<SgfError>) -> usize {
    let said = property.text();
    let handicap = if said.trim().is_empty() { Some(0) } else { said.trim().parse().ok() };
    handicap.filter(|&h| h <= SIZES.end() * SIZES.end()).unwrap_or_else(|| {
        faults.push(bad(property, "a number of stones; it is left out"));
        0
    })
}

/// The player whom `PL` names, if it is one.
pub(crate) fn read_turn(property: &Property) -> Option<Player> {
    match property.text().trim().chars().next()? {
        'B' | 'b' | '1' => Some(Player::FIRST),
        'W' | 'w' | '2' => Some(Player::SECOND),
        _ => None,
    }
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
    }

    #[test]
    fn no_comment_is_lost() {
        let line =
            read("(;SZ[9]C[root];C[more];AB[aa]C[set]PL[W];W[ee]C[one];C[two];C[];B[cc];C[last])").unwrap();
        assert_eq!(line.comment, "root\n\nmore");
        let comments: Vec<&str> = line.steps.iter().map(|step| &*step.comment).collect();
        assert_eq!(comments, ["set", "", "one\n\ntwo", "last"]);
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
            ("(;SZ[9];B[jj])", "line 1, column 9: B[jj] is not a point of the 9x9 board or a pass"),
            ("(;SZ[9]AB[aa][jj])", "line 1, column 8: AB[jj] names a point that the 9x9 board does not have"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn faults_that_leave_a_game_are_passed_over() {
        for (text, faults, komi) in [
            ("(;GM[1]SZ[9]KM[6.5]HA[0]PL[W]CA[cp936];B[aa]KO[])", &[][..], Some(6.5)),
            ("(;GM[])", &["GM[] is not the number of a game; the game is Go"], None),
            ("(;SZ[])", &["SZ[] is not the size of a board; it is 19x19"], None),
            ("(;KM[6.5 points])", &["KM[6.5 points] is not a komi such as 6.5; it is 6.5"], Some(6.5)),
            ("(;KM[much])", &["KM[much] is not a komi such as 6.5; it is left out"], None),
            ("(;KM[])", &[], Some(0.0)),
            ("(;AB[]KM[0])", &["AB[] is not a list of points; it is left out"], Some(0.0)),
            ("(;KM[6,5])", &[], Some(6.5)),
            ("(;HA[x])", &["HA[x] is not a number of stones; it is left out"], None),
            ("(;HA[-1])", &["HA[-1] is not a number of stones; it is left out"], None),
            ("(;PL[])", &["PL[] is not who is to move, B or W; it is left out"], None),
            ("(;PL[x])", &["PL[x] is not who is to move, B or W; it is left out"], None),
            (
                "(;CA[klingon])",
                &["CA[klingon] is not a known charset; the file is read as UTF-8, or else as Latin-1"],
                None,
            ),
            // Chinese records count stones, of which each is two points.
            ("(;KM[3.75]RU[Chinese])", &[], Some(7.5)),
            ("(;KM[2.75]RU[chinese-kgs])", &[], Some(5.5)),
            ("(;KM[7.5]RU[Chinese])", &[], Some(7.5)),
            ("(;KM[3.75])", &["KM[3.75] is not a komi such as 6.5; it is 3.5"], Some(3.5)),
            ("(;KM[3.75]RU[Japanese])", &["KM[3.75] is not a komi such as 6.5; it is 3.5"], Some(3.5)),
            ("(;KM[375]RU[Chinese])", &["KM[375] is not a komi such as 6.5; it is 7.5"], Some(7.5)),
            ("(;KM[650]RU[Japanese])", &["KM[650] is not a komi such as 6.5; it is 6.5"], Some(6.5)),
            ("(;KM[375]AP[tesuji])", &[], Some(375.0)),
            ("(;KM[1001])", &["KM[1001] is not a komi such as 6.5; it is 999"], Some(999.0)),
        ] {
            let line = read(text).unwrap();
            let expected: Vec<String> = faults.iter().map(|f| format!("line 1, column 3: {f}")).collect();
            let said: Vec<String> = line.faults.iter().map(SgfError::to_string).collect();
            assert_eq!((said, line.komi), (expected, komi), "{text}");
        }
    }
}
