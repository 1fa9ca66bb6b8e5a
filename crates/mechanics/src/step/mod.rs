//! The parts of one step of the dynamic analysis, in the order in which [`crate::stepper`] calls them.
//!
//! | module | part of the step |
//! |---|---|
//! | [`adapt`] | length of automatic steps |
//! | [`masses`] | constants of a run: nodes, mass blocks, sizes |
//! | [`predict`] | mid configuration, free velocity, motion of supports |
//! | [`environment`] | wind, water and Coriolis force on floes |
//! | [`spin`] | torque-free rotation, exact in energy and angular momentum |
//! | [`beds`] | joints whose gaps are measured from their initial value |
//! | [`detect`] | broad and narrow phase: contact points with stable keys |
//! | [`bonds`] | places of the bonds of the model |
//! | [`bonded`] | bonds in the step: rows of the contact problem, damage, breaking |
//! | [`cables`] | cables: rows of the problem, tensions, energies |
//! | [`rows`] | bonds and cables as rows of the contact problem |
//! | [`passes`] | solving a step again while bonds are damaged or break |
//! | [`depth`] | penetration that arises between two mid configurations |
//! | [`law`] | contact laws: biases, friction, springs of the detected contacts |
//! | [`spring`] | springs of contacts and bonds over the step, and their maximum closure |
//! | [`relative`] | relative velocities at contact points |
//! | [`assemble`] | the contact problem from laws, bonds and cables |
//! | [`warm`] | forces of the last step as the start of the solution |
//! | [`solve`] | fallback solvers, phases of impacts |
//! | [`rest`] | the same for structures at rest: balanced forces as warm start |
//! | [`repeat`] | steps in which nothing changes: results of the previous step |
//! | [`update`] | velocities, positions, contact memory |
//! | [`ledger`] | work and dissipation |
//! | [`retry`] | cutting a step that misses its tolerance |

pub(crate) mod adapt;
pub(crate) mod assemble;
pub(crate) mod beds;
pub(crate) mod bonded;
pub(crate) mod bonds;
pub(crate) mod cables;
pub(crate) mod depth;
pub(crate) mod detect;
pub(crate) mod environment;
mod faces;
pub(crate) mod law;
pub(crate) mod ledger;
pub(crate) mod masses;
pub(crate) mod passes;
pub(crate) mod predict;
pub(crate) mod relative;
pub(crate) mod repeat;
pub(crate) mod rest;
pub(crate) mod retry;
pub(crate) mod rows;
pub(crate) mod solve;
pub(crate) mod spin;
pub(crate) mod spring;
pub(crate) mod update;
pub(crate) mod warm;

use voussoir_contact::Solver;
use voussoir_elastic::PointWeights;
use voussoir_geometry::{BroadPhase, Space};

use crate::elastic::condensed::ElasticCache;
use crate::model::Model;

/// Caches of a stepper besides the state; they do not change results.
#[derive(Debug)]
pub(crate) struct Tools<S: Space> {
    pub masses: masses::Masses,
    pub beds: beds::Beds<S>,
    pub bonds: Vec<bonds::Place<S>>,
    /// Weights of the anchors of cables on elastic blocks; empty for rigid models.
    pub anchors: Vec<Vec<Option<PointWeights>>>,
    pub broad: BroadPhase<S>,
    pub solver: Solver,
    pub elastic: ElasticCache,
    pub clock: Option<fn() -> f64>,
    /// Contacts of the last detection at rest.
    pub detected: Option<repeat::Detected<S>>,
    /// The last step, if it did not change the state.
    pub repeat: Option<repeat::Repeat<S>>,
    /// True if every step is computed anew.
    pub recompute: bool,
}

impl<S: Space> Tools<S> {
    /// Forgets steps and contacts, after a change of the model or of the state.
    pub fn forget(&mut self) {
        (self.detected, self.repeat) = (None, None);
    }

    /// Seconds by the user's clock; 0 without one.
    pub fn now(&self) -> f64 {
        self.clock.map_or(0.0, |clock| clock())
    }
}

/// Input of the parts of the step after detection.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a, S: Space> {
    pub model: &'a Model<S>,
    pub masses: &'a masses::Masses,
    pub prediction: &'a predict::Prediction<S>,
    pub contacts: &'a [law::Contact<S>],
    pub laws: &'a law::Laws<S>,
    pub places: &'a [bonds::Place<S>],
    pub bonds: &'a [bonded::Bonded<S>],
    pub over: predict::Interval,
}
