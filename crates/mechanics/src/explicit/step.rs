//! One step of the explicit analysis ([`Explicit::step`]):
//!
//! velocities and positions → supports → detection if bodies have travelled → loads → contact forces → ledger → ending

use std::collections::HashMap;
use std::sync::Arc;

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::planar::default_rounding;
use voussoir_geometry::{D2, Pose};

use super::arrays::{Arrays, Four};
use super::contact::Scratch;
use super::forces::{Sums, Sweep, sweep};
use super::law::Laws;
use super::lists::{Lists, MARGIN};
use super::memory::{ExplicitMemory, Loading, StableState};
use super::motion::{DampingNow, Extent, MotionSums, advance};
use super::settings::{ExplicitGoal, ExplicitSettings};
use super::stability::Stiffness;
use crate::error::MechanicsError;
use crate::model::{Model, Role};
use crate::report::StepReport;
use crate::state::{EnergyLedger, State};

/// Share of the margin that a body must have travelled for a new detection.
const TRAVEL: f64 = 0.8;

/// Explicit central differences on the contacts of a 2D model.
#[derive(Debug)]
pub struct Explicit {
    pub(super) model: Arc<Model<D2>>,
    pub(super) settings: ExplicitSettings,
    /// The common state; positions, velocities and contacts are written into it at frames and checkpoints.
    pub(super) state: State<D2>,
    pub(super) arrays: Arrays,
    pub(super) lists: Lists,
    pub(super) laws: Laws,
    pub(super) scratch: Scratch,
    pub(super) extents: Vec<Extent>,
    pub(super) rounding: f64,
    pub(super) margin: f64,
    /// Thickness out of the plane [m].
    pub(super) depth: f64,
    /// Lengths of points of joints that are closed in the scene [m].
    lengths: HashMap<(u32, u32), f64>,
    /// Masses before scaling.
    true_mass: Vec<Four>,
    /// Least, mean and largest factor of mass scaling.
    pub(super) factors: Option<[f64; 3]>,
    pub(super) critical: f64,
    pub(super) dt: f64,
    pub(super) damping: DampingNow,
    /// Sums over the pairs with an outline in this step.
    outlined: Sums,
    /// Largest overlap at a rounded corner so far, relative to half of its radius, and the two bodies.
    pub(super) deepest: (f64, u32, u32),
    /// Sums over all contacts, once they are known in this step.
    measured: Option<Sums>,
    pub(super) motion: MotionSums,
    pub(super) detected: Vec<Pose<D2>>,
    travelled: f64,
    /// Supports with a prescribed motion.
    moving: Vec<usize>,
    pub(super) balance: f64,
    pub(super) loading: Loading,
    pub(super) stable: Option<Box<StableState<D2>>>,
    /// Generalised force of every load at the present time, (x, y, moment).
    load_forces: Vec<[f64; 3]>,
    /// Mean and largest unbalanced force, relative to the mean contact force.
    pub(super) unbalanced: [f64; 2],
    pub(super) report: StepReport,
}

impl Explicit {
    /// Starts from a state of the model.
    pub fn new(model: Arc<Model<D2>>, settings: ExplicitSettings, state: State<D2>) -> Result<Self, MechanicsError> {
        model.check()?;
        settings.check()?;
        state.check(&model)?;
        super::start::check_model(&model, &settings, &state)?;
        let rounding =
            settings.rounding.unwrap_or_else(|| default_rounding(model.bodies.iter().map(|body| &*body.shape)));
        let arrays = Arrays::new(&model, &state, rounding, &settings.guides)?;
        let laws = Laws::new(&model, super::start::meets(&model))?;
        let extent = |i: usize| Extent { round: arrays.outline(i).is_none(), reach: arrays.reach(i) };
        let extents = (0..model.bodies.len()).map(extent).collect();
        let damping = DampingNow { law: settings.damping, alpha: super::start::first_alpha(settings.damping) };
        let margin = settings.margin.unwrap_or_else(|| MARGIN * super::start::smallest(&model));
        let moves = |i: &usize| matches!(model.bodies[*i].role, Role::Support(Some(_)));
        let moving = (0..model.bodies.len()).filter(moves).filter(|&i| arrays.there[i] && !arrays.free[i]).collect();
        let mut explicit = Self {
            depth: super::start::depth(&model),
            lengths: super::start::drawn_lengths(&model, &state, rounding, &laws)?,
            true_mass: arrays.mass.clone(),
            detected: state.poses.clone(),
            lists: Lists::default(),
            scratch: Scratch::new(),
            factors: None,
            critical: f64::INFINITY,
            dt: 0.0,
            outlined: Sums::default(),
            deepest: (0.0, 0, 0),
            measured: None,
            motion: MotionSums::default(),
            travelled: 0.0,
            moving,
            balance: 0.0,
            loading: super::ending::first_loading(&settings),
            stable: None,
            load_forces: Vec::new(),
            unbalanced: [f64::INFINITY; 2],
            report: StepReport::empty(),
            model,
            settings,
            state,
            arrays,
            laws,
            extents,
            rounding,
            margin,
            damping,
        };
        explicit.begin()?;
        Ok(explicit)
    }

