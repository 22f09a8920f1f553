//! Names that were probably meant.

use std::format;
use std::string::String;
use std::vec::Vec;

/// The name that is nearest to a word, if few enough edits lie between them: one third of the
/// word's letters, rounded. An edit inserts, deletes or replaces a letter, or swaps two neighbours;
/// capitals do not matter.
///
/// ```
/// use tesuji::recipe::nearest;
///
/// assert_eq!(nearest("garve", ["uct", "grave"]), Some("grave"));
/// assert_eq!(nearest("chess", ["uct", "grave"]), None);
/// ```
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() + 1) / 3;
    let near = names.into_iter().map(|name| (edits(word, name), name)).filter(|&(edits, _)| edits <= most);
    near.min_by_key(|&(edits, _)| edits).map(|(_, name)| name)
}

/// [`nearest`] as the end of a message: `; did you mean NAME?`, or nothing.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

/// Distance of Damerau and Levenshtein, where no letter is edited twice.
fn edits(a: &str, b: &str) -> usize {
    let letters = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (a, b) = (letters(a), letters(b));
    let mut rows: Vec<Vec<usize>> = Vec::from([(0..=b.len()).collect()]);
    for i in 1..=a.len() {
        let mut row = Vec::from([i]);
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, wanted) in [
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("garve", "grave", 1),
            ("UCT", "uct", 0),
            ("ab", "ab", 0),
        ] {
            assert_eq!((edits(a, b), edits(b, a)), (wanted, wanted), "{a} {b}");
        }
        assert_eq!(nearest("c", ["k"]), None);
        assert_eq!(nearest("uctt", ["uctr2", "uct"]), Some("uct"));
    }
}
