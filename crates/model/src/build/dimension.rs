//! Dimension-dependent parts of the builder, besides [`Space`].

use std::f64::consts::TAU;

use voussoir_geometry::glam::{DMat3, DQuat, DVec2, DVec3};
use voussoir_geometry::{Checked, D2, D3, Pose, Repair, Shape2, Shape3, ShapeError, Space};

use voussoir_mechanics::any::AnyDimension;
use voussoir_mechanics::elastic::FlexibleSpace;

use super::check::SceneCheck;
use super::depths::Grid;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::NumberOrVector;
use crate::scene::bodies::{Compound, PartPlacement, Rotation, ShapeSpec};
use crate::scene::numbers::Numbers;

/// Function from vertices and faces to a body and its repairs.
pub type FromMesh<S> = fn(Vec<DVec3>, Vec<Vec<u32>>) -> Result<(<S as Space>::Shape, Vec<String>), ShapeError>;

/// A shape inside a compound.
type Placed<S> = (Pose<S>, <S as Space>::Shape);

/// A dimension in which scenes can be built.
pub trait Dimension: AnyDimension + FlexibleSpace {
    /// Inertia of a body whose rotation is never free.
    const NO_INERTIA: Self::Inertia;
    /// Upward direction.
    const UPWARDS: Self::Vector;
    /// Builds a body from a closed mesh; `None` if the dimension has no such bodies.
    const POLYHEDRON: Option<FromMesh<Self>>;

    /// The point at `x` along the structure, `y` across it (3D only) and `height`.
    fn at(x: f64, y: f64, height: f64) -> Self::Vector;
    /// A box with full lengths.
    fn cuboid(size: Self::Vector) -> Result<Self::Shape, ShapeError>;
    /// A sphere or disc.
    fn ball(radius: f64) -> Result<Self::Shape, ShapeError>;
    /// Outward normal and offset of the plane of a half-space, body axes; `None` for other shapes.
    fn plane(shape: &Self::Shape) -> Option<(Self::Vector, f64)>;

    /// True for discs and spheres.
    fn is_round(shape: &Self::Shape) -> bool;

    /// The half-space behind the plane through the origin with this outward normal.
    fn half_space(normal: Self::Vector) -> Result<Self::Shape, ShapeError>;
    /// Convex hull.
    fn hull(points: &[Self::Vector]) -> Result<Self::Shape, ShapeError>;
    /// The outline (x, height) itself in 2D; in 3D with `width` along y, centred on y = 0.
    fn prism(outline: &[DVec2], width: f64) -> Result<Self::Shape, ShapeError>;
    /// A prism or frustum about the vertical, `height` high and centred, with corners at these radii; in 2D its
    /// outline.
    fn drum(sides: usize, bottom: f64, top: f64, height: f64) -> Result<Self::Shape, ShapeError>;
    /// A body of [`Self::POLYHEDRON`] with all faces moved inwards by a distance [m].
    fn inset(shape: &Self::Shape, distance: f64) -> Result<Self::Shape, ShapeError>;
    /// A rigid body of parts that may be in contact but not overlap.
    fn compound(parts: Vec<(Pose<Self>, Self::Shape)>) -> Result<Self::Shape, ShapeError>;
    /// Inertia at density 1 of a prism about its centroid: its outline has this area and these second moments ∫x², ∫xz,
    /// ∫z² about its centroid.
    fn prism_inertia(area: f64, moments: [f64; 3], width: f64) -> Self::Inertia;
    /// Mass per density, centre of mass and inertia per density of a body whose thickness varies; `None` in 3D and for
    /// shapes that have no such moments.
    fn weigh(grid: &Grid, shape: &Self::Shape, pose: &Pose<Self>) -> Option<(f64, Self::Vector, Self::Inertia)>;
    /// A rotation about the vertical [rad]; none in 2D.
    fn about_vertical(angle: f64) -> Self::Rotation;
    /// A rotation drawn from three numbers between 0 and 1.
    fn any_rotation(draws: [f64; 3]) -> Self::Rotation;
    /// Reads a rotation.
    fn rotation(check: &SceneCheck<'_>, place: &Place<'_>, rotation: &Rotation) -> Result<Self::Rotation, SceneError>;
    /// Reads an angular velocity or a torque.
    fn spin(
        check: &SceneCheck<'_>,
        place: &Place<'_>,
        what: &str,
        spin: &NumberOrVector,
    ) -> Result<Self::Spin, SceneError>;
    /// Builds a shape; `place` is the table with its keys. The strings are repairs.
    fn shape(
        check: &SceneCheck<'_>,
        place: &Place<'_>,
        name: &str,
        shape: &ShapeSpec,
    ) -> Result<(Self::Shape, Vec<String>), SceneError>;

