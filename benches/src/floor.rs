//! UCT as one would write it by hand for one purpose: no parts, no options, 16-byte nodes, the
//! children of a node side by side. What the library adds to this is the price of its generality.

use tesuji::{Outcome, Rng, SearchGame};

struct Node<M> {
    first: u32,
    visits: u32,
    sum: f32,
    m: M,
    children: u8,
}

/// Searches `start` with `simulations` simulations of UCT, and returns how many nodes it stored.
pub(crate) fn uct<G: SearchGame>(start: &G, c: f32, simulations: u64, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let mut moves = Vec::with_capacity(256);
    start.moves(&mut moves);
    let mut nodes = Vec::with_capacity(16 * simulations as usize);
    nodes.push(Node { first: 0, visits: 0, sum: 0.0, m: moves[0], children: 0 });
    let mut path = Vec::with_capacity(256);
    let mut game = start.clone();
    for _ in 0..simulations {
        game.clone_from(start);
        path.clear();
        let mut node = 0;
        path.push((node, game.to_move().other()));
        let outcome = loop {
            let (first, children, visits) = {
                let n = &nodes[node];
                (n.first as usize, usize::from(n.children), n.visits)
            };
            if children == 0 {
                if let Some(outcome) = game.result() {
                    break outcome;
                }
                if visits == 0 && node != 0 {
                    break game.playout(&mut rng, &mut moves, &mut ());
                }
                moves.clear();
                game.moves(&mut moves);
                for i in (1..moves.len()).rev() {
                    moves.swap(i, rng.below(i as u32 + 1) as usize);
                }
                nodes[node].first = nodes.len() as u32;
                nodes[node].children = moves.len() as u8;
                nodes.extend(moves.drain(..).map(|m| Node { first: 0, visits: 0, sum: 0.0, m, children: 0 }));
                continue;
            }
            let scale = c * (visits as f32).ln().sqrt();
            let mut best = (0, f32::NEG_INFINITY);
            for (i, child) in nodes[first..first + children].iter().enumerate() {
                if child.visits == 0 {
                    best.0 = i;
                    break;
                }
                let n = child.visits as f32;
                let score = child.sum / n + scale / n.sqrt();
                if score > best.1 {
                    best = (i, score);
                }
            }
            node = first + best.0;
            path.push((node, game.to_move()));
            game.play(nodes[node].m);
        };
        for &(node, player) in &path {
            nodes[node].visits += 1;
            nodes[node].sum += outcome.of(player);
        }
    }
    nodes.len()
}
