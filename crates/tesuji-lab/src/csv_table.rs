//! Tables of results as CSV.

use crate::LabError;
use serde::Serialize;

/// The rows under a header of their fields' names.
pub(crate) fn csv_table(rows: impl IntoIterator<Item = impl Serialize>) -> Result<String, LabError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(LabError::failed)?;
    }
    let bytes = writer.into_inner().map_err(LabError::failed)?;
    String::from_utf8(bytes).map_err(LabError::failed)
}

/// Rounded to three significant digits, for p-values of any size.
pub(crate) fn significant(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// Rounded to so many decimals.
pub(crate) fn rounded(x: f64, decimals: i32) -> f64 {
    (x * 10_f64.powi(decimals)).round() / 10_f64.powi(decimals)
}
