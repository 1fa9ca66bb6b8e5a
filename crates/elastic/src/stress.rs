//! Stresses: at integration points, averaged to points of the mesh, principal values, von Mises, utilisation.

use crate::block::{ElasticBlock, ElementForm};
use crate::element::element_strains;
use crate::kind::ElementKind;
use crate::rule::stiffness_rule;
use crate::small::{eigenvalues, invert};

/// Stress at a point, tension positive, in the axes of the block: xx, yy, zz, xy, yz, zx [Pa].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StressTensor(pub [f64; 6]);

impl StressTensor {
    fn matrix(&self) -> [[f64; 3]; 3] {
        let [xx, yy, zz, xy, yz, zx] = self.0;
        [[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]
    }

    /// Principal stresses σ₁ ≥ σ₂ ≥ σ₃ [Pa].
    pub fn principal(&self) -> [f64; 3] {
        eigenvalues(self.matrix())
    }

    /// Equivalent stress of von Mises [Pa].
    pub fn von_mises(&self) -> f64 {
        let [xx, yy, zz, xy, yz, zx] = self.0;
        let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
        (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
    }

    /// Utilisation max(σ₁/f_t, −σ₃/f_c) for a tensile and a compressive strength [Pa].
    pub fn utilisation(&self, tensile: f64, compressive: f64) -> f64 {
        let [largest, _, least] = self.principal();
        (largest / tensile).max(-least / compressive)
    }

    /// The same stress in axes in which the axes of the block are the columns of a rotation matrix.
    pub fn turned(&self, rotation: &[[f64; 3]; 3]) -> Self {
        let a = self.matrix();
        let entry = |i: usize, j: usize| -> f64 {
            (0..3).map(|k| (0..3).map(|l| rotation[i][k] * a[k][l] * rotation[j][l]).sum::<f64>()).sum()
        };
        Self([entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(1, 2), entry(2, 0)])
    }
}

/// Stress at an integration point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussStress {
    /// Element.
    pub element: u32,
    /// Stress.
    pub stress: StressTensor,
    /// Strain that causes it, largest component.
    pub strain: f64,
    /// Weight of the point: its part of the volume of the element [m³], in the plane area times thickness.
    pub volume: f64,
}

impl<const D: usize> ElasticBlock<D> {
    /// Stresses at all integration points for displacements and a rise of temperature [K].
    pub fn gauss_stresses(&self, displacement: &[f64], kelvin: f64) -> Vec<GaussStress> {
        let mut out = Vec::new();
        let v = crate::element::strains(D);
        for (index, element) in self.mesh.elements.iter().enumerate() {
            let own: Vec<f64> =
                element.points.iter().flat_map(|&p| displacement[p as usize * D..][..D].to_vec()).collect();
            let modes = self.form == ElementForm::Enhanced;
            let places = self.mesh.places(element);
            for (strain, volume) in element_strains(element.kind, &places, &self.material, modes, &own) {
                let mut s = self.material.stress(&strain[..v]);
                s.iter_mut().zip(&self.material.thermal).for_each(|(s, b)| *s -= b * kelvin);
                let stress = if D == 3 {
                    StressTensor([s[0], s[1], s[2], s[3], s[4], s[5]])
                } else {
                    let across: f64 = self.material.across.iter().zip(&strain).map(|(c, e)| c * e).sum();
                    StressTensor([s[0], s[1], across - self.material.thermal_across * kelvin, s[2], 0.0, 0.0])
                };
                let strain = strain.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
                let volume = volume * self.material.thickness;
                out.push(GaussStress { element: index as u32, stress, strain, volume });
            }
        }
        out
    }

    /// Positions of all integration points, in the order of [`Self::gauss_stresses`] [m].
    pub fn gauss_places(&self) -> Vec<[f64; D]> {
        let mut out = Vec::new();
        for element in &self.mesh.elements {
            let places = self.mesh.places(element);
            for (at, _) in stiffness_rule(element.kind) {
                let mut place = [0.0; D];
                for (value, corner) in element.kind.shape(at).values.iter().zip(&places) {
                    (0..D).for_each(|c| place[c] += value * corner[c]);
                }
                out.push(place);
            }
        }
        out
    }

