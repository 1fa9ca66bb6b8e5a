//! The scene of a run, for pictures, reports and the page: loads at any time, and the description of the model.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{Solid, Space, Vector};
use voussoir_mechanics::construction::Change;
use voussoir_mechanics::explicit::ExplicitSettings;
use voussoir_mechanics::explicit::settings::{Damping, ExplicitGoal};
use voussoir_mechanics::model::{
    DynamicSettings, FrictionLaw, GapRule, JointTable, Load, Model, MotionQuantity, Restitution, Role, Train,
};
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_mechanics::with_model;
use voussoir_model::{AnyModel, Built, Stage, StageAnalysis};
use voussoir_results::picture::numbers::{count, digits, quantity};
use voussoir_results::picture::{FlowArrow, LoadArrow, point_of_body};
use voussoir_results::{SCENE_FILE, SceneFacts, check_files};

use crate::error::{Result, RunError};
use crate::scene_file::SceneFile;

/// Maximum number of loads, supports and materials that are described one by one.
const MOST_DESCRIBED: usize = 12;

/// A scene that was run.
#[derive(Debug)]
pub struct RunScene {
    model: AnyModel,
    stages: Vec<Stage>,
}

impl RunScene {
    /// Reads the scene of a results folder.
    pub fn of_folder(dir: &Path) -> Result<Self> {
        check_files(dir).map_err(RunError::Folder)?;
        let Built { model, stages, .. } = SceneFile::load(&dir.join(SCENE_FILE))?.built;
        Ok(Self { model, stages })
    }

    /// A scene that was built.
    pub fn of(built: &Built) -> Self {
        Self { model: built.model.clone(), stages: built.stages.clone() }
    }
}

impl RunScene {
    /// Wind and water in words.
    fn environment(&self) -> Option<(String, String)> {
        let AnyModel::Two(model) = &self.model else { return None };
        let sea = model.sea.as_ref()?;
        let until: f64 = self.stages.iter().map(Stage::duration).sum();
        let mut words = format!(
            "wind up to {}, current up to {}",
            quantity(sea.wind.peak(until), "m/s"),
            quantity(sea.current.peak(until), "m/s")
        );
        if sea.coriolis != 0.0 {
            words += &format!(", Coriolis parameter {:.4e} 1/s", sea.coriolis);
        }
        let limit = sea.explicit_limit(model.least_mass_per_area(), until);
        if limit.is_finite() {
            words += &format!(", largest step of explicit Euler {}", quantity(limit, "s"));
        }
        Some(("environment".to_owned(), words))
    }
}

impl SceneFacts for RunScene {
    fn loads(&self, snapshot: &Snapshot) -> Vec<LoadArrow> {
        loads(&self.model, snapshot)
    }

    fn flows(&self, snapshot: &Snapshot) -> Vec<FlowArrow> {
        flows(&self.model, snapshot)
    }

    fn load_at(&self, time: f64) -> Option<f64> {
        fn sum<S: Space>(model: &Model<S>, time: f64) -> Option<f64> {
            let force = |load: &Load<S>| load.force * load.function.value(time);
            let down = model.gravity / model.gravity.length().max(f64::MIN_POSITIVE);
            let axles = model.trains.iter().flat_map(|train| train.forces(time, down)).map(|on| on.force);
            let all = model.loads.iter().map(force).chain(axles).reduce(|a, b| a + b);
            let some = !(model.loads.is_empty() && model.trains.is_empty());
            some.then(|| all.map_or(0.0, |all| all.length()))
        }
        with_model!(&self.model, model => sum(model, time))
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = with_model!(&self.model, model => describe(model));
        facts.extend(self.environment());
        for (index, stage) in self.stages.iter().enumerate() {
            let mut words = match &stage.analysis {
                StageAnalysis::Dynamic(settings) => format!("dynamic, {}{}", steps_in_words(stage), stepping(settings)),
                StageAnalysis::Explicit(settings) => explicit_words(settings),
                StageAnalysis::Events(settings) => format!(
                    "events, {} of {}, tolerance {:.0e}",
                    count(stage.steps() as usize, "force step", "force steps"),
                    quantity(settings.step, "s"),
                    settings.tolerance
                ),
                StageAnalysis::Static(settings) => format!("static, tolerance {:.0e}", settings.tolerance),
            };
            let sum =
                |list: fn(&Change) -> &[usize]| stage.changes.iter().map(|change| list(change).len()).sum::<usize>();
            for (verb, bodies) in
                [("adds", sum(|c| &c.add)), ("releases", sum(|c| &c.release)), ("removes", sum(|c| &c.remove))]
            {
                if bodies > 0 {
                    words += &format!(", {verb} {}", count(bodies, "body", "bodies"));
                }
            }
            if stage.changes.len() > 1 {
                words += &format!(" in {} groups", stage.changes.len());
            }
            facts.push((format!("stage {}", index + 1), words));
        }
        facts
    }

