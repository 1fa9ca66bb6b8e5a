//! Global problems as stored in files: M v = H r + f, u = Hᵀ v + w, with any sparse M.

use voussoir_contact::Problem;

use crate::error::{ProblemError, check_finite, check_friction, check_length};
use crate::sparse::{Sparse, Triplet};

/// A block of M counts as symmetric up to this, relative to its largest entry.
const SYMMETRY_TOLERANCE: f64 = 1e-12;

/// A global problem.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalProblem {
    /// Components per contact.
    pub dim: usize,
    /// M (unknowns × unknowns).
    pub mass: Sparse,
    /// H (unknowns × contacts·dim).
    pub h: Sparse,
    /// f (unknowns).
    pub force: Vec<f64>,
    /// w (contacts·dim).
    pub bias: Vec<f64>,
    /// μ (contacts).
    pub friction: Vec<f64>,
    /// Number of the last unknowns, which represent the compliance of contacts: each has an entry of its own in M and
    /// one entry in H, so that E = H²/M is added to one component of one contact.
    pub compliant: usize,
}

impl GlobalProblem {
    /// Checks that the parts are consistent and finite.
    pub fn check(&self) -> Result<(), ProblemError> {
        let (unknowns, n) = (self.force.len(), self.dim * self.friction.len());
        let size = |name: &str, found: &Sparse, rows: usize, cols: usize| {
            if (found.rows(), found.cols()) == (rows, cols) {
                return Ok(());
            }
            Err(ProblemError::Inconsistent {
                what: format!(
                    "{name} is {} × {}; for {unknowns} unknowns and {} contacts of dimension {} it must be {rows} × {cols}",
                    found.rows(),
                    found.cols(),
                    self.friction.len(),
                    self.dim
                ),
            })
        };
        size("M", &self.mass, unknowns, unknowns)?;
        size("H", &self.h, unknowns, n)?;
        check_length("w", self.bias.len(), n, &format!("for {} contacts", self.friction.len()))?;
        check_finite("M", self.mass.parts().2)?;
        check_finite("H", self.h.parts().2)?;
        check_finite("f", &self.force)?;
        check_finite("w", &self.bias)?;
        check_friction(&self.friction)
    }

    /// Converts a [`voussoir_contact::Problem`] to this form. Compliance becomes unknowns of its own; a least normal
    /// impulse cannot be written, and the associated law is not distinguished from Coulomb's.
    pub fn from_problem(problem: &Problem) -> Result<Self, ProblemError> {
        if problem.has_floor() {
            return Err(ProblemError::Unsupported {
                what: "a problem with least normal impulses (Poisson restitution) has no global form".to_owned(),
            });
        }
        let (dim, dofs) = (problem.dim(), problem.dofs());
        let (mut mass, mut h): (Vec<Triplet>, Vec<Triplet>) = (Vec::new(), Vec::new());
        // padding of nodes with mass blocks of their own is omitted
        let mut velocities = 0;
        let mut place: Vec<Option<u32>> = Vec::with_capacity(problem.free_velocity().len());
        for index in 0..problem.free_velocity().len() {
            let real = problem.is_velocity(index);
            place.push(real.then_some(velocities));
            velocities += u32::from(real);
        }
        problem.mass_entries(|row, column, value| {
            if let (Some(row), Some(column)) = (place[row], place[column]) {
                mass.push((row, column, value));
            }
        });
        for contact in 0..problem.contacts() {
            for (node, block) in problem.entries_of(contact) {
                for (at, &value) in block.iter().enumerate() {
                    if let Some(row) = place[node as usize * dofs + at % dofs] {
                        h.push((row, (contact * dim + at / dofs) as u32, value));
                    }
                }
            }
        }
        let mut force = Vec::new();
        problem.mass_times(problem.free_velocity(), &mut force);
        let mut places = place.iter();
        force.retain(|_| places.next().is_some_and(Option::is_some));
        let compliant = problem.compliance().iter().enumerate().filter(|(_, e)| **e > 0.0);
        for (component, e) in compliant {
            let unknown = force.len() as u32;
            mass.push((unknown, unknown, 1.0 / e));
            h.push((unknown, component as u32, 1.0));
            force.push(0.0);
        }
        let compliant = force.len() - velocities as usize;
        let unknowns = force.len();
        Ok(Self {
            dim,
            mass: Sparse::from_triplets(unknowns, unknowns, mass),
            h: Sparse::from_triplets(unknowns, dim * problem.contacts(), h),
            force,
            bias: problem.bias().to_vec(),
            friction: problem.friction().to_vec(),
            compliant,
        })
    }

