//! Matrix kernels of faer for f64, compiled once.
//!
//! faer functions are generic: every crate that calls them compiles them again, which takes minutes. Here they are
//! plain functions on matrix views. All of them run on the calling thread and give
//! bit-identical results in every call.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::Solve;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_unit_lower_triangular_in_place};
use faer::sparse::linalg::amd;
use faer::sparse::{SparseColMat, SymbolicSparseColMatRef, Triplet};
use faer::{Accum, Mat, MatMut, MatRef, Par};

/// A factorisation broke down (a pivot block is singular, or the matrix is not positive definite).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix cannot be factorised: a pivot vanishes")]
pub struct Singular;

/// A ← L with A = LLᵀ; only the lower triangle is read and written.
pub fn cholesky(matrix: MatMut<'_, f64>) -> Result<(), Singular> {
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(matrix.nrows(), Par::Seq, Default::default()));
    cholesky_in_place(matrix, Default::default(), Par::Seq, MemStack::new(&mut memory), Default::default())
        .map(|_| ())
        .map_err(|_| Singular)
}

/// A ← L and U of PA = LU with row pivoting; returns where each row of PA comes from.
pub fn lu(mut matrix: MatMut<'_, f64>) -> Result<Vec<usize>, Singular> {
    let n = matrix.nrows();
    let (mut forward, mut back) = (vec![0; n], vec![0; n]);
    let mut memory = MemBuffer::new(lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default()));
    lu_in_place(matrix.as_mut(), &mut forward, &mut back, Par::Seq, MemStack::new(&mut memory), Default::default());
    let sound = |i: usize| matrix[(i, i)] != 0.0 && matrix[(i, i)].is_finite();
    if (0..n).all(sound) { Ok(forward) } else { Err(Singular) }
}

/// B ← L⁻¹ B.
pub fn solve_lower(lower: MatRef<'_, f64>, b: MatMut<'_, f64>) {
    solve_lower_triangular_in_place(lower, b, Par::Seq);
}

/// B ← L⁻¹ B, with ones on the diagonal of L.
pub fn solve_unit_lower(lower: MatRef<'_, f64>, b: MatMut<'_, f64>) {
    solve_unit_lower_triangular_in_place(lower, b, Par::Seq);
}

/// C ← C − A B.
pub fn subtract_product(c: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    matmul(c, Accum::Add, a, b, -1.0, Par::Seq);
}

/// A⁻¹ B by LU with row pivoting; `None` where A is singular.
pub fn solve(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Option<Mat<f64>> {
    let x = a.partial_piv_lu().solve(b);
    (0..x.ncols()).all(|j| (0..x.nrows()).all(|i| x[(i, j)].is_finite())).then_some(x)
}

/// The shortest x with the least ‖A x − b‖ for a symmetric A; eigenvalues below `rank` of the largest count as zero.
pub fn least_squares(a: MatRef<'_, f64>, b: MatRef<'_, f64>, rank: f64) -> Option<Mat<f64>> {
    let eigen = a.self_adjoint_eigen(faer::Side::Lower).ok()?;
    let (s, u) = (eigen.S(), eigen.U());
    let largest = (0..a.nrows()).map(|k| s[k].abs()).fold(0.0, f64::max);
    let along = u.transpose() * b;
    let inverse = |k: usize| if s[k].abs() > rank * largest { 1.0 / s[k] } else { 0.0 };
    Some(u * Mat::from_fn(a.nrows(), b.ncols(), |k, j| inverse(k) * along[(k, j)]))
}

/// A⁻¹ B for a sparse matrix of (row, column, value), entries of one place added up.
pub fn solve_sparse(
    n: usize,
    entries: impl Iterator<Item = (usize, usize, f64)>,
    b: MatRef<'_, f64>,
) -> Result<Mat<f64>, Singular> {
    let entries: Vec<_> = entries.map(|(i, j, value)| Triplet::new(i, j, value)).collect();
    let matrix = SparseColMat::try_new_from_triplets(n, n, &entries).map_err(|_| Singular)?;
    Ok(matrix.sp_lu().map_err(|_| Singular)?.solve(b))
}

/// An order of elimination with little fill for a symmetric graph: `rows[first[j]..first[j + 1]]` are the neighbours
/// of j (approximate minimum degree; Amestoy, Davis & Duff 1996).
pub fn minimum_degree(first: &[usize], rows: &[usize]) -> Vec<usize> {
    let n = first.len() - 1;
    let graph = SymbolicSparseColMatRef::new_checked(n, n, first, None, rows);
    let (mut order, mut inverse) = (vec![0usize; n], vec![0usize; n]);
    let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, rows.len()));
    match amd::order(&mut order, &mut inverse, graph, amd::Control::default(), MemStack::new(&mut memory)) {
        Ok(_) => order,
        Err(_) => (0..n).collect(),
    }
}
