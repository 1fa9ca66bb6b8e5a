//! Lemke's pivoting on the linear complementarity problem with faceted cones (Stewart & Trinkle).
//!
//! Every contact has a normal impulse λ, impulses β along m directions of its tangent plane and a slip speed α:
//! ```text
//! λ ≥ 0 ⊥ uₙ ≥ 0,   β ≥ 0 ⊥ Dᵀu_T + α e ≥ 0,   α ≥ 0 ⊥ μλ − eᵀβ ≥ 0
//! ```
//! In 2D two directions are exact. In 3D the facets of each contact are rotated until one of them is aligned with the
//! slip; if this converges, the solution is that of Coulomb's law too. Degenerate pivots are ordered lexicographically,
//! which excludes cycling. Book: docs/method-solvers.md.
//!
//! | option | meaning, nominal range |
//! |---|---|
//! | iterations | pivots in all, 1e3 … 1e5 |
//!
//! Requirements: true law, no floors, at most [`MOST_UNKNOWNS`] unknowns (4 per contact in 2D, 10 in 3D): the tableau
//! is dense. References: Lemke (1965); Stewart & Trinkle, IJNME 39 (1996); Rabatel, Labbé & Weiss (2015).

use crate::budget::Budget;
use crate::delassus::Delassus;
use crate::report::{SolveReport, SolverKind, Status};

/// Unknowns of the largest problem that is attempted.
pub const MOST_UNKNOWNS: usize = 1600;
/// Facets in 3D.
const FACETS: usize = 8;
/// Rotations of the facets.
const MOST_TURNS: usize = 60;
/// Perturbation of q after the pivoting has ended on a ray (scaled units).
const NUDGES: [f64; 5] = [1e-13, 1e-12, 1e-11, 1e-10, 1e-9];
/// Pivots smaller than this (in scaled units) count as zero.
const ZERO: f64 = 1e-11;

/// Facets of the cone of one contact.
const fn facets(dim: usize) -> usize {
    if dim == 2 { 2 } else { FACETS }
}

/// Contacts of the largest problem in `dim` dimensions that is attempted.
pub const fn most_contacts(dim: usize) -> usize {
    MOST_UNKNOWNS / (facets(dim) + 2)
}

/// Solves from scratch; `impulses` are overwritten with the best found.
pub fn solve(system: &dyn Delassus, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
    let laws = system.laws();
    let mut best = system.measure(impulses);
    let facets = facets(laws.dim);
    let mut report = SolveReport {
        status: Status::Stalled,
        solver: SolverKind::Lemke,
        iterations: 0,
        factorisations: 0,
        residual: best.value,
        worst_contact: best.worst_contact,
    };
    let w = dense(system);
    let mut angle = vec![0.0; system.contacts()];
    let turns = if laws.dim == 2 { 1 } else { MOST_TURNS };
    for _ in 0..turns {
        if budget.is_over() || report.iterations >= budget.most {
            break;
        }
        let faceted = Faceted { system, w: &w, facets, angle: &angle };
        let Some((r, pivots)) = faceted.solve(budget, budget.most - report.iterations) else { break };
        report.iterations += pivots;
        let r = laws.project(&r);
        let now = system.measure(&r);
        if now.value < best.value || best.value.is_nan() {
            best = now;
            impulses.clone_from(&r);
        }
        if best.value <= budget.tolerance {
            break;
        }
        let mut u = Vec::new();
        system.relative(&r, &mut u);
        // springs of compliant contacts take their part of the velocity
        u.iter_mut().zip(laws.compliance.iter().zip(&r)).for_each(|(u, (e, r))| *u += e * r);
        for (i, angle) in angle.iter_mut().enumerate().filter(|_| laws.dim == 3) {
            // half-way between friction and the slip that it should oppose: the full turn overshoots
            let (friction, slip) = (&r[3 * i + 1..3 * i + 3], &u[3 * i + 1..3 * i + 3]);
            let (a, b) = (friction[0].hypot(friction[1]), slip[0].hypot(slip[1]));
            if a > 0.0 && b > 0.0 {
                *angle = (friction[1] / a - slip[1] / b).atan2(friction[0] / a - slip[0] / b);
            }
        }
    }
    if best.value <= budget.tolerance {
        report.status = Status::Converged;
    }
    SolveReport { residual: best.value, worst_contact: best.worst_contact, ..report }
}

