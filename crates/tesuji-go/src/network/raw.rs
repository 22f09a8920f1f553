//! All outputs of a network for a position, for programs that ask for them.

use tesuji_net::Symmetry;

/// All outputs of a network for a position in one of the eight symmetries, for the player to move.
/// Points are in rows from A1.
#[derive(Clone, PartialEq, Debug)]
pub struct RawEvaluation {
    /// The probabilities of a win, a loss and no result.
    pub result: [f64; 3],
    /// The policy of the points, and of the pass at the end; none where a move is not legal.
    pub policy: Vec<Option<f32>>,
    /// The score as networks of KataGo's kind estimate it.
    pub score: Option<RawScore>,
}

/// A network's estimate of the score, within what the board allows. No result counts as 0.
#[derive(Clone, PartialEq, Debug)]
pub struct RawScore {
    /// The number of points that the player could give away so that the game is even.
    pub lead: f64,
    /// The expected score, komi included.
    pub mean: f64,
    /// The expected square of the score.
    pub square: f64,
    /// The expected owner of each point: 1 is the player, -1 the opponent.
    pub ownership: Vec<f32>,
}

impl RawEvaluation {
    /// What the logits of all moves come to, those of which `legal` holds.
    pub(super) fn new(
        result: [f64; 3],
        logits: &[f32],
        legal: &[bool],
        score: Option<RawScore>,
    ) -> RawEvaluation {
        let allowed = || logits.iter().zip(legal).filter(|(_, legal)| **legal).map(|(&logit, _)| logit);
        let highest = allowed().fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = allowed().map(|logit| (logit - highest).exp()).sum();
        let share = |(&logit, &legal): (&f32, &bool)| legal.then(|| (logit - highest).exp() / total);
        RawEvaluation { result, policy: logits.iter().zip(legal).map(share).collect(), score }
    }
}

/// The symmetry that KataGo gives this number, 0 to 7: 1 mirrors top and bottom, 2 left and right,
/// and 4 exchanges rows and columns after that.
pub fn katago_symmetry(number: u8) -> Option<Symmetry> {
    let own = number & 4 | (number & 1) << 1 | (number & 2) >> 1;
    Symmetry::ALL.get(usize::from(own)).copied().filter(|_| number < 8)
}
