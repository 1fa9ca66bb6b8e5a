//! Fields of floes: Voronoi cells shrunk to a concentration, or discs of a power law at random places: `floe[i]`.
//!
//! **Voronoi.** Random sites, made more regular by Lloyd's method (sites move to the centroids of their cells). A cell is
//! what the bisectors with the nearest sites leave of a box; the sites are in a grid of squares, and squares are read in
//! rings until no bisector can cut any more. Every cell is scaled about its centroid by √c: the cells fill the field, so
//! that the concentration is c exactly, and scaled convex cells cannot overlap.
//!
//! **Discs.** Diameters follow N(> d) ∝ d^(−a) between the limits, drawn until their area is that of the concentration (the
//! last one is made to fit); the largest are placed first, at random places that are free.

use voussoir_geometry::Vector;
use voussoir_geometry::glam::DVec2;

use super::Site;
use super::random::Random;
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::ice::{FloeForm, Floes};

/// Places that are tried for a disc.
const TRIES: usize = 20_000;
/// Discs do not come closer than this, relative to the smaller diameter.
const APART: f64 = 1e-6;
/// Voronoi cells of a full field are smaller than their share by this factor, so that rounding makes no overlap.
const FULL: f64 = 1.0 - 1e-9;

/// Number of bodies.
pub fn count(keys: &Floes) -> u64 {
    match keys.floe {
        FloeForm::Voronoi => keys.count.unwrap_or(0),
        FloeForm::Discs => {
            let mean = keys.smallest.unwrap_or(1.0).max(1e-9);
            let most = keys.concentration * keys.size[0] * keys.size[1] / (0.25 * std::f64::consts::PI * mean * mean);
            if most.is_finite() { most.clamp(0.0, 1e18) as u64 } else { 0 }
        }
    }
}

/// Makes a field.
pub fn generate<S: Dimension>(keys: &Floes, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    if S::DIM != 2 {
        return Err(site.error("generator", "floes need a 2D scene; write dim = 2"));
    }
    let size = DVec2::new(site.length("size", keys.size[0])?, site.length("size", keys.size[1])?);
    let c = site.check.positive(&site.place.key("concentration"), "the concentration", keys.concentration)?;
    let c = site.check.between(&site.place.key("concentration"), "the concentration", c, 0.0, 1.0)?;
    let mut random = Random::new(keys.seed.unwrap_or(1));
    let wrong = |key: &str, form: &str| Err(site.error(key, format!("`{key}` has no effect with floe = \"{form}\"")));
    let mut pieces = Vec::new();
    match keys.floe {
        FloeForm::Voronoi => {
            for (key, given) in [("smallest", keys.smallest), ("largest", keys.largest), ("exponent", keys.exponent)] {
                if given.is_some() {
                    return wrong(key, "voronoi");
                }
            }
            for (i, cell) in cells(keys, site, size, &mut random)?.into_iter().enumerate() {
                let points: Vec<S::Vector> = shrunk(&cell, c).into_iter().map(|p| S::at(p.x, 0.0, p.y)).collect();
                let shape = S::hull(&points).map_err(|e| site.refuse(&e))?;
                pieces.push(Piece::at(format!("floe[{i}]"), &["floes"], &Centred::new(&shape), S::zero()));
            }
        }
        FloeForm::Discs => {
            for (key, given) in [("count", keys.count), ("regularity", keys.regularity)] {
                if given.is_some() {
                    return wrong(key, "discs");
                }
            }
            for (i, (place, diameter)) in discs(keys, site, size, c, &mut random)?.into_iter().enumerate() {
                let shape = S::ball(0.5 * diameter).map_err(|e| site.refuse(&e))?;
                let position = S::at(place.x, 0.0, place.y);
                debug_assert!(position.is_finite());
                pieces.push(Piece::at(format!("floe[{i}]"), &["floes"], &Centred::new(&shape), position));
            }
        }
    }
    Ok(pieces)
}

/// Area and centroid of a polygon.
fn centroid(cell: &[DVec2]) -> (f64, DVec2) {
    let origin = cell[0];
    let (mut area, mut first) = (0.0, DVec2::ZERO);
    for k in 1..cell.len() - 1 {
        let (a, b) = (cell[k] - origin, cell[k + 1] - origin);
        let part = 0.5 * a.perp_dot(b);
        area += part;
        first += (a + b) * (part / 3.0);
    }
    (area, origin + first / area)
}

/// A cell scaled about its centroid to a share of its area.
fn shrunk(cell: &[DVec2], share: f64) -> Vec<DVec2> {
    let (_, centre) = centroid(cell);
    let scale = share.sqrt().min(FULL);
    cell.iter().map(|p| centre + (*p - centre) * scale).collect()
}

/// Voronoi cells, counter-clockwise.
fn cells(keys: &Floes, site: &Site<'_>, size: DVec2, random: &mut Random) -> Result<Vec<Vec<DVec2>>, SceneError> {
    let Some(count) = keys.count else {
        return Err(site.error("generator", "Voronoi cells need `count`"));
    };
    let least = if keys.periodic { 9 } else { 1 };
    let count = site.check.count(&site.place.key("count"), "`count`", count, least, MOST_BODIES)?;
    let rounds = site.check.count(&site.place.key("regularity"), "`regularity`", keys.regularity.unwrap_or(2), 0, 100)?;
    let mut sites: Vec<DVec2> = (0..count).map(|_| DVec2::new(random.unit(), random.unit()) * size).collect();
    let mut all = diagram(&sites, size, keys.periodic);
    for _ in 0..rounds {
        sites = all.iter().map(|cell| inside(centroid(cell).1, size, keys.periodic)).collect();
        all = diagram(&sites, size, keys.periodic);
    }
    Ok(all)
}

