//! What is read from SGF is written so that it is read back equal, and the main line of a game can
//! be loaded or says why not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_go::sgf::{MainLine, decode, parse};

fuzz_target!(|data: &[u8]| {
    let Ok(collection) = parse(&decode(data)) else { return };
    assert_eq!(parse(&collection.to_string()).as_ref(), Ok(&collection));
    for game in &collection.games {
        let _ = MainLine::read(game);
    }
});