    /// Reads the pose of a part in the axes of its body.
    fn pose(
        check: &SceneCheck<'_>,
        place: &Place<'_>,
        position: Option<&[f64]>,
        rotation: Option<&Rotation>,
    ) -> Result<Pose<Self>, SceneError> {
        let mut pose = Pose::identity();
        if let Some(position) = position {
            pose.position = check.offset::<Self>(&place.key("position"), "the position", position)?;
        }
        if let Some(rotation) = rotation {
            pose.rotation = Self::rotation(check, &place.key("rotation"), rotation)?;
        }
        Ok(pose)
    }

    /// Builds the parts of a compound.
    fn parts(
        check: &SceneCheck<'_>,
        place: &Place<'_>,
        name: &str,
        compound: &Compound,
    ) -> Result<(Vec<Placed<Self>>, Vec<String>), SceneError> {
        let place = place.key("parts");
        let (mut parts, mut repairs) = (Vec::new(), Vec::new());
        for (i, part) in compound.parts.iter().enumerate() {
            let place = place.index(i);
            let PartPlacement { position, rotation } = &part.placement;
            let pose = Self::pose(check, &place, position.as_deref(), rotation.as_ref())?;
            if let ShapeSpec::Compound(_) | ShapeSpec::HalfSpace(_) | ShapeSpec::HalfPlane(_) | ShapeSpec::Ground(_) =
                part.shape
            {
                let message = format!("shape \"{}\" cannot be a part of a compound", part.shape.name());
                return Err(check.error(&place.key("shape"), message));
            }
            let (shape, more) = Self::shape(check, &place, &format!("{name}, part {i}"), &part.shape)?;
            parts.push((pose, shape));
            repairs.extend(more.into_iter().map(|repair| format!("part {i}: {repair}")));
        }
        Ok((parts, repairs))
    }
}

/// An error of a shape, with the body's name.
fn refused(check: &SceneCheck<'_>, place: &Place<'_>, name: &str, error: &ShapeError) -> SceneError {
    check.error(place, format!("body \"{name}\": {error}"))
}

/// The error for a shape of another dimension.
fn other_dimension(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    shape: &ShapeSpec,
    dim: usize,
    instead: &str,
) -> SceneError {
    let message = format!("shape \"{}\" needs a {}D scene; this scene has dim = {dim}", shape.name(), 5 - dim);
    check.error(&place.key("shape"), message).with_help(format!("use \"{instead}\""))
}

/// Repairs as text; merging coplanar triangles is not reported.
pub fn worth_saying(repairs: &[Repair]) -> Vec<String> {
    repairs.iter().filter(|r| !matches!(r, Repair::MergedFaces { .. })).map(ToString::to_string).collect()
}

fn with_repairs<T>(checked: Checked<T>) -> (T, Vec<String>) {
    (checked.shape, worth_saying(&checked.repairs))
}

/// Maximum number of corners of one polygon or polyhedron.
pub const MOST_CORNERS: usize = 10_000;
/// Maximum number of parts of one compound.
const MOST_PARTS: usize = 1_000;

fn few_enough(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    what: &str,
    count: usize,
    most: usize,
) -> Result<(), SceneError> {
    if count <= most {
        return Ok(());
    }
    Err(check.error(place, format!("{count} {what}, more than {most} in one body")))
}

