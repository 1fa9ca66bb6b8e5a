//! Crushing: a point of area S carries a normal force N ≤ f_c S and yields at that force.
//!
//! While the point crushes, u ≤ 0 and rₙ = h f_c S. The solvers see a compliance E along the normal, rₙ = −uₙ/E,
//! updated in every pass of the step until rₙ is the limit: E ← E + G (rₙ/(h f_c S) − 1). For one point of mobility w,
//! G = E + w is exact after one pass; for points of a face that redistribute forces to each other G = E. Friction acts
//! under that normal force. The crushed depth is permanent: the bodies stay interpenetrated by it and are not pushed
//! apart, and the energy counts as that of impacts. Reference: rigid-plastic limit state, Heyman, The Stone Skeleton
//! (1995).

use super::Joint;
use super::law::{JointLaw, LawParameter, ParameterUnit, positive};
use crate::model::Restitution;

/// Tolerance on the normal force of a point at its limit, relative to the limit.
const FORCE_TOLERANCE: f64 = 1e-7;

/// Largest relative change of a compliance in one pass: 1 would be exact if the force were transferred to neighbours.
const MAX_COMPLIANCE_GAIN: f64 = 1.5;

/// The law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crushing {
    /// Compressive strength f_c [Pa].
    pub strength: f64,
}

impl JointLaw for Crushing {
    fn key(&self) -> &'static str {
        "crushing"
    }

    fn reference(&self) -> &'static str {
        "Heyman, The Stone Skeleton, Cambridge University Press (1995)"
    }

    fn parameters(&mut self) -> Vec<LawParameter<'_>> {
        vec![LawParameter::new("compressive strength", ParameterUnit::Stress, &mut self.strength)]
    }

    fn fault(&self, joint: &Joint) -> Option<String> {
        let rigid = joint.elastic.is_none() && joint.bond.is_none() && joint.restitution == Restitution::Inelastic;
        positive("compressive strength", self.strength)
            .or_else(|| (!rigid).then(|| "crushing needs a rigid dry joint without restitution".to_owned()))
    }
}

/// The compliance for the next pass, after a pass with the normal impulse `r`; `None`: the present one is right.
pub(crate) fn next(compliance: f64, r: f64, limit: f64, mobility: f64) -> Option<f64> {
    let over = (r - limit) / limit;
    if over.abs() <= FORCE_TOLERANCE || (over < 0.0 && compliance == 0.0) {
        return None;
    }
    // points of one face redistribute forces in proportion to the differences of their compliances
    let gain = if compliance > 0.0 { (compliance + mobility).min(MAX_COMPLIANCE_GAIN * compliance) } else { mobility };
    Some((compliance + gain * over).max(0.0)).filter(|next| *next != compliance)
}
