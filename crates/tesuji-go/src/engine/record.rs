//! The record of the engine's game: the moves, and the other content of a loaded file.

use super::Move;
use super::stones::Stones;
use crate::sgf::{APPLICATION, Node, Point, Tree, read_turn};
use tesuji::Player;

/// What the head of a record says, whatever a file said there.
const HEAD: [&str; 9] = ["FF", "GM", "CA", "AP", "SZ", "KM", "HA", "RU", "RE"];

/// The record of a game.
///
/// A node holds one move, or what is set up, never both: a loaded file is taken apart so.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    tree: Tree,
    /// The node of the position as it is.
    at: usize,
    /// Nodes of a loaded file. Those behind them were added since, the last one last.
    loaded: usize,
}

/// What the engine says of the game in the root.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) size: usize,
    pub(super) komi: f32,
    pub(super) handicap: usize,
    pub(super) rules: String,
    pub(super) result: String,
    pub(super) to_move: Player,
}

impl Record {
    /// A game that begins with these stones.
    pub(super) fn start(stones: &Stones) -> Record {
        let mut record = Record::default();
        let edits: Vec<_> = stones.points().filter_map(|p| Some((p, Some(stones.get(p)?)))).collect();
        record.write_edits(Tree::ROOT, &edits, stones.size());
        record
    }

    /// The game of a file, before its first move.
    pub(super) fn load(file: &Tree) -> Record {
        let mut tree = Tree::new();
        let mut open = vec![(Tree::ROOT, None)];
        while let Some((index, parent)) = open.pop() {
            let mut at = parent.map_or(Tree::ROOT, |parent| tree.add(parent));
            let node = file.node(index);
            // Set-up comes first, as a file is read.
            let is_move = |name: &str| matches!(name, "B" | "W");
            let mixed = node.properties.iter().filter(|p| is_move(&p.name) || is_set_up(&p.name)).count() > 1;
            let apart = |name: &str| is_move(name) && (mixed || at == Tree::ROOT);
            let (moves, others): (Vec<_>, Vec<_>) = node.properties.iter().partition(|p| apart(&p.name));
            for property in others {
                tree.add_property(at, property.clone());
            }
            for property in moves {
                let taken = tree.node(at).properties.iter().any(|p| is_move(&p.name) || is_set_up(&p.name));
                if taken || at == Tree::ROOT {
                    at = tree.add(at);
                }
                tree.add_property(at, property.clone());
            }
            open.extend(node.children().iter().rev().map(|&child| (child, Some(at))));
        }
        let loaded = tree.len();
        Record { tree, at: Tree::ROOT, loaded }
    }

    fn has_move(&self, index: usize) -> bool {
        move_of(self.tree.node(index)).is_some()
    }

    fn first_child(&self) -> Option<usize> {
        self.tree.node(self.at).children().first().copied()
    }

    /// Goes to the next move of the file's main line.
    pub(super) fn next_move(&mut self) {
        while let Some(child) = self.first_child() {
            self.at = child;
            if self.has_move(child) {
                return;
            }
        }
    }

    /// Goes over what the main line sets up before its next move, or at its end.
    pub(super) fn next_set_up(&mut self) {
        while let Some(child) = self.first_child().filter(|&child| !self.has_move(child)) {
            self.at = child;
        }
    }

    /// A move is played; one that the file has leads on in it.
    pub(super) fn play(&mut self, player: Player, m: Move, size: usize) {
        let known = |child: &&usize| {
            move_of(self.tree.node(**child)).is_some_and(|(p, text)| {
                let text = text.trim();
                p == player
                    && match Point::from_sgf(text, size) {
                        None => m.is_none() && (text.is_empty() || text == "tt"),
                        point => point == m,
                    }
            })
        };
        let child = self.tree.node(self.at).children().iter().find(known).copied();
        self.at = child.unwrap_or_else(|| {
            let node = self.tree.add(self.at);
            self.tree.set(node, colour(player), &[&m.map_or(String::new(), |p| p.to_sgf(size))]);
            node
        });
    }

    /// Says of the last move that it was played even if rules forbid it.
    pub(super) fn force(&mut self) {
        if self.tree.node(self.at).get("KO").is_none() {
            self.tree.set(self.at, "KO", &[""]);
        }
    }

    /// The last move is taken back. What was added is forgotten, what the file has is kept.
    pub(super) fn undo(&mut self) {
        while let Some(parent) = self.tree.node(self.at).parent() {
            let had_move = self.has_move(self.at);
            if self.at >= self.loaded {
                self.tree.remove_last();
            }
            self.at = parent;
            if had_move {
                return;
            }
        }
    }

