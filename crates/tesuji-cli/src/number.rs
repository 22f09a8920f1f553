//! Numbers on the command line.

/// A number of games or simulations: at least 1, below 2^63.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(0) | Err(_) => Err("accepted: a whole number from 1".to_owned()),
        Ok(number) if number < 1 << 63 => Ok(number),
        Ok(_) => Err("accepted: below 2^63".to_owned()),
    }
}
