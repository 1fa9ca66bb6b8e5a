//! Impacts of rigid bodies with friction: one complementarity problem for all contacts of a cluster, in two phases.
//!
//! **Compression**: impulses λᶜ ≥ 0 along the normals and βᶜ along the tangents that end all approach:
//! ```text
//! 0 ≤ λᶜ ⊥ N·v ᶜ ≥ −c,    |βᶜ| ≤ μ λᶜ,    βᶜ opposes sliding with vᶜ
//! ```
//! **Decompression** (Poisson's law, Glocker & Pfeiffer): every contact gives back at least ε λᶜ, and friction is bounded by
//! all of the impulse of this phase:
//! ```text
//! λᵈ = ε λᶜ + λ̃,    0 ≤ λ̃ ⊥ N·v⁺ ≥ −c,    |βᵈ| ≤ μ λᵈ
//! ```
//! With one ε in the cluster the energy does not grow. (If friction is bounded by μ λ̃ only, it does, up to a hundredfold.)
//! With different ε it may: then the smallest ε of the cluster is used for all its contacts, and if the energy still
//! grows, v⁺ = (1 + ε) vᶜ − ε v⁻ (Rabatel 2015). These guards are counted.
//!
//! c ≥ 0 is a relaxation of the condition of no approach for jammed packs [m/s], zero by default.
//!
//! Problems of at most [`ImpactOptions::most`] contacts are solved by lexicographic Lemke pivoting, in units of the mean
//! of the diagonal of the Delassus matrix (masses by their mean; lengths √(I/m) cancel in that matrix) and of the largest
//! relative velocity; then with a perturbed right-hand side; larger problems, and those that fail, by sweeps and exact
//! solutions by status ([`planar`]), then by the other solvers of this crate. 2D. References: Glocker & Pfeiffer (1995); Stewart & Trinkle (1996); Rabatel, Labbé & Weiss (2015).

use crate::lemke;
use crate::planar;
use crate::problem::Problem;
use crate::report::SolverKind;
use crate::solver::{Options, Solver};

/// Energy may grow by this fraction of the kinetic energy before a guard acts: rounding.
const GROWTH: f64 = 1e-12;
/// Contacts of the largest problem that goes to Lemke's method after sweeps and exact solutions by status have failed.
const MOST_PIVOTED: usize = 40;
/// Contacts of the largest problem that goes to Lemke's method after the other solvers have failed.
const MOST_DENSE: usize = 160;

/// How an impact is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactOptions {
    /// Tolerance on the error of the complementarity problem, unit-free.
    pub tolerance: f64,
    /// c: approach that is allowed after the impact [m/s].
    pub relaxation: f64,
    /// Contacts of the largest cluster that goes to Lemke's method.
    pub most: usize,
    /// Solver of larger clusters, and of those on which Lemke's method fails.
    pub solver: SolverKind,
}

impl Default for ImpactOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, relaxation: 0.0, most: 60, solver: SolverKind::Auto }
    }
}

/// What an impact does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impact {
    /// v⁺ (nodes × dofs).
    pub velocities: Vec<f64>,
    /// r of both phases together (contacts × 2) [N·s].
    pub impulses: Vec<f64>,
    /// r of the compression (contacts × 2) [N·s].
    pub compression: Vec<f64>,
    /// Energy that the normal impulses and friction have dissipated [J].
    pub dissipated: [f64; 2],
    /// Larger error of the two complementarity problems, unit-free.
    pub residual: f64,
    /// Solutions tried: 2 if both phases succeed at once.
    pub attempts: u32,
    /// True if the guard against growing energy acted.
    pub guarded: bool,
    /// True if both phases met the tolerance.
    pub converged: bool,
}

/// One phase.
struct Phase {
    impulses: Vec<f64>,
    velocities: Vec<f64>,
    residual: f64,
    attempts: u32,
}

/// Computes the impact of bodies with the velocities `problem.free_velocity()`; `restitution` is ε of each contact.
pub fn impact(problem: &Problem, restitution: &[f64], options: &ImpactOptions, solver: &mut Solver) -> Impact {
    impact_from(problem, restitution, &[], options, solver)
}

