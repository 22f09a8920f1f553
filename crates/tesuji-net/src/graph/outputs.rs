//! The outputs of an evaluation.

/// The units of a network's outputs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scales {
    /// Points of a score of 1.
    pub score: f32,
    /// Points of a deviation of 1.
    pub deviation: f32,
    /// Points of a lead of 1.
    pub lead: f32,
}

/// A network's outputs for a position, for the player to move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outputs {
    /// The logits of the points, in rows from the top, and of the pass.
    pub policy: Vec<f32>,
    /// The logits of a win, a loss and no result.
    pub value: [f32; 3],
    /// The score at the end in points, komi included, if there is a result.
    pub score: f32,
    /// Its standard deviation.
    pub deviation: f32,
    /// The number of points that the player could give away so that the game is even, if there is a
    /// result.
    pub lead: f32,
    /// The expected owner of each point, in rows from the top: 1 is the player to move, -1 the
    /// opponent.
    pub ownership: Vec<f32>,
}

impl Outputs {
    /// Room for a board of this size.
    pub(super) fn new(board: usize) -> Outputs {
        let points = board * board;
        Outputs { policy: vec![0.0; points + 1], ownership: vec![0.0; points], ..Outputs::default() }
    }

    /// The probabilities of a win, a loss and no result; if every game has a result by the rules,
    /// `can_fail` is false, and the last one is 0.
    pub fn probabilities(&self, can_fail: bool) -> [f64; 3] {
        let [win, loss, none] = self.value.map(f64::from);
        let none = if can_fail { none } else { f64::NEG_INFINITY };
        let most = win.max(loss).max(none);
        let [win, loss, none] = [win, loss, none].map(|logit| (logit - most).exp());
        let total = win + loss + none;
        [win / total, loss / total, none / total]
    }

    /// Fills in the score, its deviation and the lead, of which the score head says the first and
    /// the last in units of `scales`, and the deviation before softplus.
    ///
    /// # Panics
    /// If there are fewer than three numbers.
    pub fn set_scores(&mut self, scales: &Scales, numbers: &[f32]) {
        // ln(1 + e^x), which is x in every digit above 30.
        let softplus = |x: f32| if x > 30.0 { x } else { x.exp().ln_1p() };
        self.score = numbers[0] * scales.score;
        self.deviation = softplus(numbers[1]) * scales.deviation;
        self.lead = numbers[2] * scales.lead;
    }

    /// Whether all of it is finite.
    pub fn is_finite(&self) -> bool {
        let Outputs { policy, value, score, deviation, lead, ownership } = self;
        let numbers = policy.iter().chain(value).chain(ownership).chain([score, deviation, lead]);
        numbers.into_iter().all(|x| x.is_finite())
    }
}
