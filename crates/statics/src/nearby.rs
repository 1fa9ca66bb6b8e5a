//! Limit loads near a known one: the mechanism and the forces of one load, tried on another.
//!
//! A mechanism v of one load bounds the multiplier of every other load from above: λ ≤ −f_D·v/f_L·v. If it still
//! governs, forces in equilibrium with this λ exist near those of the known load, and one linear solve finds them: the
//! smallest change Δr with JᵀΔr = −(Jᵀr + λ f_L + f_D) in the metric that lets a force grow along itself, and change
//! otherwise in proportion to its distance from the boundary of its cone, so that open contacts stay open and sliding
//! ones keep sliding. The bounds of both (`conic::bounds`) decide whether this is a proof; if not, the program is
//! solved.

use voussoir_geometry::Space;

use crate::conic::bounds::bounds_of;
use crate::conic::normal::{Normal, Small, invert};
use crate::conic::program::{MOST_COMPONENTS, Program};
use crate::equilibrium::Posed;
use crate::structure::Structure;

/// Relative distance of bounds that are accepted.
const BOUND_DISTANCE: f64 = 2e-7;

/// Largest distance of a force from its cone, relative to the largest force.
const CONE_DISTANCE: f64 = 1e-9;

/// Imbalance of forces that prove an unbounded load, relative to the load.
const MOST_IMBALANCE: f64 = 1e-9;

/// Rounds of correction.
const MOST_ROUNDS: usize = 4;

/// Square of the change that is allowed to a contact without force, in mean loads.
const LEAST_CHANGE: f64 = 1e-18;

/// Bounds of a multiplier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Nearby {
    /// Lower and upper bound.
    Bounds([f64; 2]),
    /// No multiple of the load causes collapse.
    Unbounded,
}

/// Forces in equilibrium with any multiple of a load, and their factorised metric.
struct Ray<'p> {
    forces: Vec<f64>,
    normal: Normal<'p>,
}

/// A solved load: forces, velocities and the factorised metric.
pub(crate) struct Neighbour<'p> {
    forces: Vec<f64>,
    velocities: Vec<f64>,
    /// f_D·v.
    dead_power: f64,
    normal: Normal<'p>,
}

/// Programs that differ only in the load that is multiplied.
pub(crate) struct Neighbourhood<'p> {
    posed: &'p Posed,
    known: Vec<Neighbour<'p>>,
    rays: Vec<Ray<'p>>,
}

impl<'p> Neighbourhood<'p> {
    /// No solved loads yet.
    pub fn new(posed: &'p Posed) -> Self {
        Self { posed, known: Vec::new(), rays: Vec::new() }
    }

    /// Adds the state stored in the contacts of a structure, and its mechanism (nodes × dofs).
    pub fn learn<S: Space>(&mut self, structure: &Structure<S>, velocities: &[f64]) {
        let program = &self.posed.program;
        let forces = self.posed.components(structure);
        let mut velocities = velocities.to_vec();
        for (v, size) in velocities.chunks_exact_mut(S::DOFS).zip(&structure.size) {
            v[S::DIM..].iter_mut().for_each(|x| *x *= size);
        }
        let mut normal = Normal::new(program);
        if normal.factorise(metric(program, &forces)).is_ok() {
            let dead_power = dot(&program.dead, &velocities);
            self.known.push(Neighbour { forces, velocities, dead_power, normal });
        }
    }

    /// Adds the direction stored in the contacts of a structure: forces that balance a multiple of a load (nodes ×
    /// dofs).
    pub fn learn_direction<S: Space>(&mut self, structure: &Structure<S>, live: &[f64]) {
        let program = &self.posed.program;
        let mut forces = self.posed.components(structure);
        let live = self.posed.live_in_units(structure, live);
        let mut balanced = vec![0.0; live.len()];
        program.add_forces(&forces, &mut balanced);
        let multiple = -dot(&balanced, &live) / dot(&live, &live);
        let mut normal = Normal::new(program);
        if multiple > 0.0 {
            forces.iter_mut().for_each(|r| *r /= multiple);
            if normal.factorise(metric(program, &forces)).is_ok() {
                self.rays.push(Ray { forces, normal });
            }
        }
    }

