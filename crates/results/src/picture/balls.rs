//! Discs and spheres: true circles, shaded in 3D, with a radius line in 2D that shows the rotation.
//!
//! In a parallel projection, a sphere that overlaps no other body is hidden, at every point of its silhouette, by
//! surfaces nearer than its centre, and hides surfaces that are farther: the ray through that point enters and leaves
//! the sphere at equal distances from the depth of the centre. So spheres are put in order among faces by a flat
//! polygon at the depth of the centre.

use std::fmt::Write;

use voussoir_mechanics::snapshot::{Cast, Snapshot};

use super::PaintedFace;
use super::colour::{EDGE, Rgb, hex, shade};
use super::sheet::{Ink, Sheet};
use super::view::Projection;
use crate::vector::{Vec3, place};

/// Corners of the polygon that stands for a silhouette where faces are put in order.
const CORNERS: usize = 24;
/// First index of the groups of balls; groups of faces start from 0.
const FIRST_GROUP: u32 = 1 << 31;
/// Radius below which the rotation of a disc is not marked [px].
const LEAST_SPOKE: f64 = 3.0;
/// Steps of the gradients of SVG.
const STOPS: usize = 8;

/// A disc or a sphere on the page.
#[derive(Clone, Debug)]
pub struct PaintedBall {
    /// Page coordinates and nearness of the centre [px].
    pub centre: Vec3,
    /// [px]
    pub radius: f64,
    /// Light on a sphere; `None` for a disc.
    pub shading: Option<Shading>,
}

/// Light on spheres: brightness is `light · n`, limited to 0 … 1, for the normal n along the page (right, up) and
/// towards the viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shading {
    /// Colour under full light.
    pub base: Rgb,
    /// Ambient part of the full light.
    pub darkest: f64,
    /// Direction and strength of the light.
    pub light: Vec3,
}

impl Shading {
    /// Colour where the sphere is `[x, y]` radii away from its centre on the page, y downwards.
    pub fn colour(&self, [x, y]: [f64; 2]) -> Rgb {
        let towards = (1.0 - x * x - y * y).max(0.0).sqrt();
        let light = self.light[0] * x - self.light[1] * y + self.light[2] * towards;
        shade(self.base, self.darkest + (1.0 - self.darkest) * light.clamp(0.0, 1.0))
    }

    /// The brightest point of the page, in radii from the centre, y downwards.
    fn brightest(&self) -> [f64; 2] {
        let size = self.light.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
        [self.light[0] / size, -self.light[1] / size]
    }

    /// A radial gradient of SVG about the brightest point, exact on the diameter through it.
    pub fn gradient(&self, id: &str) -> String {
        let [x, y] = self.brightest();
        let off = x.hypot(y);
        let reach = 1.0 + off;
        let along = if off > 1e-9 { [x / off, y / off] } else { [1.0, 0.0] };
        let mut out = format!(
            "<radialGradient id=\"{id}\" cx=\"{:.3}\" cy=\"{:.3}\" r=\"{:.3}\">",
            0.5 + 0.5 * x,
            0.5 + 0.5 * y,
            0.5 * reach
        );
        for stop in 0..=STOPS {
            let part = stop as f64 / STOPS as f64;
            let at = off - part * reach;
            let colour = self.colour([at * along[0], at * along[1]]);
            let _ = write!(out, "<stop offset=\"{part:.3}\" stop-color=\"{}\"/>", hex(colour));
        }
        out + "</radialGradient>"
    }
}

impl PaintedBall {
    /// Nearness of the surface at a point of the page; `None` beside it.
    pub fn nearness(&self, x: f64, y: f64) -> Option<f64> {
        let inside = self.radius * self.radius - (x - self.centre[0]).powi(2) - (y - self.centre[1]).powi(2);
        let above = if self.shading.is_some() { inside.max(0.0).sqrt() } else { 0.0 };
        (inside >= 0.0).then_some(self.centre[2] + above)
    }

