//! The numbers of a point, which a page shows under the pointer.

use askama::filters::{Html, escape};
use std::fmt::Write;

/// A point with its numbers.
pub(super) struct Value {
    /// The place of its mark.
    pub at: (i32, i32),
    /// The name of its curve.
    pub label: String,
    /// Its numbers.
    pub text: String,
}

impl Value {
    /// A disk for each point that sees the pointer, and beside it a text, which the style of the
    /// page hides until then.
    pub(super) fn svg(values: &[Value], (width, _): (u32, u32)) -> String {
        let mut svg = "<g class=\"values\">\n".to_owned();
        for Value { at: (x, y), label, text } in values {
            let anchor = match 3 * x / width as i32 {
                0 => "start",
                1 => "middle",
                _ => "end",
            };
            // Two lines above the point, or below it where there is no room.
            let first = if *y < 60 { y + 24 } else { y - 26 };
            let escaped = |text: &str| escape(text, Html).map(|text| text.to_string()).unwrap_or_default();
            let _ = writeln!(
                svg,
                "<g><circle cx=\"{x}\" cy=\"{y}\" r=\"8\"/><text text-anchor=\"{anchor}\"><tspan x=\"{x}\" y=\"{first}\">{}</tspan><tspan x=\"{x}\" y=\"{}\">{}</tspan></text></g>",
                escaped(label),
                first + 17,
                escaped(text),
            );
        }
        svg + "</g>\n"
    }
}

/// A number with four significant digits.
pub(super) fn short(x: f64) -> String {
    let whole = if x == 0.0 { 1 } else { x.abs().log10().floor() as i32 + 1 };
    let decimals = (4 - whole).clamp(0, 12) as usize;
    let text = format!("{x:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_texts_are_no_markup() {
        let numbers = [0.0, 0.5, 0.123_456, -12.345_6, 1234.5, 123_456.7, 0.000_012_345].map(short);
        assert_eq!(numbers, ["0", "0.5", "0.1235", "-12.35", "1234", "123457", "0.00001234"]);
        let value = Value { at: (10, 20), label: "a<b".to_owned(), text: "score 0.5".to_owned() };
        let svg = Value::svg(&[value], (560, 360));
        assert!(
            svg.contains("a&#60;b") && svg.contains("text-anchor=\"start\"") && svg.contains("y=\"44\""),
            "{svg}"
        );
    }
}