    /// The multiplier of a load (nodes × dofs), if a known mechanism governs it or a known direction carries it.
    pub fn of<S: Space>(&self, structure: &Structure<S>, live: &[f64]) -> Option<Nearby> {
        let live = self.posed.live_in_units(structure, live);
        let power = |known: &Neighbour<'p>| dot(&live, &known.velocities);
        let bound = |known: &Neighbour<'p>| match power(known) {
            power if power > 0.0 => -known.dead_power / power,
            _ => f64::INFINITY,
        };
        let program = &self.posed.program;
        let best = self.known.iter().min_by(|a, b| bound(a).total_cmp(&bound(b)));
        let Some(best) = best.filter(|known| bound(known).is_finite()) else {
            // no known mechanism moves the load
            let carried = |ray: &Ray<'p>| {
                let (forces, rest) = balanced(program, &ray.normal, &ray.forces, &live);
                rest <= MOST_IMBALANCE * dot(&live, &live).sqrt() && admissible(program, &forces)
            };
            return self.rays.iter().rev().any(carried).then_some(Nearby::Unbounded);
        };
        let lambda = bound(best);
        if lambda <= 0.0 {
            return None;
        }
        let mut program = program.clone();
        program.live = live;
        let mut loads = program.dead.clone();
        loads.iter_mut().zip(&program.live).for_each(|(e, f)| *e += lambda * f);
        let (forces, _) = balanced(&program, &best.normal, &best.forces, &loads);
        if !admissible(&program, &forces) {
            return None;
        }
        let bounds = bounds_of(&program, &forces, lambda, &best.velocities);
        let [lower, upper] = [-bounds.upper, -bounds.lower];
        let close = upper - lower <= BOUND_DISTANCE * upper && lower > 0.0;
        close.then(|| Nearby::Bounds([lower, upper].map(|lambda| lambda * self.posed.live_scale)))
    }
}

/// Forces changed so that they balance loads, and the norm of the remaining imbalance.
fn balanced(program: &Program, normal: &Normal<'_>, forces: &[f64], loads: &[f64]) -> (Vec<f64>, f64) {
    let (mut forces, size) = (forces.to_vec(), dot(loads, loads).sqrt());
    let mut left = f64::INFINITY;
    for round in 0..=MOST_ROUNDS {
        let mut rest = loads.to_vec();
        program.add_forces(&forces, &mut rest);
        left = dot(&rest, &rest).sqrt();
        if left <= 1e-13 * size || round == MOST_ROUNDS {
            break;
        }
        rest.iter_mut().for_each(|e| *e = -*e);
        let (change, _) = normal.solve(&vec![0.0; forces.len()], &rest);
        forces.iter_mut().zip(change).for_each(|(r, d)| *r += d);
    }
    (forces, left)
}

/// True if forces are in their cones up to rounding.
fn admissible(program: &Program, forces: &[f64]) -> bool {
    let mut carried = program.offset.clone();
    program.add_map(forces, &mut carried);
    let reach = carried.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let mut at = 0;
    program.cones.iter().all(|cone| {
        let own = &carried[at..at + cone.size()];
        at += cone.size();
        cone.outside(own) <= CONE_DISTANCE * reach
    })
}

/// Inverse of σ² + r rᵀ for each element, where σ is the distance of the force r from the boundary of its cones.
fn metric<'p>(program: &'p Program, forces: &'p [f64]) -> impl Iterator<Item = Small> + 'p {
    let mut carried = program.offset.clone();
    program.add_map(forces, &mut carried);
    program.elements.iter().map(move |element| {
        let (m, r) = (element.components, &forces[element.first..]);
        let mut room = f64::INFINITY;
        let mut at = element.row;
        for cone in &program.cones[element.cone..element.cone + element.cones] {
            room = room.min(-cone.outside(&carried[at..at + cone.size()]));
            at += cone.size();
        }
        let room = room.max(0.0);
        let mut block = [0.0; MOST_COMPONENTS * MOST_COMPONENTS];
        for i in 0..m {
            for j in 0..m {
                block[i * MOST_COMPONENTS + j] = r[i] * r[j] + if i == j { room * room + LEAST_CHANGE } else { 0.0 };
            }
        }
        invert(&block, m).unwrap_or([0.0; MOST_COMPONENTS * MOST_COMPONENTS])
    })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
