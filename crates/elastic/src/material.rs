//! Linear elasticity: σ = C ε − β ΔT.
//!
//! Strains and stresses are vectors in the order xx, yy, zz, xy, yz, zx (plane: xx, yy, xy) with engineering shear
//! strains γ. Isotropic stone has Young's modulus E [Pa] and Poisson's ratio ν. Stone that is transversely isotropic
//! about the normal of its bed has E and ν along the bed, E′ across it, ν′ (contraction along the bed under stress
//! across it) and G′ (shear between bed and normal); Lekhnitskii, *Theory of Elasticity of an Anisotropic Body*, 1963.
//! β = C α is the thermal stress per kelvin if all strain is prevented, with the thermal expansion α [1/K].

use crate::error::ElasticError;
use crate::small::invert;

/// Elastic constants of a stone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ElasticConstants {
    /// The same in all directions.
    Isotropic {
        /// Young's modulus E [Pa].
        young: f64,
        /// Poisson's ratio ν.
        poisson: f64,
    },
    /// The same in all directions of the bed.
    Bedded {
        /// Young's modulus along the bed [Pa].
        young: f64,
        /// Poisson's ratio in the bed.
        poisson: f64,
        /// Young's modulus across the bed [Pa].
        young_across: f64,
        /// Contraction along the bed per stretch across it, under stress across it.
        poisson_across: f64,
        /// Shear modulus between bed and normal [Pa].
        shear_across: f64,
        /// Normal of the bed in the axes of the block; any length. In the plane the third component is ignored.
        normal: [f64; 3],
    },
}

/// Plane strain or plane stress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PlaneState {
    /// No strain across the plane: a slice of a long wall.
    #[default]
    Strain,
    /// No stress across the plane: a thin slice with free faces.
    Stress,
}

/// Elasticity matrix, density and thermal stress of the material of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct ElasticMaterial {
    /// Density [kg/m³].
    pub density: f64,
    /// Thickness of a plane model [m]; 1 in space.
    pub thickness: f64,
    /// C, V × V row-major, V = 3 in the plane and 6 in space [Pa].
    pub(crate) stiffness: Vec<f64>,
    /// β [Pa/K].
    pub(crate) thermal: Vec<f64>,
    /// Row of C that gives σ_zz in plane strain; empty otherwise.
    pub(crate) across: Vec<f64>,
    /// σ_zz per kelvin in plane strain.
    pub(crate) thermal_across: f64,
}

impl ElasticMaterial {
    /// A material in space.
    pub fn solid(constants: ElasticConstants, density: f64, expansion: f64) -> Result<Self, ElasticError> {
        let stiffness = full_stiffness(constants)?;
        positive("density", density)?;
        let strain = [expansion, expansion, expansion, 0.0, 0.0, 0.0];
        let thermal = product(&stiffness, 6, &strain);
        Ok(Self { density, thickness: 1.0, stiffness, thermal, across: Vec::new(), thermal_across: 0.0 })
    }

    /// A material in the plane.
    pub fn plane(
        constants: ElasticConstants,
        density: f64,
        expansion: f64,
        thickness: f64,
        state: PlaneState,
    ) -> Result<Self, ElasticError> {
        let in_plane = match constants {
            ElasticConstants::Bedded { young, poisson, young_across, poisson_across, shear_across, normal } => {
                let normal = [normal[0], normal[1], 0.0];
                ElasticConstants::Bedded { young, poisson, young_across, poisson_across, shear_across, normal }
            }
            isotropic @ ElasticConstants::Isotropic { .. } => isotropic,
        };
        let full = full_stiffness(in_plane)?;
        positive("density", density)?;
        positive("thickness", thickness)?;
        const KEPT: [usize; 3] = [0, 1, 3];
        let entry = |i: usize, j: usize| full[6 * i + j];
        let relaxed = |i: usize, j: usize| entry(i, j) - entry(i, 2) * entry(2, j) / entry(2, 2);
        let held = state == PlaneState::Strain;
        let of = |i: usize, j: usize| if held { entry(i, j) } else { relaxed(i, j) };
        let stiffness: Vec<f64> = KEPT.iter().flat_map(|&i| KEPT.map(|j| of(i, j))).collect();
        // plane strain also prevents the expansion across the plane
        let thermal = KEPT.map(|i| expansion * (of(i, 0) + of(i, 1) + if held { entry(i, 2) } else { 0.0 })).to_vec();
        let across = if held { KEPT.map(|j| entry(2, j)).to_vec() } else { Vec::new() };
        let thermal_across = if held { expansion * (entry(2, 0) + entry(2, 1) + entry(2, 2)) } else { 0.0 };
        Ok(Self { density, thickness, stiffness, thermal, across, thermal_across })
    }

