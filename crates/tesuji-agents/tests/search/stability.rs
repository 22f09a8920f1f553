//! The same seed gives the same tree, today and on every machine.

use crate::games::RandomTree;
use crate::trees::fingerprint;
use crate::{recipes, search};
use std::fmt::Write;
use std::sync::Arc;
use tesuji::recipe::{Recipe, RecipeSearch};
use tesuji::{Budget, Evaluate, Game, Link, NetworkOptions, NetworkSymmetry, Notation, Scores, SearchGame};
use tesuji_games::*;
use tesuji_go::network::{self, NetEvaluator};
use tesuji_go::{Go9, Go13, Go19, Rules, Vertex};
use tesuji_net::{Instructions, Network, Parameters, Shape};
use tesuji_sums::{Heap, Sum};

const SIMULATIONS: u64 = 600;
/// Enough for every table of a backup to come to its end.
const LONG: u64 = 20_000;
/// Moves of a game in which trees are kept.
const MOVES: usize = 10;

/// Parts and parameters that no built-in recipe has.
pub(crate) const PARTS: [&str; 33] = [
    "puct,select.first_play=even",
    "puct,select.first_play={parent-minus=0.2},select.count=children-only",
    "puct,select.first_play=infinite",
    "puct,root=dirichlet",
    "puct,root=gumbel",
    "puct,root.kind=gumbel,root.considered=3,root.noise=0",
    "grave,select.reference=5,select.c=0.2,playout=uniform",
    "rave-hand-selected,select.k=50,select.c=0.2",
    "uct,backup.kind=erwa,backup.rate=0.05,backup.start=prior",
    "uct,backup=feedback",
    "uct,backup.kind=feedback,backup.simulations=400,backup.profile=quad",
    "uct,backup.kind=feedback,backup.clock=search,backup.as_visits=true",
    "uct,backup.kind=weights,backup.weights=[1,3,2,5]",
    "uct,backup.kind=monotone,backup.knots=[-2,0,3],backup.simulations=400",
    "uct,backup.kind=softmax,backup.schedule=knots,backup.knots=[0,4],backup.simulations=400",
    "uct,backup.kind=softmax,backup.schedule=linear,backup.weight=0.02,backup.error=0",
    "uct,backup.kind=softmax,backup.own=drop",
    "uct,backup.kind=softmax,backup.own=as-child",
    "uct,backup=max",
    "uct,backup.kind=coulom,backup.best=visits,backup.area=9",
    "uct,backup.kind=power-mean,backup.p=3.5",
    "uct,backup=mellowmax",
    "mast,playout.epsilon=0.1,playout.keep=0.9",
    "maxi,playout.epsilon=0.1,playout.among=2,playout.list=keys,playout.keep=false",
    "uct,solver=true,backup=softmax",
    "uct,ties=random,expand_at=3",
    "uct,depth=3,final_move={secure=0.5}",
    "grave,amaf.counts=narrow,amaf.alloc=5",
    "grave,amaf.counts=byte,amaf.tables=3",
    "grave2,two_level.lambda=0.3,two_level.playouts=20,two_level.share=false",
    "graver2,memory.nodes=60,two_level.give_up=0.1",
    "uct,memory.nodes=100",
    "uct,bias=virtual",
];

/// Patterns of Go with both kinds of bias.
pub(crate) const PATTERNS: [&str; 2] = [
    ",patterns=[{pattern=\"+0+1:O\"},{pattern=\"+1+1:X +0+1:.\",value=\"bad\"},{pattern=\"-1+0:#\",value=\"bad\"}]",
    ",patterns=[{pattern=\"+0+1:X +1+0:X\"},{pattern=\"+2+0:O\",value=\"bad\"}],bias.kind=virtual,bias.visits=20,bias.from=2",
];

/// What is added to a recipe with a network.
const WITH_NETWORK: [&str; 11] = [
    ",memory.nodes=60,recycle=true",
    ",memory.nodes=60,two_level.lambda=0.5",
    ",solver=true",
    ",root=gumbel",
    ",root=dirichlet",
    ",select=grave",
    ",playout=mast,network.cache=100",
    ",network.temperature=2",
    ",network.cache=50",
    ",ties=random,expand_at=4",
    ",memory.bytes=200000,network.cache=50",
];

