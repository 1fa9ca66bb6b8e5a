//! Envelopes of trains as CSV and SVG.

use std::fmt::Write;

use voussoir_statics::envelope::{Envelope, EnvelopePoint};

use super::axes::{AXES, grid, head, short, ticks};
use super::files::surveyed;

/// Multipliers above this multiple of the smallest one are not drawn.
const HIGHEST_DRAWN: f64 = 6.0;

/// Positions as a table, in survey coordinates.
pub fn table(envelope: &Envelope, origin: [f64; 3]) -> String {
    let mut text = String::from("distance_m,x_m,y_m,z_m,reversed,multiplier,upper,proved\n");
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for point in &envelope.points {
        let [x, y, z] = surveyed(point.at, origin);
        let (lower, upper) = (number(point.multiplier), number(point.upper));
        let (distance, reversed, proved) = (point.distance_m, point.reversed, point.proved);
        let _ = writeln!(text, "{distance},{x},{y},{z},{reversed},{lower},{upper},{proved}");
    }
    text
}

/// The part of a line between two positions that is below `high`.
fn below([a, b]: [(f64, f64); 2], high: f64) -> Option<[(f64, f64); 2]> {
    let cut = |(x, y): (f64, f64), (u, v): (f64, f64)| {
        if y <= high {
            (x, y)
        } else if y.is_finite() {
            (u + (x - u) * (high - v) / (y - v), high)
        } else {
            (u, high)
        }
    };
    (a.1.min(b.1) <= high).then(|| [cut(a, b), cut(b, a)])
}

/// Multiplier over the position of the first axle, one line for each direction of travel.
pub fn drawing(envelope: &Envelope, title: &str) -> String {
    let [left, right, top, bottom] = AXES;
    let least = envelope.worst.as_ref().and_then(|point| point.multiplier).unwrap_or(1.0);
    let high = (HIGHEST_DRAWN * least).max(1.2);
    let ends = |pick: fn(f64, f64) -> f64, from: f64| envelope.points.iter().map(|p| p.distance_m).fold(from, pick);
    let (from, to) = (ends(f64::min, f64::INFINITY), ends(f64::max, f64::NEG_INFINITY));
    let across = (to - from).max(1e-9);
    let place = |x: f64, y: f64| {
        [left + (right - left) * (x - from) / across, bottom - (bottom - top) * y.clamp(0.0, high) / high]
    };
    let more = |point: &EnvelopePoint| point.multiplier.is_none_or(|multiplier| multiplier > high);
    let beyond = if envelope.points.iter().any(more) {
        format!("; above {} it is not drawn", short(high))
    } else {
        String::new()
    };
    let subtitle = format!("largest multiplier of the train \"{}\" at every position{beyond}", envelope.train);
    let mut svg = head(title, &subtitle);
    let vertical = ticks(high).into_iter().map(|value| (place(from, value)[1], value));
    let horizontal =
        ticks(across).into_iter().map(|along| (place(from + along, 0.0)[0], ((from + along) * 1e9).round() / 1e9));
    let titles = ["distance of the first axle from the start of the path [m]", "multiplier"];
    svg += &grid(horizontal, vertical, titles);
    for (reversed, colour) in [(false, "#1f6fb4"), (true, "#2e8b57")] {
        let mine: Vec<&EnvelopePoint> = envelope.points.iter().filter(|point| point.reversed == reversed).collect();
        for line in mine.windows(2) {
            let ends = [0, 1].map(|i| (line[i].distance_m, line[i].multiplier.unwrap_or(f64::INFINITY)));
            if let Some([[x, y], [u, v]]) = below(ends, high).map(|ends| ends.map(|(x, y)| place(x, y))) {
                let _ = writeln!(
                    svg,
                    "<path d=\"M{x:.1} {y:.1}L{u:.1} {v:.1}\" stroke=\"{colour}\" stroke-width=\"2\" \
                     stroke-linecap=\"round\"/>"
                );
            }
        }
    }
    if let Some(worst) = &envelope.worst {
        let [x, y] = place(worst.distance_m, least);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"#c0392b\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"14\" fill=\"#c0392b\" text-anchor=\"middle\">{} at x = {:.2} m</text>",
            y + 22.0,
            short(least),
            worst.at[0]
        );
    }
    svg + "</svg>\n"
}
