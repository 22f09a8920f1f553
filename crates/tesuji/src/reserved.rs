//! A list whose clone has the same room.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// A list that may have been made with room for more. Its clone has that room too: a search within
/// a limit in bytes makes room once, and so does its clone.
#[derive(Debug)]
pub(crate) struct Reserved<T>(Vec<T>);

impl<T> Reserved<T> {
    /// Makes room for `len` elements in all, those that are there among them.
    pub(crate) fn make_room_for(&mut self, len: usize) -> Result<(), TryReserveError> {
        self.0.try_reserve_exact(len.saturating_sub(self.0.len()))
    }
}

impl<T: Clone> Clone for Reserved<T> {
    fn clone(&self) -> Reserved<T> {
        let mut list = Vec::with_capacity(self.0.capacity());
        list.extend_from_slice(&self.0);
        Reserved(list)
    }
}

impl<T> Default for Reserved<T> {
    fn default() -> Reserved<T> {
        Reserved(Vec::new())
    }
}

impl<T> From<Vec<T>> for Reserved<T> {
    fn from(list: Vec<T>) -> Reserved<T> {
        Reserved(list)
    }
}

impl<T> Deref for Reserved<T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Reserved<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}
