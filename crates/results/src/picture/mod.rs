//! Pictures of a structure as SVG: bodies, contact forces, loads, with scales and legend.
//!
//! 2D scenes are drawn as they are, 3D ones in an orthographic axonometric view, far bodies first. The force
//! between two bodies is a line through its centre of pressure, along the force, as long as the force is large.
//!
//! | module | what lives there |
//! |---|---|
//! | [`view`] | world to page |
//! | [`parts`] | convex pieces of bodies, placed in the world |
//! | [`order`] | which piece hides which |
//! | [`forces`] | forces between bodies |
//! | [`page`] | SVG elements, scales, legend |

mod forces;
mod order;
mod page;
mod parts;
mod view;

use voussoir_mechanics::snapshot::{BodySnapshot, Cast, Snapshot};

use forces::Force;
use page::Page;
use parts::Part;
use view::View;

/// A point or vector in world axes.
type Vec3 = [f64; 3];

/// A force that acts from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadArrow {
    /// Point of attack, world axes [m].
    pub point: [f64; 3],
    /// Force, world axes [N].
    pub force: [f64; 3],
}

/// What is written on a picture, and what is drawn besides bodies and contact forces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Caption {
    /// First line.
    pub title: String,
    /// Second line, after the time.
    pub note: String,
    /// Loads at that moment.
    pub loads: Vec<LoadArrow>,
}

/// Draws moments of one run, all in the same view.
#[derive(Debug)]
pub struct Artist<'a> {
    cast: &'a Cast,
    /// Half-spaces and half-planes.
    endless: Vec<bool>,
    view: View,
}

impl<'a> Artist<'a> {
    /// A view in which the given moments fit; what flies off farther than the structure is large is left out.
    pub fn new(cast: &'a Cast, moments: &[&Snapshot]) -> Self {
        let endless = match moments.first() {
            Some(first) => parts::endless(cast, first),
            None => vec![false; cast.bodies.len()],
        };
        Self { cast, view: View::new(cast, &endless, moments), endless }
    }

    /// Draws one moment.
    pub fn draw(&self, snapshot: &Snapshot, caption: &Caption) -> String {
        let parts = parts::parts(self.cast, &self.endless, snapshot);
        let mut page = Page::new(&self.view);
        page.background(parts.iter().filter(|part| part.endless), &self.view);
        let closed: Vec<&Part> = parts.iter().filter(|part| !part.endless).collect();
        for index in order::back_to_front(&closed, &self.view) {
            page.part(closed[index], &self.view);
        }
        let forces = forces::between_bodies(snapshot);
        page.forces(&forces, &self.view, median_size(self.cast));
        page.loads(&caption.loads, &self.view);
        page.scale(&self.view);
        page.words(caption, snapshot, strongest(&forces), self.cast);
        page.finish()
    }
}

/// World position [m] of a point given in the axes of a body.
pub fn point_of_body(body: &BodySnapshot, point: [f64; 3]) -> [f64; 3] {
    parts::place(body, point)
}

/// The largest force between two bodies [N].
fn strongest(forces: &[Force]) -> f64 {
    forces.iter().map(Force::size).fold(0.0, f64::max)
}

/// Size of the body in the middle of all free bodies sorted by size [m].
fn median_size(cast: &Cast) -> f64 {
    let mut sizes: Vec<f64> =
        cast.bodies.iter().filter(|body| !body.support).map(|b| parts::size(&b.surface)).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(1.0)
}

fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scale(a: Vec3, by: f64) -> Vec3 {
    a.map(|x| x * by)
}

fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

fn rotate([x, y, z, w]: [f64; 4], v: Vec3) -> Vec3 {
    // v + 2 q × (q × v + w v)
    let q = [x, y, z];
    add(v, scale(cross(q, add(cross(q, v), scale(v, w))), 2.0))
}
