//! Thickness of bodies in 2D that varies: from body to body, or inside a body by a grid.
//!
//! With a thickness h(x) the mass is ρ ∫ h dA, and the centre of mass and the inertia are the first and second moments of
//! h. Between the lines of the grid h is bilinear: polygons are cut along these lines, and the Gauss rule with 4 × 4
//! points on the triangles of each piece is exact for h |x|², of degree four. A disc is cut into strips x = R sin φ; along
//! a strip the integrand is a cubic between grid lines, for which the rule is exact, and along φ it is smooth between
//! the crossings of the circle with grid lines (rules over at most 0.1 rad, with an error of about 1e-13).

use std::path::Path;

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::planar::{Disc, Polygon, Shape2};
use voussoir_geometry::{D2, Pose};

use super::check::SceneCheck;
use super::text_file::read_text;
use crate::error::SceneError;
use crate::generators::random::Random;
use crate::place::Place;
use crate::scene::ice::{DepthsSpec, ThicknessGrid};

/// Largest angle of a Gauss rule on a disc [rad].
const SLICE_ANGLE: f64 = 0.1;
/// Gauss points on [0, 1] and their weights.
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// Thickness of the bodies of one table.
pub enum Depths {
    /// The same for all [m].
    Constant(f64),
    /// One for each body [m].
    Each(Vec<f64>),
    /// A random number for each body.
    Random(Box<dyn Fn(&mut Random) -> f64>, u64),
    /// A function of the place.
    Grid(Grid),
}

/// Thickness at nodes.
pub struct Grid {
    origin: DVec2,
    spacing: DVec2,
    rows: Vec<Vec<f64>>,
}

/// Moments of a body whose thickness varies.
pub struct Weighed {
    /// Mass per density [m³].
    pub mass: f64,
    /// Centre of mass [m].
    pub centre: DVec2,
    /// Moment of inertia about the centre of mass, per density [m⁵].
    pub inertia: f64,
}

impl Depths {
    /// Thickness of `count` bodies [m]; `None` for a grid.
    pub fn each(
        &self,
        check: &SceneCheck<'_>,
        place: &Place<'_>,
        count: usize,
    ) -> Result<Option<Vec<f64>>, SceneError> {
        match self {
            Self::Constant(depth) => Ok(Some(vec![*depth; count])),
            Self::Each(values) if values.len() != count => {
                let message = format!("{} numbers for {count} bodies", values.len());
                Err(check.error(&place.key("values"), message).with_help("write one thickness for each body"))
            }
            Self::Each(values) => Ok(Some(values.clone())),
            Self::Random(draw, seed) => {
                let mut random = Random::new(*seed);
                Ok(Some((0..count).map(|_| draw(&mut random)).collect()))
            }
            Self::Grid(_) => Ok(None),
        }
    }
}

/// Reads the thickness of the bodies of a table; `place` is that of the table `depths`.
pub fn read(check: &SceneCheck<'_>, place: &Place<'_>, keys: &DepthsSpec, base: &Path) -> Result<Depths, SceneError> {
    let given = [keys.values.is_some(), keys.between.is_some(), keys.lognormal.is_some(), keys.grid.is_some()];
    if given.iter().filter(|given| **given).count() != 1 {
        return Err(check.error(place, "exactly one of `values`, `between`, `lognormal` and `grid` is needed"));
    }
    if keys.seed.is_some() && keys.between.is_none() && keys.lognormal.is_none() {
        return Err(place.key("seed").error_at_key(check.source, "`seed` has no effect without a distribution"));
    }
    let seed = keys.seed.unwrap_or(1);
    let length = |place: &Place<'_>, value: f64| check.length(place, "the thickness", value);
    if let Some(values) = &keys.values {
        let place = place.key("values");
        for (i, value) in values.iter().enumerate() {
            length(&place.index(i), *value)?;
        }
        return Ok(Depths::Each(values.clone()));
    }
    if let Some(limits) = &keys.between {
        let place = place.key("between");
        let [low, high] = [length(&place.index(0), limits[0])?, length(&place.index(1), limits[1])?];
        if high < low {
            return Err(check.error(&place, format!("{high} m is less than {low} m")));
        }
        return Ok(Depths::Random(Box::new(move |random| random.between(low, high)), seed));
    }
    if let Some(numbers) = &keys.lognormal {
        let place = place.key("lognormal");
        let mean = length(&place.index(0), numbers[0])?;
        let deviation = check.not_negative(&place.index(1), "the standard deviation", numbers[1])?;
        let spread = (1.0 + (deviation / mean).powi(2)).ln();
        let (shift, spread) = (mean.ln() - 0.5 * spread, spread.sqrt());
        let draw = move |random: &mut Random| {
            // Box and Muller
            let (u, angle) = (1.0 - random.unit(), std::f64::consts::TAU * random.unit());
            (shift + spread * (-2.0 * u.ln()).sqrt() * angle.cos()).exp()
        };
        return Ok(Depths::Random(Box::new(draw), seed));
    }
    match &keys.grid {
        Some(grid) => read_grid(check, &place.key("grid"), grid, base).map(Depths::Grid),
        None => Ok(Depths::Constant(1.0)),
    }
}

