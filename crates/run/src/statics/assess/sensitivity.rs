//! Sensitivity of the governing case to friction, density and thickness, by new certificates for each value.

use serde::Serialize;
use voussoir_statics::case::CaseFactors;
use voussoir_statics::limit::LimitSettings;
use voussoir_statics::{AnyQuestion, AnyStructure};

use super::cases::{LeadingAction, LoadCase};
use super::evaluate::{Assessor, CaseAnswer, question};
use crate::error::Result;
use crate::scene_file::SceneFile;
use crate::statics::vary::with_value;

/// Relative change of a parameter.
const RELATIVE_CHANGE: f64 = 0.1;

/// How a result depends on a parameter.
#[derive(Clone, Debug, Serialize)]
pub struct Sensitivity {
    /// The parameter: friction, density or a thickness.
    pub parameter: String,
    /// Name of the case.
    pub case: String,
    /// What is listed: adequacy factor, or collapse acceleration \[g\] if nothing leads.
    pub result: &'static str,
    /// With the parameter as given.
    pub given: Option<f64>,
    /// With 0.9 times the parameter; `None` if there is no limit, or no equilibrium.
    pub less: Option<f64>,
    /// With 1.1 times the parameter.
    pub more: Option<f64>,
    /// Relative change of the result over relative change of the parameter.
    pub elasticity: Option<f64>,
}

impl Assessor<'_> {
    /// Sensitivities of a case, with a train at the position that governs.
    pub fn sensitivities(&self, case: &LoadCase, answer: &CaseAnswer) -> Result<Vec<Sensitivity>> {
        let directions: Vec<LeadingAction> = match &case.leading {
            Some(leading) => vec![leading.clone()],
            None => self
                .directions
                .iter()
                .map(|(text, direction)| LeadingAction::Acceleration(direction.clone(), text.clone(), 1.0))
                .collect(),
        };
        let result = if case.leading.is_some() { "adequacy factor" } else { "collapse acceleration [g]" };
        let measure = |model: &voussoir_mechanics::AnyModel, factors: &CaseFactors| -> Result<Option<f64>> {
            let mut least: Option<f64> = None;
            for leading in &directions {
                let (asked, factors): (AnyQuestion, _) = question(leading, factors);
                let found = AnyStructure::under_case(model, &factors)?.limit(&asked, &LimitSettings::default())?;
                let design = if let LeadingAction::Acceleration(_, _, size) = leading { *size } else { 1.0 };
                let value = found.multiplier.filter(|_| found.proved).map(|value| value / design);
                least = [least, value].into_iter().flatten().reduce(f64::min);
            }
            Ok(least)
        };
        let given = measure(&self.model, &answer.placed)?;
        let row = |parameter: &str, [less, more]: [Option<f64>; 2]| {
            let slope = |given: f64, less: f64, more: f64| (more - less) / (2.0 * RELATIVE_CHANGE * given);
            let elasticity = given.zip(less).zip(more).map(|((given, less), more)| slope(given, less, more));
            let (parameter, case) = (parameter.to_owned(), case.name.clone());
            Sensitivity { parameter, case, result, given, less, more, elasticity }
        };
        let both = |with: &dyn Fn(f64) -> Result<Option<f64>>| -> Result<[Option<f64>; 2]> {
            Ok([with(1.0 - RELATIVE_CHANGE)?, with(1.0 + RELATIVE_CHANGE)?])
        };
        let friction = both(&|by| {
            let friction = answer.placed.friction / by;
            measure(&self.model, &CaseFactors { friction, ..answer.placed.clone() })
        })?;
        let density = both(&|by| measure(&self.model, &CaseFactors { density: by, ..answer.placed.clone() }))?;
        let mut rows = vec![row("friction of all joints", friction), row("density of blocks and fill", density)];
        for (key, thickness) in self.arches() {
            let found = both(&|by| {
                let text = with_value(&self.file.scene.source.text, &key, by * thickness)?;
                let name = format!("{} with {key} changed", self.file.scene.source.file);
                let model = SceneFile::read(&text, &name, self.base)?.built.finished();
                measure(&model, &answer.placed)
            })?;
            rows.push(row(&key, found));
        }
        Ok(rows)
    }
}
