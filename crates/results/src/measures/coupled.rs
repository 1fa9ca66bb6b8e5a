//! Point forces by the coupled rule (Perales 2007, chapter 4).
//!
//! The distribution of the force of a face over its points is not unique between rigid blocks. The rule selects normal
//! forces linear in position and tangential forces proportional to the normal forces along the edges of the face, with
//! the same resultant force and torque ([`Face::coupled`]); in 2D Tᵢ = T Nᵢ/N. If the rule would give tension at a
//! point or leave the friction cone (a part of the face opens, or it rotates while it slides), the forces of the solver
//! are kept.

use voussoir_mechanics::contact::face_element::Face;
use voussoir_mechanics::snapshot::{ContactSnapshot, Snapshot};

use crate::vector::{Vec3, add, cross, dot, length, scale, sub, unit};

/// Largest difference of normals in one plane.
const SAME_NORMAL: f64 = 1e-9;
/// Rounding tolerance of cones.
const CONE_SLACK: f64 = 1e-6;

/// Distributes the force of every plane interface over its points by the rule.
pub fn couple(snapshot: &mut Snapshot, dimension: usize) {
    let mut order: Vec<usize> = (0..snapshot.contacts.len()).collect();
    order.sort_by_key(|&i| snapshot.contacts[i].bodies);
    let bodies: Vec<[u32; 2]> = snapshot.contacts.iter().map(|contact| contact.bodies).collect();
    for pair in order.chunk_by(|&a, &b| bodies[a] == bodies[b]) {
        let mut left: Vec<usize> = pair.to_vec();
        while let Some(&first) = left.first() {
            let normal = snapshot.contacts[first].normal;
            let (face, others): (Vec<usize>, Vec<usize>) =
                left.iter().partition(|&&i| dot(snapshot.contacts[i].normal, normal) > 1.0 - SAME_NORMAL);
            let contacts: Vec<ContactSnapshot> = face.iter().map(|&i| snapshot.contacts[i]).collect();
            let shared = if dimension == 2 { share_line(&contacts) } else { share_face(&contacts) };
            for (i, force) in face.iter().zip(shared.into_iter().flatten()) {
                snapshot.contacts[*i].force = force;
            }
            left = others;
        }
    }
}

