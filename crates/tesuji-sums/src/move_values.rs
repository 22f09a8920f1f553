//! Values of actions by all-moves-as-first.

/// All-moves-as-first (AMAF) values of actions, which RAVE uses in place of RIDE's differences
/// (Gelly and Silver 2011). Each is a mean over all moves of all simulations, by either player and
/// at any time. Positive numbers are good for the mover.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct MoveValues {
    outcome: Vec<Mean>,
    outcome_left: Vec<Mean>,
    to_come: Vec<Mean>,
    by_pairs: Vec<ByPairs>,
}

/// A value that pairs of actions pull at.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct ByPairs {
    value: f64,
    visits: u32,
    is_compared: bool,
}

#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Mean {
    sum: f64,
    n: u32,
}

impl Mean {
    fn add(&mut self, x: f64) {
        self.sum += x;
        self.n += 1;
    }

    fn get(self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / f64::from(self.n))
    }
}

impl MoveValues {
    /// Forgets everything.
    pub(crate) fn reset(&mut self, actions: usize) {
        for means in [&mut self.outcome, &mut self.outcome_left, &mut self.to_come] {
            means.clear();
            means.resize(actions, Mean::default());
        }
        self.by_pairs.clear();
        self.by_pairs.resize(actions, ByPairs::default());
    }

    /// The factor C of [`MoveValues::by_pairs`], in the middle of its authors' range.
    pub const PAIR_FACTOR: f64 = 0.85;

    /// Action `a` was taken in a state of the table.
    pub(crate) fn visit(&mut self, a: usize) {
        self.by_pairs[a].visits += 1;
    }

    /// Action `a` was taken, at its last visit, where `b` had been tried too; the difference of
    /// their values there has the mover's sign.
    pub(crate) fn compare(&mut self, a: usize, b: usize, difference: f32) {
        let other = self.by_pairs[b].value;
        let own = &mut self.by_pairs[a];
        own.is_compared = true;
        let rate = 1.0 / f64::from(own.visits).sqrt();
        own.value -= rate * (own.value - other - MoveValues::PAIR_FACTOR * f64::from(difference));
    }

    /// An action was played by Left or by Right; the scores have Left's sign.
    pub(crate) fn add(&mut self, action: usize, is_left: bool, outcome: f32, to_come: f32) {
        let sign = if is_left { 1.0 } else { -1.0 };
        self.outcome[action].add(sign * f64::from(outcome));
        self.to_come[action].add(sign * f64::from(to_come));
        if is_left {
            self.outcome_left[action].add(outcome.into());
        }
    }

    /// Whether anything was gathered.
    pub(crate) fn is_empty(&self) -> bool {
        self.outcome.is_empty()
    }

    /// The mean change of the score, from beginning to end, of the simulations in which the action
    /// was played; none if it never was.
    pub fn outcome(&self, action: usize) -> Option<f64> {
        self.outcome[action].get()
    }

    /// [`MoveValues::outcome`] over the moves of Left alone.
    pub fn outcome_left(&self, action: usize) -> Option<f64> {
        self.outcome_left[action].get()
    }

    /// The value by the rule of Bouzy and Chaslot (2006), which Kao, Wu, Yen and Shan (2013,
    /// section VI) compare RIDE with,
    ///
    /// ```text
    /// Q(a) -= alpha (Q(a) - Q(b) - C (V_a - V_b)),    alpha = 1 / sqrt(n),
    /// ```
    ///
    /// once for each comparison of `a`, which was just taken, with an action `b` that was tried in
    /// the same state. V are the values there, with the mover's sign, and C is
    /// [`MoveValues::PAIR_FACTOR`]. n counts the visits of `a`, in which it was taken in a state of
    /// the table. All comparisons of a visit have the same alpha. None if `a` was never compared.
    pub fn by_pairs(&self, action: usize) -> Option<f64> {
        let ByPairs { value, is_compared, .. } = self.by_pairs[action];
        is_compared.then_some(value)
    }

    /// The mean change of the score from the action on.
    pub fn to_come(&self, action: usize) -> Option<f64> {
        self.to_come[action].get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two actions, each in two simulations from the same state, with these outcomes.
    #[test]
    fn the_first_figure_of_the_paper() {
        let (a, b, c) = (0, 1, 2);
        let mut values = MoveValues::default();
        values.reset(3);
        for (action, outcome) in [(a, 18.0), (b, 10.0), (a, 10.0), (b, 20.0)] {
            values.add(action, true, outcome, outcome - 1.0);
        }
        assert_eq!((values.outcome(a), values.outcome(b), values.outcome(c)), (Some(14.0), Some(15.0), None));
        assert_eq!(values.to_come(b), Some(14.0));
        values.add(a, false, -2.0, -5.0);
        assert_eq!((values.outcome(a), values.outcome_left(a)), (Some(10.0), Some(14.0)));
        assert_eq!(values.to_come(a), Some((17.0 + 9.0 + 5.0) / 3.0));
    }

    #[test]
    fn pairs_pull_at_the_action_that_was_taken() {
        let is_near = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
        let mut values = MoveValues::default();
        values.reset(3);
        values.visit(0);
        assert_eq!(values.by_pairs(0), None);
        values.visit(0);
        // Two comparisons of the second visit: each has a weight of 1 / sqrt(2).
        let rate = 1.0 / 2f64.sqrt();
        values.compare(0, 1, 4.0);
        let first = rate * 3.4;
        assert!(is_near(values.by_pairs(0), first) && values.by_pairs(1).is_none());
        values.compare(0, 2, 8.0);
        let second = first - rate * (first - 6.8);
        assert!(is_near(values.by_pairs(0), second));
        values.visit(1);
        values.compare(1, 0, -2.0);
        assert!(is_near(values.by_pairs(1), second - 1.7));
    }
}
