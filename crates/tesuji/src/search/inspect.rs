//! A look at one node of the tree.

use super::common::Core;
use crate::backup::Backup;
use crate::code::{Code, Link, NodeId};
use crate::columns::Columns;
use crate::game::{CodeOf, SearchGame};
use crate::node::Step;
use crate::node_report::{NodeReport, TriedMove};
use crate::select::Select;
use alloc::vec::Vec;

impl<G, S, B, I> Core<G, S, B, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
{
    /// The node after some moves from the root and the moves tried there; none if there is no such
    /// node.
    pub(super) fn inspect(&self, line: &[G::Move]) -> Option<NodeReport<G::Move>> {
        let tree = &self.tree;
        if tree.is_empty() {
            return None;
        }
        let (mut id, mut game) = (tree.root(), self.root.clone());
        let mut reference = self.referred(id, None);
        for &m in line {
            id = tree.child(id, game.code(m))?;
            game.play(m);
            reference = self.referred(id, reference);
        }
        let amaf = |key: usize| {
            let (tables, table) = tree.amaf().zip(reference)?;
            let _held = tables.hold(table);
            Some(tables.table(table, 0).read(key))
        };
        let tried = |(child, node): (NodeId, &crate::node::Node<CodeOf<G>, I>)| TriedMove {
            m: game.decode(node.code()),
            visits: node.visits(),
            value: node.value(),
            prior: tree.columns().has(Columns::PRIOR).then(|| tree.prior(child)),
            amaf: amaf(game.first_key() + node.code().index()),
            proven: node.proven(),
            is_terminal: node.is_terminal(),
            children: tree.children(child).count(),
        };
        let mut moves: Vec<_> = tree.children(id).map(tried).collect();
        // The tree lists the child expanded last first.
        moves.reverse();
        moves.sort_by_key(|tried| core::cmp::Reverse(tried.visits));
        let node = tree.node(id);
        Some(NodeReport {
            visits: node.visits(),
            value: node.value(),
            is_terminal: node.is_terminal(),
            moves,
        })
    }

    /// The moves of a path from the root, as far as its nodes still hang there.
    pub(super) fn line_of(&self, path: &[Step]) -> Vec<G::Move> {
        let tree = &self.tree;
        let (mut game, mut line) = (self.root.clone(), Vec::new());
        if tree.is_empty() {
            return line;
        }
        for pair in path.windows(2) {
            let (above, below) = (pair[0].node, pair[1].node);
            if line.is_empty() && above != tree.root() {
                break;
            }
            let Some((_, node)) = tree.children(above).find(|&(id, _)| id == below) else { break };
            let m = game.decode(node.code());
            game.play(m);
            line.push(m);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use crate::doc_game::Nim;
    use crate::{AskTell, Budget, Search};

    #[test]
    fn the_last_line_is_in_the_tree() {
        let game = Nim::new(10);
        let mut search = Search::uct(&game, 0.7, 1);
        assert!(search.last_line().is_empty());
        for _ in 0..20 {
            search.run(&game, &Budget::simulations(1)).unwrap();
            let line = search.last_line();
            assert!(!line.is_empty() && search.inspect(&line).is_some(), "{line:?}");
        }
        let counts = search.node_counts();
        search.start_game(&game, 2);
        assert!(search.last_line().is_empty());
        assert!(counts.stored > 1 && counts.stored <= counts.limit, "{counts:?}");
        assert_eq!((counts.recycled, counts.pruned), (0, 0));
    }

    #[test]
    fn a_line_leads_to_its_node() {
        let game = Nim::new(10);
        let mut search = Search::uct(&game, 0.7, 1);
        assert_eq!(search.inspect(&[]), None);
        let report = search.run(&game, &Budget::simulations(500)).unwrap();
        let root = search.inspect(&[]).unwrap();
        assert_eq!((root.visits, root.is_terminal), (500, false));
        let of_report: Vec<_> = report.children.iter().map(|c| (c.m, c.visits, c.value)).collect();
        assert_eq!(root.moves.iter().map(|m| (m.m, m.visits, m.value)).collect::<Vec<_>>(), of_report);
        let after = search.inspect(&report.variation[..2]).unwrap();
        assert_eq!(after.moves[0].m, report.variation[2]);
        let before = search.inspect(&report.variation[..1]).unwrap();
        let moved = before.moves.iter().find(|m| m.m == report.variation[1]).unwrap();
        assert_eq!((moved.visits, moved.children), (after.visits, after.moves.len()));
        assert!(moved.prior.is_none() && moved.amaf.is_none());
        assert_eq!(search.inspect(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), None);
    }
}
