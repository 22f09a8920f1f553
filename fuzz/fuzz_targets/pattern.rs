//! Any text is a pattern or refused with a reason; a pattern's text and its images are the same
//! pattern.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_go::pattern::Pattern;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    match text.parse::<Pattern>() {
        Ok(pattern) => {
            assert_eq!(pattern.to_string().parse(), Ok(pattern.clone()), "{text:?}");
            let images = pattern.images();
            assert!((1..=8).contains(&images.len()), "{text:?}");
            for image in images {
                assert_eq!(Pattern::new(image), Ok(pattern.clone()), "{text:?}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty(), "{text:?}"),
    }
});
