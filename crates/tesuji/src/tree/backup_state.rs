//! The numbers that a backup keeps at a node.

use crate::atomic::AtomicF64;

/// The numbers that a backup keeps at a node.
#[derive(Clone, Copy, Debug)]
pub struct BackupState<'a>(pub(crate) &'a [AtomicF64]);

impl BackupState<'_> {
    /// The number at this place.
    ///
    /// # Panics
    /// If there is no such place.
    #[inline(always)]
    pub fn get(&self, place: usize) -> f64 {
        self.0[place].get()
    }

    /// Replaces the number at this place.
    ///
    /// # Panics
    /// If there is no such place.
    #[inline(always)]
    pub fn set(&self, place: usize, number: f64) {
        self.0[place].set(number);
    }

    /// Makes all numbers 0.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(|number| number.set(0.0));
    }
}
