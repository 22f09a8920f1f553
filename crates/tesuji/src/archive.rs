//! Serialization of a search's state, to a file and back.

use crate::atomic::{Atomic, Word};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// State that is written to a file or read from it. A part describes its fields once for both
/// directions, so that writing and reading cannot differ.
///
/// ```
/// use tesuji::{Archive, ArchiveError};
///
/// #[derive(Default)]
/// struct Counter {
///     games: u64,
///     last: [f32; 2],
/// }
///
/// impl Counter {
///     fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
///         archive.number(&mut self.games)?;
///         archive.numbers(&mut self.last)?;
///         archive.check(self.last.iter().all(|x| x.is_finite()), "last")
///     }
/// }
///
/// let mut bytes = Vec::new();
/// Counter { games: 3, last: [0.5, 1.0] }.archive(&mut Archive::writing(&mut bytes)).unwrap();
/// let mut read = Counter::default();
/// read.archive(&mut Archive::reading(&bytes)).unwrap();
/// assert_eq!((read.games, read.last), (3, [0.5, 1.0]));
/// assert!(read.archive(&mut Archive::reading(&bytes[1..])).is_err());
/// ```
#[derive(Debug)]
pub struct Archive<'a>(Way<'a>);

#[derive(Debug)]
enum Way<'a> {
    Out(&'a mut Vec<u8>),
    /// What is left.
    In(&'a [u8]),
}

/// State cannot be written or read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArchiveError {
    /// The data is not what was written. Holds the name of the expected data.
    Damaged(&'static str),
    /// Something cannot be written. Holds its name, and what could be written.
    Unable(&'static str),
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::Damaged(what) => write!(f, "the {what} are damaged"),
            ArchiveError::Unable(what) => f.write_str(what),
        }
    }
}

impl core::error::Error for ArchiveError {}

