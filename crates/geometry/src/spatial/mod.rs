//! Shapes in 3D: convex polyhedra, spheres, cylinders, half-spaces, rigid compounds of convex parts.
//!
//! | module | content |
//! |---|---|
//! | `polyhedron` | vertices, n-gon faces, edges, planes |
//! | `build` | checks and repairs of the surface of a polyhedron |
//! | `merge` | coplanar adjacent faces are merged |
//! | `outline` | convexity of a loop |
//! | `cell`, `decompose` | decomposition of non-convex solids into convex parts |
//! | `compound` | parts that move as one body, and their internal faces |
//! | `core` | polyhedra shrunk by a margin |
//! | `cylinder` | solid cylinders |
//! | `hull` | convex hull of points |
//! | `mass` | volume, centroid, inertia |
//! | `collide` | contact points, one file per pair of shapes |

mod build;
mod cell;
mod collide;
mod compound;
mod core;
pub(crate) mod cylinder;
mod decompose;
mod hull;
mod mass;
mod merge;
mod outline;
mod polyhedron;
mod round;

pub(crate) use round::sphere as sphere_surface;

use glam::{DMat3, DVec3};

use crate::detection::Detection;
use crate::error::{Checked, ShapeError, check_positive, check_size};
use crate::pose::Pose;
use crate::solid::{Aabb, CENTRE_TOLERANCE, ContactPoint, MassProperties, ShapeData, Solid, Surface};
use crate::space::{D3, Space};

pub use compound::Compound3;
pub use cylinder::Cylinder;
pub use polyhedron::{Edge, Polyhedron};

/// Parts of a compound may overlap by this fraction of the smaller part's size.
const PART_OVERLAP: f64 = 1e-6;

/// A shape in space, in its own axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape3 {
    /// A convex polyhedron; boxes are polyhedra.
    Polyhedron(Box<Polyhedron>),
    /// A ball.
    Sphere(Sphere),
    /// A solid cylinder.
    Cylinder(Cylinder),
    /// Everything on one side of a plane.
    HalfSpace(HalfSpace),
    /// Convex parts that move as one.
    Compound(Compound3),
}

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Centre in the shape's axes [m].
    pub centre: DVec3,
    /// Radius [m].
    pub radius: f64,
}

/// The points with normal·x ≤ offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// Unit normal, out of the material.
    pub normal: DVec3,
    /// Distance of the plane from the origin along the normal [m].
    pub offset: f64,
}

impl Shape3 {
    /// A convex polyhedron from its vertices and faces (each a loop of vertex indices).
    pub fn polyhedron(vertices: Vec<DVec3>, faces: Vec<Vec<u32>>) -> Result<Checked<Self>, ShapeError> {
        let (polyhedron, repairs) = build::polyhedron(&vertices, &faces)?;
        Ok(Checked { shape: Self::Polyhedron(Box::new(polyhedron)), repairs })
    }

    /// A solid from its vertices and faces; one that is not convex becomes a compound of convex parts.
    pub fn solid(vertices: &[DVec3], faces: &[Vec<u32>]) -> Result<Checked<Self>, ShapeError> {
        let (mut parts, repairs) = build::parts(vertices, faces)?;
        let polyhedron = |part| Self::Polyhedron(Box::new(part));
        let shape = match parts.len() {
            1 => polyhedron(parts.remove(0)),
            _ => Self::Compound(Compound3::new(parts.into_iter().map(polyhedron).collect())),
        };
        Ok(Checked { shape, repairs })
    }

    /// A convex polyhedron with all faces moved inwards by a distance [m].
    ///
    /// ```
    /// # use voussoir_geometry::{Shape3, Solid, glam::DVec3};
    /// let brick = Shape3::cuboid(DVec3::new(0.4, 0.2, 0.1)).unwrap().inset(0.005).unwrap();
    /// assert!((brick.mass_properties().unwrap().volume - 0.39 * 0.19 * 0.09).abs() < 1e-15);
    /// ```
    pub fn inset(&self, distance: f64) -> Result<Self, ShapeError> {
        let Self::Polyhedron(polyhedron) = self else { return Err(ShapeError::NotInset) };
        let room = core::room(polyhedron);
        let thin = ShapeError::TooThin { inset: distance, room };
        if !(distance >= 0.0 && distance < room) {
            return Err(thin);
        }
        Ok(Self::Polyhedron(Box::new(core::inset(polyhedron, distance).ok_or(thin)?)))
    }

