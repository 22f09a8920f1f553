//! Writes the file of an untrained network for 9x9 Go with 11 planes.
//!
//! ```sh
//! cargo run --release -p tesuji-net --example untrained -- crates/tesuji-go/networks/9x9.safetensors
//! ```

use std::path::Path;
use tesuji_net::{Notes, Parameters, Shape};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("the file to write is missing")?;
    let parameters = Parameters::random(Shape { planes: 11, ..Shape::GO9 }, 1);
    let notes = Notes::from([("made".into(), "untrained: random weights of seed 1".into())]);
    parameters.save(Path::new(&file), &notes)?;
    println!("{file}: {parameters}");
    Ok(())
}
