//! The agents that a page may name.

use crate::directories::Directories;
use crate::failure::Failure;
use tesuji::recipe::{Recipe, base, did_you_mean};
use tesuji_go::network;

/// The most characters of an agent.
const MOST: usize = 4000;

/// Reads a built-in recipe or a file below the directories (`N/PATH.toml`), with any overrides. No
/// file elsewhere is opened. A recipe without a limit of memory of its own gets this one.
pub(crate) fn read(text: &str, directories: &Directories, bytes: u64) -> Result<Recipe, Failure> {
    if text.len() > MOST {
        return Err(Failure::bad(format!("the recipe has more than {MOST} characters")));
    }
    let name = base(text);
    let text = if Recipe::built_in(name).is_some() {
        text.to_owned()
    } else if name.to_ascii_lowercase().ends_with(".toml") {
        let file = directories.existing(name)?;
        format!("{}{}", file.display(), &text[name.len()..])
    } else {
        let meant = did_you_mean(name, Recipe::built_ins().map(|(name, _)| name));
        return Err(Failure::bad(format!(
            "unknown recipe {name:?}{meant}; accepted: a built-in recipe, or a TOML file of a directory of this server"
        )));
    };
    let recipe = Recipe::parse(&text).map_err(Failure::bad)?;
    if has_limit(&recipe, directories, bytes)? {
        return Ok(recipe);
    }
    Recipe::parse(&format!("{text},memory.bytes={bytes}")).map_err(Failure::bad)
}

/// The recipe of a saved tree, by the same rules.
pub(crate) fn of_tree(recipe: Recipe, directories: &Directories, bytes: u64) -> Result<Recipe, Failure> {
    if has_limit(&recipe, directories, bytes)? {
        return Ok(recipe);
    }
    let mut table: toml::Table = recipe.to_toml().parse().map_err(Failure::internal)?;
    let memory = table.entry("memory").or_insert_with(|| toml::Table::new().into());
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    memory.as_table_mut().map(|memory| memory.insert("bytes".to_owned(), bytes.into()));
    Recipe::from_toml(recipe.name(), &table.to_string()).map_err(Failure::bad)
}

/// Whether the recipe has a limit of memory of its own. Refuses more than `bytes`, and the file of
/// a network elsewhere.
fn has_limit(recipe: &Recipe, directories: &Directories, bytes: u64) -> Result<bool, Failure> {
    if let Some(file) = recipe.network().as_ref().and_then(network::file)
        && !directories.has(file.as_ref())
    {
        return Err(Failure::forbidden(format!(
            "the network {file:?} is not in a directory of this server; accepted: a file below one"
        )));
    }
    match recipe.options().memory.bytes {
        Some(own) if own as u64 > bytes => {
            Err(Failure::bad(format!("memory.bytes is {own}; accepted in this server: at most {bytes}")))
        }
        own => Ok(own.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_directories_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("in");
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(dir.path().join("secret.toml"), "depth = 5\n").unwrap();
        std::fs::write(inside.join("own.toml"), "depth = 5\n").unwrap();
        let directories = Directories::new(&[inside]).unwrap();
        let read = |text: &str| super::read(text, &directories, 1 << 20).map_err(|failure| failure.message);
        assert_eq!(read("uct,select.c=0.3").unwrap().options().memory.bytes, Some(1 << 20));
        assert!(read("puct-net,network.file=built-in:pooling").is_ok());
        assert_eq!(read("uct,memory.bytes=5000").unwrap().options().memory.bytes, Some(5000));
        assert!(read("uct,memory.bytes=2000000").unwrap_err().contains("at most 1048576"));
        assert_eq!(read("0/own.toml,select.c=0.3").unwrap().options().depth, 5);
        let outside = dir.path().join("secret.toml").display().to_string();
        for text in [outside.as_str(), "0/../secret.toml", "../secret.toml", "/etc/passwd"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(read("grve").unwrap_err().contains("did you mean `grave`?"));
        assert!(read("puct-net,network.file=/etc/passwd").unwrap_err().contains("not in a directory"));
        assert!(read("gtp:rm -rf x").is_err());
        // A saved tree is no way around this.
        let of_tree = |text: &str| {
            let recipe = Recipe::parse(text).unwrap();
            super::of_tree(recipe, &directories, 1 << 20).map_err(|failure| failure.message)
        };
        assert_eq!(of_tree("grave").unwrap().options().memory.bytes, Some(1 << 20));
        assert!(of_tree("uct,memory.bytes=2000000").unwrap_err().contains("at most 1048576"));
        assert!(of_tree("puct-net,network.file=/etc/passwd").unwrap_err().contains("not in a directory"));
    }
}
