//! The modules of a crate form no circle, and import from the module that defines a thing.
//!
//! Imports are read line by line: `use` declarations and paths from `crate`, `super` and child
//! modules, re-exports followed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The paths of a module.
type Paths = Vec<Vec<String>>;

/// The modules of a crate by their paths, with what each imports and what it re-exports under which
/// name.
#[derive(Default)]
struct Modules {
    imports: BTreeMap<String, Paths>,
    exports: BTreeMap<(String, String), Vec<String>>,
}

/// A path, or all paths of a list in braces.
fn expand(tree: &str) -> Vec<String> {
    let Some((head, list)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap().trim().to_owned()];
    };
    let (mut depth, mut items, mut item) = (0, Vec::new(), String::new());
    for c in list.strip_suffix('}').unwrap_or(list).chars().chain([',']) {
        match c {
            ',' if depth == 0 => items.push(std::mem::take(&mut item)),
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                item.push(c);
            }
        }
    }
    let items = items.iter().map(|item| item.trim()).filter(|item| !item.is_empty());
    items.flat_map(expand).map(|rest| format!("{}{rest}", head.trim())).collect()
}

impl Modules {
    fn read(crate_dir: &Path) -> Modules {
        let (root, mut files) = (crate_dir.join("src"), BTreeMap::new());
        let mut dirs = vec![root.clone()];
        while let Some(dir) = dirs.pop() {
            for entry in std::fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    dirs.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let name = path.strip_prefix(&root).unwrap().with_extension("");
                    let words = name.iter().map(|word| word.to_str().unwrap());
                    let words: Vec<_> = words.filter(|word| !["mod", "lib", "main"].contains(word)).collect();
                    let text = std::fs::read_to_string(&path).unwrap();
                    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
                    let lines = code.lines().map(|line| line.split("//").next().unwrap());
                    files.insert(words.join("::"), lines.collect::<Vec<_>>().join(" "));
                }
            }
        }
        let mut modules = Modules::default();
        for (module, text) in &files {
            let own: Vec<&str> = module.split("::").filter(|word| !word.is_empty()).collect();
            let mut imports = Vec::new();
            for statement in text.split(';') {
                let (before, tree) = match statement.rsplit_once("use ") {
                    Some((before, tree)) if before.is_empty() || before.ends_with([' ', ')']) => {
                        (before, tree)
                    }
                    _ => continue,
                };
                for path in expand(tree) {
                    let words: Vec<&str> = path.split("::").map(str::trim).collect();
                    let ups = words.iter().take_while(|word| **word == "super").count();
                    let is_child = files.contains_key(&[&own[..], &words[..1]].concat().join("::"));
                    let full = match words[0] {
                        "crate" => words[1..].to_vec(),
                        "self" => [&own, &words[1..]].concat(),
                        "super" => [&own[..own.len().saturating_sub(ups)], &words[ups..]].concat(),
                        _ if is_child => [&own, &words[..]].concat(),
                        _ => continue,
                    };
                    let full: Vec<String> = full.into_iter().map(str::to_owned).collect();
                    let is_export =
                        before.trim_end().rsplit(' ').next().is_some_and(|word| word.starts_with("pub"));
                    match full.last() {
                        Some(name) if is_export => {
                            modules.exports.insert((module.clone(), name.clone()), full.clone());
                        }
                        _ => imports.push(full),
                    }
                }
            }
            // A macro for others names things from the root.
            let inline = text
                .match_indices("crate::")
                .filter(|(at, _)| !text[..*at].ends_with("use ") && !text[..*at].ends_with('$'));
            for (at, found) in inline {
                let rest = text[at + found.len()..].chars();
                let path: String = rest.take_while(|c| c.is_alphanumeric() || "_:".contains(*c)).collect();
                imports.push(path.split("::").filter(|word| !word.is_empty()).map(str::to_owned).collect());
            }
            modules.imports.insert(module.clone(), imports);
        }
        modules
    }

    /// The module that a path leads to.
    fn resolve(&self, path: &[String], steps: usize) -> String {
        let length =
            (0..=path.len()).rev().find(|&n| self.imports.contains_key(&path[..n].join("::"))).unwrap_or(0);
        let module = path[..length].join("::");
        let export = path.get(length).and_then(|name| self.exports.get(&(module.clone(), name.clone())));
        match export {
            Some(target) if steps < 10 => self.resolve(&[target, &path[length + 1..]].concat(), steps + 1),
            _ => module,
        }
    }

    /// The modules that lead back to themselves, in groups.
    fn circles(&self) -> Vec<String> {
        let mut reached: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (module, imports) in &self.imports {
            let direct = imports.iter().map(|path| self.resolve(path, 0)).filter(|target| target != module);
            reached.insert(module, direct.collect());
        }
        loop {
            let mut next = reached.clone();
            for targets in next.values_mut() {
                let further: Vec<String> =
                    targets.iter().flat_map(|target| &reached[&**target]).cloned().collect();
                targets.extend(further);
            }
            if next == reached {
                break;
            }
            reached = next;
        }
        let leads = |from: &str, to: &str| reached[from].contains(to);
        let group = |module: &&&str| {
            let all = reached.keys().filter(|other| leads(module, other) && leads(other, module));
            all.copied().collect::<Vec<_>>().join(" ")
        };
        let groups = reached.keys().filter(|module| leads(module, module)).map(|module| group(&module));
        groups.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// The crates of the workspace, with their modules.
fn crates() -> impl Iterator<Item = (String, Modules)> {
    let dirs = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap();
    dirs.map(|entry| {
        let dir = entry.unwrap().path();
        (dir.file_name().unwrap().to_str().unwrap().to_owned(), Modules::read(&dir))
    })
}

#[test]
fn modules_form_no_circle() {
    for (name, modules) in crates() {
        let circles = modules.circles();
        assert!(circles.is_empty(), "{name}: these modules form circles: {circles:#?}");
    }
}

#[test]
fn imports_name_the_module_that_defines_a_thing() {
    for (name, modules) in crates() {
        let through_root = |path: &&Vec<String>| {
            path.first().is_some_and(|word| {
                // A function may be called like its module.
                !modules.imports.contains_key(word)
                    && modules.exports.contains_key(&(String::new(), word.clone()))
            })
        };
        for (module, imports) in &modules.imports {
            let found: Vec<_> = imports.iter().filter(through_root).collect();
            assert!(
                module.is_empty() || found.is_empty(),
                "{name}: {module} imports {found:?} from its root"
            );
        }
    }
}