/// The same from impulses of the compression that are close to the solution (contacts × 2; empty: none known).
pub fn impact_from(
    problem: &Problem,
    restitution: &[f64],
    warm: &[f64],
    options: &ImpactOptions,
    solver: &mut Solver,
) -> Impact {
    let before = problem.free_velocity().to_vec();
    let first = phase(problem, &[], warm, options, solver);
    let mut found = Impact {
        compression: first.impulses.clone(),
        residual: first.residual,
        attempts: first.attempts,
        ..Impact::default()
    };
    let taken = dissipation(problem, &first.impulses, &before, &first.velocities);
    if restitution.iter().all(|e| *e == 0.0) {
        found.dissipated = taken;
        (found.velocities, found.impulses) = (first.velocities, first.impulses);
        found.converged = found.residual <= options.tolerance;
        return found;
    }
    let reference = kinetic_energy(problem, &before) + kinetic_energy(problem, &first.velocities);
    let smallest = restitution.iter().copied().fold(f64::INFINITY, f64::min);
    let mixed = restitution.iter().any(|e| *e != smallest);
    let mut expand = |share: &dyn Fn(usize) -> f64| {
        let floors: Vec<f64> =
            first.impulses.chunks_exact(2).enumerate().map(|(i, r)| share(i) * r[0].max(0.0)).collect();
        let mut second = problem.clone();
        second.free_velocity.clone_from(&first.velocities);
        let near: Vec<f64> = first.impulses.iter().enumerate().map(|(k, r)| share(k / 2) * r).collect();
        let second_phase = phase(&second, &floors, &near, options, solver);
        let more = dissipation(problem, &second_phase.impulses, &first.velocities, &second_phase.velocities);
        (second_phase, [taken[0] + more[0], taken[1] + more[1]])
    };
    let (mut second, mut total) = expand(&|i| restitution[i]);
    let grows = |total: [f64; 2]| total[0] + total[1] < -GROWTH * reference;
    if grows(total) && mixed {
        found.guarded = true;
        found.attempts += second.attempts;
        (second, total) = expand(&|_| smallest);
    }
    found.attempts += second.attempts;
    found.residual = found.residual.max(second.residual);
    found.converged = found.residual <= options.tolerance;
    if grows(total) {
        found.guarded = true;
        return reversed(problem, found, first, &before, smallest, taken);
    }
    found.impulses = first.impulses.iter().zip(&second.impulses).map(|(a, b)| a + b).collect();
    found.velocities = second.velocities;
    found.dissipated = total;
    found
}

/// v⁺ = (1 + ε) vᶜ − ε v⁻, or vᶜ if that grows too.
fn reversed(
    problem: &Problem,
    mut found: Impact,
    first: Phase,
    before: &[f64],
    restitution: f64,
    taken: [f64; 2],
) -> Impact {
    let scaled: Vec<f64> = first.impulses.iter().map(|r| r * (1.0 + restitution)).collect();
    let mut velocities = Vec::new();
    problem.velocity(&scaled, &mut velocities);
    let total = dissipation(problem, &scaled, before, &velocities);
    if total[0] + total[1] < -GROWTH * kinetic_energy(problem, before) {
        found.dissipated = taken;
        (found.velocities, found.impulses) = (first.velocities, first.impulses);
        return found;
    }
    found.dissipated = total;
    (found.velocities, found.impulses) = (velocities, scaled);
    found
}

/// ½ vᵀ M v [J].
fn kinetic_energy(problem: &Problem, v: &[f64]) -> f64 {
    let mut sum = 0.0;
    problem.mass_entries(|i, j, m| sum += 0.5 * m * v[i] * v[j]);
    sum
}

/// −r·½(u⁻ + u⁺) of the normal and the tangential impulses [J].
fn dissipation(problem: &Problem, impulses: &[f64], before: &[f64], after: &[f64]) -> [f64; 2] {
    let mean: Vec<f64> = before.iter().zip(after).map(|(a, b)| 0.5 * (a + b)).collect();
    let mut u = Vec::new();
    problem.relative_velocity(&mean, &mut u);
    let mut sum = [0.0; 2];
    for (k, (r, u)) in impulses.iter().zip(&u).enumerate() {
        sum[k % 2] -= r * u;
    }
    sum
}

