//! Bodies of the model, from shapes, generators and mesh files.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use voussoir_geometry::glam::{DVec2, DVec3};
use voussoir_geometry::{D3, Pose, Solid, Vector};
use voussoir_mechanics::model::{Body, Material, Role};

use super::check::{LARGEST_LENGTH, MOST_BODIES, MOST_BODIES_UNASKED, SMALLEST_LENGTH, SceneCheck};
use super::depths::{self, Depths, Grid};
use super::dimension::Dimension;
use super::piece::{Centred, Piece};
use super::survey;
use crate::error::SceneError;
use crate::generators::{self, Site};
use crate::mesh;
use crate::place::Place;
use crate::scene::bodies::{BodySpec, FormSpec, ShapeSpec};
use crate::scene::generated::Generator;
use crate::scene::{Scene, bodies};
use crate::suggest;

/// Creates all bodies. Names are unique; masses are above zero except for unbounded supports.
pub fn bodies<S: Dimension>(
    scene: &Scene,
    base: &Path,
    check: &SceneCheck<'_>,
    materials: &[Material],
    depth: f64,
    warnings: &mut Vec<String>,
) -> Result<Vec<Body<S>>, SceneError> {
    let root = Place::ROOT;
    let list = root.key("bodies");
    if scene.bodies.is_empty() {
        return Err(check.error(&Place::ROOT, "the scene has no bodies").with_help("add a [[bodies]] table"));
    }
    check_count(scene, check)?;
    let mut names = BTreeSet::new();
    let mut made = Vec::new();
    for (i, written) in scene.bodies.iter().enumerate() {
        let place = list.index(i);
        check_name(check, &place.key("name"), &written.common.name, &mut names)?;
        let material = material_index(check, &place.key("material"), written, materials)?;
        let depths = own_depths::<S>(check, &place, written, depth, base)?;
        let frame = Frame::<S>::read(check, &place, written, material, materials[material].density)?;
        let obstacles = match &written.form {
            FormSpec::Generated(Generator::Fill(_)) => outlines(&made, check.origin),
            FormSpec::Generated(Generator::Floes(keys)) => around(&made, &frame.pose, keys.size[0].hypot(keys.size[1])),
            _ => Vec::new(),
        };
        let pieces = pieces::<S>(base, check, &place, written, &obstacles, warnings)?;
        let each = depths.each(check, &place.key("depths"), pieces.len())?;
        if made.len() as u64 + pieces.len() as u64 > MOST_BODIES {
            return Err(check.error(&place, format!("the scene has more than {MOST_BODIES} bodies")));
        }
        made.reserve(pieces.len());
        for (k, piece) in pieces.into_iter().enumerate() {
            let name = if piece.name.is_empty() {
                written.common.name.clone()
            } else {
                format!("{}.{}", written.common.name, piece.name)
            };
            let thickness = match (&each, &depths) {
                (Some(each), _) => Thickness::Value(each[k]),
                (None, Depths::Grid(grid)) => Thickness::Grid(grid),
                (None, _) => Thickness::Value(depth),
            };
            made.push(frame.body(check, &place, name, piece, &thickness)?);
        }
    }
    Ok(made)
}

/// Thickness of one body in 2D.
enum Thickness<'a> {
    /// [m]
    Value(f64),
    /// A function of position.
    Grid(&'a Grid),
}

/// The thickness of the bodies of one table, in 2D; `depth` is that of the scene.
fn own_depths<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    written: &BodySpec,
    depth: f64,
    base: &Path,
) -> Result<Depths, SceneError> {
    let common = &written.common;
    for (key, given) in [("depth", common.depth.is_some()), ("depths", common.depths.is_some())] {
        if given && S::DIM == 3 {
            let message = format!("`{key}` is the thickness of a body in 2D; this scene has dim = 3");
            return Err(place.key(key).error_at_key(check.source, message).with_help(format!("remove `{key}`")));
        }
    }
    match (&common.depth, &common.depths) {
        (Some(_), Some(_)) => {
            Err(place.key("depths").error_at_key(check.source, "both `depth` and `depths` are given; keep one of them"))
        }
        (Some(depth), None) => check.length(&place.key("depth"), "the depth", *depth).map(Depths::Constant),
        (None, Some(keys)) => depths::read(check, &place.key("depths"), keys, base),
        (None, None) => Ok(Depths::Constant(depth)),
    }
}

/// Number of bodies that a table of the scene creates; parts of meshes are not counted.
fn count_of(written: &BodySpec) -> u64 {
    match &written.form {
        FormSpec::Generated(generator) => generators::count(generator),
        FormSpec::Shaped(_) | FormSpec::Mesh(_) => 1,
    }
}

