//! Load–displacement curves as CSV and SVG.

use std::fmt::Write;

use voussoir_statics::pushover::Curve;

use super::axes::{AXES, grid, head, short, ticks};

/// Points as a table.
pub fn table(curve: &Curve) -> String {
    let mut text = String::from("displacement_m,load,farthest_m\n");
    for point in &curve.points {
        let _ = writeln!(text, "{},{},{}", point.displacement_m, point.load, point.farthest_m);
    }
    text
}

/// The curve with the limit multiplier as a line across.
pub fn drawing(curve: &Curve, title: &str, load: &str, axis: [&str; 2]) -> String {
    let limit = curve.limit.as_ref().and_then(|limit| limit.multiplier);
    let most = |of: fn(&voussoir_statics::pushover::CurvePoint) -> f64| curve.points.iter().map(of).fold(0.0, f64::max);
    let across = most(|point| point.displacement_m).max(1e-12) * 1.04;
    let high = most(|point| point.load).max(limit.unwrap_or(0.0)).max(1e-12) * 1.12;
    let [left, right, _, bottom] = AXES;
    let place = |x: f64, y: f64| place(x / across, y / high);
    let mut svg = head(title, load);
    let horizontal = ticks(across).into_iter().map(|value| (place(value, 0.0)[0], value));
    let vertical = ticks(high).into_iter().map(|value| (place(0.0, value)[1], value));
    svg += &grid(horizontal, vertical, axis);
    if let Some(limit) = limit {
        let [_, y] = place(0.0, limit);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#c0392b\" stroke-width=\"1.5\" \
             stroke-dasharray=\"8 5\"/>\
             <text x=\"{right}\" y=\"{:.1}\" font-size=\"14\" fill=\"#c0392b\" text-anchor=\"end\">limit analysis {}</text>",
            y - 6.0,
            short(limit)
        );
    }
    let points: Vec<String> = curve
        .points
        .iter()
        .map(|point| {
            let [x, y] = place(point.displacement_m, point.load);
            format!("{x:.1},{y:.1}")
        })
        .collect();
    // rigid blocks do not move before the limit load
    let start = curve.points.first().map_or(String::new(), |first| {
        let [x, y] = place(first.displacement_m, first.load);
        format!(
            "<line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{y:.1}\" stroke=\"#1f6fb4\" stroke-width=\"2.5\"/>"
        )
    });
    let _ = writeln!(
        svg,
        "{start}<polyline points=\"{}\" fill=\"none\" stroke=\"#1f6fb4\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>",
        points.join(" ")
    );
    svg + "</svg>\n"
}

/// Page coordinates of a point, given as shares of both axes.
fn place(x: f64, y: f64) -> [f64; 2] {
    let [left, right, top, bottom] = AXES;
    [left + (right - left) * x, bottom - (bottom - top) * y.max(0.0)]
}