/// Corners of an outline.
fn corners(check: &SceneCheck<'_>, place: &Place<'_>, written: &[Numbers<2>]) -> Result<Vec<DVec2>, SceneError> {
    few_enough(check, place, "corners", written.len(), MOST_CORNERS)?;
    let corner = |(i, vertex): (usize, &Numbers<2>)| check.offset::<D2>(&place.index(i), "a corner", &vertex.0);
    written.iter().enumerate().map(corner).collect()
}

impl Dimension for D2 {
    const NO_INERTIA: f64 = 0.0;
    const UPWARDS: DVec2 = DVec2::Y;
    const POLYHEDRON: Option<FromMesh<D2>> = None;

    fn at(x: f64, _y: f64, height: f64) -> DVec2 {
        DVec2::new(x, height)
    }
    fn cuboid(size: DVec2) -> Result<Shape2, ShapeError> {
        Shape2::rectangle(size)
    }
    fn ball(radius: f64) -> Result<Shape2, ShapeError> {
        Shape2::disc(radius)
    }
    fn plane(shape: &Shape2) -> Option<(DVec2, f64)> {
        if let Shape2::HalfPlane(plane) = shape { Some((plane.normal, plane.offset)) } else { None }
    }

    fn is_round(shape: &Shape2) -> bool {
        matches!(shape, Shape2::Disc(_))
    }

    fn half_space(normal: DVec2) -> Result<Shape2, ShapeError> {
        Shape2::half_plane(normal)
    }
    fn hull(points: &[DVec2]) -> Result<Shape2, ShapeError> {
        Shape2::hull(points)
    }
    fn prism(outline: &[DVec2], _width: f64) -> Result<Shape2, ShapeError> {
        Ok(Shape2::polygon(outline.to_vec())?.shape)
    }
    fn drum(_sides: usize, bottom: f64, top: f64, height: f64) -> Result<Shape2, ShapeError> {
        let half = height / 2.0;
        let outline = [(-bottom, -half), (bottom, -half), (top, half), (-top, half)].map(DVec2::from);
        Ok(Shape2::polygon(outline.to_vec())?.shape)
    }
    fn inset(_shape: &Shape2, _distance: f64) -> Result<Shape2, ShapeError> {
        Err(ShapeError::NotInset)
    }
    fn compound(parts: Vec<(Pose<D2>, Shape2)>) -> Result<Shape2, ShapeError> {
        Shape2::compound(parts)
    }
    fn prism_inertia(_area: f64, [xx, _, zz]: [f64; 3], _width: f64) -> f64 {
        xx + zz
    }
    fn weigh(grid: &Grid, shape: &Shape2, pose: &Pose<D2>) -> Option<(f64, DVec2, f64)> {
        grid.weigh(shape, pose).map(|moments| (moments.mass, moments.centre, moments.inertia))
    }
    fn about_vertical(_angle: f64) -> f64 {
        0.0
    }
    fn any_rotation([draw, ..]: [f64; 3]) -> f64 {
        draw * TAU
    }

    fn rotation(check: &SceneCheck<'_>, place: &Place<'_>, rotation: &Rotation) -> Result<f64, SceneError> {
        match rotation {
            Rotation { angle_deg: Some(angle), axis: None, euler_deg: None, quaternion: None } => {
                Ok(check.finite(&place.key("angle_deg"), "the angle", *angle)?.to_radians())
            }
            _ => Err(check
                .error(place, "a rotation in 2D is one angle")
                .with_help("write rotation = { angle_deg = 30.0 }")),
        }
    }

    fn spin(check: &SceneCheck<'_>, place: &Place<'_>, what: &str, spin: &NumberOrVector) -> Result<f64, SceneError> {
        match spin.numbers() {
            [value] => check.finite(place, what, *value),
            _ => Err(check.error(place, format!("{what} in 2D is one number, counter-clockwise"))),
        }
    }

