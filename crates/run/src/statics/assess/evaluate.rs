//! One load case: verdict, adequacy, geometric safety, collapse accelerations, utilisation of joints.

use std::path::Path;

use serde::Serialize;
use voussoir_mechanics::AnyModel;
use voussoir_model::scene::bodies::FormSpec;
use voussoir_model::scene::generated::Generator;
use voussoir_statics::case::{CaseFactors, GROUND, PlacedTrain, SELF_WEIGHT};
use voussoir_statics::equilibrium::Capacity;
use voussoir_statics::find::Find;
use voussoir_statics::joints::PlaneJoint;
use voussoir_statics::limit::{LimitAnswer, LimitSettings, LimitVerdict};
use voussoir_statics::mechanism::Mechanism;
use voussoir_statics::stand::{StandSettings, VerdictWord};
use voussoir_statics::study::{StandReport, Study, ThrustReport, Wishes, study};
use voussoir_statics::{AnyQuestion, AnyStructure, Direction};

use super::cases::{LeadingAction, LoadCase};
use crate::error::Result;
use crate::scene_file::SceneFile;
use crate::statics::search::{Search, Varied};

/// Distance between positions of trains of small and of large structures [m]; the worst position is refined to 1 cm.
const STEPS: [f64; 2] = [0.1, 0.5];

/// Structures with more free bodies are large: they have no range of thrust and no factors on joints and friction.
const LARGE_STRUCTURE: usize = 150;

/// Thicknesses down to this fraction of the given one are tried.
const THINNEST_FRACTION: f64 = 0.05;

/// Joints of 3D structures are divided into cells for limited strength; structures with more joints are not.
const MOST_JOINTS: usize = 120;

/// A load factor with its bounds.
#[derive(Clone, Debug, Serialize)]
pub struct Adequacy {
    /// How the analysis ended.
    pub verdict: LimitVerdict,
    /// Multiplier of the design value at collapse, a lower bound; `None` if unbounded, or if the other actions cause
    /// collapse.
    pub factor: Option<f64>,
    /// Upper bound, from a mechanism.
    pub upper: Option<f64>,
    /// True if the bounds meet.
    pub proved: bool,
    /// Place of the first axle of a train at its worst position \[m\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 3]>,
    /// Loads that press down and are not accelerated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_accelerated: Vec<String>,
    /// Joints that open or slide at the limit, by their blocks.
    pub mechanism: Vec<[String; 2]>,
}

/// Thickness over least thickness.
#[derive(Clone, Debug, Serialize)]
pub struct ThicknessFactor {
    /// Key of the scene.
    pub key: String,
    /// As written \[m\].
    pub given_m: f64,
    /// Least thickness that stands under the actions of the case \[m\].
    pub least_m: f64,
    /// Their ratio: the geometric safety factor.
    pub factor: f64,
}

/// Acceleration of the ground at which a mechanism exists.
#[derive(Clone, Debug, Serialize)]
pub struct CollapseAcceleration {
    /// Direction of the inertia forces.
    pub direction: String,
    /// In units of g.
    pub acceleration_g: Adequacy,
}

/// Compressive strength.
#[derive(Clone, Debug, Serialize)]
pub struct StrengthAnswer {
    /// Design strength: the smallest of all materials, divided by its factor \[Pa\].
    pub design_pa: f64,
    /// False for 3D structures with many joints, for which the following is not computed.
    pub computed: bool,
    /// Least uniform strength with which some state of equilibrium carries the case, lower and upper bound \[Pa\]; `None` if no
    /// strength suffices.
    pub least_pa: Option<[f64; 2]>,
    /// Adequacy with the design strength in all joints; `None` if it was not computed.
    pub adequacy: Option<Adequacy>,
}

/// Indices of the joints with the largest utilisations.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct GoverningJoints {
    /// Stress over strength.
    pub compression: Option<usize>,
    /// Friction.
    pub friction: Option<usize>,
    /// Eccentricity.
    pub eccentricity: Option<usize>,
}

