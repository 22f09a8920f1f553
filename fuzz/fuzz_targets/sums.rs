//! A heap, or a game in brace notation, that is read is written so that it is read back equal, with
//! the same thermograph.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_sums::{Heap, Tree};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Ok(heap) = text.parse::<Heap>() {
        assert_eq!(heap.to_string().parse(), Ok(heap));
    }
    if let Ok(tree) = text.parse::<Tree>() {
        let again: Tree = tree.to_string().parse().expect("what was written is a game");
        assert_eq!(again.to_string(), tree.to_string());
        assert_eq!(again.thermograph(), tree.thermograph());
    }
});