    /// The problem as one of rigid bodies: possible when M consists of symmetric positive definite blocks of 3 (2D) or
    /// 6 (3D) unknowns, as that of rigid bodies does.
    pub fn to_problem(&self) -> Option<Problem> {
        match self.dim {
            2 => self.with_blocks::<3>(),
            _ => self.with_blocks::<6>(),
        }
    }

    fn with_blocks<const B: usize>(&self) -> Option<Problem> {
        let rigid = self.force.len().checked_sub(self.compliant)?;
        if !rigid.is_multiple_of(B) {
            return None;
        }
        let mut problem = Problem::new(self.dim, B);
        for start in (0..rigid).step_by(B) {
            let mut block = [[0.0; B]; B];
            for (a, row) in block.iter_mut().enumerate() {
                for (column, value) in self.mass.row(start + a) {
                    *row.get_mut(column.checked_sub(start)?)? = value;
                }
            }
            let inverse = invert(&block)?;
            let force = &self.force[start..start + B];
            let free: [f64; B] = std::array::from_fn(|a| inverse[a].iter().zip(force).map(|(x, f)| x * f).sum());
            problem.push_node(block.as_flattened(), inverse.as_flattened(), &free);
        }
        let compliance = self.compliance(rigid)?;
        let columns = self.h.transposed();
        let mut bias = self.bias.clone();
        for (component, _, speed) in &compliance {
            bias[*component] += speed;
        }
        for contact in 0..self.friction.len() {
            // Jacobian blocks of the nodes that the contact touches
            let mut entries: Vec<(u32, Vec<f64>)> = Vec::new();
            for a in 0..self.dim {
                for (unknown, value) in columns.row(contact * self.dim + a).filter(|(unknown, _)| *unknown < rigid) {
                    let node = (unknown / B) as u32;
                    let at = entries.iter().position(|(n, _)| *n == node).unwrap_or_else(|| {
                        entries.push((node, vec![0.0; self.dim * B]));
                        entries.len() - 1
                    });
                    entries[at].1[a * B + unknown % B] = value;
                }
            }
            entries.sort_by_key(|(node, _)| *node);
            let entries: Vec<(u32, &[f64])> = entries.iter().map(|(node, block)| (*node, block.as_slice())).collect();
            problem.push_contact(&entries, &bias[contact * self.dim..][..self.dim], self.friction[contact]);
        }
        let mut softness = vec![0.0; bias.len()];
        for (component, e, _) in compliance {
            softness[component] += e;
        }
        for (contact, e) in softness.chunks_exact(self.dim).enumerate().filter(|(_, e)| e.iter().any(|&e| e > 0.0)) {
            problem.set_compliance(contact, e);
        }
        Some(problem)
    }

    /// Component, compliance and free velocity of each unknown that represents compliance.
    fn compliance(&self, rigid: usize) -> Option<Vec<(usize, f64, f64)>> {
        let of = |unknown: usize| {
            let (mut mass, mut h) = (self.mass.row(unknown), self.h.row(unknown));
            let ((on, m), (component, x)) = (mass.next()?, h.next()?);
            let alone = on == unknown && mass.next().is_none() && h.next().is_none() && m > 0.0;
            alone.then(|| (component, x * x / m, x * self.force[unknown] / m))
        };
        (rigid..self.force.len()).map(of).collect()
    }
}

/// Inverse of a symmetric positive definite block, by Cholesky; `None` for any other.
fn invert<const B: usize>(block: &[[f64; B]; B]) -> Option<[[f64; B]; B]> {
    let largest = block.iter().flatten().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let symmetric = (0..B).all(|i| (0..i).all(|j| (block[i][j] - block[j][i]).abs() <= SYMMETRY_TOLERANCE * largest));
    if !symmetric {
        return None;
    }
    // A = L Lᵀ
    let mut l = [[0.0; B]; B];
    for i in 0..B {
        for j in 0..=i {
            let sum = block[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            l[i][j] = if i == j { (sum > 0.0).then(|| sum.sqrt())? } else { sum / l[j][j] };
        }
    }
    let mut inverse = [[0.0; B]; B];
    for column in 0..B {
        let mut x = [0.0; B];
        for i in 0..B {
            let unit = f64::from(u8::from(i == column));
            x[i] = (unit - (0..i).map(|k| l[i][k] * x[k]).sum::<f64>()) / l[i][i];
        }
        for i in (0..B).rev() {
            x[i] = (x[i] - (i + 1..B).map(|k| l[k][i] * x[k]).sum::<f64>()) / l[i][i];
        }
        for i in 0..B {
            inverse[i][column] = x[i];
        }
    }
    inverse.iter().flatten().all(|x| x.is_finite()).then_some(inverse)
}
