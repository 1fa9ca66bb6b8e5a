//! An elastic block: mesh, material, stiffness, mass, rigid motions.
//!
//! Displacements are vectors of D numbers per point of the mesh, in the axes of the block, whose origin is the centroid.
//! The R = D(D+1)/2 rigid motions Φ are translations along the axes and rotations about the centroid (in the plane: one). A
//! displacement u has the rigid part a = (ΦᵀMΦ)⁻¹ΦᵀMu and the elastic part u − Φa, which has no momentum (mean axes).

use crate::element::{matrices, strains};
use crate::error::ElasticError;
use crate::material::ElasticMaterial;
use crate::mesh::FiniteMesh;
use crate::small::invert;
use crate::sparse::{DenseBlock, LowerPattern, block_product, scalar_product};
use crate::surface::cross;
use crate::tied::{CellTie, STIFF};

/// How the stiffness of elements is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ElementForm {
    /// Linear quadrilaterals and hexahedra have incompatible modes.
    #[default]
    Enhanced,
    /// Displacements by shape functions only.
    Standard,
}

/// A block with its matrices.
#[derive(Clone, Debug)]
pub struct ElasticBlock<const D: usize> {
    /// The mesh.
    pub mesh: FiniteMesh<D>,
    /// The material.
    pub material: ElasticMaterial,
    /// Kind of elements.
    pub form: ElementForm,
    pub(crate) pattern: LowerPattern,
    pub(crate) stiffness: Vec<DenseBlock<D>>,
    pub(crate) mass: Vec<f64>,
    /// thermal forces on the points per kelvin of temperature rise
    thermal: Vec<f64>,
    largest_frequency: f64,
    /// (ΦᵀMΦ)⁻¹ (R × R)
    inverse_inertia: Vec<f64>,
    /// MΦ, one vector per rigid motion
    momentum: Vec<Vec<f64>>,
}

/// Steps of the power iteration for the largest frequency.
const POWER_STEPS: usize = 12;

/// Number of rigid motions.
const fn rigid(dimension: usize) -> usize {
    strains(dimension)
}

impl<const D: usize> ElasticBlock<D> {
    /// Assembles the matrices of a mesh.
    pub fn new(mesh: FiniteMesh<D>, material: ElasticMaterial, form: ElementForm) -> Result<Self, ElasticError> {
        Self::tied(mesh, &[], material, form)
    }

    /// Assembles the matrices of a mesh of several cells with their ties.
    pub fn tied(
        mesh: FiniteMesh<D>,
        ties: &[CellTie],
        material: ElasticMaterial,
        form: ElementForm,
    ) -> Result<Self, ElasticError> {
        mesh.check()?;
        let n = mesh.points.len();
        let tied: Vec<Vec<u32>> = ties.iter().map(|tie| tie.jump.iter().map(|&(point, _)| point).collect()).collect();
        let elements = mesh.elements.iter().map(|element| element.points.as_slice());
        let pattern = LowerPattern::new(n, elements.chain(tied.iter().map(Vec::as_slice)));
        let mut stiffness = vec![[[0.0; D]; D]; pattern.rows.len()];
        let mut mass = vec![0.0; pattern.rows.len()];
        let mut thermal = vec![0.0; n * D];
        for (index, element) in mesh.elements.iter().enumerate() {
            let places = mesh.places(element);
            let own = matrices(element.kind, &places, &material, form == ElementForm::Enhanced, index)?;
            let size = places.len() * D;
            for (a, &i) in element.points.iter().enumerate() {
                (0..D).for_each(|c| thermal[i as usize * D + c] += own.thermal[a * D + c]);
                for (b, &j) in element.points.iter().enumerate().filter(|&(_, &j)| j <= i) {
                    let at = pattern.place(i, j);
                    mass[at] += own.mass[a * places.len() + b];
                    for r in 0..D {
                        for c in 0..D {
                            stiffness[at][r][c] += own.stiffness[(a * D + r) * size + b * D + c];
                        }
                    }
                }
            }
        }
        let largest_frequency = power_iteration(&pattern, &stiffness, &mass);
        add_ties(&pattern, ties, &material, &mut stiffness);
        let mut block = Self {
            mesh,
            material,
            form,
            pattern,
            stiffness,
            mass,
            thermal,
            largest_frequency,
            inverse_inertia: Vec::new(),
            momentum: Vec::new(),
        };
        block.momentum = (0..rigid(D)).map(|k| block.mass_times(&block.rigid_motion(&unit(k)))).collect();
        block.inverse_inertia = invert(rigid(D), &block.inertia()).ok_or(ElasticError::Singular)?;
        Ok(block)
    }

