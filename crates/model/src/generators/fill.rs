//! Granular fill: discs around existing bodies.
//!
//! A random packing is checked before it is used: largest overlap, coordination number, porosity by cells, pressure.

use std::f64::consts::PI;

use voussoir_geometry::Pose;
use voussoir_geometry::glam::DVec2;
use voussoir_mechanics::explicit::packing::{Packing, PackingTask, pack};

use super::Site;
use super::fill_region::{FillRegion, free_area};
use super::fill_sizes;
use super::random::Random;
use super::section::{left_of, rectangle};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::fill::{FillSpec, PackingKind};

/// Fraction of the region covered by discs before they grow.
const FIRST_COVER: f64 = 0.3;
/// Largest number of attempts to find a place for a disc.
const ATTEMPTS: usize = 20_000;
/// Largest overlap of a packing, relative to the smaller radius.
const LARGEST_OVERLAP: f64 = 0.2;
/// Least coordination number of loaded discs, if most of the discs are loaded.
const LEAST_COORDINATION: f64 = 3.2;
/// Width of a cell in which the porosity is measured, in mean diameters.
const CELL: f64 = 6.0;
/// Least share of a cell that is free of bodies.
const LEAST_CELL: f64 = 0.6;
/// Largest difference between the porosity of a cell and that of the fill.
const CELL_DIFFERENCE: f64 = 0.15;

/// Number of bodies, if it is known before packing.
pub fn count(keys: &FillSpec) -> u64 {
    if keys.discs.is_empty() { keys.count.unwrap_or(0) } else { keys.discs.len() as u64 }
}

/// Makes the discs.
pub fn generate<S: Dimension>(keys: &FillSpec, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    if S::DIM != 2 {
        return Err(site.error("generator", "fill of discs needs a scene with dim = 2"));
    }
    let region = FillRegion::read(keys, site)?;
    let free = region.free_area();
    if free <= 0.0 {
        let key = if keys.road.is_empty() { "region" } else { "road" };
        return Err(site.error(key, "the bodies leave no room for the fill"));
    }
    let discs = match keys.packing {
        _ if !keys.discs.is_empty() => given(keys, site)?,
        PackingKind::Random => random(keys, site, &region, free)?,
        PackingKind::Hexagonal | PackingKind::Rectangular => lattice(keys, site, &region)?,
    };
    let covered: f64 = discs.iter().map(|(_, r)| PI * r * r).sum();
    site.note(format!("{} discs, area of the region {free:.6} m², porosity {:.4}", discs.len(), 1.0 - covered / free));
    let density = match keys.bulk_density {
        Some(bulk) => {
            let bulk = site.check.positive(&site.place.key("bulk_density"), "`bulk_density`", bulk)?;
            site.note(format!("bulk density {bulk} kg/m³, density of the grains {:.3} kg/m³", bulk * free / covered));
            Some(bulk * free / covered)
        }
        None => None,
    };
    let piece = |(i, (centre, radius)): (usize, &(DVec2, f64))| {
        let shape = Centred::new(&S::ball(*radius).map_err(|error| site.refuse(&error))?);
        let mut piece = Piece::at(format!("disc[{i}]"), &["fill"], &shape, S::at(centre.x, 0.0, centre.y));
        piece.pose = Pose::at(S::at(centre.x, 0.0, centre.y));
        piece.density = density;
        Ok(piece)
    };
    discs.iter().enumerate().map(piece).collect()
}

/// Discs of an existing packing.
fn given(keys: &FillSpec, site: &Site<'_>) -> Result<Vec<(DVec2, f64)>, SceneError> {
    let list = site.place.key("discs");
    let disc = |(i, disc): (usize, &crate::scene::numbers::Numbers<3>)| {
        let [x, y, radius] = disc.0;
        for value in [x, y] {
            site.check.finite(&list.index(i), "the centre of a disc", value)?;
        }
        Ok((DVec2::new(x, y), site.check.length(&list.index(i), "the radius of a disc", radius)?))
    };
    keys.discs.iter().enumerate().map(disc).collect()
}

