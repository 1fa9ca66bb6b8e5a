//! The same programs through clarabel, the reference for the own interior-point solver.
//!
//! If F is square and invertible in every element, clarabel gets the program in velocities (min g·z − f_D·v over v,
//! with z = F⁻ᵀ(J v + c) ∈ K and f_L·v = 1), which is the smaller form; otherwise in forces.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolution, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus,
    SupportedConeT, ZeroConeT,
};

use super::cone::Cone;
use super::normal::Small;
use super::program::{MOST_COMPONENTS, Program, inverse_map};
use super::{Outcome, ProgramSolution};

/// Solves a program.
pub fn solve(program: &Program) -> ProgramSolution {
    let inverses: Option<Vec<_>> = program.elements.iter().map(|element| inverse_map(program, element)).collect();
    match inverses {
        Some(inverses) => in_velocities(program, &inverses),
        None => in_forces(program),
    }
}

/// Entries of a sparse matrix.
#[derive(Default)]
struct Entries {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl Entries {
    fn push(&mut self, row: usize, column: usize, value: f64) {
        if value != 0.0 {
            self.rows.push(row);
            self.columns.push(column);
            self.values.push(value);
        }
    }

    fn matrix(self, rows: usize, columns: usize) -> CscMatrix<f64> {
        CscMatrix::new_from_triplets(rows, columns, self.rows, self.columns, self.values)
    }
}

fn run(entries: Entries, cost: &[f64], right: &[f64], cones: &[SupportedConeT<f64>]) -> Option<DefaultSolution<f64>> {
    let settings = DefaultSettings {
        verbose: false,
        max_threads: 1,
        tol_gap_abs: 1e-9,
        tol_gap_rel: 1e-9,
        tol_feas: 1e-9,
        ..DefaultSettings::default()
    };
    let n = cost.len();
    let quadratic = CscMatrix::zeros((n, n));
    let matrix = entries.matrix(right.len(), n);
    let mut solver = DefaultSolver::new(&quadratic, cost, &matrix, right, cones, settings).ok()?;
    solver.solve();
    Some(solver.solution)
}

fn cones_of(program: &Program) -> impl Iterator<Item = SupportedConeT<f64>> + '_ {
    program.cones.iter().map(|cone| match cone {
        Cone::Positive => NonnegativeConeT(1),
        Cone::Lorentz => SecondOrderConeT(3),
    })
}

fn in_velocities(program: &Program, inverses: &[Small]) -> ProgramSolution {
    let live = usize::from(program.has_live());
    let mut entries = Entries::default();
    let mut right = vec![1.0; live];
    program.live.iter().enumerate().for_each(|(k, f)| entries.push(0, k, *f));
    // cost −f_D + (F⁻ᵀJ)ᵀ g; rows s = F⁻ᵀ(J v + c)
    let mut cost: Vec<f64> = program.dead.iter().map(|f| -f).collect();
    let mut constant = 0.0;
    for (element, inverse) in program.elements.iter().zip(inverses) {
        let m = element.components;
        for k in 0..m {
            let row = live + element.row + k;
            let offset = program.offset[element.row + k];
            for (node, block) in program.blocks(element) {
                for c in 0..program.dofs {
                    let value: f64 =
                        (0..m).map(|i| inverse[i * MOST_COMPONENTS + k] * block[i * program.dofs + c]).sum();
                    entries.push(row, node * program.dofs + c, -value);
                    cost[node * program.dofs + c] += offset * value;
                }
            }
            let shift: f64 = (0..m).map(|i| inverse[i * MOST_COMPONENTS + k] * program.cost[element.first + i]).sum();
            constant += offset * shift;
            right.push(shift);
        }
    }
    let mut cones: Vec<SupportedConeT<f64>> = if live == 1 { vec![ZeroConeT(1)] } else { Vec::new() };
    cones.extend(cones_of(program));
    let Some(found) = run(entries, &cost, &right, &cones) else { return super::interior::nothing(program) };
    // r = F⁻¹(z − g), λ = −(multiplier of f_L·v = 1)
    let mut forces = vec![0.0; program.components()];
    for (element, inverse) in program.elements.iter().zip(inverses) {
        let m = element.components;
        for i in 0..m {
            forces[element.first + i] = (0..m)
                .map(|k| {
                    let z = found.z[live + element.row + k];
                    inverse[i * MOST_COMPONENTS + k] * (z - program.offset[element.row + k])
                })
                .sum();
        }
    }
    let outcome = match found.status {
        SolverStatus::Solved | SolverStatus::AlmostSolved => Outcome::Optimal,
        // infeasible velocities: the forces are unbounded; unbounded velocities: no admissible forces exist
        SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => Outcome::Unbounded,
        SolverStatus::DualInfeasible | SolverStatus::AlmostDualInfeasible => Outcome::NoForces,
        _ => Outcome::Stalled,
    };
    let multiplier = if live == 1 { -found.z[0] } else { 0.0 };
    let primal = forces.iter().zip(&program.cost).map(|(r, c)| r * c).sum::<f64>() - multiplier;
    let dual = -(found.obj_val + constant);
    let effort = (found.iterations as usize, found.r_prim);
    let spent = found.s[live..].to_vec();
    finish(program, outcome, (forces, multiplier), (found.x, spent), [primal, dual], effort)
}

