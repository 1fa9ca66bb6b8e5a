//! The dynamic analysis: Moreau–Jean time stepping, one generic stepper for both dimensions.
//!
//! The function `walk` below is one step, each paragraph one arrow:
//!
//! predict positions → broad and narrow phase → laws → warm start → solve → velocities and positions → memory, ledger

use std::borrow::Cow;
use std::sync::Arc;

use voussoir_contact::{Problem, SolveReport, Solver};
use voussoir_geometry::{BroadPhase, D2, D3, Space, Vector};

use crate::born::with_born;
use crate::construction::{Change, apply, create};
use crate::contacts::ContactRecord;
use crate::elastic::attached::anchor_weights;
use crate::elastic::condensed::ElasticCache;
use crate::elastic::flex::flex;
use crate::elastic::settle::settle_elastic;
use crate::error::MechanicsError;
use crate::measures;
use crate::model::{AutomaticStep, DynamicSettings, Model};
use crate::report::CableReport;
use crate::state::{BondMemory, EnergyLedger, State, StepControl};
use crate::steer::{self, Steering};
use crate::step::adapt;
use crate::step::bonds::{find_bonds, sound};
use crate::step::cables;
use crate::step::depth::{leads_in, runs_in};
use crate::step::detect::{Alert, detect, find_start, surprise};
use crate::step::environment::lost;
use crate::step::ledger::book;
use crate::step::masses::Masses;
use crate::step::passes::{Passed, first_problem, hold, pass};
use crate::step::predict::{Interval, Prediction, predict};
use crate::step::repeat::Repeat;
use crate::step::rest::{keep_memory, settle};
use crate::step::retry::{MAX_STEP_CUTS, Outcome, advance};
use crate::step::solve::Effort;
use crate::step::update::{move_bodies, note_crushed, remember};
use crate::step::{Tools, Walk};

/// Steps a structure through time.
///
/// The [`State`] determines all later steps: two steppers with the same model, settings and state give bit-identical
/// results, for any history and any number of threads.
#[derive(Debug)]
pub struct Stepper<S: Space> {
    model: Arc<Model<S>>,
    settings: DynamicSettings,
    state: State<S>,
    tools: Tools<S>,
    contacts: Arc<Vec<ContactRecord<S>>>,
    /// Supports that are driven from outside.
    steered: Vec<usize>,
}

impl<S: Space> Stepper<S> {
    /// Starts from the initial poses and velocities of the model.
    pub fn new(model: impl Into<Arc<Model<S>>>, settings: DynamicSettings) -> Result<Self, MechanicsError> {
        let model = model.into();
        model.check()?;
        let state = State::initial(&model);
        Self::with_state(model, settings, state)
    }

    /// Continues from a state.
    pub fn with_state(
        model: impl Into<Arc<Model<S>>>,
        settings: DynamicSettings,
        state: State<S>,
    ) -> Result<Self, MechanicsError> {
        let drawn = model.into();
        drawn.check()?;
        settings.check()?;
        let model = match with_born(&drawn, &state.born)? {
            Cow::Borrowed(_) => Arc::clone(&drawn),
            Cow::Owned(whole) => Arc::new(whole),
        };
        settings.check_laws(&model.joints)?;
        state.check(&model)?;
        // beds and bonds follow from all bodies as drawn
        let all = Masses::new(&drawn);
        let mut beds = find_start(&drawn, &all, settings.detection);
        let bonds = find_bonds(&drawn, &all, &beds);
        let anchors = match drawn.is_elastic() {
            true => drawn.cables.iter().map(|cable| anchor_weights(&drawn, cable)).collect(),
            false => Vec::new(),
        };
        beds.add_overlaps(&state.overlaps);
        let masses = Masses::at(&model, &state);
        let mut state = state;
        state.explicit = None;
        state.control = state.control.filter(|_| settings.automatic.is_some());
        if state.bonds.is_empty() {
            state.bonds = sound(&bonds, &masses.there);
        }
        if state.bonds.len() != bonds.len() {
            let (found, expected) = (state.bonds.len(), bonds.len());
            return Err(MechanicsError::State { what: "bonds", found, expected });
        }
        let tools = Tools {
            masses,
            beds,
            bonds,
            anchors,
            broad: BroadPhase::new(),
            solver: Solver::new(),
            elastic: ElasticCache::default(),
            clock: None,
            detected: None,
            repeat: None,
            recompute: false,
        };
        Ok(Self { model, settings, state, tools, contacts: Arc::default(), steered: Vec::new() })
    }

