//! Errors of shapes, and repairs made while building them.
//!
//! Faces, vertices and parts are named by their index in the input, counted from 0.

use std::fmt::{self, Display};

use thiserror::Error;

/// A shape that cannot be built. The caller adds the name of the block.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} is not a finite point")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A number that describes the shape (radius, side, normal) is NaN, zero, negative or infinite.
    #[error("{what} is {value}: a positive, finite number is needed")]
    BadNumber {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Too small or too large to be a block in metres.
    #[error("the shape has a size of {size:e} m; permitted are {smallest:e} m to {largest:e} m (wrong units?)")]
    AbsurdSize {
        /// Largest extent [m].
        size: f64,
        /// Lower limit [m].
        smallest: f64,
        /// Upper limit [m].
        largest: f64,
    },
    /// Fewer vertices or faces than the simplest solid.
    #[error("{count} {what} cannot enclose a volume; at least {needed} are needed")]
    TooFew {
        /// Vertices or faces.
        what: &'static str,
        /// How many there are (after duplicates are joined).
        count: usize,
        /// How many are needed.
        needed: usize,
    },
    /// A face refers to a vertex that does not exist.
    #[error("face {face} refers to vertex {index}, but there are {vertices} vertices")]
    BadIndex {
        /// Index of the face.
        face: usize,
        /// The index it names.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// An edge that belongs to one face only: the surface has a hole.
    #[error("the surface is open: the edge of face {face} between vertices {start} and {end} has no other face")]
    Open {
        /// The face on the one side.
        face: usize,
        /// First vertex of the edge.
        start: u32,
        /// Second vertex of the edge.
        end: u32,
    },
    /// An edge that belongs to more than two faces.
    #[error("the edge between vertices {start} and {end} belongs to {faces} faces instead of two")]
    NonManifold {
        /// First vertex of the edge.
        start: u32,
        /// Second vertex of the edge.
        end: u32,
        /// How many faces meet there.
        faces: usize,
    },
    /// The surface cannot be wound consistently.
    #[error("face {face} cannot be wound like its neighbours (a surface like a Möbius strip)")]
    NotOrientable {
        /// Index of the face.
        face: usize,
    },
    /// The surface has several parts that do not hang together.
    #[error("the surface has {parts} separate parts; each must be a separate block or a part of a compound")]
    Disconnected {
        /// Number of parts.
        parts: usize,
    },
    /// A face whose vertices do not lie in a plane.
    #[error("face {face} is not planar (deviation {off:.1e} m, tolerance {limit:.1e} m)")]
    NotPlanar {
        /// Index of the face.
        face: usize,
        /// Largest distance of a vertex from the mean plane [m].
        off: f64,
        /// Tolerance [m].
        limit: f64,
    },
    /// A vertex sticks out beyond the plane of a face, or a corner of a polygon turns the wrong way.
    #[error(
        "the shape is not convex: vertex {vertex} lies {off:.1e} m outside face {face}; use a compound of convex parts"
    )]
    NotConvex {
        /// Index of the face (2D: of the side that starts at this vertex).
        face: usize,
        /// The vertex outside.
        vertex: usize,
        /// How far [m].
        off: f64,
    },
    /// The outline of a polygon or face crosses itself or winds more than once.
    #[error("the outline of face {face} crosses itself")]
    SelfCrossing {
        /// Index of the face (0 for a polygon in 2D).
        face: usize,
    },
    /// Two sides of the outline of a polygon cross or touch.
    #[error("the outline crosses itself: side {first} meets side {second} (side i begins at vertex i)")]
    SidesCross {
        /// Index of the vertex at which the one side begins.
        first: usize,
        /// The same of the other side.
        second: usize,
    },
    /// A hole of a polygon that is not inside its outline.
    #[error("hole {hole} is not inside the outline, or touches it")]
    HoleOutside {
        /// Index of the hole.
        hole: usize,
    },
    /// Two holes of a polygon that overlap or touch.
    #[error("holes {first} and {second} overlap or touch")]
    HolesMeet {
        /// Index of the one hole.
        first: usize,
        /// Index of the other hole.
        second: usize,
    },
    /// A fault in a hole of a polygon.
    #[error("hole {hole}: {fault}")]
    Hole {
        /// Index of the hole.
        hole: usize,
        /// What is wrong.
        fault: Box<ShapeError>,
    },
    /// A face whose corners lie on a line.
    #[error("face {face} has no area")]
    NoArea {
        /// Index of the face.
        face: usize,
    },
    /// Flat: all points in a plane (2D: on a line) or nearly so.
    #[error("the shape encloses no volume ({volume:.1e}, {size:.1e} m across): it is flat")]
    ZeroVolume {
        /// Volume [m³]; area [m²] in 2D.
        volume: f64,
        /// Largest extent [m].
        size: f64,
    },
    /// A surface that goes through itself.
    #[error("the surface intersects itself: its inside is not defined")]
    SelfIntersecting {
        /// Volume that the surface encloses, counted with its sign [m³]; not a number where it was not compared.
        volume: f64,
        /// Volume of the parts that were found [m³].
        found: f64,
    },
    /// The solid would need too many convex parts.
    #[error("the solid would need more than {most} convex parts")]
    TooManyParts {
        /// The limit.
        most: usize,
    },
    /// Faces that would be moved inwards beyond the middle of the solid.
    #[error("its faces cannot be moved inwards by {inset} m: the nearest face is {room:.3e} m from the centroid")]
    TooThin {
        /// How far they should be moved [m].
        inset: f64,
        /// How far the nearest one is from the centroid [m].
        room: f64,
    },
    /// Only the faces of convex polyhedra can be moved inwards.
    #[error("its faces cannot be moved inwards: it is not a convex polyhedron")]
    NotInset,
    /// A compound without parts.
    #[error("a compound needs at least one part")]
    NoParts,
    /// A half-space or half-plane inside a compound.
    #[error("part {part} of the compound is unbounded; half-spaces cannot be parts")]
    EndlessPart {
        /// Index of the part.
        part: usize,
    },
    /// A part of a compound is placed at a point that is not finite.
    #[error("part {part} of the compound is placed at a point that is not finite")]
    BadPlacement {
        /// Index of the part.
        part: usize,
    },
    /// Two parts of a compound overlap, so their mass would count twice.
    #[error("parts {first} and {second} of the compound overlap by {depth:.1e} m; they may touch, not overlap")]
    OverlappingParts {
        /// Index of the one part.
        first: usize,
        /// Index of the other.
        second: usize,
        /// How deep [m].
        depth: f64,
    },
}

