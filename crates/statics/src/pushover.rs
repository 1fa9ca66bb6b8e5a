//! Load–displacement curves up to collapse, by displacement control: a limit analysis in every configuration of the
//! structure.
//!
//! A step computes the load λ that is in equilibrium at the *end* of the step, when the load moves by Δ along its path:
//! ```text
//! J v + g/Δ ∈ K*,   f_L·v = 1,   r ∈ K ⊥ …,   Jᵀr + λ f_L + f_D = 0
//! ```
//! with the gaps g of all contacts within reach: joints open and close, and penetration from linearised steps is
//! corrected. Bodies then move by Δ v, with finite rotations. Rigid blocks do not move below the limit load: the curve
//! starts there and decreases (or increases, if the structure hardens).
//!
//! A *settlement* moves a support instead, f_L = 0: the forces are those of least reaction, and the curve ends when no
//! admissible forces are left.

use std::sync::Arc;

use serde::Serialize;
use voussoir_geometry::{Pose, Space, Vector};
use voussoir_mechanics::ContactRecord;
use voussoir_mechanics::inspect::contacts_within;
use voussoir_mechanics::model::Model;

use crate::conic::{self, Engine, Outcome};
use crate::equilibrium::{Capacity, Law, Terms};
use crate::error::StaticsError;
use crate::limit::{LimitAnswer, LimitSettings, LimitVerdict, limit};
use crate::loads::{Question, unit};
use crate::structure::{CLOSED, Structure};

/// Gaps of at most this size, relative to the smaller body, are closed.
const DEAD_BAND: f64 = 1e-9;

/// Contacts are detected up to the distance that bodies move in this many steps.
const DETECTION_STEPS: f64 = 4.0;

/// Fraction of μ that remains as dilatancy.
const DILATANCY: f64 = 1e-2;

/// Settings of a pushover.
#[derive(Clone, Debug, PartialEq)]
pub struct PushoverSettings {
    /// Farthest that a point moves in a step [m]; `None`: a two-hundredth of the structure's height.
    pub step: Option<f64>,
    /// Maximum number of steps.
    pub steps: usize,
    /// Dilatant joints, or joints that slide without opening (with the normal forces of the dilatant solution).
    pub associated: bool,
    /// Time at which the dead loads are evaluated [s].
    pub time: f64,
    /// Solver of the conic programs.
    pub engine: Engine,
}

impl Default for PushoverSettings {
    fn default() -> Self {
        Self { step: None, steps: 400, associated: false, time: 0.0, engine: Engine::Own }
    }
}

/// End of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CurveEnd {
    /// The load is zero: the structure collapses under the dead loads.
    Collapse,
    /// No admissible forces are left.
    NoEquilibrium,
    /// Maximum number of steps reached.
    Steps,
    /// The load is unbounded.
    Unbounded,
    /// A step was not solved to tolerance.
    Undecided,
}

/// One point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// Displacement of the load along its force, mean over all loaded bodies; of the support in a settlement \[m\].
    pub displacement_m: f64,
    /// Multiplier of the load; reaction of the support against its motion in a settlement \[N\].
    pub load: f64,
    /// Largest displacement of a centroid \[m\].
    pub farthest_m: f64,
}

/// A load–displacement curve.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// Its points.
    pub points: Vec<CurvePoint>,
    /// Reason for its end.
    pub end: CurveEnd,
    /// Final displacement: at zero load, or the largest settlement \[m\].
    pub capacity_m: f64,
    /// Limit analysis of the structure as built; none for settlements.
    pub limit: Option<LimitAnswer>,
    /// Newton steps in all.
    pub iterations: usize,
}

/// The curve, and the poses of all bodies at each of its points.
#[derive(Clone, Debug)]
pub struct Pushover<S: Space> {
    /// The curve.
    pub curve: Curve,
    /// Poses (points × bodies).
    pub poses: Vec<Vec<Pose<S>>>,
    /// Contacts with their forces at each point, from the step that led there.
    pub contacts: Vec<Vec<ContactRecord<S>>>,
}

/// Driving action of a pushover.
enum Drive<S: Space> {
    Load(Question<S>),
    /// A support and the direction in which it moves.
    Support(usize, S::Vector),
}

/// Increases the displacement of a load until the load is zero.
pub fn pushover<S: Space>(
    model: impl Into<Arc<Model<S>>>,
    question: &Question<S>,
    settings: &PushoverSettings,
) -> Result<Pushover<S>, StaticsError> {
    let model = model.into();
    let mut structure = Structure::new(model.clone(), CLOSED)?;
    let first = LimitSettings { engine: settings.engine, time: settings.time, ..Default::default() };
    let answer = limit(&mut structure, question, &first)?;
    let end = match answer.verdict {
        LimitVerdict::Limit => None,
        LimitVerdict::Unbounded => Some(CurveEnd::Unbounded),
        LimitVerdict::Falls => Some(CurveEnd::NoEquilibrium),
        LimitVerdict::Undecided => Some(CurveEnd::Undecided),
    };
    let mut walk = Walk::new(structure, Drive::Load(question.clone()), settings);
    if let Some(end) = end {
        return Ok(walk.finish(end, Some(answer)));
    }
    let end = walk.run(settings)?;
    Ok(walk.finish(end, Some(answer)))
}