    /// Stress of a strain [Pa], without temperature.
    pub(crate) fn stress(&self, strain: &[f64]) -> Vec<f64> {
        product(&self.stiffness, strain.len(), strain)
    }
}

fn product(matrix: &[f64], n: usize, x: &[f64]) -> Vec<f64> {
    matrix.chunks_exact(n).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

fn positive(name: &'static str, value: f64) -> Result<(), ElasticError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ElasticError::Constant { name, value, rule: "it must be positive and finite" })
}

/// C in space, 6 × 6.
fn full_stiffness(constants: ElasticConstants) -> Result<Vec<f64>, ElasticError> {
    let (young, poisson) = match constants {
        ElasticConstants::Isotropic { young, poisson } | ElasticConstants::Bedded { young, poisson, .. } => {
            (young, poisson)
        }
    };
    positive("young", young)?;
    let compliance = match constants {
        ElasticConstants::Isotropic { .. } => {
            if !(poisson > -1.0 && poisson < 0.5) {
                let rule = "Poisson's ratio of an isotropic material must be above -1 and below 0.5";
                return Err(ElasticError::Constant { name: "poisson", value: poisson, rule });
            }
            compliance(young, poisson, young, poisson, young / (2.0 * (1.0 + poisson)))
        }
        ElasticConstants::Bedded { young_across, poisson_across, shear_across, .. } => {
            positive("young_across", young_across)?;
            positive("shear_across", shear_across)?;
            if !(poisson > -1.0 && poisson < 1.0) {
                let rule = "Poisson's ratio in the bed must be above -1 and below 1";
                return Err(ElasticError::Constant { name: "poisson", value: poisson, rule });
            }
            // energy of every strain is positive: 2 ν′² E/E′ < 1 − ν
            if 2.0 * poisson_across * poisson_across * young / young_across >= 1.0 - poisson {
                return Err(ElasticError::Indefinite);
            }
            compliance(young, poisson, young_across, poisson_across, shear_across)
        }
    };
    let stiffness = invert(6, &compliance).ok_or(ElasticError::Indefinite)?;
    Ok(match constants {
        ElasticConstants::Bedded { normal, .. } => turned(&stiffness, normal)?,
        ElasticConstants::Isotropic { .. } => stiffness,
    })
}

/// Compliance with the bed in the xy plane; ν′ is the contraction in the bed per stretch along z.
fn compliance(e: f64, nu: f64, across: f64, nu_across: f64, g: f64) -> Vec<f64> {
    let mut s = vec![0.0; 36];
    (s[0], s[7], s[14]) = (1.0 / e, 1.0 / e, 1.0 / across);
    (s[1], s[6]) = (-nu / e, -nu / e);
    for at in [2, 8, 12, 13] {
        s[at] = -nu_across / across;
    }
    (s[21], s[28], s[35]) = (2.0 * (1.0 + nu) / e, 1.0 / g, 1.0 / g);
    s
}

/// C of a bed with another normal: C′ = T C Tᵀ with the matrix T of stresses turned from bed axes to block axes.
fn turned(stiffness: &[f64], normal: [f64; 3]) -> Result<Vec<f64>, ElasticError> {
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(length > 0.0 && length.is_finite()) {
        let rule = "the normal of the bed must have a length (in the plane: within the plane)";
        return Err(ElasticError::Constant { name: "bed normal", value: length, rule });
    }
    let z = normal.map(|x| x / length);
    let least = (0..3).min_by(|&i, &j| z[i].abs().total_cmp(&z[j].abs())).unwrap_or(0);
    let cross = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
    };
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let y = cross(z, axis);
    let y = y.map(|v| v / y.iter().map(|x| x * x).sum::<f64>().sqrt());
    let x = cross(y, z);
    // axes[k] = direction of bed axis k in block axes
    let axes = [x, y, z];
    const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];
    let mut t = [[0.0; 6]; 6];
    for (row, &(i, j)) in PAIRS.iter().enumerate() {
        for (column, &(k, l)) in PAIRS.iter().enumerate() {
            t[row][column] =
                if k == l { axes[k][i] * axes[k][j] } else { axes[k][i] * axes[l][j] + axes[l][i] * axes[k][j] };
        }
    }
    let half: Vec<f64> = (0..36).map(|at| (0..6).map(|k| t[at / 6][k] * stiffness[6 * k + at % 6]).sum()).collect();
    Ok((0..36).map(|at| (0..6).map(|k| half[6 * (at / 6) + k] * t[at % 6][k]).sum()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uniaxial(material: &ElasticMaterial, axis: usize) -> Vec<f64> {
        let inverse = invert(6, &material.stiffness).unwrap();
        (0..6).map(|k| inverse[6 * k + axis]).collect()
    }

    #[test]
    fn isotropic_constants_come_back_from_the_matrix() {
        let constants = ElasticConstants::Isotropic { young: 20e9, poisson: 0.2 };
        let material = ElasticMaterial::solid(constants, 2400.0, 1e-5).unwrap();
        let strain = uniaxial(&material, 2);
        assert!((strain[2] * 20e9 - 1.0).abs() < 1e-12 && (strain[0] / strain[2] + 0.2).abs() < 1e-12);
        // prevented expansion in space: −Eα/(1 − 2ν)
        assert!((material.thermal[1] / (20e9 * 1e-5 / 0.6) - 1.0).abs() < 1e-12);
        let plane = ElasticMaterial::plane(constants, 2400.0, 1e-5, 0.5, PlaneState::Stress).unwrap();
        assert!((plane.stiffness[0] / (20e9 / (1.0 - 0.04)) - 1.0).abs() < 1e-12);
        assert!((plane.thermal[0] / (20e9 * 1e-5 / 0.8) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_bed_with_equal_constants_is_isotropic_in_any_direction() {
        let (young, poisson) = (7e9, 0.31);
        let bedded = ElasticConstants::Bedded {
            young,
            poisson,
            young_across: young,
            poisson_across: poisson,
            shear_across: young / (2.0 * (1.0 + poisson)),
            normal: [0.3, -0.5, 0.8],
        };
        let one = full_stiffness(ElasticConstants::Isotropic { young, poisson }).unwrap();
        let two = full_stiffness(bedded).unwrap();
        assert!(one.iter().zip(&two).all(|(a, b)| (a - b).abs() < 1e-5));
    }

    #[test]
    fn a_bed_turned_upright_is_soft_across_itself() {
        let bedded = |normal: [f64; 3]| ElasticConstants::Bedded {
            young: 30e9,
            poisson: 0.2,
            young_across: 10e9,
            poisson_across: 0.1,
            shear_across: 5e9,
            normal,
        };
        let flat = ElasticMaterial::solid(bedded([0.0, 0.0, 2.0]), 2400.0, 0.0).unwrap();
        assert!(
            (uniaxial(&flat, 2)[2] * 10e9 - 1.0).abs() < 1e-12 && (uniaxial(&flat, 0)[0] * 30e9 - 1.0).abs() < 1e-12
        );
        let upright = ElasticMaterial::solid(bedded([1.0, 0.0, 0.0]), 2400.0, 0.0).unwrap();
        assert!((uniaxial(&upright, 0)[0] * 10e9 - 1.0).abs() < 1e-12);
        assert!((uniaxial(&upright, 2)[2] * 30e9 - 1.0).abs() < 1e-12);
        assert!((uniaxial(&upright, 0)[2] * 10e9 + 0.1).abs() < 1e-12);
    }

    #[test]
    fn impossible_constants_are_refused_with_the_reason() {
        let error = |young: f64, poisson: f64| {
            ElasticMaterial::solid(ElasticConstants::Isotropic { young, poisson }, 2400.0, 0.0).unwrap_err().to_string()
        };
        assert_eq!(error(-1.0, 0.2), "young = -1 is impossible: it must be positive and finite");
        assert!(error(1e9, 0.5).contains("below 0.5") && error(f64::NAN, 0.2).contains("finite"));
        let bedded = ElasticConstants::Bedded {
            young: 30e9,
            poisson: 0.2,
            young_across: 1e9,
            poisson_across: 0.4,
            shear_across: 5e9,
            normal: [0.0, 0.0, 1.0],
        };
        assert_eq!(ElasticMaterial::solid(bedded, 2400.0, 0.0), Err(ElasticError::Indefinite));
    }
}
