//! Matrices and stresses of one element.
//!
//! K = ∫ Bᵀ C B, M = ρ ∫ N N, f = ∫ Bᵀ β per kelvin. The linear quadrilateral and hexahedron have incompatible modes
//! u += Σ (1 − ξ_k²) a_k, whose gradients use the Jacobian J₀ of the centre and the factor det J₀ / det J, so that a constant
//! stress does no work on them; the parameters a_k are eliminated in the element (Taylor, Beresford & Wilson 1976).

use crate::error::ElasticError;
use crate::kind::ElementKind;
use crate::material::ElasticMaterial;
use crate::mesh::jacobian;
use crate::rule::{mass_rule, stiffness_rule};
use crate::small::{inverse, invert};

/// Number of strain components.
pub(crate) const fn strains(dimension: usize) -> usize {
    dimension * (dimension + 1) / 2
}

/// Place of the shear strain of two axes in the vector of strains.
pub(crate) fn shear(dimension: usize, a: usize, b: usize) -> usize {
    match (dimension, a + b) {
        (2, _) => 2,
        (_, 1) => 3,
        (_, 3) => 4,
        _ => 5,
    }
}

/// An integration point: gradients of all functions, and its part of the volume.
struct IntegrationPoint<const D: usize> {
    gradients: Vec<[f64; D]>,
    volume: f64,
}

/// Matrices of an element with n points.
pub(crate) struct ElementMatrices {
    /// K (nD × nD).
    pub stiffness: Vec<f64>,
    /// M for one direction (n × n).
    pub mass: Vec<f64>,
    /// f per kelvin (nD).
    pub thermal: Vec<f64>,
}

/// Strain of a unit displacement along one axis with a given gradient.
fn strain_of<const D: usize>(gradient: &[f64; D], axis: usize) -> [f64; 6] {
    let mut strain = [0.0; 6];
    strain[axis] = gradient[axis];
    for other in (0..D).filter(|&other| other != axis) {
        strain[shear(D, axis, other)] = gradient[other];
    }
    strain
}

fn integration_points<const D: usize>(
    kind: ElementKind,
    places: &[[f64; D]],
    modes: bool,
) -> Result<Vec<IntegrationPoint<D>>, f64> {
    let physical = |inverse: &[[f64; D]; D], slope: &[f64]| -> [f64; D] {
        std::array::from_fn(|c| (0..D).map(|k| inverse[c][k] * slope[k]).sum())
    };
    let (centre_det, centre) = inverse(&jacobian(kind, places, [0.0; 3]));
    let mut points = Vec::new();
    for (at, weight) in stiffness_rule(kind) {
        let (det, inverse) = inverse(&jacobian(kind, places, at));
        if !(det > 0.0 && det.is_finite()) {
            return Err(det);
        }
        let mut gradients: Vec<[f64; D]> =
            kind.shape(at).gradients.iter().map(|slope| physical(&inverse, &slope[..D])).collect();
        for k in (0..D).filter(|_| modes) {
            let mut slope = [0.0; D];
            slope[k] = -2.0 * at[k];
            gradients.push(physical(&centre, &slope).map(|g| g * centre_det / det));
        }
        points.push(IntegrationPoint { gradients, volume: weight * det });
    }
    Ok(points)
}

/// K of all functions, incompatible modes last (not eliminated).
fn full_stiffness<const D: usize>(points: &[IntegrationPoint<D>], material: &ElasticMaterial) -> Vec<f64> {
    let v = strains(D);
    let size = points[0].gradients.len() * D;
    let mut full = vec![0.0; size * size];
    for point in points {
        let columns: Vec<[f64; 6]> = (0..size).map(|dof| strain_of(&point.gradients[dof / D], dof % D)).collect();
        for (j, column) in columns.iter().enumerate() {
            let stress = material.stress(&column[..v]);
            for (i, row) in columns.iter().enumerate() {
                let work: f64 = row.iter().zip(&stress).map(|(e, s)| e * s).sum();
                full[i * size + j] += point.volume * material.thickness * work;
            }
        }
    }
    full
}

