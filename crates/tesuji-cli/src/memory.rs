//! `--memory`.

use tesuji_lab::AgentSpec;

/// A limit of memory for all agents that are recipes.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// Hard limit of the memory of each search, such as 32KiB, 1MiB or 500000 bytes: the override memory.bytes of every
    /// recipe. A recipe's own limit of nodes holds as well.
    #[arg(long = "memory", value_name = "SIZE", value_parser = bytes)]
    pub(crate) bytes: Option<u64>,
}

impl Memory {
    /// The agent under this limit; agents that are no recipes are left alone.
    pub(crate) fn limit(self, agent: String) -> String {
        match self.bytes {
            Some(bytes) if matches!(AgentSpec::parse(&agent), Ok(AgentSpec::Recipe(_)) | Err(_)) => {
                format!("{agent},memory.bytes={bytes}")
            }
            _ => agent,
        }
    }
}

/// `32KiB`, `1MB`, `500000`.
fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let factor: Option<u64> = match unit.trim() {
        "" | "B" => Some(1),
        "kB" => Some(1000),
        "MB" => Some(1000 * 1000),
        "GB" => Some(1000 * 1000 * 1000),
        "KiB" => Some(1 << 10),
        "MiB" => Some(1 << 20),
        "GiB" => Some(1 << 30),
        _ => None,
    };
    let bytes = factor.and_then(|factor| number.parse::<u64>().ok()?.checked_mul(factor));
    bytes.filter(|bytes| (1..1 << 63).contains(bytes)).ok_or_else(|| {
        "a size is a whole number of bytes, at least 1, or of kB, MB, GB (powers of 1000), KiB, MiB or GiB (of 1024), \
         such as 32KiB"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, wanted) in [
            ("500000", 500_000),
            ("32KiB", 32_768),
            ("1MiB", 1_048_576),
            ("2 GiB", 2_147_483_648),
            ("3kB", 3000),
            ("4MB", 4_000_000),
            ("5GB", 5_000_000_000),
        ] {
            assert_eq!(bytes(text), Ok(wanted), "{text}");
        }
        for text in ["", "0", "KiB", "-1", "1.5MiB", "1KB", "9999999999GiB", "9223372036854775808"] {
            assert!(bytes(text).unwrap_err().contains("such as 32KiB"), "{text}");
        }
    }

    #[test]
    fn only_recipes_are_limited() {
        let limit = |agent: &str| Memory { bytes: Some(4096) }.limit(agent.to_owned());
        assert_eq!(limit("uct,depth=9"), "uct,depth=9,memory.bytes=4096");
        assert_eq!(limit("random"), "random");
        assert_eq!(limit("hotstrat"), "hotstrat");
        assert_eq!(limit("gtp:gnugo --mode gtp"), "gtp:gnugo --mode gtp");
        assert_eq!(Memory { bytes: None }.limit("uct".to_owned()), "uct");
    }
}