/// W + E, row after row.
fn dense(system: &dyn Delassus) -> Vec<f64> {
    let n = system.free().len();
    let (mut w, mut unit, mut column) = (vec![0.0; n * n], vec![0.0; n], Vec::new());
    for j in 0..n {
        unit[j] = 1.0;
        system.relative(&unit, &mut column);
        unit[j] = 0.0;
        for i in 0..n {
            w[i * n + j] = column[i] - system.free()[i];
        }
        w[j * n + j] += system.laws().compliance[j];
    }
    w
}

/// One problem with facets turned by given angles.
struct Faceted<'a> {
    system: &'a dyn Delassus,
    w: &'a [f64],
    facets: usize,
    angle: &'a [f64],
}

impl Faceted<'_> {
    /// Direction `k` of contact `i`: 0 the normal, then the facets; components of the contact frame.
    fn direction(&self, i: usize, k: usize) -> [f64; 3] {
        match (k, self.system.laws().dim) {
            (0, _) => [1.0, 0.0, 0.0],
            (_, 2) => [0.0, if k == 1 { 1.0 } else { -1.0 }, 0.0],
            _ => {
                let angle = self.angle[i] + std::f64::consts::TAU * (k - 1) as f64 / self.facets as f64;
                [0.0, angle.cos(), angle.sin()]
            }
        }
    }

    /// r and the number of pivots, or `None` when the pivoting ends on a ray or at its limit.
    fn solve(&self, budget: &Budget, most: usize) -> Option<(Vec<f64>, usize)> {
        let laws = self.system.laws();
        let (dim, contacts, m) = (laws.dim, self.system.contacts(), self.facets);
        let size = m + 2;
        let n = contacts * size;
        // scaled: impulses in units of ρ·speed, velocities in units of speed
        let (rho, speed) = (self.system.scale().rho, self.system.scale().speed);
        let mut a = vec![0.0; n * n];
        let mut q = vec![0.0; n];
        let directions: Vec<[f64; 3]> =
            (0..contacts).flat_map(|i| (0..=m).map(move |k| (i, k))).map(|(i, k)| self.direction(i, k)).collect();
        for i in 0..contacts {
            for k in 0..=m {
                let row = i * size + k;
                let d = &directions[i * (m + 1) + k];
                q[row] = (0..dim).map(|c| d[c] * self.system.free()[i * dim + c]).sum::<f64>() / speed;
                for j in 0..contacts {
                    for l in 0..=m {
                        let e = &directions[j * (m + 1) + l];
                        let mut sum = 0.0;
                        for c in 0..dim {
                            for f in 0..dim {
                                sum += d[c] * self.w[(i * dim + c) * dim * contacts + j * dim + f] * e[f];
                            }
                        }
                        a[row * n + j * size + l] = rho * sum;
                    }
                }
                if k > 0 {
                    a[row * n + i * size + m + 1] = 1.0;
                    a[(i * size + m + 1) * n + row] = -1.0;
                }
            }
            a[(i * size + m + 1) * n + i * size] = laws.friction[i];
        }
        let (z, pivots) = self.pivoted(&a, &q, most, budget)?;
        let mut r = vec![0.0; contacts * dim];
        for i in 0..contacts {
            for k in 0..=m {
                let d = &directions[i * (m + 1) + k];
                for c in 0..dim {
                    r[i * dim + c] += z[i * size + k] * d[c] * rho * speed;
                }
            }
        }
        Some((r, pivots))
    }
}

impl Faceted<'_> {
    /// Lemke's z; if the pivoting ends on a ray, rounding has hidden a degenerate vertex, and q is perturbed.
    fn pivoted(&self, a: &[f64], q: &[f64], most: usize, budget: &Budget) -> Option<(Vec<f64>, usize)> {
        nudges().find_map(|nudge| Tableau::new(a, &moved(q, nudge)).solve(most, Some(budget)))
    }
}

/// Sizes of the perturbations of q that are tried one after the other, the first one zero.
pub(crate) fn nudges() -> impl Iterator<Item = f64> {
    std::iter::once(0.0).chain(NUDGES)
}

