//! Granular fill: discs in a convex region around the bodies that are there.

use voussoir_geometry::Pose;
use voussoir_geometry::glam::DVec2;
use voussoir_mechanics::explicit::packing::{PackingTask, pack};

use super::Site;
use super::random::Random;
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::fill::{EmptyPart, FillSpec, PackingKind};

/// Share of the region that discs cover before they grow.
const FIRST_COVER: f64 = 0.3;
/// Attempts to find a place for a disc.
const ATTEMPTS: usize = 20_000;
/// Sides of the polygon that stands for a circle without discs.
const CIRCLE_SIDES: usize = 720;
/// Largest overlap of a packing, relative to the smaller radius.
const LARGEST_OVERLAP: f64 = 0.2;

/// Number of bodies, as far as it is known before they are packed.
pub fn count(keys: &FillSpec) -> u64 {
    keys.count.unwrap_or(0)
}

/// Makes the discs.
pub fn generate<S: Dimension>(keys: &FillSpec, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    if S::DIM != 2 {
        return Err(site.error("generator", "fill of discs needs a scene with dim = 2"));
    }
    let region = region(keys, site)?;
    let obstacles = obstacles(keys, site)?;
    let free = free_area(&region, &obstacles);
    if free <= 0.0 {
        return Err(site.error("region", "the bodies leave no room in the region"));
    }
    let discs = match keys.packing {
        PackingKind::Random => random(keys, site, (&region, &obstacles), free)?,
        PackingKind::Hexagonal | PackingKind::Rectangular => lattice(keys, site, &region, &obstacles)?,
    };
    let covered: f64 = discs.iter().map(|(_, r)| std::f64::consts::PI * r * r).sum();
    site.note(format!("{} discs, area of the region {free:.6} m², porosity {:.4}", discs.len(), 1.0 - covered / free));
    let piece = |(i, (centre, radius)): (usize, &(DVec2, f64))| {
        let shape = Centred::new(&S::ball(*radius).map_err(|error| site.refuse(&error))?);
        let mut piece = Piece::at(format!("disc[{i}]"), &["fill"], &shape, S::at(centre.x, 0.0, centre.y));
        piece.pose = Pose::at(S::at(centre.x, 0.0, centre.y));
        Ok(piece)
    };
    discs.iter().enumerate().map(piece).collect()
}

/// The corners of the region, counter-clockwise and convex.
fn region(keys: &FillSpec, site: &Site<'_>) -> Result<Vec<DVec2>, SceneError> {
    let corners: Vec<DVec2> = keys.region.iter().map(|corner| DVec2::from_array(corner.0)).collect();
    if corners.len() < 3 || corners.iter().any(|corner| !corner.is_finite()) {
        return Err(site.error("region", "it needs at least three corners"));
    }
    let hull = voussoir_geometry::planar::hull(&corners);
    if hull.len() != corners.len() {
        return Err(site.error("region", "it must be convex; use one fill for each convex part"));
    }
    Ok(hull)
}

/// Bodies and parts that stay empty, as convex outlines.
fn obstacles(keys: &FillSpec, site: &Site<'_>) -> Result<Vec<Vec<DVec2>>, SceneError> {
    let mut all = site.obstacles.to_vec();
    for part in &keys.without {
        all.push(match part {
            EmptyPart::Circle(circle) => {
                let radius = site.length("without", circle.radius)?;
                let corner = |i: usize| DVec2::from_angle(std::f64::consts::TAU * i as f64 / CIRCLE_SIDES as f64);
                (0..CIRCLE_SIDES).map(|i| DVec2::from_array(circle.centre.0) + radius * corner(i)).collect()
            }
            EmptyPart::Polygon(corners) => {
                let corners: Vec<DVec2> = corners.iter().map(|corner| DVec2::from_array(corner.0)).collect();
                let hull = voussoir_geometry::planar::hull(&corners);
                if hull.len() < 3 {
                    return Err(site.error("without", "a polygon needs at least three corners"));
                }
                hull
            }
        });
    }
    Ok(all)
}