    fn stages(&self) -> Vec<(String, u64)> {
        let mut end = 0;
        let stage = |(index, stage): (usize, &Stage)| {
            end += stage.steps();
            (format!("stage {}", index + 1), end)
        };
        self.stages.iter().enumerate().map(stage).collect()
    }
}

/// An explicit stage in words.
fn explicit_words(settings: &ExplicitSettings) -> String {
    let end = match &settings.goal {
        ExplicitGoal::Time(duration) => quantity(*duration, "s"),
        ExplicitGoal::Rest(rest) => {
            format!("until the unbalanced force is {:.0e} of the contact force", rest.unbalanced)
        }
        ExplicitGoal::Increments(increments) => {
            format!("load \"{}\" in increments of {}", increments.load, digits(increments.by))
        }
    };
    let damping = match settings.damping {
        Damping::Off => "no damping".to_owned(),
        Damping::Viscous(alpha) => format!("viscous damping {}", quantity(alpha, "1/s")),
        Damping::Adaptive(_) => "adaptive damping".to_owned(),
        Damping::Local { blocks, particles } => {
            format!("local damping {} of blocks, {} of particles", digits(blocks), digits(particles))
        }
    };
    format!("explicit, {end}, {damping}")
}

/// The loads of a model at the time of a snapshot.
pub fn loads(model: &AnyModel, snapshot: &Snapshot) -> Vec<LoadArrow> {
    fn arrows<S: Space>(model: &Model<S>, snapshot: &Snapshot) -> Vec<LoadArrow> {
        let arrow = |load: &Load<S>| {
            let body = snapshot.bodies.get(load.body).filter(|body| !body.absent)?;
            let point = point_of_body(body, load.point.to_3d());
            let force = (load.force * load.function.value(snapshot.time)).to_3d();
            Some(LoadArrow { point, force })
        };
        let mut arrows: Vec<LoadArrow> = model.loads.iter().filter_map(arrow).collect();
        let down = model.gravity / model.gravity.length().max(f64::MIN_POSITIVE);
        for on in model.trains.iter().flat_map(|train| train.forces(snapshot.time, down)) {
            if let Some(body) = snapshot.bodies.get(on.body).filter(|body| !body.absent) {
                let point = point_of_body(body, on.point.to_3d());
                arrows.push(LoadArrow { point, force: on.force.to_3d() });
            }
        }
        arrows
    }
    with_model!(model, model => arrows(model, snapshot))
}

/// Points along each side of the box around all floes at which wind and current are drawn.
const FLOW_POINTS: usize = 6;

