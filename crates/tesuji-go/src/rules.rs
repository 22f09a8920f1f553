//! The rules that two players agree on before a game.

use crate::rule_set::RuleSet;
use core::fmt;
use core::str::FromStr;

/// The rules of a game of Go.
///
/// Always: area scoring after Tromp and Taylor, positional superko (no move may bring back an
/// earlier whole-board position; a pass may always be played), two consecutive passes end the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// White's points for moving second. Default 7.5.
    pub komi: Komi,
    /// Whether a move may remove the mover's own stones. Suicide of a single stone repeats the
    /// position, so it is never legal. Default: no. Playouts never commit suicide.
    pub suicide: bool,
    /// The rules that a network sees. They do not change the game itself. Default: those of Tromp
    /// and Taylor.
    pub told: RuleSet,
    /// A playout ends after this many moves, and its board is counted; `None`: three times the
    /// number of points. Default: `None`.
    pub playout_cap: Option<u32>,
    /// A playout ends when one player has this many more stones on the board than the other, and
    /// counts as a win for that player. Default: never.
    pub mercy: Option<u16>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            komi: Komi::from_halves(15),
            suicide: false,
            told: RuleSet::TROMP_TAYLOR,
            playout_cap: None,
            mercy: None,
        }
    }
}

/// Points added to White's score, in halves: 7.5 is 15 halves. An integer komi makes draws
/// possible.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Komi(i16);

impl Komi {
    /// The largest komi for either player, in points.
    pub const MAX: i16 = 999;

    /// This many half points.
    pub const fn from_halves(halves: i16) -> Komi {
        Komi(halves)
    }

    /// The komi that decides every game in the same way as this number of points, at most
    /// [`Komi::MAX`] for either player. Scores are whole numbers, so any komi between two whole
    /// numbers equals the half between them. NaN counts as 0.
    pub fn from_points(points: f32) -> Komi {
        let max = f32::from(Komi::MAX);
        let points = points.clamp(-max, max);
        Komi((points.floor() + points.ceil()) as i16)
    }

    /// The number of half points.
    pub const fn halves(self) -> i16 {
        self.0
    }

    /// The number of points.
    pub fn points(self) -> f32 {
        f32::from(self.0) / 2.0
    }
}

/// Reads `7.5`, `0`, `-6`, `6.50`: a decimal number that is a multiple of a half.
impl FromStr for Komi {
    type Err = KomiError;

    fn from_str(text: &str) -> Result<Komi, KomiError> {
        let error = || KomiError(text.chars().take(40).collect());
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        if whole.is_empty() || !whole.bytes().chain(part.bytes()).all(|b| b.is_ascii_digit()) {
            return Err(error());
        }
        let half = match part.trim_end_matches('0') {
            "" => 0,
            "5" => 1,
            _ => return Err(error()),
        };
        let points = whole.parse().ok().filter(|&p: &i16| p <= Komi::MAX).ok_or_else(error)?;
        let halves = 2 * points + half;
        if halves > 2 * Komi::MAX {
            return Err(error());
        }
        Ok(Komi(if negative { -halves } else { halves }))
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let halves = self.0.unsigned_abs();
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}{}", halves / 2, if halves % 2 == 1 { ".5" } else { "" })
    }
}

/// A text is no [`Komi`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KomiError(String);

impl fmt::Display for KomiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let max = Komi::MAX;
        write!(f, "komi '{}' is not a multiple of 0.5 between -{max} and {max}, such as 7.5", self.0)
    }
}

impl core::error::Error for KomiError {}

/// Why a move may not be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// There is no such point on this board.
    OffBoard,
    /// There is a stone on the point.
    Occupied,
    /// The stone and its chain would have no liberty.
    Suicide,
    /// The move would bring back an earlier position.
    Superko,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Illegal::OffBoard => "the point is not on the board",
            Illegal::Occupied => "the point is occupied",
            Illegal::Suicide => "the move would be suicide",
            Illegal::Superko => "the move would repeat an earlier position",
        })
    }
}

impl core::error::Error for Illegal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_reads_multiples_of_a_half() {
        for (text, halves) in
            [("7.5", 15), ("0", 0), ("-6", -12), ("6.50", 13), ("+0.5", 1), ("-0.5", -1), ("5.", 10)]
        {
            assert_eq!(text.parse(), Ok(Komi(halves)), "{text}");
        }
        for text in
            ["", "-", ".5", "7.25", "seven", "999.5", "1000", "1e3", "7,5", "--1", "NaN", "99999999999"]
        {
            let error = text.parse::<Komi>().unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
    }

    #[test]
    fn any_number_of_points_is_a_komi() {
        for (points, halves) in [
            (7.5, 15),
            (7.0, 14),
            (6.25, 13),
            (3.75, 7),
            (0.01, 1),
            (-0.01, -1),
            (-3.75, -7),
            (0.0, 0),
            (999.0, 1998),
            (1000.0, 1998),
            (-1e30, -1998),
            (f32::NAN, 0),
        ] {
            assert_eq!(Komi::from_points(points), Komi(halves), "{points}");
        }
    }

    #[test]
    fn komi_prints_what_it_reads() {
        for halves in -50..50 {
            let komi = Komi(halves);
            assert_eq!(komi.to_string().parse(), Ok(komi));
        }
        assert_eq!(Komi(-1).to_string(), "-0.5");
    }
}