/// Number of bodies of a scene, before they are created; parts of meshes are not counted.
pub fn expected(scene: &Scene) -> u64 {
    scene.bodies.iter().map(count_of).fold(0, u64::saturating_add)
}

/// Checks the counts before memory is allocated.
fn check_count(scene: &Scene, check: &SceneCheck<'_>) -> Result<(), SceneError> {
    let root = Place::ROOT;
    let list = root.key("bodies");
    let mut total = 0u64;
    for (i, written) in scene.bodies.iter().enumerate() {
        let count = count_of(written);
        total = total.saturating_add(count);
        if total > MOST_BODIES {
            let name = &written.common.name;
            let message = format!("\"{name}\" has {count} bodies; a scene has at most {MOST_BODIES}");
            return Err(check.error(&list.index(i).key("generator"), message));
        }
    }
    let allowed = scene.max_bodies.unwrap_or(MOST_BODIES_UNASKED);
    if total > allowed {
        let message = format!("the scene would have {total} bodies, more than {allowed}");
        let help = format!("write max_bodies = {total} at the top of the scene if that is meant; it takes minutes");
        return Err(check.error(&list, message).with_help(help));
    }
    Ok(())
}

fn check_name<'a>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    name: &'a str,
    names: &mut BTreeSet<&'a str>,
) -> Result<(), SceneError> {
    let allowed = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 200 || !name.chars().all(allowed) {
        return Err(check
            .error(place, format!("{name:?} cannot be the name of a body"))
            .with_help("use up to 200 letters, digits, - and _"));
    }
    if !names.insert(name) {
        return Err(check.error(place, format!("there are two bodies with the name \"{name}\"")));
    }
    Ok(())
}

fn material_index(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    written: &BodySpec,
    materials: &[Material],
) -> Result<usize, SceneError> {
    let name = &written.common.material;
    materials.binary_search_by(|m| m.name.as_str().cmp(name)).map_err(|_| {
        let known: Vec<&str> = materials.iter().map(|m| m.name.as_str()).collect();
        check
            .error(place, format!("body \"{}\": there is no material \"{name}\"", written.common.name))
            .with_help(suggest::help("materials", name, &known))
    })
}

/// Common data of all pieces of a body of the scene.
struct Frame<'a, S: Dimension> {
    material: usize,
    /// Density [kg/m³].
    density: f64,
    /// Mass that replaces density times volume [kg].
    mass: Option<f64>,
    tags: &'a [String],
    pose: Pose<S>,
    velocity: S::Vector,
    /// World axes.
    spin: Option<S::Spin>,
}

impl<'a, S: Dimension> Frame<'a, S> {
    fn read(
        check: &SceneCheck<'_>,
        place: &Place<'_>,
        written: &'a BodySpec,
        material: usize,
        density: f64,
    ) -> Result<Self, SceneError> {
        let common = &written.common;
        let mut pose = S::pose(check, place, None, common.rotation.as_ref())?;
        pose.position = position::<S>(check, place, written, &pose)?;
        let velocity = match &common.velocity {
            Some(velocity) => check.vector::<S>(&place.key("velocity"), "the velocity", velocity)?,
            None => S::zero(),
        };
        let spin = match &common.spin {
            Some(spin) if matches!(written.form, FormSpec::Shaped(_)) => {
                Some(S::spin(check, &place.key("spin"), "the spin", spin)?)
            }
            Some(_) => {
                let key = place.key("spin");
                return Err(key.error_at_key(check.source, "`spin` is for bodies with a `shape`"));
            }
            None => None,
        };
        let mass = match common.mass {
            Some(mass) if matches!(written.form, FormSpec::Shaped(_)) => {
                Some(check.positive(&place.key("mass"), "the mass", mass)?)
            }
            Some(_) => {
                let key = place.key("mass");
                return Err(key.error_at_key(check.source, "`mass` is for bodies with a `shape`"));
            }
            None => None,
        };
        Ok(Self { material, density, mass, tags: &common.tags, pose, velocity, spin })
    }

