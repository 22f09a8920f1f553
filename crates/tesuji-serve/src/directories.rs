//! The directories that may be read and written.

use crate::failure::Failure;
use crate::overview::STORE;
use std::path::{Component, Path, PathBuf};

/// The directories, by their real paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directories(Vec<PathBuf>);

/// How deep below a directory experiments are looked for.
const DEPTH: usize = 5;
/// How many directories are looked at.
const MOST: usize = 20_000;

impl Directories {
    pub(crate) fn new(paths: &[PathBuf]) -> Result<Directories, String> {
        let real = |path: &PathBuf| match path.canonicalize() {
            Ok(real) if real.is_dir() => Ok(real),
            Ok(_) => Err(format!("{}: this is not a directory", path.display())),
            Err(error) => Err(format!("{}: {error}", path.display())),
        };
        paths.iter().map(real).collect::<Result<_, _>>().map(Directories)
    }

    pub(crate) fn roots(&self) -> &[PathBuf] {
        &self.0
    }

    /// What exists under a name `N/PATH`, below the N-th directory. Neither `..` nor a link leads
    /// out of it.
    pub(crate) fn existing(&self, name: &str) -> Result<PathBuf, Failure> {
        let missing = || Failure::missing(format!("there is no {name:?} in the directories of this server"));
        let (root, path) = self.split(name)?;
        let real = root.join(path).canonicalize().map_err(|_| missing())?;
        if real.starts_with(root) { Ok(real) } else { Err(missing()) }
    }

    /// A path for a file that may not exist yet, below the N-th directory; the directory around it
    /// exists.
    pub(crate) fn new_file(&self, name: &str) -> Result<PathBuf, Failure> {
        let (root, path) = self.split(name)?;
        let (Some(parent), Some(file)) = (path.parent(), path.file_name()) else {
            return Err(Failure::bad(format!("{name:?} is not the name of a file")));
        };
        let parent =
            root.join(parent).canonicalize().map_err(|error| Failure::bad(format!("{name:?}: {error}")))?;
        let whole = parent.join(file);
        if !parent.starts_with(root) || whole.is_symlink() {
            return Err(Failure::forbidden(format!("{name:?} is outside of the directories of this server")));
        }
        Ok(whole)
    }

