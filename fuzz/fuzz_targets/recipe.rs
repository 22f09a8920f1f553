//! A recipe that is read is written so that it is read back equal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji::recipe::Recipe;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(recipe) = Recipe::from_toml("fuzz", text) {
        let again = Recipe::from_toml("fuzz", &recipe.to_toml()).expect("what was written is a recipe");
        assert_eq!(again.to_toml(), recipe.to_toml());
    }
});
