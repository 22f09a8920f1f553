//! The legend of a chart: samples with their names, in rows above the plot.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// What one name stands for.
pub(super) struct Entry<'a> {
    pub label: &'a str,
    pub sample: Sample,
}

/// What stands before a name.
pub(super) enum Sample {
    /// A short line.
    Line(ShapeStyle),
    /// A disk with its rim.
    Mark { fill: RGBColor, colour: RGBColor },
}

const LETTERS: i32 = 14;
/// Of a row.
const HEIGHT: i32 = 20;
/// Where the first name's sample begins.
const LEFT: i32 = 60;
const TOP: i32 = 8;
const SAMPLE: i32 = 22;

/// How wide a name is, with its sample and the room after it. No font is at hand, so this is what
/// wide fonts need.
fn width(entry: &Entry<'_>) -> i32 {
    SAMPLE + 6 + entry.label.chars().count() as i32 * 15 / 2 + 18
}

/// Where each entry begins, and how many rows there are.
fn places(entries: &[Entry<'_>], available: u32) -> (Vec<(i32, i32)>, i32) {
    let (mut x, mut row) = (LEFT, 0);
    let mut places = Vec::new();
    for entry in entries {
        if x > LEFT && x + width(entry) > available as i32 {
            (x, row) = (LEFT, row + 1);
        }
        places.push((x, TOP + row * HEIGHT + HEIGHT / 2));
        x += width(entry);
    }
    (places, row + 1)
}

/// How high the legend is in a chart of such a width; 0 if it names nothing.
pub(super) fn height(entries: &[Entry<'_>], available: u32) -> u32 {
    match entries {
        [] => 0,
        _ => (TOP + places(entries, available).1 * HEIGHT) as u32,
    }
}

/// Draws the legend.
pub(super) fn draw(
    entries: &[Entry<'_>],
    area: &DrawingArea<SVGBackend<'_>, Shift>,
) -> Result<(), Box<dyn std::error::Error>> {
    let text = ("sans-serif", LETTERS).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
    let (places, _) = places(entries, area.dim_in_pixel().0);
    for (entry, (x, y)) in entries.iter().zip(places) {
        match entry.sample {
            Sample::Line(style) => area.draw(&PathElement::new([(x, y), (x + SAMPLE, y)], style))?,
            Sample::Mark { fill, colour } => {
                area.draw(&Circle::new((x + SAMPLE / 2, y), 4, fill.filled()))?;
                area.draw(&Circle::new((x + SAMPLE / 2, y), 4, colour.stroke_width(2)))?;
            }
        }
        area.draw(&Text::new(entry.label, (x + SAMPLE + 6, y), text.clone()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_as_wide_as_the_chart() {
        let entry = |label| Entry { label, sample: Sample::Line(BLACK.stroke_width(1)) };
        assert_eq!(height(&[], 560), 0);
        let entries =
            [entry("UCT"), entry("GRAVE"), entry("a name so long that it takes a row by itself"), entry("x")];
        assert_eq!(places(&entries, 560), (vec![(60, 18), (128, 18), (60, 38), (436, 38)], 2));
        assert_eq!(height(&entries, 560), 48);
        assert_eq!(places(&entries, 400).1, 3);
    }
}
