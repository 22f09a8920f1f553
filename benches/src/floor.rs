//! UCT and GRAVE as one would write them by hand for one purpose, without parts and options. What
//! the library adds to this is the price of its generality.

use tesuji::{Code, Mast, Outcome, Played, Player, Playout, Rng, SearchGame};

/// A node of [`uct`]: 16 bytes, and the children of a node are side by side.
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

/// A node of [`grave`]. Its table is as far from the first as the node is.
struct Tried {
    first: u32,
    next: u32,
    visits: u32,
    mean: f32,
    cell: u8,
    /// The game is over.
    over: bool,
}

/// GRAVE with bias 0.01 and reference 25 as one would write it by hand, for games of two players
/// with at most 64 cells that are each taken once. Playouts are the library's MAST.
pub(crate) fn grave<G: SearchGame>(start: &G, simulations: u64, seed: u64) -> usize {
    const NONE: u32 = u32::MAX;
    let (keys, mut rng) = (start.keys(), Rng::new(seed));
    let (mut moves, mut line, mut path) = (Vec::with_capacity(64), Vec::new(), Vec::with_capacity(64));
    let mut mast = Mast::default();
    Playout::<G>::new_game(&mut mast, start);
    let new = |cell, over| Tried { first: NONE, next: NONE, visits: 0, mean: 0.0, cell, over };
    let mut nodes = Vec::with_capacity(simulations as usize + 1);
    let mut tables = Vec::with_capacity((simulations as usize + 1) * keys);
    nodes.push(new(0, false));
    tables.resize(keys, 0_u32);
    let mut lists: [Vec<u16>; 2] = [Vec::with_capacity(keys), Vec::with_capacity(keys)];
    let mut game = start.clone();
    for _ in 0..simulations {
        game.clone_from(start);
        path.clear();
        line.clear();
        path.push((0, game.to_move().other()));
        let (mut node, mut reference) = (0, 0);
        let outcome = loop {
            if nodes[node].over
                && let Some(outcome) = game.result()
            {
                break outcome;
            }
            if nodes[node].visits > 25 {
                reference = node;
            }
            let table = &tables[reference * keys + game.first_key()..][..keys / 2];
            let read = |cell: usize| (table[cell] as u16, (table[cell] >> 16) as i32 as f32 * 0.5);
            let mut open = [0_u64];
            game.open_cells(&mut open);
            let [mut open] = open;
            let (mut best, mut score, mut at) = (NONE, f32::NEG_INFINITY, nodes[node].first);
            while at != NONE {
                let child = &nodes[at as usize];
                open &= !(1 << child.cell);
                let (a, sum) = read(child.cell.into());
                let (a, n, x) = (f32::from(a), child.visits as i32 as f32, child.mean);
                let s = x + (sum - a * x) / (a + n + 0.01 * a * n);
                (best, score) = if s < score { (best, score) } else { (at, s) };
                at = child.next;
            }
            let (mut untried, mut highest) = (0, f32::NEG_INFINITY);
            while open != 0 {
                let cell = open.trailing_zeros() as usize;
                open &= open - 1;
                let (a, sum) = read(cell);
                let mean = if a == 0 { f32::INFINITY } else { sum / f32::from(a) };
                (untried, highest) = if mean > highest { (cell, mean) } else { (untried, highest) };
            }
            let expands = highest > score;
            let cell = if expands { untried } else { nodes[best as usize].cell.into() };
            let mover = game.to_move();
            line.push(Played::new(mover, game.first_key() + cell));
            game.play(game.decode(Code::new(cell)));
            if !expands {
                node = best as usize;
                path.push((node, mover));
                continue;
            }
            let result = game.result();
            path.push((nodes.len(), mover));
            let new_id = nodes.len() as u32;
            let next = std::mem::replace(&mut nodes[node].first, new_id);
            nodes.push(Tried { next, ..new(cell as u8, result.is_some()) });
            tables.resize(tables.len() + keys, 0);
            break result.unwrap_or_else(|| mast.run(&mut game, &mut rng, &mut moves, &mut line));
        };
        Playout::<G>::learn(&mut mast, &line, &outcome);
        lists.iter_mut().for_each(Vec::clear);
        for played in &line[path.len() - 1..] {
            lists[played.player().index()].push(played.key() as u16);
        }
        let results = [Player::FIRST, Player::SECOND].map(|player| (2.0 * outcome.of(player)) as u32);
        for (depth, &(node, mover)) in path.iter().enumerate().rev() {
            if let Some(played) = line.get(depth).filter(|_| depth + 1 < path.len()) {
                lists[played.player().index()].push(played.key() as u16);
            }
            let n = &mut nodes[node];
            n.visits += 1;
            n.mean += (outcome.of(mover) - n.mean) / n.visits as i32 as f32;
            let table = &mut tables[node * keys..][..keys];
            for (list, result) in lists.iter().zip(results) {
                list.iter().for_each(|&key| table[usize::from(key)] += result << 16 | 1);
            }
        }
    }
    nodes.len()
}
