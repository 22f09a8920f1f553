//! Tells the program which commit it was built from, for its records.

use std::process::Command;

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}

fn main() {
    let mut version = env!("CARGO_PKG_VERSION").to_owned();
    // A packaged crate is built without git, and its sources do not change.
    println!("cargo:rerun-if-changed=build.rs");
    if let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) {
        let changed =
            git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|list| !list.is_empty());
        version += &format!(" ({commit}{})", if changed { ", changed" } else { "" });
        // Whether the sources differ from the commit is asked again when any of them changes.
        println!("cargo:rerun-if-changed=..");
    }
    println!("cargo:rustc-env=TESUJI_VERSION={version}");
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
}
