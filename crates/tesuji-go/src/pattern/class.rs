//! What may be at a point.

/// What a constraint wants of a point, seen by the player to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A stone of the player to move, `X`.
    Own,
    /// A stone of the opponent, `O`.
    Enemy,
    /// A stone of either colour, `*`.
    Stone,
    /// No stone, `.`.
    Empty,
    /// A place outside the board, `#`.
    Outside,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 5] = [Class::Own, Class::Enemy, Class::Stone, Class::Empty, Class::Outside];

    /// Its letter in the text form.
    pub const fn letter(self) -> char {
        match self {
            Class::Own => 'X',
            Class::Enemy => 'O',
            Class::Stone => '*',
            Class::Empty => '.',
            Class::Outside => '#',
        }
    }

    /// The class of a letter.
    pub fn of_letter(letter: char) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.letter() == letter)
    }
}
