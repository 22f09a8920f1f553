//! A second implementation of GRAVE, its tables, recycling and two-level search: by definition,
//! without any regard to time or memory. It is told the moves of each simulation of a search,
//! checks that each choice on the way was a best one, and must arrive at the same tree.

use crate::games::RandomTree;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use tesuji::{
    AmafCounts, AmafOptions, Budget, Code, CodeOf, Grave, Link, Mast, Mean, Memory, NodeId, Options, Outcome,
    Played, Playout, Rng, Search, SearchGame, Trace, Tree, TwoLevel, Uniform, Value,
};
use tesuji_games::*;
use tesuji_go::{Go9, Rules};

type Log<O> = Rc<RefCell<Vec<(Vec<Played>, O)>>>;

/// A playout policy that writes every simulation down.
struct Recorded<P, O> {
    policy: P,
    log: Log<O>,
}

impl<G: SearchGame, P: Playout<G>> Playout<G> for Recorded<P, G::Outcome> {
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        self.policy.choose(game, rng, buffer)
    }
    fn run<T: Trace>(&mut self, g: &mut G, rng: &mut Rng, b: &mut Vec<G::Move>, trace: &mut T) -> G::Outcome {
        self.policy.run(g, rng, b, trace)
    }
    fn learns(&self) -> bool {
        true
    }
    fn learn(&mut self, line: &[Played], outcome: &G::Outcome) {
        self.log.borrow_mut().push((line.to_vec(), *outcome));
        if self.policy.learns() {
            self.policy.learn(line, outcome);
        }
    }
    fn new_game(&mut self, game: &G) {
        self.policy.new_game(game);
    }
}

/// Count and sum for each key, and simulations learned from.
#[derive(Clone, Default, Debug)]
struct Table {
    entries: HashMap<usize, (u32, f64)>,
    samples: u32,
}

impl Table {
    fn read(&self, key: usize) -> (u32, f64) {
        self.entries.get(&key).copied().unwrap_or_default()
    }

    fn learn<O: Outcome>(&mut self, moves: &[Played], outcome: &O) {
        self.samples += 1;
        let mut seen = HashSet::new();
        for played in moves.iter().filter(|played| seen.insert(played.key())) {
            self.add(played.key(), 1, outcome.of(played.player()).into());
        }
    }

    fn add(&mut self, key: usize, count: u32, sum: f64) {
        let entry = self.entries.entry(key).or_default();
        *entry = (entry.0 + count, entry.1 + sum);
    }
}

#[derive(Clone, Default, Debug)]
struct Node {
    key: usize,
    parent: usize,
    /// The last expanded first.
    children: Vec<usize>,
    visits: u32,
    sum: f64,
    table: Option<Table>,
    level: usize,
}

struct SecondLevel {
    /// From the root to the leaf that is studied.
    path: Vec<usize>,
    /// The moves to it.
    line: Vec<Played>,
    done: u32,
    apart: Table,
    sums: [f64; 2],
}

struct Model<'a, G: SearchGame> {
    start: &'a G,
    grave: Grave,
    options: &'a Options,
    limits: [usize; 2],
    nodes: Vec<Node>,
    /// Stored nodes, least recently used first, for each level.
    used: [Vec<usize>; 2],
    /// The same for nodes with tables.
    tables_used: Vec<usize>,
    recycled: u64,
    second_level: Option<SecondLevel>,
}

const ROOT: usize = 0;

impl<'a, G: SearchGame> Model<'a, G> {
    fn new(start: &'a G, grave: Grave, options: &'a Options) -> Self {
        let lambda = f64::from(options.two_level.lambda);
        let limits = options.memory.nodes.map_or([usize::MAX; 2], |nodes| {
            // The leaf that is studied is one of the second level's.
            let second = ((nodes as f64 * lambda).round() as usize).saturating_sub(1);
            [nodes + 1 - second, second]
        });
        Model {
            start,
            grave,
            options,
            limits,
            nodes: vec![Node::default()],
            used: [vec![ROOT], vec![]],
            tables_used: vec![],
            recycled: 0,
            second_level: None,
        }
    }

    fn batch(&self) -> u32 {
        if self.options.two_level.lambda > 0.0 { self.options.two_level.playouts.unwrap() } else { 1 }
    }

    /// The table that is read below the last node of a path.
    fn reference(&self, path: &[usize]) -> Option<&Table> {
        let mut reference: Option<&Table> = None;
        let mut own = path;
        if let Some(second_level) = &self.second_level
            && !self.options.two_level.share
        {
            reference = Some(&second_level.apart);
            own = &path[second_level.path.len() - 1..];
        }
        for &node in own {
            if let Some(table) = &self.nodes[node].table
                && (reference.is_none() || table.samples > self.grave.reference)
            {
                reference = Some(table);
            }
        }
        reference
    }

