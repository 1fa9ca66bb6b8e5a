//! Line plots as SVG: axes with round numbers and units, a legend, distinguishable colours.

use std::fmt::Write;

use crate::picture::escape;
use crate::picture::numbers::{digits, prefix, ticks};

/// Size of a plot [px].
const SIZE: [f64; 2] = [480.0, 260.0];
/// Space at the left, top, right and bottom.
const SPACE: [f64; 4] = [62.0, 12.0, 14.0, 42.0];
/// Maximum number of points of a line, in pairs of extremes.
const MOST_POINTS: usize = 600;

/// Colours of Okabe and Ito, dark enough for lines on white, and dashes that distinguish them in print.
const LINES: [(&str, &str); 6] = [
    ("#0072b2", ""),
    ("#d55e00", "7 3"),
    ("#007a5a", "2 3"),
    ("#a8467f", "9 3 2 3"),
    ("#8a6d00", "4 2"),
    ("#333333", "1 2"),
];

/// One line of a plot.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// Text of the legend.
    pub name: &'a str,
    /// Along the horizontal axis.
    pub x: &'a [f64],
    /// Along the vertical axis.
    pub y: &'a [f64],
}

/// Content of a plot.
#[derive(Clone, Debug)]
pub struct Plot<'a> {
    /// Alternative text.
    pub title: &'a str,
    /// Name and SI unit of the horizontal axis.
    pub x: (&'a str, &'a str),
    /// Name and SI unit of the vertical axis.
    pub y: (&'a str, &'a str),
    /// The lines.
    pub series: Vec<Series<'a>>,
    /// Logarithmic vertical axis.
    pub logarithmic: bool,
    /// A reference level and its name.
    pub level: Option<(f64, &'a str)>,
    /// Marked points.
    pub marks: Vec<[f64; 2]>,
}

impl Plot<'_> {
    /// The plot; `None` without data.
    pub fn svg(&self) -> Option<String> {
        let lines: Vec<Vec<[f64; 2]>> = self.series.iter().map(|s| self.points(s)).collect();
        let all = || lines.iter().flatten();
        if all().count() < 2 {
            return None;
        }
        let range = |k: usize| {
            let level = (k == 1).then(|| self.level.map(|(y, _)| self.shown(y))).flatten();
            let (low, high) = all()
                .map(|p| p[k])
                .chain(level)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
            let low = if k == 1 && !self.logarithmic { low.min(0.0) } else { low };
            let pad = if k == 1 { 0.04 * (high - low) } else { 0.0 };
            if high > low {
                [if low < 0.0 || self.logarithmic { low - pad } else { low }, high + pad]
            } else {
                [low - 0.5, low + 0.5]
            }
        };
        let frame = Frame { x: range(0), y: range(1) };
        let mut out = format!(
            "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" font-family=\"inherit\" font-size=\"12\">\n",
            SIZE[0],
            SIZE[1],
            escape(self.title)
        );
        self.axes(&mut out, &frame);
        for (index, line) in lines.iter().enumerate() {
            let (colour, dash) = LINES[index % LINES.len()];
            let _ = writeln!(
                out,
                "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" stroke-dasharray=\"{dash}\" \
                 stroke-linejoin=\"round\"/>",
                frame.path(line)
            );
        }
        if let Some((y, name)) = self.level {
            let at = frame.place([frame.x[0], self.shown(y)])[1];
            let end = SIZE[0] - SPACE[2];
            let _ = writeln!(
                out,
                "<path d=\"M{} {at:.1}H{end}\" stroke=\"#888\" stroke-dasharray=\"3 3\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" class=\"soft\">{}</text>",
                SPACE[0],
                end - 4.0,
                at - 5.0,
                escape(name)
            );
        }
        for &[x, y] in &self.marks {
            let [x, y] = frame.place([x, self.shown(y)]);
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#d55e00\"/>");
        }
        out.push_str("</svg>\n");
        if self.series.len() > 1 {
            out.push_str(&self.legend());
        }
        Some(out)
    }

    /// A number in the scale of the vertical axis.
    fn shown(&self, y: f64) -> f64 {
        if self.logarithmic { y.max(1e-18).log10() } else { y }
    }

    /// Points of a line: for many points, the minimum and maximum of each interval.
    fn points(&self, series: &Series) -> Vec<[f64; 2]> {
        let all: Vec<[f64; 2]> = series
            .x
            .iter()
            .zip(series.y)
            .map(|(&x, &y)| [x, self.shown(y)])
            .filter(|p| p.iter().all(|v| v.is_finite()))
            .collect();
        if all.len() <= MOST_POINTS {
            return all;
        }
        let stretch = all.len().div_ceil(MOST_POINTS / 2);
        let mut kept = Vec::with_capacity(MOST_POINTS);
        for part in all.chunks(stretch) {
            let index = |least: bool| {
                let order = |a: &usize, b: &usize| part[*a][1].total_cmp(&part[*b][1]);
                let indices = 0..part.len();
                (if least { indices.min_by(order) } else { indices.max_by(order) }).unwrap_or(0)
            };
            let (a, b) = (index(true), index(false));
            kept.push(part[a.min(b)]);
            if a != b {
                kept.push(part[a.max(b)]);
            }
        }
        kept.extend(all.last());
        kept
    }

    fn axes(&self, out: &mut String, frame: &Frame) {
        let (left, right) = (SPACE[0], SIZE[0] - SPACE[2]);
        let (top, bottom) = (SPACE[1], SIZE[1] - SPACE[3]);
        let label = |name: &str, unit: &str, prefix: &str| match unit {
            "" => escape(name),
            unit => format!("{} [{prefix}{unit}]", escape(name)),
        };
        let size = |range: [f64; 2]| range[0].abs().max(range[1].abs());
        // horizontal
        let (factor, sign) = if self.x.1.is_empty() { (1.0, "") } else { prefix(size(frame.x)) };
        for t in ticks(frame.x[0] * factor, frame.x[1] * factor, 6) {
            let x = frame.place([t / factor, 0.0])[0];
            let _ = writeln!(
                out,
                "<path d=\"M{x:.1} {top}V{bottom}\" class=\"grid\"/><text x=\"{x:.1}\" y=\"{}\" \
                 text-anchor=\"middle\">{}</text>",
                bottom + 16.0,
                digits(t)
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            0.5 * (left + right),
            SIZE[1] - 8.0,
            label(self.x.0, self.x.1, sign)
        );
        // vertical
        let (factor, sign) = if self.y.1.is_empty() || self.logarithmic { (1.0, "") } else { prefix(size(frame.y)) };
        let steps = if self.logarithmic {
            let whole = |x: f64| x as i64;
            let every = ((frame.y[1] - frame.y[0]) / 6.0).ceil().max(1.0) as usize;
            (whole(frame.y[0].ceil())..=whole(frame.y[1].floor())).step_by(every).map(|e| e as f64).collect()
        } else {
            ticks(frame.y[0] * factor, frame.y[1] * factor, 6)
        };
        for t in steps {
            let y = frame.place([frame.x[0], t / factor])[1];
            let text = if self.logarithmic { format!("1e{t}") } else { digits(t) };
            let _ = writeln!(
                out,
                "<path d=\"M{left} {y:.1}H{right}\" class=\"grid\"/><text x=\"{}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{text}</text>",
                left - 6.0,
                y + 4.0
            );
        }
        let middle = 0.5 * (top + bottom);
        let _ = writeln!(
            out,
            "<text transform=\"translate(14 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>\
             <path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" class=\"axis\"/>",
            label(self.y.0, self.y.1, sign)
        );
    }

    fn legend(&self) -> String {
        let mut out = String::from("<ul class=\"legend\">");
        for (index, series) in self.series.iter().enumerate() {
            let (colour, dash) = LINES[index % LINES.len()];
            let _ = write!(
                out,
                "<li><svg width=\"34\" height=\"10\" aria-hidden=\"true\"><path d=\"M1 5H33\" stroke=\"{colour}\" \
                 stroke-width=\"2\" stroke-dasharray=\"{dash}\"/></svg>{}</li>",
                escape(series.name)
            );
        }
        out + "</ul>\n"
    }
}

