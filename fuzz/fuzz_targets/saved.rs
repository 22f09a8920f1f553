//! A file of a saved tree opens or says why not, whatever is in it behind a checksum that fits; a
//! search that opens it goes on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji::doc_game::Nim;
use tesuji::recipe::Recipe;
use tesuji::{Budget, TreeLabel};

const RECIPES: [&str; 6] = [
    "uct",
    "mast",
    "puct,root=gumbel",
    "graver2,two_level.share=false",
    "maxi,solver=true",
    "softmax,reuse=true",
];

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let recipe = Recipe::parse(RECIPES[usize::from(choice) % RECIPES.len()]).unwrap();
    let (game, label) = (Nim::new(20), TreeLabel::default());
    let mut search = recipe.search(&game, 1).unwrap();
    search.run(&game, &Budget::simulations(40)).unwrap();
    // Each change is a place and what is added to the byte there, or else the data is the file.
    let mut bytes = search.save_tree(&label).unwrap();
    if choice & 0x80 == 0 {
        let changes = data.chunks_exact(3);
        for change in changes {
            let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
            bytes[place] = bytes[place].wrapping_add(change[2]);
        }
    } else {
        bytes.truncate(12);
        bytes.extend(data);
        bytes.extend([0; 4]);
    }
    let end = bytes.len() - 4;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    if search.open_tree(&game, &label, &bytes).is_ok() {
        search.run(&game, &Budget::simulations(40)).unwrap();
        assert!(search.save_tree(&label).is_ok());
    }
});
