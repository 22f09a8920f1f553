//! Teachers: networks from which another one learns.

use crate::encoding::Encoding;
use crate::error::ReplayError;
use crate::game::{Outlook, Target, TrainingGame};
use crate::policy::Policy;
use std::fmt::{self, Debug};
use tesuji::{Evaluate, Expectation, Game, Outcome};

/// A network from which another one learns policy and value (distillation), and lead and ownership
/// if it has them. In Go, it is a network of this project or one of KataGo's.
///
/// ```no_run
/// # let game: tesuji_train::TrainingGame = todo!();
/// let options = tesuji::NetworkOptions { file: Some("g170-b6c96.bin.gz".to_owned()), ..Default::default() };
/// let go = tesuji_train::trainable_go(9, tesuji_go::Rules::default());
/// let labelled = go.teacher(&options, 1)?.label(game)?;
/// assert_eq!(labelled.positions(), labelled.turns.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Teacher: Debug + Send + Sync {
    /// The game with the teacher's outputs as the target of every position, or of every Nth one, in
    /// place of earlier targets. Which position is the first differs from game to game. Labels
    /// depend only on the game, the network and N.
    ///
    /// # Errors
    /// If the game is another one, or a move is not legal.
    fn label(&mut self, game: TrainingGame) -> Result<TrainingGame, ReplayError>;

    /// A copy, for another thread.
    fn boxed(&self) -> Box<dyn Teacher>;
}

impl Clone for Box<dyn Teacher> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}

/// The teacher of a game.
pub(crate) struct Labels<E: Encoding> {
    encoding: E,
    evaluator: Box<dyn Evaluate<E::Game>>,
    /// Labels every Nth position.
    every: u32,
}

impl<E: Encoding> Debug for Labels<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Labels").field("encoding", &self.encoding).finish_non_exhaustive()
    }
}

impl<E: Encoding> Labels<E> {
    /// The labels of an evaluator for every Nth position.
    pub(crate) fn new(encoding: E, evaluator: Box<dyn Evaluate<E::Game>>, every: u32) -> Self {
        Labels { encoding, evaluator, every: every.max(1) }
    }
}

impl<E: Encoding> Teacher for Labels<E> {
    fn label(&mut self, mut record: TrainingGame) -> Result<TrainingGame, ReplayError> {
        let mut game = self.encoding.first(&record)?;
        // Any number of the game is good for the first one.
        let first = record.turns.iter().map(|turn| u32::from(turn.m)).sum::<u32>() % self.every;
        let (mut moves, mut priors) = (Vec::new(), Vec::new());
        let mut probabilities = vec![0.0; record.actions];
        for (ply, turn) in record.turns.iter_mut().enumerate() {
            turn.target = None;
            if ply as u32 % self.every == first {
                moves.clear();
                priors.clear();
                game.moves(&mut moves);
                let value = self.evaluator.evaluate(&game, &moves, &mut priors).of(game.to_move());
                probabilities.fill(0.0);
                for (&m, &prior) in moves.iter().zip(&priors) {
                    probabilities[usize::from(self.encoding.number(&game, m))] = prior;
                }
                let outlook = self.evaluator.expectation(&game);
                let outlook = outlook.map(|Expectation { lead, ownership, .. }| Outlook { lead, ownership });
                let policy = Policy::of(&probabilities);
                turn.target = Some(Target { policy, value, outlook, surprise: None });
            }
            game.play(self.encoding.legal(&game, turn.m).ok_or(ReplayError::Move(ply))?);
        }
        Ok(record)
    }

    fn boxed(&self) -> Box<dyn Teacher> {
        let Labels { encoding, evaluator, every } = self;
        Box::new(Labels { encoding: encoding.clone(), evaluator: evaluator.clone(), every: *every })
    }
}
