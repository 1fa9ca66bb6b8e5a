//! The space of granular fill: a convex region without obstacles, or the space between a road and the bodies below it.
//!
//! Below a road the bodies are replaced by vertical strips under their upper surface, and a temporary lid of strips
//! lies on the road; both are convex obstacles of a rectangle.

use std::f64::consts::TAU;

use voussoir_geometry::glam::DVec2;

use super::Site;
use super::section::{height, rectangle};
use crate::error::SceneError;
use crate::scene::fill::{EmptyPart, FillSpec};

/// Sides of the polygon that represents a circle without discs.
const CIRCLE_SIDES: usize = 720;

/// A convex region and the convex obstacles in it.
pub(super) struct FillRegion {
    /// Counter-clockwise [m].
    pub outline: Vec<DVec2>,
    /// Bodies, parts without discs, lid [m].
    pub obstacles: Vec<Vec<DVec2>>,
}

impl FillRegion {
    /// Reads the region of a fill.
    pub fn read(keys: &FillSpec, site: &Site<'_>) -> Result<Self, SceneError> {
        let mut region = match (keys.region.is_empty(), keys.road.is_empty()) {
            (false, true) => Self { outline: convex(keys, site)?, obstacles: site.obstacles.to_vec() },
            (true, false) => below_road(keys, site)?,
            _ => return Err(site.error("generator", "a fill needs either `region` or `road`")),
        };
        for part in &keys.without {
            region.obstacles.push(empty_part(part, site)?);
        }
        Ok(region)
    }

    /// Area outside of all obstacles, which may overlap [m²]: the free length of vertical lines is linear between the
    /// corners, so that one line between each two of them is exact where no sides cross.
    pub fn free_area(&self) -> f64 {
        free_area(&self.outline, &self.obstacles)
    }

    /// True if a disc lies inside the region and outside of all obstacles.
    pub fn has_room(&self, centre: DVec2, radius: f64) -> bool {
        let region = &self.outline;
        let inside = (0..region.len()).all(|i| {
            let (a, b) = (region[i], region[(i + 1) % region.len()]);
            (b - a).perp_dot(centre - a) >= radius * (b - a).length() * (1.0 - 1e-12)
        });
        inside && self.obstacles.iter().all(|outline| distance(outline, centre) >= radius * (1.0 - 1e-12))
    }

    /// The smallest rectangle around the region: lower left and upper right corner.
    pub fn bounds(&self) -> [DVec2; 2] {
        let fold = |start: DVec2, of: fn(DVec2, DVec2) -> DVec2| self.outline.iter().copied().fold(start, of);
        [fold(DVec2::INFINITY, DVec2::min), fold(DVec2::NEG_INFINITY, DVec2::max)]
    }
}

/// The corners of a convex region, counter-clockwise.
fn convex(keys: &FillSpec, site: &Site<'_>) -> Result<Vec<DVec2>, SceneError> {
    let corners: Vec<DVec2> = keys.region.iter().map(|corner| DVec2::from_array(corner.0)).collect();
    if corners.len() < 3 || corners.iter().any(|corner| !corner.is_finite()) {
        return Err(site.error("region", "it needs at least three corners"));
    }
    let hull = voussoir_geometry::planar::hull(&corners);
    if hull.len() != corners.len() {
        return Err(site.error("region", "it must be convex; use `road`, or one fill for each convex part"));
    }
    Ok(hull)
}

/// The space between a road and the bodies below it.
fn below_road(keys: &FillSpec, site: &Site<'_>) -> Result<FillRegion, SceneError> {
    let road: Vec<DVec2> = keys.road.iter().map(|point| DVec2::from_array(point.0)).collect();
    let rising = road.windows(2).all(|pair| pair[1].x > pair[0].x);
    if road.len() < 2 || !rising || road.iter().any(|point| !point.is_finite()) {
        return Err(site.error("road", "it needs at least two points from left to right, each [x, level] in metres"));
    }
    let surface = surface(site, &road)?;
    let lowest = surface.iter().flatten().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let highest = road.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
    let margin = (highest - lowest).max(1e-3);
    let low = DVec2::new(road[0].x, lowest - margin);
    let high = DVec2::new(road[road.len() - 1].x, highest + margin);
    let strip = |[a, b]: [DVec2; 2], to: f64| {
        let mut strip = vec![a, b, DVec2::new(b.x, to), DVec2::new(a.x, to)];
        if to < a.y {
            strip.reverse();
        }
        strip
    };
    let mut obstacles: Vec<Vec<DVec2>> = surface.into_iter().map(|side| strip(side, low.y)).collect();
    obstacles.extend(road.windows(2).map(|pair| strip([pair[0], pair[1]], high.y)));
    Ok(FillRegion { outline: rectangle(low, high), obstacles })
}