    /// Checks that a move is one of the best, given whether untried ones may be chosen.
    fn check_choice(&self, path: &[usize], game: &G, chosen: usize, may_expand: bool) {
        let Some(table) = self.reference(path) else { return };
        let children = &self.nodes[*path.last().unwrap()].children;
        let mut moves = vec![];
        game.search_moves(&mut moves);
        let (mut best, mut found) = (f64::NEG_INFINITY, None);
        for key in moves.into_iter().map(|m| game.key(m)) {
            let (a, s) = table.read(key);
            let mean = s / f64::from(a);
            let score = match children.iter().map(|&c| &self.nodes[c]).find(|c| c.key == key) {
                Some(child) => {
                    let (n, a) = (f64::from(child.visits), f64::from(a));
                    let x = child.sum / n;
                    let beta = a / (a + n + f64::from(self.grave.bias) * a * n);
                    if a == 0.0 { x } else { (1.0 - beta) * x + beta * mean }
                }
                None if !may_expand => continue,
                None => {
                    if a == 0 {
                        f64::INFINITY
                    } else {
                        mean
                    }
                }
            };
            best = best.max(score);
            if key == chosen {
                found = Some(score);
            }
        }
        let found = found.expect("a search move");
        assert!(found >= best - 1e-5, "a move of score {found} was chosen, the best has {best}");
    }

    /// One simulation, as the search made it.
    fn simulate(&mut self, line: &[Played], outcome: &G::Outcome) {
        let mut path =
            self.second_level.as_ref().map_or(vec![ROOT], |second_level| second_level.path.clone());
        if let Some(second_level) = &self.second_level {
            assert_eq!(line[..second_level.line.len()], second_level.line, "the way to the leaf is the same");
        }
        let level = usize::from(self.second_level.is_some());
        let mut game = self.start.clone();
        for played in &line[..path.len() - 1] {
            play(&mut game, played.key());
        }
        while game.result().is_none() {
            let node = *path.last().unwrap();
            let key = line[path.len() - 1].key();
            let has_room = self.used[level].len() < self.limits[level];
            let may_expand = has_room || self.options.recycle;
            let child = self.nodes[node].children.iter().copied().find(|&c| self.nodes[c].key == key);
            if child.is_none() {
                let oldest = self.used[level].iter().copied().find(|id| !path.contains(id));
                if !has_room && (!self.options.recycle || oldest.is_none()) {
                    assert!(self.nodes[node].children.is_empty(), "a full tree is left at a leaf");
                    break;
                }
                self.check_choice(&path, &game, key, may_expand);
                if !has_room {
                    self.recycle(oldest.unwrap());
                }
                let new = self.nodes.len();
                self.nodes.push(Node { key, parent: node, level, ..Node::default() });
                self.nodes[node].children.insert(0, new);
                self.used[level].push(new);
                path.push(new);
                play(&mut game, key);
                break;
            }
            self.check_choice(&path, &game, key, may_expand);
            path.extend(child);
            play(&mut game, key);
        }

        if self.batch() > 1 && self.second_level.is_none() {
            let line = line[..path.len() - 1].to_vec();
            let path = path.clone();
            self.second_level =
                Some(SecondLevel { path, line, done: 0, apart: Table::default(), sums: [0.0; 2] });
        }
        self.back_up(&path, line, outcome);
        let Some(second_level) = &mut self.second_level else { return };
        second_level.done += 1;
        second_level.apart.learn(&line[second_level.line.len()..], outcome);
        for (sum, player) in second_level.sums.iter_mut().zip([tesuji::Player::FIRST, tesuji::Player::SECOND])
        {
            *sum += f64::from(outcome.of(player));
        }
        if second_level.done == 1 && path.len() == second_level.path.len() && game.result().is_some() {
            // A finished game is worth as many playouts as a search would make.
            let weight = self.batch();
            (1..weight).for_each(|_| self.back_up(&path, line, outcome));
            let second_level = self.second_level.as_mut().unwrap();
            second_level.done = weight;
            second_level.sums.iter_mut().for_each(|sum| *sum *= f64::from(weight));
        }
        if self.second_level.as_ref().is_some_and(|second_level| second_level.done >= self.batch()) {
            self.end_second_level();
        }
    }