    /// Sets a clock [s] for the computing times in reports. It changes no result.
    pub fn set_clock(&mut self, clock: fn() -> f64) {
        self.tools.clock = Some(clock);
    }

    /// Computes every step anew, also those in which nothing changes. It changes no result but the computing time.
    pub fn recompute(&mut self) {
        self.tools.recompute = true;
        self.tools.forget();
    }

    /// The model, with the bodies that have appeared so far.
    pub fn model(&self) -> &Arc<Model<S>> {
        &self.model
    }

    /// The numerical settings.
    pub fn settings(&self) -> &DynamicSettings {
        &self.settings
    }

    /// The present state.
    pub fn state(&self) -> &State<S> {
        &self.state
    }

    /// Ends stepping and hands over the state.
    pub fn into_state(self) -> State<S> {
        self.state
    }

    /// Contacts of the last step; none before the first one.
    pub fn contacts(&self) -> &[ContactRecord<S>] {
        &self.contacts
    }

    /// Numbers of factorisations and condensations of elastic blocks so far.
    pub fn elastic_counts(&self) -> [u64; 2] {
        self.tools.elastic.counts
    }

    /// Adds, releases, removes and creates bodies.
    pub fn change(&mut self, change: &Change) -> Result<(), MechanicsError> {
        apply(&self.model, &self.tools.beds, &mut self.state, change)?;
        if let Some(whole) = create(&self.model, &self.tools.beds, &mut self.state, &change.create)? {
            self.model = Arc::new(whole);
        }
        self.tools.masses = Masses::at(&self.model, &self.state);
        self.tools.beds.add_overlaps(&self.state.overlaps);
        self.tools.forget();
        let there = &self.tools.masses.there;
        let contacts = Arc::make_mut(&mut self.contacts);
        contacts.retain(|contact| there[contact.key.candidate as usize] && there[contact.key.antagonist as usize]);
        Ok(())
    }

    /// Forces on bodies and velocities of supports from now on, besides those of the model.
    pub fn steer(&mut self, steering: &Steering) -> Result<(), MechanicsError> {
        steer::steer(&mut self.model, &mut self.steered, steering)?;
        self.tools.masses = Masses::at(&self.model, &self.state);
        self.tools.forget();
        Ok(())
    }

    /// The contact problem of the next step as it would be handed to the solver, and its warm start; nothing moves.
    pub fn next_problem(&mut self) -> (Problem, Vec<f64>) {
        let h = self.next_length();
        let Self { model, settings, state, tools, .. } = self;
        let over = Interval { start: state.time, end: state.time + h, h, theta: settings.theta };
        tools.masses.carry(model, over.start, over.end);
        let prediction = predict(model, &tools.masses, state, over);
        let alert = Alert::new(model, settings, &tools.masses, state, h);
        let mut contacts = detect(model, settings, tools, &prediction, &alert);
        // an elastic block that cannot be factorised stays rigid in the problem; the step itself reports the error
        let flexed = flex(model, tools, state, &prediction, settings.detection, &mut contacts);
        let flexed = flexed.ok().flatten();
        let prediction = flexed.unwrap_or(prediction);
        first_problem(model, settings, tools, state, &prediction, &contacts, over)
    }

    /// First trial length of the next step [s].
    fn next_length(&mut self) -> f64 {
        let Self { model, settings, state, tools, .. } = self;
        settings.automatic.map_or(settings.step, |auto| {
            let wanted = adapt::wanted(model, &auto, settings.step, state);
            adapt::before_impacts(model, settings, &auto, tools, state, wanted)
        })
    }

    /// One step of a given length, in parts if it must be cut.
    fn take(&mut self, h: f64) -> Result<Outcome<S>, MechanicsError> {
        let Self { model, settings, state, tools, .. } = self;
        let end = settings.automatic.map_or(state.time + h, |auto| adapt::end_of(model, &auto, state, h));
        let over = Interval { start: state.time, end, h, theta: settings.theta };
        let settings = &DynamicSettings { step: h, ..settings.clone() };
        let walk = &mut |from: &State<S>, over, may_cut| walk(model, settings, tools, from, over, may_cut);
        advance(walk, state, over, MAX_STEP_CUTS)
    }

