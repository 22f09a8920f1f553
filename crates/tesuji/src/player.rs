//! Players and the order of their turns.

/// One of the players of a game, counted from 0 in the order in which they first move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Player(u8);

impl Player {
    /// The player who moves first (Black in Go).
    pub const FIRST: Player = Player(0);
    /// The player who moves second (White in Go).
    pub const SECOND: Player = Player(1);

    /// The player with this index.
    ///
    /// # Panics
    /// If `index` is above 255.
    #[inline]
    pub const fn new(index: usize) -> Player {
        assert!(index <= u8::MAX as usize, "a player's index is below 256");
        Player(index as u8)
    }

    /// 0 for the first player, 1 for the second, and so on.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The opponent in a game of two.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Player {
        Player(self.0 ^ 1)
    }
}
