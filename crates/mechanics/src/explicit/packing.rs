//! Random packings of discs by radius expansion.
//!
//! Discs are drawn small at random places without overlap, and grown in steps; after each step frictionless contacts
//! and local damping bring them to rest between the sides of the region and the obstacles. In 2D the factor from the
//! porosity n₀ to n is √((1 − n)/(1 − n₀)). Reference: Potyondy and Cundall, Int. J. Rock Mech. Min. Sci. 41 (2004).

use std::sync::Arc;

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Pose, Shape2, Solid};

use super::settings::{Damping, ExplicitGoal, ExplicitSettings, Rest};
use super::step::Explicit;
use crate::ContactRecord;
use crate::error::MechanicsError;
use crate::joints::Elastic;
use crate::model::{Body, Joint, JointTable, Material, Model, Role};
use crate::state::State;

/// Steps of the expansion.
const GROWTH_STEPS: usize = 24;
/// Time steps after each of them.
const RELAXATION: u64 = 400;
/// Time steps at the end.
const LAST_RELAXATION: u64 = 20_000;
/// Unbalanced force at the end, relative to the contact force.
const BALANCED: f64 = 1e-3;
/// Springs of the temporary contacts [Pa/m]; overlaps do not depend on them.
const STIFFNESS: f64 = 1e8;

/// A region with discs to be packed.
#[derive(Clone, Debug)]
pub struct PackingTask {
    /// Convex region, counter-clockwise [m].
    pub region: Vec<DVec2>,
    /// Convex obstacles, counter-clockwise [m].
    pub obstacles: Vec<Vec<DVec2>>,
    /// Final radii [m].
    pub radii: Vec<f64>,
    /// Start: places at which discs of `scale` times the radii do not overlap [m].
    pub centres: Vec<DVec2>,
    /// Scale at the start, below 1.
    pub scale: f64,
    /// Area of the region without the obstacles [m²].
    pub area: f64,
}

/// A packing.
#[derive(Clone, Debug)]
pub struct Packing {
    /// Centres [m].
    pub centres: Vec<DVec2>,
    /// Mean number of contacts of discs that carry.
    pub coordination: f64,
    /// Discs with less than two contacts.
    pub rattlers: usize,
    /// Largest overlap, relative to the smaller radius.
    pub overlap: f64,
    /// Unbalanced force at the end, relative to the contact force.
    pub unbalanced: f64,
    /// Porosity and compression after every step of the growth. The compression is Σ overlap · branch/(2 A): times kₙ and
    /// the length of a contact point it is the mean pressure ½ tr σ of the packing (Love and Weber).
    pub growth: Vec<[f64; 2]>,
}

impl Packing {
    /// Compression at the end.
    pub fn compression(&self) -> f64 {
        self.growth.last().map_or(0.0, |[_, compression]| *compression)
    }

    /// The smallest porosity of the growth with at most this compression, interpolated.
    pub fn porosity_with(&self, compression: f64) -> Option<f64> {
        let first = self.growth.iter().position(|[_, found]| *found > compression)?;
        let [below, above] = [self.growth.get(first.checked_sub(1)?)?, self.growth.get(first)?];
        let share = (compression - below[1]) / (above[1] - below[1]);
        Some(below[0] + share * (above[0] - below[0]))
    }
}

/// Grows the discs of a task to their size.
pub fn pack(task: &PackingTask) -> Result<Packing, MechanicsError> {
    let mut centres = task.centres.clone();
    let mut last = None;
    let mut growth = Vec::with_capacity(GROWTH_STEPS);
    let solid: f64 = task.radii.iter().map(|r| std::f64::consts::PI * r * r).sum();
    for step in 1..=GROWTH_STEPS {
        let share = step as f64 / GROWTH_STEPS as f64;
        // the area grows evenly
        let scale = (task.scale * task.scale + (1.0 - task.scale * task.scale) * share).sqrt();
        let model = Arc::new(model(task, scale, &centres)?);
        let patience = if step == GROWTH_STEPS { LAST_RELAXATION } else { RELAXATION };
        let settings = ExplicitSettings {
            damping: Damping::Local { blocks: 0.7, particles: 0.7 },
            goal: ExplicitGoal::Rest(Rest { unbalanced: BALANCED, patience }),
            report_every: u64::MAX,
            ..ExplicitSettings::default()
        };
        let state = State::initial(&model);
        let mut explicit = Explicit::new(Arc::clone(&model), settings, state)?;
        while !explicit.loading.done {
            explicit.step()?;
        }
        let first = model.bodies.len() - centres.len();
        centres = (0..centres.len()).map(|i| explicit.arrays.centre(first + i)).collect();
        growth.push([1.0 - solid * scale * scale / task.area, compression(&explicit, first, task.area)]);
        last = Some((explicit, first));
    }
    let Some((explicit, first)) = last else {
        return Ok(Packing { centres, coordination: 0.0, rattlers: 0, overlap: 0.0, unbalanced: 0.0, growth });
    };
    Ok(Packing { growth, ..measured(&explicit, first, centres) })
}

