//! Meshes of one block: points, elements, surface, quality.

use std::collections::BTreeMap;

use crate::error::ElasticError;
use crate::kind::ElementKind;
use crate::rule::{mass_rule, stiffness_rule};
use crate::small::inverse;

/// An element: its kind and its points.
#[derive(Clone, Debug, PartialEq)]
pub struct FiniteElement {
    /// Kind.
    pub kind: ElementKind,
    /// Indices of its points, in the order of Gmsh.
    pub points: Vec<u32>,
}

/// A mesh in D dimensions, in the axes of its block.
#[derive(Clone, Debug, PartialEq)]
pub struct FiniteMesh<const D: usize> {
    /// Points [m].
    pub points: Vec<[f64; D]>,
    /// Elements.
    pub elements: Vec<FiniteElement>,
}

/// A face of the surface of a mesh (in the plane: a side).
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceFace {
    /// Kind of the face.
    pub kind: ElementKind,
    /// Indices of its points, corners first, outward by the right-hand rule.
    pub points: Vec<u32>,
    /// The element that it belongs to.
    pub element: u32,
}

/// Quality of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshQuality {
    /// Number of elements.
    pub elements: usize,
    /// Number of points.
    pub points: usize,
    /// Volume [m³], in the plane area [m²].
    pub volume: f64,
    /// Smallest ratio of the Jacobian at an integration point to its mean in the element; 1 for parallelepipeds, and
    /// for triangles and tetrahedra with straight edges.
    pub jacobian_ratio: f64,
    /// Smallest determinant of unit edge vectors at a corner; 1 for right angles.
    pub scaled_jacobian: f64,
    /// Element with the smallest of these determinants.
    pub worst: usize,
}

impl<const D: usize> FiniteMesh<D> {
    /// Coordinates of the points of an element.
    pub(crate) fn places(&self, element: &FiniteElement) -> Vec<[f64; D]> {
        element.points.iter().map(|&p| self.points[p as usize]).collect()
    }

    /// Checks indices, dimensions, Jacobians and that no face has more than two elements.
    pub fn check(&self) -> Result<(), ElasticError> {
        for (index, element) in self.elements.iter().enumerate() {
            let (kind, found) = (element.kind, element.points.len());
            if kind.dimension() != D || kind.points() != found {
                let (kind, expected) = (kind.name(), kind.points());
                return Err(ElasticError::WrongElement { element: index, kind, found, expected, dimension: D });
            }
            if let Some(&point) = element.points.iter().find(|&&p| p as usize >= self.points.len()) {
                let (point, points) = (point as usize, self.points.len());
                return Err(ElasticError::UnknownPoint { element: index, point, points });
            }
            let places = self.places(element);
            for (at, _) in stiffness_rule(kind).into_iter().chain(mass_rule(kind)) {
                let jacobian = determinant(kind, &places, at);
                if !(jacobian > 0.0 && jacobian.is_finite()) {
                    return Err(ElasticError::Inverted { element: index, jacobian });
                }
            }
        }
        match self.sides().values().find(|owners| owners.len() > 2) {
            Some(owners) => Err(ElasticError::Overlap { element: owners[2].0 as usize }),
            None => Ok(()),
        }
    }

    /// Checks that the mesh has the volume of its block, to a relative tolerance.
    pub fn check_volume(&self, block: f64, tolerance: f64) -> Result<(), ElasticError> {
        let mesh = self.volume();
        if (mesh - block).abs() <= tolerance * block { Ok(()) } else { Err(ElasticError::Volume { mesh, block }) }
    }

    /// Volume [m³], in the plane area [m²].
    pub fn volume(&self) -> f64 {
        let one = |element: &FiniteElement| {
            let places = self.places(element);
            mass_rule(element.kind).iter().map(|(at, w)| w * determinant(element.kind, &places, *at)).sum::<f64>()
        };
        self.elements.iter().map(one).sum()
    }

