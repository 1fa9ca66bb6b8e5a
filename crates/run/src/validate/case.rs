//! The file of a case: scenes, comparisons, and the source of the expected values.
//!
//! `validation/README.md` documents the keys; these structs are the reader.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ValidateError;
use super::ask::{Ask, is_asked};
use super::values::{CaseValues, Number, Scope};

/// One validation case.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name of the case, by which `voussoir validate` selects it: `V1.1`, `E5`.
    pub id: String,
    /// One line.
    pub title: String,
    /// Source of the expected values.
    pub source: String,
    /// The mechanics in a few sentences.
    pub explanation: String,
    /// An external model with the geometry of the scenes: a path inside the folder that the variable
    /// `VOUSSOIR_DATA` names, in any form that `voussoir import` reads. Its files are called `model…`. Without it the
    /// case is omitted.
    #[serde(default)]
    pub model: Option<PathBuf>,
    /// The folder that file names in scenes are relative to.
    #[serde(skip)]
    pub place: PathBuf,
    /// Named numbers for scenes and formulas.
    #[serde(default)]
    pub values: CaseValues,
    /// Invariants of every step.
    #[serde(default)]
    pub invariants: Invariants,
    /// Simulations.
    #[serde(rename = "run")]
    pub runs: Vec<CaseRun>,
    /// Comparisons.
    #[serde(rename = "check")]
    pub checks: Vec<CaseCheck>,
}

/// Invariants of every step, besides the invariants that apply to all cases.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariants {
    /// Largest penetration [m].
    #[serde(default = "nanometre")]
    pub penetration: Number,
    /// Repeats the run with one thread: results must be bit-identical.
    #[serde(default)]
    pub repeat: bool,
    /// Repeats the run with the bodies in reverse order: the motion must agree within this tolerance [m, m/s].
    #[serde(default)]
    pub renumber: Option<f64>,
    /// Repeats the run with half the step (the value `h`): every check must pass again.
    #[serde(default)]
    pub halve: bool,
    /// With `halve`: no computed number changes by more than this, relative.
    #[serde(default)]
    pub halving_changes: Option<f64>,
}

impl Default for Invariants {
    fn default() -> Self {
        Self { penetration: nanometre(), repeat: false, renumber: None, halve: false, halving_changes: None }
    }
}

fn nanometre() -> Number {
    Number::Plain(1e-9)
}

/// One simulation, or several that differ in their values.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseRun {
    /// Name, by which checks refer to it.
    pub name: String,
    /// The scene, with `${formula}` where numbers of the case go.
    #[serde(default)]
    pub scene: Option<String>,
    /// Takes the scene of an earlier run.
    #[serde(default)]
    pub like: Option<String>,
    /// Values that differ from those of the case.
    #[serde(default)]
    pub values: CaseValues,
    /// Runs once for every combination of these values.
    #[serde(default)]
    pub vary: BTreeMap<String, Vec<Number>>,
    /// Instead of a simulation: a static question.
    #[serde(default)]
    pub ask: Option<Ask>,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseCheck {
    /// Description of the compared quantity.
    pub what: String,
    /// Name of the run; default: all runs.
    #[serde(default)]
    pub run: Option<String>,
    /// Quantity that is observed at every step.
    pub quantity: ObservedQuantity,
    /// Name of the body; for forces: the body on which they act.
    #[serde(default)]
    pub body: Option<String>,
    /// Second body, whose value is subtracted; for contacts: only contacts with this body.
    #[serde(default)]
    pub other: Option<String>,
    /// Which cable.
    #[serde(default)]
    pub cable: Option<String>,
    /// A probe of the scene, for the quantity "probe"; head of a column, for the quantity "column".
    #[serde(default)]
    pub probe: Option<String>,
    /// Which component.
    #[serde(default)]
    pub component: VectorComponent,
    /// Contacts of this status only.
    #[serde(default)]
    pub status: Option<ObservedStatus>,
    /// Contacts inside this box only.
    #[serde(default)]
    pub inside: Option<ObservedBox>,
    /// Reduction of the history to one number.
    #[serde(default)]
    pub take: Take,
    /// Time [s] for `take = "time"` and `take = "detour"`.
    #[serde(default)]
    pub at: Option<Number>,
    /// Value that is crossed, or above which something counts.
    #[serde(default)]
    pub level: Option<Number>,
    /// Number of the peak or crossing, from 1.
    #[serde(default)]
    pub nth: Option<usize>,
    /// The number is divided by this.
    #[serde(default)]
    pub per: Option<Number>,
    /// A number, a formula, or "stands" or "falls".
    pub expected: Number,
    /// Largest difference.
    pub tolerance: Tolerance,
    /// Source of this value, if it differs from the source of the case.
    #[serde(default)]
    pub source: Option<String>,
}

