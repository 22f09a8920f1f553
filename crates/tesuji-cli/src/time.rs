//! Times on the command line.

use std::time::Duration;

/// A time to think: `500ms`, `1.5s`, `2m`, at least 1ms.
pub(crate) fn time_a_move(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    if time >= Duration::from_millis(1) { Ok(time) } else { Err("accepted: at least 1ms".into()) }
}

/// The time that a move loses on its way.
pub(crate) fn lag(text: &str) -> Result<Duration, String> {
    let lag = duration(text)?;
    if lag <= Duration::from_secs(3600) { Ok(lag) } else { Err("accepted: at most 60m".into()) }
}

/// All times are below this number of seconds, so that their milliseconds fit 64 bits.
const MOST: u64 = 1_000_000_000;

fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(text.find(char::is_alphabetic).unwrap_or(text.len()));
    let factor = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        _ => return Err("accepted: a number and ms, s or m, such as 500ms".into()),
    };
    let seconds = number.parse::<f64>().map_err(|_| "accepted: a number and ms, s or m, such as 500ms")?;
    let time = Duration::try_from_secs_f64(seconds * factor).ok();
    time.filter(|time| time.as_secs() < MOST).ok_or_else(|| "accepted: 0 s to less than 10^9 s".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, milliseconds) in [("500ms", 500), ("1.5s", 1500), ("2m", 120_000), ("1ms", 1)] {
            assert_eq!(time_a_move(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "5", "s", "1h", "-1s", "0s", "0.5ms", "nans", "infs", "18446744073709552s"] {
            assert!(time_a_move(text).is_err(), "{text}");
        }
        assert_eq!(lag("0s"), Ok(Duration::ZERO));
        assert!(lag("61m").is_err());
    }
}
