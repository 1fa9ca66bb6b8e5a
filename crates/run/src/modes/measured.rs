//! Calibration of springs on measured frequencies.
//!
//! ```toml
//! [[measured]]
//! mode = 1                       # of the scene as written; followed by its shape
//! frequency = 8.2                # Hz
//!
//! [[scale]]                      # default: one factor for all springs
//! joint = ["stone", "stone"]     # as in `between`; left out: all joints
//! springs = "normal"             # "both" (default), "normal", "tangential"
//! ```

use std::path::Path;

use serde::{Deserialize, Serialize};
use voussoir_mechanics::joints::elastic::{Elastic, Influence};
use voussoir_mechanics::with_model;
use voussoir_model::Scene;
use voussoir_statics::modes::calibrate::{Calibrated, MeasuredMode, SpringGroup};

use super::{ModesRequest, ModesSubject};
use crate::error::{Result, RunError};

/// The file of measured frequencies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredFile {
    /// Measured modes.
    pub measured: Vec<MeasuredSpec>,
    /// Factors to find.
    #[serde(default)]
    pub scale: Vec<ScaleSpec>,
}

/// One measured mode.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredSpec {
    /// Number of the mode, from 1.
    pub mode: usize,
    /// Frequency [Hz].
    pub frequency: f64,
    /// Weight in the sum of squares; default 1.
    #[serde(default = "one")]
    pub weight: f64,
}

/// Springs with one common factor.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleSpec {
    /// `between` of a joint of the scene; `None`: all joints.
    #[serde(default)]
    pub joint: Option<[String; 2]>,
    /// Which springs.
    #[serde(default)]
    pub springs: ScaledSprings,
}

/// Springs of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScaledSprings {
    /// kₙ and k_t by the same factor.
    #[default]
    Both,
    /// kₙ.
    Normal,
    /// k_t.
    Tangential,
}

fn one() -> f64 {
    1.0
}

impl MeasuredFile {
    /// Reads the file.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(RunError::read(path))?;
        let wrong = |message: String| RunError::input(format!("{}: {message}", path.display()));
        let file: Self = toml::from_str(&text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        if file.measured.is_empty() {
            return Err(wrong("no measured frequency".to_owned())
                .with_help("write [[measured]] with mode = 1 and frequency = 8.2 [Hz]"));
        }
        for measured in &file.measured {
            if measured.mode == 0 {
                return Err(wrong("modes are numbered from 1".to_owned()));
            }
            for (what, value) in [("frequency", measured.frequency), ("weight", measured.weight)] {
                if !(value > 0.0 && value.is_finite()) {
                    return Err(wrong(format!("mode {}: {what} = {value} must be above zero", measured.mode)));
                }
            }
        }
        Ok(file)
    }
}

/// The outcome of a calibration, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct CalibrationReport {
    /// Measured and computed frequencies.
    pub modes: Vec<CalibratedMode>,
    /// Factors that were found.
    pub factors: Vec<CalibratedGroup>,
    /// Lines for the scene: `between` of a joint, and its `elastic`.
    pub scene: Vec<SceneLine>,
    /// Largest difference between measured and computed frequencies, relative.
    pub worst: f64,
    /// Steps of the search.
    pub steps: usize,
}

/// One measured mode.
#[derive(Clone, Debug, Serialize)]
pub struct CalibratedMode {
    /// Number, from 1.
    pub mode: usize,
    /// Measured [Hz].
    pub measured_hz: f64,
    /// Of the scene as written [Hz].
    pub before_hz: f64,
    /// With the factors [Hz].
    pub after_hz: f64,
}

/// One factor.
#[derive(Clone, Debug, Serialize)]
pub struct CalibratedGroup {
    /// Which springs.
    pub springs: String,
    /// Factor on their stiffness.
    pub factor: f64,
    /// Share of these springs in the elastic energy of each measured mode.
    pub energy_shares: Vec<f64>,
}

/// The line of a joint.
#[derive(Clone, Debug, Serialize)]
pub struct SceneLine {
    /// `between` of the joint.
    pub between: [String; 2],
    /// The line `elastic = …`.
    pub line: String,
}

/// Finds the factors for a file of measured frequencies.
pub fn calibrate(subject: &ModesSubject, request: &ModesRequest, file: &MeasuredFile) -> Result<CalibrationReport> {
    let scene = &subject.file.scene;
    let model = &subject.file.built.model;
    let names: Vec<&str> =
        with_model!(model, model => model.materials.iter().map(|material| material.name.as_str()).collect());
    let owners = owners(scene, &names);
    let all = [ScaleSpec::default()];
    let scales = if file.scale.is_empty() { &all[..] } else { &file.scale[..] };
    let groups = scales.iter().map(|scale| group(scene, &owners, scale)).collect::<Result<Vec<SpringGroup>>>()?;
    let measured: Vec<MeasuredMode> = file
        .measured
        .iter()
        .map(|m| MeasuredMode { mode: m.mode - 1, frequency: m.frequency, weight: m.weight })
        .collect();
    let found = subject.structure.calibrate(&subject.options(request), &groups, &measured)?;
    Ok(report(subject, file, &groups, &owners, names.len(), &found))
}

