//! Own meshes of convex blocks: hexahedra for polyhedra, quadrilaterals for polygons.
//!
//! A polyhedron with six faces of four corners is one hexahedron. Any other one whose corners have three edges each is one
//! hexahedron per corner (midpoint subdivision: corner, middles of its edges, centres of its faces, centre). The rest is cut
//! into tetrahedra from its centre over the triangles of its faces, four hexahedra each. A polygon with four corners is one
//! quadrilateral, any other one quadrilateral per corner. Each of these is refined. Outer faces stay plane, so that the volume is
//! exact, and neighbours share their points.
//! Reference: Li, McKeag & Armstrong, *Hexahedral meshing using midpoint subdivision*, CMAME 124 (1995) 171.

use crate::error::ElasticError;
use crate::grid::{Cuts, MeshBuilder, even, graded, graded_both};
use crate::mesh::FiniteMesh;

/// Fineness of the mesh of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fineness {
    /// Largest mean edge of an element [m].
    pub size: f64,
    /// Elements become smaller towards the outer faces: exponent of the divisions, 1 for equal ones.
    pub grading: f64,
    /// Fixed number of elements along each edge of a block with six faces (in the plane: four sides), half as many (rounded up)
    /// along each edge of the parts of other blocks; `None`: by `size`.
    pub divisions: Option<usize>,
}

impl Fineness {
    /// Elements of about a size [m].
    pub fn of_size(size: f64) -> Self {
        Self { size, grading: 1.0, divisions: None }
    }

    /// n elements along each edge.
    pub fn divided(n: usize) -> Self {
        Self { size: f64::INFINITY, grading: 1.0, divisions: Some(n) }
    }

    fn count(&self, length: f64) -> usize {
        self.divisions.unwrap_or((length / self.size - 1e-9).ceil().max(1.0) as usize).max(1)
    }

    fn count_of_part(&self, length: f64) -> usize {
        self.divisions.map_or_else(|| self.count(length), |n| n.div_ceil(2)).max(1)
    }

    fn check(&self) -> Result<(), ElasticError> {
        if self.size.is_nan() || self.size <= 0.0 {
            let rule = "it must be positive";
            return Err(ElasticError::Constant { name: "element size", value: self.size, rule });
        }
        if !(self.grading >= 1.0 && self.grading <= 4.0) {
            let rule = "it must be between 1 (equal elements) and 4";
            return Err(ElasticError::Constant { name: "grading", value: self.grading, rule });
        }
        Ok(())
    }
}

type Point3 = [f64; 3];

fn mean<const D: usize>(points: &[[f64; D]]) -> [f64; D] {
    std::array::from_fn(|c| points.iter().map(|p| p[c]).sum::<f64>() / points.len() as f64)
}

fn distance<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

fn extent<const D: usize>(points: &[[f64; D]]) -> f64 {
    let centre = mean(points);
    2.0 * points.iter().map(|p| distance(p, &centre)).fold(0.0, f64::max)
}

/// Mesh of a convex polygon, corners anticlockwise.
pub fn polygon_mesh(corners: &[[f64; 2]], fineness: &Fineness) -> Result<FiniteMesh<2>, ElasticError> {
    fineness.check()?;
    let n = corners.len();
    if n < 3 {
        return Err(ElasticError::Shape { why: "a polygon needs three corners" });
    }
    let mut builder = MeshBuilder::new(extent(corners));
    let length = |k: usize| distance(&corners[k % n], &corners[(k + 1) % n]);
    if n == 4 {
        let cuts = |a: f64, b: f64| graded_both(fineness.count(0.5 * (a + b)), fineness.grading);
        let (along, across) = (cuts(length(0), length(2)), cuts(length(1), length(3)));
        builder.refine(&[corners[0], corners[1], corners[3], corners[2]], [&along, &across]);
    } else {
        let centre = mean(corners);
        let longest = (0..n).map(|k| 0.5 * length(k)).fold(0.0, f64::max);
        let cuts = graded(fineness.count_of_part(longest), fineness.grading);
        for k in 0..n {
            let next = mean(&[corners[k], corners[(k + 1) % n]]);
            let before = mean(&[corners[k], corners[(k + n - 1) % n]]);
            builder.refine(&[corners[k], next, before, centre], [&cuts, &cuts]);
        }
    }
    checked(builder.finish())
}

/// Mesh of a convex polyhedron: corners, and the corners of each face anticlockwise seen from outside.
pub fn polyhedron_mesh(
    corners: &[Point3],
    faces: &[Vec<u32>],
    fineness: &Fineness,
) -> Result<FiniteMesh<3>, ElasticError> {
    fineness.check()?;
    if corners.len() < 4 || faces.len() < 4 || faces.iter().any(|face| face.len() < 3) {
        return Err(ElasticError::Shape { why: "a polyhedron needs four corners and four faces of three corners" });
    }
    let polyhedron = Coarse { corners, faces, fineness };
    let mut builder = MeshBuilder::new(extent(corners));
    if let Some(order) = polyhedron.hexahedron() {
        polyhedron.refine_hexahedron(&mut builder, order);
    } else if (0..corners.len() as u32).all(|v| faces.iter().filter(|face| face.contains(&v)).count() == 3) {
        polyhedron.refine_corners(&mut builder);
    } else {
        polyhedron.refine_tetrahedra(&mut builder);
    }
    checked(builder.finish())
}

fn checked<const D: usize>(mesh: FiniteMesh<D>) -> Result<FiniteMesh<D>, ElasticError> {
    mesh.check()?;
    Ok(mesh)
}

