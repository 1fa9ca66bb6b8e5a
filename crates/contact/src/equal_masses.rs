//! Bodies of very different mass in one problem.
//!
//! A light body of mass m that carries a heavy body of mass M has the velocity v = v* + (r₁ − r₂)/m, the difference of two
//! impulses of the size M g h. Their rounding errors give it a velocity error of about ε (M/m) g h, ε = 1.1e-16. With
//! M/m = 1e12 this error is 1e-4 of the free velocity, and no choice of impulses in double precision meets a tolerance of
//! 1e-8. The impulses themselves are not to blame: relative to them the imbalance is ε.
//!
//! For bodies at rest the masses can be exchanged. A solution with v = 0 needs Σ Jᵀ r = −M v* only, and M v* is the impulse of
//! loads and weights. A problem with other masses M′ and v*′ = M′⁻¹ M v* has therefore the same solutions at rest. Here
//! M′ = m diag(1, ℓ²) for every node, with the largest mass m of all nodes and the longest lever arm ℓ of the contacts of the
//! node: this problem is well conditioned. The error of its solution is the imbalance of each node relative to the impulses
//! that act on the node.

use crate::problem::Problem;

impl Problem {
    /// Largest mass of a node over the smallest; 1 without nodes.
    pub fn mass_ratio(&self) -> f64 {
        let masses = || self.mass.chunks_exact((self.dofs() * self.dofs()).max(1)).map(|block| block[0]);
        let (least, most) = masses().fold((f64::INFINITY, 0.0f64), |(a, b), mass| (a.min(mass), b.max(mass)));
        if most > 0.0 { most / least } else { 1.0 }
    }

    /// The problem with the mass m diag(1, ℓ²) at every node; the momenta M v* are the same. `None` if a node is not rigid.
    pub fn with_equal_masses(&self) -> Option<Self> {
        if !self.wide.is_empty() {
            return None;
        }
        let (dim, b) = (self.dim(), self.dofs());
        let most = self.mass.chunks_exact((b * b).max(1)).map(|block| block[0]).fold(0.0, f64::max);
        // squares of the longest lever arms
        let mut arms = vec![0.0f64; self.nodes()];
        for contact in 0..self.contacts() {
            for (node, block) in self.entries_of(contact) {
                let square = |row: &[f64]| row[dim..].iter().map(|x| x * x).sum::<f64>();
                let arm = &mut arms[node as usize];
                *arm = block.chunks_exact(b).map(square).fold(*arm, f64::max);
            }
        }
        let mut equal = self.clone();
        self.mass_times(&self.free_velocity, &mut equal.free_velocity);
        equal.mass.fill(0.0);
        equal.inverse_mass.fill(0.0);
        for (node, arm) in arms.into_iter().enumerate() {
            for k in 0..b {
                let mass = if k < dim || arm == 0.0 { most } else { most * arm };
                equal.mass[node * b * b + k * (b + 1)] = mass;
                equal.inverse_mass[node * b * b + k * (b + 1)] = 1.0 / mass;
                equal.free_velocity[node * b + k] /= mass;
            }
        }
        Some(equal)
    }

    /// Largest imbalance of a node with velocity zero, M v* + Σ Jᵀ r, relative to the sum of all impulses on the node; forces
    /// and torques each by themselves.
    pub fn imbalance_at_rest(&self, impulses: &[f64]) -> f64 {
        let (dim, dofs) = (self.dim(), self.dofs());
        let mut sum = Vec::new();
        self.mass_times(&self.free_velocity, &mut sum);
        let mut carried: Vec<f64> = sum.iter().map(|x| x.abs()).collect();
        self.add_transpose_times(impulses, &mut sum);
        for (contact, r) in impulses.chunks_exact(dim).enumerate() {
            for (node, block) in self.entries_of(contact) {
                for (row, r) in block.chunks_exact(dofs).zip(r) {
                    let own = &mut carried[node as usize * dofs..][..dofs];
                    own.iter_mut().zip(row).for_each(|(sum, j)| *sum += (j * r).abs());
                }
            }
        }
        let largest = |x: &[f64]| x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let parts = sum
            .chunks_exact(dofs)
            .zip(carried.chunks_exact(dofs))
            .flat_map(|(sum, carried)| [(&sum[..dim], &carried[..dim]), (&sum[dim..], &carried[dim..])]);
        let relative = parts.map(|(sum, carried)| largest(sum) / largest(carried).max(f64::MIN_POSITIVE));
        relative.fold(0.0, |most, x| if x > most || x.is_nan() { x } else { most })
    }
}
