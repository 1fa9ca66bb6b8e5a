//! Performance profiles (Dolan & Moré 2002): the fraction of problems that a solver solves within a multiple of the
//! best time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Row;

const WIDTH: f64 = 880.0;
/// Least height; a long legend asks for more.
const HEIGHT: f64 = 460.0;
/// Height of a line of the legend.
const LINE: f64 = 17.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 250.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 52.0;
/// The largest multiple drawn, as a power of ten.
const DECADES: f64 = 4.0;
/// Times below this are dominated by the resolution of the clock [s].
const SHORTEST: f64 = 1e-4;

/// Okabe and Ito's colours, safe for colour-blind readers.
const COLOURS: [&str; 7] = ["#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/// Dashes, which distinguish lines after all colours have been used.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// The drawing for one tolerance. Solvers without a solved problem are omitted; the best are first.
pub fn svg(rows: &[Row], tolerance: f64) -> String {
    let mut curves = curves(rows, tolerance);
    curves.sort_by(|a, b| area(&b.1).total_cmp(&area(&a.1)));
    let count = rows.iter().filter(|row| row.tolerance == tolerance && row.solver == "auto").count();
    let height = HEIGHT.max(TOP + LINE * curves.len() as f64 + 8.0);
    let (plot_w, plot_h) = (WIDTH - LEFT - RIGHT, height - TOP - BOTTOM);
    let x = |ratio: f64| LEFT + plot_w * (ratio.log10() / DECADES).clamp(0.0, 1.0);
    let y = |share: f64| TOP + plot_h * (1.0 - share);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\"><rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">Share of {count} problems solved to {tolerance:e}, \
         within a multiple of the best time</text>\n"
    );
    for k in 0..=DECADES as usize {
        let at = x(10f64.powi(k as i32));
        let _ = writeln!(
            text,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y(0.0),
            y(0.0) + 18.0,
            10u32.pow(k as u32)
        );
    }
    for k in 0..=5 {
        let (share, at) = (20 * k, y(f64::from(k) / 5.0));
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{share} %</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">time / shortest time of all solvers on that problem \
         (times below {SHORTEST:e} s count as {SHORTEST:e} s)</text>",
        LEFT + 0.5 * plot_w,
        height - 12.0
    );
    for (k, (solver, ratios)) in curves.iter().enumerate() {
        let (colour, dash) = (COLOURS[k % COLOURS.len()], DASHES[(k / COLOURS.len()) % DASHES.len()]);
        let mut path = format!("M{:.1} {:.1}", x(1.0), y(0.0));
        for (done, &ratio) in ratios.iter().enumerate() {
            let _ = write!(path, "H{:.1}V{:.1}", x(ratio), y((done + 1) as f64 / count.max(1) as f64));
        }
        let _ = write!(path, "H{:.1}", WIDTH - RIGHT);
        let width = if solver == "auto" { 3.0 } else { 1.4 };
        let style = format!("stroke=\"{colour}\" stroke-width=\"{width}\" stroke-dasharray=\"{dash}\"");
        let at = TOP + 6.0 + LINE * k as f64;
        let _ = writeln!(
            text,
            "<path d=\"{path}\" fill=\"none\" {style}/>\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" {style}/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{solver} ({} of {count})</text>",
            WIDTH - RIGHT + 14.0,
            WIDTH - RIGHT + 46.0,
            WIDTH - RIGHT + 52.0,
            at + 4.0,
            ratios.len()
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Per solver, its time over the best time on each problem it solved, in rising order.
fn curves(rows: &[Row], tolerance: f64) -> Vec<(String, Vec<f64>)> {
    let solved: Vec<&Row> = rows.iter().filter(|row| row.tolerance == tolerance && row.converged).collect();
    let mut best: BTreeMap<&str, f64> = BTreeMap::new();
    for row in &solved {
        let entry = best.entry(&row.problem).or_insert(f64::INFINITY);
        *entry = entry.min(row.seconds.max(SHORTEST));
    }
    let mut ratios: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in &solved {
        ratios.entry(&row.solver).or_default().push(row.seconds.max(SHORTEST) / best[row.problem.as_str()]);
    }
    ratios
        .into_iter()
        .map(|(solver, mut ratios)| {
            ratios.sort_by(f64::total_cmp);
            (solver.to_owned(), ratios)
        })
        .collect()
}

/// Area under a profile, up to a constant.
fn area(ratios: &[f64]) -> f64 {
    ratios.iter().map(|ratio| (DECADES - ratio.log10()).max(0.0)).sum()
}