struct Coarse<'a> {
    corners: &'a [Point3],
    faces: &'a [Vec<u32>],
    fineness: &'a Fineness,
}

impl Coarse<'_> {
    fn at(&self, corner: u32) -> Point3 {
        self.corners[corner as usize]
    }

    /// Corners in bit order, if this is a hexahedron.
    fn hexahedron(&self) -> Option<[u32; 8]> {
        if self.corners.len() != 8 || self.faces.len() != 6 || self.faces.iter().any(|face| face.len() != 4) {
            return None;
        }
        let base = &self.faces[0];
        // the corner above a corner of the base: its neighbour that is not in the base
        let above = |v: u32| {
            let mut neighbours = self.faces.iter().filter(|face| face.contains(&v)).flat_map(|face| {
                let k = face.iter().position(|&w| w == v).unwrap_or(0);
                [face[(k + 1) % 4], face[(k + 3) % 4]]
            });
            neighbours.find(|w| !base.contains(w))
        };
        let top: Option<Vec<u32>> = base.iter().map(|&v| above(v)).collect();
        let top = top?;
        // the base is anticlockwise from outside: seen from inside, along its third direction, clockwise
        let order = [base[0], base[3], base[1], base[2], top[0], top[3], top[1], top[2]];
        let mut sorted = order;
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] != pair[1]).then_some(order)
    }

    fn refine_hexahedron(&self, builder: &mut MeshBuilder<3>, order: [u32; 8]) {
        let corners = order.map(|v| self.at(v));
        let cuts: [Cuts; 3] = std::array::from_fn(|c| {
            let starts = (0..8usize).filter(|k| k >> c & 1 == 0);
            let length = starts.map(|k| distance(&corners[k], &corners[k | 1 << c])).sum::<f64>() / 4.0;
            graded_both(self.fineness.count(length), self.fineness.grading)
        });
        builder.refine(&corners, [&cuts[0], &cuts[1], &cuts[2]]);
    }

    fn longest_edge(&self) -> f64 {
        let edges = self.faces.iter().flat_map(|face| (0..face.len()).map(|k| (face[k], face[(k + 1) % face.len()])));
        edges.map(|(a, b)| distance(&self.at(a), &self.at(b))).fold(0.0, f64::max)
    }

    fn face_centre(&self, face: &[u32]) -> Point3 {
        mean(&face.iter().map(|&v| self.at(v)).collect::<Vec<_>>())
    }

    /// One hexahedron per corner with three edges.
    fn refine_corners(&self, builder: &mut MeshBuilder<3>) {
        let cuts = graded(self.fineness.count_of_part(0.5 * self.longest_edge()), self.fineness.grading);
        let centre = mean(self.corners);
        for v in 0..self.corners.len() as u32 {
            // faces around the corner: each goes from the edge to `next` to the edge to `before`
            let around: Vec<(&[u32], u32, u32)> = self
                .faces
                .iter()
                .filter_map(|face| {
                    let k = face.iter().position(|&w| w == v)?;
                    Some((face.as_slice(), face[(k + 1) % face.len()], face[(k + face.len() - 1) % face.len()]))
                })
                .collect();
            let (first, a, b) = around[0];
            let other = |next: u32| around.iter().find(|(_, from, _)| *from == next).copied();
            // anticlockwise from outside: the face that begins with edge b, then the one that begins with its last edge
            let Some((second, _, c)) = other(b) else { continue };
            let Some((third, _, _)) = other(c) else { continue };
            let x = self.at(v);
            let middle = |w: u32| mean(&[x, self.at(w)]);
            let face = |face: &[u32]| self.face_centre(face);
            // directions b, a, c of the hexahedron are right-handed inside
            let corners = [x, middle(b), middle(a), face(first), middle(c), face(second), face(third), centre];
            builder.refine(&corners, [&cuts, &cuts, &cuts]);
        }
    }

    /// Tetrahedra from the centre over the triangles of the faces, four hexahedra each; graded towards the faces.
    fn refine_tetrahedra(&self, builder: &mut MeshBuilder<3>) {
        let n = self.fineness.count_of_part(0.5 * self.longest_edge());
        let (plain, fine) = (even(n), graded(n, self.fineness.grading));
        let apex = mean(self.corners);
        for face in self.faces {
            let triangles: Vec<[Point3; 3]> = if face.len() == 3 {
                vec![[self.at(face[0]), self.at(face[1]), self.at(face[2])]]
            } else {
                let middle = self.face_centre(face);
                (0..face.len()).map(|k| [self.at(face[k]), self.at(face[(k + 1) % face.len()]), middle]).collect()
            };
            for [a, b, c] in triangles {
                // outward triangle: seen from the apex clockwise, so that a, c, b, apex is right-handed
                let t = [a, c, b, apex];
                for k in 0..4 {
                    let others: [usize; 3] = [[1, 2, 3], [2, 0, 3], [0, 1, 3], [0, 2, 1]][k];
                    let [p, q, r] = others;
                    let corners = [
                        t[k],
                        mean(&[t[k], t[p]]),
                        mean(&[t[k], t[q]]),
                        mean(&[t[k], t[p], t[q]]),
                        mean(&[t[k], t[r]]),
                        mean(&[t[k], t[p], t[r]]),
                        mean(&[t[k], t[q], t[r]]),
                        mean(&t),
                    ];
                    builder.refine(&corners, [&plain, &plain, if k < 3 { &fine } else { &plain }]);
                }
            }
        }
    }
}
