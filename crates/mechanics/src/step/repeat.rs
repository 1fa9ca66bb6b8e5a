//! Repeated steps: if the state does not change, contacts are not detected, assembled and solved again.
//!
//! A step is a function of the state at its start, of its length and of the loads. If the state at the end of a step
//! has the bits of the state at its start (all but the time), the next step with the same loads has the same result:
//! [`Repeat`] keeps it. Detection is a function of the poses of the mid configuration and of the alert distances:
//! [`Detected`] keeps the contacts of the last one. Both are caches that change no bit of a result; a stepper without
//! them ([`crate::Stepper::recompute`]) computes the same.

use std::sync::Arc;

use voussoir_geometry::{Pose, Space, Vector};

use super::detect::Alert;
use super::law::Contact;
use super::predict::Prediction;
use super::retry::Outcome;
use crate::model::Model;
use crate::state::State;

/// The contacts of the last detection.
#[derive(Clone, Debug)]
pub(crate) struct Detected<S: Space> {
    poses: Vec<Pose<S>>,
    alert: Alert,
    contacts: Arc<Vec<Contact<S>>>,
}

impl<S: Space> Detected<S> {
    /// Stores the contacts found at poses with alert distances.
    pub fn new(poses: &[Pose<S>], alert: &Alert, contacts: &Arc<Vec<Contact<S>>>) -> Self {
        Self { poses: poses.to_vec(), alert: alert.clone(), contacts: Arc::clone(contacts) }
    }

    /// The contacts, if the poses and the alert distances are the same bits.
    pub fn again(&self, poses: &[Pose<S>], alert: &Alert) -> Option<Arc<Vec<Contact<S>>>> {
        (self.alert == *alert && same_poses(&self.poses, poses)).then(|| Arc::clone(&self.contacts))
    }
}

/// A step that did not change the state.
#[derive(Clone, Debug)]
pub(crate) struct Repeat<S: Space> {
    outcome: Outcome<S>,
    h: f64,
    free: Vec<f64>,
    loads: Vec<f64>,
}

impl<S: Space> Repeat<S> {
    /// Stores a step that did not change the state; `None` for other steps, and if more than the loads of the
    /// prediction depends on time.
    pub fn new(model: &Model<S>, from: &State<S>, prediction: &Prediction<S>, outcome: &Outcome<S>) -> Option<Self> {
        let timeless = model.cables.is_empty()
            && model.sea.is_none()
            && !model.is_elastic()
            && !(model.ground_moves() && model.has_carried_masses())
            && prediction.supports.iter().all(Option::is_none);
        let end = &outcome.state;
        let repeats = timeless
            && outcome.converged
            && outcome.retries == 0
            && outcome.report.iterations == 0
            && same_bits(&end.velocities, &from.velocities)
            && same_poses(&end.poses, &from.poses)
            && (&end.contacts, &end.bonds, &end.overlaps) == (&from.contacts, &from.bonds, &from.overlaps)
            && end.ledger == from.ledger;
        repeats.then(|| Self {
            outcome: Outcome { seconds: [0.0; 3], ..outcome.clone() },
            h: prediction.over.h,
            free: prediction.free.clone(),
            loads: prediction.loads.clone(),
        })
    }

    /// The outcome of the step that follows the kept one, if its length and loads are the same.
    pub fn again(&mut self, from: &State<S>, prediction: &Prediction<S>) -> Option<Outcome<S>> {
        let same = self.outcome.state.time == from.time
            && self.h == prediction.over.h
            && same_bits(&self.free, &prediction.free)
            && same_bits(&self.loads, &prediction.loads);
        same.then(|| {
            let State { time, step, position, .. } = &mut self.outcome.state;
            (*time, *step, *position) = (prediction.over.end, from.step, from.position);
            self.outcome.clone()
        })
    }
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// Equality of bits, which distinguishes −0 from 0.
fn same_poses<S: Space>(a: &[Pose<S>], b: &[Pose<S>]) -> bool {
    let same = |(a, b): (&Pose<S>, &Pose<S>)| {
        same_bits(&a.position.to_3d(), &b.position.to_3d())
            && a.rotation == b.rotation
            && same_bits(&S::rotation_to_quaternion(a.rotation), &S::rotation_to_quaternion(b.rotation))
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}
