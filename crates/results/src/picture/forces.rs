//! Forces between bodies: all contacts of an interface summed, at their centre of pressure.

use std::collections::BTreeMap;

use voussoir_mechanics::snapshot::Snapshot;

use super::{Vec3, add, dot, length, scale};

/// What one body does to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    /// Centre of pressure, world axes [m].
    pub point: Vec3,
    /// Force on the candidate, world axes [N].
    pub force: Vec3,
}

impl Force {
    /// ‖F‖ [N].
    pub fn size(&self) -> f64 {
        length(self.force)
    }
}

/// All interfaces that carry something, ordered by bodies.
pub fn between_bodies(snapshot: &Snapshot) -> Vec<Force> {
    // Σ f, Σ fₙ x, Σ fₙ
    let mut sums: BTreeMap<[u32; 2], (Vec3, Vec3, f64)> = BTreeMap::new();
    for contact in &snapshot.contacts {
        let normal = dot(contact.force, contact.normal).max(0.0);
        let sum = sums.entry(contact.bodies).or_default();
        sum.0 = add(sum.0, contact.force);
        sum.1 = add(sum.1, scale(contact.position, normal));
        sum.2 += normal;
    }
    let carrying = sums.into_values().filter(|(force, _, normal)| *normal > 0.0 && length(*force).is_finite());
    carrying.map(|(force, moment, normal)| Force { point: scale(moment, 1.0 / normal), force }).collect()
}
