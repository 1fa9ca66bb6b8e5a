//! One time of a run, dimension erased, for recorders and pictures.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use voussoir_geometry::{Aabb, Pose, Solid, Space, Surface, Vector};

use crate::born::{BodyDescription, with_born};
use crate::contacts::ContactRecord;
use crate::elastic::shown;
use crate::error::MechanicsError;
use crate::model::{Body, Cable, Model, Role};
use crate::state::{CableMemory, State};
use crate::stepper::Stepper;

/// Constant data of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cast {
    /// 2 or 3.
    pub dimension: usize,
    /// All bodies in model order.
    pub bodies: Vec<CastBody>,
    /// Material names.
    pub materials: Vec<String>,
    /// All cables in model order.
    pub cables: Vec<CastCable>,
    /// Features of the frames besides rigid motions of these bodies.
    pub features: Features,
    /// Origin of all positions in survey coordinates [m]; zero for scenes near the zero of their coordinates.
    pub origin: [f64; 3],
}

/// Features of the frames of a run besides rigid motions of the bodies known at its start. A recording reserves space
/// for these features only.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Features {
    /// Bodies may appear that are unknown at the start of the run.
    pub appearing: bool,
    /// Bodies may be deformed ([`Snapshot::deformed`]).
    pub deforming: bool,
    /// Scalars at the points of deformed bodies, in the order of [`Deformed::values`].
    pub point_fields: Vec<FieldInfo>,
    /// Scalars of bodies, in the order of [`Snapshot::body_fields`].
    pub body_fields: Vec<FieldInfo>,
}

/// Name and unit of a scalar that an analysis computes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldInfo {
    /// Name, for instance `von_mises`.
    pub name: String,
    /// Unit, for instance `Pa`; empty without unit.
    pub unit: String,
}

/// One cable of the [`Cast`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CastCable {
    /// Name in the scene.
    pub name: String,
    /// Largest tension [N].
    pub strength: Option<f64>,
    /// Bodies on which it is anchored, in order.
    pub anchors: Vec<u32>,
}

/// One body of the [`Cast`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CastBody {
    /// Name in the scene.
    pub name: String,
    /// Index of the material.
    pub material: usize,
    /// True for supports.
    pub support: bool,
    /// Mass [kg].
    pub mass: f64,
    /// Volume [m³], in 2D with the scene's depth; zero where it is not known.
    pub volume: f64,
    /// Form in body axes.
    pub form: BodyForm,
}

/// Form of a body, in its own axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum BodyForm {
    /// Polygons.
    Polygons(Surface),
    /// A disc (2D) or a sphere (3D) about the centroid.
    Ball {
        /// Radius [m].
        radius: f64,
    },
}

impl From<Surface> for BodyForm {
    fn from(surface: Surface) -> Self {
        Self::Polygons(surface)
    }
}

/// The surface of a ball, which has no polygons.
const NO_POLYGONS: &Surface = &Surface { points: Vec::new(), polygons: Vec::new() };

impl CastBody {
    /// Points and polygons; none for a ball.
    pub fn surface(&self) -> &Surface {
        match &self.form {
            BodyForm::Polygons(surface) => surface,
            BodyForm::Ball { .. } => NO_POLYGONS,
        }
    }

    /// Radius of a ball [m]; `None` for polygons.
    pub fn ball(&self) -> Option<f64> {
        match self.form {
            BodyForm::Polygons(_) => None,
            BodyForm::Ball { radius } => Some(radius),
        }
    }

    /// Distance of the farthest point from the centroid [m].
    pub fn reach(&self) -> f64 {
        let square = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>();
        match &self.form {
            BodyForm::Polygons(surface) => surface.points.iter().map(square).fold(0.0, f64::max).sqrt(),
            BodyForm::Ball { radius } => *radius,
        }
    }

    /// Polygons for formats without balls: a ball is approximated in `dimension` dimensions.
    pub fn polygons(&self, dimension: usize) -> Cow<'_, Surface> {
        match &self.form {
            BodyForm::Polygons(surface) => Cow::Borrowed(surface),
            BodyForm::Ball { radius } => Cow::Owned(Surface::ball(dimension, *radius)),
        }
    }
}

