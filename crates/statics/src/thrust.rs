//! The range of thrust: smallest and largest component of a support reaction over all admissible states.

use serde::Serialize;
use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::ContactRecord;
use voussoir_mechanics::model::Role;

use crate::conic::{self, Engine, Outcome};
use crate::equilibrium::{Capacity, Terms};
use crate::error::StaticsError;
use crate::loads::unit;
use crate::places::SupportPlace;
use crate::structure::Structure;

/// Reactions below this fraction of the mean load of a block are zero.
const NEGLIGIBLE_REACTION: f64 = 1e-9;

/// An interval of a reaction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThrustRange {
    /// Smallest value \[N\]; `None` if unbounded or not found.
    pub min_n: Option<f64>,
    /// Largest value \[N\]; `None` if unbounded or not found.
    pub max_n: Option<f64>,
    /// Name of the place: the support, and the body on it if it has several places.
    pub at: String,
    /// Direction of the component: positive if the support pushes in this direction.
    pub direction: [f64; 3],
    /// True if the reaction is unbounded.
    pub unbounded: bool,
    /// Largest difference between the values and their bounds from mechanisms \[N\].
    pub gap_n: f64,
}

/// The two extreme states.
#[derive(Clone, Debug)]
pub struct Extremes<S: Space> {
    /// The interval.
    pub range: ThrustRange,
    /// Contacts with their forces at the smallest value.
    pub smallest: Option<Vec<ContactRecord<S>>>,
    /// Contacts with their forces at the largest value.
    pub largest: Option<Vec<ContactRecord<S>>>,
}

impl<S: Space> Structure<S> {
    /// Force of a support on the free bodies, from the forces stored in the contacts [N].
    pub fn reaction(&self, support: usize) -> S::Vector {
        let mut sum = S::zero();
        self.contacts.iter().filter(|c| c.key.antagonist as usize == support).for_each(|c| sum += c.force);
        sum
    }

    /// Supports in contact with free bodies.
    pub fn supports(&self) -> Vec<usize> {
        let mut found: Vec<usize> = self.contacts.iter().map(|c| c.key.antagonist as usize).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|&i| self.model.bodies[i].role != Role::Free);
        found
    }

    /// Force of the support on the free bodies at a place, from the forces stored in the contacts [N].
    pub fn reaction_at(&self, place: &SupportPlace<S>) -> S::Vector {
        let mut sum = S::zero();
        place.contacts.iter().for_each(|&i| sum += self.contacts[i].force);
        sum
    }

    /// The place with the largest horizontal reaction and its direction, from the forces stored in the contacts.
    /// `None` without supports.
    pub fn main_thrust(&self) -> Option<(SupportPlace<S>, S::Vector)> {
        let size = |place: &SupportPlace<S>| level::<S>(self.reaction_at(place)).length();
        // of equal reactions the first, so that mirror images give the same result
        let best = self.places().into_iter().reduce(|a, b| if size(&b) > size(&a) * (1.0 + 1e-6) { b } else { a })?;
        let direction = self.main_direction(&best);
        Some((best, direction))
    }

    /// Direction of the horizontal reaction at a place; the first axis if there is none.
    pub fn main_direction(&self, place: &SupportPlace<S>) -> S::Vector {
        let push = level::<S>(self.reaction_at(place));
        let axis = |k: usize| {
            let mut e = [0.0; 3];
            e[k] = 1.0;
            S::Vector::from_slice(&e)
        };
        let length = push.length();
        if length <= NEGLIGIBLE_REACTION * self.unit_of(&self.dead_load(0.0, None)) {
            return axis(0);
        }
        // a direction that is an axis up to rounding is replaced by this axis
        for k in (0..S::DIM).filter(|&k| k != S::UP) {
            let share = push.get(k) / length;
            if share.abs() > 1.0 - 1e-6 {
                return axis(k) * share.signum();
            }
        }
        push / length
    }

    /// Smallest and largest component along `direction` of the reaction at a place under `dead` (nodes × dofs), over
    /// all admissible states. The forces stored in the contacts do not change.
    pub fn thrust(
        &self,
        place: &SupportPlace<S>,
        direction: S::Vector,
        dead: &[f64],
        capacity: &Capacity,
        engine: Engine,
    ) -> Result<Extremes<S>, StaticsError> {
        let direction = unit::<S>("the direction of the thrust", direction)?;
        let mut touches = vec![false; self.contacts.len()];
        place.contacts.iter().for_each(|&i| touches[i] = true);
        let mut ends = [(None, None, 0.0), (None, None, 0.0)];
        let mut unbounded = false;
        for (end, sign) in ends.iter_mut().zip([1.0, -1.0]) {
            let price: Vec<S::Vector> =
                touches.iter().map(|touches| if *touches { direction * sign } else { S::zero() }).collect();
            let posed = self.pose(&Terms { price: Some(&price), ..Terms::new(dead, capacity) });
            let solution = conic::solve(&posed.program, engine);
            match solution.outcome {
                Outcome::Optimal => {
                    let [bound, value] = posed.value(&solution);
                    let mut state = self.clone();
                    state.keep_forces(&posed.forces(&solution));
                    *end = (Some(sign * value), Some(state.contacts), (value - bound).abs());
                }
                Outcome::Unbounded => unbounded = true,
                Outcome::NoForces | Outcome::Stalled => {}
            }
        }
        let [(min_n, smallest, low), (max_n, largest, high)] = ends;
        let [min_n, max_n] = ordered(min_n, max_n, self.unit_of(dead));
        let at = place.name.clone();
        let range =
            ThrustRange { min_n, max_n, at, direction: direction.to_3d(), unbounded, gap_n: f64::max(low, high) };
        Ok(Extremes { range, smallest, largest })
    }
}

/// Both ends of an interval with the smaller one first: those of an interval without width differ by rounding. Values
/// that are negligible compared with the loads are set to zero.
fn ordered(min: Option<f64>, max: Option<f64>, unit: f64) -> [Option<f64>; 2] {
    let plain = |x: f64| if x.abs() <= NEGLIGIBLE_REACTION * unit { 0.0 } else { x };
    match (min.map(plain), max.map(plain)) {
        (Some(a), Some(b)) if a > b => [Some(b), Some(a)],
        (a, b) => [a, b],
    }
}

/// The horizontal part of a vector.
fn level<S: Space>(v: S::Vector) -> S::Vector {
    let mut flat = v.to_3d();
    flat[S::UP] = 0.0;
    S::Vector::from_slice(&flat)
}