/// A place moved into the field if it is periodic.
fn inside(place: DVec2, size: DVec2, periodic: bool) -> DVec2 {
    if periodic { place - size * (place / size).floor() } else { place }
}

/// The Voronoi diagram of sites in a field.
fn diagram(sites: &[DVec2], size: DVec2, periodic: bool) -> Vec<Vec<DVec2>> {
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
            // sites of this ring are farther away than this; a bisector at half the distance must cut
            let far = (ring - 1).max(0) as f64 * smaller;
            let reach = cell.iter().map(|p| p.distance(own)).fold(0.0, f64::max);
            if far > 2.0 * reach {
                break;
            }
            for (dx, dy) in on_ring(ring) {
                let (cx, cy) = (x + dx, y + dy);
                let inside = (0..nx).contains(&cx) && (0..ny).contains(&cy);
                if !periodic && !inside {
                    continue;
                }
                let image = DVec2::new(cx.div_euclid(nx) as f64, cy.div_euclid(ny) as f64) * size;
                for &other in &grid[(cy.rem_euclid(ny) * nx + cx.rem_euclid(nx)) as usize] {
                    let other = sites[other as usize] + image;
                    if other != own {
                        clip(&mut cell, own.midpoint(other), other - own);
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
fn clip(cell: &mut Vec<DVec2>, point: DVec2, normal: DVec2) {
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

/// Centres and diameters of discs.
fn discs(
    keys: &Floes,
    site: &Site<'_>,
    size: DVec2,
    concentration: f64,
    random: &mut Random,
) -> Result<Vec<(DVec2, f64)>, SceneError> {
    let Some(smallest) = keys.smallest else {
        return Err(site.error("generator", "discs need `smallest`"));
    };
    let smallest = site.length("smallest", smallest)?;
    let largest = site.length("largest", keys.largest.unwrap_or(smallest))?;
    if largest < smallest {
        return Err(site.error("largest", format!("{largest} m is less than `smallest`, {smallest} m")));
    }
    if largest > 0.5 * size.min_element() {
        return Err(site.error("largest", format!("{largest} m is more than half of the field")));
    }
    let exponent = site.check.positive(&site.place.key("exponent"), "the exponent", keys.exponent.unwrap_or(2.0))?;
    let area = |d: f64| 0.25 * std::f64::consts::PI * d * d;
    let wanted = concentration * size.x * size.y;
    let (mut diameters, mut sum) = (Vec::new(), 0.0);
    while sum < wanted {
        // inverse of the distribution function of the truncated power law
        let (low, high) = (smallest.powf(-exponent), largest.powf(-exponent));
        let mut d = (low - random.unit() * (low - high)).powf(-1.0 / exponent);
        if sum + area(d) > wanted {
            let rest = (4.0 * (wanted - sum) / std::f64::consts::PI).sqrt();
            if rest < smallest {
                break;
            }
            d = rest;
        }
        sum += area(d);
        diameters.push(d);
    }
    diameters.sort_by(|a, b| b.total_cmp(a));
    let mut field = Field::new(size, largest, keys.periodic);
    let mut placed = Vec::with_capacity(diameters.len());
    for d in diameters {
        let free = (0..TRIES).find_map(|_| {
            let spare = if keys.periodic { size } else { size - d };
            let offset = if keys.periodic { 0.0 } else { 0.5 * d };
            let place = DVec2::new(random.unit(), random.unit()) * spare + offset;
            field.is_free(place, d).then_some(place)
        });
        let Some(place) = free else {
            let reached: f64 = placed.iter().map(|(_, d)| area(*d)).sum::<f64>() / (size.x * size.y);
            let message = format!("{concentration} cannot be reached: discs at random places filled {reached:.3}");
            return Err(site
                .error("concentration", message)
                .with_help("discs at random places reach about 0.5; floe = \"voronoi\" reaches 1"));
        };
        field.add(place, d);
        placed.push((place, d));
    }
    Ok(placed)
}

/// Discs in a grid of squares as wide as the largest diameter.
struct Field {
    size: DVec2,
    step: DVec2,
    n: (i64, i64),
    periodic: bool,
    squares: Vec<Vec<(DVec2, f64)>>,
}

impl Field {
    fn new(size: DVec2, largest: f64, periodic: bool) -> Self {
        let n = (size / (largest * (1.0 + APART))).floor().max(DVec2::ONE);
        let squares = vec![Vec::new(); (n.x * n.y) as usize];
        Self { size, step: size / n, n: (n.x as i64, n.y as i64), periodic, squares }
    }

    fn square(&self, p: DVec2) -> (i64, i64) {
        let at = (p / self.step).floor();
        ((at.x as i64).clamp(0, self.n.0 - 1), (at.y as i64).clamp(0, self.n.1 - 1))
    }

    fn add(&mut self, place: DVec2, d: f64) {
        let (x, y) = self.square(place);
        self.squares[(y * self.n.0 + x) as usize].push((place, d));
    }

    fn is_free(&self, place: DVec2, d: f64) -> bool {
        let (x, y) = self.square(place);
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let (cx, cy) = (x + dx, y + dy);
            let inside = (0..self.n.0).contains(&cx) && (0..self.n.1).contains(&cy);
            if !self.periodic && !inside {
                continue;
            }
            let image = DVec2::new(cx.div_euclid(self.n.0) as f64, cy.div_euclid(self.n.1) as f64) * self.size;
            let at = cy.rem_euclid(self.n.1) * self.n.0 + cx.rem_euclid(self.n.0);
            for (other, e) in &self.squares[at as usize] {
                if (*other + image).distance(place) < 0.5 * (d + e) + APART * d.min(*e) {
                    return false;
                }
            }
        }
        true
    }
}
