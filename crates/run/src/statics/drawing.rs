//! Elevations of a structure with thrust lines, hinges and slips, or with the initial mechanism, as SVG.
//!
//! 2D scenes are drawn in their plane; 3D scenes are seen from the side of their largest width.

use std::collections::BTreeMap;
use std::fmt::Write;

use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, Snapshot};
use voussoir_results::picture::{escape, point_of_body};
use voussoir_statics::case::{GROUND, SELF_WEIGHT};
use voussoir_statics::joints::{JointState, PlaneJoint};
use voussoir_statics::line::{LineKind, ThrustLine};
use voussoir_statics::mechanism::Mechanism;
use voussoir_statics::study::Study;
use voussoir_statics::{AnyStructure, Structure};

/// Width of a drawing [px].
const WIDTH: f64 = 1000.0;
/// Margin around the drawing [px].
const EDGE: f64 = 40.0;
/// Height of the title and of the legend [px].
const HEAD: f64 = 70.0;
const FOOT: f64 = 90.0;
/// Font size of the legend, width of one letter, and line spacing [px].
const LETTER: f64 = 18.0;
const LETTER_ROOM: f64 = 9.4;
const LEGEND_LINE: f64 = 27.0;
/// Length of the arrow of the largest load [px].
const ARROW: f64 = 40.0;
const LOAD_COLOUR: &str = "#7b2d8e";
/// Loads on more blocks are drawn only if they act on less than half of the blocks, with at most this many arrows; fill
/// and wind are therefore not drawn.
const FEW_ARROWS: usize = 8;
const MOST_ARROWS: usize = 24;
/// Half the size of a symbol relative to a block, and its limits [px].
const MARK: f64 = 0.16;
const SMALLEST_MARK: f64 = 1.2;
const LARGEST_MARK: f64 = 6.0;
/// Drawn displacement of the fastest point of a mechanism, relative to the size of the structure.
const EXAGGERATION: f64 = 0.06;

/// One style of line: kind, words, colour, width, dashes.
const STYLES: [(LineKind, &str, &str, f64, &str); 4] = [
    (LineKind::Found, "thrust line", "#111111", 3.0, ""),
    (LineKind::Minimum, "smallest thrust", "#1f6fb4", 2.0, "9 4"),
    (LineKind::Maximum, "largest thrust", "#c0392b", 2.0, "9 4"),
    (LineKind::Funicular, "funicular of the weights", "#e0a000", 2.0, "2 5"),
];

/// World to page: two axes of the world, scale and origin.
struct Page {
    across: usize,
    up: usize,
    /// Axis of sight and its sign: larger is nearer.
    depth: (usize, f64),
    scale: f64,
    low: [f64; 2],
    height: f64,
    /// Half the size of the symbols of hinges and slips [px]: small beside the blocks.
    mark: f64,
}

impl Page {
    /// A page around all free bodies, wherever they are drawn.
    fn new(cast: &Cast, drawn: &[&[BodySnapshot]]) -> Self {
        let up = cast.dimension - 1;
        let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        let mut sizes = Vec::new();
        for (body, place) in drawn.iter().flat_map(|places| cast.bodies.iter().zip(*places)) {
            if body.support {
                continue;
            }
            let mut own = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
            for point in &body.polygons(cast.dimension).points {
                let at = point_of_body(place, *point);
                for (bound, x) in own.iter_mut().zip(at) {
                    *bound = [bound[0].min(x), bound[1].max(x)];
                }
            }
            sizes.push(own.iter().map(|[low, high]| high - low).filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min));
            for (bound, own) in bounds.iter_mut().zip(own) {
                *bound = [bound[0].min(own[0]), bound[1].max(own[1])];
            }
        }
        sizes.sort_by(f64::total_cmp);
        let block = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
        let extent = |axis: usize| (bounds[axis][1] - bounds[axis][0]).max(0.0);
        let (across, depth) = match cast.dimension {
            2 => (0, (2, 1.0)),
            _ if extent(0) >= extent(1) => (0, (1, -1.0)),
            _ => (1, (0, 1.0)),
        };
        let size = extent(across).max(0.6 * extent(up)).max(1e-9);
        // margin for the ground below, and around the structure
        let room = 0.06 * size;
        let wide = extent(across).max(extent(up) * 0.6) + 2.0 * room;
        let middle = 0.5 * (bounds[across][0] + bounds[across][1]);
        let scale = (WIDTH - 2.0 * EDGE) / wide;
        let low = [middle - 0.5 * wide, bounds[up][0] - room];
        let mark = (MARK * block * scale).clamp(SMALLEST_MARK, LARGEST_MARK);
        Self { across, up, depth, scale, low, height: (extent(up) + 2.0 * room) * scale, mark }
    }

    fn at(&self, point: [f64; 3]) -> [f64; 2] {
        [
            EDGE + (point[self.across] - self.low[0]) * self.scale,
            HEAD + self.height - (point[self.up] - self.low[1]) * self.scale,
        ]
    }
}

