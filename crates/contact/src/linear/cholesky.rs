//! faer's sparse LLᵀ on a [`Pattern`], with the symbolic factor kept.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::mat::MatMut;
use faer::perm::Perm;
use faer::sparse::linalg::cholesky::{LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, Par, Side};

use super::Singular;
use super::pattern::{Matrix, Pattern};

/// A symbolic and, after [`Cholesky::factorise`], a numeric factor.
pub struct Cholesky {
    columns: SymbolicSparseColMat<usize>,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    memory: MemBuffer,
}

impl std::fmt::Debug for Cholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cholesky({} scalars, {} in the factor)", self.columns.nrows(), self.factor.len())
    }
}

impl Cholesky {
    /// Analyses the pattern.
    pub fn new(pattern: &Pattern) -> Result<Self, Singular> {
        let n = pattern.scalars();
        let (pointer, index) = pattern.scalar_columns();
        let columns = SymbolicSparseColMat::new_checked(n, n, pointer, None, index);
        let forward: Vec<usize> =
            pattern.order.iter().flat_map(|&node| (0..pattern.size).map(move |a| node * pattern.size + a)).collect();
        let mut backward = vec![0; n];
        for (k, &scalar) in forward.iter().enumerate() {
            backward[scalar] = k;
        }
        let order = Perm::new_checked(forward.into_boxed_slice(), backward.into_boxed_slice(), n);
        let symbolic = factorize_symbolic_cholesky(
            columns.as_ref(),
            Side::Lower,
            SymmetricOrdering::Custom(order.as_ref()),
            Default::default(),
        )
        .map_err(|_| Singular)?;
        let need = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let memory = MemBuffer::try_new(need).map_err(|_| Singular)?;
        Ok(Self { factor: vec![0.0; symbolic.len_val()], columns, symbolic, memory })
    }

    /// Factorises the lower triangle of `matrix`.
    pub fn factorise(&mut self, matrix: &Matrix) -> Result<(), Singular> {
        let a = SparseColMatRef::new(self.columns.as_ref(), &matrix.values[..]);
        self.symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                a,
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut self.memory),
                Default::default(),
            )
            .map(|_| ())
            .map_err(|_| Singular)
    }

    /// Solves in place with the last factor.
    pub fn solve(&mut self, x: &mut [f64]) {
        let n = x.len();
        LltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }

    /// Numbers in the factor.
    pub fn factor_size(&self) -> usize {
        self.factor.len()
    }
}
