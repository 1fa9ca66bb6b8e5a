//! Bodies that overlap at the start.
//!
//! Bodies that are never present at the same time may overlap. Pairs come from the broad phase, their depth from the
//! contact points. Before that, groups of bodies at one place are found by their volume, so that n bodies at one point
//! do not give n² pairs.

use std::collections::HashMap;

use voussoir_geometry::{BroadPhase, Solid, Vector};
use voussoir_mechanics::model::{Model, Role};

use super::check::SceneCheck;
use super::construction::Life;
use super::dimension::Dimension;
use super::owner;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;

/// Overlap up to this share of the smaller body's size is accepted.
pub const TOLERANCE: f64 = 1e-3;
/// Largest number of overlaps that are counted; one overlap is enough to refuse a scene.
const MOST_OVERLAPS: usize = 1000;

/// Two bodies that overlap.
struct Overlap {
    bodies: [usize; 2],
    /// [m]
    depth: f64,
}

/// Overlaps beyond the tolerance are an error, or a warning if the scene allows them.
pub fn check_overlaps<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    model: &Model<S>,
    lives: &[Life],
    warnings: &mut Vec<String>,
) -> Result<(), SceneError> {
    let (bodies, message, count) = match heap(model) {
        Some((bodies, count)) => (bodies, format!("are at the same position as {} others", count - 2), count),
        None => match worst(model, lives) {
            Some((worst, count)) => (worst.bodies, format!("overlap by {:.3e} m", worst.depth), count),
            None => return Ok(()),
        },
    };
    let [a, b] = bodies.map(|i| &model.bodies[i].name);
    let message = format!("\"{a}\" and \"{b}\" {message}");
    if scene.allow_overlap {
        warnings.push(format!("{message} ({count} overlaps in all, counted up to {MOST_OVERLAPS})"));
        return Ok(());
    }
    // the error refers to the later of the two bodies
    let root = Place::ROOT;
    let list = root.key("bodies");
    let place = list.index(owner(scene, a).max(owner(scene, b)));
    Err(check
        .error(&place.key("name"), message)
        .with_help("move one of them, or write allow_overlap = true at the top of the scene"))
}

/// The deepest of the first overlaps, and their number.
fn worst<S: Dimension>(model: &Model<S>, lives: &[Life]) -> Option<(Overlap, usize)> {
    let bodies = &model.bodies;
    let bounds: Vec<_> = bodies.iter().map(|body| body.shape.bounds(&body.pose)).collect();
    let mut broad = BroadPhase::new();
    let mut worst: Option<Overlap> = None;
    let (mut count, mut points) = (0, Vec::new());
    for &(i, j) in broad.pairs(&bounds, |i| bodies[i].role == Role::Free) {
        let (i, j) = (i as usize, j as usize);
        let (a, b) = (&bodies[i], &bodies[j]);
        if model.joints.ignores(a.material, b.material) || !lives[i].meets(&lives[j]) {
            continue;
        }
        points.clear();
        a.shape.collide(&a.pose, &b.shape, &b.pose, 0.0, &mut points);
        let depth = points.iter().map(|point| -point.gap).fold(0.0, f64::max);
        if depth <= TOLERANCE * a.shape.size().min(b.shape.size()) {
            continue;
        }
        if worst.as_ref().is_none_or(|worst| depth > worst.depth) {
            worst = Some(Overlap { bodies: [i, j], depth });
        }
        count += 1;
        if count >= MOST_OVERLAPS {
            break;
        }
    }
    worst.map(|worst| (worst, count))
}

/// Two bodies of a cube that contains more volume of bodies than it has, and the number of bodies.
///
/// Bodies of diameter ≤ c with the centroid in a cube of side c stay inside a cube of side 2c.
fn heap<S: Dimension>(model: &Model<S>) -> Option<([usize; 2], usize)> {
    struct Cell {
        first: usize,
        count: usize,
        volume: f64,
    }
    let mut cells: HashMap<(i32, [i64; 3]), Cell> = HashMap::new();
    for (i, body) in model.bodies.iter().enumerate() {
        let Some(mass) = body.shape.mass_properties() else { continue };
        let level = body.shape.size().log2().ceil() as i32;
        let side = 2f64.powi(level);
        let place = body.pose.position.to_3d().map(|x| (x / side).floor() as i64);
        let cell = cells.entry((level, place)).or_insert(Cell { first: i, count: 0, volume: 0.0 });
        cell.count += 1;
        cell.volume += mass.volume;
        if cell.count > 2 && cell.volume > (2.0 * side).powi(S::DIM as i32) {
            return Some(([cell.first, i], cell.count));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::build;
    use std::path::Path;

    fn scene(bodies: usize, distance: f64, extra: &str) -> Scene {
        let mut text = format!(
            "{extra}\n[materials.stone]\ndensity = 2000\n[[joints]]\nbetween = [\"*\", \"*\"]\nfriction = 0.5\n"
        );
        for i in 0..bodies {
            let x = i as f64 * distance;
            text += &format!(
                "[[bodies]]\nname = \"b{i}\"\nmaterial = \"stone\"\nshape = \"box\"\nsize = 1\nposition = [{x}, 0, 0]\n"
            );
        }
        Scene::parse(&text, "overlaps.toml").expect("a valid scene")
    }

    #[test]
    fn touching_and_slightly_overlapping_bodies_are_accepted() {
        for distance in [1.0, 1.0 - 1e-4] {
            assert!(build(&scene(5, distance, ""), Path::new(".")).is_ok());
        }
    }

    #[test]
    fn deep_overlaps_name_both_bodies_and_the_depth() {
        let error = build(&scene(2, 0.9, ""), Path::new(".")).unwrap_err();
        assert!(error.message.contains("\"b0\" and \"b1\" overlap by 1.000e-1 m"), "{error}");
        assert_eq!(&error.text[error.span.clone()], "\"b1\"");
        let built = build(&scene(2, 0.9, "allow_overlap = true"), Path::new(".")).expect("allowed");
        assert!(built.warnings.iter().any(|w| w.contains("overlap by 1.000e-1 m")), "{:?}", built.warnings);
    }

    #[test]
    fn many_bodies_on_one_spot_are_found_before_their_pairs_are() {
        let error = build(&scene(3000, 1e-5, ""), Path::new(".")).unwrap_err();
        assert!(error.message.contains("at the same position"), "{error}");
    }
}
