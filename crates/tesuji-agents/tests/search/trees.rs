//! What a whole tree looks like, and what must hold in it.

use std::fmt::Write;
use tesuji::{CodeOf, Columns, Link, NodeId, Outcome, Player, SearchGame, Tree};

/// A hash (FNV-1a) of everything in the tree of a search of `start`: structure, moves, visits, bits
/// of the values, flags.
pub(crate) fn fingerprint<G: SearchGame, I: Link>(tree: &Tree<CodeOf<G>, I>, start: &G) -> u64 {
    struct Fnv(u64);
    impl Write for Fnv {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            for byte in text.bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
            Ok(())
        }
    }
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    let mut pending = vec![(tree.root(), 0, None, start.clone())];
    while let Some((id, depth, m, game)) = pending.pop() {
        let node = tree.node(id);
        let bits = node.exact_value().to_bits();
        let flags = (node.is_terminal(), node.is_complete(), node.proven());
        write!(hash, "{depth} {m:?} {} {bits:x} {flags:?};", node.visits()).expect("a hash takes any text");
        pending.extend(tree.children(id).map(|(child, node)| {
            let m = game.decode(node.code());
            let mut next = game.clone();
            next.play(m);
            (child, depth + 1, Some(m), next)
        }));
    }
    hash.0
}

/// How the visits of a tree must add up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Count {
    /// Every simulation added a node: visits are those of the children and, but for a fresh root,
    /// one more. Where values are `means`, the samples add up too.
    Growing { fresh: bool, means: bool },
    /// Simulations may end at nodes that exist already.
    AtLeast,
}

/// Walks over the whole tree along with its positions and checks it; returns the number of nodes.
pub(crate) fn check<G: SearchGame, I: Link>(tree: &Tree<CodeOf<G>, I>, start: &G, count: Count) -> usize {
    let mut nodes = 0;
    walk(tree, tree.root(), tree.root_mover(), start, count, &mut nodes);
    assert_eq!(nodes, tree.len(), "as many nodes hang in the tree as are stored");
    assert!(tree.len() <= tree.limit() && tree.len() <= tree.peak());
    nodes
}

fn walk<G: SearchGame, I: Link>(
    tree: &Tree<CodeOf<G>, I>,
    id: NodeId,
    mover: Player,
    game: &G,
    count: Count,
    nodes: &mut usize,
) {
    *nodes += 1;
    assert!(*nodes <= tree.len(), "the tree has no cycle");
    let (node, root) = (tree.node(id), id == tree.root());
    assert!((0.0..=1.0).contains(&node.exact_value()), "{}", node.exact_value());
    assert!(node.visits() > 0 || root);
    assert_eq!(node.is_terminal(), game.result().is_some());
    if let Some(proven) = node.proven() {
        assert_eq!(node.value(), proven.value(), "a proven node has its exact value");
    }
    let children: Vec<_> = tree.children(id).collect();
    if node.is_terminal() {
        assert!(children.is_empty());
        return;
    }

    let mut moves = Vec::new();
    game.moves(&mut moves);
    for (i, (_, child)) in children.iter().enumerate() {
        let m = game.decode(child.code());
        assert!(moves.contains(&m), "{m:?} is not legal");
        assert!(children[..i].iter().all(|(_, c)| c.code() != child.code()), "{m:?} twice");
    }
    if node.is_complete() && !tree.columns().has(Columns::PRIOR) {
        moves.clear();
        game.search_moves(&mut moves);
        assert!(children.len() >= moves.len(), "a complete node has every child");
    }

    let below: u32 = children.iter().map(|(_, child)| child.visits()).sum();
    match count {
        Count::AtLeast => assert!(node.visits() >= below + u32::from(!root)),
        Count::Growing { fresh, means } => {
            let own = u32::from(!(root && fresh));
            assert_eq!(node.visits(), below + own);
            // In a game of two, what is left of the sum of all samples is the node's own one.
            let to_move = game.to_move();
            let sum: f64 = children.iter().map(|(_, c)| f64::from(c.visits()) * c.exact_value()).sum();
            let sum = if to_move == mover { sum } else { f64::from(below) - sum };
            let rest = f64::from(node.visits()) * node.exact_value() - sum;
            let error = f64::from(node.visits()) * 1e-8;
            let possible = (-error..=f64::from(own) + error).contains(&rest);
            assert!(!means || G::Outcome::PLAYERS != 2 || possible, "{rest} of {} visits", node.visits());
        }
    }
    for (child, node) in children {
        let mut next = game.clone();
        next.play(game.decode(node.code()));
        walk(tree, child, game.to_move(), &next, count, nodes);
    }
}
