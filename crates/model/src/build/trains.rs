//! Axle trains: the tops of bodies along the path.
//!
//! Every upward face of the deck is cut by the vertical plane through the path; the intersection is a straight piece.
//! At each place along the path only the highest piece is loaded.

use voussoir_geometry::{Pose, Solid, Space, Vector};
use voussoir_mechanics::model::{Axle, Body, DeckPiece, Dispersion, Role, Train};
use voussoir_mechanics::time_function::TimeFunction;
use voussoir_mechanics::train::uppermost;

use super::actions;
use super::check::{LARGEST_LENGTH, SceneCheck};
use super::dimension::Dimension;
use super::select::Register;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::trains::{DispersionSpec, TrainSpec};

/// Default contact length of an axle [m].
const CONTACT_LENGTH: f64 = 0.2;

/// Smallest cosine of the slope of upward faces.
const LOOKS_UP: f64 = 0.05;

/// Pieces shorter than this are omitted [m].
const SHORTEST_PIECE: f64 = 1e-9;

/// Checks all trains.
pub fn trains<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    bodies: &[Body<S>],
    depth: f64,
    warnings: &mut Vec<String>,
) -> Result<Vec<Train<S>>, SceneError> {
    let root = Place::ROOT;
    let list = root.key("trains");
    let register = Register::new(scene, bodies);
    let mut trains: Vec<Train<S>> = Vec::new();
    for (i, keys) in scene.trains.iter().enumerate() {
        let place = list.index(i);
        let used =
            trains.iter().any(|train| train.name == keys.name) || scene.loads.iter().any(|load| load.name == keys.name);
        if keys.name.is_empty() || used {
            let message = format!("the name \"{}\" of the train is empty or used twice", keys.name);
            return Err(check.error(&place.key("name"), message));
        }
        let selected = register.find(check, &place.key("deck"), &keys.deck)?;
        let train = train(check, &place, keys, bodies, &selected, depth)?;
        if train.deck.iter().all(|piece| bodies[piece.body].role != Role::Free) {
            warnings.push(format!("the train \"{}\" runs over supports only", keys.name));
        }
        trains.push(train);
    }
    Ok(trains)
}

fn train<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &TrainSpec,
    bodies: &[Body<S>],
    selected: &[usize],
    depth: f64,
) -> Result<Train<S>, SceneError> {
    if keys.axles.is_empty() {
        return Err(check
            .error(&place.key("axles"), format!("the train \"{}\" has no axles", keys.name))
            .with_help("write axles = [{ load = 300e3 }, { load = 300e3, behind = 1.2 }]"));
    }
    let list = place.key("axles");
    let mut axles = Vec::with_capacity(keys.axles.len());
    for (i, axle) in keys.axles.iter().enumerate() {
        let place = list.index(i);
        axles.push(Axle {
            load: check.positive(&place.key("load"), "the load of an axle", axle.load)?,
            behind: check.between(&place.key("behind"), "the distance of an axle", axle.behind, 0.0, LARGEST_LENGTH)?,
        });
    }
    let contact =
        check.length(&place.key("contact"), "the length of contact", keys.contact.unwrap_or(CONTACT_LENGTH))?;
    let function = match (keys.speed, &keys.distance) {
        (Some(speed), None) => {
            let speed = check.positive(&place.key("speed"), "the speed", speed)?;
            // longer than any scene
            let far = 2.0 * LARGEST_LENGTH;
            TimeFunction::Table(vec![(0.0, 0.0), (far / speed, far)])
        }
        (None, Some(function)) => actions::function_of(check, &place.key("distance"), function)?,
        (Some(_), Some(_)) => return Err(check.error(&place.key("distance"), "give `speed` or `distance`, not both")),
        (None, None) => {
            let message = format!("the train \"{}\" has neither `speed` nor `distance`", keys.name);
            return Err(check
                .error(place, message)
                .with_help("give `speed` [m/s], or `distance` as a function of time"));
        }
    };
    let start = check.point::<S>(&place.key("start"), "the start", &keys.start)?;
    let direction = check.vector::<S>(&place.key("direction"), "the direction", &keys.direction)?;
    let level = direction - S::UPWARDS * direction.dot(S::UPWARDS);
    if !(level.length() > 1e-9 * direction.length() && level.is_finite()) {
        return Err(check.error(&place.key("direction"), "the direction of travel is not horizontal"));
    }
    let path = Path::<S> { start, along: level / level.length(), depth };
    let pieces: Vec<DeckPiece<S>> = selected.iter().flat_map(|&body| path.pieces(body, &bodies[body])).collect();
    let poses: Vec<Pose<S>> = bodies.iter().map(|body| body.pose).collect();
    let deck = uppermost(&pieces, &poses, |point| point.dot(S::UPWARDS));
    if deck.is_empty() {
        let message = format!("the path of the train \"{}\" crosses none of these bodies", keys.name);
        return Err(check.error(&place.key("deck"), message).with_help("`start` and `direction` are in world axes"));
    }
    let dispersion = match &keys.dispersion {
        Some(keys) => Some(dispersion(check, &place.key("dispersion"), keys, &deck, bodies, &path)?),
        None => None,
    };
    Ok(Train { name: keys.name.clone(), axles, function, contact, deck, dispersion })
}