    /// Number of displacements.
    pub fn size(&self) -> usize {
        self.mesh.points.len() * D
    }

    /// ΦᵀMΦ (R × R): mass, first and second moments about the origin [kg, kg·m, kg·m²].
    pub fn inertia(&self) -> Vec<f64> {
        let r = rigid(D);
        (0..r * r).map(|at| crate::small::dot(&self.rigid_motion(&unit(at / r)), &self.momentum[at % r])).collect()
    }

    /// Φa: velocities of the points for a velocity of the origin and a spin.
    pub fn rigid_motion(&self, a: &[f64]) -> Vec<f64> {
        let one = |x: &[f64; D]| -> [f64; D] {
            std::array::from_fn(|c| match D {
                2 => a[c] + a[2] * if c == 0 { -x[1] } else { x[0] },
                _ => a[c] + a[3 + (c + 1) % 3] * x[(c + 2) % 3] - a[3 + (c + 2) % 3] * x[(c + 1) % 3],
            })
        };
        self.mesh.points.iter().flat_map(one).collect()
    }

    /// Φᵀf: resultant and moment about the origin of forces at the points.
    pub fn resultant(&self, forces: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; rigid(D)];
        for (x, f) in self.mesh.points.iter().zip(forces.as_chunks::<D>().0) {
            (0..D).for_each(|c| sum[c] += f[c]);
            if D == 2 {
                sum[2] += x[0] * f[1] - x[1] * f[0];
            } else {
                (0..3).for_each(|c| sum[3 + c] += x[(c + 1) % 3] * f[(c + 2) % 3] - x[(c + 2) % 3] * f[(c + 1) % 3]);
            }
        }
        sum
    }

    /// Rigid part a of velocities of the points.
    pub fn rigid_part(&self, velocities: &[f64]) -> Vec<f64> {
        let momentum: Vec<f64> = self.momentum.iter().map(|m| crate::small::dot(m, velocities)).collect();
        self.accelerated(&momentum)
    }

    /// (ΦᵀMΦ)⁻¹ b.
    pub(crate) fn accelerated(&self, b: &[f64]) -> Vec<f64> {
        self.inverse_inertia.chunks_exact(rigid(D)).map(|row| crate::small::dot(row, b)).collect()
    }

    /// u ← u − Φa: removes the rigid part.
    pub fn take_rigid_part(&self, u: &mut [f64]) {
        let motion = self.rigid_motion(&self.rigid_part(u));
        u.iter_mut().zip(motion).for_each(|(u, r)| *u -= r);
    }

    /// f ← f − MΦ(ΦᵀMΦ)⁻¹Φᵀf: removes the forces that accelerate the block as a rigid body; the rest is in equilibrium.
    pub fn balance(&self, forces: &mut [f64]) {
        let a = self.accelerated(&self.resultant(forces));
        for (share, momentum) in a.iter().zip(&self.momentum) {
            forces.iter_mut().zip(momentum).for_each(|(f, m)| *f -= share * m);
        }
    }

    /// K u.
    pub fn stiffness_times(&self, u: &[f64]) -> Vec<f64> {
        block_product(&self.pattern, &self.stiffness, u)
    }

    /// M u.
    pub fn mass_times(&self, u: &[f64]) -> Vec<f64> {
        scalar_product::<D>(&self.pattern, &self.mass, u)
    }

    /// Forces of a uniform rise of temperature on the points [N].
    pub fn thermal_forces(&self, kelvin: f64) -> Vec<f64> {
        self.thermal.iter().map(|f| f * kelvin).collect()
    }

    /// Forces −M (ω × (ω × X + p)) of a block that turns with the spin ω in its own axes (in the plane the last component)
    /// [rad/s] and has the elastic velocity p; and the rate of change of ω that −M (ω × p) causes [rad/s²].
    pub fn turning(&self, spin: [f64; 3], p: &[f64]) -> (Vec<f64>, [f64; 3]) {
        let pad = |x: &[f64; D]| -> [f64; 3] { std::array::from_fn(|c| if c < D { x[c] } else { 0.0 }) };
        let mut all = Vec::with_capacity(self.size());
        let mut own = Vec::with_capacity(self.size());
        for (x, p) in self.mesh.points.iter().zip(p.as_chunks::<D>().0) {
            let (around, p) = (cross(&spin, &pad(x)), pad(p));
            let whole = cross(&spin, &std::array::from_fn::<f64, 3, _>(|c| around[c] + p[c]));
            all.extend_from_slice(&whole[..D]);
            own.extend_from_slice(&cross(&spin, &p)[..D]);
        }
        let forces = self.mass_times(&all).iter().map(|f| -f).collect();
        let rate = self.rigid_part(&own);
        let spin = std::array::from_fn(|c| {
            if D == 3 {
                -rate[3 + c]
            } else if c == 2 {
                -rate[2]
            } else {
                0.0
            }
        });
        (forces, spin)
    }

    /// Largest circular frequency of the elements [rad/s], without ties, with the masses lumped at the points: a lower bound
    /// by power iteration that is close for large meshes.
    pub fn largest_frequency(&self) -> f64 {
        self.largest_frequency
    }

    /// Elastic energy ½ uᵀKu [J].
    pub fn elastic_energy(&self, u: &[f64]) -> f64 {
        0.5 * crate::small::dot(u, &self.stiffness_times(u))
    }

    /// ½ pᵀMp [J].
    pub fn kinetic_energy(&self, p: &[f64]) -> f64 {
        0.5 * crate::small::dot(p, &self.mass_times(p))
    }
}