/// Area of a convex region outside of all obstacles, which may overlap [m²]: the free length of vertical lines is linear
/// between the corners, so that one line between each two of them is exact where no sides cross.
fn free_area(region: &[DVec2], obstacles: &[Vec<DVec2>]) -> f64 {
    let [low, high] = extent(region);
    let mut stops: Vec<f64> = region.iter().chain(obstacles.iter().flatten()).map(|p| p.x.clamp(low, high)).collect();
    stops.sort_by(f64::total_cmp);
    let mut sum = 0.0;
    for pair in stops.windows(2).filter(|pair| pair[1] > pair[0]) {
        let x = 0.5 * (pair[0] + pair[1]);
        let Some([bottom, top]) = cut(region, x) else { continue };
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

/// Smallest and largest x of an outline.
fn extent(outline: &[DVec2]) -> [f64; 2] {
    let fold = |start: f64, of: fn(f64, f64) -> f64| outline.iter().map(|p| p.x).fold(start, of);
    [fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max)]
}

/// Lowest and highest point of a convex outline on a vertical line.
fn cut(outline: &[DVec2], x: f64) -> Option<[f64; 2]> {
    let mut range: Option<[f64; 2]> = None;
    for (i, &a) in outline.iter().enumerate() {
        let b = outline[(i + 1) % outline.len()];
        if (a.x - x) * (b.x - x) > 0.0 || a.x == b.x {
            continue;
        }
        let y = a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x));
        range = Some(range.map_or([y, y], |[low, high]| [low.min(y), high.max(y)]));
    }
    range
}

/// True if a disc lies inside the region and outside of all obstacles.
fn has_room(region: &[DVec2], obstacles: &[Vec<DVec2>], centre: DVec2, radius: f64) -> bool {
    let sides = |outline: &[DVec2], i: usize| (outline[i], outline[(i + 1) % outline.len()]);
    let inside = (0..region.len()).all(|i| {
        let (a, b) = sides(region, i);
        (b - a).perp_dot(centre - a) >= radius * (b - a).length() * (1.0 - 1e-12)
    });
    inside && obstacles.iter().all(|outline| distance(outline, centre) >= radius * (1.0 - 1e-12))
}

