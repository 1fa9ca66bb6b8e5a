//! Kinds of elements: shape functions, their gradients, faces.
//!
//! Reference elements: triangles and tetrahedra r, s, t ≥ 0, r + s + t ≤ 1; quadrilaterals and hexahedra −1 ≤ ξ ≤ 1.
//! Quadratic quadrilaterals and hexahedra are serendipity elements. Points are in the order of Gmsh.

/// Kind of a finite element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementKind {
    /// Triangle with 3 points.
    Triangle3,
    /// Triangle with 6 points.
    Triangle6,
    /// Quadrilateral with 4 points.
    Quad4,
    /// Quadrilateral with 8 points.
    Quad8,
    /// Tetrahedron with 4 points.
    Tetra4,
    /// Tetrahedron with 10 points.
    Tetra10,
    /// Hexahedron with 8 points.
    Hexa8,
    /// Hexahedron with 20 points.
    Hexa20,
    /// Side of an element in the plane, 2 points.
    Line2,
    /// Side of a quadratic element in the plane, 3 points.
    Line3,
}

use ElementKind::*;

/// Values and gradients of the shape functions at a point of the reference element.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub values: Vec<f64>,
    pub gradients: Vec<[f64; 3]>,
}

/// Corners of the quadrilateral and the hexahedron, then the middles of the edges of the hexahedron with 20 points.
const CUBE: [[f64; 3]; 20] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
    [0.0, -1.0, -1.0],
    [-1.0, 0.0, -1.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, -1.0],
    [1.0, -1.0, 0.0],
    [0.0, 1.0, -1.0],
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
];
/// Middles of the sides of the quadrilateral with 8 points.
const SIDES: [[f64; 3]; 4] = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]];
/// Edges of the tetrahedron with 10 points.
const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [0, 3], [2, 3], [1, 3]];

const TRIANGLE_FACES: [&[usize]; 3] = [&[0, 1], &[1, 2], &[2, 0]];
const TRIANGLE6_FACES: [&[usize]; 3] = [&[0, 1, 3], &[1, 2, 4], &[2, 0, 5]];
const QUAD_FACES: [&[usize]; 4] = [&[0, 1], &[1, 2], &[2, 3], &[3, 0]];
const QUAD8_FACES: [&[usize]; 4] = [&[0, 1, 4], &[1, 2, 5], &[2, 3, 6], &[3, 0, 7]];
const TETRA_FACES: [&[usize]; 4] = [&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[0, 3, 2]];
const TETRA10_FACES: [&[usize]; 4] =
    [&[0, 2, 1, 6, 5, 4], &[0, 1, 3, 4, 9, 7], &[1, 2, 3, 5, 8, 9], &[0, 3, 2, 7, 8, 6]];
const HEXA_FACES: [&[usize]; 6] =
    [&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]];
const HEXA20_FACES: [&[usize]; 6] = [
    &[0, 3, 2, 1, 9, 13, 11, 8],
    &[4, 5, 6, 7, 16, 18, 19, 17],
    &[0, 1, 5, 4, 8, 12, 16, 10],
    &[1, 2, 6, 5, 11, 14, 18, 12],
    &[2, 3, 7, 6, 13, 15, 19, 14],
    &[3, 0, 4, 7, 9, 10, 17, 15],
];

impl ElementKind {
    /// Number of points.
    pub fn points(self) -> usize {
        match self {
            Line2 => 2,
            Line3 | Triangle3 => 3,
            Quad4 | Tetra4 => 4,
            Triangle6 => 6,
            Quad8 | Hexa8 => 8,
            Tetra10 => 10,
            Hexa20 => 20,
        }
    }

    /// Number of corners.
    pub fn corners(self) -> usize {
        match self {
            Line2 | Line3 => 2,
            Triangle3 | Triangle6 => 3,
            Quad4 | Quad8 | Tetra4 | Tetra10 => 4,
            Hexa8 | Hexa20 => 8,
        }
    }