    /// One step of a length that its error and the contacts allow.
    fn automatic(&mut self, auto: &AutomaticStep) -> Result<(Outcome<S>, f64), MechanicsError> {
        let mut h = self.next_length();
        let (mut work, mut retries) = ([0; 2], 0);
        loop {
            let mut outcome = self.take(h)?;
            let error = adapt::error(&self.tools, &self.settings, auto, [&self.state, &outcome.state], h);
            work = [work[0] + outcome.report.iterations, work[1] + outcome.report.factorisations];
            if let Some(less) = adapt::shorter(auto, h, error) {
                (h, retries) = (less, retries + outcome.retries + 1);
                continue;
            }
            let next = adapt::next(auto, h, error, outcome.retries > 0);
            let before = self.state.velocities.clone();
            outcome.state.control = Some(StepControl { next, length: h, before });
            [outcome.report.iterations, outcome.report.factorisations] = work;
            outcome.retries += retries;
            return Ok((outcome, h));
        }
    }

    /// Does one step. A step that misses the tolerance is retried with other solvers and in halves before it is
    /// accepted; the report counts the retries.
    pub fn step(&mut self) -> Result<DynamicReport, MechanicsError> {
        let (outcome, h) = match self.settings.automatic {
            None => (self.take(self.settings.step)?, self.settings.step),
            Some(auto) => self.automatic(&auto)?,
        };
        self.state = State { step: self.state.step + 1, ..outcome.state };
        self.state.position.steps += 1;
        self.contacts = outcome.records;
        let remove = lost(&self.model, &self.state);
        if !remove.is_empty() {
            self.change(&Change { remove, ..Change::default() })?;
        }
        let mut statuses = [0; 3];
        self.contacts.iter().for_each(|contact| statuses[contact.status as usize] += 1);
        let extremes = measures::extremes(&self.model, &self.state);
        Ok(DynamicReport {
            step: self.state.step,
            time: self.state.time,
            length: h,
            solve: outcome.report,
            converged: outcome.converged,
            retries: outcome.retries,
            contacts: outcome.contacts,
            statuses,
            kinetic_energy: self
                .tools
                .masses
                .kinetic_energy::<S>(&self.tools.masses.gather::<S>(&self.state.velocities))
                + crate::elastic::kinetic_energy(&self.model, &self.state),
            potential_energy: measures::potential_energy(&self.model, &self.state),
            ledger: self.state.ledger,
            penetration: outcome.penetration,
            closure: measures::closure(&self.model, &self.contacts),
            load: measures::downward_load(&self.model, self.state.time),
            displacement: extremes.displacement,
            speed: extremes.speed,
            support_reaction: (outcome.support_impulse / h).to_3d(),
            cables: self.state.cables.iter().map(|c| CableReport { tension: c.tension, broken: c.broken }).collect(),
            seconds: outcome.seconds,
        })
    }
}

/// Report of one step of the dynamic analysis. The fields that all analyses report repeat those of
/// [`crate::report::StepReport`].
#[derive(Clone, Debug, PartialEq)]
pub struct DynamicReport {
    /// Steps done.
    pub step: u64,
    /// Time at the end of the step [s].
    pub time: f64,
    /// Length of the step [s].
    pub length: f64,
    /// Report of the solver (the worst of the sub-steps if the step was cut).
    pub solve: SolveReport,
    /// True if the step met its tolerance.
    pub converged: bool,
    /// Number of retries with another solver or with half of the step.
    pub retries: u32,
    /// Contacts in the problem.
    pub contacts: usize,
    /// Contacts by status: open, stick, slide.
    pub statuses: [usize; 3],
    /// Kinetic energy [J].
    pub kinetic_energy: f64,
    /// Potential energy of gravity relative to the start [J].
    pub potential_energy: f64,
    /// Ledger entries so far [J].
    pub ledger: EnergyLedger,
    /// Largest penetration, ≥ 0 [m].
    pub penetration: f64,
    /// Largest closure of springs at the end of the step [m].
    pub closure: f64,
    /// Loads along gravity at the end of the step, without the weight of the bodies [N].
    pub load: f64,
    /// Largest displacement of a centroid from the start [m].
    pub displacement: f64,
    /// Largest speed of a centroid [m/s].
    pub speed: f64,
    /// Force of all supports on the free bodies, padded to three components [N].
    pub support_reaction: [f64; 3],
    /// All cables in model order.
    pub cables: Vec<CableReport>,
    /// Seconds spent in detection, assembly and solving. Zero without a clock.
    pub seconds: [f64; 3],
}

/// A borrowed stepper of either dimension.
#[derive(Clone, Copy, Debug)]
pub enum DynamicRef<'a> {
    /// In the plane.
    Two(&'a Stepper<D2>),
    /// In space.
    Three(&'a Stepper<D3>),
}

impl<'a> From<&'a Stepper<D2>> for DynamicRef<'a> {
    fn from(stepper: &'a Stepper<D2>) -> Self {
        Self::Two(stepper)
    }
}

