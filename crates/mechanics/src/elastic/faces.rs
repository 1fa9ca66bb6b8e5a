//! Interfaces of elastic blocks: contacts that share a plane, their contact coordinates, and grids of contacts.
//!
//! The contacts of two bodies with one normal are the corners of an interface. With a grid they are replaced by the
//! contacts of its cells ([`voussoir_elastic::interface`]): the gap of rigid bodies varies linearly over the plane, and
//! so do the gaps of the new contacts. Coordinates are a function of rounded places, so that blocks at rest, and equal
//! blocks with equal neighbours, share their condensation.

use std::collections::HashMap;

use voussoir_elastic::{CoordinateMode, PointWeights, grid_points};
use voussoir_geometry::{Aabb, Detection, Pose, Solid, Space, Vector, feature};

use super::body::ElasticBody;
use crate::model::Model;
use crate::state::ContactKey;
use crate::step::law::Contact;

/// Contact positions are rounded to this multiple of the extent of a block.
const PLACES: f64 = 1e-7;

/// Normals are rounded to this.
const NORMALS: f64 = 1e-7;

/// An interface lies on a face of the block if the face is at most this far away, relative to the extent of the block.
const NEAR: f64 = 0.02;

/// Contacts of one pair with normals that differ by less belong to one interface.
const SAME_NORMAL: f64 = 1e-12;

/// Gap of the outermost contacts of a round body, relative to the extent of the block.
const ROUND_GAP: f64 = 1e-3;

/// Interfaces smaller than this keep their corners, relative to the square of the extent (plane: the extent) of the
/// block.
const SMALL: f64 = 1e-6;

/// Contacts of two bodies in one plane, at least one of the bodies elastic.
#[derive(Clone, Debug)]
pub(crate) struct ContactInterface<S: Space> {
    /// Candidate and antagonist.
    pair: [usize; 2],
    /// From the antagonist to the candidate, world axes.
    normal: S::Vector,
    /// Corners in order around the interface, world axes [m].
    corners: Vec<S::Vector>,
    /// Position of the contacts.
    mode: CoordinateMode,
    /// Points of the mesh on which a round body lies; empty for other interfaces.
    points: Vec<u32>,
    /// Indices of the contacts, in the order of the contact coordinates.
    pub contacts: Vec<usize>,
}

impl<S: Space> ContactInterface<S> {
    /// True if the interface belongs to a body.
    pub fn touches(&self, body: usize) -> bool {
        self.pair.contains(&body)
    }

    /// Candidate and antagonist.
    pub fn pair(&self) -> [usize; 2] {
        self.pair
    }

    /// 0 for the candidate, 1 for the antagonist.
    pub fn side(&self, body: usize) -> usize {
        usize::from(self.pair[0] != body)
    }
}

