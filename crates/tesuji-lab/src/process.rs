//! Facts about this process from the operating system.

/// The most resident memory that this process ever held, in bytes, shared libraries included:
/// `VmHWM` of Linux. None on other systems.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Forgets the peak, so that [`peak_memory`] begins again at what is held now. Does nothing where
/// the system does not allow it.
pub(crate) fn reset_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_peak_includes_what_was_held() {
        let before = peak_memory().unwrap();
        let block = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(peak_memory().unwrap() >= (64 << 20) && before < (64 << 30));
        drop(block);
    }
}
