//! The words and numbers of a file.

use flate2::bufread::MultiGzDecoder;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::str::FromStr;

/// Bytes that one byte of a compressed file may become, and that any file may become. Weights
/// hardly shrink when they are compressed (binary ones by a tenth, words to a third).
const EXPANSION: u64 = 64;
const FREE: u64 = 1 << 20;

/// The longest word.
const WORD: usize = 128;

/// Blanks allowed before the numbers of a layer.
const BLANKS: usize = 100;

/// Numbers for which memory is taken at a time, so that a file that only claims to have many takes
/// little.
const CHUNK: usize = 1 << 16;

/// Reads words and numbers one after the other, whether compressed or not.
pub(super) struct Words<'a> {
    from: Box<dyn BufRead + 'a>,
    /// Whether numbers are words, or not, or this is not known yet.
    is_text: Option<bool>,
}

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Words<'a> {
        let from: Box<dyn BufRead + 'a> = if bytes.starts_with(&super::model::GZIP) {
            let limit = (bytes.len() as u64).saturating_mul(EXPANSION).saturating_add(FREE);
            Box::new(BufReader::new(Limited { from: MultiGzDecoder::new(bytes), left: limit }))
        } else {
            Box::new(bytes)
        };
        Words { from, is_text: None }
    }

    /// The next word: bytes up to a blank, the blanks before it skipped.
    pub(super) fn word(&mut self) -> Result<String, Fault> {
        let mut word = Vec::new();
        loop {
            match self.byte()? {
                Some(byte) if byte.is_ascii_whitespace() => {
                    if !word.is_empty() {
                        break;
                    }
                }
                Some(byte) if word.len() < WORD => word.push(byte),
                Some(_) => return Err(Fault(format!("a word of more than {WORD} letters"))),
                None if word.is_empty() => return Err(Fault("the file ends too soon".into())),
                None => break,
            }
        }
        String::from_utf8(word).map_err(|_| Fault("a word that is not text".into()))
    }

    /// The next word as a number.
    pub(super) fn read<T: FromStr>(&mut self, what: &str) -> Result<T, Fault> {
        let word = self.word()?;
        word.parse().map_err(|_| Fault(format!("{what} is {word:?}; accepted: a number")))
    }

    /// The next word as a whole number in a range.
    pub(super) fn count(&mut self, what: &str, least: usize, most: usize) -> Result<usize, Fault> {
        let count = self.read(what)?;
        if (least..=most).contains(&count) {
            Ok(count)
        } else {
            Err(Fault(format!("{what} is {count}; accepted: {least} to {most}")))
        }
    }

    /// The next word as a finite number above 0.
    pub(super) fn positive(&mut self, what: &str) -> Result<f32, Fault> {
        let x: f32 = self.read(what)?;
        if x > 0.0 && x.is_finite() {
            Ok(x)
        } else {
            Err(Fault(format!("{what} is {x}; accepted: a finite number above 0")))
        }
    }

    /// The next word as 0 or 1.
    pub(super) fn flag(&mut self, what: &str) -> Result<bool, Fault> {
        self.count(what, 0, 1).map(|flag| flag == 1)
    }

    /// Words that later versions may use, each of which must be 0.
    pub(super) fn unused(&mut self, options: usize) -> Result<(), Fault> {
        for number in 1..=options {
            let word = self.word()?;
            if word != "0" {
                return Err(Fault(format!(
                    "option {number} is {word:?}; accepted: 0, as no version to 17 has it"
                )));
            }
        }
        Ok(())
    }

    /// The numbers of a layer, all finite.
    pub(super) fn numbers(&mut self, count: usize) -> Result<Vec<f32>, Fault> {
        let is_text = self.numbers_are_text()?;
        let mut numbers = Vec::new();
        while numbers.len() < count {
            let more = CHUNK.min(count - numbers.len());
            numbers
                .try_reserve(more)
                .map_err(|_| Fault(format!("{count} numbers do not fit into memory")))?;
            if is_text {
                for _ in 0..more {
                    numbers.push(self.read("a weight")?);
                }
            } else {
                let mut bytes = vec![0; 4 * more];
                self.from.read_exact(&mut bytes).map_err(Fault::io)?;
                let words = bytes.chunks_exact(4);
                numbers.extend(words.map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]])));
            }
        }
        match numbers.iter().find(|x: &&f32| !x.is_finite()) {
            Some(x) => Err(Fault(format!("a weight is {x}; accepted: finite numbers"))),
            None => Ok(numbers),
        }
    }

    /// Skips the blanks before numbers, and the mark of binary ones.
    fn numbers_are_text(&mut self) -> Result<bool, Fault> {
        if self.is_text == Some(true) {
            return Ok(true);
        }
        for _ in 0..BLANKS {
            let Some(&byte) = self.peek()? else { break };
            if byte == b'@' {
                let mut mark = [0; 5];
                self.from.read_exact(&mut mark).map_err(Fault::io)?;
                if mark != *b"@BIN@" {
                    return Err(Fault("numbers that do not begin with @BIN@".into()));
                }
                self.is_text = Some(false);
                return Ok(false);
            }
            if !byte.is_ascii_whitespace() {
                break;
            }
            self.from.consume(1);
        }
        match self.is_text {
            None => {
                self.is_text = Some(true);
                Ok(true)
            }
            _ => Err(Fault("numbers that do not begin with @BIN@".into())),
        }
    }

    fn peek(&mut self) -> Result<Option<&u8>, Fault> {
        Ok(self.from.fill_buf().map_err(Fault::io)?.first())
    }

    fn byte(&mut self) -> Result<Option<u8>, Fault> {
        let byte = self.peek()?.copied();
        if byte.is_some() {
            self.from.consume(1);
        }
        Ok(byte)
    }
}

/// A reader that fails after a given number of bytes.
struct Limited<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(to)?;
        let text = || format!("it becomes more than {EXPANSION} times as long");
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| io::Error::other(text()))?;
        Ok(count)
    }
}

/// A fault of the words of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault(pub(super) String);

impl Fault {
    fn io(error: io::Error) -> Fault {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Fault("the file ends too soon".into()),
            _ => Fault(format!("it cannot be unpacked: {error}")),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