/// Wind and current at the time of a snapshot, on a grid around the bodies that are not supports.
pub fn flows(model: &AnyModel, snapshot: &Snapshot) -> Vec<FlowArrow> {
    let AnyModel::Two(model) = model else { return Vec::new() };
    let Some(sea) = &model.sea else { return Vec::new() };
    let free = model.bodies.iter().zip(&snapshot.bodies).filter(|(body, now)| body.role == Role::Free && !now.absent);
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for (body, now) in free {
        let (place, reach) = (DVec2::new(now.position[0], now.position[1]), 0.5 * body.shape.size());
        (low, high) = (low.min(place - reach), high.max(place + reach));
    }
    if !(low.is_finite() && high.is_finite()) {
        return Vec::new();
    }
    let mut arrows = Vec::new();
    for k in 0..FLOW_POINTS * FLOW_POINTS {
        let at = DVec2::new((k % FLOW_POINTS) as f64 + 0.5, (k / FLOW_POINTS) as f64 + 0.5) / FLOW_POINTS as f64;
        let x = low + (high - low) * at;
        for (wind, field) in [(true, &sea.wind), (false, &sea.current)] {
            let velocity = field.at(x, snapshot.time);
            // current arrows beside those of the wind
            let aside = if wind { DVec2::ZERO } else { (high - low) * (0.4 / FLOW_POINTS as f64) };
            let point = x + aside;
            arrows.push(FlowArrow { point: [point.x, point.y, 0.0], velocity: [velocity.x, velocity.y, 0.0], wind });
        }
    }
    arrows
}

/// Materials, joints, gravity, supports, loads and cables in words.
fn describe<S: Space>(model: &Model<S>) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for material in model.materials.iter().take(MOST_DESCRIBED) {
        let mut words = format!("density {} kg/m³", digits(material.density));
        if let Some(strength) = material.strength {
            words += &format!(", compressive strength {}", quantity(strength, "Pa"));
        }
        facts.push((format!("material {}", material.name), words));
    }
    facts.extend(joints(model));
    facts.push(("gravity".to_owned(), quantity(model.gravity.length(), "m/s²")));

    let fixed = model.bodies.iter().filter(|body| body.role == Role::Support(None)).count();
    if fixed > 0 {
        facts.push(("supports".to_owned(), format!("{} fixed", count(fixed, "body is", "bodies are"))));
    }
    for body in &model.bodies {
        if let Role::Support(Some(motion)) = body.role
            && let Some(motion) = model.motions.get(motion)
        {
            let level = match motion.quantity {
                MotionQuantity::Position => "position",
                MotionQuantity::Velocity => "velocity",
                MotionQuantity::Acceleration => "acceleration",
            };
            facts.push((format!("support {}", body.name), format!("moves with a prescribed {level}")));
        }
    }
    facts.extend(loads_in_words(model));
    facts.extend(trains(model));
    for cable in model.cables.iter().take(MOST_DESCRIBED) {
        let anchors = count(cable.anchors.len(), "anchor", "anchors");
        let mut words = format!("through {anchors}, {}", quantity(cable.stiffness, "N/m"));
        if cable.closed {
            words = format!("ring {words}");
        }
        if cable.prestress != 0.0 {
            words += &format!(", prestress {}", quantity(cable.prestress, "N"));
        }
        if let Some(strength) = cable.strength {
            words += &format!(", strength {}", quantity(strength, "N"));
        }
        if !cable.fitted {
            words += ", fitted later";
        }
        facts.push((format!("cable {}", cable.name), words));
    }
    facts
}

/// Number and length of the steps of a dynamic stage.
fn steps_in_words(stage: &Stage) -> String {
    match stage.dynamic() {
        Some(DynamicSettings { automatic: Some(auto), .. }) => format!(
            "{} in automatic steps of {} to {}, error {:.0e}",
            quantity(auto.duration, "s"),
            quantity(auto.least, "s"),
            quantity(auto.largest, "s"),
            auto.error
        ),
        Some(settings) => {
            format!("{} of {}", count(stage.steps() as usize, "step", "steps"), quantity(settings.step, "s"))
        }
        None => String::new(),
    }
}

/// Scheme, tolerance, solver and other settings of a dynamic stage that affect its results.
fn stepping(settings: &DynamicSettings) -> String {
    let mut words = format!(
        ", θ = {}, tolerance {:.0e}, solver {}",
        digits(settings.theta),
        settings.tolerance,
        settings.solver.name()
    );
    if settings.motion_tolerance() > settings.tolerance {
        words += &format!(", residuals up to {:.0e} accepted in motion", settings.motion_tolerance());
    }
    if settings.friction_law == FrictionLaw::Associated {
        words += ", associated friction (sliding opens joints)";
    }
    match settings.gap {
        GapRule::Clip => {}
        GapRule::Stabilized(speed) => {
            words += &format!(", penetration is pushed out at up to {}", quantity(speed, "m/s"))
        }
    }
    if let Some(alert) = settings.alert {
        words += &format!(", contacts within {}", quantity(alert, "m"));
    }
    words
}