/// Forces of the points of a face in 3D; `None` if the rule does not apply.
fn share_face(contacts: &[ContactSnapshot]) -> Option<Vec<Vec3>> {
    if contacts.len() < 3 {
        return None;
    }
    let n = contacts[0].normal;
    let aside = if n[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let t1 = unit(cross(n, aside));
    let t2 = cross(n, t1);
    let middle = scale(contacts.iter().fold([0.0; 3], |sum, c| add(sum, c.position)), 1.0 / contacts.len() as f64);
    let at = |contact: &ContactSnapshot| {
        let arm = sub(contact.position, middle);
        [dot(arm, t1), dot(arm, t2)]
    };
    // in order around the centre
    let mut order: Vec<usize> = (0..contacts.len()).collect();
    let angle = |i: usize| {
        let [x, y] = at(&contacts[i]);
        y.atan2(x)
    };
    order.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
    let face = Face {
        contacts: (0..contacts.len() as u32).collect(),
        points: order.iter().map(|&i| at(&contacts[i])).collect(),
    };
    let parts: Vec<Vec3> = order.iter().map(|&i| [n, t1, t2].map(|axis| dot(contacts[i].force, axis))).collect();
    let coupled = face.coupled(&parts)?;
    let mut forces = vec![[0.0; 3]; contacts.len()];
    for (&i, r) in order.iter().zip(&coupled) {
        forces[i] = add(scale(n, r[0]), add(scale(t1, r[1]), scale(t2, r[2])));
    }
    admissible(contacts, &forces).then_some(forces)
}

/// Forces of the points of a joint in 2D: their normal parts are determined.
fn share_line(contacts: &[ContactSnapshot]) -> Option<Vec<Vec3>> {
    let normal = |contact: &ContactSnapshot| dot(contact.force, contact.normal);
    let all: f64 = contacts.iter().map(normal).sum();
    if contacts.len() != 2 || all <= 0.0 {
        return None;
    }
    let tangential = contacts.iter().fold([0.0; 3], |sum, c| add(sum, sub(c.force, scale(c.normal, normal(c)))));
    let share = |c: &ContactSnapshot| add(scale(c.normal, normal(c)), scale(tangential, normal(c) / all));
    let forces: Vec<Vec3> = contacts.iter().map(share).collect();
    admissible(contacts, &forces).then_some(forces)
}

/// True if every point is in compression, inside its friction cone. Bonds may carry more: their forces are kept.
fn admissible(contacts: &[ContactSnapshot], forces: &[Vec3]) -> bool {
    let largest = forces.iter().map(|force| length(*force)).fold(0.0, f64::max);
    contacts.iter().zip(forces).all(|(contact, force)| {
        let normal = dot(*force, contact.normal);
        let tangential = length(sub(*force, scale(contact.normal, normal)));
        normal >= -CONE_SLACK * largest && tangential <= contact.friction * normal + CONE_SLACK * largest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 5.5 of Perales (2007): cube of 1 m and 1000 kg, Fx = 1000 N and Mz = −100 N·m, sticking.
    #[test]
    fn the_corners_of_a_cube_share_as_printed() {
        let corner = |x: f64, y: f64, force: Vec3| ContactSnapshot {
            bodies: [1, 0],
            position: [x, y, 0.0],
            normal: [0.0, 0.0, 1.0],
            force,
            friction: 0.4,
            status: 1,
            ..Default::default()
        };
        // any forces with the right resultants: F = (−1000, 0, 9810), torques of the lever arm 0.5 m and of Mz
        let contacts = vec![
            corner(0.0, 0.0, [-450.0, 0.0, 2202.5 + 100.0]),
            corner(1.0, 0.0, [0.0, 0.0, 2702.5 - 100.0]),
            corner(1.0, 1.0, [0.0, 0.0, 2702.5 + 100.0]),
            corner(0.0, 1.0, [-550.0, 50.0 - 50.0, 2202.5 - 100.0]),
        ];
        let moment = |contacts: &[ContactSnapshot]| {
            contacts.iter().map(|c| cross(sub(c.position, [0.5, 0.5, 0.0]), c.force)[2]).sum::<f64>()
        };
        let mut snapshot = Snapshot { contacts, ..Default::default() };
        let before = moment(&snapshot.contacts);
        couple(&mut snapshot, 3);
        assert!((before - moment(&snapshot.contacts)).abs() < 1e-9);
        let normals: Vec<f64> = snapshot.contacts.iter().map(|c| c.force[2]).collect();
        for (found, printed) in normals.iter().zip([2202.5, 2702.5, 2702.5, 2202.5]) {
            assert!((found - printed).abs() < 1e-6, "{normals:?}");
        }
        assert!((snapshot.contacts.iter().map(|c| c.force[0]).sum::<f64>() + 1000.0).abs() < 1e-9);
    }

    #[test]
    fn in_2d_friction_is_shared_like_pressure() {
        let node = |x: f64, force: Vec3| ContactSnapshot {
            bodies: [1, 0],
            position: [x, 0.0, 0.0],
            normal: [0.0, 1.0, 0.0],
            force,
            friction: 0.4,
            ..Default::default()
        };
        // V1.1: 20 N on a block of 98.1 N
        let mut snapshot = Snapshot {
            contacts: vec![node(0.0, [-17.0, 44.05, 0.0]), node(0.2, [-3.0, 54.05, 0.0])],
            ..Default::default()
        };
        couple(&mut snapshot, 2);
        for (contact, printed) in snapshot.contacts.iter().zip([-8.98, -11.02]) {
            assert!((contact.force[0] - printed).abs() < 5e-3);
        }
    }
}
