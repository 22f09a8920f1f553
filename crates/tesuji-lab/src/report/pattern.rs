//! Pictures of patterns.

use std::borrow::Borrow;
use std::fmt::Write;
use tesuji_go::pattern::{Class, Constraint, Pattern};

/// From one line of the board to the next.
const STEP: i32 = 24;

/// The letters under a picture.
const CAPTION: i32 = 18;

/// The picture of a pattern as SVG: a cross where its player may move, that player's stones black
/// and the opponent's white, either colour's half and half, a ring where there must be no stone,
/// dark ground outside of the board.
pub(crate) fn picture(pattern: &Pattern) -> String {
    sheet(&[(pattern, String::new())])
}

/// Pictures side by side, each with a caption.
pub(crate) fn sheet(patterns: &[(impl Borrow<Pattern>, String)]) -> String {
    let below = if patterns.iter().all(|(_, caption)| caption.is_empty()) { 0 } else { CAPTION };
    let radius = patterns.iter().map(|(pattern, _)| reach(pattern.borrow())).max().unwrap_or(1);
    let side = (2 * radius + 1) * STEP;
    let (width, height) = (patterns.len() as i32 * (side + STEP / 2) - STEP / 2, side + below);
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">"#
    );
    for (i, (pattern, caption)) in patterns.iter().enumerate() {
        let left = i as i32 * (side + STEP / 2);
        let _ = write!(svg, r#"<g transform="translate({left} 0)">{}"#, board(pattern.borrow(), radius));
        if !caption.is_empty() {
            let (x, y) = (side / 2, height - 4);
            let caption = caption.replace('&', "&amp;").replace('<', "&lt;");
            let _ = write!(
                svg,
                r##"<text x="{x}" y="{y}" font-family="sans-serif" font-size="12" text-anchor="middle" fill="#777">{caption}</text>"##
            );
        }
        svg.push_str("</g>");
    }
    svg.push_str("</svg>");
    svg
}

/// How far the constraints of a pattern reach.
fn reach(pattern: &Pattern) -> i32 {
    let far = |c: &Constraint| i32::from(c.columns.abs().max(c.rows.abs()));
    pattern.constraints().iter().map(far).max().unwrap_or(1)
}

fn board(pattern: &Pattern, radius: i32) -> String {
    let side = (2 * radius + 1) * STEP;
    let mut svg = format!(r##"<rect width="{side}" height="{side}" fill="#e3c078"/>"##);
    for line in 0..=2 * radius {
        let at = line * STEP + STEP / 2;
        let _ = write!(svg, r##"<path d="M0 {at}H{side}M{at} 0V{side}" stroke="#8a6d3b"/>"##);
    }
    for c in pattern.constraints() {
        let (x, y) = ((radius + i32::from(c.columns)) * STEP, (radius - i32::from(c.rows)) * STEP);
        let (cx, cy, r) = (x + STEP / 2, y + STEP / 2, STEP / 2 - 2);
        let circle =
            |fill: &str| format!(r##"<circle cx="{cx}" cy="{cy}" r="{r}" fill="{fill}" stroke="#222"/>"##);
        svg += &match c.class {
            Class::Own => circle("#222"),
            Class::Enemy => circle("#fafafa"),
            Class::Stone => {
                let half = format!("M{cx} {}a{r} {r} 0 0 0 0 {}z", cy - r, 2 * r);
                format!(r##"{}<path d="{half}" fill="#222"/>"##, circle("#fafafa"))
            }
            Class::Empty => {
                format!(
                    r##"<circle cx="{cx}" cy="{cy}" r="4" fill="#e3c078" stroke="#222" stroke-width="1.5"/>"##
                )
            }
            Class::Black | Class::White => {
                let (fill, ink) =
                    if c.class == Class::Black { ("#222", "#fafafa") } else { ("#fafafa", "#222") };
                let (letter, base) = (c.class.letter(), cy + 4);
                format!(
                    r##"{}<text x="{cx}" y="{base}" text-anchor="middle" font-size="11" fill="{ink}">{letter}</text>"##,
                    circle(fill)
                )
            }
            Class::Outside => {
                format!(r##"<rect x="{x}" y="{y}" width="{STEP}" height="{STEP}" fill="#555"/>"##)
            }
        };
    }
    let (at, arm) = (radius * STEP + STEP / 2, 6);
    let (low, high) = (at - arm, at + arm);
    let _ = write!(
        svg,
        r##"<path d="M{low} {low}L{high} {high}M{low} {high}L{high} {low}" stroke="#b00020" stroke-width="3"/>"##
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_is_drawn_where_it_is_wanted() {
        let pattern: Pattern = "+1+0:X +0+1:O +2+2:* -1+0:. +0-2:#".parse().unwrap();
        let svg = picture(&pattern);
        assert_eq!(reach(&pattern), 2);
        assert!(
            svg.starts_with("<svg ")
                && svg.ends_with("</svg>")
                && svg.contains(r#"width="120" height="120""#)
        );
        for (part, count) in [("<circle", 4), (r##"fill="#555""##, 1), (r##"r="4""##, 1), ("#b00020", 1)] {
            assert_eq!(svg.matches(part).count(), count, "{part}");
        }
        let colours = picture(&"+1+0:B +0+1:W".parse().unwrap());
        assert!(colours.contains(">B</text>") && colours.contains(">W</text>"));
        let two = sheet(&[(&pattern, "good".to_owned()), (&pattern, "a < b".to_owned())]);
        assert!(two.contains("a &lt; b") && two.contains("translate(132 0)"));
    }
}