    /// Points are set to stones, or made empty. At the beginning of a game of our own that is
    /// another beginning, with `stones`.
    pub(super) fn set_up(&mut self, edits: &[(Point, Option<Player>)], stones: &Stones) {
        if self.loaded == 0 && self.at == Tree::ROOT {
            *self = Record::start(stones);
        } else {
            let node = self.tree.add(self.at);
            self.write_edits(node, edits, stones.size());
            self.at = node;
        }
    }

    fn write_edits(&mut self, node: usize, edits: &[(Point, Option<Player>)], size: usize) {
        for (name, stone) in [("AB", Some(Player::FIRST)), ("AW", Some(Player::SECOND)), ("AE", None)] {
            let points: Vec<String> =
                edits.iter().filter(|e| e.1 == stone).map(|e| e.0.to_sgf(size)).collect();
            if !points.is_empty() {
                self.tree.set(node, name, &points.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
    }

    /// The result that the file tells, where the game is at the end of its main line.
    pub(super) fn result(&self) -> Option<String> {
        let ends = self.at < self.loaded && self.tree.main_line().last() == Some(&self.at);
        let result = self.tree.node(Tree::ROOT).get("RE").filter(|_| ends)?;
        Some(result.text())
    }

    /// The game up to now as the main line, with every variation that leaves it before.
    pub(super) fn to_tree(&self, head: &Head) -> Tree {
        let mut path = vec![self.at];
        while let Some(parent) = self.tree.node(path[path.len() - 1]).parent() {
            path.push(parent);
        }
        path.reverse();
        let mut out = Tree::new();
        let root = self.tree.node(Tree::ROOT);
        for (name, value) in HEAD.into_iter().zip(head.values()) {
            if !value.is_empty() {
                out.set(Tree::ROOT, name, &[&value]);
            }
        }
        for property in root.properties.iter().filter(|p| !HEAD.contains(&p.name.as_str())) {
            out.add_property(Tree::ROOT, property.clone());
        }
        let first = path.iter().find_map(|&index| Some(move_of(self.tree.node(index))?.0));
        // Black begins, or White after a handicap: whose turn it is need be said only where it is
        // not so.
        let begins = if head.handicap > 1 { Player::SECOND } else { Player::FIRST };
        let mut turn = said_turn(root).unwrap_or(begins);
        let told = path[1..].iter().take_while(|&&index| !self.has_move(index));
        let told = told.filter_map(|&index| said_turn(self.tree.node(index))).last();
        if let Some(first) = first.filter(|&first| first != told.unwrap_or(turn)) {
            out.replace(Tree::ROOT, "PL", colour(first));
            turn = first;
        }
        let mut at = Tree::ROOT;
        for pair in path.windows(2) {
            let (here, next) = (pair[0], pair[1]);
            let node = self.tree.node(next);
            let main = out.add(at);
            node.properties.iter().for_each(|p| out.add_property(main, p.clone()));
            turn = move_of(node).map(|(player, _)| player.other()).or(said_turn(node)).unwrap_or(turn);
            let others = self.tree.node(here).children().iter().filter(|&&child| child != next);
            others.for_each(|&child| self.copy_branch(child, &mut out, at));
            at = main;
        }
        if head.to_move != turn {
            if at != Tree::ROOT {
                at = out.add(at);
            }
            out.replace(at, "PL", colour(head.to_move));
        }
        out
    }

    /// Copies a variation to below `parent`.
    fn copy_branch(&self, from: usize, out: &mut Tree, parent: usize) {
        let mut open = vec![(from, parent)];
        while let Some((index, parent)) = open.pop() {
            let at = out.add(parent);
            let node = self.tree.node(index);
            node.properties.iter().for_each(|p| out.add_property(at, p.clone()));
            open.extend(node.children().iter().rev().map(|&child| (child, at)));
        }
    }
}

impl Head {
    /// The values of [`HEAD`]; an empty one is left out.
    fn values(&self) -> [String; 9] {
        let handicap = if self.handicap > 0 { self.handicap.to_string() } else { String::new() };
        [
            "4".into(),
            "1".into(),
            "UTF-8".into(),
            APPLICATION.into(),
            self.size.to_string(),
            self.komi.to_string(),
            handicap,
            self.rules.clone(),
            self.result.clone(),
        ]
    }
}

/// The move of a node: whose, and its point as the file has it.
fn move_of(node: &Node) -> Option<(Player, String)> {
    let of = |name, player| Some((player, node.get(name)?.text()));
    of("B", Player::FIRST).or_else(|| of("W", Player::SECOND))
}

fn is_set_up(name: &str) -> bool {
    matches!(name, "AB" | "AW" | "AE" | "PL")
}

/// Whose turn a node says it is.
fn said_turn(node: &Node) -> Option<Player> {
    read_turn(node.get("PL")?)
}

fn colour(player: Player) -> &'static str {
    if player == Player::FIRST { "B" } else { "W" }
}