/// Positions, velocities and contacts at one time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// [s]
    pub time: f64,
    /// Steps done.
    pub step: u64,
    /// One per body.
    pub bodies: Vec<BodySnapshot>,
    /// All contacts of the step.
    pub contacts: Vec<ContactSnapshot>,
    /// Cables, ties and anchors.
    pub cables: Vec<CableSnapshot>,
    /// Bodies that are deformed, by rising index; all others have the form of the cast.
    pub deformed: Vec<Deformed>,
    /// One list per field of [`Features::body_fields`], each with one value per body; NaN where there is none.
    pub body_fields: Vec<Vec<f64>>,
}

impl Snapshot {
    /// Points of a body in body axes [m]: deformed points if it is deformed, otherwise those of the cast.
    pub fn points_of<'a>(&'a self, cast: &'a Cast, body: usize) -> &'a [[f64; 3]] {
        match self.deformed.binary_search_by_key(&body, |deformed| deformed.body as usize) {
            Ok(index) => &self.deformed[index].points,
            Err(_) => cast.bodies.get(body).map_or(&[], |body| &body.surface().points),
        }
    }
}

/// A deformed body at one time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Deformed {
    /// Index of the body.
    pub body: u32,
    /// Points of its surface [m], as many as the cast has, in body axes: the rigid part of the motion stays in the
    /// pose, which is recorded in double precision, and a body that moves without further deformation keeps its points.
    pub points: Vec<[f64; 3]>,
    /// One list per field of [`Features::point_fields`], each with one value per point.
    pub values: Vec<Vec<f64>>,
}

/// One cable at one time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CableSnapshot {
    /// Points of its path, from end to end [m]; empty if it is broken or absent.
    pub points: Vec<[f64; 3]>,
    /// Tension [N].
    pub force: f64,
}

/// One body at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodySnapshot {
    /// Centroid [m].
    pub position: [f64; 3],
    /// Quaternion (x, y, z, w).
    pub rotation: [f64; 4],
    /// Velocity of the centroid, world axes [m/s].
    pub velocity: [f64; 3],
    /// Spin, world axes [rad/s].
    pub spin: [f64; 3],
    /// True if the body is absent: not yet added, or removed.
    pub absent: bool,
}

/// One contact at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactSnapshot {
    /// Candidate and antagonist.
    pub bodies: [u32; 2],
    /// [m]
    pub position: [f64; 3],
    /// From antagonist to candidate.
    pub normal: [f64; 3],
    /// [m]
    pub gap: f64,
    /// Force on the candidate, world axes [N].
    pub force: [f64; 3],
    /// Share of the point in the area of the interface [m²].
    pub area: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// 0 open, 1 stick, 2 slide.
    pub status: u8,
    /// Damage of the bond: 0 sound … 1 broken. Zero without a bond.
    pub damage: f64,
    /// Accumulated slip since the contact was first detected, ≥ 0 [m].
    pub slip: f64,
}

/// The constant part of a recording. Unbounded supports are drawn as large as the rest of the structure.
pub fn cast<S: Space>(model: &Model<S>) -> Cast {
    let mut bounds: Option<Aabb<S>> = None;
    for body in model.bodies.iter().filter(|body| body.shape.size().is_finite()) {
        let own = body.shape.bounds(&body.pose);
        bounds = Some(bounds.map_or(own, |all| all.union(&own)));
    }
    let extent = 2.0 * bounds.map_or(1.0, |b| (b.max - b.min).length());
    let mut bodies: Vec<CastBody> = model.bodies.iter().map(|body| cast_body(model, body, extent)).collect();
    let features = shown::prepare(model, &mut bodies);
    Cast {
        dimension: S::DIM,
        bodies,
        materials: model.materials.iter().map(|material| material.name.clone()).collect(),
        cables: model.cables.iter().map(cast_cable).collect(),
        features,
        origin: model.origin.to_3d(),
    }
}