/// Finds the interfaces of elastic blocks in order of their contacts, and replaces contacts by those of grids. Contacts
/// are sorted by key before and after.
pub(crate) fn find_interfaces<S: Space>(
    model: &Model<S>,
    poses: &[Pose<S>],
    detection: Detection,
    contacts: &mut Vec<Contact<S>>,
) -> Vec<ContactInterface<S>> {
    let mut all: Vec<Contact<S>> = Vec::with_capacity(contacts.len());
    let mut interfaces: Vec<(ContactInterface<S>, Vec<ContactKey>)> = Vec::new();
    let pair = |contact: &Contact<S>| [contact.key.candidate as usize, contact.key.antagonist as usize];
    for own in contacts.chunk_by(|a, b| pair(a) == pair(b)) {
        let pair = pair(&own[0]);
        let parts = pair.map(|body| model.elastic_part(body));
        let grid = parts.iter().flatten().map(|part| part.grid).max();
        let Some(grid) = grid else {
            all.extend_from_slice(own);
            continue;
        };
        if let Some((points, group)) = round_contact(model, poses, pair, own).filter(|_| grid > 0) {
            let keys = group.iter().map(|contact| contact.key).collect();
            let (normal, mode) = (own[0].point.normal, CoordinateMode::Corners);
            all.extend(group);
            let interface = ContactInterface { pair, normal, corners: Vec::new(), mode, points, contacts: Vec::new() };
            interfaces.push((interface, keys));
            continue;
        }
        let extent = parts.iter().flatten().map(|part| part.block.extent()).fold(f64::INFINITY, f64::min);
        let parts = parts_of_contacts(model, poses, detection, pair, own);
        let mut left: Vec<Contact<S>> = own.to_vec();
        while let Some(leader) = left.first().copied() {
            let normal = leader.point.normal;
            let part = |contact: &Contact<S>| parts.get(&contact.key.feature);
            let same = |contact: &Contact<S>| {
                contact.point.normal.dot(normal) > 1.0 - SAME_NORMAL && part(contact) == part(&leader)
            };
            let (mut group, rest): (Vec<Contact<S>>, Vec<Contact<S>>) = left.iter().partition(|contact| same(contact));
            left = rest;
            put_in_order(&mut group, normal);
            let corners: Vec<S::Vector> = group.iter().map(|contact| contact.point.position).collect();
            let cells = if grid > 0 && group.len() >= S::DIM { grid_of(&group, &leader, grid, extent) } else { None };
            let (mode, group) = cells.unwrap_or((CoordinateMode::Corners, group));
            let keys = group.iter().map(|contact| contact.key).collect();
            all.extend(group);
            let points = Vec::new();
            interfaces.push((ContactInterface { pair, normal, corners, mode, points, contacts: Vec::new() }, keys));
        }
    }
    all.sort_by_key(|contact| contact.key);
    *contacts = all;
    let index = |key: &ContactKey| contacts.binary_search_by_key(key, |contact| contact.key).unwrap_or_default();
    let numbered = |(interface, keys): (ContactInterface<S>, Vec<ContactKey>)| {
        let contacts = keys.iter().map(index).collect();
        ContactInterface { contacts, ..interface }
    };
    interfaces.into_iter().map(numbered).collect()
}

/// A disc or sphere on a face of an elastic block whose elements are small compared with it: the points of the mesh that are nearer to
/// it than a thousandth of the extent of the block, with contacts towards its centre. `None` for other pairs.
fn round_contact<S: Space>(
    model: &Model<S>,
    poses: &[Pose<S>],
    pair: [usize; 2],
    own: &[Contact<S>],
) -> Option<(Vec<u32>, Vec<Contact<S>>)> {
    let side = pair.iter().position(|&body| model.elastic_part(body).is_some())?;
    let (body, other) = (pair[side], pair[1 - side]);
    let (radius, part) = (model.bodies[other].shape.centred_ball()?, model.elastic_part(body)?);
    let [contact] = own else { return None };
    let (pose, centre) = (&poses[body], poses[other].position);
    // from the antagonist to the candidate: out of the block if it is the antagonist
    let sign = if side == 1 { 1.0 } else { -1.0 };
    let local = |x: S::Vector| S::unrotate(pose.rotation, x - pose.position);
    let outward = S::unrotate(pose.rotation, contact.point.normal * sign).to_3d();
    let place = local(contact.point.position);
    let reach = (2.0 * radius * ROUND_GAP * part.block.extent()).sqrt();
    let around = part.block.nearest(place.to_3d());
    let found = part.block.points_around(place.to_3d(), outward, reach);
    let near = |point: u32| {
        let way = |at: &[f64; 3]| (S::Vector::from_slice(&at[..S::DIM]) - place).length();
        found.iter().any(|(p, at, _)| *p == point && way(at) <= 0.5 * reach)
    };
    if around.is_empty() || !around.iter().all(|&(point, _)| near(point)) {
        return None;
    }
    let contact = |(point, at, area): &(u32, [f64; 3], f64)| {
        let x = pose.point(S::Vector::from_slice(&at[..S::DIM]));
        let way = centre - x;
        let mut contact = *contact;
        (contact.point.position, contact.point.area) = (x, *area);
        contact.point.normal = way * (sign / way.length());
        contact.point.gap = way.length() - radius;
        contact.point.feature = feature::of_part(contact.key.feature, *point as usize, 0);
        contact.key.feature = contact.point.feature;
        contact
    };
    Some((found.iter().map(|(p, ..)| *p).collect(), found.iter().map(contact).collect()))
}

