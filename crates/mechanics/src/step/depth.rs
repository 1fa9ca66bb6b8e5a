//! Penetration that arises between two mid configurations.
//!
//! A step keeps gaps open at the next mid configuration to first order. Fast rotation, and contact points that change
//! during the step, violate this to second order; a shorter step reduces the error. A step that begins or would end
//! with such a penetration is therefore cut ([`super::retry`]).

use voussoir_geometry::{Space, Vector};

use super::Tools;
use super::detect::{Alert, detect};
use super::law::Contact;
use super::masses::Masses;
use super::predict::{Interval, Prediction, predict};
use super::relative::{relative_velocity, support_velocity};
use crate::elastic::flex::add_gaps;
use crate::kinematics::fastest_point;
use crate::model::{DynamicSettings, Joint, Model, Restitution};
use crate::state::State;

/// Penetration tolerated between two steps, relative to the smaller body.
const SUDDEN_PENETRATION: f64 = 3e-5;

/// A penetration beyond this, relative to the smaller body, must not grow by more than a tenth in a step: the contact
/// point of nearly parallel edges moves faster than the bodies, and the penetration grows a little in every step.
const TOLERATED_PENETRATION: f64 = 4e-5;
const PENETRATION_GROWTH: f64 = 1.1;

/// Bodies with a smaller displacement in a step, relative to their size, need no look-ahead.
const LEAST_TRAVEL: f64 = 1e-6;

/// True if a penetration is larger than tolerated and at least half of it arose in this step. Joints with restitution
/// detect impacts by penetration, and the closure of springs up to their maximum is no penetration: both are excluded.
pub(crate) fn runs_in<S: Space>(
    model: &Model<S>,
    masses: &Masses,
    prediction: &Prediction<S>,
    contacts: &[Contact<S>],
    over: Interval,
) -> bool {
    contacts.iter().any(|contact| {
        let Some(depth) = sudden(model, masses, contact) else { return false };
        let support = support_velocity(masses, prediction, contact);
        let u = relative_velocity(masses, prediction, contact, &prediction.before, support).dot(contact.point.normal);
        -u * (1.0 - over.theta) * over.h >= 0.5 * depth
    })
}

/// True if the end of a step leads, at the next mid configuration, to a penetration beyond the tolerance that is twice
/// the present one or still grows. Causes: bodies that rotate while they travel, and bodies that pass each other and
/// meet sideways, which the contacts of their faces do not anticipate.
pub(crate) fn leads_in<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    tools: &mut Tools<S>,
    contacts: &[Contact<S>],
    end: &State<S>,
    over: Interval,
) -> bool {
    let moves = end
        .velocities
        .chunks_exact(S::DOFS)
        .zip(&tools.masses.size)
        .any(|(v, &size)| size.is_finite() && fastest_point::<S>(v, size) * settings.step > LEAST_TRAVEL * size);
    if !moves {
        return false;
    }
    let h = settings.step;
    let next =
        predict(model, &tools.masses, end, Interval { start: over.end, end: over.end + h, h, theta: over.theta });
    let mut found = detect(model, settings, tools, &next, &Alert::Fixed(0.0));
    add_gaps(model, end, &next.poses, (1.0 - over.theta) * h, &mut found);
    found.iter().any(|contact| {
        let Some(depth) = sudden(model, &tools.masses, contact) else { return false };
        let pair = |contact: &Contact<S>| (contact.key.candidate, contact.key.antagonist);
        let from = contacts.partition_point(|now| pair(now) < pair(contact));
        let now = contacts[from..].iter().take_while(|now| pair(now) == pair(contact));
        let before = now.map(|now| beyond(&joint_of(model, now), now)).fold(0.0, f64::max);
        let deep = TOLERATED_PENETRATION
            * tools.masses.smaller(contact.key.candidate as usize, contact.key.antagonist as usize);
        depth > 2.0 * before || (depth > deep && depth > PENETRATION_GROWTH * before)
    })
}

/// Penetration of a contact [m], if it is beyond the tolerance.
fn sudden<S: Space>(model: &Model<S>, masses: &Masses, contact: &Contact<S>) -> Option<f64> {
    let limit = SUDDEN_PENETRATION * masses.smaller(contact.key.candidate as usize, contact.key.antagonist as usize);
    // the joint is needed for few contacts only
    if -contact.point.gap - contact.overlap <= limit {
        return None;
    }
    let joint = joint_of(model, contact);
    let depth = beyond(&joint, contact);
    (depth > limit && joint.restitution == Restitution::Inelastic).then_some(depth)
}

/// Penetration of two bodies beyond their initial overlap and beyond the closure of their springs [m].
fn beyond<S: Space>(joint: &Joint, contact: &Contact<S>) -> f64 {
    -contact.point.gap - contact.overlap - joint.elastic.map_or(0.0, |elastic| elastic.closure)
}

fn joint_of<S: Space>(model: &Model<S>, contact: &Contact<S>) -> Joint {
    let [on, under] = [contact.key.candidate, contact.key.antagonist].map(|i| model.bodies[i as usize].material);
    model.joints.between(on, under)
}