    /// Dimension of the element.
    pub fn dimension(self) -> usize {
        match self {
            Line2 | Line3 => 1,
            Triangle3 | Triangle6 | Quad4 | Quad8 => 2,
            Tetra4 | Tetra10 | Hexa8 | Hexa20 => 3,
        }
    }

    /// Name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Line2 => "line with 2 points",
            Line3 => "line with 3 points",
            Triangle3 => "triangle with 3 points",
            Triangle6 => "triangle with 6 points",
            Quad4 => "quadrilateral with 4 points",
            Quad8 => "quadrilateral with 8 points",
            Tetra4 => "tetrahedron with 4 points",
            Tetra10 => "tetrahedron with 10 points",
            Hexa8 => "hexahedron with 8 points",
            Hexa20 => "hexahedron with 20 points",
        }
    }

    /// True for triangles and tetrahedra.
    pub(crate) fn is_simplex(self) -> bool {
        matches!(self, Triangle3 | Triangle6 | Tetra4 | Tetra10)
    }

    /// True for the kinds that have incompatible modes: the linear quadrilateral and hexahedron.
    pub(crate) fn has_modes(self) -> bool {
        matches!(self, Quad4 | Hexa8)
    }

    /// Points of each face (in the plane: side), corners first, outward by the right-hand rule.
    pub fn faces(self) -> &'static [&'static [usize]] {
        match self {
            Line2 | Line3 => &[],
            Triangle3 => &TRIANGLE_FACES,
            Triangle6 => &TRIANGLE6_FACES,
            Quad4 => &QUAD_FACES,
            Quad8 => &QUAD8_FACES,
            Tetra4 => &TETRA_FACES,
            Tetra10 => &TETRA10_FACES,
            Hexa8 => &HEXA_FACES,
            Hexa20 => &HEXA20_FACES,
        }
    }

    /// Kind of the faces.
    pub fn face_kind(self) -> Self {
        match self {
            Line2 | Line3 | Triangle3 | Quad4 => Line2,
            Triangle6 | Quad8 => Line3,
            Tetra4 => Triangle3,
            Tetra10 => Triangle6,
            Hexa8 => Quad4,
            Hexa20 => Quad8,
        }
    }

    /// Reference coordinates of a point of the element.
    pub(crate) fn place(self, point: usize) -> [f64; 3] {
        let corner = |k: usize| std::array::from_fn(|c| if k == c + 1 { 1.0 } else { 0.0 });
        let middle = |[a, b]: [usize; 2]| {
            let (a, b): ([f64; 3], [f64; 3]) = (corner(a), corner(b));
            std::array::from_fn(|c| 0.5 * (a[c] + b[c]))
        };
        match self {
            Line2 | Line3 => [[-1.0, 1.0, 0.0][point], 0.0, 0.0],
            Triangle3 | Tetra4 => corner(point),
            Triangle6 if point >= 3 => middle(EDGES[point - 3]),
            Tetra10 if point >= 4 => middle(EDGES[point - 4]),
            Triangle6 | Tetra10 => corner(point),
            Quad8 if point >= 4 => SIDES[point - 4],
            Quad4 | Quad8 => [CUBE[point][0], CUBE[point][1], 0.0],
            Hexa8 | Hexa20 => CUBE[point],
        }
    }

    /// Shape functions at a point of the reference element.
    pub(crate) fn shape(self, at: [f64; 3]) -> Shape {
        let (n, dim) = (self.points(), self.dimension());
        let mut shape = Shape { values: vec![0.0; n], gradients: vec![[0.0; 3]; n] };
        if self.is_simplex() {
            self.simplex(at, &mut shape);
            return shape;
        }
        let quadratic = matches!(self, Line3 | Quad8 | Hexa20);
        for k in 0..n {
            let place = self.place(k);
            let factor = |c: usize| {
                if place[c] == 0.0 { (1.0 - at[c] * at[c], -2.0 * at[c]) } else { (1.0 + place[c] * at[c], place[c]) }
            };
            let zero = (0..dim).any(|c| place[c] == 0.0);
            let product = |skip: usize| (0..dim).filter(|&c| c != skip).map(|c| factor(c).0).product::<f64>();
            let scale = 0.5f64.powi(if zero { dim as i32 - 1 } else { dim as i32 });
            // serendipity corner: the product times Σ ξξ_k − (dim − 1)
            let corner = quadratic && !zero;
            let sum = (0..dim).map(|c| place[c] * at[c]).sum::<f64>() - (dim as f64 - 1.0);
            shape.values[k] = scale * product(dim) * if corner { sum } else { 1.0 };
            for c in 0..dim {
                let slope = factor(c).1 * product(c);
                shape.gradients[k][c] = scale * if corner { slope * sum + product(dim) * place[c] } else { slope };
            }
        }
        shape
    }

    fn simplex(self, at: [f64; 3], shape: &mut Shape) {
        let (dim, corners) = (self.dimension(), self.corners());
        let mut l = [0.0; 4];
        let mut slope = [[0.0; 3]; 4];
        l[0] = 1.0 - at[..dim].iter().sum::<f64>();
        for c in 0..dim {
            l[c + 1] = at[c];
            slope[0][c] = -1.0;
            slope[c + 1][c] = 1.0;
        }
        let quadratic = self.points() > corners;
        for k in 0..corners {
            shape.values[k] = if quadratic { l[k] * (2.0 * l[k] - 1.0) } else { l[k] };
            let factor = if quadratic { 4.0 * l[k] - 1.0 } else { 1.0 };
            shape.gradients[k] = slope[k].map(|s| s * factor);
        }
        for (k, [a, b]) in EDGES.into_iter().take(self.points() - corners).enumerate() {
            shape.values[corners + k] = 4.0 * l[a] * l[b];
            shape.gradients[corners + k] = std::array::from_fn(|c| 4.0 * (l[a] * slope[b][c] + l[b] * slope[a][c]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [ElementKind; 10] = [Triangle3, Triangle6, Quad4, Quad8, Tetra4, Tetra10, Hexa8, Hexa20, Line2, Line3];

    #[test]
    fn a_shape_function_is_one_at_its_own_point_and_zero_at_the_others() {
        for kind in ALL {
            for a in 0..kind.points() {
                let shape = kind.shape(kind.place(a));
                for b in 0..kind.points() {
                    let expected = f64::from(u8::from(a == b));
                    assert!((shape.values[b] - expected).abs() < 1e-14, "{kind:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn gradients_are_derivatives() {
        let (at, step) = ([0.21, 0.17, 0.33], 1e-6);
        for kind in ALL {
            let shape = kind.shape(at);
            assert!((shape.values.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            for c in 0..kind.dimension() {
                let moved = |by: f64| kind.shape(std::array::from_fn(|k| at[k] + if k == c { by } else { 0.0 }));
                let (ahead, behind) = (moved(step), moved(-step));
                for k in 0..kind.points() {
                    let difference = (ahead.values[k] - behind.values[k]) / (2.0 * step);
                    assert!((difference - shape.gradients[k][c]).abs() < 1e-9, "{kind:?} {k} {c}");
                }
            }
        }
    }

    #[test]
    fn middle_points_of_a_face_lie_between_its_corners() {
        for kind in ALL {
            let corners = kind.face_kind().corners();
            for face in kind.faces() {
                for (k, &middle) in face[corners..].iter().enumerate() {
                    let (a, b) = (kind.place(face[k]), kind.place(face[(k + 1) % corners]));
                    let expected: [f64; 3] = std::array::from_fn(|c| 0.5 * (a[c] + b[c]));
                    assert_eq!(kind.place(middle), expected, "{kind:?} {face:?}");
                }
            }
        }
    }
}