/// Draws the result of a static analysis.
pub fn elevation(study: &Study, title: &str, note: &str) -> String {
    let mut structure = study.structure.clone();
    structure.fix_loads(study.time, None);
    let cast = structure.cast();
    let frame = structure.snapshot(study.report.answer.mechanism.as_ref(), study.time);
    let mut page = Page::new(&cast, &[&frame.bodies]);
    let drawn = study.report.answer.mechanism.as_ref().map(|mechanism| moved(&page, &frame, mechanism));
    if let Some(moved) = &drawn {
        // the displaced positions are on the page as well
        page = Page::new(&cast, &[&frame.bodies, moved]);
    }
    let mut svg = head(&page, title, note);
    let mut legend: Vec<Entry> = Vec::new();
    match &study.report.answer.mechanism {
        Some(mechanism) => {
            bodies(&mut svg, &page, &cast, &frame.bodies, "#f4f1e8", "#d5cfbf");
            let moved = drawn.unwrap_or_default();
            bodies(&mut svg, &page, &cast, &moved, "#e6dcc3", "#8a7f66");
            legend.push(Entry::Area("#e6dcc3", "collapse mechanism, enlarged"));
            // marks move with the blocks
            let carried = |between: &[String; 2], at: [f64; 3]| {
                let body = cast.bodies.iter().position(|body| body.name == between[0]);
                body.map_or(at, |body| carried_by(&frame.bodies[body], &moved[body], at))
            };
            let hinges: Vec<[f64; 3]> =
                mechanism.hinges.iter().map(|hinge| carried(&hinge.between, hinge.at)).collect();
            let slips: Vec<[f64; 3]> = mechanism.sliding.iter().map(|slip| carried(&slip.between, slip.at)).collect();
            marks(&mut svg, &page, &mut legend, &hinges, &slips);
            let at = |load: &PlacedLoad| carried_by(&frame.bodies[load.body], &moved[load.body], load.at);
            loads(&mut svg, &page, &mut legend, &structure, at);
        }
        None => {
            bodies(&mut svg, &page, &cast, &frame.bodies, "#ece4d0", "#8a7f66");
            lines(&mut svg, &page, &mut legend, &study.lines);
            let of = |states: &[JointState]| -> Vec<[f64; 3]> {
                let chosen = |joint: &&PlaneJoint| states.contains(&joint.state);
                study.report.answer.joints.iter().filter(chosen).map(|joint| joint.centre_m).collect()
            };
            let hinges = of(&[JointState::Hinge, JointState::HingeSlips]);
            let slips = of(&[JointState::Slips, JointState::HingeSlips]);
            marks(&mut svg, &page, &mut legend, &hinges, &slips);
            loads(&mut svg, &page, &mut legend, &structure, |load| load.at);
        }
    }
    cables(&mut svg, &page, &mut legend, &frame);
    svg += "</g>\n";
    write_legend(&mut svg, &legend, HEAD + page.height + 30.0);
    svg + "</svg>\n"
}

