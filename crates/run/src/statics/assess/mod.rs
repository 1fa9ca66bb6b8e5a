//! The assessment of a scene: for every load case verdict, adequacy factor, geometric safety factor, collapse acceleration and
//! utilisation of every joint, in one report.
//!
//! | module | content |
//! |---|---|
//! | [`cases`] | load cases and partial factors |
//! | [`evaluate`] | one load case |
//! | [`sensitivity`] | the governing case with other friction, density, thickness |
//! | [`words`] | the report as lines of text |
//! | [`page`](mod@page) | the report as one page of HTML |

pub mod cases;
pub mod evaluate;
pub mod page;
pub mod sensitivity;
pub mod words;

use std::path::Path;

use serde::Serialize;
use voussoir_statics::Direction;

use super::files::surveyed;
use super::questions::Clock;
use crate::error::Result;
use crate::scene_file::SceneFile;
use cases::{Basis, basis, cases, direction};
use evaluate::{Assessor, CaseAnswer};
use sensitivity::Sensitivity;

/// The JSON of `voussoir assess`.
#[derive(Clone, Debug, Serialize)]
pub struct Assessment {
    /// Title of the scene.
    pub title: String,
    /// True if every case is satisfied; `None` if one is not decided.
    pub satisfied: Option<bool>,
    /// Index of the case with the smallest adequacy factor; without one, the case with the smallest collapse acceleration.
    pub governing: usize,
    /// Weight of the blocks \[N\].
    pub weight_n: f64,
    /// Partial factors and their sources.
    pub basis: Basis,
    /// All load cases.
    pub cases: Vec<CaseAnswer>,
    /// How the governing case depends on friction, density and thickness.
    pub sensitivities: Vec<Sensitivity>,
    /// Warnings about the scene: numbers that look like a mistake.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Assumptions and limits.
    pub assumptions: Vec<&'static str>,
    /// Computing time \[s\].
    pub time_s: f64,
}

/// Assesses a scene; `base` is the folder of its meshes. `progress` is told the number and the name of each case.
pub fn assess(
    file: &SceneFile,
    base: &Path,
    clock: Clock,
    mut progress: impl FnMut(usize, usize, &str),
) -> Result<Assessment> {
    let start = clock();
    let model = file.built.finished();
    let basis = basis(&file.scene);
    let directions = directions(file, model.dimension())?;
    let load_cases = cases(&file.scene, &basis, &directions)?;
    let assessor = Assessor { file, base, model, directions, required: basis.required };
    let mut answers = Vec::with_capacity(load_cases.len());
    for (i, case) in load_cases.iter().enumerate() {
        progress(i + 1, load_cases.len(), &case.name);
        answers.push(assessor.case(case)?);
    }
    let governing = governing(&answers);
    progress(load_cases.len(), load_cases.len(), "sensitivities");
    let sensitivities = assessor.sensitivities(&load_cases[governing], &answers[governing])?;
    let origin = file.built.model.origin();
    for answer in &mut answers {
        let points = answer.joints.iter_mut().flat_map(|joint| [&mut joint.at, &mut joint.centre_m]);
        let axles = answer.adequacy.iter_mut().filter_map(|found| found.at.as_mut());
        points.chain(axles).for_each(|point| *point = surveyed(*point, origin));
    }
    let all: Vec<Option<bool>> = answers.iter().map(|answer| answer.satisfied).collect();
    Ok(Assessment {
        title: file.built.title.clone(),
        satisfied: match all.contains(&Some(false)) {
            true => Some(false),
            false => all.contains(&None).then_some(()).map_or(Some(true), |()| None),
        },
        governing,
        weight_n: answers[governing].design.report.answer.weight_n,
        basis,
        cases: answers,
        sensitivities,
        warnings: file.built.structure_warnings.clone(),
        assumptions: words::ASSUMPTIONS.to_vec(),
        time_s: clock() - start,
    })
}

/// Directions of accelerations: those of the scene, or both along each horizontal axis.
fn directions(file: &SceneFile, dimension: usize) -> Result<Vec<(String, Direction)>> {
    let given = file.scene.assessment.as_ref().map(|spec| spec.directions.clone()).unwrap_or_default();
    let axes: &[&str] = if dimension == 2 { &["x", "-x"] } else { &["x", "-x", "y", "-y"] };
    let texts = if given.is_empty() { axes.iter().map(|axis| (*axis).to_owned()).collect() } else { given };
    texts.into_iter().map(|text| Ok((text.clone(), direction(&text)?))).collect()
}

fn governing(answers: &[CaseAnswer]) -> usize {
    // what does not stand or fails comes first, then the smallest factor; accelerations only among equals
    let rank = |answer: &CaseAnswer| match answer.satisfied {
        Some(false) => 0.0,
        None => 1.0,
        Some(true) => 2.0,
    };
    let acceleration = |answer: &CaseAnswer| {
        answer.worst_acceleration().and_then(|found| found.acceleration_g.factor).unwrap_or(f64::INFINITY)
    };
    let key =
        |answer: &CaseAnswer| [rank(answer), answer.least_adequacy().unwrap_or(f64::INFINITY), acceleration(answer)];
    let order = |a: &CaseAnswer, b: &CaseAnswer| {
        let (a, b) = (key(a), key(b));
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2]))
    };
    (0..answers.len()).min_by(|&i, &j| order(&answers[i], &answers[j])).unwrap_or(0)
}