    /// Creates a body from one piece: pose, mass, inertia.
    fn body(
        &self,
        check: &SceneCheck<'_>,
        place: &Place<'_>,
        name: String,
        piece: Piece<S>,
        thickness: &Thickness<'_>,
    ) -> Result<Body<S>, SceneError> {
        let mut pose = self.pose.compose(&piece.pose);
        pose.position = pose.point(piece.shape.centroid);
        let Centred { mut shape, mut volume, mut inertia, .. } = piece.shape;
        let mut density = piece.density.unwrap_or(self.density);
        match thickness {
            Thickness::Value(depth) => density *= depth,
            Thickness::Grid(grid) if volume.is_some() => {
                let Some((mass, centre, polar)) = S::weigh(grid, &shape, &pose) else {
                    let message =
                        format!("body \"{name}\" is neither a polygon nor a disc; `grid` is for these shapes");
                    return Err(check.error(&place.key("depths"), message));
                };
                shape = Arc::new(shape.translated(S::zero() - pose.local_point(centre)));
                (pose.position, volume, inertia) = (centre, Some(mass), polar);
            }
            Thickness::Grid(_) => {}
        }
        if let (Some(mass), Some(volume)) = (self.mass, volume) {
            density = mass / volume;
        }
        if let Some(volume) = volume {
            let size = shape.size();
            if !(size > SMALLEST_LENGTH && size < LARGEST_LENGTH) {
                return Err(check
                    .error(place, format!("body \"{name}\" has a size of {size:e} m, outside the permitted range"))
                    .with_help(format!("permitted sizes: {SMALLEST_LENGTH:e} m to {LARGEST_LENGTH:e} m")));
            }
            let far = (0..S::DIM).map(|k| pose.position.get(k).abs()).fold(0.0, f64::max);
            if far >= LARGEST_LENGTH {
                return Err(check
                    .error(place, format!("body \"{name}\" is {far:e} m from the origin, outside the permitted range"))
                    .with_help("survey coordinates need all bodies in one place, also those without `position`"));
            }
            if !(volume * density > 0.0 && (volume * density).is_finite()) {
                return Err(check.error(place, format!("body \"{name}\" has a mass of {} kg", volume * density)));
            }
        }
        let role = if piece.support || volume.is_none() { Role::Support(None) } else { Role::Free };
        let (velocity, spin) = match role {
            Role::Free => (self.velocity, self.spin.map_or(S::no_spin(), |spin| S::spin_to_body(pose.rotation, spin))),
            Role::Support(_) => (S::zero(), S::no_spin()),
        };
        let mut tags = piece.tags;
        tags.extend(self.tags.iter().cloned());
        Ok(Body {
            name,
            tags,
            shape,
            material: self.material,
            mass: volume.unwrap_or(0.0) * density,
            inertia: S::scale_inertia(inertia, density),
            role,
            pose,
            velocity,
            spin,
        })
    }
}

/// Position of a body of the scene, measured from the origin of the model [m].
fn position<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    written: &BodySpec,
    turned: &Pose<S>,
) -> Result<S::Vector, SceneError> {
    let (place, what) = (place.key("position"), "the position");
    let origin = S::Vector::from_slice(&check.origin);
    let normal = match &written.form {
        FormSpec::Shaped(ShapeSpec::Ground(_)) => Some(S::UPWARDS),
        FormSpec::Shaped(ShapeSpec::HalfSpace(keys) | ShapeSpec::HalfPlane(keys)) => {
            Some(keys.normal.as_deref().filter(|n| n.len() == S::DIM).map_or(S::UPWARDS, S::Vector::from_slice))
        }
        _ => None,
    };
    // an unbounded plane far from the origin is placed at its point nearest to the origin
    if let Some(normal) = normal.filter(|_| origin.length() > 0.0) {
        let point = match &written.common.position {
            Some(position) => check.vector::<S>(&place, what, position)? - origin,
            None => -origin,
        };
        let normal = turned.direction(normal / normal.length().max(f64::MIN_POSITIVE));
        return Ok(if point.length() < LARGEST_LENGTH { point } else { normal * normal.dot(point) });
    }
    match &written.common.position {
        Some(position) => check.point::<S>(&place, what, position),
        None => Ok(S::zero() - origin),
    }
}

/// The pieces of one table of bodies.
fn pieces<S: Dimension>(
    base: &Path,
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    written: &BodySpec,
    obstacles: &[Vec<DVec2>],
    warnings: &mut Vec<String>,
) -> Result<Vec<Piece<S>>, SceneError> {
    let name = &written.common.name;
    match &written.form {
        FormSpec::Shaped(shape) => {
            let (near, anchor) = survey::near::<S>(shape);
            let (shape, repairs) = S::shape(check, place, name, &near)?;
            warnings.extend(repairs.into_iter().map(|repair| format!("body \"{name}\": {repair}")));
            Ok(vec![Piece::at(String::new(), &[], &Centred::new(&shape), anchor)])
        }
        FormSpec::Generated(generator) => {
            let notes = RefCell::new(Vec::new());
            let made = generators::generate(generator, &Site { check, place, name, base, obstacles, notes: &notes })?;
            warnings.extend(notes.into_inner());
            Ok(made)
        }
        FormSpec::Mesh(file) => mesh_pieces(base, check, place, name, file, warnings),
    }
}

