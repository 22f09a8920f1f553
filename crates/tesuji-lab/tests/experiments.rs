//! The experiment files of the repository can be read.

use std::path::{Path, PathBuf};
use tesuji_lab::Experiment;

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
}

#[test]
fn experiment_files_are_sound_and_named_after_themselves() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    assert!(!paths.is_empty());
    for path in paths {
        let experiment = Experiment::read(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(root.join(format!("{}.toml", experiment.name)), path);
    }
}
