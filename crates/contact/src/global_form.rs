//! [`Delassus`] of a problem in global form: W is never assembled.

use rayon::prelude::*;

use crate::delassus::{Delassus, Laws, Sweep};
use crate::linear::{Singular, Workspace};
use crate::one_contact::OneContact;
use crate::problem::{Problem, blocks, times_inverse};
use crate::residual::Scale;

/// Independent contacts are handed to threads in pieces of this many.
const PIECE: usize = 256;

/// A global problem as solvers see it.
#[derive(Debug)]
pub struct GlobalForm<'a> {
    problem: &'a Problem,
    workspace: &'a mut Workspace,
    free: Vec<f64>,
    diagonal: Vec<f64>,
    scale: Scale,
    /// G of the last factorisation
    g: Vec<f64>,
    /// M⁻¹Jᵀ of every entry (entries × dim × dofs), made when first asked for
    lifted: Vec<f64>,
    /// the same by contact, as cells and rows (dim × dofs), where a node has a mass block of its own
    wide_lifted: Vec<Vec<(u32, Vec<f64>)>>,
}

impl<'a> GlobalForm<'a> {
    /// Looks at `problem`; `workspace` keeps symbolic factors.
    pub fn new(problem: &'a Problem, workspace: &'a mut Workspace) -> Self {
        let diagonal = problem.delassus_diagonal();
        let scale = Scale::new(problem, &diagonal);
        let free = problem.free_relative_velocity();
        Self { problem, workspace, free, diagonal, scale, g: Vec::new(), lifted: Vec::new(), wide_lifted: Vec::new() }
    }

    fn respond_once(&mut self, b: &[f64]) -> Vec<f64> {
        let mut dv = vec![0.0; self.problem.free_velocity().len()];
        self.problem.add_transpose_times(b, &mut dv);
        self.workspace.solve(&mut dv);
        let mut du = vec![0.0; b.len()];
        self.problem.add_jacobian_times(&dv, &mut du);
        let mut dr = b.to_vec();
        subtract_blocks(&self.g, self.problem.dim(), &du, &mut dr);
        dr
    }

    /// u = W r.
    fn product(&self, r: &[f64], u: &mut Vec<f64>) {
        let (mut momentum, mut v) = (vec![0.0; self.problem.free_velocity().len()], Vec::new());
        self.problem.add_transpose_times(r, &mut momentum);
        self.problem.inverse_mass_times(&momentum, &mut v);
        u.clear();
        u.resize(r.len(), 0.0);
        self.problem.add_jacobian_times(&v, u);
    }

    fn gauss_seidel<const D: usize, const B: usize>(&mut self, sweep: Sweep<'_>, r: &mut [f64]) {
        let problem = self.problem;
        let jac = blocks::<D, B>(&problem.jacobian);
        if !problem.wide.is_empty() {
            if self.wide_lifted.len() != problem.contacts() {
                let flat = |(cell, rows): (u32, [[f64; B]; D])| (cell, rows.as_flattened().to_vec());
                let of = |i: usize| problem.lifted::<D, B>(i).into_iter().map(flat).collect();
                self.wide_lifted = (0..problem.contacts()).map(of).collect();
            }
        } else if self.lifted.len() != problem.jacobian.len() {
            let inverse = blocks::<B, B>(&problem.inverse_mass);
            let rows = jac.iter().zip(&problem.node).map(|(j, &n)| times_inverse(j, &inverse[n as usize]));
            self.lifted = rows.flat_map(|block: [[f64; B]; D]| block.into_iter().flatten()).collect();
        }
        let (lifted, wide_lifted) = (blocks::<D, B>(&self.lifted), &self.wide_lifted);
        let diagonal = blocks::<D, D>(&self.diagonal);
        let mut velocity = Vec::new();
        problem.velocity(r, &mut velocity);
        let (v, r) = (velocity.as_chunks_mut::<B>().0, r.as_chunks_mut::<D>().0);
        let visit = |i: usize, v: &[[f64; B]], old: &[f64; D]| -> [f64; D] {
            let compliance = &problem.compliance[i * D..(i + 1) * D];
            // relative velocity without this contact's own impulse
            let mut q: [f64; D] = std::array::from_fn(|a| problem.bias[i * D + a]);
            for e in problem.first[i]..problem.first[i + 1] {
                let v = &v[problem.node[e] as usize];
                for a in 0..D {
                    q[a] += jac[e][a].iter().zip(v).map(|(x, y)| x * y).sum::<f64>();
                }
            }
            let mut w = diagonal[i];
            for a in 0..D {
                q[a] -= (0..D).map(|b| w[a][b] * old[b]).sum::<f64>();
            }
            for a in 0..D {
                w[a][a] += compliance[a];
            }
            OneContact::of(&w, q, i, &problem.laws()).relaxed(old, sweep.relaxation)
        };
        let apply = |i: usize, new: [f64; D], v: &mut [[f64; B]], r: &mut [[f64; D]]| {
            let change: [f64; D] = std::array::from_fn(|a| new[a] - r[i][a]);
            r[i] = new;
            if let Some(lifted) = wide_lifted.get(i) {
                for (cell, rows) in lifted {
                    for (row, dr) in rows.as_chunks::<B>().0.iter().zip(&change) {
                        v[*cell as usize].iter_mut().zip(row).for_each(|(v, m)| *v += m * dr);
                    }
                }
                return;
            }
            for e in problem.first[i]..problem.first[i + 1] {
                let v = &mut v[problem.node[e] as usize];
                for (row, dr) in lifted[e].iter().zip(&change) {
                    for (v, m) in v.iter_mut().zip(row) {
                        *v += m * dr;
                    }
                }
            }
        };
        for group in sweep.groups {
            if sweep.independent && group.len() > PIECE {
                let news: Vec<[f64; D]> = group
                    .par_chunks(PIECE)
                    .flat_map_iter(|part| part.iter().map(|&i| visit(i as usize, v, &r[i as usize])))
                    .collect();
                for (&i, new) in group.iter().zip(news) {
                    apply(i as usize, new, v, r);
                }
            } else {
                for &i in group {
                    let new = visit(i as usize, v, &r[i as usize]);
                    apply(i as usize, new, v, r);
                }
            }
        }
    }
}