/// For every pair of materials the joint of the scene that applies to it: an exact pair has precedence over one star,
/// one star over two.
fn owners(scene: &Scene, names: &[&str]) -> Vec<Option<usize>> {
    let n = names.len();
    let mut owners: Vec<Option<(u8, usize)>> = vec![None; n * n];
    for (index, joint) in scene.joints.iter().enumerate() {
        let rank = joint.between.iter().map(|name| u8::from(name != "*")).sum();
        let fits = |side: usize, name: &str| joint.between[side] == "*" || joint.between[side] == name;
        for a in 0..n {
            for b in 0..n {
                let here = (fits(0, names[a]) && fits(1, names[b])) || (fits(0, names[b]) && fits(1, names[a]));
                if here && owners[a * n + b].is_none_or(|(old, _)| rank > old) {
                    owners[a * n + b] = Some((rank, index));
                }
            }
        }
    }
    owners.into_iter().map(|owner| owner.map(|(_, index)| index)).collect()
}

/// The springs of one entry of `scale`.
fn group(scene: &Scene, owners: &[Option<usize>], scale: &ScaleSpec) -> Result<SpringGroup> {
    let springs = match scale.springs {
        ScaledSprings::Both => [true, true],
        ScaledSprings::Normal => [true, false],
        ScaledSprings::Tangential => [false, true],
    };
    let words = match scale.springs {
        ScaledSprings::Both => "normal and tangential",
        ScaledSprings::Normal => "normal",
        ScaledSprings::Tangential => "tangential",
    };
    let Some([a, b]) = &scale.joint else {
        return Ok(SpringGroup {
            name: format!("all joints, {words}"),
            pairs: owners.iter().map(Option::is_some).collect(),
            springs,
        });
    };
    let same = |between: &[String; 2]| between == &[a.clone(), b.clone()] || between == &[b.clone(), a.clone()];
    let Some(index) = scene.joints.iter().position(|joint| same(&joint.between)) else {
        let known: Vec<String> = scene.joints.iter().map(|joint| format!("{:?}", joint.between)).collect();
        let message = format!("scale: the scene has no joint between = [\"{a}\", \"{b}\"]");
        return Err(RunError::input(message).with_help(format!("joints of the scene: {}", known.join(", "))));
    };
    Ok(SpringGroup {
        name: format!("joint \"{a}\"–\"{b}\", {words}"),
        pairs: owners.iter().map(|owner| *owner == Some(index)).collect(),
        springs,
    })
}

fn report(
    subject: &ModesSubject,
    file: &MeasuredFile,
    groups: &[SpringGroup],
    owners: &[Option<usize>],
    materials: usize,
    found: &Calibrated,
) -> CalibrationReport {
    let (scene, model) = (&subject.file.scene, &subject.file.built.model);
    let modes: Vec<CalibratedMode> = file
        .measured
        .iter()
        .zip(found.before.iter().zip(&found.after))
        .map(|(m, (&before_hz, &after_hz))| CalibratedMode {
            mode: m.mode,
            measured_hz: m.frequency,
            before_hz,
            after_hz,
        })
        .collect();
    let shares = |g: usize| found.shares.iter().map(|row| row[g]).collect();
    let factors = groups.iter().enumerate().map(|(g, group)| CalibratedGroup {
        springs: group.name.clone(),
        factor: found.factors[g],
        energy_shares: shares(g),
    });
    let lines = scene.joints.iter().enumerate().filter_map(|(index, joint)| {
        let pair = owners.iter().position(|owner| *owner == Some(index))?;
        let changed = groups.iter().any(|group| group.pairs[pair]);
        let elastic = model.joints().between(pair / materials, pair % materials).elastic.filter(|_| changed)?;
        let factor = |axis: usize| -> f64 {
            let own = groups.iter().zip(&found.factors).filter(|(group, _)| group.pairs[pair] && group.springs[axis]);
            own.map(|(_, factor)| factor).product()
        };
        // springs of the model are those of its depth
        let depth = scene.depth.unwrap_or(1.0);
        let line = line(&elastic, [factor(0) / depth, factor(1) / depth]);
        Some(SceneLine { between: joint.between.clone(), line })
    });
    let worst = modes.iter().map(|mode| (mode.after_hz / mode.measured_hz - 1.0).abs()).fold(0.0, f64::max);
    CalibrationReport { factors: factors.collect(), scene: lines.collect(), worst, steps: found.steps, modes }
}

/// `elastic = …` of a joint with its springs multiplied.
fn line(elastic: &Elastic, factors: [f64; 2]) -> String {
    let [normal, tangential] = [elastic.normal * factors[0], elastic.tangential * factors[1]];
    let closure = match elastic.closure {
        closure if closure.is_finite() => format!(", closure = {closure}"),
        _ => String::new(),
    };
    let influence = match elastic.influence {
        Influence::Standard => String::new(),
        Influence::Length(length) => format!(", influence = {length}"),
        Influence::Varying { least: None } => ", influence = { varying = {} }".to_owned(),
        Influence::Varying { least: Some(least) } => format!(", influence = {{ varying = {{ least = {least} }} }}"),
    };
    format!("elastic = {{ normal = {normal:.6e}, tangential = {tangential:.6e}{closure}{influence} }}")
}