    fn back_up(&mut self, path: &[usize], line: &[Played], outcome: &G::Outcome) {
        let share = self.options.two_level.share;
        let from = self
            .second_level
            .as_ref()
            .filter(|_| !share)
            .map_or(0, |second_level| second_level.path.len() - 1);
        for (depth, &node) in path.iter().enumerate().skip(from) {
            self.nodes[node].visits += 1;
            if depth > 0 {
                self.nodes[node].sum += f64::from(outcome.of(line[depth - 1].player()));
            }
        }
        self.give_table(ROOT, path);
        for (depth, &node) in path.iter().enumerate().skip(from).rev() {
            if self.wants_table(node, path) {
                self.nodes[node].table.as_mut().unwrap().learn(&line[depth..], outcome);
            }
        }
        self.touch(&path[from..]);
    }

    /// Ends a second-level search.
    fn end_second_level(&mut self) {
        let Some(second_level) = self.second_level.take() else { return };
        let (&leaf, above) = second_level.path.split_last().unwrap();
        for node in std::mem::take(&mut self.used[1]) {
            self.drop_table(node);
        }
        self.nodes[leaf].children.retain(|_| false);
        if self.options.two_level.share {
            return;
        }
        let of = |played: Played| second_level.sums[played.player().index()];
        for (depth, &node) in above.iter().enumerate().rev() {
            self.nodes[node].visits += second_level.done;
            if depth > 0 {
                self.nodes[node].sum += of(second_level.line[depth - 1]);
            }
            if !self.wants_table(node, &second_level.path) {
                continue;
            }
            let table = self.nodes[node].table.as_mut().unwrap();
            table.samples += second_level.done;
            let mut seen = HashSet::new();
            for &played in second_level.line[depth..].iter().filter(|played| seen.insert(played.key())) {
                table.add(played.key(), second_level.done, of(played));
            }
            for (&key, &(count, sum)) in
                second_level.apart.entries.iter().filter(|(key, _)| !seen.contains(*key))
            {
                table.add(key, count, sum);
            }
        }
        self.touch(above);
    }

    /// Marks nodes of a path as used, the deepest first.
    fn touch(&mut self, path: &[usize]) {
        for &node in path.iter().rev() {
            let used = &mut self.used[self.nodes[node].level];
            used.retain(|&other| other != node);
            used.push(node);
        }
    }

    fn recycle(&mut self, node: usize) {
        assert!(self.nodes[node].children.is_empty(), "only leaves are recycled");
        self.recycled += 1;
        let Node { parent, level, .. } = self.nodes[node];
        self.nodes[parent].children.retain(|&child| child != node);
        self.used[level].retain(|&other| other != node);
        self.drop_table(node);
    }

    fn drop_table(&mut self, node: usize) {
        self.nodes[node].table = None;
        self.tables_used.retain(|&other| other != node);
    }

    /// Whether a node has a table now, because it has enough visits or had one; the table is used.
    fn wants_table(&mut self, node: usize, path: &[usize]) -> bool {
        if self.nodes[node].table.is_none() && self.nodes[node].visits >= self.options.amaf.min_visits {
            self.give_table(node, path);
        }
        if self.nodes[node].table.is_some() {
            self.tables_used.retain(|&other| other != node);
            self.tables_used.push(node);
        }
        self.nodes[node].table.is_some()
    }

    fn give_table(&mut self, node: usize, path: &[usize]) {
        if self.nodes[node].table.is_some() {
            return;
        }
        if self.tables_used.len() >= self.options.amaf.tables.unwrap_or(usize::MAX) {
            let Some(&oldest) = self.tables_used.iter().find(|id| !path.contains(id)) else { return };
            self.drop_table(oldest);
        }
        self.nodes[node].table = Some(Table::default());
        self.tables_used.push(node);
    }

    /// Compares a subtree with that of the search.
    fn compare<I: Link>(&self, id: usize, tree: &Tree<CodeOf<G>, I>, there: NodeId, game: &G) {
        let (here, node) = (&self.nodes[id], tree.node(there));
        assert_eq!(here.visits, node.visits());
        if id != ROOT {
            let mean = here.sum / f64::from(here.visits);
            assert!((mean - node.exact_value()).abs() < 1e-6, "{mean} is not {}", node.exact_value());
        }
        for key in 0..game.keys() {
            let found = tree.amaf_at(there, key);
            let expected = here.table.as_ref().map(|table| table.read(key));
            assert_eq!(found.map(|amaf| amaf.count), expected.map(|(count, _)| count));
            if let (Some(amaf), Some((a, s))) = (found, expected) {
                // Sums of halves are exact; means of a whole second-level search are rounded.
                let error = if self.options.two_level.share { 0.0 } else { 1e-4 * s + 1e-3 };
                assert!((s - f64::from(amaf.sum)).abs() <= error, "{} is not {s}", amaf.sum);
                assert!(amaf.sum <= a as f32 + 1e-3 && a <= here.visits, "s <= a <= N");
            }
        }
        let keys = here.children.iter().map(|&child| self.nodes[child].key);
        let found: Vec<_> = tree.children(there).collect();
        assert!(
            keys.eq(found.iter().map(|(_, child)| game.first_key() + child.code().index())),
            "the same children"
        );
        for (&child, (there, node)) in here.children.iter().zip(found) {
            let mut next = game.clone();
            next.play(game.decode(node.code()));
            self.compare(child, tree, there, &next);
        }
    }
}