    /// Stresses at the points of the mesh: extrapolated in each element, then averaged with the volumes of the elements.
    pub fn point_stresses(&self, gauss: &[GaussStress]) -> Vec<StressTensor> {
        let n = self.mesh.points.len();
        let (mut sums, mut weights) = (vec![[0.0; 6]; n], vec![0.0; n]);
        let mut start = 0;
        let mut known: Option<(ElementKind, Vec<f64>)> = None;
        for element in &self.mesh.elements {
            let table = match &known {
                Some((kind, table)) if *kind == element.kind => table,
                _ => &known.insert((element.kind, extrapolation(element.kind))).1,
            };
            let count = table.len() / element.points.len();
            let own = &gauss[start..start + count];
            start += count;
            let volume: f64 = own.iter().map(|g| g.volume).sum();
            for (row, &point) in table.chunks_exact(count).zip(&element.points) {
                weights[point as usize] += volume;
                for (share, g) in row.iter().zip(own) {
                    sums[point as usize].iter_mut().zip(&g.stress.0).for_each(|(sum, s)| *sum += volume * share * s);
                }
            }
        }
        sums.iter().zip(&weights).map(|(sum, w)| StressTensor(sum.map(|s| s / w))).collect()
    }
}

/// Mean stress over the volume.
pub fn mean_stress(gauss: &[GaussStress]) -> StressTensor {
    let volume: f64 = gauss.iter().map(|g| g.volume).sum();
    StressTensor(std::array::from_fn(|k| gauss.iter().map(|g| g.stress.0[k] * g.volume).sum::<f64>() / volume))
}

/// Values at the points of an element from values at its integration points (points × integration points): least squares with
/// linear functions (triangles, tetrahedra) or products of linear functions.
fn extrapolation(kind: ElementKind) -> Vec<f64> {
    let dim = kind.dimension();
    let rule = stiffness_rule(kind);
    let functions = |x: [f64; 3]| -> Vec<f64> {
        if rule.len() == 1 {
            return vec![1.0];
        }
        if kind.is_simplex() {
            return std::iter::once(1.0).chain(x[..dim].iter().copied()).collect();
        }
        (0..1usize << dim).map(|bits| (0..dim).filter(|c| bits >> c & 1 == 1).map(|c| x[c]).product()).collect()
    };
    let rows: Vec<Vec<f64>> = rule.iter().map(|(at, _)| functions(*at)).collect();
    let m = rows[0].len();
    let normal: Vec<f64> = (0..m * m).map(|at| rows.iter().map(|row| row[at / m] * row[at % m]).sum()).collect();
    // the functions are independent on the rule
    let inverse = invert(m, &normal).unwrap_or_else(|| vec![0.0; m * m]);
    let mut table = Vec::new();
    for point in 0..kind.points() {
        let here = functions(kind.place(point));
        let weights: Vec<f64> = (0..m).map(|j| (0..m).map(|i| here[i] * inverse[i * m + j]).sum()).collect();
        table.extend(rows.iter().map(|row| row.iter().zip(&weights).map(|(a, b)| a * b).sum::<f64>()));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stress_measures_of_simple_states() {
        let uniaxial = StressTensor([0.0, -3e6, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(uniaxial.principal(), [0.0, 0.0, -3e6]);
        assert!((uniaxial.von_mises() - 3e6).abs() < 1e-6 && (uniaxial.utilisation(1e6, 30e6) - 0.1).abs() < 1e-12);
        let shear = StressTensor([0.0, 0.0, 0.0, 2e6, 0.0, 0.0]);
        assert!(
            (shear.von_mises() - 2e6 * 3.0f64.sqrt()).abs() < 1e-6 && (shear.utilisation(1e6, 30e6) - 2.0).abs() < 1e-9
        );
    }

    #[test]
    fn a_turned_stress_has_the_same_principal_values() {
        let (s, c) = 0.7f64.sin_cos();
        let stress = StressTensor([1.0, -2.0, 0.5, 0.3, -0.7, 1.1]);
        let turned = stress.turned(&[[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]);
        let difference =
            stress.principal().iter().zip(turned.principal()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-12 && (stress.von_mises() - turned.von_mises()).abs() < 1e-12);
        // a quarter turn about z exchanges xx and yy
        let quarter = stress.turned(&[[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
        assert_eq!(quarter.0[..2], [-2.0, 1.0]);
    }
}