    fn shape(
        check: &SceneCheck<'_>,
        place: &Place<'_>,
        name: &str,
        shape: &ShapeSpec,
    ) -> Result<(Shape2, Vec<String>), SceneError> {
        let refuse = |key: &str, error: &ShapeError| refused(check, &place.key(key), name, error);
        let plain = |shape| (shape, Vec::new());
        match shape {
            ShapeSpec::Rectangle(keys) => {
                let size = check.lengths::<D2>(&place.key("size"), "the size", &keys.size)?;
                Shape2::rectangle(size).map(plain).map_err(|e| refuse("size", &e))
            }
            ShapeSpec::Disc(keys) => {
                let radius = check.length(&place.key("radius"), "the radius", keys.radius)?;
                Shape2::disc(radius).map(plain).map_err(|e| refuse("radius", &e))
            }
            ShapeSpec::Segment(keys) => {
                check.length(&place.key("length"), "the length", keys.length)?;
                check.length(&place.key("thickness"), "the thickness", keys.thickness)?;
                Shape2::segment(keys.length, keys.thickness).map(plain).map_err(|e| refuse("length", &e))
            }
            ShapeSpec::Polygon(keys) => {
                let list = place.key("vertices");
                let points = corners(check, &list, &keys.vertices)?;
                let mut holes = Vec::with_capacity(keys.holes.len());
                let hole_list = place.key("holes");
                for (i, hole) in keys.holes.iter().enumerate() {
                    holes.push(corners(check, &hole_list.index(i), hole)?);
                }
                let refuse = |e: ShapeError| match &e {
                    ShapeError::Hole { hole, .. } | ShapeError::HoleOutside { hole } => {
                        refused(check, &hole_list.index(*hole), name, &e)
                    }
                    ShapeError::HolesMeet { second, .. } => refused(check, &hole_list.index(*second), name, &e),
                    _ => refused(check, &list, name, &e),
                };
                Shape2::outline_with_holes(&points, &holes).map(with_repairs).map_err(refuse)
            }
            ShapeSpec::HalfPlane(keys) => {
                let place = place.key("normal");
                let normal = match &keys.normal {
                    Some(normal) => check.direction::<D2>(&place, "the normal", normal)?,
                    None => DVec2::Y,
                };
                Shape2::half_plane(normal).map(plain).map_err(|e| refused(check, &place, name, &e))
            }
            ShapeSpec::Ground(_) => Shape2::half_plane(DVec2::Y).map(plain).map_err(|e| refuse("shape", &e)),
            ShapeSpec::Compound(keys) => {
                few_enough(check, &place.key("parts"), "parts", keys.parts.len(), MOST_PARTS)?;
                let (parts, repairs) = Self::parts(check, place, name, keys)?;
                let shape = Shape2::compound(parts).map_err(|e| refuse("parts", &e))?;
                Ok((shape, repairs))
            }
            ShapeSpec::Box(_) => Err(other_dimension(check, place, shape, 2, "rectangle")),
            ShapeSpec::Sphere(_) => Err(other_dimension(check, place, shape, 2, "disc")),
            ShapeSpec::Cylinder(_) => Err(other_dimension(check, place, shape, 2, "rectangle")),
            ShapeSpec::Polyhedron(_) => Err(other_dimension(check, place, shape, 2, "polygon")),
            ShapeSpec::HalfSpace(_) => Err(other_dimension(check, place, shape, 2, "half-plane")),
        }
    }
}

impl Dimension for D3 {
    const NO_INERTIA: DMat3 = DMat3::ZERO;
    const UPWARDS: DVec3 = DVec3::Z;
    const POLYHEDRON: Option<FromMesh<D3>> = Some(|vertices, faces| Shape3::solid(&vertices, &faces).map(with_repairs));

    fn at(x: f64, y: f64, height: f64) -> DVec3 {
        DVec3::new(x, y, height)
    }
    fn cuboid(size: DVec3) -> Result<Shape3, ShapeError> {
        Shape3::cuboid(size)
    }
    fn ball(radius: f64) -> Result<Shape3, ShapeError> {
        Shape3::sphere(radius)
    }
    fn plane(shape: &Shape3) -> Option<(DVec3, f64)> {
        if let Shape3::HalfSpace(plane) = shape { Some((plane.normal, plane.offset)) } else { None }
    }

    fn is_round(shape: &Shape3) -> bool {
        matches!(shape, Shape3::Sphere(_))
    }

