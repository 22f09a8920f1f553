//! Alpha-beta agrees with minimax, and cuts what theory says.

use tesuji::doc_game::Nim;
use tesuji::{
    AlphaBeta, Bot, Budget, Game, Outcome, PlainGame, Player, Reply, Rng, StopReason, Value, alpha_beta,
    alpha_beta_to_depth, minimax,
};

/// A tree of uniform branching factor and depth.
#[derive(Clone)]
struct Tree {
    branching: u8,
    depth: u32,
    node: u64,
    /// Whether players alternate and the first move is the best everywhere. If not, a node's mover
    /// is random, and so is a leaf's value, one of nine.
    sorted: bool,
    ply: u32,
}

impl Tree {
    fn new(branching: u8, depth: u32, seed: u64) -> Tree {
        Tree { branching, depth, node: seed, sorted: false, ply: 0 }
    }

    fn value(&self) -> Value {
        Value::new(Player::FIRST, Rng::new(self.node).below(9) as f32 / 8.0)
    }
}

impl Game for Tree {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        Player::new(if self.sorted { self.ply as usize % 2 } else { (self.node >> 7 & 1) as usize })
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..self.branching);
    }

    fn play(&mut self, m: u8) {
        if self.sorted {
            // Every move but the first costs its player something.
            let cost = if m == 0 { 0 } else { 1 << (20 - self.ply) };
            self.node = if self.ply.is_multiple_of(2) { self.node - cost } else { self.node + cost };
        } else {
            self.node = Rng::derive(self.node, u64::from(m));
        }
        self.ply += 1;
    }

    fn result(&self) -> Option<Value> {
        let value = || match self.sorted {
            true => Value::new(Player::FIRST, self.node as f32 / (1 << 23) as f32),
            false => self.value(),
        };
        (self.ply == self.depth).then(value)
    }
}

impl PlainGame for Tree {}

/// Branching factors and depths with at most 4096 leaves.
fn shapes() -> Vec<(u8, u32)> {
    let shapes = (2..=64_u8).flat_map(|b| (1..=12).map(move |d| (b, d)));
    shapes.filter(|&(b, d)| u64::from(b).saturating_pow(d) <= 4096).collect()
}

#[test]
fn alpha_beta_is_minimax() {
    let shapes = shapes();
    for seed in 0..1000 {
        for &(b, d) in shapes.iter().skip(seed % 10).step_by(10) {
            let tree = Tree::new(b, d, seed as u64);
            let (all, pruned) = (minimax(&tree), alpha_beta(&tree));
            assert_eq!((all.value, all.best), (pruned.value, pruned.best), "{b}^{d}, seed {seed}");
            assert!(pruned.visits <= all.visits && pruned.leaves <= all.leaves);
            assert_eq!(all.leaves, u64::from(b).pow(d));
            let limited = alpha_beta_to_depth(&tree, d - 1, Tree::value);
            let shallow = minimax(&Tree { depth: d - 1, ..tree });
            assert_eq!(limited.value, shallow.value, "{b}^{d} cut off, seed {seed}");
        }
    }
}

#[test]
fn sorted_moves_need_the_fewest_leaves() {
    for (b, d) in shapes() {
        let tree = Tree { sorted: true, ..Tree::new(b, d, 1 << 22) };
        let found = alpha_beta(&tree);
        let leaves = |d| u64::from(b).pow(d);
        assert_eq!(found.leaves, leaves(d.div_ceil(2)) + leaves(d / 2) - 1, "{b}^{d}");
        assert_eq!(found.value, Value::DRAW);
    }
}

#[test]
fn the_player_finds_the_win_within_its_budget() {
    let mut bot = AlphaBeta::exact();
    let mut play = |game: &Nim, budget: &Budget| match bot.genmove(game, budget, &mut ()).unwrap() {
        Reply::Play(report) => report,
        Reply::Resign => unreachable!("it never resigns"),
    };
    let report = play(&Nim::new(10), &Budget::default());
    assert_eq!((report.best, report.value, report.reason), (2, 1.0, StopReason::Proven));
    let report = play(&Nim::new(200), &Budget::simulations(1000));
    assert_eq!((report.simulations, report.reason), (1000, StopReason::Simulations));
    let budget = Budget::default();
    budget.stop.stop();
    assert_eq!(play(&Nim::new(200), &budget).reason, StopReason::Stopped);
    let mut over = Nim::new(1);
    over.play(1);
    assert!(AlphaBeta::exact().genmove(&over, &Budget::default(), &mut ()).is_err());
}

#[test]
fn a_limited_player_trusts_its_evaluation() {
    // The evaluation knows the rule of the game, so one move of depth is enough.
    let mut bot = AlphaBeta::new(1, |game: &Nim| {
        let winner = if minimax(game).value == Value::win(game.to_move()) { 0.9 } else { 0.1 };
        Value::new(game.to_move(), winner)
    });
    let Ok(Reply::Play(report)) = bot.genmove(&Nim::new(15), &Budget::default(), &mut ()) else {
        panic!("it plays")
    };
    assert_eq!((report.best, report.depth), (3, 1));
    assert_eq!(report.value, Value::new(Player::SECOND, 0.1).of(Player::FIRST));
}