fn in_forces(program: &Program) -> ProgramSolution {
    let (n, r) = (program.dead.len(), program.components());
    let mut entries = Entries::default();
    for element in &program.elements {
        for (node, block) in program.blocks(element) {
            for (k, row) in block.chunks_exact(program.dofs).enumerate() {
                for (c, value) in row.iter().enumerate() {
                    entries.push(node * program.dofs + c, element.first + k, *value);
                }
            }
        }
        for (k, row) in program.map_of(element).chunks_exact(element.components).enumerate() {
            for (c, value) in row.iter().enumerate() {
                entries.push(n + element.row + k, element.first + c, -value);
            }
        }
    }
    program.live.iter().enumerate().for_each(|(k, f)| entries.push(k, r, *f));
    let mut cost = program.cost.clone();
    if program.has_live() {
        cost.push(-1.0);
    }
    let right: Vec<f64> = program.dead.iter().map(|f| -f).chain(program.offset.iter().copied()).collect();
    let cones: Vec<SupportedConeT<f64>> = std::iter::once(ZeroConeT(n)).chain(cones_of(program)).collect();
    let Some(found) = run(entries, &cost, &right, &cones) else { return super::interior::nothing(program) };
    let outcome = match found.status {
        SolverStatus::Solved | SolverStatus::AlmostSolved => Outcome::Optimal,
        SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => Outcome::NoForces,
        SolverStatus::DualInfeasible | SolverStatus::AlmostDualInfeasible => Outcome::Unbounded,
        _ => Outcome::Stalled,
    };
    let multiplier = if program.has_live() { found.x[r] } else { 0.0 };
    let velocities = found.z[..n].to_vec();
    let forces = found.x[..r].to_vec();
    let effort = (found.iterations as usize, found.r_dual);
    let spent = found.z[n..].to_vec();
    finish(program, outcome, (forces, multiplier), (velocities, spent), [found.obj_val, found.obj_val_dual], effort)
}

fn finish(
    program: &Program,
    outcome: Outcome,
    (forces, multiplier): (Vec<f64>, f64),
    (velocities, spent): (Vec<f64>, Vec<f64>),
    [primal, dual]: [f64; 2],
    (iterations, incompatibility): (usize, f64),
) -> ProgramSolution {
    let mut rest = program.dead.clone();
    rest.iter_mut().zip(&program.live).for_each(|(r, f)| *r += multiplier * f);
    program.add_forces(&forces, &mut rest);
    let size = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let imbalance = size(&rest) / size(&program.dead).max(size(&program.live)).max(f64::MIN_POSITIVE);
    ProgramSolution {
        outcome,
        forces,
        multiplier,
        velocities,
        spent,
        primal,
        dual,
        imbalance,
        incompatibility,
        iterations,
    }
}
