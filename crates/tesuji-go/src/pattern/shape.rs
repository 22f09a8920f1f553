//! A pattern, its text, and its images.

use super::Class;
use std::fmt;
use std::str::FromStr;

/// The greatest distance of a constraint from the point, in columns and in rows.
pub const RADIUS: i8 = 3;

/// The least size of a board that has all the kinds of points that larger ones have.
pub(super) const ALL_PLACES: i8 = 2 * RADIUS + 1;

/// The wanted content of one place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Constraint {
    /// Columns to the right of the point, from -[`RADIUS`] to [`RADIUS`].
    pub columns: i8,
    /// Rows above the point, in the same range.
    pub rows: i8,
    /// The wanted content.
    pub class: Class,
}

/// Constraints on the surroundings of an empty point. A pattern matches a point if it or any of its
/// images under the eight symmetries of the board does; the pass is never matched.
///
/// A pattern is stored as the least of its images. So two patterns are equal if one is an image of
/// the other.
///
/// ```
/// use tesuji_go::pattern::Pattern;
/// let pattern: Pattern = "+1+0:X +0-2:.".parse().unwrap();
/// assert_eq!(pattern, "-2+0:. +0+1:X".parse().unwrap());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern(Vec<Constraint>);

/// Why constraints are no pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PatternError {
    /// There is no constraint.
    Empty,
    /// A constraint cannot be read.
    Syntax(String),
    /// A constraint names the point itself or a place that is too far away.
    Place(i8, i8),
    /// Two constraints name the same place.
    Twice(i8, i8),
    /// The pattern matches no point of any board, because its places outside do not lie beyond
    /// edges.
    Impossible,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternError::Empty => f.write_str("a pattern has at least one constraint"),
            PatternError::Syntax(word) => write!(
                f,
                "{word:?} is not a constraint; accepted: columns, rows and X, O, *, ., #, B or W, as in +2-1:O"
            ),
            PatternError::Place(columns, rows) => write!(
                f,
                "the place {columns:+}{rows:+} cannot be constrained; accepted: from -{RADIUS} to +{RADIUS}, and not +0+0"
            ),
            PatternError::Twice(columns, rows) => {
                write!(f, "the place {columns:+}{rows:+} is constrained twice")
            }
            PatternError::Impossible => {
                f.write_str("no point of any board has such places outside the board")
            }
        }
    }
}

impl std::error::Error for PatternError {}

impl Pattern {
    /// The pattern of these constraints, in any order.
    ///
    /// # Errors
    /// If they are no pattern, see [`PatternError`].
    pub fn new(constraints: Vec<Constraint>) -> Result<Pattern, PatternError> {
        if constraints.is_empty() {
            return Err(PatternError::Empty);
        }
        let inside = -RADIUS..=RADIUS;
        for c in &constraints {
            if (c.columns, c.rows) == (0, 0) || !inside.contains(&c.columns) || !inside.contains(&c.rows) {
                return Err(PatternError::Place(c.columns, c.rows));
            }
        }
        let least = (0..8).map(|symmetry| image(&constraints, symmetry)).min();
        let pattern = Pattern(least.ok_or(PatternError::Empty)?);
        let place = |c: &Constraint| (c.columns, c.rows);
        if let Some(pair) = pattern.0.windows(2).find(|pair| place(&pair[0]) == place(&pair[1])) {
            return Err(PatternError::Twice(pair[0].columns, pair[0].rows));
        }
        let possible = (1..=ALL_PLACES).any(|size| pattern.is_possible(size));
        if possible { Ok(pattern) } else { Err(PatternError::Impossible) }
    }

    /// The constraints, in order of columns and rows.
    pub fn constraints(&self) -> &[Constraint] {
        &self.0
    }

    /// The different images of the pattern, one to eight.
    pub fn images(&self) -> Vec<Vec<Constraint>> {
        let mut images: Vec<Vec<Constraint>> = (0..8).map(|symmetry| image(&self.0, symmetry)).collect();
        images.sort();
        images.dedup();
        images
    }