    /// Lists, forces and the step of the state in which the analysis starts.
    fn begin(&mut self) -> Result<(), MechanicsError> {
        let memory = self.state.explicit.take();
        let resumed = memory.as_ref().is_some_and(|memory| memory.stage == self.state.position.stage);
        if let (Some(memory), true) = (&memory, resumed) {
            (self.balance, self.loading) = (memory.balance, memory.loading);
            (self.stable, self.damping.alpha) = (memory.stable.clone(), memory.alpha);
            self.unbalanced = memory.unbalanced;
            self.place(&memory.detected.clone());
        }
        self.detect()?;
        self.travelled = memory.as_ref().filter(|_| resumed).map_or(0.0, |memory| memory.travelled);
        let poses = self.state.poses.clone();
        self.place(&poses);
        self.recall(memory.as_deref());
        self.arrays.clear_forces();
        self.load(0.0);
        self.contacts(0.0);
        if memory.is_none() && matches!(self.settings.goal, ExplicitGoal::Time(_)) {
            // velocities half a step back, as central differences have them
            for i in (0..self.arrays.pos.len()).filter(|&i| self.arrays.free[i]) {
                for k in 0..3 {
                    self.arrays.vel[i][k] -= 0.5 * self.arrays.force[i][k] * self.arrays.inverse[i][k] * self.dt;
                }
            }
        }
        if !resumed {
            // overlaps in the drawing store energy from the start
            let stored = self.sums().stored;
            let ledger = &mut self.state.ledger;
            ledger.construction += stored - ledger.springs;
            ledger.elastic += stored - ledger.springs;
            ledger.springs = stored;
            super::start::check_rounding(self, &self.lengths)?;
            self.balance = self.kinetic().iter().sum::<f64>() + Self::balance_of_ledger(&self.state.ledger);
        }
        Ok(())
    }

    /// One step.
    pub fn step(&mut self) -> Result<(), MechanicsError> {
        let (dt, time) = (self.dt, self.state.time + self.dt);
        self.loading.steps += 1;

        // velocities half a step ahead of the forces, positions at the end of the step
        self.motion = advance(&mut self.arrays, &self.extents, &self.damping, dt);
        self.damping.adapt(&self.motion, dt);
        let moved = self.move_supports(time, dt);
        self.arrays.turn_outlines();
        self.state.time = time;

        // detection, if bodies may have come closer than the margin of the lists
        self.travelled += (self.motion.fastest.sqrt() * dt).max(moved);
        if self.travelled > self.margin {
            self.travelled = self.farthest();
            if self.travelled > TRAVEL * self.margin {
                self.detect()?;
            }
        }

        // weights, loads, contacts
        let before: Vec<Four> = self.moving.iter().map(|&i| self.arrays.force[i]).collect();
        self.arrays.clear_held();
        self.load(dt);
        let friction = self.contacts(dt);

        // energies
        let after = self.moving.iter().map(|&i| (self.arrays.force[i], self.arrays.vel[i]));
        let work = |((now, v), before): ((Four, Four), &Four)| -> f64 {
            (0..3).map(|k| -0.5 * (now[k] + before[k]) * v[k] * dt).sum()
        };
        let supports: f64 = after.zip(&before).map(work).sum();
        let ledger = &mut self.state.ledger;
        ledger.supports += supports;
        ledger.gravity += self.motion.gravity;
        ledger.damping += self.motion.damping;
        ledger.friction += friction;

        self.state.step += 1;
        self.state.position.steps += 1;
        self.look_for_the_end()
    }