/// The beginning of a drawing with its title and a note, up to the group of the structure.
fn head(page: &Page, title: &str, note: &str) -> String {
    let total = HEAD + page.height + FOOT;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total:.0}\" font-family=\"sans-serif\">\n\
         <rect width=\"{WIDTH}\" height=\"{total:.0}\" fill=\"#ffffff\"/>\n\
         <text x=\"{EDGE}\" y=\"32\" font-size=\"26\" fill=\"#222222\">{}</text>\n\
         <text x=\"{EDGE}\" y=\"58\" font-size=\"20\" fill=\"#555555\">{}</text>\n\
         <clipPath id=\"page\"><rect x=\"0\" y=\"{HEAD}\" width=\"{WIDTH}\" height=\"{:.1}\"/></clipPath>\n\
         <g clip-path=\"url(#page)\">\n",
        escape(title),
        escape(note),
        page.height
    )
}

/// Faces towards the viewer, the farthest first.
fn bodies(svg: &mut String, page: &Page, cast: &Cast, places: &[BodySnapshot], fill: &str, stroke: &str) {
    let mut faces: Vec<(f64, bool, Vec<[f64; 2]>)> = Vec::new();
    let (axis, sign) = page.depth;
    for (body, place) in cast.bodies.iter().zip(places) {
        let surface = body.polygons(cast.dimension);
        for polygon in &surface.polygons {
            let points: Vec<[f64; 3]> =
                polygon.iter().map(|&i| point_of_body(place, surface.points[i as usize])).collect();
            let flat: Vec<[f64; 2]> = points.iter().map(|p| page.at(*p)).collect();
            if cast.dimension == 3 && !faces_viewer(page, &points) && !edge_on(&flat) {
                continue;
            }
            let near = points.iter().map(|p| sign * p[axis]).fold(f64::NEG_INFINITY, f64::max);
            faces.push((near, body.support, flat));
        }
    }
    faces.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, support, points) in faces {
        let fill = if support { "#cfcfcf" } else { fill };
        let stroke = if support { "#9a9a9a" } else { stroke };
        let text: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1\" stroke-linejoin=\"round\"/>",
            text.join(" ")
        );
    }
}

/// Newell's normal points towards the viewer.
fn faces_viewer(page: &Page, points: &[[f64; 3]]) -> bool {
    let (axis, sign) = page.depth;
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let sum: f64 = (0..points.len())
        .map(|i| {
            let (a, b) = (points[i], points[(i + 1) % points.len()]);
            a[u] * b[v] - b[u] * a[v]
        })
        .sum();
    sum * sign > 0.0
}

/// True for negligible areas: planes seen from the side.
fn edge_on(points: &[[f64; 2]]) -> bool {
    let area: f64 = (0..points.len())
        .map(|i| {
            let (a, b) = (points[i], points[(i + 1) % points.len()]);
            0.5 * (a[0] * b[1] - b[0] * a[1])
        })
        .sum();
    area.abs() < 1e-6
}

/// Bodies displaced by the mechanism.
fn moved(page: &Page, frame: &Snapshot, mechanism: &Mechanism) -> Vec<BodySnapshot> {
    let size = (WIDTH - 2.0 * EDGE) / page.scale;
    // the fastest point moves at 1 m/s
    let time = if mechanism.moving > 0 { EXAGGERATION * size } else { 0.0 };
    displaced(&frame.bodies, time)
}

/// Bodies that have moved with their velocity and spin for a time [s].
pub(crate) fn displaced(bodies: &[BodySnapshot], time: f64) -> Vec<BodySnapshot> {
    let turn = |body: &BodySnapshot| {
        let mut body = *body;
        for k in 0..3 {
            body.position[k] += body.velocity[k] * time;
        }
        let angle = body.spin.iter().map(|w| w * w).sum::<f64>().sqrt() * time;
        if angle != 0.0 {
            let axis = body.spin.map(|w| w * time / angle);
            let (sin, cos) = (0.5 * angle).sin_cos();
            body.rotation = product([axis[0] * sin, axis[1] * sin, axis[2] * sin, cos], body.rotation);
        }
        body
    };
    bodies.iter().map(turn).collect()
}

