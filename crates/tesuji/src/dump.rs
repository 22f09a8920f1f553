//! Trees as text, for pictures and for other programs.

use crate::code::{Code, Link, NodeId};
use crate::game::SearchGame;
use crate::tree::Tree;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// The part of a tree that a dump shows. If a node is left out, so are all nodes below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dump {
    /// Moves below the root; 0 shows the root alone. Default 3.
    pub depth: usize,
    /// The least number of visits of a node, the root apart. Default 1.
    pub visits: u32,
}

impl Default for Dump {
    fn default() -> Dump {
        Dump { depth: 3, visits: 1 }
    }
}

/// A node that a dump shows.
struct Shown {
    id: NodeId,
    /// Place of the parent among the nodes shown.
    parent: Option<usize>,
    /// Children left out.
    hidden: usize,
    /// What the move is called; none at the root.
    text: Option<String>,
}

impl<C: Code, I: Link> Tree<C, I> {
    /// The nodes to show, each before those below it, the most visited child first.
    fn shown<G>(&self, game: &G, dump: Dump, mut text: impl FnMut(&G, G::Move) -> String) -> Vec<Shown>
    where
        G: SearchGame<Move: crate::code::Move<Code = C>>,
    {
        let mut shown = Vec::new();
        let mut pending = Vec::new();
        if !self.is_empty() {
            pending.push((self.root(), None, 0, None, game.clone()));
        }
        while let Some((id, parent, depth, name, position)) = pending.pop() {
            let all = self.children(id).count();
            let mut children: Vec<_> = self
                .children(id)
                .filter(|(_, child)| depth < dump.depth && child.visits() >= dump.visits)
                .map(|(child, node)| (child, node.visits()))
                .collect();
            // The last one pushed is the first one shown, and the tree lists the child expanded
            // last first.
            children.sort_by_key(|&(_, visits)| visits);
            let place = shown.len();
            shown.push(Shown { id, parent, hidden: all - children.len(), text: name });
            pending.extend(children.iter().map(|&(child, _)| {
                let m = position.decode(self.node(child).code());
                let mut next = position.clone();
                next.play(m);
                (child, Some(place), depth + 1, Some(text(&position, m)), next)
            }));
        }
        shown
    }

    /// The tree in the language DOT, which Graphviz draws: nodes with visits and value, edges with
    /// moves.
    ///
    /// `game` is the position at the root, and `text` names a move of a position. A value is that
    /// of the player who moved into the node. Children that are left out are counted, as in `+3`.
    ///
    /// ```
    /// use tesuji::{Budget, Dump, Search, doc_game::Nim};
    ///
    /// let game = Nim::new(10);
    /// let mut search = Search::uct(&game, 0.7, 1);
    /// search.run(&game, &Budget::simulations(1000)).unwrap();
    /// let dot = search.tree().to_dot(&game, Dump { depth: 2, visits: 10 }, |_, m| format!("take {m}"));
    /// assert!(dot.starts_with("digraph") && dot.contains("label=\"take 2\""));
    /// ```
    pub fn to_dot<G>(&self, game: &G, dump: Dump, text: impl FnMut(&G, G::Move) -> String) -> String
    where
        G: SearchGame<Move: crate::code::Move<Code = C>>,
    {
        let mut dot = String::from("digraph tree {\n  node [shape=box];\n");
        for (place, shown) in self.shown(game, dump, text).iter().enumerate() {
            let node = self.node(shown.id);
            let mut label = format!("{}\n{:.3}", node.visits(), node.value());
            if let Some(proven) = node.proven() {
                label += &format!("\n{proven:?}");
            }
            if shown.hidden > 0 {
                label += &format!("\n+{}", shown.hidden);
            }
            let outline = if node.is_terminal() { ", peripheries=2" } else { "" };
            // Writing to a string cannot fail.
            _ = writeln!(dot, "  n{place} [label={}{outline}];", quoted(&label));
            if let Some((parent, text)) = shown.parent.zip(shown.text.as_ref()) {
                _ = writeln!(dot, "  n{parent} -> n{place} [label={}];", quoted(text));
            }
        }
        dot + "}\n"
    }

