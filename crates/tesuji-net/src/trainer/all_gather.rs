//! The exchange of sums between the threads of a step.

use std::sync::OnceLock;

/// Rounds in which every thread gives something and sees what all gave.
#[derive(Debug)]
pub(crate) struct AllGather<T> {
    /// For each round and thread.
    given: Vec<Vec<OnceLock<T>>>,
}

/// Looks before a thread lets another one have its processor.
const SPINS: u32 = 2000;

impl<T> AllGather<T> {
    /// A meeting of `threads` threads in `rounds` rounds.
    pub(crate) fn new(threads: usize, rounds: usize) -> AllGather<T> {
        let given = (0..rounds).map(|_| (0..threads).map(|_| OnceLock::new()).collect()).collect();
        AllGather { given }
    }

    /// Gives something to the others, once a round, and waits for what they give: all in the order
    /// of the threads.
    pub(crate) fn meet(&self, round: usize, thread: usize, message: T) -> impl Iterator<Item = &T> {
        let round = &self.given[round];
        // Each thread gives once a round, so the place is free.
        let _ = round[thread].set(message);
        round.iter().map(|place| {
            for _ in 0..SPINS {
                if let Some(message) = place.get() {
                    return message;
                }
                std::hint::spin_loop();
            }
            place.wait()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_see_all_in_order() {
        let all_gather = AllGather::new(3, 2);
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let all_gather = &all_gather;
                scope.spawn(move || {
                    for round in 0..2 {
                        let seen: Vec<usize> =
                            all_gather.meet(round, thread, 10 * round + thread).copied().collect();
                        assert_eq!(seen, [10 * round, 10 * round + 1, 10 * round + 2]);
                    }
                });
            }
        });
    }
}
