//! `summary.json`: the summary of a run.

use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize};
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::CastCable;

use crate::checksums::{SharedSums, read_checked};
use crate::error::ResultsError;

/// Name in the results folder.
pub const SUMMARY_FILE: &str = "summary.json";

/// Keys of `summary.json`; the names carry the units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Title of the scene.
    pub title: String,
    /// Version of the program.
    pub version: String,
    /// True if the run is complete; false during a run or after an interruption.
    pub finished: bool,
    /// 2 or 3.
    pub dimension: usize,
    /// Number of bodies, supports included.
    pub bodies: usize,
    /// Contacts in the last step.
    pub contacts: usize,
    /// Steps done.
    pub steps: u64,
    /// Steps that met the tolerance.
    pub converged_steps: u64,
    /// Tolerance on the residual.
    pub tolerance: f64,
    /// Largest residual of all steps (unit-free).
    #[serde(deserialize_with = "number_or_null")]
    pub max_residual: f64,
    /// Step with the largest residual; `null` before the first step.
    pub worst_step: Option<u64>,
    /// Simulated time at the end.
    pub time_s: f64,
    /// Largest penetration of all steps.
    #[serde(deserialize_with = "number_or_null")]
    pub max_penetration_m: f64,
    /// Largest closure of springs of all steps.
    #[serde(default, deserialize_with = "number_or_null")]
    pub max_closure_m: f64,
    /// Largest displacement of a centroid from the start.
    #[serde(deserialize_with = "number_or_null")]
    pub max_displacement_m: f64,
    /// Largest speed of a centroid.
    #[serde(deserialize_with = "number_or_null")]
    pub max_speed_m_s: f64,
    /// Kinetic energy at the end.
    #[serde(deserialize_with = "number_or_null")]
    pub kinetic_energy_j: f64,
    /// Largest error of the energy balance: ΔT + ΔV − work of loads and supports + dissipation.
    #[serde(deserialize_with = "number_or_null")]
    pub energy_error_j: f64,
    /// Weight of the free bodies.
    pub weight_n: f64,
    /// Loads along gravity in the last step, axles included; the weight of the bodies is not.
    #[serde(default, deserialize_with = "number_or_null")]
    pub load_n: f64,
    /// Upward force of all supports on the free bodies in the last step.
    #[serde(deserialize_with = "number_or_null")]
    pub support_reaction_n: f64,
    /// The same force, all components.
    pub support_reaction_vector_n: [f64; 3],
    /// Cables, if there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cables: Vec<CableSummary>,
    /// Verdicts of static stages, if there are any.
    #[serde(default, rename = "static", skip_serializing_if = "Vec::is_empty")]
    pub statics: Vec<StageVerdict>,
    /// Frames recorded.
    pub frames: u64,
    /// Real time that the run took.
    pub wall_time_s: f64,
    /// The same per step, in milliseconds.
    pub ms_per_step: f64,
}

/// Verdict of a static stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageVerdict {
    /// Number of the stage, from 1.
    pub stage: usize,
    /// Folder with joints, thrust lines and drawing, inside the results folder.
    pub directory: String,
    /// The answer, as `voussoir stand --json` prints it.
    #[serde(flatten)]
    pub report: serde_json::Value,
}

impl StageVerdict {
    /// True if the structure stands, false if it collapses, `None` if that was not decided.
    pub fn stands(&self) -> Option<bool> {
        self.report["stands"].as_bool()
    }

    /// True if equilibrium exists only by self-stress that the loads do not produce.
    pub fn is_wedged(&self) -> bool {
        self.report["verdict"].as_str() == Some("wedged")
    }

    /// The margin of a structure that stands.
    pub fn margin(&self) -> Option<f64> {
        self.report["margin"].as_f64()
    }
}

/// One cable of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CableSummary {
    /// Name in the scene.
    pub name: String,
    /// Tension in the last step.
    #[serde(deserialize_with = "number_or_null")]
    pub tension_n: f64,
    /// Largest tension of all steps.
    #[serde(deserialize_with = "number_or_null")]
    pub max_tension_n: f64,
    /// Time of the largest tension.
    pub max_tension_time_s: f64,
    /// Strength, if the scene has one.
    pub strength_n: Option<f64>,
    /// True if the tension exceeded the strength, or if the cable snapped at its strength.
    pub strength_exceeded: bool,
    /// True if it snapped.
    pub broken: bool,
}

impl Summary {
    /// Reads the summary of a results folder.
    pub fn read(dir: &Path) -> Result<Self, ResultsError> {
        let path = dir.join(SUMMARY_FILE);
        serde_json::from_slice(&read_checked(dir, SUMMARY_FILE)?).map_err(ResultsError::damaged(&path))
    }

    /// Writes or replaces the summary of a results folder.
    pub(crate) fn write(&self, dir: &Path, sums: &SharedSums) -> Result<(), ResultsError> {
        let path = dir.join(SUMMARY_FILE);
        let mut text = serde_json::to_string_pretty(self).map_err(ResultsError::damaged(&path))?;
        text.push('\n');
        sums.replace(dir, SUMMARY_FILE, text.as_bytes())
    }
}

/// Facts before the first step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// Title of the scene.
    pub title: String,
    /// 2 or 3.
    pub dimension: usize,
    /// Number of bodies.
    pub bodies: usize,
    /// Tolerance on the residual.
    pub tolerance: f64,
    /// Weight of the free bodies [N].
    pub weight: f64,
    /// Kinetic energy at the start [J].
    pub kinetic_energy: f64,
    /// All cables.
    pub cables: Vec<CastCable>,
}