    /// Colour at a point of the page; `None` where it is the same everywhere.
    pub fn colour(&self, x: f64, y: f64) -> Option<Rgb> {
        let part = |of: f64, from: f64| (of - from) / self.radius.max(f64::MIN_POSITIVE);
        self.shading.map(|shading| shading.colour([part(x, self.centre[0]), part(y, self.centre[1])]))
    }
}

/// All present balls, with their bodies; `base` gives their colours.
pub fn paint(
    cast: &Cast,
    snapshot: &Snapshot,
    view: &Projection,
    base: &dyn Fn(usize) -> Rgb,
    darkest: f64,
) -> Vec<(usize, PaintedFace)> {
    let light = view.light();
    let there = cast.bodies.iter().zip(&snapshot.bodies).enumerate().filter(|(_, (_, now))| !now.absent);
    let paint = |body: usize, radius: f64, at: Vec3| {
        let (centre, radius) = (view.project(at), radius * view.scale);
        let corner = |k: usize| {
            let (sine, cosine) = (std::f64::consts::TAU * k as f64 / CORNERS as f64).sin_cos();
            [centre[0] + radius * cosine, centre[1] + radius * sine, centre[2]]
        };
        let shading = light.map(|light| Shading { base: base(body), darkest, light });
        PaintedFace {
            points: (0..CORNERS).map(corner).collect(),
            creases: vec![true; CORNERS],
            group: FIRST_GROUP + body as u32,
            colour: base(body),
            ball: Some(PaintedBall { centre, radius, shading }),
        }
    };
    let finite = |at: &Vec3| at.iter().all(|x| x.is_finite());
    there
        .filter_map(|(i, (body, now))| Some((i, body.ball()?, now.position)))
        .filter(|(_, _, at)| finite(at))
        .map(|(i, radius, at)| (i, paint(i, radius, at)))
        .collect()
}

/// Radius lines of discs, which turn with them.
pub fn spokes(sheet: &mut Sheet, cast: &Cast, snapshot: &Snapshot, view: &Projection) {
    if cast.dimension != 2 {
        return;
    }
    let there = cast.bodies.iter().zip(&snapshot.bodies).filter(|(_, now)| !now.absent);
    let large = there.filter_map(|(body, now)| {
        let radius = body.ball().filter(|radius| radius * view.scale >= LEAST_SPOKE)?;
        Some(vec![view.page(now.position), view.page(place(now, [radius, 0.0, 0.0]))])
    });
    let lines: Vec<_> = large.filter(|line| line.iter().flatten().all(|x| x.is_finite())).collect();
    sheet.lines(lines, Ink::line(EDGE, 0.8).through(0.3), true);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_is_brightest_where_the_light_falls_straight() {
        let shading = Shading { base: [200, 100, 50], darkest: 0.5, light: [-0.3, 0.7, 0.6] };
        let sum = |[r, g, b]: Rgb| u32::from(r) + u32::from(g) + u32::from(b);
        let top = sum(shading.colour(shading.brightest()));
        for k in 0..100 {
            let (sine, cosine) = (0.2 * f64::from(k)).sin_cos();
            let at = [0.99 * cosine, 0.99 * sine].map(|x| x * f64::from(k) / 100.0);
            assert!(sum(shading.colour(at)) <= top);
        }
        assert!(shading.gradient("g").matches("<stop").count() == STOPS + 1);
    }

    #[test]
    fn a_sphere_is_nearest_at_its_centre_and_a_disc_is_flat() {
        let shading = Shading { base: [0; 3], darkest: 0.5, light: [0.0, 0.0, 1.0] };
        let sphere = PaintedBall { centre: [10.0, 20.0, 5.0], radius: 3.0, shading: Some(shading) };
        assert_eq!(sphere.nearness(10.0, 20.0), Some(8.0));
        assert_eq!(sphere.nearness(13.5, 20.0), None);
        assert_eq!(PaintedBall { shading: None, ..sphere }.nearness(11.0, 20.0), Some(5.0));
    }
}
