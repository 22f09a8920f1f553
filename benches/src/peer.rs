//! The same game searched by the crate `mcts` (0.3), the fastest UCT library for Rust besides this
//! one.

use mcts::tree_policy::UCTPolicy;
use mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};
use std::cell::RefCell;
use tesuji::{Game, Outcome, Player, Playouts as _, Rng};
use tesuji_games::ConnectFour;

#[derive(Clone)]
struct State(ConnectFour);

impl GameState for State {
    type Move = u8;
    type Player = Player;
    type MoveList = Vec<u8>;

    fn current_player(&self) -> Player {
        self.0.to_move()
    }

    fn available_moves(&self) -> Vec<u8> {
        let mut moves = Vec::new();
        if self.0.result().is_none() {
            self.0.moves(&mut moves);
        }
        moves
    }

    fn make_move(&mut self, m: &u8) {
        self.0.play(*m);
    }
}

struct Playouts;

thread_local! {
    static RNG: RefCell<Rng> = RefCell::new(Rng::new(1));
}

impl Evaluator<Spec> for Playouts {
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        state: &State,
        moves: &Vec<u8>,
        _: Option<SearchHandle<'_, Spec>>,
    ) -> (Vec<()>, i64) {
        let mut game = state.0.clone();
        let outcome = RNG.with_borrow_mut(|rng| game.playout(rng, &mut Vec::new(), &mut ()));
        (moves.iter().map(|_| ()).collect(), (outcome.of(Player::FIRST) * 2.0) as i64 - 1)
    }

    fn evaluate_existing_state(&self, state: &State, _: &i64, handle: SearchHandle<'_, Spec>) -> i64 {
        let _ = handle;
        let mut game = state.0.clone();
        let outcome = RNG.with_borrow_mut(|rng| game.playout(rng, &mut Vec::new(), &mut ()));
        (outcome.of(Player::FIRST) * 2.0) as i64 - 1
    }

    fn interpret_evaluation_for_player(&self, evaluation: &i64, player: &Player) -> i64 {
        if *player == Player::FIRST { *evaluation } else { -*evaluation }
    }
}

#[derive(Default)]
struct Spec;

impl MCTS for Spec {
    type State = State;
    type Eval = Playouts;
    type NodeData = ();
    type ExtraThreadData = ();
    type TreePolicy = UCTPolicy;
    type TranspositionTable = ();
}

/// Searches Connect Four with the peer, and returns its number of nodes.
pub(crate) fn uct(simulations: u64) -> u64 {
    let mut manager = MCTSManager::new(State(ConnectFour::new()), Spec, Playouts, UCTPolicy::new(1.4), ());
    manager.playout_n(simulations);
    manager.tree().num_nodes() as u64
}
