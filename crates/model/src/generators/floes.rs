//! Fields of floes: `floe[i]`.
//!
//! | form | module |
//! |---|---|
//! | Voronoi cells, also with a size distribution; rectangles | [`super::floe_cells`] |
//! | discs, given outlines | [`super::floe_packing`] |
//!
//! Bodies that are written before the field (coasts, islands, walls, floes at given places) are left free: cells are
//! cut along them, discs and outlines are placed around them. The concentration is the area of the floes over the area
//! of the field without these bodies.

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::Pose;

use super::Site;
use super::floe_cells::{self, centroid};
use super::floe_packing;
use super::random::Random;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::build::plan;
use crate::error::SceneError;
use crate::scene::ice::{FloeForm, Floes};

/// Factor by which Voronoi cells of a full field are shrunk, so that rounding causes no overlap.
const FULL_SHRINKAGE: f64 = 1.0 - 1e-9;
/// Cells smaller than this fraction of the mean cell after cutting by obstacles are omitted.
const LEAST_CELL: f64 = 0.01;

/// Number of bodies.
pub fn count(keys: &Floes) -> u64 {
    match keys.floe {
        FloeForm::Voronoi => keys.count.unwrap_or(0),
        FloeForm::Rectangles => keys.columns.unwrap_or(0).saturating_mul(keys.rows.unwrap_or(1)),
        FloeForm::Discs | FloeForm::Outlines => {
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
    refuse_keys(keys, site)?;
    let obstacles = Obstacles::new(site.obstacles, size, keys.periodic);
    let free = obstacles.free_area();
    if free <= 0.0 {
        return Err(site.error("size", "bodies that are written before cover the whole field"));
    }
    let mut random = Random::new(keys.seed.unwrap_or(1));
    let mut pieces: Vec<Piece<S>> = Vec::new();
    let mut areas = Vec::new();
    let outline = |points: &[DVec2]| points.iter().map(|p| S::at(p.x, 0.0, p.y)).collect::<Vec<S::Vector>>();
    match keys.floe {
        FloeForm::Voronoi | FloeForm::Rectangles => {
            let cells = floe_cells::cells(keys, site, size, &mut random)?;
            for (i, floe) in shrunk(&obstacles, cells, c, free, site)?.into_iter().enumerate() {
                areas.push(centroid(&floe).0);
                let shape = S::hull(&outline(&floe)).map_err(|e| site.refuse(&e))?;
                pieces.push(Piece::at(format!("floe[{i}]"), &["floes"], &Centred::new(&shape), S::zero()));
            }
        }
        FloeForm::Discs => {
            for (i, disc) in floe_packing::discs(keys, site, size, c * free, &mut random)?.into_iter().enumerate() {
                areas.push(floe_packing::disc_area(disc.diameter));
                let shape = S::ball(0.5 * disc.diameter).map_err(|e| site.refuse(&e))?;
                let position = S::at(disc.place.x, 0.0, disc.place.y);
                pieces.push(Piece::at(format!("floe[{i}]"), &["floes"], &Centred::new(&shape), position));
            }
        }
        FloeForm::Outlines => {
            for (i, floe) in floe_packing::outlines(keys, site, size, c * free, &mut random)?.into_iter().enumerate() {
                areas.push(floe_packing::disc_area(floe.diameter));
                let parts = floe.parts.iter().map(|part| Ok((Pose::identity(), S::hull(&outline(part))?)));
                let parts: Result<Vec<_>, _> = parts.collect();
                let shape = parts.and_then(|mut parts| match parts.len() {
                    1 => Ok(parts.remove(0).1),
                    _ => S::compound(parts),
                });
                let shape = shape.map_err(|e| site.refuse(&e))?;
                pieces.push(Piece::at(format!("floe[{i}]"), &["floes"], &Centred::new(&shape), S::zero()));
            }
        }
    }
    report(site, &areas, free);
    Ok(pieces)
}

/// Refuses keys that do not belong to the form.
fn refuse_keys(keys: &Floes, site: &Site<'_>) -> Result<(), SceneError> {
    use FloeForm::{Discs, Outlines, Rectangles, Voronoi};
    let used: [(&str, bool, &[FloeForm]); 9] = [
        ("count", keys.count.is_some(), &[Voronoi]),
        ("regularity", keys.regularity.is_some(), &[Voronoi]),
        ("columns", keys.columns.is_some(), &[Rectangles]),
        ("rows", keys.rows.is_some(), &[Rectangles]),
        ("smallest", keys.smallest.is_some(), &[Voronoi, Discs, Outlines]),
        ("largest", keys.largest.is_some(), &[Voronoi, Discs, Outlines]),
        ("exponent", keys.exponent.is_some(), &[Voronoi, Discs, Outlines]),
        ("outlines", keys.outlines.is_some(), &[Outlines]),
        ("library", keys.library.is_some(), &[Outlines]),
    ];
    for (key, given, forms) in used {
        if given && !forms.contains(&keys.floe) {
            return Err(site.error(key, format!("`{key}` has no effect with floe = \"{}\"", keys.floe.name())));
        }
    }
    if keys.floe == Voronoi && keys.smallest.is_some() != keys.largest.is_some() {
        return Err(site.error("generator", "a size distribution of Voronoi cells needs `smallest` and `largest`"));
    }
    Ok(())
}

/// Reports the result.
fn report(site: &Site<'_>, areas: &[f64], free: f64) {
    let total: f64 = areas.iter().sum();
    let diameter = |area: f64| (4.0 * area / std::f64::consts::PI).sqrt();
    let least = areas.iter().copied().fold(f64::INFINITY, f64::min);
    let most = areas.iter().copied().fold(0.0, f64::max);
    site.note(format!(
        "{} floes, concentration {:.4}, diameters {:.4} to {:.4} m, mean {:.4} m (of discs with the same area)",
        areas.len(),
        total / free,
        diameter(least),
        diameter(most),
        diameter(total / areas.len() as f64),
    ));
}

/// Convex bodies in the field.
struct Obstacles {
    size: DVec2,
    outlines: Vec<Vec<DVec2>>,
}

impl Obstacles {
    fn new(outlines: &[Vec<DVec2>], size: DVec2, periodic: bool) -> Self {
        let near = |outline: &Vec<DVec2>| {
            let low = outline.iter().copied().fold(DVec2::INFINITY, DVec2::min);
            let high = outline.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
            low.cmplt(size).all() && high.cmpgt(DVec2::ZERO).all()
        };
        let reach = if periodic { [-1.0, 0.0, 1.0].as_slice() } else { [0.0].as_slice() };
        let mut all = Vec::new();
        for outline in outlines {
            for shift in reach.iter().flat_map(|x| reach.iter().map(move |y| DVec2::new(*x, *y) * size)) {
                let moved: Vec<DVec2> = outline.iter().map(|p| *p + shift).collect();
                // cells of a periodic field reach beyond it by less than its size
                if near(&moved) || periodic {
                    all.push(moved);
                }
            }
        }
        Self { size, outlines: all }
    }

    /// Area of the field outside the obstacles [m²].
    fn free_area(&self) -> f64 {
        let field = vec![[0.0, 0.0], [self.size.x, 0.0], [self.size.x, self.size.y], [0.0, self.size.y]];
        let mut pieces = vec![field];
        for outline in &self.outlines {
            let hole: Vec<[f64; 2]> = outline.iter().map(|p| p.to_array()).collect();
            pieces = pieces.into_iter().flat_map(|piece| plan::difference(piece, &hole)).collect();
        }
        pieces.iter().map(|piece| plan::area(piece)).sum()
    }

    /// A cell cut along the obstacles: along the side of each obstacle that keeps most of the cell.
    fn cut(&self, mut cell: Vec<DVec2>) -> Vec<DVec2> {
        for outline in &self.outlines {
            let mut best: Option<(f64, Vec<DVec2>)> = None;
            for (i, &a) in outline.iter().enumerate() {
                let b = outline[(i + 1) % outline.len()];
                let mut rest = cell.clone();
                // keep the part outside
                floe_cells::clip(&mut rest, a, (b - a).perp());
                let area = if rest.len() < 3 { 0.0 } else { centroid(&rest).0 };
                if best.as_ref().is_none_or(|best| area > best.0) {
                    best = Some((area, rest));
                }
            }
            if let Some((_, rest)) = best {
                cell = rest;
            }
            if cell.len() < 3 {
                return Vec::new();
            }
        }
        cell
    }
}

/// Cells cut along the obstacles and scaled about their centroids to the concentration.
fn shrunk(
    obstacles: &Obstacles,
    cells: Vec<Vec<DVec2>>,
    c: f64,
    free: f64,
    site: &Site<'_>,
) -> Result<Vec<Vec<DVec2>>, SceneError> {
    let mean = free / cells.len() as f64;
    let mut kept: Vec<Vec<DVec2>> = if obstacles.outlines.is_empty() {
        cells
    } else {
        let large = |cell: &Vec<DVec2>| cell.len() >= 3 && centroid(cell).0 > LEAST_CELL * mean;
        cells.into_iter().map(|cell| obstacles.cut(cell)).filter(large).collect()
    };
    kept.retain(|cell| cell.len() >= 3);
    let filled: f64 = kept.iter().map(|cell| centroid(cell).0).sum();
    let share = c * free / filled;
    if kept.is_empty() || share > 1.0 + 1e-9 {
        let message = format!("{c} cannot be reached: cells cut along other bodies fill {:.4}", filled / free);
        return Err(site.error("concentration", message).with_help("take more cells, or a lower concentration"));
    }
    let scale = share.sqrt().min(FULL_SHRINKAGE);
    let floe = |cell: Vec<DVec2>| {
        let (_, centre) = centroid(&cell);
        cell.iter().map(|p| centre + (*p - centre) * scale).collect()
    };
    Ok(kept.into_iter().map(floe).collect())
}
