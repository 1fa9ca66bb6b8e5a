//! Local problems as stored in files: a sparse W, divided into blocks.

use voussoir_contact::local::LocalProblem;

use crate::error::{ProblemError, check_finite, check_friction, check_length};
use crate::sparse::Sparse;

/// Puts a local problem together and checks it. All diagonal blocks are stored, zero ones too.
pub fn assemble(dim: usize, w: &Sparse, q: Vec<f64>, friction: Vec<f64>) -> Result<LocalProblem, ProblemError> {
    let contacts = friction.len();
    let n = dim * contacts;
    if (w.rows(), w.cols()) != (n, n) {
        return Err(ProblemError::Inconsistent {
            what: format!(
                "W is {} × {}; for {contacts} contacts of dimension {dim} it must be {n} × {n}",
                w.rows(),
                w.cols()
            ),
        });
    }
    check_length("q", q.len(), n, &format!("for {contacts} contacts"))?;
    check_finite("W", w.parts().2)?;
    check_finite("q", &q)?;
    check_friction(&friction)?;
    let (mut first, mut column, mut blocks) = (vec![0], Vec::new(), Vec::new());
    let mut columns: Vec<u32> = Vec::new();
    for i in 0..contacts {
        columns.clear();
        columns.push(i as u32);
        for a in 0..dim {
            columns.extend(w.row(i * dim + a).map(|(column, _)| (column / dim) as u32));
        }
        columns.sort_unstable();
        columns.dedup();
        let start = blocks.len();
        blocks.resize(start + columns.len() * dim * dim, 0.0);
        for a in 0..dim {
            for (at, value) in w.row(i * dim + a) {
                // found: every column of the row was put in the list
                let block = columns.partition_point(|&c| (c as usize) < at / dim);
                blocks[start + (block * dim + a) * dim + at % dim] = value;
            }
        }
        column.extend_from_slice(&columns);
        first.push(column.len());
    }
    Ok(LocalProblem::new(dim, first, column, blocks, q, friction))
}

/// W of a local problem as a sparse matrix.
pub fn matrix(problem: &LocalProblem) -> Sparse {
    let dim = problem.dim;
    let n = dim * problem.friction.len();
    let mut triplets = Vec::with_capacity(problem.w.len());
    for i in 0..problem.friction.len() {
        for k in problem.first[i]..problem.first[i + 1] {
            for (at, &value) in problem.w[k * dim * dim..][..dim * dim].iter().enumerate() {
                let (row, column) = (i * dim + at / dim, problem.column[k] as usize * dim + at % dim);
                triplets.push((row as u32, column as u32, value));
            }
        }
    }
    Sparse::from_triplets(n, n, triplets)
}