/// Builds a [`Summary`] step by step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SummaryAccumulator {
    facts: RunFacts,
    steps: u64,
    converged_steps: u64,
    max_residual: f64,
    worst_step: Option<u64>,
    max_penetration: f64,
    max_closure: f64,
    load: f64,
    max_displacement: f64,
    max_speed: f64,
    energy_error: f64,
    time: f64,
    contacts: usize,
    kinetic_energy: f64,
    support_reaction: [f64; 3],
    cables: Vec<CableTotal>,
    /// Verdicts of static stages as JSON, which the encoding of checkpoints cannot hold otherwise.
    verdicts: Vec<String>,
}

/// Extreme values of a cable over the steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct CableTotal {
    tension: f64,
    most: f64,
    most_time: f64,
    exceeded: bool,
    broken: bool,
}

impl SummaryAccumulator {
    /// Before the first step.
    pub fn new(facts: RunFacts) -> Self {
        Self {
            kinetic_energy: facts.kinetic_energy,
            cables: vec![CableTotal::default(); facts.cables.len()],
            facts,
            steps: 0,
            converged_steps: 0,
            max_residual: 0.0,
            worst_step: None,
            max_penetration: 0.0,
            max_closure: 0.0,
            load: 0.0,
            max_displacement: 0.0,
            max_speed: 0.0,
            energy_error: 0.0,
            time: 0.0,
            contacts: 0,
            support_reaction: [0.0; 3],
            verdicts: Vec::new(),
        }
    }

    /// Adds a step.
    pub fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.converged_steps += u64::from(report.converged);
        // a residual that is NaN counts as the largest
        let residual = report.residual;
        if self.worst_step.is_none() || residual > self.max_residual || residual.is_nan() {
            (self.max_residual, self.worst_step) = (residual, Some(report.step));
        }
        self.max_penetration = largest(self.max_penetration, report.penetration);
        self.max_closure = largest(self.max_closure, report.closure);
        self.load = report.load;
        self.max_displacement = largest(self.max_displacement, report.displacement);
        self.max_speed = largest(self.max_speed, report.speed);
        let ledger = &report.ledger;
        let error = report.kinetic_energy - self.facts.kinetic_energy + report.potential_energy
            - (ledger.loads + ledger.supports + ledger.construction)
            + ledger.taken();
        self.energy_error = largest(self.energy_error, error.abs());
        self.time = report.time;
        self.contacts = report.contacts;
        self.kinetic_energy = report.kinetic_energy;
        self.support_reaction = report.support_reaction;
        for ((total, cable), now) in self.cables.iter_mut().zip(&self.facts.cables).zip(&report.cables) {
            total.tension = now.tension;
            if now.tension > total.most || now.tension.is_nan() {
                (total.most, total.most_time) = (now.tension, report.time);
            }
            total.broken = now.broken;
            total.exceeded |= now.broken || cable.strength.is_some_and(|strength| now.tension > strength);
        }
    }

    /// Adds the verdict of a static stage.
    pub fn add_verdict(&mut self, verdict: StageVerdict) {
        // values that were made by serde_json can be written by it
        self.verdicts.extend(serde_json::to_string(&verdict));
    }

    /// Bodies of the run.
    pub fn bodies(&self) -> usize {
        self.facts.bodies
    }

    /// Number of steps added.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Summary of the run so far, after `seconds` of real time and with `frames` frames recorded.
    pub fn summary(&self, seconds: f64, frames: u64, finished: bool) -> Summary {
        let up = self.facts.dimension.clamp(1, 3) - 1;
        let cable = |(cable, total): (&CastCable, &CableTotal)| CableSummary {
            name: cable.name.clone(),
            tension_n: total.tension,
            max_tension_n: total.most,
            max_tension_time_s: total.most_time,
            strength_n: cable.strength,
            strength_exceeded: total.exceeded,
            broken: total.broken,
        };
        Summary {
            title: self.facts.title.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            finished,
            dimension: self.facts.dimension,
            bodies: self.facts.bodies,
            contacts: self.contacts,
            steps: self.steps,
            converged_steps: self.converged_steps,
            tolerance: self.facts.tolerance,
            max_residual: self.max_residual,
            worst_step: self.worst_step,
            time_s: self.time,
            max_penetration_m: self.max_penetration,
            max_closure_m: self.max_closure,
            max_displacement_m: self.max_displacement,
            max_speed_m_s: self.max_speed,
            kinetic_energy_j: self.kinetic_energy,
            energy_error_j: self.energy_error,
            weight_n: self.facts.weight,
            // no minus sign of zero
            load_n: self.load + 0.0,
            support_reaction_n: self.support_reaction[up],
            support_reaction_vector_n: self.support_reaction,
            cables: self.facts.cables.iter().zip(&self.cables).map(cable).collect(),
            statics: self.verdicts.iter().filter_map(|json| serde_json::from_str(json).ok()).collect(),
            frames,
            wall_time_s: seconds,
            ms_per_step: if self.steps == 0 { 0.0 } else { 1e3 * seconds / self.steps as f64 },
        }
    }
}

/// JSON has no NaN; `null` represents it.
fn number_or_null<'de, D: Deserializer<'de>>(input: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(input)?.unwrap_or(f64::NAN))
}

/// The larger of both; NaN if one of them is NaN, so that the error is visible.
fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}