    /// Contact forces at the present positions, which a step of `dt` led to; returns the energy dissipated by friction [J].
    pub(super) fn contacts(&mut self, dt: f64) -> f64 {
        let with = Sweep { dt, rounding: self.rounding, points: self.settings.points };
        let (friction, outlined) = sweep(&mut self.arrays, &mut self.lists, &self.laws, &mut self.scratch, with);
        (self.outlined, self.measured) = (outlined, None);
        if outlined.deepest.0 > self.deepest.0 {
            self.deepest = outlined.deepest;
        }
        self.settings.linked.iter().for_each(|group| self.arrays.share_forces(group));
        friction
    }

    /// Sums over all contacts at the present positions.
    pub(super) fn sums(&self) -> Sums {
        self.measured.unwrap_or_else(|| {
            let mut sums = super::discs::measure(&self.arrays.pos, &self.lists.discs, &self.laws);
            sums.join(&self.outlined);
            sums
        })
    }

    /// The ledger with the energy that springs store at the present positions.
    pub(super) fn ledger_with_springs(&mut self) -> EnergyLedger {
        let sums = self.sums();
        self.measured = Some(sums);
        let mut ledger = self.state.ledger;
        ledger.elastic += sums.stored - ledger.springs;
        ledger.springs = sums.stored;
        ledger
    }

    /// Sets the poses of bodies, for detection.
    pub(super) fn place(&mut self, poses: &[Pose<D2>]) {
        for (pos, pose) in self.arrays.pos.iter_mut().zip(poses) {
            (pos[0], pos[1], pos[3]) = (pose.position.x, pose.position.y, pose.rotation);
        }
        self.arrays.turn_outlines();
    }

    /// Poses of all bodies.
    pub(super) fn poses(&self) -> Vec<Pose<D2>> {
        let pose = |pos: &Four| Pose { position: DVec2::new(pos[0], pos[1]), rotation: pos[3] };
        self.arrays.pos.iter().map(pose).collect()
    }

    /// New lists, and the time step for them.
    pub(super) fn detect(&mut self) -> Result<(), MechanicsError> {
        self.detected = self.poses();
        self.travelled = 0.0;
        let gap = 2.0 * self.margin;
        let (lengths, arrays, laws, model) = (&self.lengths, &self.arrays, &self.laws, &self.model);
        let length = |a: u32, b: u32| super::start::point_lengths(model, laws, arrays, lengths, a, b);
        self.lists = self.lists.rebuilt(model, arrays, laws, gap, &length);
        let points = self.settings.points;
        let stiffness = Stiffness::new(&self.arrays, &self.lists, &self.laws, &mut self.scratch, gap, points);
        if let Some((mass, factors, step)) = stiffness.scaled(&self.true_mass, self.settings.mass_scaling) {
            (self.arrays.mass, self.factors, self.critical) = (mass, Some(factors), step);
            self.arrays.free_motions(&self.settings.guides);
        } else {
            self.critical = stiffness.critical(&self.arrays.inverse, self.settings.critical);
        }
        if self.critical.is_infinite() {
            self.critical = super::start::lonely_step(&self.model, &self.laws, &self.true_mass);
        }
        self.critical /= super::motion::stiffening(self.settings.damping);
        self.dt = self.settings.step.unwrap_or(self.settings.safety * self.critical);
        if self.dt > self.critical * (1.0 + 1e-12) {
            let reason = format!(
                "{:.4e} s is longer than the critical step {:.4e} s: the computation is unstable; write step = \
                 \"auto\" or a shorter step",
                self.dt, self.critical
            );
            return Err(MechanicsError::Part { what: "step".to_owned(), reason });
        }
        Ok(())
    }

    /// Largest distance from the positions of the last detection [m].
    fn farthest(&self) -> f64 {
        let of = |(i, pose): (usize, &Pose<D2>)| {
            let turned = if self.extents[i].round { 0.0 } else { (self.arrays.pos[i][3] - pose.rotation).abs() };
            let turned = if turned > 0.0 { turned * self.extents[i].reach } else { 0.0 };
            self.arrays.centre(i).distance(pose.position) + turned
        };
        self.detected.iter().enumerate().map(of).fold(0.0, f64::max)
    }

    /// Moves supports to the time `time`; returns the largest distance that a point of one moved [m].
    fn move_supports(&mut self, time: f64, dt: f64) -> f64 {
        let mut farthest = 0.0f64;
        for &i in &self.moving {
            let body = &self.model.bodies[i];
            let Role::Support(Some(motion)) = body.role else { continue };
            let pose = self.model.motions[motion].pose(&body.pose, time);
            let old = self.arrays.pos[i];
            let shift = [pose.position.x - old[0], pose.position.y - old[1], pose.rotation - old[3]];
            self.arrays.vel[i] = Four([shift[0] / dt, shift[1] / dt, shift[2] / dt, 0.0]);
            (self.arrays.pos[i][0], self.arrays.pos[i][1], self.arrays.pos[i][3]) =
                (pose.position.x, pose.position.y, pose.rotation);
            let turned = if shift[2] == 0.0 { 0.0 } else { shift[2].abs() * self.extents[i].reach.min(1e6) };
            farthest = farthest.max(shift[0].hypot(shift[1]) + turned);
        }
        farthest
    }

