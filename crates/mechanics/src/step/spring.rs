//! Springs of elastic contacts and bonds in one step, and their maximum closure.

use voussoir_geometry::{Space, Vector};

use super::law::Contact;
use super::predict::Interval;
use crate::joints::Elastic;
use crate::state::ContactMemory;

/// Tolerance on the closure of a spring at its maximum, relative to the maximum closure.
const STOP_TOLERANCE: f64 = 1e-3;

/// The springs of an elastic contact. With g₀, δ₀ the gap and the elastic slip at the step's start, u₀ and u the
/// velocities at its start and end, the force is that at t_k + θh:
/// ```text
/// u + E r + b,   E = 1/(h²θ²k),   b = (δ₀ + hθ(1−θ)u₀)/(hθ²)
/// ```
/// The force of a normal spring that is open at the start is evaluated at the end of the step (the same with θ² → θ and
/// θ(1−θ) → 1−θ). Evaluated at t_k + θh, it would store up to ½k((1−θ)g₀/θ)² more than the work of the bodies, and
/// stiff springs would accelerate falling blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spring {
    /// Stiffness of the point in its frame [N/m].
    pub stiffness: [f64; 3],
    /// Gap and elastic slip at the step's start, in its frame [m].
    pub jump: [f64; 3],
    /// Relative velocity at the step's start, in its frame [m/s].
    pub before: [f64; 3],
    /// Maximum closure [m].
    pub closure: f64,
    /// True for a bond, which acts in tension too.
    pub pulls: bool,
}

impl Spring {
    /// The gap in the mid configuration, which decides whether the contact is rigid [m].
    fn mid_gap(&self, over: Interval) -> f64 {
        self.jump[0] + (1.0 - over.theta) * over.h * self.before[0]
    }

    /// True for a spring at its maximum closure in the mid configuration.
    pub fn at_stop(&self, over: Interval) -> bool {
        self.mid_gap(over) <= -self.closure * (1.0 - STOP_TOLERANCE)
    }

    /// True for a spring that would exceed its maximum closure at the next mid configuration, `ahead` away [s], for
    /// the normal velocity `u`.
    pub fn passes_stop(&self, over: Interval, ahead: f64, u: f64) -> bool {
        self.mid_gap(over) + ahead * u < -self.closure * (1.0 + STOP_TOLERANCE)
    }

    /// True if the normal impulse `r` of a contact at maximum closure is smaller than the impulse of its spring.
    pub fn leaves_stop(&self, over: Interval, r: f64) -> bool {
        r < self.stiffness[0] * self.closure * (1.0 - STOP_TOLERANCE) * over.h
    }

    /// Time in the step at which the force along an axis of the frame is evaluated: 1 is the end.
    fn time_share(&self, over: Interval, axis: usize) -> f64 {
        if axis == 0 && self.jump[0] > 0.0 && !self.pulls { 1.0 } else { over.theta }
    }

    /// Diagonal of E.
    pub fn compliance(&self, over: Interval) -> [f64; 3] {
        let Interval { h, theta, .. } = over;
        std::array::from_fn(|i| 1.0 / (h * h * theta * self.time_share(over, i) * self.stiffness[i]))
    }

    /// b.
    pub fn bias(&self, over: Interval) -> [f64; 3] {
        let Interval { h, theta, .. } = over;
        std::array::from_fn(|i| {
            let share = self.time_share(over, i);
            (self.jump[i] + h * share * (1.0 - theta) * self.before[i]) / (h * theta * share)
        })
    }

    /// The jump at the end of the step, for the velocity `after` there.
    pub fn after(&self, over: Interval, after: [f64; 3]) -> [f64; 3] {
        let Interval { h, theta, .. } = over;
        std::array::from_fn(|i| self.jump[i] + h * (theta * after[i] + (1.0 - theta) * self.before[i]))
    }

    /// Sliding velocity in the contact frame: the motion that does not deflect the springs, for the velocity `after`
    /// and the impulse `r` of the solution: θ (u + E r + b), the velocity in the friction law.
    pub fn sliding(&self, over: Interval, after: [f64; 3], r: [f64; 3]) -> [f64; 3] {
        let (compliance, bias) = (self.compliance(over), self.bias(over));
        std::array::from_fn(|i| over.theta * (after[i] + compliance[i] * r[i] + bias[i]))
    }

    /// ½ k δ² over some components [J].
    pub fn energy(&self, jump: [f64; 3], parts: std::ops::Range<usize>) -> f64 {
        parts.map(|i| 0.5 * self.stiffness[i] * jump[i] * jump[i]).sum()
    }
}

/// State of a spring relative to its maximum closure, according to the passes of the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stop {
    /// As at the start of the step.
    #[default]
    AsBefore,
    /// It reaches its maximum closure.
    Reached,
    /// It opens from its maximum closure.
    Left,
}

impl Stop {
    pub fn holds(self, spring: &Spring, over: Interval) -> bool {
        match self {
            Self::AsBefore => spring.at_stop(over),
            Self::Reached => true,
            Self::Left => false,
        }
    }
}

/// The springs of a contact whose joint is elastic.
pub(crate) fn contact_spring<S: Space>(
    contact: &Contact<S>,
    elastic: Elastic,
    memory: Option<&ContactMemory<S>>,
    before: S::Vector,
    frame: &[S::Vector],
    over: Interval,
) -> Spring {
    let point = &contact.point;
    let mut spring = Spring {
        stiffness: [elastic.tangential * point.area; 3],
        jump: [0.0; 3],
        before: [0.0; 3],
        closure: elastic.closure,
        pulls: false,
    };
    spring.stiffness[0] = elastic.normal * point.area;
    let slip = memory.map_or(S::zero(), |memory| memory.elastic_slip);
    for (i, direction) in frame.iter().enumerate() {
        spring.before[i] = before.dot(*direction);
        spring.jump[i] = slip.dot(*direction);
    }
    // overlaps of the drawing cause no force; the gap at the start of the step, from the gap in the mid configuration
    spring.jump[0] = point.gap + contact.overlap - (1.0 - over.theta) * over.h * spring.before[0];
    spring
}