/// Square root of the largest eigenvalue of K with lumped masses.
fn power_iteration<const D: usize>(pattern: &LowerPattern, stiffness: &[DenseBlock<D>], mass: &[f64]) -> f64 {
    let size = pattern.size() * D;
    let mut lumped = scalar_product::<D>(pattern, mass, &vec![1.0; size]);
    // row sums of quadratic elements vanish or are negative at corners
    pattern.each(|at, i, j| {
        if i == j {
            lumped[i * D..(i + 1) * D].iter_mut().for_each(|m| *m = m.max(mass[at]));
        }
    });
    // start vector: neighbouring points move in opposite directions
    let mut u: Vec<f64> = (0..size).map(|k| ((k * 7 % 5) as f64 - 2.0) + 0.1).collect();
    let mut square = 0.0;
    for _ in 0..POWER_STEPS {
        let mut next = block_product(pattern, stiffness, &u);
        next.iter_mut().zip(&lumped).for_each(|(f, m)| *f /= m.max(f64::MIN_POSITIVE));
        let length = next.iter().map(|x| x * x).sum::<f64>().sqrt();
        square = length / u.iter().map(|x| x * x).sum::<f64>().sqrt();
        u = next.iter().map(|x| x / length).collect();
    }
    square.sqrt()
}

/// Adds the springs of ties to a stiffness.
fn add_ties<const D: usize>(
    pattern: &LowerPattern,
    ties: &[CellTie],
    material: &ElasticMaterial,
    stiffness: &mut [DenseBlock<D>],
) {
    let largest = material.stiffness.iter().copied().fold(0.0, f64::max);
    for tie in ties {
        let spring = STIFF * largest * material.thickness * tie.share;
        for &(i, own) in &tie.jump {
            for &(j, its) in tie.jump.iter().filter(|&&(j, _)| j <= i) {
                let at = pattern.place(i, j);
                (0..D).for_each(|c| stiffness[at][c][c] += spring * own * its);
            }
        }
    }
}

fn unit(k: usize) -> [f64; 6] {
    std::array::from_fn(|c| f64::from(u8::from(c == k)))
}
