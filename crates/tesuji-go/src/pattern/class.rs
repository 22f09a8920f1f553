//! Classes of points: own, enemy, empty, off the board.

use tesuji::Player;

/// The content that a constraint wants at a point, seen by the player to move.
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
    /// A black stone, whoever is to move, `B`.
    Black,
    /// A white stone, whoever is to move, `W`.
    White,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 7] =
        [Class::Own, Class::Enemy, Class::Stone, Class::Empty, Class::Outside, Class::Black, Class::White];

    /// Its letter in the text form.
    pub const fn letter(self) -> char {
        match self {
            Class::Own => 'X',
            Class::Enemy => 'O',
            Class::Stone => '*',
            Class::Empty => '.',
            Class::Outside => '#',
            Class::Black => 'B',
            Class::White => 'W',
        }
    }

    /// The same with stones of this player, who is to move, and the opponent in place of black and
    /// white ones.
    #[must_use]
    pub fn seen_by(self, player: Player) -> Class {
        match self {
            Class::Black if player == Player::FIRST => Class::Own,
            Class::White if player != Player::FIRST => Class::Own,
            Class::Black | Class::White => Class::Enemy,
            class => class,
        }
    }

    /// The class of a letter.
    pub fn of_letter(letter: char) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.letter() == letter)
    }
}