/// Draws a shape whose fastest point moves at about 1 m/s over the bodies at rest.
pub(crate) fn shape(cast: &Cast, bodies_at_rest: &[BodySnapshot], title: &str, note: &str) -> String {
    let first = Page::new(cast, &[bodies_at_rest]);
    let moved = displaced(bodies_at_rest, EXAGGERATION * (WIDTH - 2.0 * EDGE) / first.scale);
    let page = Page::new(cast, &[bodies_at_rest, &moved]);
    let mut svg = head(&page, title, note);
    bodies(&mut svg, &page, cast, bodies_at_rest, "#f4f1e8", "#d5cfbf");
    bodies(&mut svg, &page, cast, &moved, "#e6dcc3", "#8a7f66");
    svg += "</g>\n";
    let legend = [Entry::Area("#f4f1e8", "at rest"), Entry::Area("#e6dcc3", "shape of the mode, enlarged")];
    write_legend(&mut svg, &legend, HEAD + page.height + 30.0);
    svg + "</svg>\n"
}

/// Position of a point of a body after a motion.
fn carried_by(before: &BodySnapshot, after: &BodySnapshot, at: [f64; 3]) -> [f64; 3] {
    let arm: [f64; 3] = std::array::from_fn(|k| at[k] - before.position[k]);
    let [x, y, z, w] = before.rotation;
    let straight = BodySnapshot { position: [0.0; 3], rotation: [-x, -y, -z, w], ..*before };
    point_of_body(after, point_of_body(&straight, arm))
}

/// A load on a body, in world axes.
struct PlacedLoad {
    body: usize,
    at: [f64; 3],
    force: [f64; 3],
}

/// Loads that act on few blocks: not the weights of blocks and fill.
fn placed_loads<S: Space>(structure: &Structure<S>) -> Vec<PlacedLoad> {
    let mut by_name: BTreeMap<&str, Vec<PlacedLoad>> = BTreeMap::new();
    let all = structure.model.loads.iter().filter(|load| load.name != SELF_WEIGHT && load.name != GROUND);
    for load in all.filter(|load| load.force.length() > 0.0) {
        let at = structure.poses[load.body].point(load.point).to_3d();
        let placed = PlacedLoad { body: load.body, at, force: load.force.to_3d() };
        by_name.entry(&load.name).or_default().push(placed);
    }
    let few = |count: usize| count <= FEW_ARROWS || (count <= MOST_ARROWS && 2 * count < structure.body.len());
    by_name.into_values().filter(|loads| few(loads.len())).flatten().collect()
}

/// Draws loads as arrows that end where `at` says.
fn loads(
    svg: &mut String,
    page: &Page,
    legend: &mut Vec<Entry>,
    structure: &AnyStructure,
    at: impl Fn(&PlacedLoad) -> [f64; 3],
) {
    let loads = match structure {
        AnyStructure::Two(structure) => placed_loads(structure),
        AnyStructure::Three(structure) => placed_loads(structure),
    };
    let seen = |load: &PlacedLoad| [load.force[page.across], -load.force[page.up]];
    let size = |[x, y]: [f64; 2]| x.hypot(y);
    let largest = loads.iter().map(|load| size(seen(load))).fold(0.0, f64::max);
    for load in loads.iter().filter(|load| size(seen(load)) > 1e-3 * largest) {
        let ([x, y], force) = (page.at(at(load)), seen(load));
        let [u, v] = force.map(|f| f / size(force));
        let length = ARROW * (0.3 + 0.7 * size(force) / largest);
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{LOAD_COLOUR}\" stroke-width=\"3\"/>\
             <path d=\"M{x:.1} {y:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{LOAD_COLOUR}\"/>",
            x - length * u,
            y - length * v,
            x - 9.0 * u,
            y - 9.0 * v,
            x - 11.0 * u - 4.5 * v,
            y - 11.0 * v + 4.5 * u,
            x - 11.0 * u + 4.5 * v,
            y - 11.0 * v - 4.5 * u
        );
    }
    if largest > 0.0 {
        legend.push(Entry::Line("loads", LOAD_COLOUR, 3.0, ""));
    }
}

/// Product of quaternions (x, y, z, w).
fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