/// Quantities that are observed at every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObservedQuantity {
    /// Of the centroid [m].
    Position,
    /// Of the centroid, from the start [m].
    Displacement,
    /// Of the centroid [m/s].
    Velocity,
    /// From the start, as a rotation vector [rad].
    Rotation,
    /// From the axes of the scene, as a rotation vector [rad].
    Orientation,
    /// [rad/s], world axes.
    Spin,
    /// Sum of contact forces on `body` [N].
    Force,
    /// Torque of contact forces on `body` about its centroid [N·m].
    Moment,
    /// Tension of the `cable` [N].
    CableTension,
    /// Number of contacts.
    Contacts,
    /// Smallest gap of the contacts [m].
    SmallestGap,
    /// Largest gap of the contacts [m].
    LargestGap,
    /// Penetration relative to the longest side of the smaller body.
    Depth,
    /// Of all free bodies [J].
    KineticEnergy,
    /// Kinetic and potential energy of all free bodies [J].
    Energy,
    /// Dissipated by friction so far [J].
    FrictionWork,
    /// Dissipated by impacts so far [J].
    ImpactWork,
    /// Dissipated by bonds that wear and break so far [J].
    CohesionWork,
    /// Stored in springs, bonds and cables [J].
    ElasticEnergy,
    /// Numerical dissipation in springs, bonds and cables so far [J].
    NumericalWork,
    /// Error of the energy balance, relative to the largest energy of the run.
    LedgerError,
    /// Largest damage of the bonds, 0 … 1.
    Damage,
    /// Linear momentum of all free bodies [N·s].
    Momentum,
    /// Angular momentum of all free bodies about the origin [N·m·s].
    AngularMomentum,
    /// Deviation of positions [m] and velocities [m/s] from mirror symmetry about x = 0.
    Asymmetry,
    /// A probe of the scene, by the head of its column.
    Probe,
    /// A column of the analysis itself; `probe` is its head.
    Column,
    /// Answers: "stands" or "falls"; with `at`, for that many times the multiplier or value found.
    Stands,
    /// Answers: the largest multiplier of the load.
    Multiplier,
    /// Answers: the value that a search found.
    Value,
    /// Answers: the smallest thrust over all admissible states [N].
    SmallestThrust,
    /// Answers: the largest thrust over all admissible states [N].
    LargestThrust,
    /// Answers: reaction of all supports against gravity [N].
    SupportReaction,
    /// Answers: tension of the `cable` in the forces found [N].
    CableForce,
    /// Answers: the smaller of the best geometric and friction margins.
    Margin,
    /// Answers: number of hinges of the mechanism.
    Hinges,
    /// Answers: number of sliding joints of the mechanism.
    SlidingJoints,
    /// Answers: angle of the `nth` hinge from the vertical through the origin, right side, in order [degrees].
    HingeAngle,
    /// Agreement: the largest multiplier that stands by certificates, over that of limit analysis.
    StaticRatio,
    /// Agreement: the multiplier of joints that slide without opening, over that of limit analysis.
    NonAssociatedRatio,
    /// Agreement: the largest multiplier that stands in dynamics, over that of limit analysis.
    DynamicRatio,
    /// Samples: median over the packings of the value that `probe` names.
    Median,
}

