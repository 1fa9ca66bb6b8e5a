//! The drawing of the study: change of the end state over the tolerance, and the change that half the time step makes.

use std::fmt::Write as _;

use super::{Row, TOLERANCES};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 470.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 330.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 56.0;
/// Powers of ten of the vertical axis.
const LOWEST: i32 = -10;
const HIGHEST: i32 = 1;
/// Okabe and Ito's colours, safe for colour-blind readers.
const COLOURS: [&str; 7] = ["#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

pub fn svg(rows: &[Row]) -> String {
    let (plot_w, plot_h) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    // the reference, 1e-8, is not drawn; half the step stands in its column
    let x = |k: usize| LEFT + plot_w * (k as f64 + 0.5) / TOLERANCES.len() as f64;
    let y = |change: f64| {
        let power = change.max(1e-30).log10().clamp(f64::from(LOWEST), f64::from(HIGHEST));
        TOP + plot_h * (f64::from(HIGHEST) - power) / f64::from(HIGHEST - LOWEST)
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">Shift of the centroid of all blocks at the end, relative to the size of \
         a block</text>\n"
    );
    for power in LOWEST..=HIGHEST {
        let at = y(10f64.powi(power));
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">1e{power}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    for k in 0..TOLERANCES.len() {
        let word = match k + 1 == TOLERANCES.len() {
            true => "half the step".to_owned(),
            false => format!("{:.0e}", TOLERANCES[k]),
        };
        let _ =
            writeln!(text, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{word}</text>", x(k), HEIGHT - 34.0);
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">tolerance of every step (reference 1e-8), and 1e-8 with half \
         the time step</text>",
        LEFT + 0.5 * plot_w,
        HEIGHT - 12.0
    );
    for (k, row) in rows.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let dash = if k < COLOURS.len() { "" } else { "5 3" };
        let last = TOLERANCES.len() - 1;
        let points: Vec<String> = (0..last).map(|i| format!("{:.1},{:.1}", x(i), y(row.shifts[i]))).collect();
        let at = TOP + 8.0 + 20.0 * k as f64;
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" stroke-dasharray=\"{dash}\"/>\
             <circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"{colour}\" stroke-width=\"1.6\" \
             stroke-dasharray=\"{dash}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            points.join(" "),
            x(last),
            y(row.half_step),
            WIDTH - RIGHT + 12.0,
            WIDTH - RIGHT + 38.0,
            WIDTH - RIGHT + 44.0,
            at + 4.0,
            row.name
        );
    }
    text.push_str("</svg>\n");
    text
}