/// The same with the bodies that appeared in the run, as recorders need it to continue from a state.
pub fn cast_with_born<S: Space>(model: &Model<S>, born: &[BodyDescription]) -> Result<Cast, MechanicsError> {
    let whole = with_born(model, born)?;
    let mut cast = cast(model);
    // bodies that appear are bounded
    cast.bodies.extend(whole.bodies[model.bodies.len()..].iter().map(|body| cast_body(&whole, body, 0.0)));
    Ok(cast)
}

/// A body as recorders see it; an unbounded one is drawn with the size `extent` [m].
pub(crate) fn cast_body<S: Space>(model: &Model<S>, body: &Body<S>, extent: f64) -> CastBody {
    CastBody {
        name: body.name.clone(),
        material: body.material,
        support: body.role != Role::Free,
        mass: body.mass,
        volume: volume(body.mass, model.materials[body.material].density),
        form: form::<S>(&body.shape, extent),
    }
}

/// Form of a shape; unbounded shapes are drawn with the size `extent` [m].
pub fn form<S: Space>(shape: &S::Shape, extent: f64) -> BodyForm {
    match shape.centred_ball() {
        Some(radius) => BodyForm::Ball { radius },
        None => BodyForm::Polygons(shape.surface(extent)),
    }
}

fn cast_cable<S: Space>(cable: &Cable<S>) -> CastCable {
    let anchors = cable.anchors.iter().map(|anchor| anchor.body as u32).collect();
    CastCable { name: cable.name.clone(), strength: cable.strength, anchors }
}

/// m/ρ, if both are known.
fn volume(mass: f64, density: f64) -> f64 {
    let volume = mass / density;
    if volume.is_finite() { volume } else { 0.0 }
}

impl<S: Space> Stepper<S> {
    /// The present state with the contacts of the last step.
    pub fn snapshot(&self) -> Snapshot {
        let state = self.state();
        let mut snapshot = Snapshot {
            time: state.time,
            step: state.step,
            bodies: bodies::<S>(state),
            contacts: self.contacts().iter().map(contact_snapshot).collect(),
            cables: self
                .model()
                .cables
                .iter()
                .zip(&state.cables)
                .map(|(c, now)| cable_snapshot(c, now, &state.poses))
                .collect(),
            ..Snapshot::default()
        };
        shown::show(self.model(), state, &mut snapshot);
        snapshot
    }
}

/// All bodies, absent ones too.
pub(crate) fn bodies<S: Space>(state: &State<S>) -> Vec<BodySnapshot> {
    let moving = state.poses.iter().zip(state.velocities.chunks_exact(S::DOFS)).map(body_snapshot::<S>);
    let absent = state.presence.iter().map(|presence| !presence.is_there());
    let shown = |(body, absent)| match absent {
        true => BodySnapshot { absent, velocity: [0.0; 3], spin: [0.0; 3], ..body },
        false => body,
    };
    moving.zip(absent).map(shown).collect()
}

/// A body of a frame: pose and velocity (dofs).
pub fn body_snapshot<S: Space>((pose, velocity): (&Pose<S>, &[f64])) -> BodySnapshot {
    let (linear, spin) = S::unpack(velocity);
    BodySnapshot {
        position: pose.position.to_3d(),
        rotation: S::rotation_to_quaternion(pose.rotation),
        velocity: linear.to_3d(),
        spin: S::spin_to_3d(S::spin_to_world(pose.rotation, spin)),
        absent: false,
    }
}

/// A cable of a frame; without points if it is broken or absent.
pub fn cable_snapshot<S: Space>(cable: &Cable<S>, now: &CableMemory, poses: &[Pose<S>]) -> CableSnapshot {
    let way = if now.holds() { cable.way(poses) } else { Vec::new() };
    CableSnapshot { points: way.into_iter().map(Vector::to_3d).collect(), force: now.tension }
}

/// A contact of a frame.
pub fn contact_snapshot<S: Space>(contact: &ContactRecord<S>) -> ContactSnapshot {
    ContactSnapshot {
        bodies: [contact.key.candidate, contact.key.antagonist],
        position: contact.position.to_3d(),
        normal: contact.normal.to_3d(),
        gap: contact.gap,
        force: contact.force.to_3d(),
        area: contact.area,
        friction: contact.friction,
        status: contact.status as u8,
        damage: contact.damage,
        slip: contact.slip,
    }
}