/// Spread of the axle loads: the depth of the fill is that above the deck as drawn.
fn dispersion<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &DispersionSpec,
    deck: &[DeckPiece<S>],
    bodies: &[Body<S>],
    path: &Path<S>,
) -> Result<Dispersion, SceneError> {
    let level = check.finite(&place.key("level"), "the level of the road", keys.level)?;
    let slope = check.between(&place.key("slope"), "the slope of the dispersion", keys.slope, 0.0, 10.0)?;
    let mut depth = Vec::with_capacity(2 * deck.len());
    for piece in deck {
        let height = |end: S::Vector| bodies[piece.body].pose.point(end).dot(S::UPWARDS);
        depth.extend(piece.range.iter().zip(piece.ends).map(|(s, end)| (*s, (level - height(end)).max(0.0))));
    }
    depth.sort_by(|a, b| a.0.total_cmp(&b.0));
    let widths = match keys.lane_width {
        None => None,
        Some(lane) => {
            let lane = check.length(&place.key("lane_width"), "the width of the lane", lane)?;
            Some([path.strip(deck, bodies), lane])
        }
    };
    Ok(Dispersion { slope, depth, widths })
}

/// A vertical plane.
struct Path<S: Space> {
    start: S::Vector,
    /// Horizontal, of length 1.
    along: S::Vector,
    /// Thickness of a 2D scene [m].
    depth: f64,
}

impl<S: Dimension> Path<S> {
    /// Distance along the path.
    fn distance(&self, point: S::Vector) -> f64 {
        (point - self.start).dot(self.along)
    }

    /// Extent of the deck across the path [m]; in 2D the depth of the scene, from mass, density and area of a body.
    fn strip(&self, deck: &[DeckPiece<S>], bodies: &[Body<S>]) -> f64 {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for piece in deck {
            let body = &bodies[piece.body];
            for point in &body.shape.surface(1.0).points {
                let arm = body.pose.point(S::Vector::from_slice(&point[..S::DIM])) - self.start;
                let across =
                    if S::DIM == 2 { 0.0 } else { self.along.get(0) * arm.get(1) - self.along.get(1) * arm.get(0) };
                (low, high) = (low.min(across), high.max(across));
            }
        }
        if S::DIM == 2 { self.depth } else { high - low }
    }

    /// Tops of a body under the path, as pieces.
    fn pieces(&self, index: usize, body: &Body<S>) -> Vec<DeckPiece<S>> {
        if !body.shape.size().is_finite() {
            return Vec::new();
        }
        let surface = body.shape.surface(1.0);
        let mut pieces = Vec::new();
        for polygon in &surface.polygons {
            let corners: Vec<S::Vector> = polygon
                .iter()
                .map(|&corner| body.pose.point(S::Vector::from_slice(&surface.points[corner as usize][..S::DIM])))
                .collect();
            pieces.extend(self.tops(&corners).into_iter().map(|ends| {
                let mut ends = ends;
                if self.distance(ends[0]) > self.distance(ends[1]) {
                    ends.swap(0, 1);
                }
                DeckPiece {
                    body: index,
                    range: ends.map(|end| self.distance(end)),
                    ends: ends.map(|end| body.pose.local_point(end)),
                }
            }));
        }
        pieces.retain(|piece| piece.range[1] - piece.range[0] > SHORTEST_PIECE);
        pieces
    }

    /// Intersection of the plane of the path with a face; in 2D the upward sides of the outline.
    fn tops(&self, corners: &[S::Vector]) -> Vec<[S::Vector; 2]> {
        let next = |i: usize| corners[(i + 1) % corners.len()];
        if S::DIM == 2 {
            // counter-clockwise: sides that run against the x axis are upward
            let side = |i: usize| [corners[i], next(i)];
            let looks_up = |[a, b]: &[S::Vector; 2]| a.get(0) - b.get(0) > LOOKS_UP * (*b - *a).length();
            return (0..corners.len()).map(side).filter(looks_up).collect();
        }
        if slope::<S>(corners) < LOOKS_UP {
            return Vec::new();
        }
        // distance of each corner from the plane, to the side
        let across = |point: S::Vector| {
            let arm = point - self.start;
            self.along.get(0) * arm.get(1) - self.along.get(1) * arm.get(0)
        };
        let mut cut = Vec::new();
        for (i, &a) in corners.iter().enumerate() {
            let b = next(i);
            let (da, db) = (across(a), across(b));
            // half-open interval, so that a corner in the plane counts once
            if (da < 0.0) != (db < 0.0) {
                cut.push(a + (b - a) * (da / (da - db)));
            }
        }
        cut.as_chunks::<2>().0.to_vec()
    }
}

/// Upward part of the unit normal of a plane polygon in space.
fn slope<S: Dimension>(corners: &[S::Vector]) -> f64 {
    let mut normal = [0.0; 3];
    for (i, a) in corners.iter().enumerate() {
        let (a, b) = (a.to_3d(), corners[(i + 1) % corners.len()].to_3d());
        for (k, n) in normal.iter_mut().enumerate() {
            let (u, v) = ((k + 1) % 3, (k + 2) % 3);
            *n += a[u] * b[v] - a[v] * b[u];
        }
    }
    let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
    if length > 0.0 { normal[2] / length } else { 0.0 }
}