/// Parts of compounds that the contacts of a pair belong to: parts of the candidate and of the antagonist by feature.
/// Empty if neither body is a compound, whose faces are interfaces of their own.
fn parts_of_contacts<S: Space>(
    model: &Model<S>,
    poses: &[Pose<S>],
    detection: Detection,
    pair: [usize; 2],
    contacts: &[Contact<S>],
) -> HashMap<u64, [usize; 2]> {
    let mut found = HashMap::new();
    let shapes = pair.map(|body| &*model.bodies[body].shape);
    let compounds = shapes.map(|shape| shape.parts());
    if compounds.iter().all(Option::is_none) {
        return found;
    }
    let cells = [0, 1].map(|side| compounds[side].unwrap_or(std::slice::from_ref(shapes[side])));
    let farthest = contacts.iter().map(|contact| contact.point.gap).fold(0.0, f64::max);
    let distance = farthest * (1.0 + 1e-9) + model.joints.thickest() + SMALL;
    let bounds = [0, 1].map(|side| -> Vec<Aabb<S>> {
        cells[side].iter().map(|cell| cell.bounds(&poses[pair[side]]).grown(0.5 * distance)).collect()
    });
    let mut points = Vec::new();
    for (i, one) in cells[0].iter().enumerate() {
        for (j, other) in cells[1].iter().enumerate().filter(|(j, _)| bounds[0][i].overlaps(&bounds[1][*j])) {
            points.clear();
            one.collide_by(&poses[pair[0]], other, &poses[pair[1]], distance, detection, &mut points);
            for point in &points {
                // inverse of the identifiers that the detection of compounds creates
                let mut name = point.feature;
                if compounds[1].is_some() {
                    name = feature::of_part(name, j, 1);
                }
                if compounds[0].is_some() {
                    name = feature::of_part(name, i, 0);
                }
                found.insert(name, [i, j]);
            }
        }
    }
    found
}

/// Contacts of the cells of an interface; `None` for interfaces without extent.
fn grid_of<S: Space>(
    group: &[Contact<S>],
    leader: &Contact<S>,
    cells: usize,
    extent: f64,
) -> Option<(CoordinateMode, Vec<Contact<S>>)> {
    let places: Vec<[f64; 3]> = group.iter().map(|contact| contact.point.position.to_3d()).collect();
    let mode = if S::DIM == 2 { CoordinateMode::Grid(cells) } else { CoordinateMode::grid(&places, cells) };
    let points = points_of(&places, S::DIM, mode);
    let area: f64 = points.iter().map(|(_, area)| area).sum();
    if area.is_nan() || area <= SMALL * extent.powi(S::DIM as i32 - 1) {
        return None;
    }
    let gap = linear_gap(group, leader.point.normal);
    let first = group.iter().map(|contact| contact.point.feature).min()?;
    let contact = |(k, (place, area)): (usize, &([f64; 3], f64))| {
        let mut contact = *leader;
        contact.point.position = S::Vector::from_slice(&place[..S::DIM]);
        contact.point.area = *area;
        contact.point.gap = gap(contact.point.position);
        contact.point.feature = feature::of_part(first, k, 0);
        contact.key.feature = contact.point.feature;
        contact
    };
    Some((mode, points.iter().enumerate().map(contact).collect()))
}

/// Places and areas of the contacts of a grid.
fn points_of(corners: &[[f64; 3]], dim: usize, mode: CoordinateMode) -> Vec<([f64; 3], f64)> {
    if dim == 3 {
        return grid_points(corners, mode);
    }
    let flat: Vec<[f64; 2]> = corners.iter().map(|p| [p[0], p[1]]).collect();
    grid_points(&flat, mode).into_iter().map(|(p, area)| ([p[0], p[1], 0.0], area)).collect()
}

/// The gap as a linear function of the place in the plane of the interface: least squares.
fn linear_gap<S: Space>(group: &[Contact<S>], normal: S::Vector) -> impl Fn(S::Vector) -> f64 {
    let count = group.len() as f64;
    let centre = group.iter().fold(S::zero(), |sum, contact| sum + contact.point.position) / count;
    let mean = group.iter().map(|contact| contact.point.gap).sum::<f64>() / count;
    let mut axes = Vec::new();
    S::frame(normal, &mut axes);
    let (first, second) = (axes[1], axes[S::DIM - 1]);
    let (mut a, mut b, mut c, mut d, mut e) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for contact in group {
        let (way, gap) = (contact.point.position - centre, contact.point.gap - mean);
        let (x, y) = (way.dot(first), way.dot(second));
        (a, b, c, d, e) = (a + x * x, b + x * y, c + y * y, d + x * gap, e + y * gap);
    }
    let slope = if S::DIM == 2 {
        first * (d / a)
    } else {
        let det = a * c - b * b;
        first * ((d * c - e * b) / det) + second * ((a * e - b * d) / det)
    };
    move |place| mean + (place - centre).dot(slope)
}