/// Something that was corrected while building a shape.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Repair {
    /// Faces were wound inwards and have been turned round.
    WoundInwards {
        /// The faces, by input index.
        faces: Vec<usize>,
        /// True if it was every face.
        all: bool,
    },
    /// The outline of a polygon ran clockwise and has been reversed.
    Clockwise,
    /// Vertices at the same place were joined.
    DuplicateVertices {
        /// How many vertices vanished.
        count: usize,
    },
    /// Vertices in the middle of a straight edge were dropped.
    CollinearVertices {
        /// How many vertices vanished.
        count: usize,
        /// How far the worst of them was from the line between its neighbours [m].
        off: f64,
    },
    /// Vertices that no face uses were dropped.
    UnusedVertices {
        /// How many vertices vanished.
        count: usize,
    },
    /// Faces without area were dropped.
    DegenerateFaces {
        /// The faces, by input index.
        faces: Vec<usize>,
    },
    /// The shape was not convex and was cut into convex parts.
    CutIntoParts {
        /// How many there are.
        parts: usize,
    },
    /// Coplanar neighbours became one face.
    MergedFaces {
        /// Faces before.
        from: usize,
        /// Faces after.
        to: usize,
    },
}

impl Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WoundInwards { all: true, .. } => write!(f, "all faces had inward normals: reversed"),
            Self::WoundInwards { faces, .. } => match faces.as_slice() {
                [face] => write!(f, "face {face} had an inward normal: reversed"),
                _ => write!(f, "faces {} had inward normals: reversed", list(faces)),
            },
            Self::Clockwise => write!(f, "the outline ran clockwise: reversed"),
            Self::DuplicateVertices { count } => write!(f, "{count} duplicate vertices merged"),
            // a nanometre is rounding
            Self::CollinearVertices { count, off } if *off < 1e-9 => {
                write!(f, "{count} vertices on straight edges removed")
            }
            Self::CollinearVertices { count, off } => {
                write!(f, "{count} vertices on nearly straight edges removed, deviation at most {off:.1e} m")
            }
            Self::UnusedVertices { count } => write!(f, "{count} unused vertices removed"),
            Self::DegenerateFaces { faces } => write!(f, "faces without area removed: {}", list(faces)),
            Self::CutIntoParts { parts } => write!(f, "not convex: cut into {parts} convex parts"),
            Self::MergedFaces { from, to } => write!(f, "{from} coplanar faces merged into {to}"),
        }
    }
}

/// At most eight indices, then the number of the others.
fn list(indices: &[usize]) -> String {
    const MOST_SHOWN: usize = 8;
    let mut text = indices.iter().take(MOST_SHOWN).map(usize::to_string).collect::<Vec<_>>().join(", ");
    if indices.len() > MOST_SHOWN {
        text.push_str(&format!(" and {} more", indices.len() - MOST_SHOWN));
    }
    text
}

/// A shape with the repairs of its input.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked<T> {
    /// The shape, sound.
    pub shape: T,
    /// Repairs, in order.
    pub repairs: Vec<Repair>,
}

/// Smallest possible extent of a shape [m].
pub const SMALLEST_SIZE: f64 = 1e-6;
/// Largest possible extent of a shape [m].
pub const LARGEST_SIZE: f64 = 1e7;

/// Refuses shapes that are too small or too large to be meant in metres.
pub(crate) fn check_size(size: f64) -> Result<(), ShapeError> {
    if (SMALLEST_SIZE..=LARGEST_SIZE).contains(&size) {
        Ok(())
    } else {
        Err(ShapeError::AbsurdSize { size, smallest: SMALLEST_SIZE, largest: LARGEST_SIZE })
    }
}

/// Refuses lengths that are not positive and finite.
pub(crate) fn check_positive(what: &'static str, value: f64) -> Result<(), ShapeError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(ShapeError::BadNumber { what, value }) }
}
