//! Drawings of curves over two axes, as SVG.

use std::fmt::Write;

use voussoir_results::picture::escape;

/// Size of a drawing [px].
const SIZE: [f64; 2] = [900.0, 520.0];
/// Left, right, top and bottom of the axes [px].
pub(super) const AXES: [f64; 4] = [100.0, 860.0, 70.0, 450.0];

/// The beginning of a drawing: its title and the line below the title.
pub(super) fn head(title: &str, subtitle: &str) -> String {
    let [width, height] = SIZE;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"40\" y=\"32\" font-size=\"20\" fill=\"#222222\">{}</text>\n\
         <text x=\"40\" y=\"54\" font-size=\"14\" fill=\"#555555\">{}</text>\n",
        escape(title),
        escape(subtitle)
    )
}

/// The horizontal and the vertical axis with their ticks and titles. A tick is its coordinate in the drawing [px] and its
/// value.
pub(super) fn grid(
    horizontal: impl IntoIterator<Item = (f64, f64)>,
    vertical: impl IntoIterator<Item = (f64, f64)>,
    titles: [&str; 2],
) -> String {
    let [left, right, top, bottom] = AXES;
    let mut svg = String::new();
    for (y, value) in vertical {
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#e4e4e4\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" fill=\"#444444\" text-anchor=\"end\">{}</text>",
            left - 8.0,
            y + 4.0,
            short(value)
        );
    }
    for (x, value) in horizontal {
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{}\" font-size=\"13\" fill=\"#444444\" text-anchor=\"middle\">{}</text>",
            bottom + 20.0,
            short(value)
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
        escape(titles[0]),
        0.5 * (top + bottom),
        escape(titles[1])
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