    /// A box of full sizes `sizes` around the origin.
    pub fn cuboid(sizes: DVec3) -> Result<Self, ShapeError> {
        check_positive("first side of the box", sizes.x)?;
        check_positive("second side of the box", sizes.y)?;
        check_positive("third side of the box", sizes.z)?;
        check_size(sizes.length())?;
        // vertex i has bit 0, 1, 2 of i as the sign of x, y, z
        let sign = |i: u32, bit: u32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
        let vertices = (0..8).map(|i| sizes * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
        const FACES: [[u32; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let faces = FACES.map(|face| face.to_vec());
        Ok(Self::Polyhedron(Box::new(Polyhedron::from_convex(vertices, &faces)?)))
    }

    /// A ball around the origin.
    pub fn sphere(radius: f64) -> Result<Self, ShapeError> {
        check_positive("radius of the sphere", radius)?;
        check_size(2.0 * radius)?;
        Ok(Self::Sphere(Sphere { centre: DVec3::ZERO, radius }))
    }

    /// A cylinder about z around the origin.
    pub fn cylinder(height: f64, radius: f64) -> Result<Self, ShapeError> {
        check_positive("height of the cylinder", height)?;
        check_positive("radius of the cylinder", radius)?;
        check_size(height.hypot(2.0 * radius))?;
        let (half_height, side) = (0.5 * height, DVec3::X);
        Ok(Self::Cylinder(Cylinder { centre: DVec3::ZERO, axis: DVec3::Z, side, half_height, radius }))
    }

    /// Everything below a plane through the origin with this outward normal (of any length).
    pub fn half_space(normal: DVec3) -> Result<Self, ShapeError> {
        check_positive("length of the normal of the half-space", normal.length())?;
        Ok(Self::HalfSpace(HalfSpace { normal: normal / normal.length(), offset: 0.0 }))
    }

    /// The convex hull of points.
    pub fn hull(points: &[DVec3]) -> Result<Self, ShapeError> {
        let (vertices, faces) = hull::hull(points)?;
        Ok(Self::Polyhedron(Box::new(build::polyhedron(&vertices, &faces)?.0)))
    }

    /// Convex parts placed in the axes of the compound; compounds among them are taken apart.
    pub fn compound(parts: Vec<(Pose<D3>, Self)>) -> Result<Self, ShapeError> {
        let mut placed = Vec::new();
        for (part, (pose, shape)) in parts.iter().enumerate() {
            if !pose.position.is_finite() || !pose.rotation.is_normalized() {
                return Err(ShapeError::BadPlacement { part });
            }
            match shape.placed(pose) {
                Self::HalfSpace(_) => return Err(ShapeError::EndlessPart { part }),
                Self::Compound(inner) => placed.extend(inner.parts.into_iter().map(|p| (part, p))),
                convex => placed.push((part, convex)),
            }
        }
        if placed.is_empty() {
            return Err(ShapeError::NoParts);
        }
        let (origin, mut points) = (Pose::identity(), Vec::new());
        for (i, (first, a)) in placed.iter().enumerate() {
            // parts of one compound know that they touch
            for (second, b) in placed[..i].iter().filter(|(second, _)| second != first) {
                points.clear();
                a.collide(&origin, b, &origin, 0.0, &mut points);
                let depth = points.iter().map(|p| -p.gap).fold(0.0, f64::max);
                if depth > PART_OVERLAP * a.size().min(b.size()) {
                    return Err(ShapeError::OverlappingParts { first: *second, second: *first, depth });
                }
            }
        }
        let compound = Compound3::new(placed.into_iter().map(|p| p.1).collect());
        check_size(2.0 * compound.radius)?;
        Ok(Self::Compound(compound))
    }

    /// The same shape moved and turned in its own axes.
    pub fn placed(&self, pose: &Pose<D3>) -> Self {
        match self {
            Self::Polyhedron(p) => Self::Polyhedron(Box::new(p.moved(pose))),
            Self::Sphere(s) => Self::Sphere(Sphere { centre: pose.point(s.centre), ..*s }),
            Self::Cylinder(c) => Self::Cylinder(c.moved(pose)),
            Self::HalfSpace(h) => {
                let normal = pose.direction(h.normal);
                Self::HalfSpace(HalfSpace { normal, offset: h.offset + normal.dot(pose.position) })
            }
            Self::Compound(c) => {
                // what lies inside stays inside
                Self::Compound(Compound3::measured(c.parts.iter().map(|part| part.placed(pose)).collect()))
            }
        }
    }

    /// Centre and radius of a ball around the shape; infinite for half-spaces.
    fn ball(&self) -> (DVec3, f64) {
        match self {
            Self::Polyhedron(p) => (p.centre(), p.radius()),
            Self::Sphere(s) => (s.centre, s.radius),
            Self::Cylinder(c) => (c.centre, c.reach()),
            Self::HalfSpace(_) => (DVec3::ZERO, f64::INFINITY),
            Self::Compound(c) => (c.centre, c.radius),
        }
    }
}

impl Solid<D3> for Shape3 {
    fn from_data(data: &ShapeData) -> Result<Self, ShapeError> {
        match data {
            ShapeData::Ball { radius } => Self::sphere(*radius),
            ShapeData::Solid { points, faces } => {
                let vertices: Vec<DVec3> = points.iter().map(|p| DVec3::from_array(*p)).collect();
                Self::solid(&vertices, faces).map(|checked| checked.shape)
            }
        }
    }

    fn parts(&self) -> Option<&[Self]> {
        if let Self::Compound(compound) = self { Some(compound.parts()) } else { None }
    }

    fn mass_properties(&self) -> Option<MassProperties<D3>> {
        match self {
            Self::Polyhedron(p) => Some(mass::polyhedron(p)),
            Self::Sphere(s) => Some(mass::sphere(s.centre, s.radius)),
            Self::Cylinder(c) => Some(c.mass_properties()),
            Self::HalfSpace(_) => None,
            Self::Compound(c) => {
                let parts: Option<Vec<_>> = c.parts.iter().map(Solid::mass_properties).collect();
                Some(mass::together(&parts?))
            }
        }
    }

    fn bounds(&self, pose: &Pose<D3>) -> Aabb<D3> {
        let empty = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
        match self {
            Self::Polyhedron(p) => {
                let turn = DMat3::from_quat(pose.rotation);
                let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                for v in p.vertices().iter().map(|&v| turn * v) {
                    (low, high) = (low.min(v), high.max(v));
                }
                Aabb { min: low + pose.position, max: high + pose.position }
            }
            Self::Sphere(s) => {
                let centre = pose.point(s.centre);
                Aabb { min: centre - s.radius, max: centre + s.radius }
            }
            Self::Cylinder(c) => c.moved(pose).bounds(),
            Self::HalfSpace(h) => {
                let normal = D3::rotate(pose.rotation, h.normal);
                half_space_bounds(normal, h.offset + normal.dot(pose.position))
            }
            Self::Compound(c) => c.parts.iter().fold(empty, |b, part| b.union(&part.bounds(pose))),
        }
    }

    fn size(&self) -> f64 {
        2.0 * self.ball().1
    }

    fn translated(&self, by: DVec3) -> Self {
        self.placed(&Pose::at(by))
    }

    fn centred_ball(&self) -> Option<f64> {
        match self {
            Self::Sphere(s) if s.centre.length() <= CENTRE_TOLERANCE * s.radius => Some(s.radius),
            _ => None,
        }
    }

    fn surface(&self, extent: f64) -> Surface {
        match self {
            Self::Polyhedron(p) => p.surface(),
            Self::Sphere(s) => round::sphere(s.centre, s.radius),
            Self::Cylinder(c) => c.surface(),
            Self::HalfSpace(h) => {
                let mut frame = Vec::with_capacity(3);
                D3::frame(h.normal, &mut frame);
                let (u, v) = (frame[1] * (0.5 * extent), frame[2] * (0.5 * extent));
                let foot = h.normal * h.offset;
                let points = [foot - u - v, foot + u - v, foot + u + v, foot - u + v];
                Surface { points: points.map(|p| p.to_array()).to_vec(), polygons: vec![vec![0, 1, 2, 3]] }
            }
            Self::Compound(c) => {
                let mut all = Surface::default();
                for part in c.parts.iter().map(|part| part.surface(extent)) {
                    all.append(part);
                }
                all
            }
        }
    }

    fn collide_by(
        &self,
        pose: &Pose<D3>,
        other: &Self,
        other_pose: &Pose<D3>,
        alert: f64,
        detection: Detection,
        out: &mut Vec<ContactPoint<D3>>,
    ) {
        collide::collide(self, pose, other, other_pose, alert, detection, out);
    }
}

/// Infinite, but for the one side that a half-space with an axis as normal has.
fn half_space_bounds(normal: DVec3, offset: f64) -> Aabb<D3> {
    let (mut min, mut max) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
    for i in 0..3 {
        let across = normal.length_squared() - normal[i] * normal[i];
        if across == 0.0 && normal[i] > 0.0 {
            max[i] = offset / normal[i];
        } else if across == 0.0 && normal[i] < 0.0 {
            min[i] = offset / normal[i];
        }
    }
    Aabb { min, max }
}
