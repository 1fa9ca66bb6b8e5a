//! A structure at rest, or at the onset of motion, as a frame of a recording.

use voussoir_geometry::{Pose, Space, Vector};
use voussoir_mechanics::ContactRecord;
use voussoir_mechanics::contacts::ContactStatus;
use voussoir_mechanics::snapshot::{CableSnapshot, ContactSnapshot, Snapshot, body_snapshot, contact_snapshot};

use crate::cable::Fitted;
use crate::mechanism::Mechanism;
use crate::structure::Structure;

/// Contacts that carry less than this share of the mean load of a block are open.
const NEGLIGIBLE_FORCE: f64 = 1e-9;

/// Friction use from which a contact slides.
const SLIDING_USE: f64 = 1.0 - 1e-6;

/// A frame of a structure with its forces; velocities are those of the mechanism.
pub fn frame<S: Space>(structure: &Structure<S>, mechanism: Option<&Mechanism>, time: f64) -> Snapshot {
    let unit = structure.unit_of(&structure.dead_load(time, None));
    let mut snapshot = placed(&structure.poses, &structure.contacts, unit, time);
    let shown = |fitted: &Fitted<S>| CableSnapshot {
        points: fitted.cable.way(&structure.poses).into_iter().map(Vector::to_3d).collect(),
        force: fitted.tension(time),
    };
    // cables of the model keep their places in the list, others follow
    let of = |name: &str| structure.cables.iter().find(|fitted| !fitted.pressure && fitted.cable.name == name);
    let known = |fitted: &&Fitted<S>| {
        fitted.pressure || structure.model.cables.iter().any(|cable| cable.name == fitted.cable.name)
    };
    let own = structure.model.cables.iter().map(|cable| of(&cable.name).map_or_else(CableSnapshot::default, shown));
    snapshot.cables = own.chain(structure.cables.iter().filter(|fitted| !known(fitted)).map(shown)).collect();
    if let Some(mechanism) = mechanism {
        for motion in &mechanism.bodies {
            if let Some(body) = structure.model.bodies.iter().position(|body| body.name == motion.name) {
                (snapshot.bodies[body].velocity, snapshot.bodies[body].spin) = (motion.velocity, motion.spin);
            }
        }
    }
    snapshot
}

/// Bodies at rest at some places, with contacts and their forces. `unit` is the mean load of a block [N].
pub fn placed<S: Space>(poses: &[Pose<S>], contacts: &[ContactRecord<S>], unit: f64, time: f64) -> Snapshot {
    let body = |pose: &Pose<S>| body_snapshot((pose, &[0.0; 6][..S::DOFS]));
    let contact = |contact: &ContactRecord<S>| {
        let normal = contact.force.dot(contact.normal);
        let shear = (contact.force - contact.normal * normal).length();
        let status = match contact.force.length() > NEGLIGIBLE_FORCE * unit {
            false => ContactStatus::Open,
            true if shear >= SLIDING_USE * contact.friction * normal => ContactStatus::Slide,
            true => ContactStatus::Stick,
        };
        ContactSnapshot { status: status as u8, ..contact_snapshot(contact) }
    };
    Snapshot {
        time,
        step: 0,
        bodies: poses.iter().map(body).collect(),
        contacts: contacts.iter().map(contact).collect(),
        ..Snapshot::default()
    }
}
