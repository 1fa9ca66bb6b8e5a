//! Random stones in a loose grid above the ground, to be dropped: `stone[i]`, layer by layer.
//!
//! Every stone stays inside a ball of its diameter, the ball inside its cell of the grid: stones are not in contact.

use voussoir_geometry::{Pose, Vector};

use super::random::Random;
use super::{Site, ground};
use crate::build::check::{LARGEST_LENGTH, MOST_BODIES};
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::NumberOrVector;
use crate::scene::generated::{Pile, Stone};

/// Cells are wider than the largest stone by this factor.
const CELL_FACTOR: f64 = 1.05;
/// Points of a random polyhedron, corners of a random polygon.
const CORNERS: usize = 12;

/// Number of bodies.
pub fn count(keys: &Pile) -> u64 {
    keys.count.saturating_add(5)
}

/// Makes a pile.
pub fn generate<S: Dimension>(keys: &Pile, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let count = site.check.count(&site.place.key("count"), "`count`", keys.count, 1, MOST_BODIES)?;
    let size = site.length("size", keys.size.unwrap_or(0.2))?;
    let spread = site.check.between(&site.place.key("spread"), "`spread`", keys.spread.unwrap_or(0.3), 0.0, 0.9)?;
    let drop = site.check.not_negative(&site.place.key("drop"), "`drop`", keys.drop.unwrap_or(size / 2.0))?;
    let cell = size * CELL_FACTOR;
    let container = container::<S>(keys, site)?;
    // cells along x and y
    let grid = match &container {
        Some(inner) => inner.map(|length| length / cell).map(f64::floor),
        None => [(count as f64).powf(1.0 / S::DIM as f64).ceil(); 2],
    };
    if let (Some(_), true) = (&container, grid[0] < 1.0 || (S::DIM == 3 && grid[1] < 1.0)) {
        return Err(site.error("container", format!("the container is narrower than one stone ({cell} m)")));
    }
    let (nx, ny) = (grid[0] as usize, if S::DIM == 3 { grid[1] as usize } else { 1 });
    let layer = nx.saturating_mul(ny);
    let top = drop + (count.div_ceil(layer)) as f64 * cell;
    if top >= LARGEST_LENGTH || nx as f64 * cell >= LARGEST_LENGTH {
        return Err(site.error("size", format!("the pile would be {top:e} m high, outside the permitted range")));
    }

    let mut random = Random::new(keys.seed.unwrap_or(1));
    let mut pieces = Vec::with_capacity(count + 5);
    let footprint = [(nx + 4) as f64 * cell * 2.0, (ny + 4) as f64 * cell * 2.0, size];
    pieces.extend(ground::<S>(keys.ground, site, footprint)?);
    if let Some(inner) = container {
        pieces.extend(walls::<S>(inner, site)?);
    }
    for i in 0..count {
        let (x, y, z) = (i % nx, i / nx % ny, i / layer);
        let diameter = size * random.between(1.0 - spread, 1.0);
        let slack = (cell - diameter) / 2.0;
        let mut middle = |index: usize, number: usize| {
            (2 * index + 1) as f64 * (cell / 2.0) - number as f64 * (cell / 2.0) + random.between(-slack, slack)
        };
        let (x, y) = (middle(x, nx), if S::DIM == 3 { middle(y, ny) } else { 0.0 });
        let position = S::at(x, y, drop + (2 * z + 1) as f64 * (cell / 2.0));
        let shape = stone::<S>(keys.stone, diameter, &mut random).map_err(|e| site.refuse(&e))?;
        let draws = [random.unit(), random.unit(), random.unit()];
        let mut piece = Piece::at(format!("stone[{i}]"), &["stones"], &Centred::new(&shape), S::zero());
        // the ball of the stone, not its centroid, is centred in the cell
        piece.pose = Pose { position, rotation: S::any_rotation(draws) };
        pieces.push(piece);
    }
    Ok(pieces)
}

/// Inner lengths of the container along x and y.
fn container<S: Dimension>(keys: &Pile, site: &Site<'_>) -> Result<Option<[f64; 2]>, SceneError> {
    let place = site.place.key("container");
    let Some(container) = &keys.container else { return Ok(None) };
    let lengths = match (container, container.numbers()) {
        (NumberOrVector::Number(a), _) => [*a, *a],
        (_, [a, b]) if S::DIM == 3 => [*a, *b],
        (_, [a]) if S::DIM == 2 => [*a, *a],
        (_, other) => {
            let message = format!("`container` in {}D needs {} numbers, not {}", S::DIM, S::DIM - 1, other.len());
            return Err(site.error("container", message));
        }
    };
    for length in lengths {
        site.check.length(&place, "`container`", length)?;
    }
    Ok(Some(lengths))
}

/// Unbounded walls around the container, with inward normals.
fn walls<S: Dimension>(inner: [f64; 2], site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let mut walls = Vec::new();
    for axis in 0..S::DIM - 1 {
        for side in [-1.0, 1.0] {
            let outwards = if axis == 0 { S::at(side, 0.0, 0.0) } else { S::at(0.0, side, 0.0) };
            let shape = S::half_space(-outwards).map_err(|e| site.refuse(&e))?;
            let position = outwards * (inner[axis] / 2.0);
            let name = format!("wall[{}]", walls.len());
            walls.push(Piece::at(name, &["walls"], &Centred::new(&shape), position).fixed());
        }
    }
    Ok(walls)
}

/// A stone inside a ball of the diameter about the origin.
fn stone<S: Dimension>(
    form: Stone,
    diameter: f64,
    random: &mut Random,
) -> Result<S::Shape, voussoir_geometry::ShapeError> {
    match form {
        Stone::Sphere => S::ball(diameter / 2.0),
        Stone::Box => {
            let sides = [random.between(0.5, 1.0), random.between(0.5, 1.0), random.between(0.5, 1.0)];
            let direction = S::at(sides[0], sides[1], sides[2]);
            S::cuboid(direction * (diameter / direction.length()))
        }
        Stone::Polyhedron => {
            let points: Vec<S::Vector> = (0..CORNERS).map(|i| corner::<S>(i, random) * (diameter / 2.0)).collect();
            S::hull(&points)
        }
    }
}

/// A point inside the unit ball: evenly spread directions, disturbed, at 0.75 … 1 of the radius.
fn corner<S: Dimension>(i: usize, random: &mut Random) -> S::Vector {
    use std::f64::consts::{PI, TAU};
    let step = (i as f64 + random.between(0.2, 0.8)) / CORNERS as f64;
    let radius = random.between(0.75, 1.0);
    if S::DIM == 2 {
        let (sin, cos) = (step * TAU).sin_cos();
        return S::at(cos, 0.0, sin) * radius;
    }
    // golden spiral
    let height = 1.0 - 2.0 * step;
    let (sin, cos) = (i as f64 * PI * (3.0 - 5f64.sqrt()) + random.between(-0.3, 0.3)).sin_cos();
    let across = (1.0 - height * height).max(0.0).sqrt();
    S::at(across * cos, across * sin, height) * radius
}
