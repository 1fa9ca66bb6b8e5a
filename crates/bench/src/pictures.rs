//! `cargo xtask pictures`: the drawings of docs/contact-detection.md, computed by contact detection itself.

use std::fmt::Write;
use voussoir_geometry::glam::{DVec2, DVec3, dvec2, dvec3};
use voussoir_geometry::{ContactPoint, D2, D3, Detection, Method, Nodes, Pose, Shape2, Shape3, Solid};

use crate::place::root;

const METHODS: [(Method, &str); 3] =
    [(Method::Clip, "clip"), (Method::CommonPlane, "common-plane"), (Method::Swept, "swept")];
/// Size of a panel [px].
const PANEL: DVec2 = DVec2::new(300.0, 280.0);
const LOWER: &str = "#bea07c";
const UPPER: &str = "#e2d3b4";

/// Draws all pictures into `docs/pictures`.
pub fn run() -> Result<(), String> {
    let folder = root().join("docs/pictures");
    for (name, text) in
        [("detection-methods.svg", methods()?), ("detection-nodes.svg", nodes()?), ("detection-bed.svg", bed()?)]
    {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// A drawing of several panels in a row or grid.
struct Drawing {
    text: String,
    columns: usize,
    panels: usize,
}

impl Drawing {
    fn new(columns: usize) -> Self {
        Self { text: String::new(), columns, panels: 0 }
    }

    /// Opens a panel; gives where its lower left corner is on the page.
    fn panel(&mut self, title: &str) -> DVec2 {
        let (column, row) = (self.panels % self.columns, self.panels / self.columns);
        self.panels += 1;
        let corner = dvec2(column as f64 * PANEL.x, row as f64 * PANEL.y);
        let _ = writeln!(
            self.text,
            r##"<text x="{}" y="{}" font-size="15" font-weight="600">{title}</text>"##,
            corner.x + 12.0,
            corner.y + 22.0
        );
        corner + dvec2(0.5 * PANEL.x, 0.56 * PANEL.y)
    }

    fn polygon(&mut self, points: &[DVec2], fill: &str, more: &str) {
        let list: Vec<String> = points.iter().map(|p| format!("{:.2},{:.2}", p.x, p.y)).collect();
        let _ =
            writeln!(self.text, r##"<polygon points="{}" fill="{fill}" stroke="#4a4136" {more}/>"##, list.join(" "));
    }

    fn line(&mut self, a: DVec2, b: DVec2, more: &str) {
        let _ =
            writeln!(self.text, r##"<line x1="{:.2}" y1="{:.2}" x2="{:.2}" y2="{:.2}" {more}/>"##, a.x, a.y, b.x, b.y);
    }

    fn dot(&mut self, at: DVec2, radius: f64, colour: &str) {
        let _ = writeln!(
            self.text,
            r##"<circle cx="{:.2}" cy="{:.2}" r="{radius:.2}" fill="{colour}" stroke="#fff"/>"##,
            at.x, at.y
        );
    }

    fn words(&mut self, at: DVec2, text: &str) {
        let _ = writeln!(
            self.text,
            r##"<text x="{:.2}" y="{:.2}" font-size="12" text-anchor="middle">{text}</text>"##,
            at.x, at.y
        );
    }

    /// An arrow for a normal.
    fn arrow(&mut self, from: DVec2, along: DVec2, length: f64) {
        let tip = from + along * length;
        let style = r##"stroke="#b3261e" stroke-width="2""##;
        self.line(from, tip - along * 5.0, style);
        let side = along.perp() * 4.0;
        self.polygon(&[tip, tip - along * 9.0 + side, tip - along * 9.0 - side], "#b3261e", r##"stroke-width="0""##);
    }

    fn finish(self) -> String {
        let rows = self.panels.div_ceil(self.columns);
        let (width, height) = (PANEL.x * self.columns as f64, PANEL.y * rows as f64);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"Open Sans, Helvetica, sans-serif\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.text
        )
    }
}

fn rectangle(x: f64, y: f64) -> Result<Shape2, String> {
    Shape2::rectangle(dvec2(x, y)).map_err(|e| e.to_string())
}

/// Corners of a rectangle where it is.
fn corners(half: DVec2, pose: &Pose<D2>) -> Vec<DVec2> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| pose.point(half * dvec2(x, y))).to_vec()
}

/// Two cases, each by all methods: a block that tilts on another one, and corner beside corner.
fn methods() -> Result<String, String> {
    let mut drawing = Drawing::new(3);
    let small = dvec2(1.0, 0.6);
    let tilted = Pose { position: dvec2(0.35, 0.68), rotation: 0.045 };
    // its lower left corner 50 mm to the right of and above the corner of the other
    let beside = Pose { position: dvec2(1.5892, 0.6219), rotation: -0.15 };
    for (case, place, wide, still, alert) in [
        ("a block that tilts", tilted, dvec2(2.0, 0.7), Pose::identity(), 0.08),
        ("corner by corner", beside, dvec2(1.2, 0.7), Pose::at(dvec2(0.4, 0.0)), 0.16),
    ] {
        for (method, name) in METHODS {
            let origin = drawing.panel(&format!("{name}: {case}"));
            let centre = if case == "corner by corner" { dvec2(0.95, 0.25) } else { dvec2(0.2, 0.3) };
            let page = |p: DVec2| origin + (p - centre) * dvec2(118.0, -118.0);
            let mut points: Vec<ContactPoint<D2>> = Vec::new();
            let detection = Detection { method, nodes: Nodes::All, ..Detection::default() };
            rectangle(small.x, small.y)?.collide_by(
                &place,
                &rectangle(wide.x, wide.y)?,
                &still,
                alert,
                detection,
                &mut points,
            );
            for (half, pose, fill) in [(0.5 * wide, &still, LOWER), (0.5 * small, &place, UPPER)] {
                let outline: Vec<DVec2> = corners(half, pose).into_iter().map(page).collect();
                if method == Method::Swept {
                    // the margin is a thousandth of the size; drawn larger, so that it is seen
                    drawing.polygon(&outline, fill, r##"stroke-width="1" stroke-dasharray="2 3" fill-opacity="0.35""##);
                    let core: Vec<DVec2> = corners(half - 0.06, pose).into_iter().map(page).collect();
                    drawing.polygon(
                        &core,
                        fill,
                        r##"stroke-width="14" stroke-linejoin="round" stroke-opacity="0.25""##,
                    );
                    drawing.polygon(&core, fill, r##"stroke-width="1""##);
                } else {
                    drawing.polygon(&outline, fill, r##"stroke-width="1.2""##);
                }
            }
            if method == Method::CommonPlane
                && let Some(first) = points.first()
            {
                let middle = points.iter().map(|p| p.position).sum::<DVec2>() / points.len() as f64;
                let along = first.normal.perp() * 1.0;
                let style = r##"stroke="#1b5fa8" stroke-width="1.6" stroke-dasharray="7 4""##;
                drawing.line(page(middle - along), page(middle + along), style);
            }
            for point in &points {
                drawing.arrow(page(point.position), point.normal * dvec2(1.0, -1.0), 34.0);
                drawing.dot(page(point.position), 4.0, "#b3261e");
            }
            let words = match points.len() {
                0 => "no contact".to_owned(),
                n => format!(
                    "{n} node{}, least gap {:.0} mm",
                    if n == 1 { "" } else { "s" },
                    1e3 * points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min)
                ),
            };
            drawing.words(origin + dvec2(0.0, 108.0), &words);
        }
    }
    Ok(drawing.finish())
}

/// Corners of a regular polygon.
fn ring(sides: usize, radius: f64, angle: f64) -> Vec<DVec2> {
    (0..sides).map(|i| radius * DVec2::from_angle(angle + std::f64::consts::TAU * i as f64 / sides as f64)).collect()
}

fn prism(outline: &[DVec2], height: f64) -> Result<Shape3, String> {
    let points: Vec<DVec3> =
        [-0.5, 0.5].iter().flat_map(|z| outline.iter().map(move |p| p.extend(z * height))).collect();
    Shape3::hull(&points).map_err(|e| e.to_string())
}

/// A hexagonal drum on a square one, seen from above: all nodes, four, three, with the area each stands for.
fn nodes() -> Result<String, String> {
    let mut drawing = Drawing::new(3);
    let (square, hexagon) = (ring(4, 0.85, std::f64::consts::FRAC_PI_4), ring(6, 0.7, 0.2));
    let (lower, upper) = (prism(&square, 0.4)?, prism(&hexagon, 0.4)?);
    let offset = dvec3(0.35, 0.2, 0.4);
    for (nodes, name) in [(Nodes::All, "all nodes"), (Nodes::Four, "at most four"), (Nodes::Three, "at most three")] {
        let origin = drawing.panel(name) + dvec2(-10.0, -16.0);
        let page = |p: DVec2| origin + (p - dvec2(0.15, 0.05)) * dvec2(85.0, -85.0);
        let mut points: Vec<ContactPoint<D3>> = Vec::new();
        let detection = Detection { method: Method::Clip, nodes, ..Detection::default() };
        upper.collide_by(&Pose::at(offset), &lower, &Pose::identity(), 1e-3, detection, &mut points);
        let flat: Vec<DVec2> = square.iter().map(|&p| page(p)).collect();
        drawing.polygon(&flat, LOWER, r##"stroke-width="1.2""##);
        let flat: Vec<DVec2> = hexagon.iter().map(|&p| page(p + offset.truncate())).collect();
        drawing.polygon(&flat, UPPER, r##"stroke-width="1.2" fill-opacity="0.6""##);
        let overlap: Vec<DVec2> = points.iter().map(|p| page(p.position.truncate())).collect();
        drawing.polygon(&overlap, "#b3261e", r##"fill-opacity="0.22" stroke-width="1.6""##);
        for point in &points {
            // as large as the area it stands for
            drawing.dot(page(point.position.truncate()), 26.0 * point.area.sqrt(), "#b3261e");
        }
        let area: f64 = points.iter().map(|p| p.area).sum();
        drawing.words(origin + dvec2(10.0, 112.0), &format!("{} nodes for {area:.4} m²", points.len()));
    }
    Ok(drawing.finish())
}

/// A bed of mortar: two blocks a wedge apart; gaps count from the wedge.
fn bed() -> Result<String, String> {
    let mut drawing = Drawing::new(2);
    let (wide, small) = (dvec2(1.7, 0.5), dvec2(1.5, 0.5));
    let start = Pose { position: dvec2(0.0, 0.58), rotation: 0.05 };
    let later = Pose { position: dvec2(0.02, 0.63), rotation: 0.11 };
    for (title, place) in [("as built: the wedge is the bed", start), ("later: what opened beyond it", later)] {
        let origin = drawing.panel(title);
        let page = |p: DVec2| origin + (p - dvec2(0.0, 0.25)) * dvec2(130.0, -130.0);
        let still = Pose::identity();
        let base = corners(0.5 * wide, &still);
        let upper = corners(0.5 * small, &place);
        // the bed sticks to the upper block as it was at the start
        let foot: Vec<DVec2> = corners(0.5 * small, &start)[..2].iter().map(|p| dvec2(p.x, 0.25)).collect();
        let moved = |p: DVec2| place.point(start.local_point(p));
        let wedge = [upper[0], upper[1], moved(foot[1]), moved(foot[0])].map(page);
        drawing.polygon(&wedge, "#c9c6be", r##"stroke-width="0.8" stroke-dasharray="3 2""##);
        drawing.polygon(&base.iter().map(|&p| page(p)).collect::<Vec<_>>(), LOWER, r##"stroke-width="1.2""##);
        drawing.polygon(&upper.iter().map(|&p| page(p)).collect::<Vec<_>>(), UPPER, r##"stroke-width="1.2""##);
        let mut points: Vec<ContactPoint<D2>> = Vec::new();
        let (a, b) = (rectangle(small.x, small.y)?, rectangle(wide.x, wide.y)?);
        a.collide_by(&place, &b, &still, 0.4, Detection::default(), &mut points);
        for point in &points {
            drawing.dot(page(point.position), 4.0, "#b3261e");
        }
    }
    Ok(drawing.finish())
}
