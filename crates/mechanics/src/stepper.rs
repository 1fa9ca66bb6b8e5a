//! The dynamic analysis: Moreau–Jean time stepping, one generic stepper for both dimensions.
//!
//! The function `walk` below is one step, each paragraph one arrow:
//!
//! predict positions → broad and narrow phase → laws → warm start → solve → velocities and positions → memory, ledger

use std::sync::Arc;

use voussoir_contact::{Problem, Solver};
use voussoir_geometry::{BroadPhase, Space, Vector};

use crate::contacts::ContactRecord;
use crate::error::MechanicsError;
use crate::measures;
use crate::model::{DynamicSettings, Model};
use crate::report::StepReport;
use crate::state::State;
use crate::step::detect::{Alert, detect, find_start, surprise};
use crate::step::law::{Active, apply_laws, assemble, relative_velocity};
use crate::step::ledger::book;
use crate::step::masses::Masses;
use crate::step::predict::{Interval, Prediction, predict};
use crate::step::rest::solve_at_rest;
use crate::step::retry::{CUTS, Outcome, advance};
use crate::step::solve::{expand, has_expansion, solve};
use crate::step::update::{move_bodies, remember};
use crate::step::warm::warm_start;
use crate::step::{Tools, Walk};

/// Steps a structure through time.
///
/// Everything that decides about the future is in the [`State`]: two steppers with the same model, settings and state
/// go on with the same bits, whatever they did before and however many threads there are.
#[derive(Debug)]
pub struct Stepper<S: Space> {
    model: Arc<Model<S>>,
    settings: DynamicSettings,
    state: State<S>,
    tools: Tools<S>,
    contacts: Vec<ContactRecord<S>>,
}

impl<S: Space> Stepper<S> {
    /// Starts from the initial poses and velocities of the model.
    pub fn new(model: impl Into<Arc<Model<S>>>, settings: DynamicSettings) -> Result<Self, MechanicsError> {
        let model = model.into();
        model.check()?;
        let state = State::initial(&model);
        Self::with_state(model, settings, state)
    }

    /// Goes on from a state.
    pub fn with_state(
        model: impl Into<Arc<Model<S>>>,
        settings: DynamicSettings,
        state: State<S>,
    ) -> Result<Self, MechanicsError> {
        let model = model.into();
        model.check()?;
        settings.check()?;
        state.check(&model)?;
        let masses = Masses::new(&model);
        let beds = find_start(&model, &masses, settings.detection);
        let tools = Tools { masses, beds, broad: BroadPhase::new(), solver: Solver::new(), clock: None };
        Ok(Self { model, settings, state, tools, contacts: Vec::new() })
    }

    /// Gives a clock [s], so that reports say where time goes. It changes no result.
    pub fn set_clock(&mut self, clock: fn() -> f64) {
        self.tools.clock = Some(clock);
    }

    /// What does not change.
    pub fn model(&self) -> &Arc<Model<S>> {
        &self.model
    }

    /// The numerical settings.
    pub fn settings(&self) -> &DynamicSettings {
        &self.settings
    }

    /// Where the structure is now.
    pub fn state(&self) -> &State<S> {
        &self.state
    }

    /// Contacts of the last step; none before the first one.
    pub fn contacts(&self) -> &[ContactRecord<S>] {
        &self.contacts
    }

    /// The contact problem of the next step as it would be handed to the solver, and its warm start; nothing moves.
    pub fn next_problem(&mut self) -> (Problem, Vec<f64>) {
        let Self { model, settings, state, tools, .. } = self;
        let h = settings.step;
        let over = Interval { start: state.time, end: state.time + h, h, theta: settings.theta };
        let prediction = predict(model, &tools.masses, state, over);
        let alert = Alert::new(model, settings, &tools.masses, state, h);
        let contacts = detect(model, settings, tools, &prediction, &alert);
        let laws = apply_laws(model, &tools.masses, state, &prediction, &contacts, settings, over);
        let problem = assemble(&tools.masses, &prediction, &contacts, &laws, &prediction.free);
        let warm = warm_start(&state.contacts, &contacts, &laws, h);
        (problem, warm)
    }

