//! [`Delassus`] of a problem in local form: W is given; it may be unsymmetric or rank-deficient.

use crate::delassus::{Delassus, Laws, Sweep};
use crate::linear::{Matrix, Multifrontal, Pattern, Singular, Workspace};
use crate::local::LocalProblem;
use crate::one_contact::OneContact;
use crate::problem::{Problem, blocks};
use crate::residual::Scale;
use crate::small::{identity, inverse, multiply, transform};

/// A local problem as solvers see it.
#[derive(Debug)]
pub struct LocalForm<'a> {
    problem: &'a LocalProblem,
    diagonal: Vec<f64>,
    scale: Scale,
    factors: Option<Factors>,
    /// S of the last factorisation: (I + G W_ii)⁻¹ (contacts × dim × dim)
    row_scale: Vec<f64>,
    matrix: Matrix,
}

#[derive(Debug)]
struct Factors {
    pattern: Pattern,
    lu: Multifrontal,
}

impl<'a> LocalForm<'a> {
    /// Looks at `problem`; `siconos` asks for the error of Siconos to be met too.
    pub fn new(problem: &'a LocalProblem, siconos: bool) -> Self {
        let diagonal = problem.diagonal();
        let scale = Scale { siconos, ..Scale::of(problem.dim, &diagonal, &problem.q) };
        Self { problem, diagonal, scale, factors: None, row_scale: Vec::new(), matrix: Matrix::default() }
    }

    fn assemble<const D: usize>(&mut self, g: &[f64]) -> Result<(), Singular> {
        let problem = self.problem;
        let factors = self.factors.get_or_insert_with(|| {
            let pattern = Pattern::of_blocks(D, &problem.first, &problem.column);
            let lu = Multifrontal::new(&pattern);
            Factors { pattern, lu }
        });
        self.row_scale.clear();
        self.matrix.values.clear();
        self.matrix.values.resize(factors.pattern.row.len() * D * D, 0.0);
        let (w, diagonal) = (blocks::<D, D>(&problem.w), blocks::<D, D>(&self.diagonal));
        for (i, g) in blocks::<D, D>(g).iter().enumerate() {
            let mut own = multiply(g, &diagonal[i]);
            (0..D).for_each(|k| own[k][k] += 1.0);
            let scale = inverse(&own).ok_or(Singular)?;
            self.row_scale.extend(scale.as_flattened());
            let sg = multiply(&scale, g);
            for k in problem.first[i]..problem.first[i + 1] {
                let j = problem.column[k] as usize;
                let block = if i == j { identity() } else { multiply(&sg, &w[k]) };
                self.matrix.set_block(&factors.pattern, i, j, &block);
            }
        }
        factors.lu.factorise(&self.matrix)
    }

    fn solve<const D: usize>(&mut self, b: &[f64], dr: &mut Vec<f64>, du: &mut Vec<f64>) {
        let pairs = blocks::<D, D>(&self.row_scale).iter().zip(b.as_chunks::<D>().0);
        let rhs: Vec<f64> = pairs.flat_map(|(s, b)| transform(s, b)).collect();
        dr.clone_from(&rhs);
        if let Some(Factors { pattern, lu }) = &self.factors {
            lu.solve(dr);
            // one step of refinement: G spans many orders of magnitude
            let mut product = Vec::new();
            self.matrix.times(pattern, dr, &mut product);
            let mut rest: Vec<f64> = rhs.iter().zip(&product).map(|(b, k)| b - k).collect();
            lu.solve(&mut rest);
            dr.iter_mut().zip(&rest).for_each(|(x, d)| *x += d);
        }
        du.clear();
        du.resize(b.len(), 0.0);
        self.problem.add_product::<D>(dr, du);
    }

    fn gauss_seidel<const D: usize>(&mut self, sweep: Sweep<'_>, r: &mut [f64]) {
        let problem = self.problem;
        let diagonal = blocks::<D, D>(&self.diagonal);
        let laws = problem.laws();
        let r = r.as_chunks_mut::<D>().0;
        for &i in sweep.groups.iter().flatten() {
            let i = i as usize;
            let mut q: [f64; D] = std::array::from_fn(|a| problem.q[i * D + a]);
            problem.add_row::<D>(i, r, &mut q);
            let mut w = diagonal[i];
            for a in 0..D {
                q[a] -= (0..D).map(|b| w[a][b] * r[i][b]).sum::<f64>();
            }
            for a in 0..D {
                w[a][a] += problem.compliance[i * D + a];
            }
            r[i] = OneContact::of(&w, q, i, &laws).relaxed(&r[i], sweep.relaxation);
        }
    }
}

impl Delassus for LocalForm<'_> {
    fn laws(&self) -> Laws<'_> {
        self.problem.laws()
    }

    fn free(&self) -> &[f64] {
        &self.problem.q
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn scale(&self) -> &Scale {
        &self.scale
    }

    fn relative(&self, r: &[f64], u: &mut Vec<f64>) {
        *u = self.problem.relative_velocity(r);
    }

    /// S (I + G W) with S = (I + G W_ii)⁻¹ row by row: unit blocks on the diagonal whatever the size of G.
    fn factorise(&mut self, g: &[f64], _symmetric: bool) -> Result<(), Singular> {
        match self.problem.dim {
            2 => self.assemble::<2>(g),
            _ => self.assemble::<3>(g),
        }
    }

    fn respond(&mut self, b: &[f64], dr: &mut Vec<f64>, du: &mut Vec<f64>) {
        match self.problem.dim {
            2 => self.solve::<2>(b, dr, du),
            _ => self.solve::<3>(b, dr, du),
        }
    }

    fn colours(&self) -> Vec<Vec<u32>> {
        let problem = self.problem;
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut colour: Vec<Option<usize>> = vec![None; problem.contacts()];
        let pattern = Pattern::of_blocks(1, &problem.first, &problem.column);
        for i in 0..problem.contacts() {
            let near = &pattern.row[pattern.first[i]..pattern.first[i + 1]];
            let taken: Vec<usize> = near.iter().filter_map(|&j| colour[j as usize]).collect();
            let mine = (0..groups.len()).find(|c| !taken.contains(c)).unwrap_or(groups.len());
            if mine == groups.len() {
                groups.push(Vec::new());
            }
            groups[mine].push(i as u32);
            colour[i] = Some(mine);
        }
        groups
    }

    fn sweep(&mut self, sweep: Sweep<'_>, r: &mut [f64]) {
        match self.problem.dim {
            2 => self.gauss_seidel::<2>(sweep, r),
            _ => self.gauss_seidel::<3>(sweep, r),
        }
    }

    fn global(&mut self) -> Option<(&Problem, &mut Workspace)> {
        None
    }
}
