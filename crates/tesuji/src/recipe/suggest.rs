//! Names that were probably meant.

use super::schema::parts;
use super::{AXES, Agent};
use std::format;
use std::string::String;
use std::vec::Vec;
use toml::Value;

/// The name that is nearest to a word, if few enough edits lie between them: one third of the word's letters, rounded. An edit
/// inserts, deletes or replaces a letter, or swaps two neighbours; capitals do not matter.
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

/// Keys of experiments that people write into agents.
const OF_EXPERIMENTS: [&str; 5] = ["kind", "name", "game", "games", "seed"];

/// The end of a message about a key that a recipe of this content does not have.
pub(super) fn about_key(key: &str, recipe: &Value) -> String {
    if OF_EXPERIMENTS.contains(&key) {
        return format!("; `{key}` is a key of experiment files (tesuji run FILE), not of agents");
    }
    let last = |key: &str| key.rsplit('.').next().map(String::from);
    let all = parts();
    let usual = Value::try_from(Agent::default()).ok();
    let kind = |value: &Value, axis: &str| Some(value.get(axis)?.get("kind")?.as_str()?.to_owned());
    let is_chosen = |axis: &str, name: &str| {
        let chosen = kind(recipe, axis).or_else(|| kind(usual.as_ref()?, axis));
        axis == "search" || chosen.as_deref() == Some(name)
    };
    let chosen = all.iter().filter(|part| is_chosen(&part.axis, &part.kind));
    let keys: Vec<&str> = chosen.flat_map(|part| &part.parameters).map(|p| p.key.as_str()).collect();
    if let Some(same) = keys.iter().find(|other| last(other) == last(key)) {
        return format!("; did you mean `{same}`?");
    }
    let heads = keys.iter().filter_map(|key| key.split('.').next()).chain(AXES);
    if let Some(near) = nearest(key, keys.iter().copied().chain(heads)) {
        return format!("; did you mean `{near}`?");
    }
    let owner = all.iter().find(|part| part.parameters.iter().any(|p| last(&p.key) == last(key)));
    owner.map_or(String::new(), |part| {
        let own = part.parameters.iter().find(|p| last(&p.key) == last(key)).map(|p| p.key.as_str());
        format!("; `{}` is a key of {}={}", own.unwrap_or(key), part.axis, part.kind)
    })
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
