//! The explicit analysis: discrete elements in the plane, blocks and discs on elastic contacts, central differences.
//!
//! | module | content |
//! |---|---|
//! | [`settings`] | settings: step, mass scaling, damping, ending |
//! | `start` | checks and constants at the start |
//! | `arrays` | working arrays made from model and state |
//! | `lists` | pairs that may touch, and the memory of their contacts |
//! | `contact` | contacts of pairs with an outline, and the lengths of their points |
//! | `law` | force of a contact point |
//! | `discs` | forces of pairs of discs |
//! | `forces` | forces of all contacts |
//! | `motion` | velocities and positions, dampings |
//! | [`packing`] | random packings of discs |
//! | `stability` | critical step, mass scaling |
//! | `step` | one step |
//! | `ending` | balance of forces, load increments |
//! | `records` | contact memory of the common state, records for frames |
//! | `report` | columns and reports |
//! | [`memory`] | the part of the state that only this analysis has |
//!
//! Central differences: v_{t+½} = v_{t−½} + F Δt/m, x_{t+1} = x_t + v_{t+½} Δt, stable for Δt < 2/ω_max. The scheme keeps
//! ½ m v₋v₊ + elastic energy while contacts neither open nor close; opening and closing change it by at most (Δt/Δt_cr)²
//! of the energy of the impact. References: Cundall and Strack, Géotechnique 29 (1979); Rouxinol, Providência and Lemos
//! (2007), Bridgemill bridge bearing capacity assessment by a discrete element method.

mod arrays;
mod contact;
mod discs;
mod ending;
mod forces;
mod law;
mod lists;
pub mod memory;
mod motion;
pub mod packing;
mod records;
mod report;
pub mod settings;
mod stability;
mod start;
mod step;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use voussoir_geometry::D2;

use crate::analysis::Analysis;
use crate::any::{AnyModel, AnyState, StateRef, other_dimension};
use crate::construction::{self, Change};
use crate::error::MechanicsError;
use crate::model::Model;
use crate::report::{Column, StepReport};
use crate::snapshot::{Snapshot, bodies, contact_snapshot};

pub use memory::ExplicitMemory;
pub use report::EXPLICIT_COLUMNS;
pub use settings::ExplicitSettings;
pub use step::Explicit;

/// Starts the explicit analysis of a 2D model from a state.
pub fn begin(
    model: &AnyModel,
    settings: &ExplicitSettings,
    state: AnyState,
) -> Result<Box<dyn Analysis>, MechanicsError> {
    match (model, state) {
        (AnyModel::Two(model), AnyState::Two(state)) => {
            Ok(Box::new(Explicit::new(Arc::clone(model), settings.clone(), state)?))
        }
        (AnyModel::Three(_), _) => Err(MechanicsError::Part {
            what: "analysis = \"explicit\"".to_owned(),
            reason: "it is for scenes in two dimensions; write dimension = 2 or use analysis = \"dynamic\"".to_owned(),
        }),
        _ => Err(other_dimension(model)),
    }
}

impl Explicit {
    /// The model.
    pub fn model(&self) -> &Model<D2> {
        &self.model
    }

    /// The critical time step of the present contacts [s].
    pub fn critical_step(&self) -> f64 {
        self.critical
    }

    /// The time step in use [s].
    pub fn time_step(&self) -> f64 {
        self.dt
    }

    /// Factors of mass scaling: least, mean, largest; `None` without mass scaling.
    pub fn mass_factors(&self) -> Option<[f64; 3]> {
        self.factors
    }

    /// Contacts at the present positions.
    pub fn contact_list(&self) -> Vec<crate::contacts::ContactRecord<D2>> {
        self.contact_records()
    }

    /// Mean and largest unbalanced force, relative to the mean contact force.
    pub fn unbalanced_force(&self) -> [f64; 2] {
        self.imbalance()
    }

    /// Number of contacts in the force loop: closed, and all pairs in the lists.
    pub fn contact_counts(&self) -> [usize; 2] {
        let sums = self.sums();
        [sums.closed, sums.listed]
    }

    fn write_state(&mut self) {
        self.arrays.write(&mut self.state);
        self.state.contacts = self.contact_memory();
        self.state.explicit = Some(Box::new(self.memory()));
    }
}

impl Analysis for Explicit {
    fn columns(&self) -> &'static [Column] {
        EXPLICIT_COLUMNS
    }

    fn advance(&mut self) -> Result<StepReport, MechanicsError> {
        self.step()?;
        Ok(self.report())
    }

    fn is_done(&self) -> bool {
        self.loading.done
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let (ratio, a, b) = self.deepest;
        if ratio > 1.0 {
            let [first, second] = [a, b].map(|body| &self.model.bodies[body as usize].name);
            warnings.push(format!(
                "\"{first}\" and \"{second}\" overlapped by more than half of the radius of their corners ({ratio:.1} times): \
                 hinges lie too far outside; use a rounding of at least {:.2e} m, or stiffer springs",
                ratio * self.rounding
            ));
        }
        if self.loading.undecided {
            warnings.push(format!(
                "neither at rest nor collapsed after {} steps: undecided; more `patience`, or a larger `unbalanced`",
                self.loading.steps
            ));
        }
        warnings
    }

    fn change(&mut self, change: &Change) -> Result<(), MechanicsError> {
        self.write_state();
        let mut state = self.state.clone();
        construction::change(&self.model, &mut state, change)?;
        if state.presence != self.state.presence {
            // bodies have changed: lists, masses and forces are recomputed
            *self = Self::new(Arc::clone(&self.model), self.settings.clone(), state)?;
        }
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        let mut state = self.state.clone();
        self.arrays.write(&mut state);
        Snapshot {
            time: state.time,
            step: state.step,
            bodies: bodies::<D2>(&state),
            contacts: self.contact_records().iter().map(contact_snapshot).collect(),
            ..Snapshot::default()
        }
    }

    fn save(&mut self) -> StateRef<'_> {
        self.write_state();
        StateRef::Two(&self.state)
    }

    fn into_state(mut self: Box<Self>) -> AnyState {
        self.write_state();
        AnyState::Two(self.state)
    }
}
