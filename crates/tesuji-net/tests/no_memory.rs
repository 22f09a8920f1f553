//! A network for which there is no memory is an error, and does not end the program.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use tesuji_net::{Network, Notes, Parameters, Sgd, Shape, Trainer};

/// The system's memory, of which nobody gets more than [`MOST`] bytes at a time.
struct Scarce;

static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

// SAFETY: memory is the system's; a null pointer says that there is none.
unsafe impl GlobalAlloc for Scarce {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST.load(Ordering::Relaxed) {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static MEMORY: Scarce = Scarce;

/// The fault of `load` if no allocation may exceed `most` bytes.
fn fault<T, E: ToString>(most: usize, load: impl FnOnce() -> Result<T, E>) -> String {
    MOST.store(most, Ordering::Relaxed);
    let result = load();
    MOST.store(usize::MAX, Ordering::Relaxed);
    result.err().map_or(String::new(), |error| error.to_string())
}

#[test]
fn a_network_without_memory_is_an_error() {
    let path = std::env::temp_dir().join(format!("tesuji-net-memory-{}.safetensors", std::process::id()));
    let trainer = Trainer::new(Parameters::random(Shape::GO9, 1), Sgd::default());
    trainer.save(&path, &Notes::new()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    // A file of 780 kB; its longest tensor has 53 kB, all of its numbers 384 kB.
    let reading = fault(600_000, || Parameters::load(&path));
    assert!(reading.contains(&path.display().to_string()), "{reading}");
    let tensor = fault(50_000, || Parameters::from_bytes(&bytes));
    assert!(tensor.contains("policy.fc.weight [82, 162] needs 53136 bytes of memory"), "{tensor}");
    let whole = fault(100_000, || Parameters::from_bytes(&bytes));
    assert!(
        whole.contains("needs 38") && whole.contains("bytes of memory, which are not available"),
        "{whole}"
    );
    let descent = fault(1_000_000, || Trainer::load(&path, Sgd::default()));
    assert!(descent.contains("bytes of memory, which are not available"), "{descent}");
    let ready = fault(1_000_000, || Network::try_new(trainer.parameters()));
    assert!(ready.contains("bytes of memory, which are not available"), "{ready}");
    assert_eq!(fault(10_000_000, || Trainer::load(&path, Sgd::default())), "");
    assert_eq!(fault(10_000_000, || Network::try_new(trainer.parameters())), "");
    std::fs::remove_file(path).unwrap();
}
