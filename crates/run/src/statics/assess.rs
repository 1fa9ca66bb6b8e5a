//! The assessment of a scene: verdict, factors and utilisations of all of its actions, in one report.
//!
//! Actions are as written in the scene, without partial factors; their multipliers are the factors that remain.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use voussoir_model::scene::bodies::FormSpec;
use voussoir_model::scene::generated::Generator;
use voussoir_results::picture::escape;
use voussoir_statics::find::Find;
use voussoir_statics::joints::PlaneJoint;
use voussoir_statics::limit::{LimitSettings, LimitVerdict};
use voussoir_statics::stand::{Certificate, StandSettings, VerdictWord};
use voussoir_statics::thrust::ThrustRange;
use voussoir_statics::{AnyQuestion, AnyStructure, Direction};

use super::questions::Clock;
use super::search::{Search, Varied};
use crate::error::Result;
use crate::figures::quantity;
use crate::scene_file::SceneFile;

/// Distance between positions of trains [m].
const STEP: f64 = 0.1;

/// Thicknesses down to this fraction of the given one are tried.
const THINNEST: f64 = 0.05;

/// An action and the factor by which it can grow before collapse.
#[derive(Clone, Debug, Serialize)]
pub struct ActionFactor {
    /// Name of the load or train, or direction of the ground acceleration.
    pub action: String,
    /// How the analysis ended.
    pub verdict: LimitVerdict,
    /// Largest multiplier, a lower bound; of g for an acceleration.
    pub multiplier: Option<f64>,
    /// Upper bound.
    pub upper: Option<f64>,
    /// True if the bounds meet.
    pub proved: bool,
    /// Place of the first axle of a train at its worst position \[m\].
    pub at: Option<[f64; 3]>,
    /// Loads that press down and are not accelerated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_accelerated: Vec<String>,
    /// Joints that open or slide at the limit, by their blocks.
    pub governing: Vec<[String; 2]>,
}

/// Thickness over least thickness.
#[derive(Clone, Debug, Serialize)]
pub struct ThicknessFactor {
    /// Key of the scene.
    pub key: String,
    /// As written \[m\].
    pub given_m: f64,
    /// Least thickness that stands under the permanent actions \[m\].
    pub least_m: f64,
    /// Their ratio: the geometric safety factor.
    pub factor: f64,
}

/// The JSON of `voussoir assess`.
#[derive(Clone, Debug, Serialize)]
pub struct Assessment {
    /// Title of the scene.
    pub title: String,
    /// Under the permanent actions: all loads at time 0, no trains.
    pub verdict: VerdictWord,
    /// What a proof is missing, if the verdict is not decided.
    pub missing: String,
    /// Weight of the blocks \[N\].
    pub weight_n: f64,
    /// Range of thrust at the place with the largest one.
    pub thrust: Option<ThrustRange>,
    /// Factors of all loads, trains and accelerations of the ground.
    pub factors: Vec<ActionFactor>,
    /// Geometric safety factors of arches.
    pub thickness: Vec<ThicknessFactor>,
    /// Joints with the largest use of compressive strength, friction and depth, with the action that is applied.
    pub joints: Vec<(String, PlaneJoint)>,
    /// Computing time \[s\].
    pub time_s: f64,
}

