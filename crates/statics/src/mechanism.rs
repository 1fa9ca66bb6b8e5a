//! Mechanisms: hinges, sliding joints, moving blocks.

use serde::Serialize;
use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::kinematics::fastest_point;

use crate::patch::Patch;
use crate::structure::Structure;

/// Velocities below this fraction of that of the fastest point are zero.
const STILL_FRACTION: f64 = 1e-4;

/// Flow rule of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlowRule {
    /// Joints that slide also open: uₙ ≥ μ‖u_T‖. With positive power of the loads it proves collapse.
    Associated,
    /// The initial motion under Coulomb's law: uₙ ≥ 0.
    Coulomb,
    /// Associated, with joints of limited strength that crush.
    Crushing,
}

/// A mechanism, scaled so that the fastest point of a block moves at 1 m/s.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mechanism {
    /// Number of blocks that move.
    pub moving: usize,
    /// Power of the dead loads \[W\].
    pub dead_power_w: f64,
    /// Power of the multiplied load \[W\]; zero without such a load.
    pub live_power_w: f64,
    /// Its flow rule.
    pub flow: FlowRule,
    /// Largest violation of the flow rule \[m/s\]; of uₙ ≥ μ‖u_T‖ also where joints crush, which must violate it.
    pub violation: f64,
    /// Joints that open about an edge or a corner.
    pub hinges: Vec<Hinge>,
    /// Joints that slide.
    pub sliding: Vec<Slip>,
    /// Joints that open completely.
    pub opening: Vec<Slip>,
    /// Joints that crush: the bodies move into each other.
    pub crushing: Vec<Slip>,
    /// Blocks that move.
    pub bodies: Vec<BodyMotion>,
    /// Velocities of all free bodies (nodes × dofs).
    #[serde(skip)]
    pub velocities: Vec<f64>,
}

/// A joint that opens and stays closed at one end: a hinge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hinge {
    /// The two bodies.
    pub between: [String; 2],
    /// Position of the closed end \[m\].
    pub at: [f64; 3],
    /// Speed at which the far end opens \[m/s\].
    pub opening: f64,
}

/// A joint with the same relative velocity everywhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slip {
    /// The two bodies.
    pub between: [String; 2],
    /// Centre of the joint \[m\].
    pub at: [f64; 3],
    /// Velocity of the first body relative to the second \[m/s\].
    pub velocity: [f64; 3],
}

/// A block that moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyMotion {
    /// Its name.
    pub name: String,
    /// Velocity of the centroid \[m/s\].
    pub velocity: [f64; 3],
    /// Angular velocity, world axes \[rad/s\].
    pub spin: [f64; 3],
}

/// Motion of a joint in a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    Closed,
    Hinge { at: [f64; 3], opening: f64 },
    Slides,
    Opens,
    Crushes,
}

impl<S: Space> Structure<S> {
    /// Velocities of the nodes (nodes × dofs) scaled to a largest point speed of 1 m/s; `None` without motion.
    pub(crate) fn normalised(&self, velocities: &[f64]) -> Option<Vec<f64>> {
        let fastest = self.fastest(velocities);
        (fastest > 0.0 && fastest.is_finite()).then(|| velocities.iter().map(|v| v / fastest).collect())
    }

    /// Largest speed of a point of a free body, for velocities of the nodes (nodes × dofs) [m/s].
    pub(crate) fn fastest(&self, velocities: &[f64]) -> f64 {
        let speeds =
            velocities.chunks_exact(S::DOFS).zip(&self.size).map(|(v, size)| fastest_point::<S>(v, 0.5 * size));
        speeds.fold(0.0, f64::max)
    }

