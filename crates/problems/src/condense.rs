//! From global to local: W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w.
//!
//! M falls into components that share no entry: one per rigid body, one per elastic body. Each is factorised by itself
//! (LU with pivoting, since M need not be symmetric), and W gets entries only between contacts on the same component.

use faer::linalg::solvers::Solve;
use faer::sparse::{SparseColMat, Triplet as FaerTriplet};
use voussoir_contact::local::LocalProblem;

use crate::error::ProblemError;
use crate::global::GlobalProblem;
use crate::local::assemble;
use crate::sparse::{Sparse, Triplet};

/// Components of at most this many unknowns are factorised as full matrices.
const SMALL: usize = 48;

/// Most entries of W before repetitions are added up.
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
        let mut h = faer::Mat::<f64>::zeros(n, k + 1);
        for (a, &unknown) in unknowns.iter().enumerate() {
            for (column, value) in problem.h.row(unknown) {
                h[(a, columns.partition_point(|&c| c < column))] = value;
            }
            h[(a, k)] = problem.force[unknown];
        }
        let solved = solve(&problem.mass, unknowns, &h)?;
        for (a, &unknown) in unknowns.iter().enumerate() {
            // row a of H has few entries
            for (row, value) in problem.h.row(unknown) {
                q[row] += value * solved[(a, k)];
                entries.extend((0..k).map(|b| (row as u32, columns[b] as u32, value * solved[(a, b)])));
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

/// M⁻¹ B on a component.
fn solve(mass: &Sparse, unknowns: &[usize], b: &faer::Mat<f64>) -> Result<faer::Mat<f64>, ProblemError> {
    let n = unknowns.len();
    // every entry in a row of the component is in the component
    let place = |column: usize| unknowns.partition_point(|&u| u < column);
    if n <= SMALL {
        let mut full = faer::Mat::<f64>::zeros(n, n);
        for (a, &unknown) in unknowns.iter().enumerate() {
            for (column, value) in mass.row(unknown) {
                full[(a, place(column))] = value;
            }
        }
        return Ok(full.partial_piv_lu().solve(b));
    }
    let entries: Vec<FaerTriplet<usize, usize, f64>> = unknowns
        .iter()
        .enumerate()
        .flat_map(|(a, &unknown)| {
            mass.row(unknown).map(move |(column, value)| FaerTriplet::new(a, place(column), value))
        })
        .collect();
    let matrix = SparseColMat::try_new_from_triplets(n, n, &entries).map_err(|_| ProblemError::SingularMass)?;
    let lu = matrix.sp_lu().map_err(|_| ProblemError::SingularMass)?;
    Ok(lu.solve(b))
}
