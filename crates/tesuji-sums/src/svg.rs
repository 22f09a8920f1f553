//! Thermographs as SVG.

use crate::dyadic::Dyadic;
use crate::thermograph::Thermograph;
use svg::Document;
use svg::node::element::{Group, Line, Polyline, Text};
use tesuji::Player;

/// Size of a panel, and the space around what is drawn in it, in pixels.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 280.0;
const MARGIN: f64 = 44.0;

/// An SVG picture of thermographs with their titles, three in a row: temperatures upwards, scores
/// from right to left; the left wall blue, the right wall red and dashed, and the mast above both.
pub fn thermographs_svg(thermographs: &[(String, Thermograph)]) -> String {
    let columns = thermographs.len().clamp(1, 3);
    let (width, height) = (WIDTH * columns as f64, HEIGHT * thermographs.len().div_ceil(columns) as f64);
    let mut document = Document::new()
        .set("width", width)
        .set("height", height)
        .set("viewBox", (0, 0, width, height))
        .set("font-family", "sans-serif")
        .set("font-size", 12);
    for (i, (title, thermograph)) in thermographs.iter().enumerate() {
        let (x, y) = ((i % columns) as f64 * WIDTH, (i / columns) as f64 * HEIGHT);
        document = document.add(panel(title, thermograph).set("transform", format!("translate({x} {y})")));
    }
    document.to_string()
}

fn panel(title: &str, thermograph: &Thermograph) -> Group {
    let (high, low) = (thermograph.left_stop().to_f64(), thermograph.right_stop().to_f64());
    let temperature = thermograph.temperature().to_f64().max(0.0);
    let (high, low) = if high > low { (high, low) } else { (high + 1.0, low - 1.0) };
    let top = if temperature > 0.0 { temperature * 1.25 } else { 1.0 };
    let across = |x: f64| round(MARGIN + (high - x) / (high - low) * (WIDTH - 2.0 * MARGIN));
    let up = |t: f64| round(HEIGHT - MARGIN - t / top * (HEIGHT - 2.0 * MARGIN));
    let label = |text: &str, x: f64, y: f64, anchor: &str| {
        Text::new(text).set("x", x).set("y", y).set("text-anchor", anchor)
    };
    let axis = Line::new()
        .set("x1", MARGIN / 2.0)
        .set("y1", up(0.0))
        .set("x2", WIDTH - MARGIN / 2.0)
        .set("y2", up(0.0))
        .set("stroke", "#888");
    let mut group = Group::new().add(label(title, WIDTH / 2.0, MARGIN / 2.0, "middle")).add(axis);
    for (first, colour, dash) in [(Player::FIRST, "#1f5fbf", "none"), (Player::SECOND, "#bf1f1f", "6 4")] {
        let points = thermograph.breakpoints(first);
        let (_, mean) = points[points.len() - 1];
        let place = |(t, x): (Dyadic, Dyadic)| (across(x.to_f64()), up(t.to_f64()));
        let mast = (across(mean.to_f64()), up(top));
        let points = points.into_iter().map(place).chain([mast]);
        let points: Vec<String> = points.map(|(x, y)| format!("{x},{y}")).collect();
        let wall = Polyline::new()
            .set("points", points.join(" "))
            .set("fill", "none")
            .set("stroke", colour)
            .set("stroke-width", 2)
            .set("stroke-dasharray", dash);
        group = group.add(wall);
    }
    let below = up(0.0) + 16.0;
    let place = |x: Dyadic| across(x.to_f64());
    let (left, right, mean) = (thermograph.left_stop(), thermograph.right_stop(), thermograph.mean());
    if left > right {
        group = group.add(label(&left.to_string(), place(left), below, "middle")).add(label(
            &right.to_string(),
            place(right),
            below,
            "middle",
        ));
    }
    let caption = format!("mean {mean}, temperature {}", thermograph.temperature());
    group.add(label(&caption, WIDTH / 2.0, below + 18.0, "middle"))
}

/// To a hundredth of a pixel.
fn round(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}
