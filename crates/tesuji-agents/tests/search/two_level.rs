//! How the nodes of a two-level search add up.

use crate::games::Choice;
use crate::search;
use tesuji::Budget;
use tesuji_games::Hex;

#[test]
fn so_many_nodes_serve_so_many_playouts() {
    let start = Hex::new(7).unwrap();
    for (nodes, lambda, top, playouts) in
        [(200, 0.5, 100, 100), (60, 0.2, 48, 12), (40, 0.8, 8, 32), (30, 0.5, 15, 15)]
    {
        for share in [true, false] {
            let spec = format!(
                "grave2,playout=uniform,memory.nodes={nodes},two_level.lambda={lambda},two_level.share={share},recycle=true"
            );
            let mut search = search(&spec, &start, 1);
            search.run(&start, &Budget::simulations(top * playouts)).unwrap();
            let tree = search.tree();
            assert_eq!(tree.len() as u64, top + 1, "{spec}: one node a second-level search, and the root");
            assert_eq!(u64::from(tree.node(tree.root()).visits()), top * playouts);
            assert!(tree.peak() <= nodes + 1 && tree.recycled() == 0, "{spec}: nothing had to be recycled");
            for (_, child) in tree.children(tree.root()) {
                assert_eq!(u64::from(child.visits()) % playouts, 0);
            }
            // One playout more begins another search, and may be the last one.
            search.run(&start, &Budget::simulations(top * playouts + 1)).unwrap();
            assert_eq!(u64::from(search.tree().node(search.tree().root()).visits()), top * playouts + 1);
            assert!(search.tree().len() as u64 <= top + 2);
        }
    }
}

/// MaxMCTS with lambda = 0 passes the best child's value on, and so needs to know that a sample
/// came up from a child.
#[test]
fn what_a_second_level_found_comes_up_from_its_leaf() {
    let start = Choice { values: vec![0.2, 0.7], chosen: None };
    for share in [true, false] {
        let spec = format!(
            "uct,backup=max-mcts,backup.lambda=0.0,two_level.lambda=0.5,two_level.playouts=10,two_level.share={share}"
        );
        for seed in 0..10 {
            let report = search(&spec, &start, seed).run(&start, &Budget::simulations(300)).unwrap();
            let visits: u32 = report.children.iter().map(|child| child.visits).sum();
            // The best of the children was 0.2 for the ten playouts of the first leaf, or never.
            let late = 0.7 - 5.0 / visits as f32;
            assert!(
                [0.7, late].iter().any(|value| (report.value - value).abs() < 1e-5),
                "{spec}: {}",
                report.value
            );
        }
    }
}
