//! The page in a real browser.

#[path = "../../../tesuji-cli/tests/browser/mod.rs"]
#[allow(dead_code, reason = "the tests of reports open files")]
mod browser;

mod access;
mod analysis;
mod experiments;
mod games;
mod served;
mod trees;