    /// The tree as a JSON object whose one field `nodes` lists the nodes shown, each before those
    /// below it and the most visited child first.
    ///
    /// | field | of a node |
    /// | --- | --- |
    /// | `parent` | its parent's place in the list, `null` at the root |
    /// | `depth` | moves from the root |
    /// | `move` | what `text` makes of the move that leads here, `null` at the root |
    /// | `visits` | simulations through the node, or that ended in it |
    /// | `value` | in [0, 1], for the player who moved into the node |
    /// | `prior` | of the move, `null` without priors |
    /// | `proven` | `"win"`, `"draw"` or `"loss"` for the player who moved into the node, or `null` |
    /// | `terminal` | whether the game is over here |
    /// | `hidden` | how many of its children were left out |
    ///
    /// ```
    /// use tesuji::{Budget, Dump, Search, doc_game::Nim};
    ///
    /// let game = Nim::new(10);
    /// let mut search = Search::uct(&game, 0.7, 1);
    /// search.run(&game, &Budget::simulations(1000)).unwrap();
    /// let json = search.tree().to_json(&game, Dump { depth: 1, visits: 1 }, |_, m| m.to_string());
    /// assert!(json.starts_with(r#"{"nodes":[{"parent":null,"depth":0,"move":null,"visits":1000,"#));
    /// ```
    #[cfg(feature = "recipe")]
    #[expect(clippy::missing_panics_doc, reason = "numbers and texts always make JSON")]
    pub fn to_json<G>(&self, game: &G, dump: Dump, text: impl FnMut(&G, G::Move) -> String) -> String
    where
        G: SearchGame<Move: crate::code::Move<Code = C>>,
    {
        let priors = self.columns().has(crate::columns::Columns::PRIOR);
        let mut nodes: Vec<json::NodeRow> = Vec::new();
        for shown in self.shown(game, dump, text) {
            let node = self.node(shown.id);
            nodes.push(json::NodeRow {
                parent: shown.parent,
                depth: shown.parent.map_or(0, |parent| nodes[parent].depth + 1),
                m: shown.text,
                visits: node.visits(),
                value: node.value(),
                prior: (priors && shown.parent.is_some()).then(|| self.prior(shown.id)),
                proven: node.proven().map(json::proven),
                terminal: node.is_terminal(),
                hidden: shown.hidden,
            });
        }
        serde_json::to_string(&json::TreeRows { nodes }).expect("plain numbers and strings always serialize")
    }
}

/// What a tree looks like in JSON.
#[cfg(feature = "recipe")]
mod json {
    use crate::report::Proven;
    use alloc::string::String;
    use alloc::vec::Vec;

    #[derive(serde::Serialize)]
    pub(super) struct TreeRows {
        pub(super) nodes: Vec<NodeRow>,
    }

    #[derive(serde::Serialize)]
    pub(super) struct NodeRow {
        pub(super) parent: Option<usize>,
        pub(super) depth: usize,
        #[serde(rename = "move")]
        pub(super) m: Option<String>,
        pub(super) visits: u32,
        pub(super) value: f32,
        pub(super) prior: Option<f32>,
        pub(super) proven: Option<&'static str>,
        pub(super) terminal: bool,
        pub(super) hidden: usize,
    }

    pub(super) fn proven(proven: Proven) -> &'static str {
        match proven {
            Proven::Win => "win",
            Proven::Draw => "draw",
            Proven::Loss => "loss",
        }
    }
}