/// Sorts contacts around their centre (plane: along the interface), from the one with the smallest key.
fn put_in_order<S: Space>(group: &mut [Contact<S>], normal: S::Vector) {
    let count = group.len() as f64;
    let centre = group.iter().fold(S::zero(), |sum, contact| sum + contact.point.position) / count;
    let mut axes = Vec::new();
    S::frame(normal, &mut axes);
    let place = |contact: &Contact<S>| {
        let way = contact.point.position - centre;
        if S::DIM == 2 { way.dot(axes[1]) } else { way.dot(axes[2]).atan2(way.dot(axes[1])) }
    };
    group.sort_by(|a, b| place(a).total_cmp(&place(b)));
    if S::DIM == 3 {
        // an angle of 180 degrees may be computed with either sign
        let first = (0..group.len()).min_by_key(|&k| group[k].key).unwrap_or_default();
        group.rotate_left(first);
    }
}

/// Interfaces of a body as rounded numbers: first the unit of the places; then, of each interface, the number of
/// corners, the contact coordinates, the outward normal and the corners in body axes.
pub(crate) fn question<S: Space>(
    interfaces: &[&ContactInterface<S>],
    body: usize,
    pose: &Pose<S>,
    extent: f64,
) -> Vec<i64> {
    let unit = PLACES * extent;
    let mut key = vec![unit.to_bits() as i64];
    for interface in interfaces {
        let outward = if interface.side(body) == 0 { -interface.normal } else { interface.normal };
        let (kind, cells) = match interface.mode {
            CoordinateMode::Corners => (0, 0),
            CoordinateMode::Grid(cells) => (1, cells),
            CoordinateMode::Parallelograms(cells) => (2, cells),
        };
        if !interface.points.is_empty() {
            key.extend([interface.points.len() as i64, 3, 0, 0, 0, 0]);
            key.extend(interface.points.iter().flat_map(|&point| [i64::from(point), 0, 0]));
            continue;
        }
        key.extend([interface.corners.len() as i64, kind, cells as i64]);
        key.extend(S::unrotate(pose.rotation, outward).to_3d().map(|x| (x / NORMALS).round() as i64));
        for corner in &interface.corners {
            let place = S::unrotate(pose.rotation, *corner - pose.position).to_3d();
            key.extend(place.map(|x| (x / unit).round() as i64));
        }
    }
    key
}

/// Weights of contact coordinates: of plane interfaces, else at the nearest points.
pub(crate) fn coordinates(block: &dyn ElasticBody, key: &[i64]) -> Vec<PointWeights> {
    let unit = f64::from_bits(key[0] as u64);
    let near = NEAR * unit / PLACES;
    let (mut weights, mut rest) = (Vec::new(), &key[1..]);
    while !rest.is_empty() {
        let (head, tail) = rest.split_at(6);
        let (numbers, tail) = tail.split_at(head[0] as usize * 3);
        rest = tail;
        if head[1] == 3 {
            weights.extend(numbers.as_chunks::<3>().0.iter().map(|own| vec![(own[0] as u32, 1.0)]));
            continue;
        }
        let outward: [f64; 3] = std::array::from_fn(|c| head[3 + c] as f64 * NORMALS);
        let places: Vec<[f64; 3]> = numbers.as_chunks::<3>().0.iter().map(|x| x.map(|x| x as f64 * unit)).collect();
        let mode = match head[1] {
            0 => CoordinateMode::Corners,
            1 => CoordinateMode::Grid(head[2] as usize),
            _ => CoordinateMode::Parallelograms(head[2] as usize),
        };
        let found = if places.len() > 1 { block.interface(&places, outward, near, mode) } else { None };
        weights.extend(found.unwrap_or_else(|| {
            let grid = || points_of(&places, block.dimension(), mode).into_iter().map(|(place, _)| place).collect();
            let points = if mode == CoordinateMode::Corners { places.clone() } else { grid() };
            points.iter().map(|place| block.nearest(*place)).collect()
        }));
    }
    weights
}
