//! Cables in static analyses: given forces, or ties.
//!
//! Bodies do not move in a static analysis, so the tension of a cable does not follow from its elongation. A cable with
//! a prestress P has the tension P, as an elastic cable at the time of fitting: it is part of the dead loads. A cable
//! without a prestress is a *tie*, 0 ≤ T ≤ S with its strength S: a very small motion would give any such tension. A
//! scene can override this choice.
//!
//! **Lateral pressure by movement.** A load whose force may have any multiple in a range ([`Load::range`]) is the force
//! itself and two ties to the first support, along it and against it, whose strengths are the differences to the ends
//! of the range. In a mechanism such a pressure is the greatest where the body moves against it and the least where the
//! body moves away, as the passive and active pressures of LimitState:RING are.
//!
//! [`Load::range`]: voussoir_mechanics::model::Load::range

use voussoir_geometry::{Pose, Space, Vector};
use voussoir_mechanics::model::{Anchor, AtRest, Cable, Model, Role};
use voussoir_mechanics::state::CableMemory;
use voussoir_mechanics::time_function::TimeFunction;

use crate::error::StaticsError;
use crate::structure::Structure;

/// A fitted cable.
#[derive(Clone, Debug)]
pub struct Fitted<S: Space> {
    /// Anchors, strength.
    pub cable: Cable<S>,
    /// Prestress, before multiplication by its function of time \[N\].
    pub prestress: f64,
    /// Tension of a tie in the last analysis \[N\].
    pub force: f64,
    /// True for the movement-dependent part of a pressure, which is not a cable.
    pub pressure: bool,
}

impl<S: Space> Fitted<S> {
    fn new(cable: &Cable<S>, prestress: f64) -> Self {
        Self { cable: cable.clone(), prestress, force: 0.0, pressure: false }
    }

    /// True for a tie.
    pub fn is_tie(&self) -> bool {
        match self.cable.at_rest {
            Some(role) => role == AtRest::Tie,
            None => self.prestress <= 0.0,
        }
    }

    /// S \[N\]; infinite without a strength.
    pub fn strength(&self) -> f64 {
        self.cable.strength.unwrap_or(f64::INFINITY)
    }

    /// Tension at a time: the prestress, or the result of the last analysis \[N\].
    pub fn tension(&self, time: f64) -> f64 {
        if self.is_tie() { self.force } else { (self.prestress * self.cable.function.value(time)).max(0.0) }
    }
}

/// The cables of a model that are fitted at the start, and the pressures that depend on movement.
pub(crate) fn from_start<S: Space>(model: &Model<S>, poses: &[Pose<S>]) -> Vec<Fitted<S>> {
    let fitted = model.cables.iter().filter(|cable| cable.fitted).map(|cable| Fitted::new(cable, cable.prestress));
    fitted.chain(pressures(model, poses)).collect()
}

/// Distance of the fixed end of a tie that represents a pressure [m]: its direction hardly changes with the pose of the
/// body.
const ANCHOR_DISTANCE: f64 = 1e4;

/// Ties that represent pressures between the ends of their ranges.
fn pressures<S: Space>(model: &Model<S>, poses: &[Pose<S>]) -> Vec<Fitted<S>> {
    let Some(support) = model.bodies.iter().position(|body| body.role != Role::Free) else { return Vec::new() };
    let mut ties = Vec::new();
    for load in model.loads.iter().filter(|load| load.range != [1.0; 2] && model.bodies[load.body].role == Role::Free) {
        let force = load.force * load.function.value(0.0);
        let size = force.length();
        for (end, sign) in [(load.range[1] - 1.0, 1.0), (1.0 - load.range[0], -1.0)] {
            if size * end > 0.0 {
                let point = poses[load.body].point(load.point) + force * (sign * ANCHOR_DISTANCE / size);
                let anchors = vec![
                    Anchor { body: load.body, point: load.point },
                    Anchor { body: support, point: poses[support].local_point(point) },
                ];
                let cable = Cable {
                    name: load.name.clone(),
                    anchors,
                    closed: false,
                    stiffness: 0.0,
                    prestress: 0.0,
                    function: TimeFunction::Constant(1.0),
                    strength: Some(size * end),
                    breaks: false,
                    fitted: true,
                    at_rest: Some(AtRest::Tie),
                };
                ties.push(Fitted { cable, prestress: 0.0, force: 0.0, pressure: true });
            }
        }
    }
    ties
}