/// A number that an [`Archive`] takes: an unsigned or signed integer of fixed width, `f32`, `f64`
/// or `bool`.
pub trait Number: Copy {
    #[doc(hidden)]
    const BYTES: usize;
    #[doc(hidden)]
    fn put(self, out: &mut Vec<u8>);
    /// None if the bytes are not a number.
    #[doc(hidden)]
    fn take(bytes: &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Number for $number {
            const BYTES: usize = size_of::<$number>();

            fn put(self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }

            fn take(bytes: &[u8]) -> Option<$number> {
                bytes.try_into().ok().map(<$number>::from_le_bytes)
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);

impl Number for bool {
    const BYTES: usize = 1;

    fn put(self, out: &mut Vec<u8>) {
        out.push(self.into());
    }

    fn take(bytes: &[u8]) -> Option<bool> {
        matches!(bytes, [0 | 1]).then(|| bytes == [1])
    }
}

impl<'a> Archive<'a> {
    /// Writes state to the end of `out`.
    pub fn writing(out: &'a mut Vec<u8>) -> Archive<'a> {
        Archive(Way::Out(out))
    }

    /// Reads what was written.
    pub fn reading(bytes: &'a [u8]) -> Archive<'a> {
        Archive(Way::In(bytes))
    }

    /// Whether state is read.
    pub fn reads(&self) -> bool {
        matches!(self.0, Way::In(_))
    }

    /// How many bytes are left to be read.
    pub(crate) fn left(&self) -> usize {
        match &self.0 {
            Way::Out(_) => 0,
            Way::In(left) => left.len(),
        }
    }

    /// Writes a number, or replaces it by the one that is read.
    ///
    /// # Errors
    /// If there is nothing left to read.
    pub fn number<T: Number>(&mut self, number: &mut T) -> Result<(), ArchiveError> {
        match &mut self.0 {
            Way::Out(out) => number.put(out),
            Way::In(left) => {
                let (bytes, rest) = left.split_at_checked(T::BYTES).ok_or(CUT)?;
                *number = T::take(bytes).ok_or(ArchiveError::Damaged("numbers"))?;
                *left = rest;
            }
        }
        Ok(())
    }

    /// A list of numbers whose length the reader knows.
    ///
    /// # Errors
    /// If there are not as many to be read.
    pub fn numbers<T: Number>(&mut self, numbers: &mut [T]) -> Result<(), ArchiveError> {
        self.expect(numbers.len() as u64, "lengths of lists")?;
        numbers.iter_mut().try_for_each(|number| self.number(number))
    }

    /// A list of any length, of items that take some bytes each.
    ///
    /// # Errors
    /// If there are not as many to be read as it says.
    pub fn list<T: Default>(
        &mut self,
        list: &mut Vec<T>,
        mut each: impl FnMut(&mut Archive<'a>, &mut T) -> Result<(), ArchiveError>,
    ) -> Result<(), ArchiveError> {
        let mut len = list.len() as u64;
        self.number(&mut len)?;
        if self.reads() {
            self.check(len <= self.left() as u64, "lengths of lists")?;
            list.clear();
            for _ in 0..len {
                let mut item = T::default();
                each(self, &mut item)?;
                list.push(item);
            }
            return Ok(());
        }
        list.iter_mut().try_for_each(|item| each(self, item))
    }

    /// A text.
    ///
    /// # Errors
    /// If what is read is none.
    pub fn text(&mut self, text: &mut String) -> Result<(), ArchiveError> {
        let mut bytes = core::mem::take(text).into_bytes();
        self.list(&mut bytes, |archive, byte| archive.number(byte))?;
        *text = String::from_utf8(bytes).map_err(|_| ArchiveError::Damaged("texts"))?;
        Ok(())
    }

    /// A number that the reader knows.
    ///
    /// # Errors
    /// If another one is read; `what` says what they are.
    pub fn expect(&mut self, number: u64, what: &'static str) -> Result<(), ArchiveError> {
        let mut read = number;
        self.number(&mut read)?;
        self.check(read == number, what)
    }

    /// Checks that the data could have been written.
    ///
    /// # Errors
    /// If it does not hold; `what` says what is damaged, in the plural.
    pub fn check(&self, holds: bool, what: &'static str) -> Result<(), ArchiveError> {
        if holds { Ok(()) } else { Err(ArchiveError::Damaged(what)) }
    }

    /// A count, which may still grow for long.
    pub(crate) fn count(&mut self, count: &mut u64) -> Result<(), ArchiveError> {
        self.number(count)?;
        self.check(*count < 1 << 62, "counts")
    }

    /// A size or a place of this machine.
    pub(crate) fn size(&mut self, size: &mut usize) -> Result<(), ArchiveError> {
        let mut number = *size as u64;
        self.number(&mut number)?;
        *size = usize::try_from(number).map_err(|_| ArchiveError::Damaged("sizes"))?;
        Ok(())
    }

    /// A number that threads may read at any time.
    pub(crate) fn atomic<T: Word + Number>(&mut self, atomic: &Atomic<T>) -> Result<(), ArchiveError> {
        let mut number = atomic.get();
        self.number(&mut number)?;
        atomic.set(number);
        Ok(())
    }
}

const CUT: ArchiveError = ArchiveError::Damaged("last bytes");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_takes_no_more_memory_than_its_bytes() {
        let mut bytes = Vec::new();
        let mut list = Vec::from([1u8, 2, 3]);
        let byte = |archive: &mut Archive<'_>, byte: &mut u8| archive.number(byte);
        Archive::writing(&mut bytes).list(&mut list, byte).unwrap();
        let mut read = Vec::new();
        Archive::reading(&bytes).list(&mut read, byte).unwrap();
        assert_eq!(read, list);
        bytes[7] = 0xff;
        let error = Archive::reading(&bytes).list(&mut read, byte).unwrap_err();
        assert_eq!(error.to_string(), "the lengths of lists are damaged");
    }

    #[test]
    fn what_cannot_have_been_written_is_refused() {
        let mut flag = false;
        assert!(Archive::reading(&[2]).number(&mut flag).is_err());
        assert!(Archive::reading(&[0; 7]).expect(0, "numbers").is_err());
        let mut text = String::new();
        assert!(Archive::reading(&[1, 0, 0, 0, 0, 0, 0, 0, 0xff]).text(&mut text).is_err());
    }
}
