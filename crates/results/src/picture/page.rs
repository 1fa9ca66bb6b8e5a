//! SVG elements, scales, legend.

use std::fmt::Write;

use voussoir_mechanics::snapshot::{Cast, Snapshot};

use super::forces::Force;
use super::parts::Part;
use super::view::View;
use super::{Caption, LoadArrow, Vec3, dot, length, scale};

/// Stones of different materials.
const STONES: [[f64; 3]; 6] = [
    [226.0, 211.0, 180.0],
    [201.0, 170.0, 146.0],
    [190.0, 202.0, 208.0],
    [198.0, 208.0, 176.0],
    [214.0, 188.0, 196.0],
    [212.0, 212.0, 212.0],
];
/// Supports.
const SUPPORT: [f64; 3] = [150.0, 154.0, 160.0];
/// Ground and other planes.
const PLANE: [f64; 3] = [247.0, 246.0, 243.0];
/// Direction of the light, towards it; length 1.
const LIGHT: Vec3 = [-0.28, -0.68, 0.68];
const FORCE_COLOUR: &str = "#b3261e";
const LOAD_COLOUR: &str = "#1b5fa8";
/// Space for the title above the drawing, and for the legend below it [px].
const HEAD: f64 = 64.0;
const FOOT: f64 = 72.0;
/// Forces below this part of the largest are not drawn.
const SMALLEST_FORCE: f64 = 5e-3;

/// A picture on its way.
pub struct Page {
    body: String,
    size: [f64; 2],
    /// Pixels per newton, where forces are drawn.
    force_scale: Option<(f64, f64)>,
    loads: bool,
}

impl Page {
    pub fn new(view: &View) -> Self {
        Self { body: String::new(), size: view.size, force_scale: None, loads: false }
    }

