//! The settings of an optimizer.

use crate::acquisition::Acquisition;
use crate::fantasy_posterior::{Fantasy, Incumbent};

/// The settings of an optimizer.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The acquisition function to maximise. Default: the expected improvement.
    pub acquisition: Acquisition,
    /// Points of a Sobol sequence that come first, at most [`Settings::POINTS`]. Default: 8.
    pub initial: usize,
    /// Draws of the process's parameters over which the acquisition is averaged; 0: none, the most
    /// likely parameters, as [`Hyper::fit`](crate::Hyper::fit) finds them. Default: 10.
    pub samples: usize,
    /// Sweeps of the chain that draws them before its first draw. Default: 100.
    pub burn_in: usize,
    /// Joint draws of the observations under way, at least 1, of which the knowledge gradient uses
    /// the first 8. Default: 100.
    pub fantasies: usize,
    /// Points of a Sobol sequence at which the acquisition is evaluated first, at most
    /// [`Settings::POINTS`]. Default: 500.
    pub candidates: usize,
    /// The number of the best of them from which a climb begins. Default: 8.
    pub climbs: usize,
    /// The values that are assumed for observations under way. Default: draws of the
    /// function.
    pub fantasy: Fantasy,
    /// The value above which an improvement counts. Default: the highest posterior mean.
    pub incumbent: Incumbent,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            acquisition: Acquisition::default(),
            initial: 8,
            samples: 10,
            burn_in: 100,
            fantasies: 100,
            candidates: 500,
            climbs: 8,
            fantasy: Fantasy::default(),
            incumbent: Incumbent::default(),
        }
    }
}

impl Settings {
    /// The number of points of the Sobol sequence.
    pub const POINTS: usize = 1 << 16;

    /// Checks the settings.
    ///
    /// # Errors
    /// If a number is out of its range: the text names the number, and what would be accepted.
    pub fn check(&self) -> Result<(), String> {
        for (key, points) in [("initial", self.initial), ("candidates", self.candidates)] {
            if points > Settings::POINTS {
                return Err(format!("{key} is {points}; accepted: at most {}", Settings::POINTS));
            }
        }
        if self.fantasies == 0 {
            return Err("fantasies is 0; accepted: at least 1".to_owned());
        }
        match self.acquisition {
            Acquisition::UpperConfidenceBound { kappa } if !(kappa >= 0.0 && kappa.is_finite()) => {
                Err(format!("kappa is {kappa}; accepted: a number of at least 0"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_cannot_be_are_named() {
        let good = Settings { initial: Settings::POINTS, ..Settings::default() };
        assert_eq!(good.check(), Ok(()));
        let bound = |kappa| Acquisition::UpperConfidenceBound { kappa };
        for (bad, part) in [
            (Settings { initial: 65_537, ..good.clone() }, "initial is 65537; accepted: at most 65536"),
            (Settings { candidates: 65_537, ..good.clone() }, "candidates is 65537"),
            (Settings { fantasies: 0, ..good.clone() }, "fantasies is 0"),
            (Settings { acquisition: bound(-1.0), ..good.clone() }, "kappa is -1"),
            (Settings { acquisition: bound(f64::NAN), ..good }, "kappa is NaN"),
        ] {
            assert!(bad.check().unwrap_err().contains(part));
        }
    }
}
