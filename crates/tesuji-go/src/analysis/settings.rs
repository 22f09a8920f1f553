//! The settings of configuration files, the command line and queries.

use std::time::Duration;

/// From whose side values are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Black's.
    Black,
    /// White's.
    White,
    /// That of the player to move.
    ToMove,
}

/// The options of analyses; the keys are KataGo's.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// `maxVisits`: simulations of a position. Default 500.
    pub max_visits: u64,
    /// `maxTime`: time for a position, in seconds. Default: not limited.
    pub max_time: Option<Duration>,
    /// `analysisPVLen`: moves of a variation after its first. Default 15.
    pub pv_len: usize,
    /// `reportAnalysisWinratesAs`: `BLACK`, `WHITE` or `SIDETOMOVE`, the default.
    pub side: Side,
    /// `wideRootNoise` w: where a network gives priors, those of the root become p^(1/(1 + 4w)).
    /// Default 0.04.
    pub wide_root_noise: f64,
    /// `rootPolicyTemperature` T: where a network gives priors, those of the root become p^(1/T).
    /// Default 1.
    pub root_temperature: f64,
    /// `numAnalysisThreads`: positions analysed at a time, if the file says so. Default: None.
    pub analysis_threads: Option<usize>,
    /// `numSearchThreadsPerAnalysisThread`: threads of each search, if the file says so. Default:
    /// None.
    pub search_threads: Option<usize>,
    /// `warnUnusedFields`: whether unknown fields of queries get a warning. Default: yes.
    pub warn_unused: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_visits: 500,
            max_time: None,
            pv_len: 15,
            side: Side::ToMove,
            wide_root_noise: 0.04,
            root_temperature: 1.0,
            analysis_threads: None,
            search_threads: None,
            warn_unused: true,
        }
    }
}

/// The effect of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It is set.
    Set,
    /// The key is about logs, hardware or other things that do not change an analysis.
    Needless,
    /// It has no effect here.
    None,
}

/// Beginnings of keys that change no analysis.
const NEEDLESS: &[&str] = &[
    "cuda",
    "eigen",
    "gpu",
    "homeData",
    "log",
    "maxBoard",
    "metal",
    "nn",
    "numNN",
    "opencl",
    "requireMaxBoard",
    "startupPrint",
    "trt",
];

/// Keys of which we always do what they ask for by default.
const ALWAYS: &[&str] =
    &["assumeMultipleStartingBlackMovesAreHandicap", "conservativePass", "preventCleanupPhase"];

impl Settings {
    /// Sets a key.
    ///
    /// # Errors
    /// If the value is not one for this key: what is accepted.
    pub fn set(&mut self, key: &str, value: &str) -> Result<Effect, String> {
        match key {
            "maxVisits" => self.max_visits = whole(value, 1, 1 << 50)?,
            "maxTime" => self.max_time = Some(seconds(value)?),
            "analysisPVLen" => self.pv_len = whole(value, 1, 1000)? as usize,
            "reportAnalysisWinratesAs" => {
                self.side = match value.to_ascii_uppercase().as_str() {
                    "BLACK" | "B" => Side::Black,
                    "WHITE" | "W" => Side::White,
                    "SIDETOMOVE" => Side::ToMove,
                    _ => return Err("accepted: BLACK, WHITE or SIDETOMOVE".into()),
                }
            }
            "wideRootNoise" => self.wide_root_noise = number(value, 0.0, 5.0)?,
            "rootPolicyTemperature" => self.root_temperature = number(value, 0.01, 100.0)?,
            "numAnalysisThreads" => self.analysis_threads = Some(whole(value, 1, 16_384)? as usize),
            "numSearchThreadsPerAnalysisThread" | "numSearchThreads" => {
                self.search_threads = Some(whole(value, 1, 4096)? as usize);
            }
            "warnUnusedFields" => {
                self.warn_unused = match value.to_ascii_lowercase().as_str() {
                    "true" | "1" => true,
                    "false" | "0" => false,
                    _ => return Err("accepted: true or false".into()),
                }
            }
            _ if NEEDLESS.iter().any(|start| key.starts_with(start)) || ALWAYS.contains(&key) => {
                return Ok(Effect::Needless);
            }
            _ => return Ok(Effect::None),
        }
        Ok(Effect::Set)
    }

    /// The temperature of the root's priors.
    pub(super) fn temperature(&self) -> f64 {
        self.root_temperature * (1.0 + 4.0 * self.wide_root_noise)
    }
}

/// The longest time that anybody waits for, in seconds.
const LONGEST: f64 = 1e8;

fn seconds(text: &str) -> Result<Duration, String> {
    // KataGo's files write 1e20 for no limit.
    let seconds = number(text, 0.0, f64::MAX)?.min(LONGEST);
    Ok(Duration::from_secs_f64(seconds))
}

fn whole(text: &str, low: u64, high: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|n| (low..=high).contains(n));
    number.ok_or_else(|| format!("accepted: a whole number from {low} to {high}"))
}

fn number(text: &str, low: f64, high: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x| (low..=high).contains(x));
    let range = if high < f64::MAX { format!("from {low} to {high}") } else { format!("of at least {low}") };
    number.ok_or_else(|| format!("accepted: a number {range}"))
}