/// Loads; loads with the same name are described as one load.
fn loads_in_words<S: Space>(model: &Model<S>) -> Vec<(String, String)> {
    let mut by_name: BTreeMap<&str, (BTreeSet<usize>, S::Vector, bool)> = BTreeMap::new();
    for load in &model.loads {
        let entry = by_name.entry(&load.name).or_insert((BTreeSet::new(), S::zero(), load.mass));
        entry.0.insert(load.body);
        entry.1 += load.force;
    }
    let words = |(name, (bodies, force, mass)): (&str, (BTreeSet<usize>, S::Vector, bool))| {
        let size = quantity(force.length(), "N");
        let kind = if mass { "; its mass moves with the structure" } else { "" };
        let on = count(bodies.len(), "body", "bodies");
        (format!("load {name}"), format!("{size} in all, times its function of time, on {on}{kind}"))
    };
    by_name.into_iter().take(MOST_DESCRIBED).map(words).collect()
}

fn trains<S: Space>(model: &Model<S>) -> Vec<(String, String)> {
    let words = |train: &Train<S>| {
        let weight = quantity(train.axles.iter().map(|axle| axle.load).sum(), "N");
        let pieces = train.deck.len();
        let mut text = format!(
            "{} with {weight} in all, over {}, each spread over {}",
            count(train.axles.len(), "axle", "axles"),
            count(pieces, "piece of deck", "pieces of deck"),
            quantity(train.contact, "m")
        );
        if let Some(fill) = &train.dispersion {
            text += &format!(" and through fill at a slope of {}", digits(fill.slope));
        }
        (format!("train {}", train.name), text)
    };
    model.trains.iter().take(MOST_DESCRIBED).map(words).collect()
}

/// The laws between materials; equal laws share one line.
fn joints<S: Space>(model: &Model<S>) -> Vec<(String, String)> {
    let table: &JointTable = &model.joints;
    let mut laws: Vec<(String, Vec<String>)> = Vec::new();
    for a in 0..model.materials.len() {
        for b in a..model.materials.len() {
            let joint = table.between(a, b);
            let mut words = format!("friction {}", digits(joint.friction));
            match joint.restitution {
                Restitution::Inelastic => {}
                Restitution::Newton(e) => words += &format!(", restitution {} (Newton)", digits(e)),
                Restitution::Poisson(e) => words += &format!(", restitution {} (Poisson)", digits(e)),
            }
            if let Some(dynamic) = joint.dynamic_friction {
                words += &format!(", {} while sliding", digits(dynamic));
            }
            match joint.elastic {
                None => words += ", rigid",
                Some(spring) => {
                    let [normal, tangential] = [spring.normal, spring.tangential].map(digits);
                    words += &format!(", springs of {normal} and {tangential} Pa/m");
                    if spring.closure.is_finite() {
                        words += &format!(" up to a closure of {}", quantity(spring.closure, "m"));
                    }
                }
            }
            if joint.bond.is_some() {
                words += ", bonded";
            }
            if let Some(strength) = joint.strength {
                words += &format!(", crushes at {}", quantity(strength, "Pa"));
            }
            if joint.thickness > 0.0 {
                words += &format!(", {} thick", quantity(joint.thickness, "m"));
            }
            let pair = format!("{} – {}", model.materials[a].name, model.materials[b].name);
            match laws.iter_mut().find(|(law, _)| *law == words) {
                Some((_, pairs)) => pairs.push(pair),
                None => laws.push((words, vec![pair])),
            }
        }
    }
    let name = |pairs: &[String]| {
        if pairs.len() <= 3 { pairs.join(", ") } else { format!("{} pairs of materials", pairs.len()) }
    };
    laws.into_iter().map(|(law, pairs)| (format!("joints {}", name(&pairs)), law)).collect()
}
