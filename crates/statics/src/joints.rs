//! The joint report: force, eccentricity and friction utilisation of every joint.

use serde::Serialize;
use voussoir_geometry::{Space, Vector};

use crate::equilibrium::depth;
use crate::patch::gauge;
use crate::stress_block::{middle, stressed_area};
use crate::structure::Structure;

/// Joints with less than this fraction of the mean load of a block have no force.
const NEGLIGIBLE_FORCE: f64 = 1e-6;

/// Eccentricity and friction utilisation from which a joint is a hinge or slips.
const FULL_USE: f64 = 1.0 - 1e-3;

/// One joint: the plane part of an interface.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaneJoint {
    /// Candidate and antagonist.
    pub between: [String; 2],
    /// Centre of the joint \[m\].
    pub at: [f64; 3],
    /// From the second body to the first.
    pub normal: [f64; 3],
    /// Area \[m²\]; length \[m\] in 2D.
    pub area: f64,
    /// Force on the first body \[N\].
    pub force_n: [f64; 3],
    /// Normal force, compression positive \[N\].
    pub normal_force_n: f64,
    /// Tangential force \[N\].
    pub shear_n: f64,
    /// Centre of pressure \[m\]; the centre of the joint if there is no force.
    pub centre_m: [f64; 3],
    /// Distance of the centre of pressure from the centre of the joint \[m\].
    pub eccentricity_m: f64,
    /// Eccentricity relative to the edge: 0 at the centre, 1 at the edge.
    pub eccentricity: f64,
    /// ‖T‖/(μN); 1 slips. Zero without force.
    pub friction_use: f64,
    /// Uniform stress on the largest part of the joint whose centroid is the centre of pressure (`stress_block`) \[Pa\]; `None`
    /// without force, if the force is at the edge, and for blocks that touch along a line or at a point.
    pub stress_pa: Option<f64>,
    /// Compressive strength of the weaker of both materials, if one is given \[Pa\].
    pub strength_pa: Option<f64>,
    /// Stress over strength; infinite if the force is at the edge.
    pub compression_use: Option<f64>,
    /// State of the joint.
    pub state: JointState,
}

/// State of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointState {
    /// No force.
    Idle,
    /// Carries a force.
    Carries,
    /// Its force is at the edge: a hinge.
    Hinge,
    /// Its friction is fully used: it slips.
    Slips,
    /// Both.
    HingeSlips,
}

impl<S: Space> Structure<S> {
    /// All joints with the forces stored in the contacts. `unit` is the mean load of a block [N].
    pub fn joints(&self, unit: f64) -> Vec<PlaneJoint> {
        self.joints_in(self, unit)
    }

    /// All joints of this structure with the forces of a state of it, whose joints may be divided into cells.
    pub(crate) fn joints_in(&self, state: &Self, unit: f64) -> Vec<PlaneJoint> {
        let depth = depth(self);
        self.patches
            .iter()
            .zip(&state.patches)
            .map(|(patch, loaded)| {
                let (mut force, mut normal, mut moment) = (S::zero(), 0.0, S::zero());
                for &i in &loaded.contacts {
                    let contact = &state.contacts[i];
                    let own = contact.force.dot(patch.normal);
                    force += contact.force;
                    normal += own;
                    moment += (contact.position - patch.centre) * own;
                }
                let carries = normal > NEGLIGIBLE_FORCE * unit;
                let arm = if carries { moment / normal } else { S::zero() };
                let centre = patch.centre + arm;
                let shear = (force - patch.normal * normal).length();
                let friction = self.contacts[patch.contacts[0]].friction;
                let outline = patch.outline(&self.contacts);
                let eccentricity = if carries { gauge(&outline, patch.flat(centre)) } else { 0.0 };
                let friction_use = match carries && shear > NEGLIGIBLE_FORCE * unit {
                    true if friction > 0.0 => shear / (friction * normal),
                    true => f64::INFINITY,
                    false => 0.0,
                };
                let state = match (carries, eccentricity >= FULL_USE, friction_use >= FULL_USE) {
                    (false, ..) => JointState::Idle,
                    (_, true, true) => JointState::HingeSlips,
                    (_, true, false) => JointState::Hinge,
                    (_, false, true) => JointState::Slips,
                    _ => JointState::Carries,
                };
                let strength = |body: usize| self.model.materials[self.model.bodies[body].material].strength;
                let strength_pa = patch.bodies.into_iter().filter_map(strength).reduce(f64::min);
                // blocks that touch along a line or at a point: their contacts have parts of the area of open faces
                let edge = S::DIM == 3 && outline.len() < 3;
                let block = match outline.len() {
                    0..3 if edge => 0.0,
                    0..3 => patch.area * depth * (1.0 - eccentricity),
                    _ if !carries || eccentricity >= 1.0 => 0.0,
                    // parts of a joint with gaps between them have less area than their outline
                    _ => {
                        let whole = middle(&outline).map_or(patch.area, |(area, _)| area);
                        stressed_area(&outline, patch.flat(centre)) * (patch.area / whole).min(1.0)
                    }
                };
                let stress_pa = (carries && block > 0.0).then(|| normal / block);
                let at_edge = (carries && !edge && patch.area > 0.0 && block <= 0.0).then_some(f64::INFINITY);
                PlaneJoint {
                    stress_pa,
                    strength_pa,
                    compression_use: strength_pa
                        .and_then(|strength| stress_pa.or(at_edge).map(|stress| stress / strength)),
                    between: patch.bodies.map(|body| self.name(body).to_owned()),
                    at: patch.centre.to_3d(),
                    normal: patch.normal.to_3d(),
                    area: if edge { 0.0 } else { patch.area },
                    force_n: force.to_3d(),
                    normal_force_n: normal,
                    shear_n: shear,
                    centre_m: centre.to_3d(),
                    eccentricity_m: arm.length(),
                    eccentricity,
                    friction_use,
                    state,
                }
            })
            .collect()
    }

    /// Mean magnitude of the load on a block [N].
    pub fn unit_of(&self, loads: &[f64]) -> f64 {
        self.size_of(loads) / (self.nodes() as f64).sqrt()
    }
}

/// Geometric margin 1 − max eccentricity and friction margin 1 − max utilisation, over the joints with a force.
pub(crate) fn margins(joints: &[PlaneJoint]) -> [f64; 2] {
    let worst = |of: fn(&PlaneJoint) -> f64| {
        joints.iter().filter(|joint| joint.state != JointState::Idle).map(of).fold(0.0, f64::max)
    };
    [1.0 - worst(|joint| joint.eccentricity), 1.0 - worst(|joint| joint.friction_use)]
}
