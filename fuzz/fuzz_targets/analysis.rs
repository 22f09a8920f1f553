//! A line of the analysis protocol is read or refused, and never panics; what is refused says why.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_go::analysis::{Request, Settings};

fuzz_target!(|data: &[u8]| {
    for line in String::from_utf8_lossy(data).lines() {
        match Request::read(line, &Settings::default()) {
            Ok(Request::Analyze(query, _)) => {
                assert!(query.turns.keys().all(|&turn| turn <= query.moves.len()), "{line:?}");
            }
            Ok(Request::Act(..)) => {}
            Err(refusal) => assert!(refusal.to_json()["error"].as_str().is_some_and(|text| !text.is_empty())),
        }
    }
});