/// The answer for one load case.
#[derive(Clone, Debug, Serialize)]
pub struct CaseAnswer {
    /// Its name.
    pub name: String,
    /// Factor on the weight of the blocks.
    pub weight_factor: f64,
    /// Factors on loads and trains.
    pub actions: Vec<(String, f64)>,
    /// Constant acceleration of the ground \[g\], along the direction of the leading action.
    pub acceleration_g: Option<f64>,
    /// What the adequacy factor multiplies.
    pub leading: Option<String>,
    /// Verdict under all actions of the case, the leading train at its worst position.
    pub verdict: VerdictWord,
    /// What a proof is missing, if the verdict is not decided.
    pub missing: String,
    /// True if the structure stands and every adequacy factor reaches the required one; `None` if not decided.
    pub satisfied: Option<bool>,
    /// Load factor of the leading action.
    pub adequacy: Option<Adequacy>,
    /// Strength of the materials, if all have one.
    pub strength: Option<StrengthAnswer>,
    /// Geometric safety factors of arches.
    pub thickness: Vec<ThicknessFactor>,
    /// 1/(1 − geometric margin): all joints may shrink towards their centres by this factor, the best of all states.
    pub joint_factor: Option<f64>,
    /// 1/(1 − friction margin): all friction coefficients may be divided by this factor, the best of all states.
    pub friction_factor: Option<f64>,
    /// Collapse acceleration in every direction, with the actions of the case without partial factors.
    pub accelerations: Vec<CollapseAcceleration>,
    /// Range of thrust at the place with the largest one.
    pub thrust: Option<ThrustReport>,
    /// Every joint in one state of equilibrium: that with hardly more than the least strength if it was computed.
    pub joints: Vec<PlaneJoint>,
    /// The joints that govern.
    pub governing: GoverningJoints,
    /// The state of equilibrium, for drawings.
    #[serde(skip)]
    pub design: Study,
    /// The mechanism of the leading action, for drawings.
    #[serde(skip)]
    pub collapse: Option<Study>,
    /// Factors with the train at its place, for sensitivities.
    #[serde(skip)]
    pub placed: CaseFactors,
}

impl CaseAnswer {
    /// Smallest of the adequacy factors with and without strength; `None` if there is none.
    pub fn least_adequacy(&self) -> Option<f64> {
        let strong = self.strength.as_ref().and_then(|strength| strength.adequacy.as_ref());
        [self.adequacy.as_ref(), strong].into_iter().flatten().filter_map(|found| found.factor).reduce(f64::min)
    }

    /// The direction with the smallest collapse acceleration.
    pub fn worst_acceleration(&self) -> Option<&CollapseAcceleration> {
        let value = |found: &CollapseAcceleration| found.acceleration_g.factor.unwrap_or(f64::INFINITY);
        self.accelerations.iter().min_by(|a, b| value(a).total_cmp(&value(b)))
    }
}

/// The multiplier of the leading action, the position of a train and the place of its first axle.
type Led = (LimitAnswer, Option<(PlacedTrain, [f64; 3])>);

/// The scene and what is asked of all cases.
pub(super) struct Assessor<'a> {
    pub file: &'a SceneFile,
    pub base: &'a Path,
    pub model: AnyModel,
    pub directions: Vec<(String, Direction)>,
    pub required: f64,
}