/// Ranges of the axes.
struct Frame {
    x: [f64; 2],
    y: [f64; 2],
}

impl Frame {
    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let width = SIZE[0] - SPACE[0] - SPACE[2];
        let height = SIZE[1] - SPACE[1] - SPACE[3];
        let t = (x - self.x[0]) / (self.x[1] - self.x[0]);
        let u = (y - self.y[0]) / (self.y[1] - self.y[0]);
        [SPACE[0] + t * width, SIZE[1] - SPACE[3] - u * height]
    }

    fn path(&self, points: &[[f64; 2]]) -> String {
        let mut data = String::with_capacity(12 * points.len());
        for (i, &point) in points.iter().enumerate() {
            let [x, y] = self.place(point);
            let _ = write!(data, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
        }
        data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot<'a>(x: &'a [f64], y: &'a [f64]) -> Plot<'a> {
        Plot {
            title: "speed <of> a block",
            x: ("time", "s"),
            y: ("speed", "m/s"),
            series: vec![Series { name: "block", x, y }],
            logarithmic: false,
            level: None,
            marks: Vec::new(),
        }
    }

    #[test]
    fn peaks_are_kept_however_many_steps_there_are() {
        let x: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut y = vec![0.0; x.len()];
        y[54_321] = 7.0;
        let plot = plot(&x, &y);
        let points = plot.points(&plot.series[0]);
        assert!(points.len() <= MOST_POINTS + 1);
        assert!(points.contains(&[54_321.0, 7.0]));
    }

    #[test]
    fn axes_name_their_units_and_words_are_no_markup() {
        let svg = plot(&[0.0, 1.0], &[0.0, 0.02]).svg().unwrap();
        assert!(svg.contains("speed [mm/s]") && svg.contains("time [s]") && svg.contains("speed &lt;of&gt;"));
        assert!(plot(&[], &[]).svg().is_none());
        assert!(plot(&[0.0, 1.0], &[f64::NAN, f64::INFINITY]).svg().is_none());
    }
}