/// A label of DOT: in quotes, where a backslash starts an escape.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::TOP;
    use crate::{Columns, Player, Proven, Value};
    use crate::{Game, PlainGame};

    /// A game in which every number is a move.
    #[derive(Clone)]
    struct Free;

    impl Game for Free {
        type Move = u16;
        type Outcome = Value;

        fn to_move(&self) -> Player {
            Player::FIRST
        }

        fn moves(&self, out: &mut Vec<u16>) {
            out.extend(0..=u16::MAX);
        }

        fn play(&mut self, _: u16) {}

        fn result(&self) -> Option<Value> {
            None
        }
    }

    impl PlainGame for Free {}

    /// A root with children 1, 2 and 3, of which 2 has a child 4.
    fn tree() -> Tree<u16> {
        let mut tree = Tree::new(Columns::NONE, [9, 0], (0, 0));
        tree.plant(Player::SECOND, 0);
        let root = tree.root();
        let ids = [1, 2, 3].map(|m| tree.add_child(root, m, TOP, &[]).unwrap());
        let leaf = tree.add_child(ids[1], 4, TOP, &[]).unwrap();
        for (id, visits, value) in [(root, 9, 0.25), (ids[0], 3, 0.5), (ids[1], 4, 1.0), (ids[2], 1, 0.75)] {
            (0..visits).for_each(|_| _ = tree.node(id).visit());
            tree.node(id).set_value(value);
        }
        tree.node(leaf).visit();
        tree.node(leaf).set_terminal();
        tree.node(leaf).set_proven(Proven::Loss);
        tree
    }

    #[test]
    fn dot_shows_nodes_edges_and_escapes() {
        let dot = tree().to_dot(&Free, Dump { depth: 2, visits: 1 }, |_, m| format!("\"{m}\\"));
        assert_eq!(
            dot,
            r#"digraph tree {
  node [shape=box];
  n0 [label="9\n0.250"];
  n1 [label="4\n1.000"];
  n0 -> n1 [label="\"2\\"];
  n2 [label="1\n0.000\nLoss", peripheries=2];
  n1 -> n2 [label="\"4\\"];
  n3 [label="3\n0.500"];
  n0 -> n3 [label="\"1\\"];
  n4 [label="1\n0.750"];
  n0 -> n4 [label="\"3\\"];
}
"#
        );
    }

    #[test]
    fn limits_hide_nodes_and_count_them() {
        let dot = |depth, visits| tree().to_dot(&Free, Dump { depth, visits }, |_, m| format!("{m}"));
        assert_eq!(dot(0, 1).lines().nth(2), Some(r#"  n0 [label="9\n0.250\n+3"];"#));
        assert_eq!(dot(9, 4).matches("->").count(), 1);
        assert_eq!(dot(9, 2).matches("->").count(), 2);
        assert_eq!(dot(9, 0).matches("->").count(), 4);
        let empty = Tree::<u16>::new(Columns::NONE, [1, 0], (0, 0));
        assert_eq!(
            empty.to_dot(&Free, Dump::default(), |_, m| format!("{m}")),
            "digraph tree {\n  node [shape=box];\n}\n"
        );
    }

    #[cfg(feature = "recipe")]
    #[test]
    fn json_lists_every_shown_node() {
        let json = tree().to_json(&Free, Dump::default(), |_, m| format!("\"{m}\n"));
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let nodes = value["nodes"].as_array().unwrap();
        let moves: Vec<_> = nodes.iter().map(|node| node["move"].as_str()).collect();
        assert_eq!(moves, [None, Some("\"2\n"), Some("\"4\n"), Some("\"1\n"), Some("\"3\n")]);
        let expected = serde_json::json!({
            "parent": 1, "depth": 2, "move": "\"4\n", "visits": 1, "value": 0.0, "prior": null,
            "proven": "loss", "terminal": true, "hidden": 0,
        });
        assert_eq!(nodes[2], expected);
        let top = tree().to_json(&Free, Dump { depth: 0, visits: 1 }, |_, m| format!("{m}"));
        assert!(top.contains(r#""hidden":3"#), "{top}");
    }
}