impl Assessor<'_> {
    /// Answers for one case.
    pub fn case(&self, case: &LoadCase) -> Result<CaseAnswer> {
        let (mut adequacy, mut collapse, mut placed) = (None, None, case.factors.clone());
        if let Some(leading) = &case.leading {
            let (answer, position) = self.lead(case, leading)?;
            let at = position.as_ref().map(|(_, at)| *at);
            placed.placed = position.map(|(train, _)| train);
            // with the train where it is worst
            let structure = AnyStructure::under_case(&self.model, &placed)?;
            collapse = answer.mechanism.clone().map(|mechanism| drawn(structure, Some(mechanism)));
            adequacy = Some(Adequacy { at, ..answer.into_adequacy(leading) });
        }
        let structure = AnyStructure::under_case(&self.model, &placed)?;
        let large = structure.nodes() > LARGE_STRUCTURE;
        let settings = StandSettings { best_margins: (!large).then_some(true), ..StandSettings::default() };
        let wishes = Wishes { lines: true, thrust: large.then_some(false), settings, ..Wishes::default() };
        let design = study(structure.clone(), &wishes)?;
        let answer = &design.report.answer;
        let accelerations = self.accelerations(&placed)?;
        let (strength, within_strength) = self.strength(&structure, case, &placed)?;
        // a state that respects the strength, if it is known
        let joints = if within_strength.is_empty() { answer.joints.clone() } else { within_strength };
        let thickness = match answer.verdict {
            VerdictWord::Stands => self.thicknesses(&placed)?,
            _ => Vec::new(),
        };
        let best = answer.margin_of == "best";
        let factor = |margin: Option<f64>| margin.filter(|_| best).map(|margin| 1.0 / (1.0 - margin));
        let mut found = CaseAnswer {
            name: case.name.clone(),
            weight_factor: case.factors.weight,
            actions: case.factors.actions.clone(),
            acceleration_g: case.factors.acceleration.as_ref().map(|(_, size)| *size),
            leading: case.leading.as_ref().map(LeadingAction::name),
            verdict: answer.verdict,
            missing: answer.missing.clone(),
            satisfied: None,
            adequacy,
            strength,
            thickness,
            joint_factor: factor(answer.geometric_margin),
            friction_factor: factor(answer.friction_margin),
            accelerations,
            thrust: design
                .report
                .thrust
                .clone()
                .filter(|thrust| thrust.range.min_n.is_some() || thrust.range.unbounded),
            governing: governing(&joints),
            joints,
            design,
            collapse,
            placed,
        };
        found.satisfied = self.satisfied(&found);
        Ok(found)
    }

    fn satisfied(&self, found: &CaseAnswer) -> Option<bool> {
        let enough = |adequacy: &Adequacy| match adequacy.verdict {
            LimitVerdict::Unbounded => Some(true),
            LimitVerdict::Limit => Some(adequacy.factor? >= self.required),
            LimitVerdict::Falls => Some(false),
            LimitVerdict::Undecided if adequacy.factor? >= self.required => Some(true),
            LimitVerdict::Undecided if adequacy.upper? < self.required => Some(false),
            LimitVerdict::Undecided => None,
        };
        let mut all = vec![match found.verdict {
            VerdictWord::Stands => Some(true),
            VerdictWord::Wedged | VerdictWord::Collapses => Some(false),
            VerdictWord::NotDecided => None,
        }];
        all.extend(found.adequacy.as_ref().map(enough));
        if let Some(strength) = &found.strength {
            all.extend(strength.adequacy.as_ref().map(enough));
            if strength.computed {
                all.push(Some(strength.least_pa.is_some_and(|[_, least]| least <= strength.design_pa)));
            }
        }
        match all.contains(&Some(false)) {
            true => Some(false),
            false => all.into_iter().collect::<Option<Vec<bool>>>().map(|_| true),
        }
    }

    /// The multiplier of the leading action, with the position of a train.
    fn lead(&self, case: &LoadCase, leading: &LeadingAction) -> Result<Led> {
        let settings = LimitSettings::default();
        let LeadingAction::Train(name) = leading else {
            let (question, factors) = question(leading, &case.factors);
            let mut structure = AnyStructure::under_case(&self.model, &factors)?;
            let answer = structure.limit(&question, &settings)?;
            return Ok((answer, None));
        };
        let mut structure = AnyStructure::under_case(&self.model, &case.factors)?;
        let step = STEPS[usize::from(structure.nodes() > LARGE_STRUCTURE)];
        let envelope = structure.envelope(name, step, &settings)?;
        let worst = envelope.worst.as_ref().or_else(|| {
            // without a multiplier anywhere: the position that says why
            envelope.points.iter().find(|point| point.verdict != LimitVerdict::Unbounded).or(envelope.points.first())
        });
        let position = worst.map(|point| {
            let (distance, reversed) = (point.distance_m, point.reversed);
            (PlacedTrain { name: name.clone(), distance, reversed }, point.at)
        });
        if let Some(answer) = envelope.answer.clone() {
            return Ok((answer, position));
        }
        let train = position.as_ref().map(|(train, _)| train.clone());
        let placed = CaseFactors { placed: train, ..case.factors.clone() };
        let mut structure = AnyStructure::under_case(&self.model, &placed)?;
        let answer = structure.limit(&AnyQuestion::Named(name.clone()), &settings)?;
        Ok((answer, position))
    }

    /// Collapse accelerations with the actions of the case, without partial factors.
    fn accelerations(&self, placed: &CaseFactors) -> Result<Vec<CollapseAcceleration>> {
        // characteristic values: the masses of what acts
        let acting = placed.actions.iter().filter(|(_, factor)| *factor > 0.0).map(|(name, _)| (name.clone(), 1.0));
        let factors = CaseFactors { acceleration: None, weight: 1.0, actions: acting.collect(), ..placed.clone() };
        let structure = AnyStructure::under_case(&self.model, &factors)?;
        let mut found = Vec::with_capacity(self.directions.len());
        for (text, direction) in &self.directions {
            let question = AnyQuestion::Acceleration(direction.clone());
            let answer = structure.clone().limit(&question, &LimitSettings::default())?;
            let leading = LeadingAction::Acceleration(direction.clone(), text.clone(), 1.0);
            let acceleration_g = answer.into_adequacy(&leading);
            found.push(CollapseAcceleration { direction: text.clone(), acceleration_g });
        }
        Ok(found)
    }

    fn strength(
        &self,
        structure: &AnyStructure,
        case: &LoadCase,
        placed: &CaseFactors,
    ) -> Result<(Option<StrengthAnswer>, Vec<PlaneJoint>)> {
        let Some(design_pa) = structure.least_material_strength() else { return Ok((None, Vec::new())) };
        let mut answer = StrengthAnswer { design_pa, computed: false, least_pa: None, adequacy: None };
        if structure.joint_count() > MOST_JOINTS && self.model.dimension() == 3 {
            return Ok((Some(answer), Vec::new()));
        }
        answer.computed = true;
        let (asked, factors, wanted) = match &case.leading {
            Some(leading) => {
                let (asked, factors) = question(leading, placed);
                let wanted = if let LeadingAction::Acceleration(_, _, size) = leading { *size } else { 1.0 };
                (asked, factors, wanted)
            }
            // carried if no acceleration is needed to carry it
            None => (AnyQuestion::Acceleration(Direction::Axis(0, 1.0)), placed.clone(), 0.0),
        };
        let structure = AnyStructure::under_case(&self.model, &factors)?;
        let settings = LimitSettings::default();
        let least = structure.least_strength(&asked, wanted, design_pa, &settings)?;
        answer.least_pa = least.as_ref().map(|least| [least.lower_pa, least.upper_pa]);
        if let Some(leading) = &case.leading {
            let capacity = Capacity { compression: Some(design_pa), ..Capacity::default() };
            let found = structure.clone().limit(&asked, &LimitSettings { capacity, ..settings })?;
            answer.adequacy = Some(found.into_adequacy(leading));
        }
        Ok((Some(answer), least.map(|least| least.joints).unwrap_or_default()))
    }

    fn thicknesses(&self, placed: &CaseFactors) -> Result<Vec<ThicknessFactor>> {
        let settings = StandSettings { best_margins: Some(false), ..StandSettings::default() };
        let mut found = Vec::new();
        for (key, given_m) in self.arches() {
            let between = [THINNEST_FRACTION * given_m, given_m];
            let search = Search { key: key.clone(), find: Find::Smallest, between, precision: 1e-5, direction: None };
            let varied = Varied::new(self.file, self.base, &search);
            let least = search.bisect(|value| {
                let mut structure = AnyStructure::under_case(&varied.model(value)?.0, placed)?;
                Ok(structure.decide(&settings).stands())
            })?;
            if let Some(least_m) = least.value {
                found.push(ThicknessFactor { key, given_m, least_m, factor: given_m / least_m });
            }
        }
        Ok(found)
    }

    /// Keys of the thickness of arches, and their values [m].
    pub fn arches(&self) -> Vec<(String, f64)> {
        let thickness = |body: &voussoir_model::scene::bodies::BodySpec| match &body.form {
            FormSpec::Generated(Generator::Arch(arch)) => {
                Some((format!("{}.thickness", body.common.name), arch.thickness))
            }
            _ => None,
        };
        self.file.scene.bodies.iter().filter_map(thickness).collect()
    }
}

