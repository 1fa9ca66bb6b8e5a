//! Load–displacement curves as CSV and SVG.

use std::fmt::Write;

use voussoir_results::picture::escape;
use voussoir_statics::pushover::Curve;

/// Size of the drawing [px].
const SIZE: [f64; 2] = [900.0, 520.0];
/// Left, right, top and bottom of the axes [px].
const AXES: [f64; 4] = [100.0, 860.0, 70.0, 450.0];

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
    let [width, height] = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"40\" y=\"32\" font-size=\"20\" fill=\"#222222\">{}</text>\n\
         <text x=\"40\" y=\"54\" font-size=\"14\" fill=\"#555555\">{}</text>\n",
        escape(title),
        escape(load)
    );
    svg += &grid(across, high, axis);
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

/// Axes with ticks and titles.
fn grid(across: f64, high: f64, axis: [&str; 2]) -> String {
    let [left, right, top, bottom] = AXES;
    let mut svg = String::new();
    for value in ticks(high) {
        let [_, y] = place(0.0, value / high);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#e4e4e4\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" fill=\"#444444\" text-anchor=\"end\">{}</text>",
            left - 8.0,
            y + 4.0,
            short(value)
        );
    }
    for at in ticks(across) {
        let [x, _] = place(at / across, 0.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{}\" font-size=\"13\" fill=\"#444444\" text-anchor=\"middle\">{}</text>",
            bottom + 20.0,
            short(at)
        );
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {top} V{bottom} H{right}\" fill=\"none\" stroke=\"#444444\"/>\
         <text x=\"{0}\" y=\"{1}\" font-size=\"14\" fill=\"#333333\" text-anchor=\"middle\">{2}</text>\
         <text x=\"28\" y=\"{3}\" font-size=\"14\" fill=\"#333333\" text-anchor=\"middle\" \
         transform=\"rotate(-90 28 {3})\">{4}</text>",
        0.5 * (left + right),
        bottom + 46.0,
        escape(axis[0]),
        0.5 * (top + bottom),
        escape(axis[1])
    );
    svg
}

/// Round numbers from zero to `most`, about five of them.
pub(super) fn ticks(most: f64) -> Vec<f64> {
    let rough = most / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0].into_iter().map(|x| x * power).find(|x| *x >= rough).unwrap_or(10.0 * power);
    (0..=5).map(|i| f64::from(i) * step).take_while(|x| *x <= most * (1.0 + 1e-9)).collect()
}

/// Three or four digits.
pub(super) fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        x if !(1e-3..1e5).contains(&x) => format!("{value:.2e}"),
        x if x < 1.0 => format!("{value:.4}"),
        x if x < 100.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}
