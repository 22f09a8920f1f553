//! The eight cells around a point, as the player to move sees them.

/// Eight cells of two bits each, row by row from the lower left: 0 own, 1 the opponent's, 2 empty,
/// 3 outside.
pub(super) type Surroundings = u16;

/// The letters of a cell's two bits.
const LETTERS: [char; 4] = ['X', 'O', '.', '#'];
/// Places of the eight cells after a quarter turn, and after a reflection.
const TURNED: [usize; 8] = [5, 3, 0, 6, 1, 7, 4, 2];
const REFLECTED: [usize; 8] = [2, 1, 0, 4, 3, 7, 6, 5];

fn moved(code: Surroundings, places: [usize; 8]) -> Surroundings {
    (0..8).fold(0, |image, i| image | (code >> (2 * places[i]) & 3) << (2 * i))
}

/// The images under the eight symmetries of the board; some may be equal.
pub(super) fn images(code: Surroundings) -> [Surroundings; 8] {
    let mut image = code;
    let mut images = [code; 8];
    for turn in 0..4 {
        images[turn] = image;
        images[turn + 4] = moved(image, REFLECTED);
        image = moved(image, TURNED);
    }
    images
}

/// The least of the images.
pub(super) fn canonical(code: Surroundings) -> Surroundings {
    images(code).into_iter().min().unwrap_or(code)
}

/// Eight letters: `X` own, `O` the opponent's, `.` empty, `#` outside.
pub(super) fn text(code: Surroundings) -> String {
    (0..8).map(|i| LETTERS[usize::from(code >> (2 * i) & 3)]).collect()
}

/// The reverse of [`text`].
pub(super) fn parse(text: &str) -> Option<Surroundings> {
    let mut cells = text.chars().map(|letter| LETTERS.iter().position(|&known| known == letter));
    let code = (0..8).try_fold(0, |code, i| Some(code | (cells.next()?? as Surroundings) << (2 * i)))?;
    cells.next().is_none().then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_surroundings_are_one() {
        let code = parse("X.O.#..O").unwrap();
        assert!(images(code).iter().all(|&image| canonical(image) == canonical(code)));
        let distinct: std::collections::BTreeSet<_> = images(code).into_iter().collect();
        assert_eq!(distinct.len(), 8);
        assert_eq!(parse(&text(code)), Some(code));
        assert!(parse("X.O").is_none() && parse("X.O.#..OO").is_none() && parse("X.O.#..o").is_none());
    }
}