    /// Planes, behind everything.
    pub fn background<'a>(&mut self, planes: impl Iterator<Item = &'a Part>, view: &View) {
        self.open("stroke=\"#c9c6be\" stroke-width=\"1\"");
        for plane in planes {
            let facing = dot(plane.faces[0].normal, view.towards);
            if facing > 0.0 {
                self.polygon(plane.points.iter().map(|&point| view.page(point)), &colour(PLANE, light(plane, 0, view)));
            }
        }
        self.close();
        self.open("stroke=\"#4a4136\" stroke-width=\"0.7\" stroke-linejoin=\"round\"");
    }

    /// The faces of a piece that are seen.
    pub fn part(&mut self, part: &Part, view: &View) {
        let base = if part.support { SUPPORT } else { STONES[part.material % STONES.len()] };
        for (index, face) in part.faces.iter().enumerate() {
            if dot(face.normal, view.towards) > 1e-6 {
                let outline = face.corners.iter().map(|&corner| view.page(part.points[corner]));
                self.polygon(outline, &colour(base, light(part, index, view)));
            }
        }
    }

    /// Lines along the forces; the largest is as long as a block.
    pub fn forces(&mut self, forces: &[Force], view: &View, block: f64) {
        self.close();
        let strongest = super::strongest(forces);
        if strongest <= 0.0 {
            return;
        }
        let longest = (block * view.scale).clamp(24.0, 140.0);
        let per_newton = longest / strongest;
        self.force_scale = Some((per_newton, strongest));
        self.open(&format!("stroke=\"{FORCE_COLOUR}\" stroke-linecap=\"round\" stroke-opacity=\"0.9\""));
        for force in forces.iter().filter(|force| force.size() >= SMALLEST_FORCE * strongest) {
            let [x, y] = view.page(force.point);
            let [dx, dy] = view.page_vector(scale(force.force, 0.5 * per_newton / view.scale));
            let width = 1.0 + 2.2 * (force.size() / strongest).sqrt();
            let _ = writeln!(
                self.body,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke-width=\"{width:.1}\"/>",
                x - dx,
                y - dy,
                x + dx,
                y + dy
            );
        }
        self.close();
    }

    /// Arrows whose heads are at the points of attack.
    pub fn loads(&mut self, loads: &[LoadArrow], view: &View) {
        let strongest = loads.iter().map(|load| length(load.force)).fold(0.0, f64::max);
        if strongest.is_nan() || strongest <= 0.0 {
            return;
        }
        self.loads = true;
        self.open(&format!("stroke=\"{LOAD_COLOUR}\" fill=\"{LOAD_COLOUR}\" stroke-width=\"3.5\""));
        for load in loads {
            let along = view.page_vector(load.force);
            let size = along[0].hypot(along[1]);
            if size > 0.0 {
                let reach = 20.0 + 70.0 * length(load.force) / strongest;
                self.arrow(view.page(load.point), [along[0] / size, along[1] / size], reach);
            }
        }
        self.close();
    }

    fn arrow(&mut self, [x, y]: [f64; 2], [dx, dy]: [f64; 2], reach: f64) {
        let _ = writeln!(
            self.body,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\"/><path d=\"M{x:.1} {y:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" stroke=\"none\"/>",
            x - reach * dx,
            y - reach * dy,
            x - 12.0 * dx,
            y - 12.0 * dy,
            x - 15.0 * dx - 6.5 * dy,
            y - 15.0 * dy + 6.5 * dx,
            x - 15.0 * dx + 6.5 * dy,
            y - 15.0 * dy - 6.5 * dx,
        );
    }

    /// A length in metres; in 3D along each axis, as it appears.
    pub fn scale(&mut self, view: &View) {
        let metres = nice(if view.dimension == 2 { 150.0 } else { 90.0 } / view.scale);
        // below the drawing
        let base = self.size[1] + 48.0;
        self.open_outside("stroke=\"#222\" stroke-width=\"1.6\" fill=\"none\"");
        if view.dimension == 2 {
            let end = 40.0 + metres * view.scale;
            let _ = writeln!(
                self.body,
                "<path d=\"M40 {base}H{end:.1}M40 {:.1}v10M{end:.1} {:.1}v10\"/>",
                base - 5.0,
                base - 5.0
            );
            self.close();
            self.text(end + 10.0, base + 5.0, 14.0, "start", &format!("{metres} m"));
        } else {
            let corner = [80.0, base];
            let mut names = Vec::new();
            for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                let mut unit = [0.0; 3];
                unit[axis] = metres;
                let [dx, dy] = view.page_vector(unit);
                let _ = writeln!(self.body, "<path d=\"M{} {:.1}l{dx:.1} {dy:.1}\"/>", corner[0], corner[1]);
                let stretch = 1.0 + 9.0 / dx.hypot(dy).max(1.0);
                names.push((corner[0] + dx * stretch, corner[1] + dy * stretch + 4.0, name));
            }
            self.close();
            for (x, y, name) in names {
                self.text(x, y, 12.0, "middle", name);
            }
            self.text(corner[0] + 100.0, base + 5.0, 14.0, "start", &format!("{metres} m along each axis"));
        }
    }

    /// Title, time, figures and the legend of forces.
    pub fn words(&mut self, caption: &Caption, snapshot: &Snapshot, strongest: f64, cast: &Cast) {
        let supports = cast.bodies.iter().filter(|body| body.support).count();
        let title = if caption.title.is_empty() { "Structure" } else { &caption.title };
        self.text(24.0, -34.0, 20.0, "start", title);
        let mut line = format!(
            "t = {} s · {}, {}",
            digits(snapshot.time),
            count(cast.bodies.len() - supports, "free body", "free bodies"),
            count(supports, "support", "supports")
        );
        if strongest > 0.0 {
            let _ = write!(line, " · largest force between two bodies {}", newtons(strongest));
        }
        if !caption.note.is_empty() {
            let _ = write!(line, " · {}", caption.note);
        }
        self.text(24.0, -12.0, 14.0, "start", &line);
        self.legend(caption);
    }

    fn legend(&mut self, caption: &Caption) {
        let base = self.size[1] + 48.0;
        let mut right = self.size[0] - 24.0;
        if self.loads {
            let strongest = caption.loads.iter().map(|load| length(load.force)).fold(0.0, f64::max);
            let label = format!("load, {}", newtons(strongest));
            self.text(right, base + 5.0, 14.0, "end", &label);
            right -= 7.0 * label.chars().count() as f64 + 12.0;
            self.open_outside(&format!("stroke=\"{LOAD_COLOUR}\" fill=\"{LOAD_COLOUR}\" stroke-width=\"3.5\""));
            self.arrow([right, base], [1.0, 0.0], 40.0);
            self.close();
            right -= 66.0;
        }
        if let Some((per_newton, strongest)) = self.force_scale {
            let shown = nice(strongest);
            let label = format!("contact force, {}", newtons(shown));
            self.text(right, base + 5.0, 14.0, "end", &label);
            right -= 7.0 * label.chars().count() as f64 + 12.0;
            let start = right - shown * per_newton;
            let _ = writeln!(
                self.body,
                "<path d=\"M{start:.1} {base}H{right:.1}\" stroke=\"{FORCE_COLOUR}\" stroke-width=\"3\" \
                 stroke-linecap=\"round\"/>"
            );
        }
    }

    /// The whole file.
    pub fn finish(self) -> String {
        let [width, height] = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {:.0} {width:.0} {:.0}\" width=\"{width:.0}\" \
             height=\"{:.0}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
             <rect y=\"{:.0}\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <clipPath id=\"drawing\"><rect width=\"{width:.0}\" height=\"{height:.0}\"/></clipPath>\n{}</svg>\n",
            -HEAD,
            height + HEAD + FOOT,
            height + HEAD + FOOT,
            -HEAD,
            self.body
        )
    }

    /// A group inside the drawing; what reaches farther is cut off.
    fn open(&mut self, attributes: &str) {
        let _ = writeln!(self.body, "<g clip-path=\"url(#drawing)\" {attributes}>");
    }

    /// A group anywhere on the page.
    fn open_outside(&mut self, attributes: &str) {
        let _ = writeln!(self.body, "<g {attributes}>");
    }

    fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    fn polygon(&mut self, outline: impl Iterator<Item = [f64; 2]>, fill: &str) {
        self.body.push_str("<path d=\"");
        for (i, [x, y]) in outline.enumerate() {
            let _ = write!(self.body, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
        }
        let _ = writeln!(self.body, "Z\" fill=\"{fill}\"/>");
    }

    fn text(&mut self, x: f64, y: f64, size: f64, anchor: &str, text: &str) {
        let text = escape(text);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"#222\">{text}</text>"
        );
    }
}