/// Entries of the legend.
enum Entry {
    Area(&'static str, &'static str),
    Line(&'static str, &'static str, f64, &'static str),
    Hinge,
    Slip,
}

fn lines(svg: &mut String, page: &Page, legend: &mut Vec<Entry>, lines: &[ThrustLine]) {
    for (kind, words, colour, width, dashes) in STYLES {
        let mut any = false;
        for line in lines.iter().filter(|line| line.kind == kind && line.points.len() > 1) {
            let points: Vec<String> = line
                .points
                .iter()
                .map(|point| {
                    let [x, y] = page.at(point.at);
                    format!("{x:.1},{y:.1}")
                })
                .collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
                 stroke-dasharray=\"{dashes}\" stroke-linejoin=\"round\"/>",
                points.join(" ")
            );
            any = true;
        }
        if any {
            legend.push(Entry::Line(words, colour, width, dashes));
        }
    }
}

fn cables(svg: &mut String, page: &Page, legend: &mut Vec<Entry>, frame: &Snapshot) {
    let mut any = false;
    for cable in frame.cables.iter().filter(|cable| cable.points.len() > 1) {
        let point = |point: &[f64; 3]| {
            let [x, y] = page.at(*point);
            format!("{x:.1},{y:.1}")
        };
        let points: Vec<String> = cable.points.iter().map(point).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#a85a00\" stroke-width=\"3\"/>",
            points.join(" ")
        );
        any = true;
    }
    if any {
        legend.push(Entry::Line("cable", "#a85a00", 3.0, ""));
    }
}

fn marks(svg: &mut String, page: &Page, legend: &mut Vec<Entry>, hinges: &[[f64; 3]], slips: &[[f64; 3]]) {
    for at in slips {
        let [x, y] = page.at(*at);
        *svg += &slip(x, y, page.mark);
    }
    for at in hinges {
        let [x, y] = page.at(*at);
        *svg += &hinge(x, y, page.mark);
    }
    if !hinges.is_empty() {
        legend.push(Entry::Hinge);
    }
    if !slips.is_empty() {
        legend.push(Entry::Slip);
    }
}

fn hinge(x: f64, y: f64, half: f64) -> String {
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{half:.1}\" fill=\"#ffffff\" stroke=\"#111111\" \
         stroke-width=\"{:.1}\"/>\n",
        0.4 * half
    )
}

fn slip(x: f64, y: f64, half: f64) -> String {
    let (left, top, size) = (x - half, y - half, 2.0 * half);
    format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{size:.1}\" height=\"{size:.1}\" fill=\"#f4b400\" stroke=\"#111111\" \
         stroke-width=\"{:.1}\"/>\n",
        0.25 * half
    )
}

fn write_legend(svg: &mut String, legend: &[Entry], top: f64) {
    let (mut x, mut y) = (EDGE, top);
    for entry in legend {
        let words = match entry {
            Entry::Area(_, words) | Entry::Line(words, ..) => *words,
            Entry::Hinge => "hinge",
            Entry::Slip => "slips",
        };
        let wide = 32.0 + LETTER_ROOM * words.chars().count() as f64;
        if x + wide > WIDTH - 0.5 * EDGE && x > EDGE {
            (x, y) = (EDGE, y + LEGEND_LINE);
        }
        match entry {
            Entry::Area(colour, _) => {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{}\" width=\"24\" height=\"12\" fill=\"{colour}\" stroke=\"#8a7f66\"/>",
                    y - 12.0
                );
            }
            Entry::Line(_, colour, width, dashes) => {
                let _ = writeln!(
                    svg,
                    "<line x1=\"{x}\" y1=\"{0}\" x2=\"{1}\" y2=\"{0}\" stroke=\"{colour}\" stroke-width=\"{width}\" \
                     stroke-dasharray=\"{dashes}\"/>",
                    y - 6.0,
                    x + 24.0
                );
            }
            Entry::Hinge => *svg += &hinge(x + 12.0, y - 6.0, LARGEST_MARK),
            Entry::Slip => *svg += &slip(x + 12.0, y - 6.0, LARGEST_MARK),
        }
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{y}\" font-size=\"{LETTER}\" fill=\"#333333\">{words}</text>", x + 32.0);
        x += wide + 22.0;
    }
}
