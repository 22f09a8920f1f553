//! Any text is a recipe or is refused in words; a recipe says the same after a round trip.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji::recipe::Recipe;

fuzz_target!(|text: &str| {
    for read in [Recipe::from_toml("fuzz.toml", text), Recipe::parse(&format!("uct,{text}"))] {
        match read {
            Ok(recipe) => {
                let again = Recipe::from_toml(recipe.name(), &recipe.to_toml());
                assert_eq!(again.as_ref(), Ok(&recipe));
            }
            Err(error) => assert!(error.to_string().len() > 10),
        }
    }
});
