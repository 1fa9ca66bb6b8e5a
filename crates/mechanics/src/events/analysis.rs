//! The event-driven analysis behind the [`Analysis`] interface: one force step is one step.

use std::sync::Arc;

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Vector};

use super::{EventDriven, EventSettings};
use crate::analysis::Analysis;
use crate::any::{AnyModel, AnyState, StateRef, other_dimension};
use crate::construction::{self, Change};
use crate::contacts::ContactStatus;
use crate::error::MechanicsError;
use crate::measures;
use crate::report::{Cell, Column, ColumnRole, StepReport};
use crate::snapshot::{Snapshot, bodies, contact_snapshot};
use crate::state::Presence;

const fn effort(head: &'static str, label: &'static str) -> Column {
    Column { head, label, unit: "", role: ColumnRole::Effort }
}

const fn measure(head: &'static str, label: &'static str, unit: &'static str) -> Column {
    Column { head, label, unit, role: ColumnRole::Measure }
}

/// Columns of the event-driven analysis.
pub const EVENT_COLUMNS: &[Column] = &[
    effort("looks", "checks of pairs of bodies"),
    effort("step_impacts", "impacts in the step"),
    effort("impacts", "impacts since the start"),
    effort("largest_cluster", "contacts of the largest cluster"),
    effort("attempts", "solutions of impact problems"),
    effort("guards", "impacts in which the energy guard acted"),
    effort("inelastic", "impacts made inelastic because there were too many"),
    effort("held", "contacts of the largest group with persistent contacts"),
    effort("jammed", "floes in jams, moved by dynamic steps"),
    effort("jams", "dynamic steps of jams"),
    effort("clusters_2", "clusters of impacts with one or two contacts"),
    effort("clusters_8", "clusters with 3 to 8 contacts"),
    effort("clusters_32", "clusters with 9 to 32 contacts"),
    effort("clusters_more", "clusters with more than 32 contacts"),
    effort("active", "contacts of clusters that had an impulse"),
    effort("relaxed", "contacts of clusters that still close, as `relaxation` allows"),
    measure("last_impact_s", "time of the last impact of the step", "s"),
    effort("cluster_residual", "largest residual of a cluster of impacts"),
    effort("cluster_growth", "largest growth of the energy of a cluster, relative to its energy"),
    effort("worst_x_m", "place of the largest residual, x [m]"),
    effort("worst_y_m", "place of the largest residual, y [m]"),
    measure("momentum_x_n_s", "momentum, x", "N·s"),
    measure("momentum_y_n_s", "momentum, y", "N·s"),
    measure("angular_momentum_n_m_s", "angular momentum about the origin", "N·m·s"),
    measure("work_wind_j", "work of wind, part of the work of loads", "J"),
    measure("work_water_j", "work of water, part of the work of loads", "J"),
    measure("left", "floes that have left at open edges", ""),
    measure("left_area_m2", "area of the floes that have left", "m²"),
    measure("layer_x_m_s", "velocity of the layer of water under the ice, x", "m/s"),
    measure("layer_y_m_s", "velocity of the layer of water under the ice, y", "m/s"),
];

/// Starts the event-driven analysis of a model in the plane from a state.
pub fn begin(model: &AnyModel, settings: &EventSettings, state: AnyState) -> Result<Box<dyn Analysis>, MechanicsError> {
    match (model, state) {
        (AnyModel::Two(model), AnyState::Two(state)) => {
            Ok(Box::new(EventDriven::new(Arc::clone(model), settings.clone(), state)?))
        }
        (AnyModel::Three(_), _) => Err(MechanicsError::Part {
            what: "analysis \"events\"".to_owned(),
            reason: "it is for scenes in the plane; write dim = 2".to_owned(),
        }),
        _ => Err(other_dimension(model)),
    }
}

impl EventDriven {
    fn report(&self) -> StepReport {
        let (model, state, tally) = (&self.model, &self.state, &self.tally);
        let mut statuses = [0; 3];
        self.contacts.iter().for_each(|contact| statuses[contact.status as usize] += 1);
        let extremes = measures::extremes(model, state);
        let (momentum, angular) = measures::momentum(model, state);
        let gone = || (0..model.bodies.len()).filter(|&i| state.presence[i] == Presence::Gone);
        let area: f64 = gone().map(|i| self.rules[i].area).sum();
        let reaction = measures::support_reaction(|i| !self.free[i], &self.contacts);
        let counts = [
            tally.looks,
            tally.impacts,
            state.impacts,
            tally.largest,
            tally.attempts,
            tally.guards,
            tally.inelastic,
            tally.held,
            self.jammed.iter().filter(|jammed| **jammed).count() as u64,
            tally.jams,
        ];
        let [two, eight, more, most] = tally.clusters;
        let counts = counts.into_iter().chain([two, eight, more, most, tally.active, tally.relaxed]);
        let numbers = [
            tally.last,
            tally.cluster_residual,
            tally.growth,
            tally.worst.x,
            tally.worst.y,
            momentum.x,
            momentum.y,
            angular,
            state.ledger.wind,
            state.ledger.water,
            gone().count() as f64,
            area,
            state.slab.velocity.x,
            state.slab.velocity.y,
        ];
        StepReport {
            step: state.step,
            time: state.time,
            converged: !tally.missed,
            residual: tally.residual,
            contacts: self.contacts.len(),
            statuses,
            kinetic_energy: measures::kinetic_energy(model, state),
            potential_energy: measures::potential_energy(model, state),
            ledger: state.ledger,
            penetration: tally.penetration.max(0.0),
            closure: 0.0,
            load: measures::downward_load(model, state.time),
            displacement: extremes.displacement,
            speed: extremes.speed,
            support_reaction: Vector::to_3d(reaction),
            cables: Vec::new(),
            probes: Vec::new(),
            own: counts.map(Cell::Count).chain(numbers.map(Cell::Number)).collect(),
        }
    }

    /// Contacts of the last force step, with mean forces.
    pub(crate) fn contacts(&self) -> &[crate::contacts::ContactRecord<D2>] {
        &self.contacts
    }
}

impl Analysis for EventDriven {
    fn columns(&self) -> &'static [Column] {
        EVENT_COLUMNS
    }

    fn advance(&mut self) -> Result<StepReport, MechanicsError> {
        self.begin_step();
        self.run_queue();
        self.end_step()?;
        self.state.step += 1;
        self.state.position.steps += 1;
        Ok(self.report())
    }

    fn change(&mut self, change: &Change) -> Result<(), MechanicsError> {
        construction::change(&self.model, &mut self.state, change)?;
        if !change.create.is_empty() {
            let reason = "the event-driven analysis cannot create bodies".to_owned();
            return Err(MechanicsError::Part { what: "change".to_owned(), reason });
        }
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        let state = &self.state;
        let carries = |contact: &&crate::contacts::ContactRecord<D2>| {
            contact.status != ContactStatus::Open || contact.force != DVec2::ZERO
        };
        Snapshot {
            time: state.time,
            step: state.step,
            bodies: bodies(state),
            contacts: self.contacts().iter().filter(carries).map(contact_snapshot).collect(),
            ..Snapshot::default()
        }
    }

    fn save(&mut self) -> StateRef<'_> {
        StateRef::Two(&self.state)
    }

    fn into_state(self: Box<Self>) -> AnyState {
        AnyState::Two(self.state)
    }
}