/// Solves one phase from the free velocity of the problem; `floors` are least normal impulses, none if empty, `warm`
/// impulses near the solution, unknown if empty.
fn phase(problem: &Problem, floors: &[f64], warm: &[f64], options: &ImpactOptions, solver: &mut Solver) -> Phase {
    let mut attempts = 0;
    let mut best: Option<Phase> = None;
    let misses = |best: &Option<Phase>| best.as_ref().is_none_or(|best| best.residual > options.tolerance);
    if problem.contacts() <= options.most {
        pivot(problem, floors, options, &mut best, &mut attempts);
    }
    // `auto` begins with the method for problems in the plane; other solvers are used as chosen
    if misses(&best)
        && options.solver == SolverKind::Auto
        && let Some(found) = planar::solve(problem, warm, floors, options.relaxation, options.tolerance)
    {
        attempts += 1;
        if best.as_ref().is_none_or(|best| found.residual < best.residual) {
            let mut velocities = Vec::new();
            problem.velocity(&found.impulses, &mut velocities);
            best = Some(Phase { impulses: found.impulses, velocities, residual: found.residual, attempts });
        }
    }
    if misses(&best) && (options.most + 1..=MOST_PIVOTED).contains(&problem.contacts()) {
        pivot(problem, floors, options, &mut best, &mut attempts);
    }
    if misses(&best) {
        attempts += 1;
        let mut relaxed = problem.clone();
        for (i, bias) in relaxed.bias.iter_mut().step_by(2).enumerate() {
            *bias += options.relaxation;
            relaxed.floor[i] = floors.get(i).copied().unwrap_or(0.0);
        }
        let wanted = Options { kind: options.solver, tolerance: options.tolerance, ..Options::default() };
        let solution = solver.solve(&relaxed, &vec![0.0; 2 * problem.contacts()], &wanted);
        if best.as_ref().is_none_or(|best| solution.report.residual < best.residual) {
            let mut velocities = Vec::new();
            problem.velocity(&solution.impulses, &mut velocities);
            best =
                Some(Phase { impulses: solution.impulses, velocities, residual: solution.report.residual, attempts });
        }
    }
    // after the solvers failed, Lemke's method is worth its cost for larger problems too
    if misses(&best) && (options.most.max(MOST_PIVOTED) + 1..=MOST_DENSE).contains(&problem.contacts()) {
        pivot(problem, floors, options, &mut best, &mut attempts);
    }
    let mut found = best.unwrap_or_else(|| Phase {
        impulses: vec![0.0; 2 * problem.contacts()],
        velocities: problem.free_velocity().to_vec(),
        residual: f64::INFINITY,
        attempts,
    });
    found.attempts = attempts;
    found
}

/// Solves one phase by Lemke's method; keeps the best solution so far.
fn pivot(problem: &Problem, floors: &[f64], options: &ImpactOptions, best: &mut Option<Phase>, attempts: &mut u32) {
    let lcp = Lcp::new(problem, floors, options.relaxation);
    for nudge in lemke::nudges() {
        *attempts += 1;
        let Some(z) = lcp.solve(nudge) else { continue };
        let residual = lcp.error(&z);
        if best.as_ref().is_none_or(|best| residual < best.residual) {
            let impulses = lcp.impulses(&z);
            let mut velocities = Vec::new();
            problem.velocity(&impulses, &mut velocities);
            *best = Some(Phase { impulses, velocities, residual, attempts: *attempts });
        }
        if residual <= options.tolerance {
            break;
        }
    }
}

/// The linear complementarity problem of one phase, scaled: w = A z + q, 0 ≤ w ⊥ z ≥ 0, with z = (λ̃, β⁺, β⁻, α) of each
/// contact.
struct Lcp {
    contacts: usize,
    /// Unit of impulses [N·s].
    unit: f64,
    floors: Vec<f64>,
    a: Vec<f64>,
    q: Vec<f64>,
}

/// Unknowns per contact.
const SIZE: usize = 4;

