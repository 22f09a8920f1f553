//! Which node is recycled, step by step.

use super::*;
use alloc::string::String;

/// The name of a node.
fn name(tree: &Tree<u16>, id: NodeId) -> u8 {
    tree.node(id).code() as u8
}

impl Tree<u16> {
    /// The names of all nodes, least recently used first.
    fn order(&self) -> String {
        let recency = &self.recycling.as_ref().unwrap().recency;
        let ids = core::iter::successors(self.slots.levels[TOP].queue.oldest(), |&id| recency.newer(id));
        ids.map(|id| char::from(name(self, id))).collect()
    }

    /// Every node but the root is older than its parent, which it names.
    fn check_links(&self) {
        let order: Vec<u8> = self.order().bytes().collect();
        let place = |id: NodeId| order.iter().position(|&m| m == name(self, id)).unwrap();
        let mut pending = Vec::from([self.root]);
        let mut found = 0;
        while let Some(id) = pending.pop() {
            found += 1;
            for (child, _) in self.children(id) {
                assert!(place(child) < place(id));
                assert_eq!(self.recycling.as_ref().unwrap().parents[child.index()].id(), id);
                pending.push(child);
            }
        }
        assert_eq!((found, order.len()), (self.len(), self.len()));
    }
}

#[test]
fn the_oldest_leaf_off_the_path_is_recycled() {
    let mut tree = Tree::<u16>::new(Columns::NONE, [4, 0], (0, 0)).recycling(true);
    tree.plant(Player::SECOND, b'r'.into());
    for line in include_str!("recycling.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<String> = line.split('|').map(|field| field.replace(' ', "")).collect();
        let [path, recycled, order] = &fields[..] else { panic!("{line}") };
        let before = tree.order();
        let mut steps = Vec::new();
        for m in path.bytes().map(u16::from) {
            let node = match steps.last() {
                None => tree.root(),
                Some(&Step { node, .. }) => match tree.children(node).find(|(_, child)| child.code() == m) {
                    Some((child, _)) => child,
                    None => tree.add_child(node, m, TOP, &steps).unwrap(),
                },
            };
            steps.push(Step { node, mover: Player::FIRST });
        }
        steps.iter().rev().for_each(|step| tree.touch(step.node, TOP));
        let after = tree.order();
        let gone: String = before.chars().filter(|&m| !after.contains(m)).collect();
        assert_eq!(gone, recycled.trim_matches('-'), "{line}");
        assert_eq!(&after, order, "{line}");
        tree.check_links();
    }
    assert_eq!((tree.len(), tree.recycled()), (4, 3));
    tree.plant(Player::SECOND, b'r'.into());
    assert_eq!((tree.len(), tree.recycled()), (1, 0));
}

#[test]
fn a_path_that_holds_every_node_leaves_none_to_recycle() {
    let mut tree = Tree::<u16>::new(Columns::NONE, [2, 0], (0, 0)).recycling(true);
    tree.plant(Player::SECOND, b'r'.into());
    let mut path = Vec::from([Step { node: tree.root(), mover: Player::SECOND }]);
    let child = tree.add_child(tree.root(), b'a'.into(), TOP, &path).unwrap();
    path.push(Step { node: child, mover: Player::FIRST });
    assert!(tree.add_child(child, b'b'.into(), TOP, &path).is_none());
    assert_eq!(tree.order(), "ra");
}
