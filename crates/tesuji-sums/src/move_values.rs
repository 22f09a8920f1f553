//! Values of actions by all-moves-as-first.

/// All-moves-as-first (AMAF) values of actions: what RAVE has where RIDE has differences (Gelly and
/// Silver 2011). Each is a mean over all moves of all simulations, by whichever player and
/// whenever; positive numbers are good for the mover.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct MoveValues {
    outcome: Vec<Mean>,
    outcome_left: Vec<Mean>,
    to_come: Vec<Mean>,
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

    /// The mean change of the score in the simulations in which the action was played, from where
    /// they began to their ends; none if it never was.
    pub fn outcome(&self, action: usize) -> Option<f64> {
        self.outcome[action].get()
    }

    /// [`MoveValues::outcome`] over the moves of Left alone.
    pub fn outcome_left(&self, action: usize) -> Option<f64> {
        self.outcome_left[action].get()
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
}
