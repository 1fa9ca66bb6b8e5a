//! Utilisation of a joint in compression: the pressure of a rectangular stress block.
//!
//! A joint without tension that carries N at the centre of pressure x_p can do so with a uniform pressure on the part of its
//! face that is symmetric about x_p, A′ = P ∩ (2x_p − P): σ = N/A′. In 2D, and for a rectangle that is eccentric in one
//! direction, that is N/(2 b′ w) with b′ the distance from x_p to the nearer edge. At the compressive strength the joint
//! crushes; a thrust line at the edge gives infinity.

use voussoir_mechanics::snapshot::{Cast, ContactSnapshot, Snapshot};

use crate::vector::{Vec3, add, cross, dot, scale, sub, unit};

/// Pressure of the stress block of the contacts of one plane joint [Pa]; NaN without force.
/// `depth` is the thickness of a 2D structure [m], 1 in 3D.
pub fn joint_stress(contacts: &[&ContactSnapshot], dimension: usize, depth: f64) -> f64 {
    let normal_force = |contact: &ContactSnapshot| dot(contact.force, contact.normal).max(0.0);
    let all: f64 = contacts.iter().map(|contact| normal_force(contact)).sum();
    if all <= 0.0 {
        return f64::NAN;
    }
    let sum = contacts.iter().fold([0.0; 3], |sum, contact| add(sum, scale(contact.position, normal_force(contact))));
    let centre = scale(sum, 1.0 / all);
    let normal = unit(contacts.iter().fold([0.0; 3], |sum, contact| add(sum, contact.normal)));
    let arms: Vec<Vec3> = contacts.iter().map(|contact| sub(contact.position, centre)).collect();
    all / match dimension {
        2 => {
            let along = [-normal[1], normal[0], 0.0];
            let places = || arms.iter().map(|arm| dot(*arm, along));
            let (low, high) = (places().fold(0.0, f64::min), places().fold(0.0, f64::max));
            2.0 * (-low).min(high) * depth
        }
        _ => {
            let aside = if normal[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            let t1 = unit(cross(normal, aside));
            let t2 = cross(normal, t1);
            symmetric_area(&hull(arms.iter().map(|arm| [dot(*arm, t1), dot(*arm, t2)]).collect()))
        }
    }
}

/// Thickness of a 2D structure by the volume and the outline of a body; 1 in 3D.
pub fn depth_of(cast: &Cast, body: usize) -> f64 {
    let body = &cast.bodies[body];
    if cast.dimension != 2 || body.volume <= 0.0 {
        return 1.0;
    }
    let outline = |polygon: &Vec<u32>| {
        let points: Vec<[f64; 2]> = polygon
            .iter()
            .map(|&corner| {
                let [x, y, _] = body.surface().points[corner as usize];
                [x, y]
            })
            .collect();
        area(&points)
    };
    let area = match body.ball() {
        Some(radius) => std::f64::consts::PI * radius * radius,
        None => body.surface().polygons.iter().map(outline).sum(),
    };
    if area > 0.0 { body.volume / area } else { 1.0 }
}

/// Largest pressure of the joints between two sets of bodies [Pa]; NaN without force.
pub fn largest_joint_stress(cast: &Cast, snapshot: &Snapshot, joins: impl Fn([u32; 2]) -> bool) -> f64 {
    let mut contacts: Vec<&ContactSnapshot> =
        snapshot.contacts.iter().filter(|contact| joins(contact.bodies)).collect();
    contacts.sort_by_key(|contact| contact.bodies);
    let of = |joint: &[&ContactSnapshot]| {
        let depth = joint[0].bodies.map(|body| depth_of(cast, body as usize));
        joint_stress(joint, cast.dimension, depth[0])
    };
    contacts.chunk_by(|a, b| a.bodies == b.bodies).map(of).fold(f64::NAN, f64::max)
}

/// Area of a polygon with its corners in order.
fn area(points: &[[f64; 2]]) -> f64 {
    let twice: f64 = (0..points.len())
        .map(|i| {
            let ([x, y], [u, v]) = (points[i], points[(i + 1) % points.len()]);
            x * v - u * y
        })
        .sum();
    0.5 * twice.abs()
}

/// The convex hull, counter-clockwise.
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turns = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let mut chain: Vec<[f64; 2]> = Vec::new();
    for half in 0..2 {
        let start = chain.len();
        let way: Vec<[f64; 2]> = if half == 0 { points.clone() } else { points.iter().rev().copied().collect() };
        for point in way {
            while chain.len() >= start + 2 && turns(chain[chain.len() - 2], chain[chain.len() - 1], point) <= 0.0 {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
    }
    chain
}

/// Area of the part of a convex polygon that is symmetric about the origin.
fn symmetric_area(polygon: &[[f64; 2]]) -> f64 {
    let mut kept = polygon.to_vec();
    for i in 0..polygon.len() {
        // the side from a to b of the mirror image; inside is to the left
        let (a, b) = (polygon[i].map(|x| -x), polygon[(i + 1) % polygon.len()].map(|x| -x));
        let left = |p: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        let mut next = Vec::with_capacity(kept.len() + 1);
        for (k, &p) in kept.iter().enumerate() {
            let q = kept[(k + 1) % kept.len()];
            let (at_p, at_q) = (left(p), left(q));
            if at_p >= 0.0 {
                next.push(p);
            }
            if (at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0) {
                let t = at_p / (at_p - at_q);
                next.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
            }
        }
        kept = next;
    }
    area(&kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f64, y: f64, force: f64) -> ContactSnapshot {
        ContactSnapshot {
            position: [x, y, 0.0],
            normal: [0.0, 0.0, 1.0],
            force: [0.0, 0.0, force],
            ..Default::default()
        }
    }

    #[test]
    fn a_rectangle_loaded_off_its_middle_carries_on_what_is_symmetric() {
        // 2 m × 1 m, 600 N a quarter of the length from the centre: on 1 m × 1 m
        let contacts =
            [corner(-1.0, -0.5, 75.0), corner(1.0, -0.5, 225.0), corner(1.0, 0.5, 225.0), corner(-1.0, 0.5, 75.0)];
        let all: Vec<&ContactSnapshot> = contacts.iter().collect();
        assert!((joint_stress(&all, 3, 1.0) - 600.0).abs() < 1e-9);
        // eccentric in both directions: on 1 m × 0.5 m
        let contacts = [
            corner(-1.0, -0.5, 0.25 * 0.25 * 600.0),
            corner(1.0, -0.5, 0.75 * 0.25 * 600.0),
            corner(1.0, 0.5, 0.75 * 0.75 * 600.0),
            corner(-1.0, 0.5, 0.25 * 0.75 * 600.0),
        ];
        let all: Vec<&ContactSnapshot> = contacts.iter().collect();
        assert!((joint_stress(&all, 3, 1.0) - 1200.0).abs() < 1e-9);
    }

    #[test]
    fn in_2d_it_is_the_distance_to_the_nearer_edge() {
        let node = |x: f64, force: f64| ContactSnapshot {
            position: [x, 0.0, 0.0],
            normal: [0.0, 1.0, 0.0],
            force: [0.0, force, 0.0],
            ..Default::default()
        };
        let (a, b) = (node(0.0, 300.0), node(0.4, 100.0));
        // centre at 0.1 m: on 0.2 m × 0.5 m
        assert!((joint_stress(&[&a, &b], 2, 0.5) - 4000.0).abs() < 1e-9);
        assert!(joint_stress(&[&node(0.0, 0.0)], 2, 0.5).is_nan());
        assert_eq!(joint_stress(&[&node(0.0, 1.0), &node(0.4, 0.0)], 2, 0.5), f64::INFINITY);
    }
}
