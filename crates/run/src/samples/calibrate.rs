//! Springs of the grains with which a sample has a required modulus.
//!
//! kₙ and k_t of the joint between the grains are multiplied by one factor; all other values and the packings are kept.
//! The median of the modulus over the packings rises with the factor, but not smoothly: grains rearrange. The factor is
//! doubled or halved until the required modulus lies between two values, then bisected (logarithms) until the modulus
//! is within the tolerance.

use std::sync::Arc;

use serde::Serialize;
use voussoir_mechanics::AnyModel;
use voussoir_mechanics::model::Joint;
use voussoir_model::Built;
use voussoir_model::scene::Scene;
use voussoir_model::scene::bodies::FormSpec;
use voussoir_model::scene::generated::Generator;

use super::{SampleStatistic, test};
use crate::error::{Result, RunError};

/// The factor is searched between 1/MOST_FACTOR and MOST_FACTOR.
const MOST_FACTOR: f64 = 1024.0;
/// Most bisections.
const MOST_BISECTIONS: usize = 16;

/// One factor that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct TriedFactor {
    /// Factor on both springs.
    pub factor: f64,
    /// The modulus over all packings.
    pub modulus: SampleStatistic,
}

/// Answer of `voussoir calibrate`.
#[derive(Clone, Debug, Serialize)]
pub struct ModulusReport {
    /// Materials of the joint.
    pub between: [String; 2],
    /// The factor found.
    pub factor: f64,
    /// kₙ and k_t [Pa/m].
    pub springs: [f64; 2],
    /// Median of the modulus with these springs [Pa].
    pub modulus: f64,
    /// True if the modulus is within the tolerance.
    pub reached: bool,
    /// All factors that were tried, in order.
    pub tried: Vec<TriedFactor>,
}

/// Request of `calibrate`.
#[derive(Clone, Debug)]
pub struct ModulusRequest {
    /// Required modulus [Pa].
    pub modulus: f64,
    /// Accepted relative difference.
    pub tolerance: f64,
    /// Materials of the joint; default: the grains among themselves.
    pub joint: Option<[String; 2]>,
}

/// Materials of the joint between the grains.
fn grains(scene: &Scene) -> Result<[String; 2]> {
    let fill = scene.bodies.iter().find(|body| matches!(body.form, FormSpec::Generated(Generator::Fill(_))));
    let Some(fill) = fill else {
        return Err(
            RunError::input("the scene has no fill".to_owned()).with_help("name the materials with --joint A B")
        );
    };
    Ok([fill.common.material.clone(), fill.common.material.clone()])
}

/// Finds the springs.
pub fn calibrate(scene: &Scene, samples: &[Built], request: &ModulusRequest) -> Result<ModulusReport> {
    if !(request.modulus > 0.0 && request.modulus.is_finite()) {
        return Err(RunError::input(format!("--modulus {}: expected a number above zero", request.modulus)));
    }
    let between = request.joint.clone().map_or_else(|| grains(scene), Ok)?;
    let springs = scaled(&samples[0], &between, 1.0)?.1;
    let mut tried: Vec<TriedFactor> = Vec::new();
    let mut ratio = |factor: f64| -> Result<f64> {
        let changed: Vec<Built> =
            samples.iter().map(|built| Ok(scaled(built, &between, factor)?.0)).collect::<Result<_>>()?;
        let report = test(&changed);
        let modulus = report.statistics.iter().find(|value| value.unit == "Pa").cloned();
        let Some(modulus) = modulus else {
            let why = report.rows.iter().find_map(|row| row.note.clone()).unwrap_or_default();
            return Err(RunError::input(format!("the test gives no modulus: {why}")));
        };
        let ratio = modulus.median / request.modulus;
        tried.push(TriedFactor { factor, modulus });
        Ok(ratio)
    };
    search(&mut ratio, request.tolerance)?;
    let best = tried
        .iter()
        .min_by(|a, b| miss(a, request.modulus).total_cmp(&miss(b, request.modulus)))
        .cloned()
        .ok_or_else(|| RunError::Internal("no factor was tried".to_owned()))?;
    let depth = samples[0].sample.as_ref().map_or(1.0, |sample| sample.depth);
    Ok(ModulusReport {
        between,
        factor: best.factor,
        springs: springs.map(|spring| spring * best.factor / depth),
        modulus: best.modulus.median,
        reached: (best.modulus.median / request.modulus - 1.0).abs() <= request.tolerance,
        tried,
    })
}

fn miss(tried: &TriedFactor, wanted: f64) -> f64 {
    (tried.modulus.median / wanted).ln().abs()
}

/// Doubles or halves a factor until `ratio` passes 1, then bisects.
fn search(ratio: &mut dyn FnMut(f64) -> Result<f64>, tolerance: f64) -> Result<()> {
    let near = |ratio: f64| (ratio - 1.0).abs() <= tolerance;
    let first = ratio(1.0)?;
    if near(first) {
        return Ok(());
    }
    let step = if first < 1.0 { 2.0 } else { 0.5 };
    let (mut inner, mut outer) = (1.0, step);
    loop {
        let found = ratio(outer)?;
        if near(found) {
            return Ok(());
        }
        if (found < 1.0) != (first < 1.0) {
            break;
        }
        (inner, outer) = (outer, outer * step);
        if !(1.0 / MOST_FACTOR..=MOST_FACTOR).contains(&outer) {
            return Ok(());
        }
    }
    for _ in 0..MOST_BISECTIONS {
        let middle = (inner * outer).sqrt();
        let found = ratio(middle)?;
        if near(found) {
            return Ok(());
        }
        if (found < 1.0) == (first < 1.0) { inner = middle } else { outer = middle }
    }
    Ok(())
}

/// A scene with the springs of a joint multiplied, and the original springs.
fn scaled(built: &Built, between: &[String; 2], factor: f64) -> Result<(Built, [f64; 2])> {
    let mut built = built.clone();
    let AnyModel::Two(model) = &mut built.model else {
        return Err(RunError::input("tests on samples are in two dimensions".to_owned()));
    };
    let model = Arc::make_mut(model);
    let index = |name: &String| {
        let found = model.materials.iter().position(|material| &material.name == name);
        found.ok_or_else(|| RunError::input(format!("--joint: there is no material \"{name}\"")))
    };
    let (a, b) = (index(&between[0])?, index(&between[1])?);
    let joint = model.joints.between(a, b);
    let Some(mut elastic) = joint.elastic else {
        let [a, b] = between;
        return Err(RunError::input(format!("the joint between \"{a}\" and \"{b}\" has no springs"))
            .with_help("write elastic = { normal = …, tangential = … } [Pa/m]"));
    };
    let before = [elastic.normal, elastic.tangential];
    (elastic.normal, elastic.tangential) = (before[0] * factor, before[1] * factor);
    model.joints.set(a, b, Joint { elastic: Some(elastic), ..joint });
    Ok((built, before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_brackets_and_bisects() {
        for (power, wanted) in [(0.5f64, 7.0f64), (1.0, 0.03), (0.3, 1.0)] {
            let mut last = 0.0;
            let mut ratio = |factor: f64| {
                last = factor;
                Ok(factor.powf(power) / wanted)
            };
            search(&mut ratio, 1e-3).unwrap();
            assert!((last.powf(power) / wanted - 1.0).abs() <= 1e-3, "{last}");
        }
    }
}