fn read_grid(check: &SceneCheck<'_>, place: &Place<'_>, keys: &ThicknessGrid, base: &Path) -> Result<Grid, SceneError> {
    let spacing = place.key("spacing");
    let spacing = DVec2::new(
        check.length(&spacing.index(0), "the spacing", keys.spacing[0])?,
        check.length(&spacing.index(1), "the spacing", keys.spacing[1])?,
    );
    let origin = check.point::<D2>(&place.key("origin"), "the origin", &keys.origin.0)?;
    let (rows, place) = match (&keys.rows, &keys.file) {
        (Some(rows), None) => (rows.clone(), place.key("rows")),
        (None, Some(file)) => (from_file(check, &place.key("file"), base, file)?, place.key("file")),
        _ => return Err(check.error(place, "exactly one of `rows` and `file` is needed")),
    };
    let columns = rows.first().map_or(0, Vec::len);
    if columns == 0 {
        return Err(check.error(&place, "the grid has no nodes"));
    }
    for (i, row) in rows.iter().enumerate() {
        let inline = keys.rows.is_some();
        let own = if inline { place.index(i) } else { place };
        if row.len() != columns {
            let message = format!("row {} has {} numbers, the first row has {columns}", i + 1, row.len());
            return Err(check.error(&own, message));
        }
        if let Some(k) = row.iter().position(|h| !(*h > 0.0 && h.is_finite())) {
            let message =
                format!("the thickness of node {} of row {} is {}; it must be above zero", k + 1, i + 1, row[k]);
            return Err(check.error(&own, message));
        }
    }
    Ok(Grid { origin, spacing, rows })
}

fn from_file(check: &SceneCheck<'_>, place: &Place<'_>, base: &Path, file: &str) -> Result<Vec<Vec<f64>>, SceneError> {
    let wrong = |message: String| check.error(place, format!("\"{file}\": {message}"));
    let text = read_text(base, file).map_err(wrong)?;
    let mut rows = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !(line.trim().is_empty() || line.starts_with('#'))) {
        let numbers: Result<Vec<f64>, _> = line.split(',').map(|word| word.trim().parse::<f64>()).collect();
        rows.push(numbers.map_err(|_| wrong(format!("line {} is not a row of numbers", i + 1)))?);
    }
    Ok(rows)
}

impl Grid {
    /// Thickness at a place [m].
    pub fn at(&self, p: DVec2) -> f64 {
        let last = DVec2::new((self.rows[0].len() - 1) as f64, (self.rows.len() - 1) as f64);
        let place = ((p - self.origin) / self.spacing).clamp(DVec2::ZERO, last);
        let low = place.floor().min((last - 1.0).max(DVec2::ZERO));
        let part = place - low;
        let (i, j) = (low.x as usize, low.y as usize);
        let along = |row: &[f64]| {
            let next = row.get(i + 1).copied().unwrap_or(row[i]);
            row[i] + (next - row[i]) * part.x
        };
        let (own, above) = (along(&self.rows[j]), self.rows.get(j + 1).map(|row| along(row)));
        above.map_or(own, |above| own + (above - own) * part.y)
    }

    /// Grid lines between two coordinates along an axis, with the two [m].
    fn lines(&self, axis: usize, from: f64, to: f64) -> Vec<f64> {
        let nodes = if axis == 0 { self.rows[0].len() } else { self.rows.len() };
        let (origin, spacing) = (self.origin[axis], self.spacing[axis]);
        let first = ((from - origin) / spacing).floor().clamp(0.0, nodes as f64) as usize;
        let last = ((to - origin) / spacing).ceil().clamp(0.0, nodes as f64) as usize;
        let inside = (first..last.min(nodes)).map(|i| origin + i as f64 * spacing).filter(|x| *x > from && *x < to);
        [from].into_iter().chain(inside).chain([to]).collect()
    }

