//! How far trials are.

/// How an experiment of decisions or other trials stands while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum TrialProgress<'a> {
    /// A part of it begins or goes on.
    Begun {
        /// Its name.
        name: &'a str,
        /// Its place among those to be run, from 1.
        number: usize,
        /// How many are to be run.
        of: usize,
        /// Trials that it has to make.
        trials: u64,
    },
    /// It has made so many of them.
    Done(u64),
    /// It has made them all, or was stopped.
    Ended,
}
