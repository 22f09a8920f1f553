//! `--memory` and `--search-threads`.

use tesuji::AnyParallel;
use tesuji_lab::AgentSpec;

/// What each search of the agents that are recipes may use.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Resources {
    /// Limit the memory of each search, with all its tables, such as 32KiB, 1MiB or 500000 bytes:
    /// the override memory.bytes of every recipe. A recipe's own limit of nodes holds as well.
    #[arg(long = "memory", value_name = "SIZE", value_parser = bytes)]
    pub(crate) bytes: Option<u64>,
    /// Search each tree with N threads: the override parallel=tree of every recipe. With 2 or more,
    /// no search is reproducible.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) search_threads: Option<u16>,
}

impl Resources {
    /// The agent with these overrides; agents that are no recipes are left alone.
    pub(crate) fn limit(self, agent: String) -> String {
        let kept = match AgentSpec::parse(&agent) {
            Ok(AgentSpec::Recipe(recipe)) => matches!(recipe.parallel(), AnyParallel::Tree(_)),
            Ok(_) => return agent,
            Err(_) => false,
        };
        let bytes = self.bytes.map_or(String::new(), |bytes| format!(",memory.bytes={bytes}"));
        let threads = match self.search_threads {
            None => String::new(),
            Some(threads) if kept => format!(",parallel.threads={threads}"),
            Some(1) => ",parallel=serial".to_owned(),
            Some(threads) => format!(",parallel=tree,parallel.threads={threads}"),
        };
        agent + &bytes + &threads
    }
}

/// `32KiB`, `1MB`, `500000`.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let unit = unit.trim();
    // KB may mean 1000 or 1024 bytes; KIB can only be KiB.
    let binary = ["KiB", "MiB", "GiB"].into_iter().find(|name| name.eq_ignore_ascii_case(unit));
    let factor: Option<u64> = match binary.unwrap_or(unit) {
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
        "accepted: a whole number of bytes, at least 1, or of kB, MB, GB (powers of 1000), KiB, MiB or GiB (of 1024), \
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
            ("32KIB", 32_768),
            ("1 mib", 1_048_576),
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
        let limit =
            |agent: &str| Resources { bytes: Some(4096), search_threads: None }.limit(agent.to_owned());
        assert_eq!(limit("uct,depth=9"), "uct,depth=9,memory.bytes=4096");
        assert_eq!(limit("random"), "random");
        assert_eq!(limit("hotstrat"), "hotstrat");
        assert_eq!(limit("gtp:gnugo --mode gtp"), "gtp:gnugo --mode gtp");
        for (agent, threads, expected) in [
            ("uct", None, ""),
            ("uct", Some(1), ",parallel=serial"),
            ("grave", Some(3), ",parallel=tree,parallel.threads=3"),
            ("uct,parallel=root", Some(2), ",parallel=tree,parallel.threads=2"),
            ("uct,parallel=tree,parallel.virtual_visits=4", Some(2), ",parallel.threads=2"),
            ("gtp:gnugo --mode gtp", Some(2), ""),
        ] {
            let resources = Resources { bytes: None, search_threads: threads };
            assert_eq!(resources.limit(agent.to_owned()), format!("{agent}{expected}"));
        }
    }
}