/// The question of a leading action, and the factors under which it is asked: an acceleration is asked without itself.
pub(super) fn question(leading: &LeadingAction, factors: &CaseFactors) -> (AnyQuestion, CaseFactors) {
    match leading {
        LeadingAction::Load(name) | LeadingAction::Train(name) => (AnyQuestion::Named(name.clone()), factors.clone()),
        LeadingAction::Acceleration(direction, ..) => {
            let factors = CaseFactors { acceleration: None, ..factors.clone() };
            (AnyQuestion::Acceleration(direction.clone()), factors)
        }
    }
}

/// A structure with a mechanism, for a drawing.
fn drawn(structure: AnyStructure, mechanism: Option<Mechanism>) -> Study {
    Study { structure, report: StandReport::of_mechanism(mechanism), lines: Vec::new(), time: 0.0 }
}

/// A limit analysis as an adequacy factor.
pub(super) trait IntoAdequacy {
    /// For this leading action; an acceleration is relative to its design value.
    fn into_adequacy(self, leading: &LeadingAction) -> Adequacy;
}

impl IntoAdequacy for LimitAnswer {
    fn into_adequacy(self, leading: &LeadingAction) -> Adequacy {
        let design = if let LeadingAction::Acceleration(_, _, size) = leading { *size } else { 1.0 };
        let between = |m: &Mechanism| -> Vec<[String; 2]> {
            let hinges = m.hinges.iter().map(|hinge| hinge.between.clone());
            hinges.chain(m.sliding.iter().map(|slip| slip.between.clone())).collect()
        };
        Adequacy {
            verdict: self.verdict,
            factor: self.multiplier.map(|value| value / design),
            upper: self.upper.map(|value| value / design),
            proved: self.proved,
            at: None,
            not_accelerated: self
                .not_accelerated
                .into_iter()
                .filter(|name| name != SELF_WEIGHT && name != GROUND)
                .collect(),
            mechanism: self.mechanism.as_ref().map(between).unwrap_or_default(),
        }
    }
}

/// The joints with the largest use of strength, friction and depth.
fn governing(joints: &[PlaneJoint]) -> GoverningJoints {
    let worst = |of: fn(&PlaneJoint) -> f64| {
        let (i, joint) = joints.iter().enumerate().max_by(|a, b| of(a.1).total_cmp(&of(b.1)))?;
        (of(joint) > 0.0).then_some(i)
    };
    GoverningJoints {
        compression: worst(|joint| joint.compression_use.or(joint.stress_pa).unwrap_or(0.0)),
        friction: worst(|joint| joint.friction_use),
        eccentricity: worst(|joint| joint.eccentricity),
    }
}
