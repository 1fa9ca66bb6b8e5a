//! Cells that fill a field: Voronoi diagrams, Laguerre diagrams with given areas, rectangles.
//!
//! **Voronoi.** Random sites, made more regular by Lloyd's method (sites move to the centroids of their cells). A cell
//! is a box cut by the bisectors with the nearest sites; the sites are in a grid of squares, and squares are read in
//! rings until no further bisector can cut the cell.
//!
//! **Size distribution.** Diameters follow N(> d) ∝ d^(−a) between the limits; the areas are scaled so that they fill
//! the field. A Laguerre diagram has the weights w: the bisector of the sites a and b is where |x − a|² − w_a = |x −
//! b|² − w_b. Every round moves the sites to the centroids of their cells and adds 0.4 (required area − area) to the
//! weights, at most half of the smallest required area: the derivative of the area of a cell by its weight is Σ (length
//! of side)/(2 distance of sites), about √3 (Aurenhammer, Hoffmann & Aronov 1998). The report states the resulting
//! sizes.

use voussoir_geometry::glam::DVec2;

use super::Site;
use super::floe_packing::{limits, power_law};
use super::random::Random;
use crate::build::check::MOST_BODIES;
use crate::error::SceneError;
use crate::scene::ice::{FloeForm, Floes};

/// Change of a weight for a missing area.
const WEIGHT_RATE: f64 = 0.4;
/// Largest change of a weight in a round, over the smallest required area.
const MOST_WEIGHT_CHANGE: f64 = 0.5;

/// Area and centroid of a polygon.
pub(super) fn centroid(cell: &[DVec2]) -> (f64, DVec2) {
    let origin = cell[0];
    let (mut area, mut first) = (0.0, DVec2::ZERO);
    for k in 1..cell.len() - 1 {
        let (a, b) = (cell[k] - origin, cell[k + 1] - origin);
        let part = 0.5 * a.perp_dot(b);
        area += part;
        first += (a + b) * (part / 3.0);
    }
    (area, if area > 0.0 { origin + first / area } else { origin })
}

/// Cells of a field, counter-clockwise.
pub(super) fn cells(
    keys: &Floes,
    site: &Site<'_>,
    size: DVec2,
    random: &mut Random,
) -> Result<Vec<Vec<DVec2>>, SceneError> {
    if keys.floe == FloeForm::Rectangles {
        return rectangles(keys, site, size);
    }
    let Some(count) = keys.count else {
        return Err(site.error("generator", "Voronoi cells need `count`"));
    };
    let least = if keys.periodic { 9 } else { 1 };
    let count = site.check.count(&site.place.key("count"), "`count`", count, least, MOST_BODIES)?;
    let usual = if keys.smallest.is_some() { 300 } else { 2 };
    let rounds = keys.regularity.unwrap_or(usual);
    let rounds = site.check.count(&site.place.key("regularity"), "`regularity`", rounds, 0, 1000)?;
    let wanted = wanted_areas(keys, site, size, count, random)?;
    let sites: Vec<DVec2> = (0..count).map(|_| DVec2::new(random.unit(), random.unit()) * size).collect();
    Ok(relaxed(sites, wanted.as_deref(), size, keys.periodic, rounds))
}

/// Cells of sites that have moved to the centroids of their cells, with weights for the required areas [m²].
fn relaxed(
    mut sites: Vec<DVec2>,
    wanted: Option<&[f64]>,
    size: DVec2,
    periodic: bool,
    rounds: usize,
) -> Vec<Vec<DVec2>> {
    let mut weights = vec![0.0; sites.len()];
    // larger steps can make small cells vanish behind large ones
    let most = MOST_WEIGHT_CHANGE * wanted.map_or(0.0, |wanted| wanted.iter().copied().fold(f64::INFINITY, f64::min));
    let mut all = diagram(&sites, &weights, size, periodic);
    for _ in 0..rounds {
        for (i, cell) in all.iter().enumerate() {
            let (area, centre) = if cell.len() < 3 { (0.0, sites[i]) } else { centroid(cell) };
            sites[i] = inside(centre, size, periodic);
            if let Some(wanted) = wanted {
                weights[i] += (WEIGHT_RATE * (wanted[i] - area)).clamp(-most, most);
            }
        }
        all = diagram(&sites, &weights, size, periodic);
    }
    all
}

/// Areas of cells with a size distribution.
fn wanted_areas(
    keys: &Floes,
    site: &Site<'_>,
    size: DVec2,
    count: usize,
    random: &mut Random,
) -> Result<Option<Vec<f64>>, SceneError> {
    if keys.smallest.is_none() {
        return Ok(None);
    }
    let law = limits(keys, site)?;
    let mut areas: Vec<f64> = (0..count).map(|_| power_law(&law, random).powi(2)).collect();
    let scale = size.x * size.y / areas.iter().sum::<f64>();
    areas.iter_mut().for_each(|area| *area *= scale);
    Ok(Some(areas))
}

/// Rectangles in rows and columns.
fn rectangles(keys: &Floes, site: &Site<'_>, size: DVec2) -> Result<Vec<Vec<DVec2>>, SceneError> {
    let Some(columns) = keys.columns else {
        return Err(site.error("generator", "rectangles need `columns`"));
    };
    let columns = site.check.count(&site.place.key("columns"), "`columns`", columns, 1, MOST_BODIES)?;
    let rows = site.check.count(&site.place.key("rows"), "`rows`", keys.rows.unwrap_or(1), 1, MOST_BODIES)?;
    let step = size / DVec2::new(columns as f64, rows as f64);
    let at = |i: usize, j: usize| DVec2::new(i as f64, j as f64) * step;
    let cell = |k: usize| {
        let (i, j) = (k % columns, k / columns);
        vec![at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]
    };
    Ok((0..rows * columns).map(cell).collect())
}