fn play<G: SearchGame>(game: &mut G, key: usize) {
    let mut moves = vec![];
    game.moves(&mut moves);
    let m = moves.into_iter().find(|&m| game.key(m) == key).expect("a legal move");
    game.play(m);
}

/// Runs a search with these settings and its model, and compares them.
fn check<G: SearchGame<Outcome = Value>>(start: &G, case: &Case) {
    if case.mast {
        compare(start, case, Mast::default());
    } else {
        compare(start, case, Uniform {});
    }
}

fn compare<G: SearchGame<Outcome = Value>, P: Playout<G>>(start: &G, case: &Case, policy: P) {
    let log = Log::<Value>::default();
    let playout = Recorded { policy, log: Rc::clone(&log) };
    let grave = Grave { reference: case.reference, bias: case.bias, c: 0.0 };
    let search = Search::compact(start, grave, Mean {}, playout, case.options.clone(), case.seed);
    let mut search = search.unwrap();
    search.run(start, &Budget::simulations(case.simulations)).unwrap();
    let mut model = Model::new(start, grave, &case.options);
    for (line, outcome) in log.borrow().iter() {
        model.simulate(line, outcome);
    }
    model.end_second_level();
    let tree = search.tree();
    model.compare(ROOT, tree, tree.root(), start);
    assert_eq!((tree.len(), tree.recycled()), (model.used[0].len(), model.recycled));
    assert_eq!(tree.amaf_tables(), model.tables_used.len());
    if let Some(nodes) = case.options.memory.nodes {
        assert!(tree.peak() <= nodes + 1);
    }
}

#[derive(Clone, Debug)]
struct Case {
    reference: u32,
    bias: f32,
    options: Options,
    mast: bool,
    simulations: u64,
    seed: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    use proptest::sample::select;
    let memory = (select(vec![None, Some(1), Some(3), Some(20), Some(119)]), any::<bool>());
    let two_level = prop_oneof![
        1 => Just(TwoLevel::default()),
        1 => (select(vec![0.2, 0.5, 0.8_f32]), 2..40_u32, any::<bool>()).prop_map(
            |(lambda, playouts, share)| {
                TwoLevel { lambda, playouts: Some(playouts), share, ..TwoLevel::default() }
            }
        ),
    ];
    let tables = select(vec![None, None, Some(1), Some(3), Some(10)]);
    let amaf = (select(vec![0, 1, 5, 12]), tables, any::<bool>()).prop_map(|(min_visits, tables, narrow)| {
        let counts = if narrow { AmafCounts::Narrow } else { AmafCounts::Wide };
        AmafOptions { min_visits, tables, counts }
    });
    let grave = (select(vec![0, 3, 25, u32::MAX]), select(vec![0.0, 1e-5, 1e-2, 1.0_f32]));
    (memory, two_level, amaf, grave, any::<bool>(), 1..400_u64, any::<u64>()).prop_map(
        |((nodes, recycle), two_level, amaf, (reference, bias), mast, simulations, seed)| {
            let memory = Memory { nodes, ..Memory::default() };
            let options = Options { memory, recycle, two_level, amaf, ..Options::default() };
            Case { reference, bias, options, mast, simulations, seed }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tic_tac_toe(case in cases()) {
        check(&TicTacToe::new(), &case);
    }

    #[test]
    fn connect_four(case in cases()) {
        check(&ConnectFour::new(), &case);
    }

    #[test]
    fn hex(case in cases(), size in 2..6_usize) {
        check(&Hex::new(size).unwrap(), &case);
    }

    #[test]
    fn go(case in cases(), size in 2..6_usize) {
        check(&Go9::new(size, Rules::default()), &case);
    }

    #[test]
    fn random_trees(case in cases(), depth in 1..9_u32) {
        check(&RandomTree::<Value>::new(depth, case.seed), &case);
    }
}
