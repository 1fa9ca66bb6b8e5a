//! From global to local: W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w.
//!
//! M consists of components that share no entry: one per rigid body, one per elastic body. Each component is factorised
//! separately (LU with pivoting, since M need not be symmetric), and W has entries only between contacts of the same
//! component.

use voussoir_contact::local::LocalProblem;

use crate::error::ProblemError;
use crate::global::GlobalProblem;
use crate::local::assemble;
use crate::sparse::{Sparse, Triplet};

/// Components of at most this many unknowns are factorised as full matrices.
const SMALL_COMPONENT: usize = 48;

/// Maximum number of entries of W before repetitions are added up.
const MOST_ENTRIES: usize = 1 << 28;

/// The local form of a global problem.
pub fn condense(problem: &GlobalProblem) -> Result<LocalProblem, ProblemError> {
    problem.check()?;
    let components = components(&problem.mass);
    check_size(problem, &components)?;
    let mut entries: Vec<Triplet> = Vec::new();
    let mut q = problem.bias.clone();
    for unknowns in &components {
        let columns = columns_of(problem, unknowns);
        if columns.is_empty() {
            continue;
        }
        // right-hand sides: columns of H, then f
        let (n, k) = (unknowns.len(), columns.len());
        let mut x = vec![0.0; n * (k + 1)];
        for (a, &unknown) in unknowns.iter().enumerate() {
            for (column, value) in problem.h.row(unknown) {
                x[a * (k + 1) + columns.partition_point(|&c| c < column)] = value;
            }
            x[a * (k + 1) + k] = problem.force[unknown];
        }
        solve(&problem.mass, unknowns, &mut x)?;
        for (a, &unknown) in unknowns.iter().enumerate() {
            let x = &x[a * (k + 1)..][..k + 1];
            for (row, value) in problem.h.row(unknown) {
                q[row] += value * x[k];
                entries.extend((0..k).map(|b| (row as u32, columns[b] as u32, value * x[b])));
            }
        }
        // keep memory near that of the result
        if entries.len() > MOST_ENTRIES / 4 {
            entries = Sparse::from_triplets(q.len(), q.len(), entries).triplets().collect();
        }
    }
    let w = Sparse::from_triplets(q.len(), q.len(), entries);
    if w.parts().2.iter().chain(&q).any(|x| !x.is_finite()) {
        return Err(ProblemError::SingularMass);
    }
    assemble(problem.dim, &w, q, problem.friction.clone())
}

/// Unknowns of each component of M, both rising.
fn components(mass: &Sparse) -> Vec<Vec<usize>> {
    let n = mass.rows();
    let mut parent: Vec<usize> = (0..n).collect();
    fn find(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    for (row, column, _) in mass.triplets() {
        let (a, b) = (find(&mut parent, row as usize), find(&mut parent, column as usize));
        // the smallest number leads
        parent[a.max(b)] = a.min(b);
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); n];
    for i in 0..n {
        let leader = find(&mut parent, i);
        members[leader].push(i);
    }
    members.retain(|unknowns| !unknowns.is_empty());
    members
}

/// Columns of H with entries in a component, rising.
fn columns_of(problem: &GlobalProblem, unknowns: &[usize]) -> Vec<usize> {
    let mut columns: Vec<usize> = unknowns.iter().flat_map(|&u| problem.h.row(u).map(|(column, _)| column)).collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// W must fit in memory.
fn check_size(problem: &GlobalProblem, components: &[Vec<usize>]) -> Result<(), ProblemError> {
    let mut entries = 0usize;
    for unknowns in components {
        let columns = columns_of(problem, unknowns).len();
        entries = entries.saturating_add(columns.saturating_mul(columns.max(unknowns.len())));
    }
    if entries <= MOST_ENTRIES {
        return Ok(());
    }
    Err(ProblemError::TooLarge {
        what: format!("the local form would have {entries} entries; at most {MOST_ENTRIES} are kept in memory"),
    })
}

/// B ← M⁻¹ B on a component; B is stored by rows.
fn solve(mass: &Sparse, unknowns: &[usize], b: &mut [f64]) -> Result<(), ProblemError> {
    let n = unknowns.len();
    // every entry in a row of the component is in the component
    let place = |column: usize| unknowns.partition_point(|&u| u < column);
    if n <= SMALL_COMPONENT {
        let mut full = vec![0.0; n * n];
        for (a, &unknown) in unknowns.iter().enumerate() {
            for (column, value) in mass.row(unknown) {
                full[a * n + place(column)] = value;
            }
        }
        return eliminate(&mut full, n, b);
    }
    let entries = unknowns
        .iter()
        .enumerate()
        .flat_map(|(a, &unknown)| mass.row(unknown).map(move |(column, value)| (a, place(column), value)));
    let columns = b.len() / n;
    let right = faer::Mat::from_fn(n, columns, |i, j| b[i * columns + j]);
    let solved = voussoir_dense::solve_sparse(n, entries, right.as_ref()).map_err(|_| ProblemError::SingularMass)?;
    for (at, value) in b.iter_mut().enumerate() {
        *value = solved[(at / columns, at % columns)];
    }
    Ok(())
}

/// B ← A⁻¹ B by elimination with pivoting; both are stored by rows.
fn eliminate(a: &mut [f64], n: usize, b: &mut [f64]) -> Result<(), ProblemError> {
    let columns = b.len() / n;
    let swap = |matrix: &mut [f64], width: usize, i: usize, j: usize| {
        (0..width).for_each(|k| matrix.swap(i * width + k, j * width + k));
    };
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap_or(k);
        if a[pivot * n + k] == 0.0 {
            return Err(ProblemError::SingularMass);
        }
        swap(a, n, k, pivot);
        swap(b, columns, k, pivot);
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            if factor != 0.0 {
                (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
                (0..columns).for_each(|j| b[i * columns + j] -= factor * b[k * columns + j]);
            }
        }
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            let factor = a[i * n + k];
            (0..columns).for_each(|j| b[i * columns + j] -= factor * b[k * columns + j]);
        }
        (0..columns).for_each(|j| b[i * columns + j] /= a[i * n + i]);
    }
    Ok(())
}
