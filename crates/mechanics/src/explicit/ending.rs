//! End of a stage: balance of forces, and load increments that are held until the structure is at rest or collapses.
//!
//! Unbalanced force of a body: |F| with the moment divided by the radius of the body. The measure is the mean over the
//! free bodies, divided by the mean normal force of the contacts that carry. An increment in which the structure is
//! neither at rest nor collapsed within the patience of the stage is undecided: the stage ends, and the load does not
//! count as stable.

use super::memory::{Loading, StableState};
use super::settings::{ExplicitGoal, ExplicitSettings, Increments, Rest};
use super::step::Explicit;
use crate::error::MechanicsError;

/// Steps between two checks of the balance.
const LOOK_EVERY: u64 = 10;

/// Where the increments of a stage start.
pub(super) fn first_loading(settings: &ExplicitSettings) -> Loading {
    match &settings.goal {
        ExplicitGoal::Increments(increments) => {
            Loading { target: increments.from, from: increments.from, by: increments.by, ..Loading::default() }
        }
        _ => Loading::default(),
    }
}

impl Loading {
    /// Load factor at the present step: linear over the ramp.
    pub(super) fn factor(&self, settings: &ExplicitSettings) -> f64 {
        match &settings.goal {
            ExplicitGoal::Increments(Increments { ramp, .. }) if self.steps < *ramp => {
                self.from + (self.target - self.from) * (self.steps as f64 / *ramp as f64)
            }
            _ => self.target,
        }
    }
}

impl Explicit {
    /// Checks if the stage or the present increment has ended.
    pub(super) fn look_for_the_end(&mut self) -> Result<(), MechanicsError> {
        let Some(rest) = self.settings.rest() else { return Ok(()) };
        if !self.state.position.steps.is_multiple_of(LOOK_EVERY) || self.loading.done {
            return Ok(());
        }
        self.state.ledger = self.ledger_with_springs();
        self.unbalanced = self.imbalance();
        if !self.unbalanced[0].is_finite() && self.sums().closed > 0 {
            let time = self.state.time;
            let lost = |i: &usize| !self.arrays.pos[*i].iter().chain(self.arrays.vel[*i].iter()).all(|x| x.is_finite());
            let index = (0..self.arrays.pos.len()).find(lost).unwrap_or(0);
            return Err(MechanicsError::NotFinite { index, name: self.model.bodies[index].name.clone(), time });
        }
        match self.settings.goal.clone() {
            ExplicitGoal::Time(_) => Ok(()),
            ExplicitGoal::Rest(rest) => {
                let rests = self.unbalanced[0] <= rest.unbalanced;
                self.loading.undecided = !rests && self.loading.steps >= rest.patience;
                self.loading.done = rests || self.loading.undecided;
                Ok(())
            }
            ExplicitGoal::Increments(increments) => self.look_at_increment(&increments, rest),
        }
    }

    /// At rest, collapsed or neither: the next increment, a smaller one, or the end of the stage.
    fn look_at_increment(&mut self, increments: &Increments, rest: Rest) -> Result<(), MechanicsError> {
        let Loading { target, by, steps, .. } = self.loading;
        let fallen = self.sunk(increments) > increments.displacement && self.stable.is_some();
        let smallest = by <= increments.refine * (1.0 + 1e-9);
        if fallen {
            self.loading.fallen = Some(target);
            if smallest {
                self.loading.done = true;
                return Ok(());
            }
            // from the last state at rest with half of the increment
            return self.go_back(0.5 * by);
        }
        if steps <= increments.ramp {
            return Ok(());
        }
        if self.unbalanced[0] <= rest.unbalanced {
            self.loading.stable = Some(target);
            self.stable = Some(Box::new(self.stable_state()));
            let mut by = by;
            if let Some(fallen) = self.loading.fallen {
                // the next load factor has already caused collapse
                while target + by >= fallen - 1e-9 * by && by > increments.refine * (1.0 + 1e-9) {
                    by *= 0.5;
                }
                self.loading.done = target + by >= fallen - 1e-9 * by;
            }
            self.loading.done |= target + by > increments.most * (1.0 + 1e-12);
            if !self.loading.done {
                (self.loading.from, self.loading.target, self.loading.by, self.loading.steps) =
                    (target, target + by, by, 0);
            }
        } else if steps >= rest.patience {
            (self.loading.undecided, self.loading.done) = (true, true);
        }
        Ok(())
    }

    /// Mean displacement of the watched bodies since the last rest [m]; of all free bodies the largest if none is named.
    fn sunk(&self, increments: &Increments) -> f64 {
        let start = |i: usize| match &self.stable {
            Some(stable) => stable.poses[i].position,
            None => self.model.bodies[i].pose.position,
        };
        let of = |i: usize| self.arrays.centre(i).distance(start(i));
        if increments.watched.is_empty() {
            return (0..self.arrays.pos.len()).filter(|&i| self.arrays.free[i]).map(of).fold(0.0, f64::max);
        }
        increments.watched.iter().map(|&i| of(i)).sum::<f64>() / increments.watched.len() as f64
    }

    fn stable_state(&mut self) -> StableState<voussoir_geometry::D2> {
        self.arrays.write(&mut self.state);
        StableState {
            poses: self.state.poses.clone(),
            velocities: self.state.velocities.clone(),
            contacts: self.contact_memory(),
            elastic: self.elastic_memory(),
            corners: self.corner_memory(),
            ledger: self.state.ledger,
        }
    }

    /// Returns to the last state at rest, with another increment.
    fn go_back(&mut self, by: f64) -> Result<(), MechanicsError> {
        let Some(stable) = self.stable.clone() else { return Ok(()) };
        let from = self.loading.stable.unwrap_or(self.loading.from);
        (self.loading.from, self.loading.target, self.loading.by, self.loading.steps) = (from, from + by, by, 0);
        self.place(&stable.poses);
        for (vel, old) in self.arrays.vel.iter_mut().zip(stable.velocities.chunks_exact(3)) {
            vel[..3].copy_from_slice(old);
        }
        self.lists = Default::default();
        self.detect()?;
        self.recall_from(&stable.contacts, Some((&stable.elastic, &stable.corners)));
        self.state.ledger = stable.ledger;
        self.arrays.clear_forces();
        self.load(0.0);
        self.contacts(0.0);
        Ok(())
    }

    /// Mean and largest unbalanced force, relative to the mean contact force; infinite without contacts under load.
    pub(super) fn imbalance(&self) -> [f64; 2] {
        let (mut sum, mut largest, mut bodies) = (0.0, 0.0f64, 0usize);
        for i in (0..self.arrays.pos.len()).filter(|&i| self.arrays.free[i]) {
            let (force, inverse) = (self.arrays.force[i], self.arrays.inverse[i]);
            let part = |k: usize| if inverse[k] > 0.0 { force[k] } else { 0.0 };
            let moment = part(2) / self.extents[i].reach.max(f64::MIN_POSITIVE);
            let own = (part(0) * part(0) + part(1) * part(1) + moment * moment).sqrt();
            (sum, largest, bodies) = (sum + own, largest.max(own), bodies + 1);
        }
        let mean = sum / bodies.max(1) as f64;
        if mean == 0.0 {
            return [0.0; 2];
        }
        let sums = self.sums();
        let contact = sums.normal / sums.closed.max(1) as f64;
        [mean / contact, largest / contact]
    }
}
