//! Static and dynamic friction: a contact that slid in the last step has the dynamic coefficient, until it sticks again.
//!
//! The step in which it begins to slide still has the static one. A contact that is new has not slid.

use super::Joint;

/// The coefficient of a contact.
pub fn coefficient(joint: &Joint, slid: bool) -> f64 {
    match joint.dynamic_friction {
        Some(dynamic) if slid => dynamic,
        _ => joint.friction,
    }
}

/// What is wrong with the coefficients, if anything.
pub(super) fn fault(joint: &Joint) -> Option<String> {
    let dynamic = joint.dynamic_friction?;
    (!(0.0..=joint.friction).contains(&dynamic)).then(|| {
        format!("the dynamic friction is {dynamic}, it must be between 0 and the static friction {}", joint.friction)
    })
}