    /// Does one step. A step that misses the tolerance is tried again with other solvers and in halves before it is
    /// accepted; the report says so.
    pub fn step(&mut self) -> Result<StepReport, MechanicsError> {
        let Self { model, settings, state, tools, .. } = self;
        let h = settings.step;
        let over = Interval { start: state.time, end: state.time + h, h, theta: settings.theta };
        let outcome = advance(&mut |from, over| walk(model, settings, tools, from, over), state, over, CUTS)?;
        self.state = State { step: self.state.step + 1, ..outcome.state };
        self.contacts = outcome.records;
        let mut statuses = [0; 3];
        self.contacts.iter().for_each(|contact| statuses[contact.status as usize] += 1);
        let extremes = measures::extremes(&self.model, &self.state);
        Ok(StepReport {
            step: self.state.step,
            time: self.state.time,
            solve: outcome.report,
            converged: outcome.converged,
            retries: outcome.retries,
            contacts: outcome.contacts,
            statuses,
            kinetic_energy: self
                .tools
                .masses
                .kinetic_energy::<S>(&self.tools.masses.gather::<S>(&self.state.velocities)),
            potential_energy: measures::potential_energy(&self.model, &self.state),
            ledger: self.state.ledger,
            penetration: outcome.penetration,
            displacement: extremes.displacement,
            speed: extremes.speed,
            support_reaction: (outcome.support_impulse / h).to_3d(),
            seconds: outcome.seconds,
        })
    }
}

/// Times that a step is solved again because contacts made bodies faster than was foreseen.
const SURPRISES: usize = 3;

/// One step, or a part of one that was cut; once more with a larger alert distance where bodies became so fast that
/// they would run through others that were left out.
fn walk<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    tools: &mut Tools<S>,
    from: &State<S>,
    over: Interval,
) -> Result<Outcome<S>, MechanicsError> {
    // positions without contacts
    let prediction = predict(model, &tools.masses, from, over);
    let mut alert = Alert::new(model, settings, &tools.masses, from, over.h);
    let ahead = over.ahead(settings.step);
    for _ in 0..SURPRISES {
        let outcome = attempt(model, settings, tools, from, &prediction, &alert, over)?;
        match surprise(model, settings, tools, &prediction, &alert, &outcome, ahead) {
            Some(wider) => alert = wider,
            None => return Ok(outcome),
        }
    }
    attempt(model, settings, tools, from, &prediction, &alert, over)
}

/// From the prediction to the end of the step.
fn attempt<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    tools: &mut Tools<S>,
    from: &State<S>,
    prediction: &Prediction<S>,
    alert: &Alert,
    over: Interval,
) -> Result<Outcome<S>, MechanicsError> {
    let clock = [tools.now()];
    // pairs, then contact points in order of their keys
    let contacts = detect(model, settings, tools, prediction, alert);
    let detected = tools.now();
    // joints make the contact problem
    let masses = &tools.masses;
    let laws = apply_laws(model, masses, from, prediction, &contacts, settings, over);
    let build = |free: &[f64]| assemble(masses, prediction, &contacts, &laws, free);
    let problem = build(&prediction.free);
    // forces of the last step, by key
    let warm = warm_start(&from.contacts, &contacts, &laws, over.h);
    let assembled = tools.now();
    // impulses and velocities; Poisson's expansion if there is one
    let mut solved = match prediction.at_rest {
        true => solve_at_rest(&mut tools.solver, settings, &problem, &warm, || build(&prediction.forces_only())),
        false => solve(&mut tools.solver, settings, &problem, &warm),
    };
    let approaching = |a: &Active<S>| {
        let contact = &contacts[a.contact];
        let u = relative_velocity(masses, prediction, contact, &prediction.before, a.support[0]);
        u.dot(contact.point.normal) < 0.0
    };
    if has_expansion(&laws, approaching) {
        solved = expand(&mut tools.solver, settings, &laws, build, (&prediction.before, &prediction.free), solved);
    }
    let solved_at = tools.now();
    // positions, contact memory, energies
    let walk = Walk { model, masses, prediction, contacts: &contacts, laws: &laws, over };
    let mut state = from.clone();
    move_bodies(&walk, &solved, &mut state)?;
    let (records, memory) = remember(&walk, &solved);
    state.contacts = memory;
    book(&walk, &solved, &mut state.ledger);
    Ok(Outcome {
        state,
        report: solved.report,
        converged: solved.converged(),
        retries: solved.retries,
        contacts: laws.active.len(),
        support_impulse: measures::support_reaction(model, &records) * over.h,
        penetration: records.iter().map(|c| -c.gap).fold(0.0, f64::max),
        seconds: [detected - clock[0], assembled - detected, solved_at - assembled],
        records,
    })
}