    /// Adds the loads at the present time to the forces, and books the work of the loads over `dt`.
    pub(super) fn load(&mut self, dt: f64) {
        let arrays = &mut self.arrays;
        let time = self.state.time;
        let factor = self.loading.factor(&self.settings);
        let named = match &self.settings.goal {
            ExplicitGoal::Increments(increments) => Some(increments.load.as_str()),
            _ => None,
        };
        let mut now: Vec<(usize, [f64; 3])> = Vec::new();
        for load in self.model.loads.iter().filter(|load| arrays.free[load.body]) {
            let scale = load.function.value(time) * if named == Some(load.name.as_str()) { factor } else { 1.0 };
            let arm = DVec2::from_angle(arrays.pos[load.body][3]).rotate(load.point);
            let force = load.force * scale;
            now.push((load.body, [force.x, force.y, load.moment * scale + arm.perp_dot(force)]));
        }
        let gravity = self.model.gravity;
        let down = gravity / gravity.length().max(f64::MIN_POSITIVE);
        for train in &self.model.trains {
            for on in train.forces(time, down).iter().filter(|on| arrays.free[on.body]) {
                let arm = DVec2::from_angle(arrays.pos[on.body][3]).rotate(on.point);
                now.push((on.body, [on.force.x, on.force.y, arm.perp_dot(on.force)]));
            }
        }
        let mut work = 0.0;
        for (index, (body, force)) in now.iter().enumerate() {
            // axles appear and disappear: a new force acts over half of the step
            let before = self.load_forces.get(index).copied().unwrap_or([0.0; 3]);
            for k in 0..3 {
                arrays.force[*body][k] += force[k];
                work += 0.5 * (force[k] + before[k]) * arrays.vel[*body][k] * dt;
            }
        }
        self.state.ledger.loads += work;
        self.load_forces = now.into_iter().map(|(_, force)| force).collect();
    }

    /// Loads along gravity at the present time [N].
    pub(super) fn downward_load(&self) -> f64 {
        let down = self.model.gravity / self.model.gravity.length().max(f64::MIN_POSITIVE);
        self.load_forces.iter().map(|force| force[0] * down.x + force[1] * down.y).sum()
    }

    /// Ledger entries whose sum with the kinetic energy is kept by exact steps [J].
    pub(super) fn balance_of_ledger(ledger: &EnergyLedger) -> f64 {
        ledger.taken() - ledger.gravity - ledger.loads - ledger.supports - ledger.construction
    }

    /// Kinetic energy at the present positions, ½ m v₋ v₊ with the velocities half a step before and after; and the
    /// work of damping of the half step that is not booked yet [J].
    pub(super) fn kinetic(&self) -> [f64; 2] {
        let (mut kinetic, mut damping) = (0.0, 0.0);
        for i in (0..self.arrays.pos.len()).filter(|&i| self.arrays.free[i]) {
            let (v, force, mass, inverse) =
                (self.arrays.vel[i], self.arrays.force[i], self.arrays.mass[i], self.arrays.inverse[i]);
            for k in (0..3).filter(|&k| inverse[k] > 0.0) {
                let next = self.damping.next(v[k], force[k], mass[k], inverse[k], self.extents[i].round, self.dt).0;
                kinetic += 0.5 * mass[k] * v[k] * next;
                damping -= 0.5 * (mass[k] * (next - v[k]) - force[k] * self.dt) * v[k];
            }
        }
        [kinetic, damping]
    }

    /// The memory of this analysis, for a checkpoint.
    pub(super) fn memory(&self) -> ExplicitMemory<D2> {
        ExplicitMemory {
            stage: self.state.position.stage,
            detected: self.detected.clone(),
            travelled: self.travelled,
            alpha: self.damping.alpha,
            corners: self.corner_memory(),
            elastic: self.elastic_memory(),
            balance: self.balance,
            unbalanced: self.unbalanced,
            loading: self.loading,
            stable: self.stable.clone(),
        }
    }
}