/// Moves a support until no equilibrium is left.
pub fn settlement<S: Space>(
    model: impl Into<Arc<Model<S>>>,
    support: usize,
    direction: S::Vector,
    settings: &PushoverSettings,
) -> Result<Pushover<S>, StaticsError> {
    let model = model.into();
    let direction = unit::<S>("the direction of the settlement", direction)?;
    let structure = Structure::new(model.clone(), CLOSED)?;
    let name = structure.name(support).to_owned();
    if !structure.supports().contains(&support) {
        let known = structure.supports().iter().map(|&i| structure.name(i).to_owned()).collect();
        return Err(StaticsError::UnknownBody { what: "support with a reaction", name, known });
    }
    let mut walk = Walk::new(structure, Drive::Support(support, direction), settings);
    let end = walk.run(settings)?;
    Ok(walk.finish(end, None))
}

struct Walk<S: Space> {
    structure: Structure<S>,
    drive: Drive<S>,
    start: Vec<Pose<S>>,
    /// Largest displacement of a point in a step [m].
    step: f64,
    /// Displacement so far [m].
    displacement: f64,
    points: Vec<CurvePoint>,
    poses: Vec<Vec<Pose<S>>>,
    contacts: Vec<Vec<ContactRecord<S>>>,
    iterations: usize,
}