    /// Whether an existing path of the system lies in one of the directories.
    pub(crate) fn has(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|real| self.0.iter().any(|root| real.starts_with(root)))
    }

    /// Whether a path lies in one of the directories as far as it exists: what is written to it
    /// comes there. A link to nothing exists, too, and whoever writes to it writes elsewhere.
    pub(crate) fn will_have(&self, path: &Path) -> bool {
        path.ancestors().find(|at| at.symlink_metadata().is_ok()).is_some_and(|at| self.has(at))
    }

    /// The record of an experiment under a name, as [`Directories::existing`] reads it.
    ///
    /// # Errors
    /// If there is none, or a link in it leads out of the directories.
    pub(crate) fn record(&self, name: &str) -> Result<PathBuf, Failure> {
        let dir = self.existing(name)?;
        self.check_links(&dir)?;
        Ok(dir)
    }

    /// Refuses a record in which a link leads out of the directories, or to nothing.
    pub(crate) fn check_links(&self, record: &Path) -> Result<(), Failure> {
        let mut pending = vec![record.to_owned()];
        while let Some(dir) = pending.pop() {
            for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
                let (path, kind) = (entry.path(), entry.file_type());
                match kind {
                    Ok(kind) if kind.is_symlink() && !self.has(&path) => return Err(self.leads_out(&path)),
                    // A record below this one is no part of it.
                    Ok(kind) if kind.is_dir() && !path.join(STORE).exists() => pending.push(path),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Refuses tables of results that would be written through a link: those of an experiment are
    /// `TABLE.csv` and the files beside it whose names begin with that of the table.
    pub(crate) fn check_tables(&self, table: &Path) -> Result<(), Failure> {
        let (Some(dir), Some(name)) = (table.parent(), table.file_name().and_then(|name| name.to_str()))
        else {
            return Err(self.leads_out(table));
        };
        if !self.will_have(dir) {
            return Err(self.leads_out(dir));
        }
        let files = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let is_own =
            |file: &std::fs::DirEntry| file.file_name().to_str().is_some_and(|own| own.starts_with(name));
        let mut paths = files.filter(is_own).map(|file| file.path());
        match paths.find(|path| path.is_symlink() && !self.has(path)) {
            Some(path) => Err(self.leads_out(&path)),
            None => Ok(()),
        }
    }

    fn leads_out(&self, path: &Path) -> Failure {
        let name = self.name(path).unwrap_or_else(|| path.display().to_string());
        Failure::forbidden(format!("{name:?} leads out of the directories of this server"))
    }

    /// The name of an existing path, as [`Directories::existing`] reads it.
    pub(crate) fn name(&self, path: &Path) -> Option<String> {
        let (number, rest) =
            self.0.iter().enumerate().find_map(|(i, root)| Some((i, path.strip_prefix(root).ok()?)))?;
        Some(format!("{number}/{}", rest.to_str()?))
    }

    fn split<'a>(&self, name: &'a str) -> Result<(&Path, &'a Path), Failure> {
        let parts = name.split_once('/').and_then(|(number, path)| {
            let root = self.0.get(number.parse::<usize>().ok()?)?;
            let path = Path::new(path);
            let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
            (plain && !name.contains('\0')).then_some((root.as_path(), path))
        });
        parts.ok_or_else(|| {
            Failure::forbidden(format!("{name:?} is not a path below a directory of this server"))
        })
    }

    /// Calls `found` with every directory, parents first, in the order of their names. Links are
    /// not followed.
    pub(crate) fn walk(&self, mut found: impl FnMut(&Path)) {
        let mut left = MOST;
        let mut pending: Vec<(PathBuf, usize)> = self.0.iter().rev().map(|root| (root.clone(), 0)).collect();
        while let Some((dir, depth)) = pending.pop() {
            if left == 0 {
                return;
            }
            left -= 1;
            found(&dir);
            let Ok(entries) = std::fs::read_dir(&dir) else { continue };
            if depth == DEPTH {
                continue;
            }
            let is_dir = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
            let is_shown = |path: &PathBuf| {
                path.file_name().and_then(|name| name.to_str()).is_some_and(|name| !name.starts_with('.'))
            };
            let mut below: Vec<PathBuf> =
                entries.flatten().filter(is_dir).map(|entry| entry.path()).filter(is_shown).collect();
            below.sort();
            pending.extend(below.into_iter().rev().map(|path| (path, depth + 1)));
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("in");
        std::fs::create_dir_all(inside.join("a/b")).unwrap();
        std::fs::write(dir.path().join("secret"), "x").unwrap();
        std::os::unix::fs::symlink(dir.path(), inside.join("link")).unwrap();
        let directories = Directories::new(std::slice::from_ref(&inside)).unwrap();
        assert!(directories.existing("0/a/b").is_ok());
        for name in [
            "0/../secret",
            "0//etc/passwd",
            "1/a",
            "a",
            "0/a/../../secret",
            "0/link/secret",
            "-1/a",
            "0/./../x",
        ] {
            assert!(directories.existing(name).is_err(), "{name}");
            assert!(directories.new_file(name).is_err(), "{name}");
        }
        assert!(directories.new_file("0/a/tree").is_ok());
        assert_eq!(directories.name(&inside.canonicalize().unwrap().join("a/b")).unwrap(), "0/a/b");
        assert!(directories.has(&inside.join("a")) && !directories.has(&dir.path().join("secret")));
        // What does not exist is where it would be written; a link to nothing is elsewhere.
        std::os::unix::fs::symlink(dir.path().join("nothing"), inside.join("dangling")).unwrap();
        for (path, is_inside) in
            [("a/new/deep", true), ("link/new", false), ("dangling", false), ("dangling/x", false)]
        {
            assert_eq!(directories.will_have(&inside.join(path)), is_inside, "{path}");
        }
        let mut names = Vec::new();
        directories.walk(|path| names.push(directories.name(path).unwrap()));
        assert_eq!(names, ["0/", "0/a", "0/a/b"], "links are not followed");
    }
}
