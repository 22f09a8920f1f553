//! The numbers of a point, which a page shows when the pointer is there.

use super::chart::{Axis, Point};
use askama::filters::{Html, escape};
use std::fmt::Write;

/// A point with its numbers.
pub(super) struct Value {
    at: (i32, i32),
    label: String,
    text: String,
}

impl Value {
    /// A point of a curve, whose mark is drawn at `at`.
    pub(super) fn new(at: (i32, i32), label: &str, [x, y]: [&Axis; 2], point: &Point) -> Value {
        let interval =
            point.interval.map_or(String::new(), |[lo, hi]| format!(" [{}, {}]", short(lo), short(hi)));
        let named = |axis: &Axis, number: String| match axis.label.as_str() {
            "" => number,
            label => format!("{label} {number}"),
        };
        let text = format!("{}{interval}, {}", named(y, short(point.y)), named(x, x.text(point.x)));
        Value { at, label: label.to_owned(), text }
    }

    /// A disk for each point that sees the pointer, and beside it a text, which the style of the page hides until then.
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
fn short(x: f64) -> String {
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
    fn a_point_says_its_numbers() {
        let numbers = [0.0, 0.5, 0.123_456, -12.345_6, 1234.5, 123_456.7, 0.000_012_345].map(short);
        assert_eq!(numbers, ["0", "0.5", "0.1235", "-12.35", "1234", "123457", "0.00001234"]);
        let axis = |label: &str| Axis { label: label.to_owned(), ..Axis::default() };
        let point = Point { x: 20_000.0, y: 0.535, interval: Some([0.466, 0.603]) };
        let value = Value::new((10, 20), "a<b", [&axis("games"), &axis("score")], &point);
        assert_eq!(value.text, "score 0.535 [0.466, 0.603], games 20 000");
        let svg = Value::svg(&[value], (560, 360));
        assert!(
            svg.contains("a&#60;b") && svg.contains("text-anchor=\"start\"") && svg.contains("y=\"44\""),
            "{svg}"
        );
    }
}
