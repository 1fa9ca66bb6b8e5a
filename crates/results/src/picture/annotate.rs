//! Drawings above the structure: forces, thrust lines, open joints, cables, velocities, loads.
//!
//! The force between two bodies is a line through its centre of pressure, along the force; its length is proportional
//! to the force. It represents action and reaction. Loads and velocities are arrows.

use voussoir_mechanics::snapshot::{Cast, ContactSnapshot, Snapshot};

use super::colour::{CABLE, CENTRE, CRACK, CURRENT, FORCE, LOAD, MOTION, THRUST, WIND};
use super::hidden::Hider;
use super::legend::{LegendEntry, Swatch};
use super::numbers::{nice, quantity};
use super::sheet::{Ink, Point, Sheet};
use super::view::Projection;
use super::{FlowArrow, LoadArrow, Show};
use crate::measures::{InterfaceResultant, force_network, thrust_lines};
use crate::vector::{Vec3, length, scale};

/// Forces below this fraction of the largest are not drawn.
const SMALLEST_FORCE: f64 = 5e-3;
/// Joints are drawn as open from this gap, relative to the size of a block.
const OPEN_GAP: f64 = 2e-4;
/// Velocities below this fraction of the largest are not drawn, nor any if the largest is below this [m/s].
const SLOWEST_DRAWN: f64 = 0.02;
const LEAST_SPEED: f64 = 1e-5;

/// Draws over a structure.
pub struct Annotator<'a> {
    pub sheet: &'a mut Sheet,
    pub view: &'a Projection,
    /// Size of a block in the middle of all blocks sorted by size [m].
    pub block: f64,
    /// Length of the strongest force on the page [px].
    pub longest: f64,
    /// Lines have a light rim, so that they are visible on any colour.
    pub rim: bool,
    /// Occlusion of cables; `None` without occlusion.
    pub hider: Option<Hider<'a>>,
    pub legend: Vec<LegendEntry>,
}