/// Brightness of a face, 0 … 1.
fn light(part: &Part, face: usize, view: &View) -> f64 {
    if view.dimension == 2 { 1.0 } else { 0.66 + 0.34 * dot(part.faces[face].normal, LIGHT).max(0.0) }
}

fn colour(base: [f64; 3], brightness: f64) -> String {
    let [r, g, b] = base.map(|channel| (channel * brightness).round().clamp(0.0, 255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// 1, 2 or 5 times a power of ten, at most `value`.
fn nice(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let factor = [5.0, 2.0].into_iter().find(|factor| factor * power <= value).unwrap_or(1.0);
    // without the dust of rounding
    format!("{:.0e}", factor * power).parse().unwrap_or(value)
}

fn newtons(value: f64) -> String {
    match value {
        x if x >= 1e6 => format!("{} MN", digits(x * 1e-6)),
        x if x >= 1e3 => format!("{} kN", digits(x * 1e-3)),
        x => format!("{} N", digits(x)),
    }
}

/// Three or four digits.
fn digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if rounded == 0.0 || (1e-3..1e6).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{digits, newtons, nice};

    #[test]
    fn scales_are_round_numbers() {
        for (value, expected) in [(1.0, 1.0), (1.9, 1.0), (4.99, 2.0), (730.0, 500.0), (0.034, 0.02)] {
            assert_eq!(nice(value), expected);
        }
        assert_eq!(newtons(12_345.6), "12.35 kN");
        assert_eq!(digits(0.30000000000000004), "0.3");
    }
}