/// A place moved into the field if it is periodic.
fn inside(place: DVec2, size: DVec2, periodic: bool) -> DVec2 {
    if periodic { place - size * (place / size).floor() } else { place }
}

/// The Laguerre diagram of sites with weights [m²] in a field; cells may be empty.
fn diagram(sites: &[DVec2], weights: &[f64], size: DVec2, periodic: bool) -> Vec<Vec<DVec2>> {
    // about two sites in a square of the grid
    let width = (2.0 * size.x * size.y / sites.len() as f64).sqrt();
    let n = (size / width).ceil().max(DVec2::ONE);
    let step = size / n;
    let (nx, ny) = (n.x as i64, n.y as i64);
    let mut grid: Vec<Vec<u32>> = vec![Vec::new(); (nx * ny) as usize];
    let square = |p: DVec2| {
        let at = (p / step).floor();
        ((at.x as i64).clamp(0, nx - 1), (at.y as i64).clamp(0, ny - 1))
    };
    for (i, p) in sites.iter().enumerate() {
        let (x, y) = square(*p);
        grid[(y * nx + x) as usize].push(i as u32);
    }
    let smaller = step.min_element();
    let heaviest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let cell = |i: usize| {
        let own = sites[i];
        let mut cell = if periodic {
            let half = 0.5 * size;
            vec![own - half, own + DVec2::new(half.x, -half.y), own + half, own + DVec2::new(-half.x, half.y)]
        } else {
            vec![DVec2::ZERO, DVec2::new(size.x, 0.0), size, DVec2::new(0.0, size.y)]
        };
        let (x, y) = square(own);
        let limit = if periodic { nx.max(ny) / 2 + 1 } else { nx.max(ny) };
        for ring in 0..=limit {
            // sites of this ring are farther away than this; the nearest bisector must cut
            let far = (ring - 1).max(0) as f64 * smaller;
            let reach = cell.iter().map(|p| p.distance(own)).fold(0.0, f64::max);
            if cell.len() < 3 || far * far - (heaviest - weights[i]) > 2.0 * reach * far {
                break;
            }
            for (dx, dy) in on_ring(ring) {
                let (cx, cy) = (x + dx, y + dy);
                let inside = (0..nx).contains(&cx) && (0..ny).contains(&cy);
                if !periodic && !inside {
                    continue;
                }
                let image = DVec2::new(cx.div_euclid(nx) as f64, cy.div_euclid(ny) as f64) * size;
                for &k in &grid[(cy.rem_euclid(ny) * nx + cx.rem_euclid(nx)) as usize] {
                    let other = sites[k as usize] + image;
                    if other != own {
                        let along = other - own;
                        let more = 0.5 * (weights[i] - weights[k as usize]) / along.length_squared();
                        clip(&mut cell, own.midpoint(other) + along * more, along);
                    }
                }
            }
        }
        cell
    };
    (0..sites.len()).map(cell).collect()
}

/// Squares whose larger distance is `ring`.
fn on_ring(ring: i64) -> Vec<(i64, i64)> {
    if ring == 0 {
        return vec![(0, 0)];
    }
    let mut squares = Vec::with_capacity(8 * ring as usize);
    for k in -ring..=ring {
        squares.extend([(k, -ring), (k, ring)]);
    }
    for k in -ring + 1..ring {
        squares.extend([(-ring, k), (ring, k)]);
    }
    squares
}

/// Keeps the part of a convex polygon with (x − point)·normal ≤ 0.
pub(super) fn clip(cell: &mut Vec<DVec2>, point: DVec2, normal: DVec2) {
    let height = |p: DVec2| (p - point).dot(normal);
    if cell.iter().all(|p| height(*p) <= 0.0) {
        return;
    }
    let mut kept = Vec::with_capacity(cell.len() + 1);
    for k in 0..cell.len() {
        let (a, b) = (cell[k], cell[(k + 1) % cell.len()]);
        let (ha, hb) = (height(a), height(b));
        if ha <= 0.0 {
            kept.push(a);
        }
        if (ha < 0.0 && hb > 0.0) || (ha > 0.0 && hb < 0.0) {
            kept.push(a + (b - a) * (ha / (ha - hb)));
        }
    }
    *cell = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of a Laguerre diagram fill the field, and have the required areas after some rounds.
    #[test]
    fn cells_get_their_areas() {
        let (size, mut random) = (DVec2::new(3.0, 2.0), Random::new(7));
        for periodic in [false, true] {
            let law = [1.0, 8.0, 1.5];
            let mut wanted: Vec<f64> = (0..120).map(|_| power_law(&law, &mut random).powi(2)).collect();
            let scale = size.x * size.y / wanted.iter().sum::<f64>();
            wanted.iter_mut().for_each(|area| *area *= scale);
            let sites = wanted.iter().map(|_| DVec2::new(random.unit(), random.unit()) * size).collect();
            let cells = relaxed(sites, Some(&wanted), size, periodic, 300);
            let area = |cell: &Vec<DVec2>| if cell.len() < 3 { 0.0 } else { centroid(cell).0 };
            let total: f64 = cells.iter().map(area).sum();
            assert!((total / (size.x * size.y) - 1.0).abs() < 1e-12, "{total}");
            let error = cells.iter().zip(&wanted).map(|(cell, wanted)| (area(cell) / wanted - 1.0).powi(2));
            let error = (error.sum::<f64>() / wanted.len() as f64).sqrt();
            assert!(error < 0.03, "{error}");
        }
    }
}