/// One search as a line of text: the visits of the root's children, nodes, and a hash of the whole
/// tree.
fn line<G: Notation + SearchGame>(name: &str, start: &G, recipe: &str, seed: u64) -> String {
    let mut search = search(recipe, start, seed);
    let report = search.run(start, &Budget::simulations(SIMULATIONS)).unwrap();
    let mut line = format!("{name} {recipe} {seed}:");
    for child in &report.children {
        write!(line, " {}={}", start.move_text(child.m), child.visits).unwrap();
    }
    write!(line, "; {} nodes, {:016x}", report.nodes, fingerprint(search.tree(), start)).unwrap();
    line
}

/// Where lines go: each is compared with the file as soon as it is whole, unless the file is
/// written anew.
#[derive(Default)]
struct Out {
    line: String,
    lines: String,
    expected: Option<std::vec::IntoIter<String>>,
}

impl Write for Out {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.line.push_str(text);
        if let Some(line) = self.line.strip_suffix('\n') {
            if let Some(expected) = &mut self.expected {
                assert_eq!(Some(line), expected.next().as_deref());
            }
            self.lines.push_str(&self.line);
            self.line.clear();
        }
        Ok(())
    }
}

fn lines<G: Notation + SearchGame>(name: &str, start: &G, out: &mut Out) {
    for recipe in recipes() {
        let first = line(name, start, recipe, 1);
        assert_eq!(first, line(name, start, recipe, 1));
        let other = line(name, start, recipe, 2);
        assert_ne!(first.split_once(": "), other.split_once(": "));
        assert_ne!(first.rsplit_once(", ").unwrap().1, other.rsplit_once(", ").unwrap().1, "{first}");
        writeln!(out, "{first}").unwrap();
    }
}

/// The trees of a line.
#[derive(PartialEq, Debug)]
struct Trees {
    /// Nodes of the last one.
    nodes: usize,
    /// Nodes that were recycled in all of them.
    recycled: u64,
    /// Of everything in all of them.
    hash: u64,
}

/// Where lines go: one for each search, or for each game of several moves.
struct Lines<'a, G> {
    name: &'a str,
    start: G,
    out: &'a mut Out,
}