    /// Whether some point of a board of this size has the right places outside.
    pub(super) fn is_possible(&self, size: i8) -> bool {
        let size = 0..size;
        let fits = |column: i8, row: i8| {
            self.0.iter().all(|c| {
                let inside = size.contains(&(column + c.columns)) && size.contains(&(row + c.rows));
                inside == (c.class != Class::Outside)
            })
        };
        size.clone().any(|column| size.clone().any(|row| fits(column, row)))
    }
}

/// The constraints under one of the eight symmetries, in order.
fn image(constraints: &[Constraint], symmetry: u8) -> Vec<Constraint> {
    let turn = |&Constraint { columns, rows, class }: &Constraint| {
        let (x, y) = if symmetry & 1 == 0 { (columns, rows) } else { (rows, columns) };
        let flip = |x: i8, bit: u8| if symmetry & bit == 0 { x } else { -x };
        Constraint { columns: flip(x, 2), rows: flip(y, 4), class }
    };
    let mut image: Vec<Constraint> = constraints.iter().map(turn).collect();
    image.sort_unstable();
    image
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, c) in self.0.iter().enumerate() {
            let gap = if i > 0 { " " } else { "" };
            write!(f, "{gap}{:+}{:+}:{}", c.columns, c.rows, c.class.letter())?;
        }
        Ok(())
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        let read = |word: &str| -> Option<Constraint> {
            let (place, letter) = word.split_once(':')?;
            let second = place.char_indices().skip(1).find(|(_, c)| matches!(c, '+' | '-'))?.0;
            let (columns, rows) = place.split_at_checked(second)?;
            let mut letters = letter.chars();
            let class = letters.next().and_then(Class::of_letter)?;
            let whole = letters.next().is_none() && place.starts_with(['+', '-']);
            whole.then_some(Constraint { columns: columns.parse().ok()?, rows: rows.parse().ok()?, class })
        };
        let constraints = text
            .split_whitespace()
            .map(|word| read(word).ok_or_else(|| PatternError::Syntax(word.to_owned())))
            .collect::<Result<_, _>>()?;
        Pattern::new(constraints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_names_what_is_wrong() {
        for (text, error) in [
            ("", PatternError::Empty),
            ("+1+1X", PatternError::Syntax("+1+1X".into())),
            ("1+1:X", PatternError::Syntax("1+1:X".into())),
            ("+1:X", PatternError::Syntax("+1:X".into())),
            ("+1+1:XX", PatternError::Syntax("+1+1:XX".into())),
            ("+1+1:Y", PatternError::Syntax("+1+1:Y".into())),
            ("+0+0:X", PatternError::Place(0, 0)),
            ("+4+0:X", PatternError::Place(4, 0)),
            ("+127+0:X", PatternError::Place(127, 0)),
            ("+1+0:X +1+0:.", PatternError::Twice(-1, 0)),
            ("+1+0:# +2+0:X", PatternError::Impossible),
            ("+1+0:# -1+0:# +0+1:X", PatternError::Impossible),
        ] {
            assert_eq!(text.parse::<Pattern>(), Err(error.clone()), "{text}: {error}");
        }
    }

    #[test]
    fn a_pattern_may_have_two_edges_of_a_small_board() {
        for (text, sizes) in [
            ("+3+0:# -3+0:#", &[1, 2, 3, 4, 5][..]),
            ("+1+0:# -1+0:#", &[1]),
            ("+1+0:# -3+0:.", &[4, 5, 6, 7]),
        ] {
            let pattern: Pattern = text.parse().unwrap();
            let possible: Vec<i8> = (1..=ALL_PLACES).filter(|&size| pattern.is_possible(size)).collect();
            assert_eq!(possible, sizes, "{text}");
        }
    }

    #[test]
    fn a_pattern_is_the_least_of_its_images() {
        let pattern: Pattern = "+2+1:O +3+0:* -1-1:.".parse().unwrap();
        assert_eq!(pattern.images().len(), 8);
        for image in pattern.images() {
            assert_eq!(Pattern::new(image).unwrap(), pattern);
        }
        assert_eq!(pattern.to_string().parse::<Pattern>().unwrap(), pattern);
        let cross: Pattern = "+1+0:X -1+0:X +0+1:X +0-1:X".parse().unwrap();
        assert_eq!(cross.images().len(), 1);
        assert_eq!("+1+0:#".parse::<Pattern>().unwrap().images().len(), 4);
    }
}
