//! KataGo's configuration files.

use super::settings::{Effect, Settings};
use std::fmt;
use std::path::Path;

/// A configuration cannot be read. The text names the place and what would be accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

/// Reads a file with a line `key = value` for each setting; `#` begins a comment. The answer names
/// the keys that have no effect here.
///
/// # Errors
/// If the file cannot be read, a line is no setting, or a value is not one for its key.
pub fn read_config(file: &Path, settings: &mut Settings) -> Result<Vec<String>, ConfigError> {
    let fail = |text: String| ConfigError(format!("{}: {text}", file.display()));
    let bytes = crate::sgf::read_file(file).map_err(fail)?;
    let mut idle = Vec::new();
    for (number, line) in (1..).zip(String::from_utf8_lossy(&bytes).lines()) {
        let at = |text: String| fail(format!("line {number}: {text}"));
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(include) = line.strip_prefix("@include") {
            idle.push(format!("@include {}", include.trim()));
        } else if !line.is_empty() {
            idle.extend(read_pair(line, settings).map_err(at)?);
        }
    }
    Ok(idle)
}

/// Reads `key=value,key=value`, as `-override-config` has it. The answer names the keys that have
/// no effect here.
///
/// # Errors
/// If a part is no setting, or a value is not one for its key.
pub fn read_overrides(text: &str, settings: &mut Settings) -> Result<Vec<String>, ConfigError> {
    let mut idle = Vec::new();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let read = read_pair(pair, settings);
        idle.extend(read.map_err(|text| ConfigError(format!("-override-config: {text}")))?);
    }
    Ok(idle)
}

/// Reads `key = value`; the answer is the key if it has no effect.
fn read_pair(text: &str, settings: &mut Settings) -> Result<Option<String>, String> {
    let (key, value) =
        text.split_once('=').ok_or_else(|| format!("'{text}' is not a setting; accepted: key = value"))?;
    let (key, value) = (key.trim(), value.trim());
    let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
    match settings.set(key, value) {
        Ok(Effect::Set | Effect::Needless) => Ok(None),
        Ok(Effect::None) => Ok(Some(key.to_owned())),
        Err(accepted) => Err(format!("{key} = {value}; {accepted}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Side;

    #[test]
    fn overrides_change_settings_and_name_what_they_cannot_change() {
        let mut settings = Settings::default();
        let text = "homeDataDir=/home/user/.katrain, maxVisits = 25,reportAnalysisWinratesAs=BLACK,cpuctExploration=1";
        assert_eq!(read_overrides(text, &mut settings).unwrap(), ["cpuctExploration"]);
        assert_eq!((settings.max_visits, settings.side), (25, Side::Black));
        for (text, named) in [
            ("maxVisits", "key = value"),
            ("maxVisits=many", "from 1 to"),
            ("reportAnalysisWinratesAs=RED", "SIDETOMOVE"),
            ("wideRootNoise=-1", "from 0 to 5"),
        ] {
            let error = read_overrides(text, &mut settings).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn files_have_comments_and_lines() {
        let file = std::env::temp_dir().join(format!("tesuji-analysis-{}.cfg", std::process::id()));
        std::fs::write(
            &file,
            "# All\nmaxTime = 1e20 # none\n\nlogAllRequests = true\nnumSearchThreads = \"3\"\ncpuct = 1\n",
        )
        .unwrap();
        let mut settings = Settings::default();
        assert_eq!(read_config(&file, &mut settings).unwrap(), ["cpuct"]);
        assert_eq!(settings.search_threads, Some(3));
        std::fs::write(&file, "maxVisits = 5\nmaxVisits = 0\n").unwrap();
        let error = read_config(&file, &mut settings).unwrap_err().to_string();
        std::fs::remove_file(&file).unwrap();
        let device = read_config(Path::new("/dev/null"), &mut settings);
        assert!(device.unwrap_err().to_string().starts_with("/dev/null: "));
        assert!(
            error.contains("line 2: maxVisits = 0") && error.contains("accepted: a whole number"),
            "{error}"
        );
    }
}