impl<G: SearchGame> Lines<'_, G> {
    /// The search of a recipe, and the line that says so if this game has none.
    fn search(&mut self, spec: &str) -> Option<RecipeSearch<G>> {
        let search = Recipe::parse(spec).unwrap_or_else(|error| panic!("{error}")).search(&self.start, 1);
        if search.is_err() {
            writeln!(self.out, "{} {spec}: refused", self.name).unwrap();
        }
        search.ok()
    }

    /// Searches with this many simulations.
    fn one(&mut self, spec: &str, simulations: u64) -> Option<Trees> {
        let search = self.search(spec)?;
        Some(self.game(spec, search, simulations, 1))
    }

    /// Plays at most N moves of a game with this many simulations a move, and follows them in
    /// the tree. The hash is of all trees.
    fn game<I: Link>(
        &mut self,
        spec: &str,
        mut search: RecipeSearch<G, I>,
        simulations: u64,
        moves: usize,
    ) -> Trees {
        let (mut game, mut hash, mut recycled, mut played) = (self.start.clone(), 0_u64, 0, 0);
        write!(self.out, "{} {spec} {simulations}:", self.name).unwrap();
        while played < moves && game.result().is_none() {
            let report = search.run(&game, &Budget::simulations(simulations)).unwrap();
            let tree = search.tree();
            hash = hash.rotate_left(7) ^ fingerprint(tree, &game);
            recycled += tree.recycled();
            let visits = report.children.iter().find(|child| child.m == report.best);
            write!(self.out, " {:?}={}", report.best, visits.map_or(0, |child| child.visits)).unwrap();
            search.follow(report.best);
            game.play(report.best);
            played += 1;
        }
        let nodes = search.tree().len();
        writeln!(self.out, "; {nodes} nodes, {recycled} recycled, {hash:016x}").unwrap();
        Trees { nodes, recycled, hash }
    }

    /// Every recipe with nothing added, and with each kind of memory.
    fn memory(&mut self, simulations: u64) {
        let limits = ["memory.nodes=60,recycle=true", "memory.bytes=32768,recycle=true"];
        let mut recycles = 0;
        for recipe in recipes() {
            self.one(recipe, simulations);
            for limit in limits {
                let trees = self.one(&format!("{recipe},{limit}"), simulations);
                recycles += u64::from(trees.is_some_and(|trees| trees.recycled > 0));
            }
            for rest in ["", ",memory.nodes=60,recycle=true"] {
                let spec = format!("{recipe},reuse=true{rest}");
                if let Some(search) = self.search(&spec) {
                    self.game(&spec, search, simulations.div_ceil(4), MOVES);
                }
            }
        }
        let graves = ["", ",memory.nodes=60", ",memory.nodes=60,recycle=true"];
        let [whole, full, recycled] =
            graves.map(|rest| self.one(&format!("grave,playout=uniform{rest}"), simulations).unwrap());
        // The game may be smaller.
        if whole.nodes > 62 {
            assert!(recycles > 5, "{}: {recycles} searches recycle", self.name);
            assert!(recycled.recycled > 0 && recycled.hash != full.hash, "{}: {recycled:?}", self.name);
        }
    }

    /// Searches with narrow links under a limit of bytes, as programs make them.
    fn compact(&mut self) {
        for recipe in recipes() {
            let spec = format!("{recipe},memory.bytes=32768");
            if let Ok(search) = Recipe::parse(&spec).unwrap().compact_search(&self.start, 1) {
                self.game(&format!("{spec} narrow"), search, SIMULATIONS, 1);
            }
        }
    }

    fn parts(&mut self, simulations: u64) {
        for spec in PARTS {
            self.one(spec, simulations);
        }
    }

    fn long(&mut self) {
        for recipe in recipes() {
            self.one(recipe, LONG);
        }
        self.parts(LONG);
    }

    fn patterns(&mut self) {
        let mut changed = 0;
        for recipe in recipes() {
            let [plain, one, other] = ["", PATTERNS[0], PATTERNS[1]]
                .map(|rest| self.one(&format!("{recipe}{rest}"), 200).unwrap().hash);
            changed += u32::from(plain != one && plain != other && one != other);
        }
        assert!(changed > 20, "patterns change the trees of {changed} recipes");
    }

    /// Recipes with this network.
    fn networks(&mut self, network: &Arc<Network>, simulations: u64, variants: &[&str])
    where
        NetEvaluator: Evaluate<G>,
    {
        let names = Recipe::built_ins().map(|(name, _)| name);
        let bases =
            names.filter(|name| Recipe::built_in(name).is_some_and(|recipe| recipe.network().is_some()));
        let others = variants.iter().map(|rest| format!("puct-net{rest}"));
        let specs: Vec<String> = bases.map(str::to_owned).chain(others).collect();
        assert!(specs.len() >= 6);
        for spec in specs {
            let recipe = Recipe::parse(&spec).unwrap();
            let evaluator = |options: &NetworkOptions| -> Box<dyn Evaluate<G>> {
                Box::new(NetEvaluator::new(Arc::clone(network), options).unwrap())
            };
            let options = recipe.network().unwrap();
            let search = recipe.search_by(&self.start, Some(evaluator(&options)), 1).unwrap();
            self.game(&spec, search, simulations, 1);
            let kept = Recipe::parse(&format!("{spec},reuse=true")).unwrap();
            let symmetry = NetworkSymmetry::Random;
            let evaluator = evaluator(&NetworkOptions { symmetry, ..options });
            if let Ok(search) = kept.search_by(&self.start, Some(evaluator), 1) {
                self.game(
                    &format!("{spec},reuse=true,network.symmetry=random"),
                    search,
                    simulations / 5,
                    MOVES,
                );
            }
        }
    }
}

/// A small network for 5x5 whose policy is far from uniform.
fn small_network() -> Arc<Network> {
    let shape = Shape { board: 5, planes: 7, filters: 8, blocks: 1, value_hidden: 8, ..Shape::GO9 };
    let mut parameters = Parameters::random(shape, 3);
    for (name, factor) in [("policy.fc.weight", 2.0), ("value.fc2.weight", 12.0)] {
        parameters.tensor_mut(name).unwrap().iter_mut().for_each(|w| *w *= factor);
    }
    Arc::new(Network::new(&parameters))
}