/// The upper sides of the bodies below a road, from left to right.
fn surface(site: &Site<'_>, road: &[DVec2]) -> Result<Vec<[DVec2; 2]>, SceneError> {
    let [from, to] = [road[0].x, road[road.len() - 1].x];
    let near = 1e-9 * (to - from);
    let corners = site.obstacles.iter().flatten().map(|p| p.x).filter(|x| (from..to).contains(x));
    let mut stops: Vec<f64> = corners.chain([from, to]).chain(road.iter().map(|p| p.x)).collect();
    stops.sort_by(f64::total_cmp);
    stops.dedup_by(|b, a| *b - *a <= near);
    let mut surface = Vec::with_capacity(stops.len());
    for pair in stops.windows(2) {
        let x = 0.5 * (pair[0] + pair[1]);
        let level = height(road, x);
        let mut top: Option<(f64, [DVec2; 2])> = None;
        for outline in site.obstacles {
            let Some([bottom, _]) = cut(outline, x) else { continue };
            let upper = sides(outline).filter(|[a, b]| (a.x - x) * (b.x - x) < 0.0);
            let height = |[a, b]: [DVec2; 2], x: f64| a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x));
            for side in upper.filter(|_| bottom < level - near) {
                let found = height(side, x);
                if top.is_none_or(|(highest, _)| found > highest) {
                    top = Some((found, pair_of(pair).map(|x| DVec2::new(x, height(side, x)))));
                }
            }
        }
        let Some((highest, side)) = top else {
            return Err(site.error("road", format!("there is no body below the road at x = {x:.3} m")));
        };
        if highest > level + near {
            return Err(site.error("road", format!("a body rises above the road at x = {x:.3} m")));
        }
        surface.push(side);
    }
    Ok(surface)
}

fn pair_of(pair: &[f64]) -> [f64; 2] {
    [pair[0], pair[1]]
}

/// The sides of an outline.
fn sides(outline: &[DVec2]) -> impl Iterator<Item = [DVec2; 2]> {
    (0..outline.len()).map(|i| [outline[i], outline[(i + 1) % outline.len()]])
}

/// A part that stays empty as a convex outline.
fn empty_part(part: &EmptyPart, site: &Site<'_>) -> Result<Vec<DVec2>, SceneError> {
    let corners: Vec<DVec2> = match part {
        EmptyPart::Circle(circle) => {
            let radius = site.length("without", circle.radius)?;
            let corner = |i: usize| DVec2::from_angle(TAU * i as f64 / CIRCLE_SIDES as f64);
            return Ok((0..CIRCLE_SIDES).map(|i| DVec2::from_array(circle.centre.0) + radius * corner(i)).collect());
        }
        EmptyPart::Polygon(corners) => corners.iter().map(|corner| DVec2::from_array(corner.0)).collect(),
        EmptyPart::Rectangle(part) => {
            let half = 0.5 * DVec2::new(site.length("without", part.size[0])?, site.length("without", part.size[1])?);
            rectangle(DVec2::from_array(part.centre.0) - half, DVec2::from_array(part.centre.0) + half)
        }
        EmptyPart::Segment(part) => {
            let radius = site.length("without", part.radius)?;
            let [from, to] = part.arc_deg.0.map(f64::to_radians);
            if !(to > from && to - from <= TAU) {
                return Err(
                    site.error("without", "`arc_deg` is [start, end] with the end above the start, at most 360 apart")
                );
            }
            let sides = ((to - from) / TAU * CIRCLE_SIDES as f64).ceil().max(2.0) as usize;
            let corner = |i: usize| DVec2::from_angle(from + (to - from) * (i as f64 / sides as f64));
            (0..=sides).map(|i| DVec2::from_array(part.centre.0) + radius * corner(i)).collect()
        }
    };
    if corners.iter().any(|corner| !corner.is_finite()) {
        return Err(site.error("without", "its corners must be finite numbers"));
    }
    let hull = voussoir_geometry::planar::hull(&corners);
    if hull.len() < 3 {
        return Err(site.error("without", "a polygon needs at least three corners"));
    }
    Ok(hull)
}

/// Area of a convex outline outside of all obstacles [m²].
pub(super) fn free_area(outline: &[DVec2], obstacles: &[Vec<DVec2>]) -> f64 {
    let fold = |start: f64, of: fn(f64, f64) -> f64| outline.iter().map(|p| p.x).fold(start, of);
    let [low, high] = [fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max)];
    let mut stops: Vec<f64> = outline.iter().chain(obstacles.iter().flatten()).map(|p| p.x.clamp(low, high)).collect();
    stops.sort_by(f64::total_cmp);
    let mut sum = 0.0;
    for pair in stops.windows(2).filter(|pair| pair[1] > pair[0]) {
        let x = 0.5 * (pair[0] + pair[1]);
        let Some([bottom, top]) = cut(outline, x) else { continue };
        let mut covered: Vec<[f64; 2]> = obstacles.iter().filter_map(|outline| cut(outline, x)).collect();
        covered.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let (mut free, mut height) = (0.0, bottom);
        for [from, to] in covered {
            free += (from.min(top) - height).max(0.0);
            height = height.max(to.min(top));
        }
        sum += (free + (top - height).max(0.0)) * (pair[1] - pair[0]);
    }
    sum
}

/// Lowest and highest point of a convex outline on a vertical line.
fn cut(outline: &[DVec2], x: f64) -> Option<[f64; 2]> {
    let mut range: Option<[f64; 2]> = None;
    for [a, b] in sides(outline) {
        if (a.x - x) * (b.x - x) > 0.0 || a.x == b.x {
            continue;
        }
        let y = a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x));
        range = Some(range.map_or([y, y], |[low, high]| [low.min(y), high.max(y)]));
    }
    range
}

/// Distance of a point from a convex outline; zero inside.
fn distance(outline: &[DVec2], p: DVec2) -> f64 {
    let count = outline.len();
    let turn = (0..count).map(|i| outline[i].perp_dot(outline[(i + 1) % count])).sum::<f64>().signum();
    let mut nearest = f64::INFINITY;
    let mut inside = true;
    for [a, b] in sides(outline) {
        inside &= turn * (b - a).perp_dot(p - a) >= 0.0;
        let along = ((p - a).dot(b - a) / (b - a).length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        nearest = nearest.min(p.distance(a + (b - a) * along));
    }
    if inside { 0.0 } else { nearest }
}