/// Σ overlap · branch/(2 A) over the contacts of the discs.
fn compression(explicit: &Explicit, first: usize, area: f64) -> f64 {
    let of = |contact: &ContactRecord<D2>| {
        let radius = |body: u32| if (body as usize) < first { 0.0 } else { explicit.arrays.pos[body as usize][2] };
        -contact.gap * (radius(contact.key.candidate) + radius(contact.key.antagonist))
    };
    let closed = explicit.contact_records().into_iter().filter(|contact| contact.gap < 0.0);
    closed.map(|contact| of(&contact)).sum::<f64>() / (2.0 * area)
}

/// Coordination, rattlers and overlaps of a packing.
fn measured(explicit: &Explicit, first: usize, centres: Vec<DVec2>) -> Packing {
    let mut contacts = vec![0usize; explicit.arrays.pos.len()];
    let mut overlap = 0.0f64;
    for contact in explicit.contact_records().iter().filter(|contact| contact.gap < 0.0) {
        let bodies = [contact.key.candidate as usize, contact.key.antagonist as usize];
        bodies.iter().for_each(|&body| contacts[body] += 1);
        let discs = bodies.iter().filter(|&&body| body >= first).map(|&body| explicit.arrays.pos[body][2]);
        overlap = overlap.max(-contact.gap / discs.fold(f64::INFINITY, f64::min));
    }
    let own = &contacts[first..];
    let carrying: Vec<usize> = own.iter().copied().filter(|&count| count >= 2).collect();
    Packing {
        coordination: carrying.iter().sum::<usize>() as f64 / carrying.len().max(1) as f64,
        rattlers: own.len() - carrying.len(),
        overlap,
        unbalanced: explicit.imbalance()[0],
        growth: Vec::new(),
        centres,
    }
}

/// The discs at a scale between the sides of the region and the obstacles.
fn model(task: &PackingTask, scale: f64, centres: &[DVec2]) -> Result<Model<D2>, MechanicsError> {
    let refuse = |what: &str, error: &dyn std::fmt::Display| MechanicsError::Part {
        what: what.to_owned(),
        reason: error.to_string(),
    };
    let mut bodies = Vec::with_capacity(task.region.len() + task.obstacles.len() + centres.len());
    let support = Role::Support(None);
    for (i, &corner) in task.region.iter().enumerate() {
        let side = task.region[(i + 1) % task.region.len()] - corner;
        // the inside of a counter-clockwise outline is on its left
        let shape = Shape2::half_plane(side.perp()).map_err(|error| refuse("region", &error))?;
        bodies.push(body(format!("side[{i}]"), shape, corner, support));
    }
    for (i, outline) in task.obstacles.iter().enumerate() {
        let shape = Shape2::hull(outline).map_err(|error| refuse("obstacle", &error))?;
        let centroid = shape.mass_properties().map_or(DVec2::ZERO, |mass| mass.centroid);
        bodies.push(body(format!("obstacle[{i}]"), shape.translated(-centroid), centroid, support));
    }
    for (i, (centre, radius)) in centres.iter().zip(&task.radii).enumerate() {
        let shape = Shape2::disc(radius * scale).map_err(|error| refuse("disc", &error))?;
        bodies.push(body(format!("disc[{i}]"), shape, *centre, Role::Free));
    }
    let joint = Joint { elastic: Some(Elastic::new(STIFFNESS, STIFFNESS)), ..Joint::coulomb(0.0) };
    let materials = vec![Material { name: "grain".to_owned(), density: 1.0, strength: None }];
    Ok(Model::new(bodies, materials, JointTable::uniform(1, joint)))
}

fn body(name: String, shape: Shape2, at: DVec2, role: Role) -> Body<D2> {
    let (mass, inertia) = shape.mass_properties().map_or((1.0, 1.0), |mass| (mass.volume, mass.inertia));
    let pose = Pose::at(at);
    let (tags, material, velocity, spin) = (Vec::new(), 0, DVec2::ZERO, 0.0);
    Body { name, tags, shape: Arc::new(shape), material, mass, inertia, role, pose, velocity, spin }
}
