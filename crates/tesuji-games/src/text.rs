//! Boards and squares as text.

/// The letter of a cell that holds a stone of the first player, of the second, or of nobody.
pub(crate) fn stone(first: bool, second: bool) -> char {
    match (first, second) {
        (true, _) => 'x',
        (_, true) => 'o',
        _ => '.',
    }
}

/// A column letter and a row number, both counted from 0: `a1`, `b1`, ...
pub(crate) fn cell(column: u8, row: u8) -> String {
    format!("{}{}", char::from(b'a' + column), row + 1)
}
