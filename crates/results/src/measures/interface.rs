//! Interfaces: resultants of all contacts between two bodies.
//!
//! F = Σ f,  N = Σ fₙ,  T = Σ f_T, and the centre of pressure x_p = Σ fₙ x / Σ fₙ. The torque is about x_p.

use voussoir_mechanics::snapshot::{ContactSnapshot, Snapshot};

use crate::vector::{Vec3, add, cross, dot, length, scale, sub, unit};

/// Resultant of all contacts between two bodies, at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct InterfaceResultant {
    /// Candidate, on which the force acts, and antagonist.
    pub bodies: [u32; 2],
    /// Force on the candidate, world axes [N].
    pub force: Vec3,
    /// Sum of the normal forces, ≥ 0 [N].
    pub normal_force: f64,
    /// Magnitude of the sum of the tangential forces [N].
    pub tangential_force: f64,
    /// Centre of pressure [m]; the mean of the points without force.
    pub centre: Vec3,
    /// Torque on the candidate about the centre of pressure, world axes [N·m].
    pub moment: Vec3,
    /// Mean normal, from antagonist to candidate; length 1.
    pub normal: Vec3,
    /// Smallest friction coefficient among the contacts.
    pub friction: f64,
    /// Sum of the areas [m²]; in 2D of the lengths [m].
    pub area: f64,
    /// Largest gap, ≥ 0 [m].
    pub opening: f64,
    /// Largest damage, 0 intact … 1 broken.
    pub damage: f64,
    /// Largest accumulated slip of a contact [m].
    pub slip: f64,
    /// 0 if all contacts are open, 2 if all contacts with a force slide, 1 otherwise.
    pub status: u8,
    /// Number of contacts.
    pub contacts: usize,
}

impl InterfaceResultant {
    /// ‖F‖ [N].
    pub fn size(&self) -> f64 {
        length(self.force)
    }

    /// Friction utilisation ‖T‖/(μN): slip at 1. Zero without force.
    pub fn friction_use(&self) -> f64 {
        let limit = self.friction * self.normal_force;
        if limit > 0.0 { self.tangential_force / limit } else { 0.0 }
    }

    /// True if the interface carries a force.
    pub fn carries(&self) -> bool {
        self.normal_force > 0.0 && self.size().is_finite()
    }
}

/// All interfaces at one time, ordered by bodies.
pub fn interfaces(snapshot: &Snapshot) -> Vec<InterfaceResultant> {
    let mut contacts: Vec<&ContactSnapshot> = snapshot.contacts.iter().collect();
    contacts.sort_by_key(|contact| contact.bodies);
    contacts.chunk_by(|a, b| a.bodies == b.bodies).map(sum).collect()
}

/// Sums the contacts of one interface; there is at least one.
fn sum(contacts: &[&ContactSnapshot]) -> InterfaceResultant {
    let mut all = InterfaceResultant {
        bodies: contacts[0].bodies,
        force: [0.0; 3],
        normal_force: 0.0,
        tangential_force: 0.0,
        centre: [0.0; 3],
        moment: [0.0; 3],
        normal: [0.0; 3],
        friction: f64::INFINITY,
        area: 0.0,
        opening: 0.0,
        damage: 0.0,
        slip: 0.0,
        status: 0,
        contacts: contacts.len(),
    };
    let (mut mean, mut tangential) = ([0.0; 3], [0.0; 3]);
    let (mut carrying, mut sliding) = (0, 0);
    for contact in contacts {
        // rounding in a file may leave a very small tension
        let normal = dot(contact.force, contact.normal).max(0.0);
        all.force = add(all.force, contact.force);
        all.normal_force += normal;
        tangential = add(tangential, sub(contact.force, scale(contact.normal, normal)));
        all.centre = add(all.centre, scale(contact.position, normal));
        all.normal = add(all.normal, contact.normal);
        all.friction = all.friction.min(contact.friction);
        all.area += contact.area;
        all.opening = all.opening.max(contact.gap);
        all.damage = all.damage.max(contact.damage);
        all.slip = all.slip.max(contact.slip);
        mean = add(mean, contact.position);
        carrying += usize::from(contact.status != 0);
        sliding += usize::from(contact.status == 2);
    }
    all.tangential_force = length(tangential);
    all.normal = unit(all.normal);
    all.centre = if all.normal_force > 0.0 {
        scale(all.centre, 1.0 / all.normal_force)
    } else {
        scale(mean, 1.0 / contacts.len() as f64)
    };
    for contact in contacts {
        all.moment = add(all.moment, cross(sub(contact.position, all.centre), contact.force));
    }
    all.status = match (carrying, sliding) {
        (0, _) => 0,
        (carrying, sliding) if carrying == sliding => 2,
        _ => 1,
    };
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(position: Vec3, force: Vec3) -> ContactSnapshot {
        ContactSnapshot {
            bodies: [3, 1],
            position,
            force,
            normal: [0.0, 0.0, 1.0],
            area: 0.25,
            friction: 0.5,
            status: 1,
            ..Default::default()
        }
    }

    #[test]
    fn the_resultant_acts_at_the_centre_of_pressure() {
        let contacts = vec![contact([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]), contact([1.0, 0.0, 0.0], [1.0, 0.0, 3.0])];
        let all = interfaces(&Snapshot { contacts, ..Default::default() });
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].force, [1.0, 0.0, 4.0]);
        assert_eq!(all[0].centre, [0.75, 0.0, 0.0]);
        assert_eq!((all[0].normal_force, all[0].tangential_force, all[0].area), (4.0, 1.0, 0.5));
        assert_eq!(all[0].friction_use(), 0.5);
        // forces parallel to the arm and balanced normal forces give no torque
        assert_eq!(all[0].moment, [0.0; 3]);
    }

    #[test]
    fn open_interfaces_say_how_far() {
        let mut open = contact([0.0; 3], [0.0; 3]);
        (open.gap, open.status) = (2e-3, 0);
        let all =
            interfaces(&Snapshot { contacts: vec![open, ContactSnapshot { gap: 5e-3, ..open }], ..Default::default() });
        assert_eq!((all[0].opening, all[0].status, all[0].carries()), (5e-3, 0, false));
    }
}