/// Outlines of the parts of bodies in the plane, bounded ones only, in the coordinates of the scene [m].
fn outlines<S: Dimension>(bodies: &[Body<S>], origin: [f64; 3]) -> Vec<Vec<DVec2>> {
    let mut outlines = Vec::new();
    for body in bodies.iter().filter(|body| body.shape.size().is_finite()) {
        let surface = body.shape.surface(1.0);
        let place = |index: &u32| {
            let [x, y, _] = body.pose.point(S::Vector::from_slice(&surface.points[*index as usize])).to_3d();
            DVec2::new(x + origin[0], y + origin[1])
        };
        outlines.extend(surface.polygons.iter().map(|polygon| polygon.iter().map(place).collect()));
    }
    outlines
}

/// Outlines of the parts of bodies in the plane in the axes of a generator [m]; half-planes are cut at the distance
/// `extent` from the generator.
fn around<S: Dimension>(bodies: &[Body<S>], own: &Pose<S>, extent: f64) -> Vec<Vec<DVec2>> {
    let mut outlines = Vec::new();
    for body in bodies {
        let far = 8.0 * (extent + (body.pose.position - own.position).length());
        let surface = body.shape.surface(far);
        // the polygon around the disc, not the inscribed one
        let sides = surface.points.len() as f64;
        let grown = if S::is_round(&body.shape) { 1.0 / (std::f64::consts::PI / sides).cos() } else { 1.0 };
        let place = |index: &u32| {
            let point = body.pose.point(S::Vector::from_slice(&surface.points[*index as usize]) * grown);
            let [x, y, _] = own.local_point(point).to_3d();
            DVec2::new(x, y)
        };
        outlines.extend(surface.polygons.iter().map(|polygon| polygon.iter().map(place).collect()));
    }
    outlines
}

/// One piece for each connected part of a mesh file.
fn mesh_pieces<S: Dimension>(
    base: &Path,
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    name: &str,
    file: &bodies::MeshFile,
    warnings: &mut Vec<String>,
) -> Result<Vec<Piece<S>>, SceneError> {
    let mesh_place = place.key("mesh");
    let Some(polyhedron) = S::POLYHEDRON else {
        return Err(check.error(&mesh_place, "a mesh needs a 3D scene; this scene has dim = 2"));
    };
    let scale_place = place.key("scale");
    let scale = check.positive(&scale_place, "the scale", file.scale.unwrap_or(1.0))?;
    let inset_place = place.key("inset");
    let inset = file.inset.map(|inset| check.not_negative(&inset_place, "the inset", inset)).transpose()?;
    let refuse = |message: String| check.error(&mesh_place, format!("body \"{name}\": {message}"));
    let mesh = mesh::read_file(&base.join(&file.mesh)).map_err(|e| refuse(e.to_string()))?;
    let parts = mesh.parts().map_err(|e| refuse(format!("{}: {e}", file.mesh)))?;
    let mut pieces = Vec::with_capacity(parts.len());
    let mut repairs: BTreeMap<String, usize> = BTreeMap::new();
    for (i, part) in parts.into_iter().enumerate() {
        let of = format!("{}, part {i}{}", file.mesh, part.label());
        let anchor = survey::anchor::<D3>(&part.vertices.first().map_or([0.0; 3], |v| v.map(|x| x * scale)));
        let vertices = part.vertices.iter().map(|v| DVec3::from_array(*v) * scale - anchor).collect();
        let (mut shape, repaired) = polyhedron(vertices, part.faces).map_err(|e| refuse(format!("{of}: {e}")))?;
        if let Some(inset) = inset {
            let refuse = |e| check.error(&inset_place, format!("body \"{name}\": {of}: {e}"));
            shape = S::inset(&shape, inset).map_err(refuse)?;
        }
        for repair in repaired {
            *repairs.entry(repair).or_default() += 1;
        }
        let tags: Vec<&str> = part.object.iter().map(String::as_str).collect();
        let anchor = S::Vector::from_slice(&anchor.to_array());
        pieces.push(Piece::at(format!("part[{i}]"), &tags, &Centred::new(&shape), anchor));
    }
    warnings.extend(repairs.into_iter().map(|(repair, n)| format!("body \"{name}\": {repair} (in {n} parts)")));
    Ok(pieces)
}