impl<'a> From<&'a Stepper<D3>> for DynamicRef<'a> {
    fn from(stepper: &'a Stepper<D3>) -> Self {
        Self::Three(stepper)
    }
}

/// Maximum number of repetitions of a step because contacts accelerated bodies more than predicted.
const SURPRISES: usize = 3;

/// One step, or a part of a step; repeated with a larger alert distance if bodies became so fast that they could pass
/// through skipped pairs. `None` if the step ends in penetration and can be cut.
fn walk<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    tools: &mut Tools<S>,
    from: &State<S>,
    over: Interval,
    may_cut: bool,
) -> Result<Option<Outcome<S>>, MechanicsError> {
    tools.masses.carry(model, over.start, over.end);
    // positions without contacts
    let prediction = predict(model, &tools.masses, from, over);
    if let Some(outcome) = tools.repeat.as_mut().and_then(|last| last.again(from, &prediction)) {
        return Ok(Some(outcome));
    }
    let mut alert = Alert::new(model, settings, &tools.masses, from, over.h);
    let ahead = over.ahead(settings.step);
    for _ in 0..SURPRISES {
        let Some(outcome) = attempt(model, settings, tools, from, &prediction, &alert, may_cut)? else {
            return Ok(None);
        };
        match surprise(model, settings, tools, &prediction, &alert, &outcome, ahead) {
            Some(wider) => alert = wider,
            None => {
                tools.repeat = match tools.recompute {
                    true => None,
                    false => Repeat::new(model, from, &prediction, &outcome),
                };
                return Ok(Some(outcome));
            }
        }
    }
    attempt(model, settings, tools, from, &prediction, &alert, may_cut)
}

/// From the prediction to the end of the step.
fn attempt<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    tools: &mut Tools<S>,
    from: &State<S>,
    prediction: &Prediction<S>,
    alert: &Alert,
    may_cut: bool,
) -> Result<Option<Outcome<S>>, MechanicsError> {
    let over = prediction.over;
    let effort = if may_cut { Effort::Moderate } else { Effort::Utmost };
    if tools.beds.add_overlaps(&from.overlaps) {
        tools.detected = None;
    }
    let clock = [tools.now()];
    // pairs, then contact points in order of their keys
    let mut contacts = detect(model, settings, tools, prediction, alert);
    let flexed = flex(model, tools, from, prediction, settings.detection, &mut contacts)?;
    let prediction = flexed.as_ref().unwrap_or(prediction);
    // before the first step bodies may already approach each other
    let may_cut = may_cut && from.step > 0 && !prediction.at_rest;
    if may_cut && runs_in(model, &tools.masses, prediction, &contacts, over) {
        return Ok(None);
    }
    let detected = tools.now();
    // contact problem from the joint laws; impulses and velocities; repeated while bonds are damaged or break
    let Passed { laws, bonds, cables, mut solved, seconds } =
        pass(model, settings, tools, from, prediction, &contacts, over, effort);
    settle(model, settings, &tools.masses, prediction, &mut solved);
    // positions, contact memory, energies
    let masses = &tools.masses;
    let walk =
        Walk { model, masses, prediction, contacts: &contacts, laws: &laws, places: &tools.bonds, bonds: &bonds, over };
    let mut state = from.clone();
    move_bodies(&walk, &solved, &mut state)?;
    let held = hold(&walk, &solved);
    let pulls = cables::pulls(&walk, &cables, &solved);
    settle_elastic(&walk, &solved, &held, &pulls, &mut state);
    for (bond, held) in bonds.iter().zip(&held) {
        let origin = Some(bond.origin);
        state.bonds[bond.index] = BondMemory { beta: held.beta, force: held.impulse / over.h, origin };
    }
    note_crushed(&walk, &solved, &mut state);
    let (records, memory) = remember(&walk, &solved, &held, &from.contacts);
    state.contacts = memory;
    book(&walk, &solved, &held, &mut state.ledger);
    let through_cables = cables::keep(model, tools, &cables, &solved, over, &mut state);
    keep_memory(&solved, from, &mut state);
    if may_cut && leads_in(model, settings, tools, &contacts, &state, over) {
        return Ok(None);
    }
    Ok(Some(Outcome {
        state,
        report: solved.report,
        converged: solved.converged(),
        retries: solved.retries,
        contacts: laws.active.len(),
        support_impulse: measures::support_reaction(|body| tools.masses.node[body].is_none(), &records) * over.h
            + through_cables,
        penetration: measures::penetration(model, &records),
        seconds: [detected - clock[0], seconds[0], seconds[1]],
        records: Arc::new(records),
    }))
}