/// Assesses a scene; `base` is the folder of its meshes.
pub fn assess(file: &SceneFile, base: &Path, clock: Clock) -> Result<Assessment> {
    let start = clock();
    let settings = StandSettings { best_margins: Some(false), ..StandSettings::default() };
    let model = file.built.finished();
    let permanent = || -> Result<AnyStructure> {
        let mut structure = AnyStructure::new(&model)?;
        remove_trains(&mut structure);
        Ok(structure)
    };
    let mut at_rest = permanent()?;
    let answer = at_rest.stand(&settings);
    let in_equilibrium = answer.certificate == Certificate::Forces;
    let thrust = if in_equilibrium { at_rest.thrust(None, None)? } else { None };
    let mut joints = governing("permanent", &answer.joints);
    let mut factors = Vec::new();
    for load in &file.scene.loads {
        let found = permanent()?.limit(&AnyQuestion::Named(load.name.clone()), &LimitSettings::default());
        // a load on supports only has no factor
        factors.extend(found.ok().map(|found| factor(&load.name, &found)));
    }
    for train in &file.scene.trains {
        let mut structure = AnyStructure::new(&model)?;
        keep_train(&mut structure, &train.name);
        let envelope = structure.envelope(&train.name, STEP, &LimitSettings::default())?;
        joints.extend(governing(&train.name, &envelope.joints));
        if let (Some(found), Some(worst)) = (&envelope.answer, &envelope.worst) {
            factors.push(ActionFactor { at: Some(worst.at), ..factor(&train.name, found) });
        }
    }
    let axes: &[&str] = if model.dimension() == 2 { &["x", "-x"] } else { &["x", "-x", "y", "-y"] };
    for axis in axes {
        let direction: Direction = axis.parse().map_err(crate::error::RunError::Internal)?;
        let found = permanent()?.limit(&AnyQuestion::Acceleration(direction), &LimitSettings::default())?;
        factors.push(factor(&format!("ground acceleration, inertia along {axis}"), &found));
    }
    Ok(Assessment {
        title: file.built.title.clone(),
        verdict: answer.verdict,
        missing: answer.missing.clone(),
        weight_n: answer.weight_n,
        thrust,
        factors,
        thickness: thicknesses(file, base, &settings)?,
        joints,
        time_s: clock() - start,
    })
}

fn factor(action: &str, found: &voussoir_statics::limit::LimitAnswer) -> ActionFactor {
    let between = |m: &voussoir_statics::mechanism::Mechanism| -> Vec<[String; 2]> {
        let hinges = m.hinges.iter().map(|hinge| hinge.between.clone());
        hinges.chain(m.sliding.iter().map(|slip| slip.between.clone())).collect()
    };
    ActionFactor {
        action: action.to_owned(),
        verdict: found.verdict,
        multiplier: found.multiplier,
        upper: found.upper,
        proved: found.proved,
        at: None,
        not_accelerated: found.not_accelerated.clone(),
        governing: found.mechanism.as_ref().map(between).unwrap_or_default(),
    }
}

/// A use of a joint: 1 is its limit.
type JointUse = fn(&PlaneJoint) -> f64;

/// The joints with the largest use of strength, friction and depth.
fn governing(action: &str, joints: &[PlaneJoint]) -> Vec<(String, PlaneJoint)> {
    let uses: [(&str, JointUse); 3] = [
        ("compression", |joint| joint.compression_use.unwrap_or(0.0)),
        ("friction", |joint| joint.friction_use),
        ("eccentricity", |joint| joint.eccentricity),
    ];
    let worst = |of: JointUse| joints.iter().max_by(|a, b| of(a).total_cmp(&of(b)));
    uses.iter()
        .filter_map(|(name, of)| {
            Some((format!("{action}: {name}"), worst(*of).filter(|joint| of(joint) > 0.0)?.clone()))
        })
        .collect()
}

fn thicknesses(file: &SceneFile, base: &Path, settings: &StandSettings) -> Result<Vec<ThicknessFactor>> {
    let mut found = Vec::new();
    for body in &file.scene.bodies {
        let FormSpec::Generated(Generator::Arch(arch)) = &body.form else { continue };
        let (key, given_m) = (format!("{}.thickness", body.common.name), arch.thickness);
        let between = [THINNEST * given_m, given_m];
        let search = Search { key: key.clone(), find: Find::Smallest, between, precision: 1e-5, direction: None };
        let (least, ..) = search.run(&Varied::new(file, base, &search), |structure| {
            remove_trains(structure);
            Ok(structure.decide(settings).stands())
        })?;
        if let Some(least_m) = least.value {
            found.push(ThicknessFactor { key, given_m, least_m, factor: given_m / least_m });
        }
    }
    Ok(found)
}

/// Leaves one train on a structure.
fn keep_train(structure: &mut AnyStructure, name: &str) {
    match structure {
        AnyStructure::Two(structure) => Arc::make_mut(&mut structure.model).trains.retain(|train| train.name == name),
        AnyStructure::Three(structure) => Arc::make_mut(&mut structure.model).trains.retain(|train| train.name == name),
    }
}

/// Permanent actions only. No name is empty.
fn remove_trains(structure: &mut AnyStructure) {
    keep_train(structure, "");
}