    /// Moments of a shape in the axes of the model; `None` for shapes other than polygons, discs and compounds of them.
    pub fn weigh(&self, shape: &Shape2, pose: &Pose<D2>) -> Option<Weighed> {
        // about the position of the body: no cancellation far from the origin
        let mut sum = [0.0; 4];
        self.add(shape, pose, &mut sum)?;
        let [mass, x, y, polar] = sum;
        let arm = DVec2::new(x, y) / mass;
        let inertia = polar - mass * arm.length_squared();
        Some(Weighed { mass, centre: pose.position + arm, inertia })
    }

    fn add(&self, shape: &Shape2, pose: &Pose<D2>, sum: &mut [f64; 4]) -> Option<()> {
        match shape {
            Shape2::Polygon(polygon) => self.add_polygon(polygon, pose, sum),
            Shape2::Disc(disc) => self.add_disc(disc, pose, sum),
            Shape2::Compound(compound) => {
                for part in compound.parts() {
                    self.add(part, pose, sum)?;
                }
            }
            Shape2::Segment(_) | Shape2::HalfPlane(_) => return None,
        }
        Some(())
    }

    fn count(&self, p: DVec2, centre: DVec2, weight: f64, sum: &mut [f64; 4]) {
        let (h, r) = (self.at(p) * weight, p - centre);
        let moments = [h, h * r.x, h * r.y, h * r.length_squared()];
        sum.iter_mut().zip(moments).for_each(|(sum, more)| *sum += more);
    }

    fn add_polygon(&self, polygon: &Polygon, pose: &Pose<D2>, sum: &mut [f64; 4]) {
        let outline: Vec<DVec2> = polygon.vertices().iter().map(|v| pose.point(*v)).collect();
        let low = outline.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = outline.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        for x in self.lines(0, low.x, high.x).windows(2) {
            let column = between(&outline, 0, x[0], x[1]);
            for y in self.lines(1, low.y, high.y).windows(2) {
                let piece = between(&column, 1, y[0], y[1]);
                for k in 1..piece.len().saturating_sub(1) {
                    let (corner, a, b) = (piece[0], piece[k] - piece[0], piece[k + 1] - piece[0]);
                    let double = a.perp_dot(b);
                    for (s, weight) in GAUSS {
                        for (t, other) in GAUSS {
                            let p = corner + (a * (1.0 - t) + b * t) * s;
                            self.count(p, pose.position, weight * other * double * s, sum);
                        }
                    }
                }
            }
        }
    }

    fn add_disc(&self, disc: &Disc, pose: &Pose<D2>, sum: &mut [f64; 4]) {
        let (centre, radius) = (pose.point(disc.centre), disc.radius);
        let quarter = std::f64::consts::FRAC_PI_2;
        let mut angles: Vec<f64> = vec![-quarter, quarter];
        for x in self.lines(0, centre.x - radius, centre.x + radius) {
            angles.push(((x - centre.x) / radius).clamp(-1.0, 1.0).asin());
        }
        for y in self.lines(1, centre.y - radius, centre.y + radius) {
            let angle = ((y - centre.y).abs() / radius).clamp(-1.0, 1.0).acos();
            angles.extend([angle, -angle]);
        }
        angles.sort_by(f64::total_cmp);
        for pair in angles.windows(2).filter(|pair| pair[1] > pair[0]) {
            let parts = ((pair[1] - pair[0]) / SLICE_ANGLE).ceil().max(1.0);
            let width = (pair[1] - pair[0]) / parts;
            for (k, (s, weight)) in (0..parts as usize).flat_map(|k| GAUSS.map(|gauss| (k, gauss))) {
                let angle = pair[0] + (k as f64 + s) * width;
                let (x, half) = (centre.x + radius * angle.sin(), radius * angle.cos());
                let dx = weight * width * half;
                for y in self.lines(1, centre.y - half, centre.y + half).windows(2) {
                    for (t, other) in GAUSS {
                        let p = DVec2::new(x, y[0] + t * (y[1] - y[0]));
                        self.count(p, pose.position, dx * other * (y[1] - y[0]), sum);
                    }
                }
            }
        }
    }
}

/// The part of a convex polygon between two coordinates along an axis.
fn between(polygon: &[DVec2], axis: usize, low: f64, high: f64) -> Vec<DVec2> {
    let cut = |polygon: &[DVec2], sign: f64, at: f64| {
        let height = |p: DVec2| sign * (p[axis] - at);
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, &a) in polygon.iter().enumerate() {
            let b = polygon[(i + 1) % polygon.len()];
            let (ha, hb) = (height(a), height(b));
            if ha >= 0.0 {
                kept.push(a);
            }
            if (ha > 0.0 && hb < 0.0) || (ha < 0.0 && hb > 0.0) {
                kept.push(a + (b - a) * (ha / (ha - hb)));
            }
        }
        kept
    };
    cut(&cut(polygon, 1.0, low), -1.0, high)
}