/// Rows of −K_aa⁻¹ K_au: parameters of the incompatible modes for displacements of the points.
fn mode_parameters(full: &[f64], size: usize, own: usize) -> Option<Vec<f64>> {
    let extra = size - own;
    let corner: Vec<f64> = (0..extra * extra).map(|at| full[(own + at / extra) * size + own + at % extra]).collect();
    let inverse = invert(extra, &corner)?;
    Some(
        (0..extra * own)
            .map(|at| {
                let (i, j) = (at / own, at % own);
                -(0..extra).map(|k| inverse[i * extra + k] * full[(own + k) * size + j]).sum::<f64>()
            })
            .collect(),
    )
}

/// Matrices of an element; `index` names it in errors.
pub(crate) fn matrices<const D: usize>(
    kind: ElementKind,
    places: &[[f64; D]],
    material: &ElasticMaterial,
    modes: bool,
    index: usize,
) -> Result<ElementMatrices, ElasticError> {
    let modes = modes && kind.has_modes();
    let points = integration_points(kind, places, modes)
        .map_err(|jacobian| ElasticError::Inverted { element: index, jacobian })?;
    let (n, own) = (places.len(), places.len() * D);
    let full = full_stiffness(&points, material);
    let size = if modes { own + D * D } else { own };
    let mut stiffness = vec![0.0; own * own];
    for (i, row) in stiffness.chunks_exact_mut(own).enumerate() {
        row.copy_from_slice(&full[i * size..i * size + own]);
    }
    if modes {
        let parameters = mode_parameters(&full, size, own).ok_or(ElasticError::Singular)?;
        for i in 0..own {
            for j in 0..own {
                let eliminated = (0..size - own).map(|k| full[i * size + own + k] * parameters[k * own + j]);
                stiffness[i * own + j] += eliminated.sum::<f64>();
            }
        }
    }
    let mut thermal = vec![0.0; own];
    for point in &points {
        for (dof, f) in thermal.iter_mut().enumerate() {
            let strain = strain_of(&point.gradients[dof / D], dof % D);
            let work: f64 = strain.iter().zip(&material.thermal).map(|(e, b)| e * b).sum();
            *f += point.volume * material.thickness * work;
        }
    }
    let mut mass = vec![0.0; n * n];
    for (at, weight) in mass_rule(kind) {
        let values = kind.shape(at).values;
        let share = weight * inverse(&jacobian(kind, places, at)).0 * material.thickness * material.density;
        for i in 0..n {
            for j in 0..n {
                mass[i * n + j] += share * values[i] * values[j];
            }
        }
    }
    Ok(ElementMatrices { stiffness, mass, thermal })
}

/// Strains at the integration points with their parts of the volume; incompatible modes included.
pub(crate) fn element_strains<const D: usize>(
    kind: ElementKind,
    places: &[[f64; D]],
    material: &ElasticMaterial,
    modes: bool,
    displacement: &[f64],
) -> Vec<([f64; 6], f64)> {
    let modes = modes && kind.has_modes();
    let Ok(points) = integration_points(kind, places, modes) else {
        return Vec::new();
    };
    let own = displacement.len();
    let mut values = displacement.to_vec();
    if modes {
        let full = full_stiffness(&points, material);
        let parameters = mode_parameters(&full, own + D * D, own).unwrap_or_else(|| vec![0.0; own * D * D]);
        values.extend(
            parameters.chunks_exact(own).map(|row| row.iter().zip(displacement).map(|(a, u)| a * u).sum::<f64>()),
        );
    }
    let strain = |point: &IntegrationPoint<D>| {
        let mut strain = [0.0; 6];
        for (dof, value) in values.iter().enumerate() {
            let unit = strain_of(&point.gradients[dof / D], dof % D);
            strain.iter_mut().zip(unit).for_each(|(e, u)| *e += value * u);
        }
        (strain, point.volume)
    };
    points.iter().map(strain).collect()
}
