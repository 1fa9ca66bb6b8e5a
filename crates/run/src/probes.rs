//! Probes of a scene as an observer: adds their values to the report of every step.

use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::probe::Probe;
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::Cast;
use voussoir_results::measures::observe;

use crate::error::Result;
use crate::observe::{Flow, Observer, StepPlace};

/// Measures the probes of a scene after every step.
#[derive(Clone, Debug)]
pub struct Probes {
    probes: Vec<Probe>,
    cast: Cast,
}

impl Probes {
    /// The probes of a scene with its bodies.
    pub fn new(probes: &[Probe], cast: &Cast) -> Self {
        Self { probes: probes.to_vec(), cast: cast.clone() }
    }
}

impl Observer for Probes {
    fn after_step(&mut self, analysis: &mut dyn Analysis, report: &mut StepReport, _: StepPlace) -> Result<Flow> {
        if !self.probes.is_empty() {
            let snapshot = analysis.snapshot();
            report.probes = self.probes.iter().map(|probe| observe(probe, &self.cast, &snapshot)).collect();
        }
        Ok(Flow::Continue)
    }
}
