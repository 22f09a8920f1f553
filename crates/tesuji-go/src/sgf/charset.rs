//! The characters of a file.

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// The text of a file, for [`parse`](super::parse()) to read.
///
/// In some charsets the second byte of a character may look like `\` or `]`, so moves are lost
/// unless the text is read in the charset (`CA`) that the file names. If the charset is missing or
/// unknown, or some bytes are not valid in it, UTF-8 is tried. A text that is valid in neither is
/// read in the named charset, with U+FFFD in place of invalid bytes, or else as Latin-1. A byte
/// order mark takes precedence.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let named = charset(bytes);
    for charset in named.into_iter().chain([UTF_8]) {
        let (text, _, broken) = charset.decode(bytes);
        if !broken {
            return text;
        }
    }
    named.unwrap_or(WINDOWS_1252).decode(bytes).0
}

/// The charset that a file names; none if it names none that is known.
fn charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = bytes.windows(4).position(|four| four.ends_with(b"CA[") && !four[0].is_ascii_uppercase())?;
    let label = bytes[start + 4..].split(|&b| b == b']').next()?;
    charset_of(label)
}

/// The charset of this name, with which a file can be read that has the name in it.
pub(super) fn charset_of(label: &[u8]) -> Option<&'static Encoding> {
    // Code pages of Windows, whose numbers are no names in the web's list.
    match label.trim_ascii().to_ascii_lowercase().as_slice() {
        b"cp932" => Some(SHIFT_JIS),
        b"cp936" => Some(GBK),
        b"cp949" => Some(EUC_KR),
        b"cp950" => Some(BIG5),
        // In UTF-16 the name could not be read as bytes.
        label => Some(Encoding::for_label(label)?.output_encoding()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::{MainLine, parse};

    #[test]
    fn a_file_is_read_by_the_charset_that_it_names() {
        for (bytes, name) in [
            (&b"(;SZ[9]CA[Shift_JIS]PB[\x83\x5c];B[aa];W[bb])"[..], "ソ"),
            (b"(;CA[ gb2312 ]SZ[9]PB[\xb0\xa1];B[aa];W[bb])", "啊"),
            // Of the named charset, though it could be UTF-8 as well.
            (b"(;SZ[9]CA[Shift_JIS]PB[\xc3\xa9];B[aa];W[bb])", "ﾃｩ"),
            // Not of the named charset, which has no character 0xad 0x5d.
            ("(;SZ[9]CA[EUC-KR]PB[中];B[aa];W[bb])".as_bytes(), "中"),
            ("(;SZ[9]CA[UTF-16]PB[é];B[aa];W[bb])".as_bytes(), "é"),
            ("(;SZ[9]CA[unknown]PB[é];B[aa];W[bb])".as_bytes(), "é"),
            ("\u{feff}(;SZ[9]CA[Big5]PB[é];B[aa];W[bb])".as_bytes(), "é"),
            (b"(;SZ[9]CA[unknown]PB[\xe9];B[aa];W[bb])", "é"),
            (b"(;SZ[9]PB[\xe9];B[aa];W[bb])", "é"),
            (b"(;SZ[9]XCA[Shift_JIS]PB[\xe9];B[aa];W[bb])", "é"),
            (b"(;SZ[9]CA[ISO-8859-1]PB[e];B[aa];W[bb])", "e"),
            (b"(;SZ[9]CA[cp932]PB[\x83\x5c];B[aa];W[bb])", "ソ"),
            (b"(;SZ[9]CA[cp936]PB[\x81\x5d];B[aa];W[bb])", "乚"),
            (b"(;SZ[9]CA[CP949]PB[\xb0\xa1];B[aa];W[bb])", "가"),
            (b"(;SZ[9]CA[ cp950 ]PB[\xa5\x5c];B[aa];W[bb])", "功"),
        ] {
            let line = MainLine::read(&parse(&decode(bytes)).unwrap().games[0]).unwrap();
            assert_eq!((&*line.black, line.moves()), (name, 2));
        }
    }
}
