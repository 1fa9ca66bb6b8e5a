//! Errors of meshes and materials.

/// Why a mesh or a material cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ElasticError {
    /// An elastic constant out of range.
    #[error("{name} = {value} is impossible: {rule}")]
    Constant {
        /// Name of the constant.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Permitted values.
        rule: &'static str,
    },
    /// The elastic constants are not positive definite: a strain has negative energy.
    #[error("the elastic constants are impossible together: the elasticity matrix is not positive definite")]
    Indefinite,
    /// An element is inverted or tangled.
    #[error("element {element} is inverted or tangled: its Jacobian is {jacobian:.3e} at an integration point")]
    Inverted {
        /// Index of the element.
        element: usize,
        /// Determinant of the Jacobian [m² or m³ per unit of the reference element].
        jacobian: f64,
    },
    /// An element refers to a point that does not exist.
    #[error("element {element} refers to point {point}, but the mesh has {points} points")]
    UnknownPoint {
        /// Index of the element.
        element: usize,
        /// Index of the point.
        point: usize,
        /// Number of points.
        points: usize,
    },
    /// An element has a wrong number of points or the wrong dimension.
    #[error(
        "element {element} is a {kind} with {found} points; it must have {expected} points in {dimension} dimensions"
    )]
    WrongElement {
        /// Index of the element.
        element: usize,
        /// Name of its kind.
        kind: &'static str,
        /// Number of points found.
        found: usize,
        /// Number of points of the kind.
        expected: usize,
        /// Dimension of the mesh.
        dimension: usize,
    },
    /// The mesh has another volume than the block.
    #[error("the mesh does not fill its block: volume {mesh:.6e}, but the block has {block:.6e}")]
    Volume {
        /// Volume or area of the mesh [m³ or m²].
        mesh: f64,
        /// Volume or area of the block [m³ or m²].
        block: f64,
    },
    /// Three or more elements share a face.
    #[error("a face of element {element} belongs to more than two elements: elements overlap")]
    Overlap {
        /// Index of the element.
        element: usize,
    },
    /// A shape that is not convex, or has faces of fewer than three corners.
    #[error("the block has no mesh of its own: {why}")]
    Shape {
        /// What is wrong.
        why: &'static str,
    },
    /// A matrix cannot be factorised.
    #[error("the matrix of the block cannot be factorised: a point belongs to no element, or constants overflow")]
    Singular,
}
