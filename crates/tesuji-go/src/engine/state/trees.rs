//! Saving the tree of a search, and going on with one.

use super::*;

impl Engine {
    /// The label of a saved tree: the position, and the agent by its text ([`TreeLabel::recipe`]).
    pub fn tree_label(&self, recipe: String) -> TreeLabel {
        let of = |&(player, m): &(Player, Move)| {
            format!("{}{}", if player == Player::FIRST { "B " } else { "W " }, move_text(m))
        };
        let told = match self.rules.told {
            RuleSet::TROMP_TAYLOR => String::new(),
            told => format!(" and rules {}", told.to_object(self.rules.suicide)),
        };
        TreeLabel {
            recipe,
            game: format!("go:{} with komi {}{told}", self.size(), self.komi()),
            moves: self.moves().iter().map(of).collect::<Vec<_>>().join(" "),
        }
    }

    /// Saves the tree of the latest search, as [`Bot::save_tree`](tesuji::Bot::save_tree) does.
    ///
    /// # Errors
    /// If the agent cannot.
    pub fn save_tree(&mut self, label: &TreeLabel) -> Result<Vec<u8>, SavedTreeError> {
        self.game_state.save_tree(label)
    }

    /// Opens a saved tree of the position, as [`Bot::open_tree`](tesuji::Bot::open_tree) does. The
    /// next search for this player to move continues from it.
    ///
    /// # Errors
    /// If the agent cannot, or there is no such tree in these bytes.
    pub fn open_tree(
        &mut self,
        player: Player,
        label: &TreeLabel,
        bytes: &[u8],
    ) -> Result<(), SavedTreeError> {
        self.game_state.open_tree(player, label, bytes)
    }
}