    /// Centroid of the first `dim` coordinates of the points, weighted by the volumes of the elements of `dim` dimensions.
    pub fn centroid(&self, dim: usize) -> [f64; D] {
        let (mut sum, mut volume) = ([0.0; D], 0.0);
        for element in self.elements.iter().filter(|element| element.kind.dimension() == dim) {
            let places = self.places(element);
            for (at, w) in mass_rule(element.kind) {
                let shape = element.kind.shape(at);
                // a surface in the plane z = 0 has the Jacobian of its first two coordinates
                let size = match dim {
                    2 => {
                        let flat: Vec<[f64; 2]> = places.iter().map(|p| [p[0], p[1]]).collect();
                        determinant(element.kind, &flat, at)
                    }
                    _ => determinant(element.kind, &places, at),
                };
                volume += w * size;
                for (value, place) in shape.values.iter().zip(&places) {
                    (0..D).for_each(|c| sum[c] += w * size * value * place[c]);
                }
            }
        }
        sum.map(|x| x / volume)
    }

    /// Sizes and shapes of the elements.
    pub fn quality(&self) -> MeshQuality {
        let (mut ratio, mut scaled, mut worst) = (f64::INFINITY, f64::INFINITY, 0);
        for (index, element) in self.elements.iter().enumerate() {
            let places = self.places(element);
            let rule = mass_rule(element.kind);
            let weight: f64 = rule.iter().map(|(_, w)| w).sum();
            let values: Vec<(f64, f64)> =
                rule.iter().map(|(at, w)| (determinant(element.kind, &places, *at), *w)).collect();
            let mean = values.iter().map(|(det, w)| det * w).sum::<f64>() / weight;
            ratio = values.iter().map(|(det, _)| det / mean).fold(ratio, f64::min);
            for corner in 0..element.kind.corners() {
                let rows = jacobian(element.kind, &places, element.kind.place(corner));
                let units = rows.map(|row| {
                    let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
                    row.map(|x| x / length)
                });
                let det = inverse(&units).0;
                if det < scaled {
                    (scaled, worst) = (det, index);
                }
            }
        }
        let (elements, points) = (self.elements.len(), self.points.len());
        MeshQuality { elements, points, volume: self.volume(), jacobian_ratio: ratio, scaled_jacobian: scaled, worst }
    }

    /// Faces that belong to one element only, in order of their elements.
    pub fn surface(&self) -> Vec<SurfaceFace> {
        let mut outer: Vec<(u32, u32)> =
            self.sides().into_values().filter(|owners| owners.len() == 1).map(|owners| owners[0]).collect();
        outer.sort_unstable();
        let face = |(index, face): (u32, u32)| {
            let element = &self.elements[index as usize];
            let points = element.kind.faces()[face as usize].iter().map(|&k| element.points[k]).collect();
            SurfaceFace { kind: element.kind.face_kind(), points, element: index }
        };
        outer.into_iter().map(face).collect()
    }

    /// Elements and local faces by the sorted corners of the face.
    fn sides(&self) -> BTreeMap<Vec<u32>, Vec<(u32, u32)>> {
        let mut sides: BTreeMap<Vec<u32>, Vec<(u32, u32)>> = BTreeMap::new();
        for (index, element) in self.elements.iter().enumerate() {
            let corners = element.kind.face_kind().corners();
            for (face, points) in element.kind.faces().iter().enumerate() {
                let mut key: Vec<u32> = points[..corners].iter().map(|&k| element.points[k]).collect();
                key.sort_unstable();
                sides.entry(key).or_default().push((index as u32, face as u32));
            }
        }
        sides
    }
}

/// Rows ∂x/∂ξ_k.
pub(crate) fn jacobian<const D: usize>(kind: ElementKind, places: &[[f64; D]], at: [f64; 3]) -> [[f64; D]; D] {
    let shape = kind.shape(at);
    let mut rows = [[0.0; D]; D];
    for (place, gradient) in places.iter().zip(&shape.gradients) {
        for (row, slope) in rows.iter_mut().zip(gradient) {
            row.iter_mut().zip(place).for_each(|(r, x)| *r += slope * x);
        }
    }
    rows
}

/// Determinant of the Jacobian.
fn determinant<const D: usize>(kind: ElementKind, places: &[[f64; D]], at: [f64; 3]) -> f64 {
    inverse(&jacobian(kind, places, at)).0
}
