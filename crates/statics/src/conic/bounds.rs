//! Bounds of the value of a program from any forces and velocities, independent of the solver.
//!
//! For any admissible forces r' and multiplier λ', any v with f_L·v = 1 and any z,
//! ```text
//! c·r' − λ' = f_D·v − g·z + r'·w + (F r' + g)·z,     w = J v + c − Fᵀz
//! ```
//! so velocities with w = 0 and z ∈ K bound the value from below. Solvers stop at some w ≠ 0. If F is square, z is
//! recomputed from v, which gives w = 0, and z ∈ K unless the flow rule is really violated; otherwise w remains.
//! Violations are multiplied by the largest computed force. An imbalance e and a cone violation o of the forces change
//! the value by v·e and z·o to first order. All of these terms are added to the bounds, so the bounds are valid for the
//! structure and not only for the accuracy of the solver.

use super::interior::nothing;
use super::program::{MOST_COMPONENTS, inverse_map};
use super::{Program, ProgramSolution};

/// Bounds of c·r − λ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower bound, from the velocities.
    pub lower: f64,
    /// Upper bound, from the forces.
    pub upper: f64,
}

/// Bounds of the value of a program from an optimal solution.
pub fn bounds(program: &Program, solution: &ProgramSolution) -> Bounds {
    let r = &solution.forces;
    let work = dot(&program.live, &solution.velocities);
    let scale = if program.has_live() && work > 0.0 { 1.0 / work } else { 1.0 };
    let v: Vec<f64> = solution.velocities.iter().map(|v| v * scale).collect();
    let z: Vec<f64> = solution.spent.iter().map(|z| z * scale).collect();
    Bounds {
        lower: from_velocities(program, &v, z.clone(), r),
        upper: dot(&program.cost, r) - solution.multiplier + missed_by_forces(program, solution, &v, &z),
    }
}

/// The same from any forces, multiplier and velocities of a program in which F of every element is square.
pub fn bounds_of(program: &Program, forces: &[f64], multiplier: f64, velocities: &[f64]) -> Bounds {
    let mut flow = program.cost.clone();
    program.add_velocities(velocities, &mut flow);
    let mut spent = vec![0.0; program.offset.len()];
    consistent(program, &flow, &mut spent);
    let solution = ProgramSolution {
        forces: forces.to_vec(),
        multiplier,
        velocities: velocities.to_vec(),
        spent,
        ..nothing(program)
    };
    bounds(program, &solution)
}

/// z with Fᵀz = J v + c where F is square.
fn consistent(program: &Program, flow: &[f64], z: &mut [f64]) {
    for element in &program.elements {
        let Some(inverse) = inverse_map(program, element) else { continue };
        let m = element.components;
        for k in 0..m {
            z[element.row + k] = (0..m).map(|i| inverse[i * MOST_COMPONENTS + k] * flow[element.first + i]).sum();
        }
    }
}

/// f_D·v − g·z, minus the largest effect of a violated flow rule.
fn from_velocities(program: &Program, v: &[f64], mut z: Vec<f64>, r: &[f64]) -> f64 {
    let mut flow = program.cost.clone();
    program.add_velocities(v, &mut flow);
    consistent(program, &flow, &mut z);
    let value = dot(&program.dead, v) - dot(&program.offset, &z);
    let mut back = vec![0.0; flow.len()];
    program.add_map_transposed(&z, &mut back);
    let most = |x: &[f64]| x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let mut hidden = most(r) * flow.iter().zip(&back).map(|(a, b)| (a - b).abs()).sum::<f64>();
    let mut carried = program.offset.clone();
    program.add_map(r, &mut carried);
    let reach = most(&carried);
    let mut at = 0;
    for cone in &program.cones {
        hidden += reach * cone.outside(&z[at..at + cone.size()]).max(0.0);
        at += cone.size();
    }
    value - hidden
}

/// Largest overestimate of the value because of imbalance or cone violation of the forces.
fn missed_by_forces(program: &Program, solution: &ProgramSolution, v: &[f64], z: &[f64]) -> f64 {
    let mut rest = program.dead.clone();
    rest.iter_mut().zip(&program.live).for_each(|(e, f)| *e += solution.multiplier * f);
    program.add_forces(&solution.forces, &mut rest);
    let mut missed: f64 = rest.iter().zip(v).map(|(e, v)| (e * v).abs()).sum();
    let mut carried = program.offset.clone();
    program.add_map(&solution.forces, &mut carried);
    let mut at = 0;
    for cone in &program.cones {
        let range = at..at + cone.size();
        let size = z[range.clone()].iter().map(|z| z * z).sum::<f64>().sqrt();
        missed += size * cone.outside(&carried[range]).max(0.0);
        at += cone.size();
    }
    missed
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