/// Distance of a point from a convex outline; zero inside.
fn distance(outline: &[DVec2], p: DVec2) -> f64 {
    let count = outline.len();
    let turn = (0..count).map(|i| outline[i].perp_dot(outline[(i + 1) % count])).sum::<f64>().signum();
    let mut nearest = f64::INFINITY;
    let mut inside = true;
    for i in 0..count {
        let (a, b) = (outline[i], outline[(i + 1) % count]);
        inside &= turn * (b - a).perp_dot(p - a) >= 0.0;
        let along = ((p - a).dot(b - a) / (b - a).length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        nearest = nearest.min(p.distance(a + (b - a) * along));
    }
    if inside { 0.0 } else { nearest }
}

/// Discs of a regular packing that have room.
fn lattice(
    keys: &FillSpec,
    site: &Site<'_>,
    region: &[DVec2],
    obstacles: &[Vec<DVec2>],
) -> Result<Vec<(DVec2, f64)>, SceneError> {
    let Some(diameter) = keys.diameter else {
        return Err(site.error("generator", "a regular packing needs `diameter` [m]"));
    };
    let diameter = site.length("diameter", diameter)?;
    let low = region.iter().copied().fold(DVec2::INFINITY, DVec2::min);
    let high = region.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
    let hexagonal = keys.packing == PackingKind::Hexagonal;
    let rise = if hexagonal { 0.75f64.sqrt() * diameter } else { diameter };
    let (rows, columns) = (((high.y - low.y) / rise) as u64 + 1, ((high.x - low.x) / diameter) as u64 + 1);
    if rows.saturating_mul(columns) > MOST_BODIES {
        return Err(site.error("diameter", "the fill would have too many discs"));
    }
    let mut discs = Vec::new();
    for row in 0..rows {
        let shift = if hexagonal && row % 2 == 1 { 0.5 * diameter } else { 0.0 };
        for column in 0..columns {
            let at = DVec2::new((column as f64 + 0.5) * diameter + shift, 0.5 * diameter + row as f64 * rise);
            if has_room(region, obstacles, low + at, 0.5 * diameter) {
                discs.push((low + at, 0.5 * diameter));
            }
        }
    }
    if discs.is_empty() {
        return Err(site.error("diameter", "no disc of this diameter has room in the region"));
    }
    Ok(discs)
}

/// Discs of a random packing.
fn random(
    keys: &FillSpec,
    site: &Site<'_>,
    (region, obstacles): (&[DVec2], &[Vec<DVec2>]),
    free: f64,
) -> Result<Vec<(DVec2, f64)>, SceneError> {
    let porosity = site.check.between(&site.place.key("porosity"), "`porosity`", keys.porosity.unwrap_or(0.18), 0.1, 0.9)?;
    let spread = site.check.between(&site.place.key("spread"), "`spread`", keys.spread.unwrap_or(0.2), 0.0, 0.9)?;
    let solid = (1.0 - porosity) * free;
    let count = match (keys.count, keys.diameter) {
        (Some(count), None) => site.check.count(&site.place.key("count"), "`count`", count, 1, MOST_BODIES)?,
        (None, Some(diameter)) => {
            let mean = site.length("diameter", diameter)?;
            // mean square of a uniform spread
            let square = 0.25 * std::f64::consts::PI * mean * mean * (1.0 + spread * spread / 3.0);
            site.check.count(&site.place.key("diameter"), "the number of discs", (solid / square) as u64, 1, MOST_BODIES)?
        }
        _ => return Err(site.error("generator", "a random packing needs either `count` or `diameter`")),
    };
    let mut random = Random::new(keys.seed.unwrap_or(1));
    let mut radii: Vec<f64> = (0..count).map(|_| random.between(1.0 - spread, 1.0 + spread)).collect();
    // the largest first: they find room more easily
    radii.sort_by(|a, b| b.total_cmp(a));
    let squares: f64 = radii.iter().map(|r| std::f64::consts::PI * r * r).sum();
    radii.iter_mut().for_each(|radius| *radius *= (solid / squares).sqrt());
    let scale = (FIRST_COVER / (1.0 - porosity)).sqrt().min(1.0);
    let centres = scattered(site, (region, obstacles), &radii, scale, &mut random)?;
    let task = PackingTask { region: region.to_vec(), obstacles: obstacles.to_vec(), radii, centres, scale };
    let packing = pack(&task).map_err(|error| site.error("generator", error.to_string()))?;
    if packing.overlap > LARGEST_OVERLAP {
        let message = format!(
            "at a porosity of {porosity} discs overlap by {:.0} % of their radius; use a larger porosity",
            100.0 * packing.overlap
        );
        return Err(site.error("porosity", message));
    }
    let mean = 2.0 * task.radii.iter().sum::<f64>() / count as f64;
    site.note(format!(
        "random packing: mean diameter {mean:.5} m, coordination {:.3}, {} rattlers, largest overlap {:.2} % of a radius, \
         unbalanced force {:.1e}",
        packing.coordination,
        packing.rattlers,
        100.0 * packing.overlap,
        packing.unbalanced
    ));
    Ok(packing.centres.into_iter().zip(task.radii).collect())
}

/// Random places without overlap for discs at a scale.
fn scattered(
    site: &Site<'_>,
    (region, obstacles): (&[DVec2], &[Vec<DVec2>]),
    radii: &[f64],
    scale: f64,
    random: &mut Random,
) -> Result<Vec<DVec2>, SceneError> {
    let low = region.iter().copied().fold(DVec2::INFINITY, DVec2::min);
    let high = region.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
    // cells as wide as the largest disc
    let width = 2.0 * scale * radii.first().copied().unwrap_or(1.0);
    let cell = |p: DVec2| [((p.x - low.x) / width) as i64, ((p.y - low.y) / width) as i64];
    let mut cells: std::collections::HashMap<[i64; 2], Vec<usize>> = std::collections::HashMap::new();
    let mut centres: Vec<DVec2> = Vec::with_capacity(radii.len());
    for (i, radius) in radii.iter().map(|radius| radius * scale).enumerate() {
        let place = (0..ATTEMPTS).find_map(|_| {
            let p = DVec2::new(random.between(low.x, high.x), random.between(low.y, high.y));
            let [x, y] = cell(p);
            let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| [x + dx, y + dy]));
            let mut others = near.filter_map(|key| cells.get(&key)).flatten();
            let free = others.all(|&k| centres[k].distance(p) >= radius + scale * radii[k]);
            (free && has_room(region, obstacles, p, radius)).then_some(p)
        });
        let Some(place) = place else {
            return Err(site.error("region", format!("no room for disc {i} of {}", radii.len())));
        };
        cells.entry(cell(place)).or_default().push(i);
        centres.push(place);
    }
    Ok(centres)
}
