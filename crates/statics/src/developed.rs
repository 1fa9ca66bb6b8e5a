//! Forces that the loads alone produce: the difference between a structure that stands and a wedged one.
//!
//! A block between two fixed walls is in equilibrium under any large enough pressure of the walls, but its weight
//! produces no pressure: it falls. Forces in equilibrium prove that a structure stands only if the loads produce them.
//! This is tested on the same structure with slightly compliant contacts under Coulomb's law: u + E r in place of u,
//! from rest and from zero forces. Compliance allows no self-stress without approach. A structure that stands moves by
//! an amount proportional to the compliance; a wedged one moves as if the self-stress did not exist.
//!
//! All joints have the same stiffness per area, like mortar beds or rough stone: E = ε w A̅/A for a point that
//! represents the area A, with the mean A̅ of the areas and the mean w of the Delassus diagonal. The forces of a
//! hyperstatic structure depend on the stiffness of its joints. With the same stiffness for every *point*, slivers of
//! joints would carry as much as whole faces, and a block that its neighbours press from all sides could lose the
//! pressure that its weight needs. Coupled rigid-block analysis (Kao et al. 2022) answers the same question by coupling
//! forces and virtual displacements.

use voussoir_contact::{Options, Solver};
use voussoir_geometry::Space;

use crate::conic::{self, Engine, Outcome};
use crate::equilibrium::{Capacity, Terms};
use crate::structure::{Structure, Weaker};

/// Points that represent less than this fraction of the mean area are as stiff as a point of this area.
const SLIVER_AREA: f64 = 1e-3;

/// First compliance relative to the mean of the Delassus diagonal.
const FIRST_COMPLIANCE: f64 = 1e-5;

/// The second is this fraction of the first.
const COMPLIANCE_RATIO: f64 = 0.1;

/// Fastest point relative to free fall below which the structure is at rest.
const REST_SPEED: f64 = 1e-2;

/// If a motion is due to compliance alone, it falls below this fraction when the compliance is reduced by [`COMPLIANCE_RATIO`].
const FADING_RATIO: f64 = 0.3;

/// Largest residual of the compliant contact problem that decides, relative to the compliance: errors must be small
/// against the approach that the forces need.
const DECIDING_RESIDUAL: f64 = 1e-2;

/// Response of compliant contacts to the loads.
pub(crate) enum Developed {
    /// The loads produce forces in equilibrium.
    Stands,
    /// The structure moves with these velocities (nodes × dofs).
    Moves(Vec<f64>),
    /// The compliant problem was not solved.
    Open,
}

impl<S: Space> Structure<S> {
    /// True if contact forces exist that are in equilibrium without any load: only then a structure can be wedged.
    pub(crate) fn has_self_stress(&self, engine: Engine) -> bool {
        let none = vec![0.0; self.nodes() * S::DOFS];
        let price: Vec<S::Vector> = self.contacts.iter().map(|contact| contact.normal * -1.0).collect();
        let capacity = Capacity::default();
        let posed = self.pose(&Terms { price: Some(&price), ..Terms::new(&none, &capacity) });
        conic::solve(&posed.program, engine).outcome != Outcome::Optimal
    }

    /// Decides whether the loads alone (nodes × dofs) develop forces in equilibrium.
    pub(crate) fn develops(&self, loads: &[f64], weaker: Weaker) -> Developed {
        let Some((first, motion)) = self.compliant_motion(loads, weaker, FIRST_COMPLIANCE) else {
            return Developed::Open;
        };
        if first <= REST_SPEED {
            return Developed::Stands;
        }
        match self.compliant_motion(loads, weaker, FIRST_COMPLIANCE * COMPLIANCE_RATIO) {
            Some((second, _)) if second <= f64::max(REST_SPEED, FADING_RATIO * first) => Developed::Stands,
            Some(_) => Developed::Moves(motion),
            None => Developed::Open,
        }
    }

    /// Speed of the fastest point relative to the fastest one without contacts, and the velocities (nodes × dofs);
    /// `None` if the problem was not solved.
    fn compliant_motion(&self, loads: &[f64], weaker: Weaker, relative: f64) -> Option<(f64, Vec<f64>)> {
        let mut problem = self.weakened_problem(loads, false, weaker);
        let blocks = problem.delassus_diagonal();
        let normal = blocks.chunks_exact(S::DIM * S::DIM).take(self.contacts.len()).map(|block| block[0]);
        let mean = normal.sum::<f64>() / self.contacts.len().max(1) as f64;
        let area = self.contacts.iter().map(|contact| contact.area).sum::<f64>() / self.contacts.len().max(1) as f64;
        for (k, contact) in self.contacts.iter().enumerate() {
            // contacts of edges and corners have no area
            let share = if area > 0.0 { f64::max(contact.area / area, SLIVER_AREA) } else { 1.0 };
            problem.set_compliance(k, &[relative * mean / share; 3][..S::DIM]);
        }
        let free = self.fastest(problem.free_velocity());
        if free <= 0.0 {
            return Some((0.0, Vec::new()));
        }
        let cold = vec![0.0; problem.contacts() * S::DIM];
        let solution = Solver::new().solve(&problem, &cold, &Options { tolerance: 1e-9, ..Options::default() });
        let solved = solution.report.residual <= DECIDING_RESIDUAL * relative;
        solved.then(|| (self.fastest(&solution.velocities) / free, solution.velocities))
    }
}