/// out −= G x, block by block.
fn subtract_blocks(g: &[f64], dim: usize, x: &[f64], out: &mut [f64]) {
    for ((out, x), g) in out.chunks_exact_mut(dim).zip(x.chunks_exact(dim)).zip(g.chunks_exact(dim * dim)) {
        for (out, row) in out.iter_mut().zip(g.chunks_exact(dim)) {
            *out -= row.iter().zip(x).map(|(g, x)| g * x).sum::<f64>();
        }
    }
}

impl Delassus for GlobalForm<'_> {
    fn laws(&self) -> Laws<'_> {
        self.problem.laws()
    }

    fn free(&self) -> &[f64] {
        &self.free
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn scale(&self) -> &Scale {
        &self.scale
    }

    fn relative(&self, r: &[f64], u: &mut Vec<f64>) {
        let mut velocity = Vec::new();
        self.problem.velocity(r, &mut velocity);
        self.problem.relative_velocity(&velocity, u);
    }

    fn factorise(&mut self, g: &[f64], symmetric: bool) -> Result<(), Singular> {
        self.g.clear();
        self.g.extend_from_slice(g);
        self.workspace.factorise(self.problem, g, symmetric)
    }

    /// (M + Jᵀ G J) dv = Jᵀ b, du = J dv, dr = b − G du; followed by one step of iterative refinement, since G spans
    /// many orders of magnitude and b − G du cancels.
    fn respond(&mut self, b: &[f64], dr: &mut Vec<f64>, du: &mut Vec<f64>) {
        *dr = self.respond_once(b);
        self.product(dr, du);
        let mut rest: Vec<f64> = b.iter().zip(dr.iter()).map(|(b, r)| b - r).collect();
        subtract_blocks(&self.g, self.problem.dim(), du, &mut rest);
        for (r, d) in dr.iter_mut().zip(self.respond_once(&rest)) {
            *r += d;
        }
        self.product(dr, du);
    }

    fn colours(&self) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        // colours already met at each node
        let mut met: Vec<Vec<bool>> = vec![Vec::new(); self.problem.nodes()];
        for i in 0..self.problem.contacts() {
            // contacts on different cells of one node are coupled
            let nodes: Vec<u32> = self.problem.nodes_of(i).iter().map(|&cell| self.problem.owner(cell)).collect();
            let free = |c: usize| nodes.iter().all(|&n| !met[n as usize].get(c).copied().unwrap_or(false));
            let colour = (0..groups.len()).find(|&c| free(c)).unwrap_or(groups.len());
            if colour == groups.len() {
                groups.push(Vec::new());
            }
            groups[colour].push(i as u32);
            for n in nodes {
                let met = &mut met[n as usize];
                met.resize(met.len().max(colour + 1), false);
                met[colour] = true;
            }
        }
        groups
    }

    fn sweep(&mut self, sweep: Sweep<'_>, r: &mut [f64]) {
        match self.problem.dim() {
            2 => self.gauss_seidel::<2, 3>(sweep, r),
            _ => self.gauss_seidel::<3, 6>(sweep, r),
        }
    }

    fn global(&mut self) -> Option<(&Problem, &mut Workspace)> {
        Some((self.problem, self.workspace))
    }
}