/// Rows "what, value" of the assessment, in plain words.
pub fn rows(assessment: &Assessment) -> Vec<[String; 2]> {
    let mut rows = vec![[
        "verdict".to_owned(),
        match assessment.verdict {
            VerdictWord::Stands => "stands under its permanent actions".to_owned(),
            VerdictWord::Wedged => "WEDGED: stands only by self-stress that the loads do not produce".to_owned(),
            VerdictWord::Collapses => "COLLAPSES under its permanent actions".to_owned(),
            VerdictWord::NotDecided => format!("NOT DECIDED: {}", assessment.missing),
        },
    ]];
    rows.push(["weight of the blocks".to_owned(), quantity(assessment.weight_n, "N")]);
    if let Some(thrust) = &assessment.thrust {
        let end = |value: Option<f64>| value.map_or("no limit".to_owned(), |value| quantity(value, "N"));
        let range = format!("{} … {} at {}", end(thrust.min_n), end(thrust.max_n), thrust.at);
        rows.push(["range of thrust".to_owned(), range]);
    }
    for thickness in &assessment.thickness {
        let text =
            format!("{:.3}: {} m over the least {:.4} m", thickness.factor, thickness.given_m, thickness.least_m);
        rows.push([format!("geometric safety factor, {}", thickness.key), text]);
    }
    for factor in &assessment.factors {
        let mut text = match (factor.verdict, factor.multiplier, factor.upper) {
            (LimitVerdict::Limit, Some(value), _) => format!("{value:.4}"),
            (LimitVerdict::Unbounded, ..) => "unbounded: no factor causes collapse".to_owned(),
            (LimitVerdict::Undecided, Some(low), Some(high)) => format!("NOT DECIDED: between {low:.4} and {high:.4}"),
            (LimitVerdict::Undecided, ..) => "NOT DECIDED".to_owned(),
            (LimitVerdict::Falls, ..) | (LimitVerdict::Limit, None, _) => {
                "the other loads cannot be carried".to_owned()
            }
        };
        if let Some([x, y, _]) = factor.at {
            let _ = write!(text, ", worst with the first axle at x = {x:.2}, y = {y:.2} m");
        }
        if !factor.not_accelerated.is_empty() {
            let _ = write!(text, "; without inertia: {}", factor.not_accelerated.join(", "));
        }
        rows.push([format!("collapse factor, {}", factor.action), text]);
    }
    for (what, joint) in &assessment.joints {
        let stress = match (joint.stress_pa, joint.strength_pa) {
            (Some(stress), Some(strength)) => format!(", {} of {}", quantity(stress, "Pa"), quantity(strength, "Pa")),
            (Some(stress), None) => format!(", {} (no strength is given)", quantity(stress, "Pa")),
            _ => String::new(),
        };
        let text = format!(
            "{} – {}: friction {:.2}, eccentricity {:.2} of the edge{stress}",
            joint.between[0], joint.between[1], joint.friction_use, joint.eccentricity
        );
        rows.push([format!("governing joint, {what}"), text]);
    }
    rows
}

/// Assumptions and limits in plain words.
pub const ASSUMPTIONS: [&str; 6] = [
    "Rigid blocks, joints without tension, Coulomb friction; collapse factors hold for joints that open as they slide.",
    "Actions are as written in the scene, without partial factors: a factor must be compared with the required one.",
    "Permanent actions are all loads at time 0, without trains; a factor multiplies one action while all others stay.",
    "Joint forces are one of the possible states of equilibrium, not the worst one; stresses are those of a rectangular \
     block about the centre of pressure, N/(A (1 − e)).",
    "Fill is weight and mass only: no lateral pressure; axle loads are spread only if the train has a dispersion.",
    "The geometric safety factor is the thickness over the least thickness that stands under the permanent actions.",
];

/// The assessment as one page.
pub fn page(assessment: &Assessment) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>\
         body{{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}}\
         table{{border-collapse:collapse;width:100%}}td{{border-bottom:1px solid #ddd;padding:.35em .6em;vertical-align:top}}\
         td:first-child{{color:#555;width:38%}}li{{margin:.3em 0}}</style></head><body>\n<h1>{0}</h1>\n<table>\n",
        escape(&assessment.title)
    );
    for [name, value] in rows(assessment) {
        let _ = writeln!(html, "<tr><td>{}</td><td>{}</td></tr>", escape(&name), escape(&value));
    }
    html += "</table>\n<h2>Assumptions and limits</h2>\n<ul>\n";
    for line in ASSUMPTIONS {
        let _ = writeln!(html, "<li>{}</li>", escape(line));
    }
    html + "</ul>\n</body></html>\n"
}
