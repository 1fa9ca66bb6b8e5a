//! Probes: named quantities of a run, one number after every step.
//!
//! This module defines the quantities; `voussoir-results` computes them from a snapshot. Forces are those of contacts
//! and bonds.

/// A named measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Head of its column: the name in the scene and the unit.
    pub head: String,
    /// The measure.
    pub measure: Measure,
}

/// Measures of probes.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// Mean over bodies, weighted by mass: of the position, displacement or velocity of the centroid.
    Motion {
        /// Bodies, and the drawn positions of their centroids [m].
        of: Vec<(usize, [f64; 3])>,
        /// The quantity.
        what: Kinematic,
        /// Component.
        part: VectorPart,
    },
    /// Force of the second bodies on the first [N].
    Force(Between, VectorPart),
    /// Moment of that force [N·m] about a point, or about the centroid of the bodies on which it acts.
    Moment(Between, Option<[f64; 3]>, VectorPart),
    /// Centre of pressure less the centre of the joint [m].
    Eccentricity(Between, VectorPart),
    /// Largest pressure N/A′ of the joints between them, A′ the part of a joint that is symmetric about its centre of
    /// pressure [Pa].
    JointStress(Between),
    /// Number of contacts between them with this status: 0 open, 1 stick, 2 slide, `None` all with a force.
    Contacts(Between, Option<u8>),
    /// Largest distance along the normal between points in contact as drawn [m].
    Opening(Vec<Twin>),
    /// Largest distance along the joint between points in contact as drawn [m].
    Slip(Vec<Twin>),
    /// Mean stress of bodies, weighted by volume, tension positive [Pa].
    Stress(Vec<usize>, StressPart),
    /// Largest value of elastic bodies: index among [`crate::snapshot::Features::body_fields`].
    ElasticStress(Vec<usize>, usize),
    /// Value at a point of the surface of an elastic body.
    AtPoint {
        /// The body.
        body: usize,
        /// Index of the point in the frames.
        point: usize,
        /// Drawn position of the point, world axes [m].
        drawn: [f64; 3],
        /// The value.
        what: PointMeasure,
    },
    /// Tension of a cable, by its index [N].
    Cable(usize),
    /// Area of bodies in a box over the area of the box (2D): bodies, smallest and largest corner [m].
    Concentration(Vec<usize>, [f64; 2], [f64; 2]),
    /// Area of bodies whose centroid is beyond a line (2D) [m²]: bodies, a point of the line [m], its unit normal.
    AreaBeyond(Vec<usize>, [f64; 2], [f64; 2]),
    /// Mean number of bodies with which a body has contact forces.
    Coordination(Vec<usize>),
    /// Number of bodies of the largest group that contact forces connect.
    LargestGroup(Vec<usize>),
    /// Vertical force through a horizontal cut at this height: on the bodies with the centroid above it, from
    /// those below and from supports [N].
    Cut(f64),
}

/// Measures at a point of an elastic body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointMeasure {
    /// Index among [`crate::snapshot::Features::point_fields`].
    Field(usize),
    /// Displacement of the point from its drawn position [m].
    Displacement(VectorPart),
}

/// Kinematic measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinematic {
    /// [m]
    Position,
    /// From the drawn position [m].
    Displacement,
    /// [m/s]
    Velocity,
}

/// Bodies on which a force acts, and bodies that exert it; `None`: all others.
#[derive(Clone, Debug, PartialEq)]
pub struct Between {
    /// The bodies on which it acts.
    pub on: Vec<usize>,
    /// The bodies that exert it.
    pub by: Option<Vec<usize>>,
    /// −1: the force of the first on the second.
    pub sign: f64,
}

/// Number taken from a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorPart {
    /// Component along an axis, from 0.
    Axis(usize),
    /// Length of the vector.
    Length,
    /// Sum of the normal forces, compression positive.
    Normal,
    /// Length of the sum of the tangential forces.
    Tangential,
}

/// Number taken from a stress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StressPart {
    /// xx, yy, zz, yz, zx, xy, from 0.
    Component(usize),
    /// Principal stress, the largest (most tension) first, from 0.
    Principal(usize),
    /// Mean pressure, compression positive.
    Pressure,
}

/// Points of two bodies that coincide as drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twin {
    /// The bodies.
    pub bodies: [usize; 2],
    /// The point in the axes of each [m].
    pub points: [[f64; 3]; 2],
    /// From the second to the first, in the axes of the second.
    pub normal: [f64; 3],
}