impl<S: Space> Structure<S> {
    /// Takes over the cables from the state of a run: prestressed cables keep their current tension.
    pub fn take_cables(&mut self, memory: &[CableMemory]) {
        let there = self.model.cables.iter().zip(memory).filter(|(_, memory)| memory.holds());
        let taken = |(cable, memory): (&Cable<S>, &CableMemory)| {
            let mut fitted = Fitted::new(cable, memory.prestress);
            if !fitted.is_tie() {
                fitted.prestress = memory.tension;
                fitted.cable.function = TimeFunction::Constant(1.0);
                fitted.cable.at_rest = Some(AtRest::Force);
            }
            fitted
        };
        self.cables = there.map(taken).chain(pressures(&self.model, &self.poses)).collect();
    }

    /// Adds a cable.
    pub fn add_cable(&mut self, cable: Cable<S>) -> Result<(), StaticsError> {
        if let Some(reason) = cable.fault(&self.model) {
            return Err(StaticsError::Number { what: format!("the cable \"{}\"", cable.name), reason });
        }
        if cable.length(&self.poses).is_nan() || cable.length(&self.poses) <= 0.0 {
            let reason = "its ends are at the same point".to_owned();
            return Err(StaticsError::Number { what: format!("the cable \"{}\"", cable.name), reason });
        }
        self.cables.push(Fitted::new(&cable, cable.prestress));
        Ok(())
    }

    /// The ties.
    pub(crate) fn ties(&self) -> impl Iterator<Item = &Fitted<S>> {
        self.cables.iter().filter(|fitted| fitted.is_tie())
    }

    /// Row of the tension of a cable for each of its nodes.
    pub(crate) fn cable_rows(&self, cable: &Cable<S>) -> Vec<(u32, Vec<f64>)> {
        let mut entries: Vec<(u32, Vec<f64>)> = Vec::new();
        for (anchor, direction) in cable.anchors.iter().zip(cable.directions(&self.poses)) {
            let Some(node) = self.node[anchor.body] else { continue };
            let pose: &Pose<S> = &self.poses[anchor.body];
            let mut row = [0.0; 6];
            S::jacobian_row(pose.rotation, pose.direction(anchor.point), direction, &mut row[..S::DOFS]);
            match entries.iter_mut().find(|(other, _)| *other == node) {
                Some((_, sum)) => sum.iter_mut().zip(row).for_each(|(sum, part)| *sum += part),
                None => entries.push((node, row[..S::DOFS].to_vec())),
            }
        }
        entries
    }

    /// Adds the generalised force of a cable on the free bodies, for a given `tension` (nodes × dofs).
    pub(crate) fn add_pull(&self, cable: &Cable<S>, tension: f64, loads: &mut [f64]) {
        for (node, row) in self.cable_rows(cable) {
            for (sum, part) in loads[node as usize * S::DOFS..][..S::DOFS].iter_mut().zip(row) {
                *sum += tension * part;
            }
        }
    }

    /// Elongation rate of each tie, for velocities of the free bodies (nodes × dofs) \[m/s\].
    pub(crate) fn tie_rates(&self, velocities: &[f64]) -> Vec<f64> {
        let shortens = |(node, row): (u32, Vec<f64>)| {
            let v = &velocities[node as usize * S::DOFS..][..S::DOFS];
            row.iter().zip(v).map(|(j, v)| j * v).sum::<f64>()
        };
        self.ties().map(|tie| -self.cable_rows(&tie.cable).into_iter().map(shortens).sum::<f64>()).collect()
    }

    /// Force of supports on the free bodies through cables at a time \[N\].
    pub fn reaction_through_cables(&self, time: f64) -> S::Vector {
        let mut sum = S::zero();
        for fitted in &self.cables {
            let pulls = fitted.cable.anchors.iter().zip(fitted.cable.directions(&self.poses));
            for (_, direction) in pulls.filter(|(anchor, _)| self.node[anchor.body].is_some()) {
                sum += direction * fitted.tension(time);
            }
        }
        sum
    }

    /// Stores the tensions of ties \[N\].
    pub(crate) fn keep_pulls(&mut self, pulls: impl Iterator<Item = f64>) {
        let ties = self.cables.iter_mut().filter(|fitted| fitted.is_tie());
        ties.zip(pulls).for_each(|(tie, pull)| tie.force = pull.clamp(0.0, tie.strength()));
    }
}