impl Lcp {
    fn new(problem: &Problem, floors: &[f64], relaxation: f64) -> Self {
        let m = problem.contacts();
        let w = delassus(problem);
        let mut u = Vec::new();
        problem.relative_velocity(problem.free_velocity(), &mut u);
        let trace: f64 = (0..2 * m).map(|k| w[k * 2 * m + k]).sum();
        let rho = if trace > 0.0 { 2.0 * m as f64 / trace } else { 1.0 };
        let floor = |i: usize| floors.get(i).copied().unwrap_or(0.0);
        // what the least impulses do
        for i in 0..m {
            for (row, u) in u.iter_mut().enumerate() {
                *u += w[row * 2 * m + 2 * i] * floor(i);
            }
        }
        let speed = u.iter().fold(relaxation, |most, u| most.max(u.abs()));
        let speed = if speed > 0.0 { speed } else { 1.0 };
        let n = m * SIZE;
        let (mut a, mut q) = (vec![0.0; n * n], vec![0.0; n]);
        // normal, tangent, other tangent: component of the frame and sign
        const ROWS: [(usize, f64); 3] = [(0, 1.0), (1, 1.0), (1, -1.0)];
        for i in 0..m {
            let at = i * SIZE;
            for (k, (row, sign)) in ROWS.iter().enumerate() {
                q[at + k] = sign * u[2 * i + row] / speed;
                for j in 0..m {
                    for (l, (column, other)) in ROWS.iter().enumerate() {
                        a[(at + k) * n + j * SIZE + l] = rho * sign * other * w[(2 * i + row) * 2 * m + 2 * j + column];
                    }
                }
            }
            q[at] += relaxation / speed;
            let mu = problem.friction()[i];
            q[at + 3] = mu * floor(i) / (rho * speed);
            a[(at + 3) * n + at] = mu;
            for k in 1..3 {
                a[(at + k) * n + at + 3] = 1.0;
                a[(at + 3) * n + at + k] = -1.0;
            }
        }
        let floors = (0..m).map(floor).collect();
        Self { contacts: m, unit: rho * speed, floors, a, q }
    }

    fn solve(&self, nudge: f64) -> Option<Vec<f64>> {
        lemke::pivoted(&self.a, &self.q, nudge, 50 * self.q.len() + 100)
    }

    /// Largest |min(z, w)|.
    fn error(&self, z: &[f64]) -> f64 {
        let n = self.q.len();
        let w = |i: usize| self.q[i] + self.a[i * n..][..n].iter().zip(z).map(|(a, z)| a * z).sum::<f64>();
        (0..n).map(|i| z[i].min(w(i)).abs()).fold(0.0, f64::max)
    }

    /// r (contacts × 2) [N·s].
    fn impulses(&self, z: &[f64]) -> Vec<f64> {
        let of = |i: usize| {
            let z = &z[i * SIZE..][..SIZE];
            [self.floors[i] + z[0] * self.unit, (z[1] - z[2]) * self.unit]
        };
        (0..self.contacts).flat_map(of).collect()
    }
}

/// W = J M⁻¹ Jᵀ, dense (2 contacts × 2 contacts).
fn delassus(problem: &Problem) -> Vec<f64> {
    let m = problem.contacts();
    let mut w = vec![0.0; 4 * m * m];
    for i in 0..m {
        for (node, block) in problem.entries_of(i) {
            let inverse = &problem.inverse_mass[node as usize * 9..][..9];
            // M⁻¹ Jᵀ of the contact at this node
            let mut moved = [[0.0; 3]; 2];
            for (moved, row) in moved.iter_mut().zip(block.chunks_exact(3)) {
                for (k, value) in moved.iter_mut().enumerate() {
                    *value = inverse[3 * k..][..3].iter().zip(row).map(|(a, b)| a * b).sum();
                }
            }
            for j in 0..m {
                for (other, rows) in problem.entries_of(j).filter(|(other, _)| *other == node) {
                    debug_assert_eq!(other, node);
                    for (c, row) in rows.chunks_exact(3).enumerate() {
                        for (d, moved) in moved.iter().enumerate() {
                            let sum: f64 = row.iter().zip(moved).map(|(a, b)| a * b).sum();
                            w[(2 * j + c) * 2 * m + 2 * i + d] += sum;
                        }
                    }
                }
            }
        }
    }
    w
}