impl<S: Space> Walk<S> {
    fn new(structure: Structure<S>, drive: Drive<S>, settings: &PushoverSettings) -> Self {
        let start = structure.poses.clone();
        let heights = structure.body.iter().map(|&i| start[i].position.get(S::UP));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), z| (l.min(z), h.max(z)));
        let largest = structure.size.iter().copied().fold(0.0, f64::max);
        let step = settings.step.unwrap_or((high - low).max(largest) / 200.0);
        Self {
            structure,
            drive,
            start,
            step,
            displacement: 0.0,
            points: Vec::new(),
            poses: Vec::new(),
            contacts: Vec::new(),
            iterations: 0,
        }
    }

    /// Stores the current configuration with its load.
    fn record(&mut self, load: f64) {
        let moved = |&i: &usize| (self.structure.poses[i].position - self.start[i].position).length();
        let farthest_m = self.structure.body.iter().map(moved).fold(0.0, f64::max);
        self.points.push(CurvePoint { displacement_m: self.displacement, load, farthest_m });
        self.poses.push(self.structure.poses.clone());
        self.contacts.push(self.structure.contacts.clone());
    }

    fn finish(self, end: CurveEnd, limit: Option<LimitAnswer>) -> Pushover<S> {
        let capacity_m = match (&self.points[..], end) {
            // zero crossing of the last segment of the curve
            ([.., a, b], CurveEnd::Collapse) if a.load != b.load => {
                a.displacement_m + (b.displacement_m - a.displacement_m) * a.load / (a.load - b.load)
            }
            ([.., last], _) => last.displacement_m,
            ([], _) => 0.0,
        };
        let curve = Curve { points: self.points, end, capacity_m, limit, iterations: self.iterations };
        Pushover { curve, poses: self.poses, contacts: self.contacts }
    }

    fn run(&mut self, settings: &PushoverSettings) -> Result<CurveEnd, StaticsError> {
        // Δ per unit of work-conjugate velocity; estimated in the first step
        let mut advance = None;
        for _ in 0..settings.steps {
            match self.advance(settings, &mut advance)? {
                None => {}
                Some(end) => return Ok(end),
            }
            let falls = matches!(self.drive, Drive::Load(_)) && self.points.last().is_some_and(|p| p.load <= 0.0);
            if falls {
                return Ok(CurveEnd::Collapse);
            }
        }
        Ok(CurveEnd::Steps)
    }

    /// One step; returns the reason if it fails.
    fn advance(
        &mut self,
        settings: &PushoverSettings,
        advance: &mut Option<f64>,
    ) -> Result<Option<CurveEnd>, StaticsError> {
        let model = self.structure.model.clone();
        let smallest = self.structure.size.iter().copied().fold(f64::INFINITY, f64::min);
        let reach = (DETECTION_STEPS * self.step / smallest).max(CLOSED);
        let contacts = contacts_within(&model, &self.structure.poses, reach);
        let poses = self.structure.poses.clone();
        self.structure = Structure::with_contacts(model, poses, contacts)?;
        let structure = &mut self.structure;
        let (dead, live) = match &self.drive {
            Drive::Load(question) => {
                let name = if let Question::Named(name) = question { Some(name.as_str()) } else { None };
                (structure.dead_load(settings.time, name), Some(structure.live_load(question, settings.time)?))
            }
            Drive::Support(..) => (structure.dead_load(settings.time, None), None),
        };
        let capacity = Capacity::default();
        let mut solve = |structure: &Structure<S>, law: Law<'_>, size: Option<f64>| {
            let price = price(structure, &self.drive, size);
            let terms = Terms { live: live.as_deref(), price: Some(&price), law, ..Terms::new(&dead, &capacity) };
            let posed = structure.pose(&terms);
            let solution = conic::solve(&posed.program, settings.engine);
            self.iterations += solution.iterations;
            let velocities = posed.velocities(&solution);
            (posed, solution, velocities)
        };
        // the size of a step is known after a trial in which only the signs of the gaps are used
        let mut trial = solve(structure, Law::Associated { friction: 1.0 }, *advance);
        if let Some(end) = failure(trial.1.outcome) {
            return Ok(Some(end));
        }
        let own = if live.is_none() { 1.0 } else { 0.0 };
        let wanted = self.step / structure.fastest(&trial.2).max(own);
        // keep Δ while it gives steps of about the required size
        if !advance.is_some_and(|size| (0.3..3.0).contains(&(size / wanted))) {
            *advance = Some(wanted);
            trial = solve(structure, Law::Associated { friction: 1.0 }, *advance);
            if let Some(end) = failure(trial.1.outcome) {
                return Ok(Some(end));
            }
        }
        let size = advance.unwrap_or(wanted);
        if !settings.associated {
            // friction of the normal forces of the associated solution, without dilatancy
            let forces = trial.0.forces(&trial.1);
            let normal: Vec<f64> = forces.chunks_exact(S::DIM).map(|force| force[0]).collect();
            let least = structure.contacts.iter().map(|c| c.friction).fold(f64::INFINITY, f64::min);
            let again = solve(
                structure,
                Law::Fixed { dilatancy: DILATANCY * least, normal: &normal, nearness: 0.0 },
                Some(size),
            );
            if again.1.outcome == Outcome::Optimal {
                trial = again;
            }
        }
        let (posed, solution, velocities) = trial;
        let forces = posed.forces(&solution);
        structure.keep_forces(&forces);
        let load = match &self.drive {
            Drive::Load(_) => posed.load_factor(&solution),
            Drive::Support(support, direction) => -structure.reaction(*support).dot(*direction),
        };
        self.record(load);
        let structure = &self.structure;
        let moved = match (&self.drive, &live) {
            (Drive::Load(_), Some(live)) => {
                let total: f64 = live.chunks_exact(S::DOFS).map(|f| S::unpack(f).0.length()).sum();
                let work = structure.work(live, &velocities);
                if total > 0.0 { size * work / total } else { size * work }
            }
            _ => size,
        };
        self.move_bodies(&velocities, size);
        self.displacement += moved;
        Ok(None)
    }

    /// Moves all bodies with their velocities during `size`, and the support that is driven.
    fn move_bodies(&mut self, velocities: &[f64], size: f64) {
        let structure = &mut self.structure;
        for (k, &i) in structure.body.iter().enumerate() {
            let (linear, spin) = S::unpack(&velocities[k * S::DOFS..][..S::DOFS]);
            let pose = &mut structure.poses[i];
            *pose = Pose { position: pose.position + linear * size, rotation: S::advance(pose.rotation, spin, size) };
        }
        if let Drive::Support(support, direction) = self.drive {
            structure.poses[support].position += direction * size;
        }
    }
}

/// End of the curve for a program without an optimum.
fn failure(outcome: Outcome) -> Option<CurveEnd> {
    match outcome {
        Outcome::Optimal => None,
        Outcome::NoForces => Some(CurveEnd::NoEquilibrium),
        Outcome::Unbounded => Some(CurveEnd::Unbounded),
        Outcome::Stalled => Some(CurveEnd::Undecided),
    }
}

/// g/Δ along the normals, minus the velocity of the moving support; without Δ, open contacts are excluded.
fn price<S: Space>(structure: &Structure<S>, drive: &Drive<S>, size: Option<f64>) -> Vec<S::Vector> {
    structure
        .contacts
        .iter()
        .map(|contact| {
            let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
            let node = |body: usize| structure.node[body].map_or(f64::INFINITY, |n| structure.size[n as usize]);
            let smaller = node(a).min(node(b));
            let gap = match contact.gap {
                gap if gap.abs() <= DEAD_BAND * smaller => 0.0,
                gap => gap,
            };
            let rate = match size {
                Some(size) => gap / size,
                // only the sign is used here
                None => gap.max(0.0) / smaller * 1e6,
            };
            let own = match drive {
                Drive::Support(support, direction) if *support == b => *direction,
                _ => S::zero(),
            };
            contact.normal * rate - own
        })
        .collect()
}