/// Which component of a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VectorComponent {
    /// Along the x axis.
    X,
    /// Along the y axis.
    Y,
    /// Along the z axis.
    Z,
    /// Length of the vector.
    #[default]
    Length,
    /// Sum of the normal components (forces).
    Normal,
    /// Length of the sum of the tangential parts (forces).
    Tangential,
}

/// Status of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObservedStatus {
    /// No force.
    Open,
    /// A force, no slip.
    Stick,
    /// A force, and slip.
    Slide,
    /// A force, with or without slip.
    Closed,
}

/// A box in world axes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObservedBox {
    /// Smallest coordinates [m]; those omitted have no limit.
    #[serde(default)]
    pub min: Vec<Number>,
    /// Largest coordinates [m]; those omitted have no limit.
    #[serde(default)]
    pub max: Vec<Number>,
}

/// Reductions of a history q(t) to one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Take {
    /// q at the end.
    #[default]
    End,
    /// q at the time `at`.
    Time,
    /// (q(end) − q(0)) / duration.
    Rate,
    /// q(end) / q(0).
    Ratio,
    /// Largest q.
    Maximum,
    /// Smallest q.
    Minimum,
    /// Largest |q(t) − q(0)|.
    Drift,
    /// The `nth` local maximum of |q|, the start not counted.
    Peak,
    /// Time [s] at which q goes through `level` for the `nth` time.
    Crossing,
    /// Last time [s] at which |q| is above `level`.
    Last,
    /// Σ |Δq|.
    Path,
    /// Σ |Δq| / |q(end) − q(0)|, up to the time `at` if it is given: 1 where q only rises or only falls.
    Detour,
    /// Largest q(t) − q(s), s before t: zero when q only falls; with `at`, from that time on; with `level`, until |q|
    /// is first above it.
    Rise,
    /// "falls" when |q| is ever above `level`, else "stands".
    Verdict,
}

/// Largest difference between computed and expected: exactly one of the keys.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// Relative to the expected value.
    #[serde(default)]
    pub relative: Option<Number>,
    /// In the unit of the expected value.
    #[serde(default)]
    pub absolute: Option<Number>,
}

/// A run with all its values.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Name of the run it belongs to.
    pub run: String,
    /// Label of the variant, e.g. `slides, fx = 50`; empty if the case has one run only.
    pub label: String,
    /// The scene, filled in.
    pub scene: String,
    /// Values for formulas.
    pub scope: Scope,
}

impl Case {
    /// Reads a case. Errors name the file and the place.
    pub fn parse(text: &str, file: &str) -> Result<Self, ValidateError> {
        let case: Self = toml::from_str(text)
            .map_err(|e| ValidateError::File { file: file.to_owned(), reason: e.to_string().trim_end().to_owned() })?;
        if case.invariants.halving_changes.is_some() && !case.invariants.halve {
            return Err(case.wrong("`halving_changes` needs `halve = true`"));
        }
        for check in &case.checks {
            if let Some(run) = check.run.as_ref().filter(|name| !case.runs.iter().any(|run| &run.name == *name)) {
                return Err(case.wrong(format!("check \"{}\": there is no run \"{run}\"", check.what)));
            }
            let asked = |run: &CaseRun| run.ask.is_some();
            let mine = |run: &&CaseRun| check.run.as_ref().is_none_or(|name| &run.name == name);
            if let Some(run) = case.runs.iter().filter(mine).find(|run| asked(run) != is_asked(check.quantity)) {
                let kind = if asked(run) { "an answer" } else { "a simulation" };
                let reason =
                    format!("check \"{}\": the run \"{}\" is {kind}, this quantity is not of it", check.what, run.name);
                return Err(case.wrong(reason));
            }
            if check.tolerance.relative.is_some() == check.tolerance.absolute.is_some() {
                let reason = format!("check \"{}\": the tolerance is either relative or absolute", check.what);
                return Err(case.wrong(reason));
            }
        }
        Ok(case)
    }

