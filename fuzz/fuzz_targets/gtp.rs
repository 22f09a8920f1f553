//! A session gives each command one response and never panics.
#![no_main]

#[path = "../../crates/tesuji-go/tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;
use tesuji_go::gtp::Command;

fuzz_target!(|data: &[u8]| {
    let mut session = common::session(5);
    for line in String::from_utf8_lossy(data).lines().take(60) {
        // No file is touched.
        let command = Command::parse(line);
        if command.as_ref().is_some_and(|c| ["loadsgf", "printsgf"].contains(&c.name.as_str())) {
            continue;
        }
        let response = session.execute(line);
        match command {
            None => assert_eq!(response, ""),
            Some(_) => {
                assert!(response.starts_with(['=', '?']), "{line:?}: {response:?}");
                assert_eq!(response.find("\n\n"), Some(response.len() - 2), "{line:?}: {response:?}");
            }
        }
    }
});