/// A position of 9x9 Go with some stones.
pub(crate) fn nine() -> Go9 {
    let mut game = Go9::new(9, Rules::default());
    for name in ["E5", "C7", "D4", "G3", "F6"] {
        game.play(Vertex::parse(name).unwrap());
    }
    game
}

/// The lines of all games, without networks.
fn all(out: &mut Out) {
    let go = |size| Go9::new(size, Rules::default());
    let p_game = || PGame::new(4, 8, 1).unwrap();
    lines("tic-tac-toe", &TicTacToe::new(), out);
    lines("connect-four", &ConnectFour::new(), out);
    lines("hex:5", &Hex::new(5).unwrap(), out);
    lines("p-game:4x8", &p_game(), out);
    lines("go:5", &go(5), out);

    Lines { name: "tic-tac-toe", start: TicTacToe::new(), out }.long();
    let mut lines = Lines { name: "connect-four", start: ConnectFour::new(), out };
    lines.memory(SIMULATIONS);
    lines.compact();
    lines.long();
    let mut lines = Lines { name: "hex:5", start: Hex::new(5).unwrap(), out };
    lines.memory(SIMULATIONS);
    lines.compact();
    lines.parts(SIMULATIONS);
    let mut lines = Lines { name: "p-game:4x8", start: p_game(), out };
    lines.memory(SIMULATIONS);
    lines.long();
    Lines { name: "p-game:4x8-evaluated", start: p_game().evaluated(StaticEvaluation::default()), out }
        .parts(SIMULATIONS);
    let mut lines = Lines { name: "go:5", start: go(5), out };
    lines.memory(SIMULATIONS);
    lines.compact();
    lines.parts(SIMULATIONS);
    Lines { name: "domineering:6x6", start: Domineering::new(6, 6).unwrap(), out }.memory(SIMULATIONS);
    Lines { name: "knightthrough", start: Knightthrough::new(), out }.memory(200);
    let heaps =
        ["b3r5b5r1b2", "r2b1r9b4", "b7b2r4r6b1", "r8b3b9r2"].map(|heap| heap.parse::<Heap>().unwrap());
    Lines { name: "heap-go", start: Sum::new(heaps.to_vec()), out }.memory(SIMULATIONS);
    Lines { name: "three-players", start: RandomTree::<Scores<3>>::new(12, 4), out }.memory(SIMULATIONS);

    let mut lines = Lines { name: "go:9", start: nine(), out };
    lines.memory(200);
    lines.patterns();
    Lines { name: "go:13", start: Go13::new(13, Rules::default()), out }.memory(100);
    Lines { name: "go:19", start: Go19::new(19, Rules::default()), out }.memory(80);
}

/// The lines of networks.
fn networks(out: &mut Out) {
    let shared = network::load(&NetworkOptions::default(), 9).unwrap();
    Lines { name: "go:9-network", start: nine(), out }.networks(&shared, 60, &[]);
    let start = Go9::new(5, Rules::default());
    Lines { name: "go:5-network", start, out }.networks(&small_network(), 200, &WITH_NETWORK);
}

/// With the environment variable `TESUJI_WRITE_TREES` set, the file is written anew instead.
#[test]
fn trees_are_those_of_the_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/trees.txt");
    let writes = std::env::var_os("TESUJI_WRITE_TREES").is_some();
    // Portable instructions would take minutes.
    let is_fast = Instructions::best() != Instructions::portable();
    let mut out = Out::default();
    if !writes {
        let expected = std::fs::read_to_string(path).unwrap();
        let expected = expected.lines().filter(|line| is_fast || !line.contains("-network "));
        out.expected = Some(expected.map(str::to_owned).collect::<Vec<_>>().into_iter());
    }
    all(&mut out);
    if is_fast {
        networks(&mut out);
    } else {
        eprintln!("trees of networks are not compared: they would take minutes by portable instructions");
    }
    if writes {
        assert!(is_fast, "the file has trees of networks as well");
        std::fs::write(path, out.lines).unwrap();
    } else {
        assert_eq!(out.expected.and_then(|mut rest| rest.next()), None, "one line a search");
    }
}