    /// Describes a mechanism with velocities of the nodes (nodes × dofs).
    pub fn mechanism(
        &self,
        velocities: &[f64],
        dead: &[f64],
        live: Option<&[f64]>,
        flow: FlowRule,
    ) -> Option<Mechanism> {
        let velocities = self.normalised(velocities)?;
        let relative = self.relative_velocities(&velocities);
        let mut mechanism = Mechanism {
            moving: 0,
            dead_power_w: self.work(dead, &velocities),
            live_power_w: live.map_or(0.0, |live| self.work(live, &velocities)),
            flow,
            violation: match flow {
                FlowRule::Coulomb => self.penetration(&relative),
                FlowRule::Associated | FlowRule::Crushing => self.violation(&relative),
            },
            hinges: Vec::new(),
            sliding: Vec::new(),
            opening: Vec::new(),
            crushing: Vec::new(),
            bodies: Vec::new(),
            velocities: Vec::new(),
        };
        for patch in &self.patches {
            let between = patch.bodies.map(|body| self.name(body).to_owned());
            let slip =
                || Slip { between: between.clone(), at: patch.centre.to_3d(), velocity: self.mean(patch, &relative) };
            match self.action(patch, &relative, flow) {
                Action::Closed => {}
                Action::Hinge { at, opening } => mechanism.hinges.push(Hinge { between, at, opening }),
                Action::Slides => mechanism.sliding.push(slip()),
                Action::Opens => mechanism.opening.push(slip()),
                Action::Crushes => mechanism.crushing.push(slip()),
            }
        }
        for (v, &body) in velocities.chunks_exact(S::DOFS).zip(&self.body) {
            let (linear, spin) = S::unpack(v);
            let spin = S::spin_to_3d(S::spin_to_world(self.poses[body].rotation, spin));
            if fastest_point::<S>(v, self.model_size(body)) > STILL_FRACTION {
                let name = self.name(body).to_owned();
                mechanism.bodies.push(BodyMotion { name, velocity: linear.to_3d(), spin });
            }
        }
        mechanism.moving = mechanism.bodies.len();
        mechanism.velocities = velocities;
        Some(mechanism)
    }

    fn model_size(&self, body: usize) -> f64 {
        self.node[body].map_or(1.0, |node| 0.5 * self.size[node as usize])
    }

    /// Largest μ‖u_T‖ − uₙ over the contacts, at least zero.
    pub(crate) fn violation(&self, relative: &[S::Vector]) -> f64 {
        let violated = self.contacts.iter().zip(relative).map(|(contact, u)| {
            let normal = u.dot(contact.normal);
            contact.friction * (*u - contact.normal * normal).length() - normal
        });
        violated.fold(0.0, f64::max)
    }

    /// Largest −uₙ over the contacts, at least zero.
    pub(crate) fn penetration(&self, relative: &[S::Vector]) -> f64 {
        self.contacts.iter().zip(relative).map(|(contact, u)| -u.dot(contact.normal)).fold(0.0, f64::max)
    }

    fn mean(&self, patch: &Patch<S>, relative: &[S::Vector]) -> [f64; 3] {
        let mut sum = S::zero();
        patch.contacts.iter().for_each(|&i| sum += relative[i]);
        (sum / patch.contacts.len() as f64).to_3d()
    }

    /// Motion of a joint with contact velocities `relative` of a mechanism whose fastest point moves at 1 m/s.
    pub(crate) fn action(&self, patch: &Patch<S>, relative: &[S::Vector], flow: FlowRule) -> Action {
        let still = STILL_FRACTION;
        let normal = |i: usize| relative[i].dot(patch.normal);
        let slip = |i: usize| (relative[i] - patch.normal * normal(i)).length();
        let speeds = || patch.contacts.iter().copied();
        if speeds().all(|i| relative[i].length() <= still) {
            return Action::Closed;
        }
        let (low, high) =
            speeds().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), i| (l.min(normal(i)), h.max(normal(i))));
        if low < -still && flow == FlowRule::Crushing {
            return Action::Crushes;
        }
        let friction = self.contacts[patch.contacts[0]].friction;
        let lowest: Vec<usize> = speeds().filter(|&i| normal(i) <= low + still).collect();
        let slides = lowest.iter().all(|&i| slip(i) > still);
        // a sliding joint opens at μ‖u_T‖ at most
        let touches = lowest.iter().any(|&i| normal(i) <= friction * slip(i) + still);
        if !touches {
            Action::Opens
        } else if slides {
            Action::Slides
        } else if high - low > still {
            let mut at = S::zero();
            lowest.iter().for_each(|&i| at += self.contacts[i].position);
            Action::Hinge { at: (at / lowest.len() as f64).to_3d(), opening: high - low }
        } else {
            // rotates about its own normal
            Action::Slides
        }
    }
}