/// Discs of a regular packing that fit into the region.
fn lattice(keys: &FillSpec, site: &Site<'_>, region: &FillRegion) -> Result<Vec<(DVec2, f64)>, SceneError> {
    let Some(diameter) = keys.diameter else {
        return Err(site.error("generator", "a regular packing needs `diameter` [m]"));
    };
    let diameter = site.length("diameter", diameter)?;
    let [low, high] = region.bounds();
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
            if region.has_room(low + at, 0.5 * diameter) {
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
    region: &FillRegion,
    free: f64,
) -> Result<Vec<(DVec2, f64)>, SceneError> {
    let place = site.place.key("porosity");
    let porosity = site.check.between(&place, "`porosity`", keys.porosity.unwrap_or(0.18), 0.1, 0.9)?;
    let mut random = Random::new(keys.seed.unwrap_or(1));
    let radii = fill_sizes::radii(keys, site, (1.0 - porosity) * free, &mut random)?;
    let scale = (FIRST_COVER / (1.0 - porosity)).sqrt().min(1.0);
    let centres = scattered(site, region, &radii, scale, &mut random)?;
    let (outline, obstacles) = (region.outline.clone(), region.obstacles.clone());
    let task = PackingTask { region: outline, obstacles, radii, centres, scale, area: free };
    let packing = pack(&task).map_err(|error| site.error("generator", error.to_string()))?;
    let mean = 2.0 * task.radii.iter().sum::<f64>() / task.radii.len() as f64;
    site.note(format!(
        "random packing: required porosity {porosity}, mean diameter {mean:.5} m, coordination {:.3}, {} rattlers, largest \
         overlap {:.2} % of a radius, unbalanced force {:.1e}",
        packing.coordination,
        packing.rattlers,
        100.0 * packing.overlap,
        packing.unbalanced
    ));
    judge(site, porosity, &packing, task.radii.len())?;
    pressure(keys, site, &packing, mean)?;
    let discs: Vec<(DVec2, f64)> = packing.centres.into_iter().zip(task.radii).collect();
    cells(site, region, &discs, mean, porosity)?;
    Ok(discs)
}

/// Refuses packings of insufficient quality.
fn judge(site: &Site<'_>, porosity: f64, packing: &Packing, count: usize) -> Result<(), SceneError> {
    if packing.overlap > LARGEST_OVERLAP {
        let message = format!(
            "at a porosity of {porosity} discs overlap by {:.0} % of their radius; use a larger porosity",
            100.0 * packing.overlap
        );
        return Err(site.error("porosity", message));
    }
    // if less than half of the discs are loaded, the packing is loose and its contacts are random
    if 2 * packing.rattlers < count && packing.coordination < LEAST_COORDINATION {
        let message = format!(
            "the packing failed: loaded discs have {:.2} contacts, less than {LEAST_COORDINATION}: some discs are wedged \
             and carry alone; use another `seed` or more discs",
            packing.coordination
        );
        return Err(site.error("generator", message));
    }
    Ok(())
}

/// Reports the pressure of a packing, and refuses one with a pressure above the limit.
fn pressure(keys: &FillSpec, site: &Site<'_>, packing: &Packing, mean: f64) -> Result<(), SceneError> {
    let Some(limits) = &keys.pressure else { return Ok(()) };
    let place = site.place.key("pressure");
    let normal = site.check.positive(&place.key("normal"), "`normal`", limits.normal)?;
    let most = site.check.positive(&place.key("most"), "`most`", limits.most)?;
    let influence = site.check.length(&place.key("influence"), "`influence`", limits.influence.unwrap_or(mean))?;
    let stiffness = normal * influence;
    let found = packing.compression() * stiffness;
    site.note(format!("pressure of the packing under its lid {:.1} kPa", 1e-3 * found));
    if found <= most {
        return Ok(());
    }
    let remedy = match packing.porosity_with(most / stiffness) {
        Some(porosity) => format!("a porosity of about {porosity:.3} would do"),
        None => "use a larger porosity".to_owned(),
    };
    let message = format!("the packing locks in a pressure of {:.1} kPa, more than {:.1} kPa; {remedy}", 1e-3 * found, 1e-3 * most);
    Err(site.error("porosity", message))
}

/// Points of a disc that represent equal parts of its area, relative to its radius.
fn parts() -> Vec<DVec2> {
    const RINGS: usize = 4;
    const SPOKES: usize = 12;
    let ring = |k: usize| ((k as f64 + 0.5) / RINGS as f64).sqrt();
    let turn = |k: usize, j: usize| std::f64::consts::TAU * (j as f64 + 0.5 * (k % 2) as f64) / SPOKES as f64;
    (0..RINGS).flat_map(|k| (0..SPOKES).map(move |j| ring(k) * DVec2::from_angle(turn(k, j)))).collect()
}

/// Reports the porosity of cells, and refuses a packing with large differences between cells.
fn cells(
    site: &Site<'_>,
    region: &FillRegion,
    discs: &[(DVec2, f64)],
    mean: f64,
    porosity: f64,
) -> Result<(), SceneError> {
    let [low, high] = region.bounds();
    let size = (high - low) / ((high - low) / (CELL * mean)).round().max(DVec2::ONE);
    let [columns, rows] = ((high - low) / size).round().as_uvec2().to_array().map(|count| count as usize);
    let mut solid = vec![0.0; columns * rows];
    let parts = parts();
    for (centre, radius) in discs {
        let share = PI * radius * radius / parts.len() as f64;
        for part in &parts {
            let at = ((*centre + *radius * *part - low) / size).floor();
            let [i, j] = [at.x.clamp(0.0, columns as f64 - 1.0) as usize, at.y.clamp(0.0, rows as f64 - 1.0) as usize];
            solid[j * columns + i] += share;
        }
    }
    let mut range: Option<[f64; 2]> = None;
    for (index, solid) in solid.iter().enumerate() {
        let corner = low + size * DVec2::new((index % columns) as f64, (index / columns) as f64);
        let mut outline = rectangle(corner, corner + size);
        for i in 0..region.outline.len() {
            outline = left_of(&outline, region.outline[i], region.outline[(i + 1) % region.outline.len()]);
        }
        let free = if outline.len() < 3 { 0.0 } else { free_area(&outline, &region.obstacles) };
        if free >= LEAST_CELL * size.x * size.y {
            let found = 1.0 - solid / free;
            range = Some(range.map_or([found; 2], |[least, most]| [least.min(found), most.max(found)]));
        }
    }
    let Some([least, most]) = range else { return Ok(()) };
    site.note(format!("porosity by cells of {:.2} m × {:.2} m: {least:.3} to {most:.3}", size.x, size.y));
    if least < porosity - CELL_DIFFERENCE || most > porosity + CELL_DIFFERENCE {
        let message = format!(
            "the packing failed: the porosity of its cells is between {least:.3} and {most:.3}, required {porosity}; use another \
             `seed` or more discs"
        );
        return Err(site.error("generator", message));
    }
    Ok(())
}

/// Random places without overlap for discs at a scale.
fn scattered(
    site: &Site<'_>,
    region: &FillRegion,
    radii: &[f64],
    scale: f64,
    random: &mut Random,
) -> Result<Vec<DVec2>, SceneError> {
    let [low, high] = region.bounds();
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
            (free && region.has_room(p, radius)).then_some(p)
        });
        let Some(place) = place else {
            return Err(site.error("generator", format!("no room for disc {i} of {}", radii.len())));
        };
        cells.entry(cell(place)).or_default().push(i);
        centres.push(place);
    }
    Ok(centres)
}