/// q, perturbed by `nudge` in a fixed irregular pattern: multiples of the golden ratio modulo 1.
fn moved(q: &[f64], nudge: f64) -> Vec<f64> {
    q.iter().enumerate().map(|(k, q)| q + nudge * (0.5 + (k as f64 * 0.618_033_988_75).fract())).collect()
}

/// z of the scaled problem 0 ≤ z ⊥ A z + q ≥ 0, q perturbed by `nudge`; `None` when the pivoting ends on a ray or after
/// `most` pivots.
pub(crate) fn pivoted(a: &[f64], q: &[f64], nudge: f64, most: usize) -> Option<Vec<f64>> {
    Some(Tableau::new(a, &moved(q, nudge)).solve(most, None)?.0)
}

/// Tableau of w − A z − z₀ = q: columns w, z, z₀, and the right-hand side.
struct Tableau {
    n: usize,
    width: usize,
    rows: Vec<f64>,
    basis: Vec<usize>,
}

impl Tableau {
    fn new(a: &[f64], q: &[f64]) -> Self {
        let n = q.len();
        let width = 2 * n + 2;
        let mut rows = vec![0.0; n * width];
        for i in 0..n {
            let row = &mut rows[i * width..(i + 1) * width];
            row[i] = 1.0;
            for j in 0..n {
                row[n + j] = -a[i * n + j];
            }
            row[2 * n] = -1.0;
            row[2 * n + 1] = q[i];
        }
        Self { n, width, rows, basis: (0..n).collect() }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.rows[row * self.width + column]
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.width;
        let inverse = 1.0 / self.at(row, column);
        let source: Vec<f64> = self.rows[row * width..(row + 1) * width].iter().map(|x| x * inverse).collect();
        for (i, target) in self.rows.chunks_exact_mut(width).enumerate() {
            let factor = target[column];
            if i == row {
                target.copy_from_slice(&source);
            } else if factor != 0.0 {
                for (t, s) in target.iter_mut().zip(&source) {
                    *t -= factor * s;
                }
                target[column] = 0.0;
            }
        }
        self.basis[row] = column;
    }

    /// True when row `a` leaves before row `b`: lexicographic order of (q, columns of w) over the pivot element.
    fn before(&self, a: usize, b: usize, column: usize) -> bool {
        let (pa, pb) = (self.at(a, column), self.at(b, column));
        let order = std::iter::once(self.width - 1).chain(0..self.n);
        for k in order {
            let (x, y) = (self.at(a, k) / pa, self.at(b, k) / pb);
            if (x - y).abs() > 1e-13 * (1.0 + x.abs()) {
                return x < y;
            }
        }
        a < b
    }

    fn solve(mut self, most: usize, budget: Option<&Budget>) -> Option<(Vec<f64>, usize)> {
        let (n, right) = (self.n, self.width - 1);
        let start = (0..n).min_by(|&a, &b| self.at(a, right).total_cmp(&self.at(b, right)));
        let mut pivots = 0;
        if let Some(row) = start.filter(|&row| self.at(row, right) < 0.0) {
            let mut entering = self.complement(self.basis[row]);
            self.pivot(row, 2 * n);
            loop {
                pivots += 1;
                if pivots > most || (pivots.is_multiple_of(32) && budget.is_some_and(Budget::is_over)) {
                    return None;
                }
                let mut leaving: Option<usize> = None;
                for row in (0..n).filter(|&row| self.at(row, entering) > ZERO) {
                    if leaving.is_none_or(|best| self.before(row, best, entering)) {
                        leaving = Some(row);
                    }
                }
                let row = leaving?;
                let out = self.basis[row];
                self.pivot(row, entering);
                if out == 2 * n {
                    break;
                }
                entering = self.complement(out);
            }
        }
        let mut z = vec![0.0; n];
        for (row, &variable) in self.basis.iter().enumerate() {
            if (n..2 * n).contains(&variable) {
                z[variable - n] = self.at(row, right).max(0.0);
            }
        }
        Some((z, pivots))
    }

    fn complement(&self, variable: usize) -> usize {
        if variable < self.n { variable + self.n } else { variable - self.n }
    }
}
