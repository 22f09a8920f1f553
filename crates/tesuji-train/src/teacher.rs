//! Teachers: networks from which another one learns.

use crate::replay::begin;
use crate::replay::{number, vertex};
use crate::{Outlook, Policy, ReplayError, Target, TrainingGame};
use tesuji::{Evaluate, Expectation, Game, NetworkOptions, Outcome};
use tesuji_go::network::{NetEvaluator, NetworkError, evaluator};
use tesuji_go::{Go, Rules, with_go};

/// A network from which another one learns policy and value (distillation), and lead and ownership
/// if it has them. It is a network of this project or one of KataGo's.
///
/// ```no_run
/// # let game: tesuji_train::TrainingGame = todo!();
/// let options = tesuji::NetworkOptions { file: Some("g170-b6c96.bin.gz".to_owned()), ..Default::default() };
/// let labelled = tesuji_train::Teacher::new(&options, 9)?.label(game)?;
/// assert_eq!(labelled.positions(), labelled.turns.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Teacher {
    evaluator: NetEvaluator,
    size: usize,
}

impl Teacher {
    /// The network of these options, for boards of this size.
    ///
    /// # Errors
    /// If the network cannot be used on such a board.
    pub fn new(options: &NetworkOptions, size: usize) -> Result<Teacher, NetworkError> {
        Ok(Teacher { evaluator: evaluator(options, size)?, size })
    }

    /// The game with the teacher's outputs as the target of every position, in place of earlier
    /// targets. Labels depend only on the game and the network.
    ///
    /// # Errors
    /// If the game is on another board, or a move is not legal.
    pub fn label(&mut self, mut game: TrainingGame) -> Result<TrainingGame, ReplayError> {
        if game.size != self.size {
            return Err(ReplayError::Board { found: game.size, wanted: self.size });
        }
        let rules = Rules { komi: game.komi, ..Rules::default() };
        with_go!(game.size, rules, |go| self.run(go, &mut game))?;
        Ok(game)
    }

    fn run<const STRIDE: usize, const LEN: usize>(
        &mut self,
        mut go: Go<STRIDE, LEN>,
        game: &mut TrainingGame,
    ) -> Result<(), ReplayError> {
        begin(&mut go, game).ok_or(ReplayError::Stones)?;
        let (mut moves, mut priors) = (Vec::new(), Vec::new());
        let mut probabilities = vec![0.0; game.size * game.size + 1];
        for (ply, turn) in game.turns.iter_mut().enumerate() {
            moves.clear();
            priors.clear();
            go.moves(&mut moves);
            let value = self.evaluator.evaluate(&go, &moves, &mut priors).of(go.to_move());
            probabilities.fill(0.0);
            for (&m, &prior) in moves.iter().zip(&priors) {
                probabilities[usize::from(number(&go, m))] = prior;
            }
            let outlook = self.evaluator.expectation(&go);
            let outlook = outlook.map(|Expectation { lead, ownership, .. }| Outlook { lead, ownership });
            turn.target = Some(Target { policy: Policy::of(&probabilities), value, outlook });
            let m = vertex(&go, turn.m).ok_or(ReplayError::Move(ply))?;
            go.legal(go.to_move(), m).map_err(|_| ReplayError::Move(ply))?;
            go.play(m);
        }
        Ok(())
    }
}