impl Annotator<'_> {
    /// All requested annotations except cracks, in painting order.
    pub fn draw(
        &mut self,
        show: &Show,
        cast: &Cast,
        snapshot: &Snapshot,
        interfaces: &[InterfaceResultant],
        loads: &[LoadArrow],
    ) {
        if show.network {
            self.network(snapshot, interfaces);
        }
        if show.resultants {
            let forces = interfaces.iter().filter(|i| i.carries()).map(|i| (i.centre, i.force));
            self.forces("force between blocks", forces.collect(), 1.0);
        }
        if show.contacts {
            let carrying = snapshot.contacts.iter().filter(|c| c.force.iter().all(|x| x.is_finite()));
            self.forces("contact force", carrying.map(|c| (c.position, c.force)).collect(), 0.7);
        }
        if show.thrust {
            self.thrust(cast, interfaces);
        }
        if show.centres {
            let centres = interfaces.iter().filter(|i| i.carries()).map(|i| self.view.page(i.centre)).collect();
            let radius = (0.05 * self.block_on_page()).clamp(1.2, 3.5);
            self.sheet.dots(centres, radius, Ink::fill(CENTRE), true);
            self.note(Swatch::Dot { colour: CENTRE, radius }, "centre of pressure".to_owned());
        }
        if show.cables {
            self.cables(snapshot);
        }
        if show.mechanism {
            self.velocities(cast, snapshot);
        }
        if show.loads {
            self.loads(loads);
        }
    }

    fn block_on_page(&self) -> f64 {
        self.block * self.view.scale
    }

    fn note(&mut self, swatch: Swatch, label: String) {
        self.legend.push(LegendEntry { swatch, label });
    }

    /// A light rim below lines.
    fn rim(&mut self, lines: &[Vec<Point>], width: f64) {
        if self.rim {
            self.sheet.lines(lines.to_vec(), Ink::line([255; 3], width + 1.8).through(0.25), true);
        }
    }

    /// Lines along forces, centred.
    fn forces(&mut self, name: &str, forces: Vec<(Vec3, Vec3)>, part: f64) {
        let strongest = forces.iter().map(|(_, force)| length(*force)).fold(0.0, f64::max);
        if strongest.is_nan() || strongest <= 0.0 {
            return;
        }
        let longest = part * self.longest;
        let widest = part * (0.12 * self.longest).clamp(1.7, 3.2);
        let per_newton = longest / strongest;
        // in classes of width, each one path
        let mut classes: Vec<Vec<Vec<Point>>> = vec![Vec::new(); 8];
        for (point, force) in forces {
            let size = length(force);
            if size < SMALLEST_FORCE * strongest {
                continue;
            }
            let [x, y] = self.view.page(point);
            let [dx, dy] = self.view.page_vector(scale(force, 0.5 * per_newton / self.view.scale));
            let class = ((8.0 * (size / strongest).sqrt()) as usize).min(7);
            classes[class].push(vec![[x - dx, y - dy], [x + dx, y + dy]]);
        }
        for (class, lines) in classes.into_iter().enumerate() {
            let width = widest * (0.3 + 0.1 * class as f64);
            self.rim(&lines, width);
            self.sheet.lines(lines, Ink::line(FORCE, width).through(0.1), true);
        }
        let shown = nice(strongest);
        let swatch = Swatch::Line { colour: FORCE, length: shown * per_newton, width: widest };
        self.note(swatch, format!("{name}, {}", quantity(shown, "N")));
    }

    fn network(&mut self, snapshot: &Snapshot, interfaces: &[InterfaceResultant]) {
        let struts = force_network(interfaces, SMALLEST_FORCE);
        let strongest = struts.iter().map(|strut| strut.force).fold(0.0, f64::max);
        let widest = (0.16 * self.block_on_page()).clamp(1.5, 9.0);
        for strut in &struts {
            let end = |side: usize| {
                snapshot.bodies.get(strut.bodies[side] as usize).map(|body| self.view.page(body.position))
            };
            // lines to the centre of an unbounded plane have no meaning
            if let (Some(a), Some(b)) = (end(0), end(1))
                && (a[0] - b[0]).hypot(a[1] - b[1]) < 4.0 * self.block_on_page()
            {
                let width = (widest * strut.force / strongest).max(0.3);
                self.sheet.line(vec![a, b], Ink::line(FORCE, width).through(0.25), true);
            }
        }
        if strongest > 0.0 {
            let swatch = Swatch::Line { colour: FORCE, length: 26.0, width: widest };
            self.note(swatch, format!("force network, {}", quantity(strongest, "N")));
        }
    }

    fn thrust(&mut self, cast: &Cast, interfaces: &[InterfaceResultant]) {
        let lines = thrust_lines(cast, interfaces);
        let paths: Vec<Vec<Point>> =
            lines.iter().map(|line| line.points.iter().map(|&p| self.view.page(p)).collect()).collect();
        if !paths.is_empty() {
            let width = (0.06 * self.block_on_page()).clamp(1.6, 2.6);
            self.rim(&paths, width);
            self.sheet.lines(paths, Ink::line(THRUST, width), true);
            self.note(Swatch::Line { colour: THRUST, length: 26.0, width }, "thrust line".to_owned());
        }
    }

    /// Open joints, at their points.
    pub fn cracks(&mut self, points: &[ContactSnapshot]) {
        let least = OPEN_GAP * self.block;
        let mut open: Vec<&ContactSnapshot> = points.iter().filter(|c| c.gap > least).collect();
        open.sort_by_key(|contact| contact.bodies);
        let widest = (0.09 * self.block_on_page()).clamp(1.4, 4.0);
        let most = open.iter().map(|c| c.gap).fold(0.0, f64::max);
        for joint in open.chunk_by(|a, b| a.bodies == b.bodies) {
            let points: Vec<Point> = joint.iter().map(|c| self.view.page(c.position)).collect();
            let gap = joint.iter().map(|c| c.gap).fold(0.0, f64::max);
            let width = widest * (gap / most).sqrt().max(0.35);
            match points[..] {
                [point] => self.sheet.dots(vec![point], 0.7 * width, Ink::fill(CRACK), true),
                [a, b] => {
                    self.rim(&[vec![a, b]], width);
                    self.sheet.line(vec![a, b], Ink::line(CRACK, width), true);
                }
                _ => self.sheet.area(around(points), Ink::line(CRACK, 0.6 * width), true),
            }
        }
        if most > 0.0 {
            let swatch = Swatch::Line { colour: CRACK, length: 26.0, width: widest };
            self.note(swatch, format!("open joint, up to {}", quantity(most, "m")));
        }
    }

    /// The width is proportional to the tension; pale inside or behind blocks. Broken and removed cables are not drawn.
    fn cables(&mut self, snapshot: &Snapshot) {
        let there = || snapshot.cables.iter().filter(|cable| !cable.points.is_empty());
        let strongest = there().map(|cable| cable.force.abs()).fold(0.0, f64::max);
        for cable in there() {
            let width = if strongest > 0.0 { 1.4 + 2.4 * cable.force.abs() / strongest } else { 1.4 };
            let line: Vec<Vec3> = cable.points.iter().map(|&point| self.view.project(point)).collect();
            let whole = || line.iter().map(|&[x, y, _]| [x, y]).collect::<Vec<Point>>();
            let [seen, hidden] = match &self.hider {
                Some(hider) => hider.split(&line),
                None => [vec![whole()], Vec::new()],
            };
            self.sheet.lines(hidden, Ink::line(CABLE, 0.8 * width).through(0.55), true);
            self.rim(&seen, width);
            self.sheet.lines(seen, Ink::line(CABLE, width), true);
            self.sheet.dots(whole(), 0.75 * width + 1.0, Ink::fill(CABLE), true);
        }
        if there().next().is_some() {
            let swatch = Swatch::Line { colour: CABLE, length: 26.0, width: 3.0 };
            self.note(swatch, format!("cable, up to {}", quantity(strongest, "N")));
        }
    }

    /// Velocities of centroids.
    fn velocities(&mut self, cast: &Cast, snapshot: &Snapshot) {
        let moving = || cast.bodies.iter().zip(&snapshot.bodies).filter(|(body, _)| !body.support);
        let fastest = moving().map(|(_, now)| length(now.velocity)).fold(0.0, f64::max);
        if fastest.is_nan() || fastest < LEAST_SPEED {
            return;
        }
        let longest = (1.3 * self.block_on_page()).clamp(14.0, 90.0);
        let width = (0.045 * self.block_on_page()).clamp(0.9, 2.4);
        for (_, now) in moving().filter(|(_, now)| length(now.velocity) >= SLOWEST_DRAWN * fastest) {
            let on_page = self.view.page_vector(scale(now.velocity, longest / (fastest * self.view.scale)));
            let reach = on_page[0].hypot(on_page[1]);
            if reach > 2.0 {
                let [x, y] = self.view.page(now.position);
                let tip = [x + on_page[0], y + on_page[1]];
                self.rim(&[vec![[x, y], tip]], width);
                self.sheet.arrow(tip, on_page.map(|d| d / reach), reach, width, MOTION, true);
            }
        }
        let shown = nice(fastest);
        let swatch = Swatch::Arrow { colour: MOTION, length: longest * shown / fastest, width };
        self.note(swatch, format!("velocity, {}", quantity(shown, "m/s")));
    }

    /// Wind and current: arrows around their points, as long as they are fast.
    pub fn flows(&mut self, flows: &[FlowArrow]) {
        for (wind, colour, name) in [(true, WIND, "wind"), (false, CURRENT, "current")] {
            let own = || flows.iter().filter(|flow| flow.wind == wind);
            let fastest = own().map(|flow| length(flow.velocity)).fold(0.0, f64::max);
            if fastest.is_nan() || fastest <= 0.0 {
                continue;
            }
            let (longest, width) = (34.0, 1.3);
            for flow in own() {
                let along = self.view.page_vector(scale(flow.velocity, longest / (fastest * self.view.scale)));
                let reach = along[0].hypot(along[1]);
                if reach > 3.0 {
                    let [x, y] = self.view.page(flow.point);
                    let tip = [x + 0.5 * along[0], y + 0.5 * along[1]];
                    self.sheet.arrow(tip, along.map(|d| d / reach), reach, width, colour, true);
                }
            }
            let shown = nice(fastest);
            let swatch = Swatch::Arrow { colour, length: longest * shown / fastest, width };
            self.note(swatch, format!("{name}, {}", quantity(shown, "m/s")));
        }
    }

    /// Arrows with their heads at the points of application.
    fn loads(&mut self, loads: &[LoadArrow]) {
        let strongest = loads.iter().map(|load| length(load.force)).fold(0.0, f64::max);
        if strongest.is_nan() || strongest <= 0.0 {
            return;
        }
        let width = if loads.len() > 20 { 1.6 } else { 3.5 };
        for load in loads.iter().filter(|load| length(load.force) > 0.0) {
            let along = self.view.page_vector(load.force);
            let size = along[0].hypot(along[1]);
            if size > 0.0 {
                let reach = (20.0 + 70.0 * length(load.force) / strongest) * if width < 2.0 { 0.4 } else { 1.0 };
                let along = along.map(|d| d / size);
                self.sheet.arrow(self.view.page(load.point), along, reach, width, LOAD, true);
            }
        }
        self.note(Swatch::Arrow { colour: LOAD, length: 36.0, width }, format!("load, {}", quantity(strongest, "N")));
    }
}

/// Points in order around their centre.
fn around(mut points: Vec<Point>) -> Vec<Point> {
    let count = points.len() as f64;
    let middle = points.iter().fold([0.0; 2], |m, p| [m[0] + p[0] / count, m[1] + p[1] / count]);
    let angle = |p: &Point| (p[1] - middle[1]).atan2(p[0] - middle[0]);
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    points
}
