//! Numbers as bytes of seven bits, the lowest first. The eighth bit is set if more bytes follow
//! (LEB128).

use std::fmt;

/// The versions of the format: without and with what a teacher says of the score, the latter with a
/// number of actions, and that with surprises.
pub(crate) const VERSIONS: [u8; 4] = [1, 2, ACTIONS, SURPRISES];

/// The version with a number of actions.
pub(crate) const ACTIONS: u8 = 3;

/// The version with surprises.
pub(crate) const SURPRISES: u8 = 4;

/// Bytes of the checksum at the end.
const SUM: usize = 4;

/// A hash of bytes (FNV-1a, 32 bits).
fn checksum(bytes: &[u8]) -> [u8; SUM] {
    let add = |hash: u32, &byte: &u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    bytes.iter().fold(0x811c_9dc5, add).to_le_bytes()
}

/// Writes numbers behind a version.
#[derive(Debug)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new(version: u8) -> Writer {
        Writer(vec![version])
    }

    pub(crate) fn number(&mut self, mut x: u32) {
        while x >= 0x80 {
            self.0.push(x as u8 | 0x80);
            x >>= 7;
        }
        self.0.push(x as u8);
    }

    /// Numbers near 0 are short on both sides.
    pub(crate) fn signed(&mut self, x: i32) {
        self.number(((x << 1) ^ (x >> 31)) as u32);
    }

    /// All bytes, with their checksum.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let sum = checksum(&self.0);
        self.0.extend_from_slice(&sum);
        self.0
    }
}

/// Reads what a [`Writer`] wrote.
#[derive(Debug)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// Of bytes of one of these versions, which is returned.
    pub(crate) fn new<'a>(bytes: &'a [u8], versions: &[u8]) -> Result<(Reader<'a>, u8), FormatError> {
        let found = *bytes.first().ok_or(FormatError::Checksum)?;
        if !versions.contains(&found) {
            return Err(FormatError::Version(found));
        }
        let (content, sum) = bytes.split_last_chunk::<SUM>().ok_or(FormatError::Checksum)?;
        if content.is_empty() || checksum(content) != *sum {
            return Err(FormatError::Checksum);
        }
        Ok((Reader(&content[1..]), found))
    }

    pub(crate) fn number(&mut self) -> Result<u32, FormatError> {
        let mut x = 0_u64;
        for shift in (0..35).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(FormatError::Content("the length"))?;
            self.0 = rest;
            x |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(x).map_err(|_| FormatError::Content("a number"));
            }
        }
        Err(FormatError::Content("a number"))
    }

    /// A number below `limit`; `what` it is.
    pub(crate) fn below(&mut self, limit: u32, what: &'static str) -> Result<u32, FormatError> {
        Some(self.number()?).filter(|&x| x < limit).ok_or(FormatError::Content(what))
    }

    pub(crate) fn signed(&mut self) -> Result<i32, FormatError> {
        let x = self.number()?;
        Ok((x >> 1) as i32 ^ -((x & 1) as i32))
    }

    /// Nothing may be left.
    pub(crate) fn finish(self) -> Result<(), FormatError> {
        if self.0.is_empty() { Ok(()) } else { Err(FormatError::Content("the length")) }
    }
}

/// Bytes are no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// The bytes have this version, or no known one.
    Version(u8),
    /// The bytes differ from those that were written.
    Checksum,
    /// This is out of range, or missing.
    Content(&'static str),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Version(version) => {
                let [first, .., last] = VERSIONS;
                write!(f, "the recorded game has format {version}, this program reads {first} to {last}")
            }
            FormatError::Checksum => {
                f.write_str("the recorded game is corrupt: its bytes are not those that were written")
            }
            FormatError::Content(what) => write!(f, "the recorded game is corrupt: {what} is out of range"),
        }
    }
}

impl std::error::Error for FormatError {}