    fn half_space(normal: DVec3) -> Result<Shape3, ShapeError> {
        Shape3::half_space(normal)
    }
    fn hull(points: &[DVec3]) -> Result<Shape3, ShapeError> {
        Shape3::hull(points)
    }
    fn prism(outline: &[DVec2], width: f64) -> Result<Shape3, ShapeError> {
        let n = u32::try_from(outline.len()).unwrap_or(u32::MAX);
        let side = |y: f64| outline.iter().map(move |p| DVec3::new(p.x, y, p.y));
        let vertices = side(-width / 2.0).chain(side(width / 2.0)).collect();
        // (x, z) counter-clockwise is seen from −y
        let mut faces: Vec<Vec<u32>> = vec![(0..n).collect(), (n..2 * n).rev().collect()];
        faces.extend((0..n).map(|i| vec![(i + 1) % n, i, n + i, n + (i + 1) % n]));
        Ok(Shape3::polyhedron(vertices, faces)?.shape)
    }
    fn drum(sides: usize, bottom: f64, top: f64, height: f64) -> Result<Shape3, ShapeError> {
        // a side, not a corner, faces the x axis
        let corner = |i: usize| DVec2::from_angle((i as f64 + 0.5) * TAU / sides as f64);
        let ring = |radius: f64, z: f64| (0..sides).map(move |i| (corner(i) * radius).extend(z));
        let vertices = ring(bottom, -height / 2.0).chain(ring(top, height / 2.0)).collect();
        let n = u32::try_from(sides).unwrap_or(u32::MAX);
        let mut faces: Vec<Vec<u32>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
        faces.extend((0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]));
        Ok(Shape3::polyhedron(vertices, faces)?.shape)
    }
    fn inset(shape: &Shape3, distance: f64) -> Result<Shape3, ShapeError> {
        shape.inset(distance)
    }
    fn compound(parts: Vec<(Pose<D3>, Shape3)>) -> Result<Shape3, ShapeError> {
        Shape3::compound(parts)
    }
    fn prism_inertia(area: f64, [xx, xz, zz]: [f64; 3], width: f64) -> DMat3 {
        let (xx, xz, zz, yy) = (xx * width, xz * width, zz * width, area * width.powi(3) / 12.0);
        DMat3::from_cols_array(&[yy + zz, 0.0, -xz, 0.0, xx + zz, 0.0, -xz, 0.0, xx + yy])
    }
    fn weigh(_grid: &Grid, _shape: &Shape3, _pose: &Pose<D3>) -> Option<(f64, DVec3, DMat3)> {
        None
    }
    fn about_vertical(angle: f64) -> DQuat {
        DQuat::from_rotation_z(angle)
    }
    fn any_rotation([a, b, c]: [f64; 3]) -> DQuat {
        // uniform over all rotations (Shoemake 1992)
        let ((sin_b, cos_b), (sin_c, cos_c)) = ((b * TAU).sin_cos(), (c * TAU).sin_cos());
        let (r, s) = ((1.0 - a).sqrt(), a.sqrt());
        DQuat::from_xyzw(r * sin_b, r * cos_b, s * sin_c, s * cos_c).normalize()
    }

    fn rotation(check: &SceneCheck<'_>, place: &Place<'_>, rotation: &Rotation) -> Result<DQuat, SceneError> {
        match rotation {
            Rotation { angle_deg: Some(angle), axis: Some(axis), euler_deg: None, quaternion: None } => {
                let angle = check.finite(&place.key("angle_deg"), "the angle", *angle)?.to_radians();
                Ok(DQuat::from_axis_angle(check.direction::<D3>(&place.key("axis"), "the axis", &axis.0)?, angle))
            }
            Rotation { angle_deg: None, axis: None, euler_deg: Some(euler), quaternion: None } => {
                let angles = check.vector::<D3>(&place.key("euler_deg"), "the angle", &euler.0)?;
                let [x, y, z] = angles.to_array().map(f64::to_radians);
                Ok(DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x))
            }
            Rotation { angle_deg: None, axis: None, euler_deg: None, quaternion: Some(numbers) } => {
                let quaternion = DQuat::from_array(numbers.0);
                let length = quaternion.length();
                if length.is_finite() && length > 1e-100 {
                    return Ok(quaternion.normalize());
                }
                Err(check.error(&place.key("quaternion"), format!("the quaternion has the length {length}")))
            }
            _ => Err(check
                .error(place, "a rotation in 3D is one of: axis and angle_deg, euler_deg, quaternion")
                .with_help("write rotation = { axis = [0, 0, 1], angle_deg = 30.0 }")),
        }
    }

    fn spin(check: &SceneCheck<'_>, place: &Place<'_>, what: &str, spin: &NumberOrVector) -> Result<DVec3, SceneError> {
        check.vector::<D3>(place, what, spin.numbers())
    }

    fn shape(
        check: &SceneCheck<'_>,
        place: &Place<'_>,
        name: &str,
        shape: &ShapeSpec,
    ) -> Result<(Shape3, Vec<String>), SceneError> {
        let refuse = |key: &str, error: &ShapeError| refused(check, &place.key(key), name, error);
        let plain = |shape| (shape, Vec::new());
        match shape {
            ShapeSpec::Box(keys) => {
                let size = check.lengths::<D3>(&place.key("size"), "the size", &keys.size)?;
                Shape3::cuboid(size).map(plain).map_err(|e| refuse("size", &e))
            }
            ShapeSpec::Cylinder(keys) => {
                check.length(&place.key("height"), "the height", keys.height)?;
                check.length(&place.key("radius"), "the radius", keys.radius)?;
                Shape3::cylinder(keys.height, keys.radius).map(plain).map_err(|e| refuse("height", &e))
            }
            ShapeSpec::Sphere(keys) => {
                let radius = check.length(&place.key("radius"), "the radius", keys.radius)?;
                Shape3::sphere(radius).map(plain).map_err(|e| refuse("radius", &e))
            }
            ShapeSpec::Polyhedron(keys) => {
                let place = place.key("vertices");
                few_enough(check, &place, "corners", keys.vertices.len(), MOST_CORNERS)?;
                let mut points = Vec::with_capacity(keys.vertices.len());
                for (i, vertex) in keys.vertices.iter().enumerate() {
                    points.push(check.offset::<D3>(&place.index(i), "a corner", &vertex.0)?);
                }
                let made = match &keys.faces {
                    Some(faces) => Shape3::solid(&points, faces).map(with_repairs),
                    None => Shape3::hull(&points).map(plain),
                };
                let blamed = if keys.faces.is_some() { "faces" } else { "vertices" };
                made.map_err(|e| refuse(blamed, &e))
            }
            ShapeSpec::HalfSpace(keys) => {
                let place = place.key("normal");
                let normal = match &keys.normal {
                    Some(normal) => check.direction::<D3>(&place, "the normal", normal)?,
                    None => DVec3::Z,
                };
                Shape3::half_space(normal).map(plain).map_err(|e| refused(check, &place, name, &e))
            }
            ShapeSpec::Ground(_) => Shape3::half_space(DVec3::Z).map(plain).map_err(|e| refuse("shape", &e)),
            ShapeSpec::Compound(keys) => {
                few_enough(check, &place.key("parts"), "parts", keys.parts.len(), MOST_PARTS)?;
                let (parts, repairs) = Self::parts(check, place, name, keys)?;
                let shape = Shape3::compound(parts).map_err(|e| refuse("parts", &e))?;
                Ok((shape, repairs))
            }
            ShapeSpec::Rectangle(_) => Err(other_dimension(check, place, shape, 3, "box")),
            ShapeSpec::Disc(_) => Err(other_dimension(check, place, shape, 3, "sphere")),
            ShapeSpec::Segment(_) => Err(other_dimension(check, place, shape, 3, "cylinder")),
            ShapeSpec::Polygon(_) => Err(other_dimension(check, place, shape, 3, "polyhedron")),
            ShapeSpec::HalfPlane(_) => Err(other_dimension(check, place, shape, 3, "half-space")),
        }
    }
}