    /// An error of this case.
    pub fn wrong(&self, reason: impl Into<String>) -> ValidateError {
        ValidateError::Case { id: self.id.clone(), reason: reason.into() }
    }

    /// All runs with all combinations of their varied values, in the order of the file.
    pub fn variants(&self) -> Result<Vec<Variant>, ValidateError> {
        let mut variants = Vec::new();
        for (i, run) in self.runs.iter().enumerate() {
            let scene = self.scene_of(i)?;
            for values in combinations(run) {
                let mut own = run.values.clone();
                own.extend(values.iter().cloned());
                let scope = Scope::new(&self.values, &own);
                let wrong = |reason| self.wrong(format!("run \"{}\": {reason}", run.name));
                let mut label = if self.runs.len() > 1 { vec![run.name.clone()] } else { Vec::new() };
                for (name, number) in &values {
                    label.push(format!("{name} = {}", scope.value(number).map_err(wrong)?));
                }
                let scene = scope.fill(scene).map_err(wrong)?;
                variants.push(Variant { run: run.name.clone(), label: label.join(", "), scene, scope });
            }
        }
        Ok(variants)
    }

    /// The text of a run's scene.
    pub(crate) fn scene_of(&self, run: usize) -> Result<&str, ValidateError> {
        let CaseRun { name, scene, like, .. } = &self.runs[run];
        match (scene, like) {
            (Some(scene), None) => Ok(scene),
            (None, Some(like)) => match self.runs[..run].iter().position(|earlier| &earlier.name == like) {
                Some(earlier) => self.scene_of(earlier),
                None => Err(self.wrong(format!("run \"{name}\": there is no earlier run \"{like}\""))),
            },
            _ => Err(self.wrong(format!("run \"{name}\" needs either `scene` or `like`"))),
        }
    }
}

/// Every combination of the varied values; one empty combination when nothing varies.
fn combinations(run: &CaseRun) -> Vec<Vec<(String, Number)>> {
    let mut all: Vec<Vec<(String, Number)>> = vec![Vec::new()];
    for (name, numbers) in &run.vary {
        all = all
            .into_iter()
            .flat_map(|combination| {
                numbers.iter().map(move |number| {
                    let mut longer = combination.clone();
                    longer.push((name.clone(), number.clone()));
                    longer
                })
            })
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: &str = r#"
        id = "T"
        title = "t"
        source = "s"
        explanation = "e"
        values = { a = 1.0, b = "2*a" }
        [[run]]
        name = "one"
        scene = "x = ${b}"
        [[run]]
        name = "two"
        like = "one"
        values = { a = 3.0 }
        vary = { c = [1, 2], d = ["a", "b"] }
        [[check]]
        what = "something"
        quantity = "velocity"
        expected = "b"
        tolerance = { relative = 1e-3 }
    "#;

    #[test]
    fn variants_are_all_combinations() {
        let case = Case::parse(CASE, "t.toml").unwrap();
        let variants = case.variants().unwrap();
        let labels: Vec<&str> = variants.iter().map(|v| v.label.as_str()).collect();
        assert_eq!(labels, ["one", "two, c = 1, d = 3", "two, c = 1, d = 6", "two, c = 2, d = 3", "two, c = 2, d = 6"]);
        assert_eq!((variants[0].scene.as_str(), variants[1].scene.as_str()), ("x = 2", "x = 6"));
    }

    #[test]
    fn mistakes_are_named() {
        for (from, to, part) in [
            ("like = \"one\"", "like = \"three\"", "no earlier run \"three\""),
            ("${b}", "${q}", "there is no value `q`"),
            ("expected = \"b\"", "expected = \"b\"\nrun = \"three\"", "there is no run \"three\""),
            ("relative = 1e-3", "relative = 1e-3, absolute = 1", "either relative or absolute"),
            ("quantity", "quantty", "unknown field `quantty`"),
        ] {
            let message = Case::parse(&CASE.replace(from, to), "t.toml").and_then(|case| case.variants()).unwrap_err();
            assert!(message.to_string().contains(part), "{message}");
        }
    }
}
