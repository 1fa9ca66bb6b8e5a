//! Cables in a step: springs that pull, as rows of the contact problem.
//!
//! The pull R = h F acts along −∂ℓ/∂q; its velocity is u = −dℓ/dt, its gap δ = ℓ_ref − ℓ: the springs of
//! [`super::law::Spring`] with one component and no friction. A slack cable has R = 0 exactly.

use voussoir_geometry::{Pose, Space, Vector};

use super::law::{Spring, point_velocity};
use super::masses::Masses;
use super::predict::{Interval, Prediction};
use super::rows::Row;
use crate::cable::Cable;
use crate::model::Model;
use crate::state::State;

/// A cable in one step.
#[derive(Clone, Debug)]
pub(crate) struct Stretched {
    /// δ = ℓ_ref − ℓ and u at the start of the step; ℓ_ref is that of t_k + θh.
    pub spring: Spring,
    /// The row of the problem.
    pub row: Row,
    /// Velocity of supports along the pull, at the start and over the step [m/s].
    support: [f64; 2],
    /// ℓ_ref at the end less that at the start [m].
    let_out: f64,
    /// ℓ_ref at t_k + θh less that at the start and at the end [m].
    reference: [f64; 2],
}

/// All cables of a model in a step.
pub(crate) fn stretch<S: Space>(
    model: &Model<S>,
    masses: &Masses,
    state: &State<S>,
    prediction: &Prediction<S>,
    over: Interval,
) -> Vec<Stretched> {
    model.cables.iter().map(|cable| stretched(model, cable, masses, state, prediction, over)).collect()
}

fn stretched<S: Space>(
    model: &Model<S>,
    cable: &Cable<S>,
    masses: &Masses,
    state: &State<S>,
    prediction: &Prediction<S>,
    over: Interval,
) -> Stretched {
    let poses: &[Pose<S>] = &prediction.poses;
    let mut entries = Vec::with_capacity(cable.anchors.len());
    let mut support = [0.0; 2];
    for (anchor, pull) in cable.anchors.iter().zip(cable.directions(poses)) {
        let pose = &poses[anchor.body];
        let x = pose.point(anchor.point);
        match (masses.node[anchor.body], &prediction.supports[anchor.body]) {
            (Some(node), _) => {
                let mut block = vec![0.0; S::DIM * S::DOFS];
                S::jacobian_row(pose.rotation, x - pose.position, pull, &mut block[..S::DOFS]);
                entries.push((node, block));
            }
            (None, Some(advance)) => {
                let before = &state.velocities[anchor.body * S::DOFS..][..S::DOFS];
                support[0] += point_velocity(pose, before, x).dot(pull);
                support[1] += advance.secant(x).dot(pull);
            }
            (None, None) => {}
        }
    }
    let mut row = Row { entries, bias: [0.0; 3], compliance: [0.0; 3], friction: 0.0, shift: 0.0 };
    let [start, end] = [over.start, over.end].map(|t| cable.reference(t));
    let mean = over.theta * end + (1.0 - over.theta) * start;
    let mut spring = Spring { stiffness: [cable.stiffness; 3], jump: [0.0; 3], before: [0.0; 3] };
    spring.jump[0] = mean - cable.length_at(&state.poses);
    spring.before[0] = row.relative::<S>(&prediction.before)[0] + support[0];
    row.compliance = spring.compliance(over);
    row.bias[0] = spring.bias(over)[0] + support[1];
    debug_assert!(model.cables.len() == state.cables.len());
    Stretched { spring, row, support, let_out: end - start, reference: [mean - start, mean - end] }
}

/// A cable as the step leaves it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pulled {
    /// Mean pull over the step [N].
    pub force: f64,
    /// Stored, done by who tightens it, left over by the scheme [J].
    pub energy: [f64; 3],
    /// Work of supports [J].
    pub supports: f64,
}

impl Stretched {
    /// What became of the cable whose row has the impulse `r`.
    pub fn pulled<S: Space>(&self, r: f64, velocities: &[f64], over: Interval) -> Pulled {
        let after = self.row.relative::<S>(velocities)[0] + self.support[1];
        let work = r * 0.5 * (after + self.spring.before[0]);
        let end = self.spring.after(over, [after, 0.0, 0.0])[0];
        // stretch at the start and at the end, with the reference length of then
        let stored = |gap: f64| 0.5 * self.spring.stiffness[0] * gap.min(0.0).powi(2);
        let change = stored(end - self.reference[1]) - stored(self.spring.jump[0] - self.reference[0]);
        let jack = -r / over.h * self.let_out;
        Pulled {
            force: r / over.h,
            energy: [change, jack, jack - change - work],
            supports: -r * 0.5 * (self.support[0] + self.support[1]),
        }
    }
}
