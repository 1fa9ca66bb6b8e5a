//! Limited compressive strength: a point of area S carries N ≤ f_c S, and gives way when more is asked of it.
//!
//! While it crushes, u ≤ 0 and rₙ = h f_c S. The solvers see a compliance E along the normal, rₙ = −uₙ/E, chosen anew in every
//! pass of the step until rₙ is the limit: E ← E + G (rₙ/(h f_c S) − 1). For one point of
//! mobility w, G = E + w is right at once; for points of a face that hand forces to each other it is E. Friction acts under that normal force. What was crushed stays: the bodies are in each other by so
//! much and are not pushed apart, and the energy counts as that of impacts.

use super::Joint;
use crate::model::Restitution;

/// A point is at its limit within this share of it.
const AT_LIMIT: f64 = 1e-7;

/// Largest change of a compliance for one of the force: 1 would be right where a force goes over to neighbours.
const SHARED: f64 = 1.5;

/// The compliance for the next pass, after one with the normal impulse `r`; `None`: it is right as it is.
pub(crate) fn next(compliance: f64, r: f64, limit: f64, mobility: f64) -> Option<f64> {
    let over = (r - limit) / limit;
    if over.abs() <= AT_LIMIT || (over < 0.0 && compliance == 0.0) {
        return None;
    }
    // points that share a face trade forces as fast as their compliances differ
    let gain = if compliance > 0.0 { (compliance + mobility).min(SHARED * compliance) } else { mobility };
    Some((compliance + gain * over).max(0.0)).filter(|next| *next != compliance)
}

/// What is wrong with the strength, if anything.
pub(super) fn fault(joint: &Joint) -> Option<String> {
    let strength = joint.strength?;
    let rigid = joint.elastic.is_none() && joint.bond.is_none() && joint.restitution == Restitution::Inelastic;
    super::positive("compressive strength", strength)
        .or_else(|| (!rigid).then(|| "crushing belongs to rigid dry joints without restitution".to_owned()))
}
