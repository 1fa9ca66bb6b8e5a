//! The scene of a run, for pictures, reports and the page: loads at any time, and the description of the model.

use std::collections::BTreeMap;
use std::path::Path;

use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::construction::Change;
use voussoir_mechanics::model::{JointTable, Load, Model, MotionQuantity, Restitution, Role};
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_mechanics::with_model;
use voussoir_model::{AnyModel, Built, Stage, StageAnalysis};
use voussoir_results::picture::numbers::{count, digits, quantity};
use voussoir_results::picture::{LoadArrow, point_of_body};
use voussoir_results::{SCENE_FILE, SceneFacts, check_files};

use crate::error::{Result, RunError};
use crate::scene_file::SceneFile;

/// Maximum number of loads, supports and materials that are described one by one.
const MOST: usize = 12;

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

impl SceneFacts for RunScene {
    fn loads(&self, snapshot: &Snapshot) -> Vec<LoadArrow> {
        loads(&self.model, snapshot)
    }

    fn load_at(&self, time: f64) -> Option<f64> {
        fn sum<S: Space>(model: &Model<S>, time: f64) -> Option<f64> {
            let force = |load: &Load<S>| load.force * load.function.value(time);
            let all = model.loads.iter().map(force).reduce(|a, b| a + b)?;
            Some(all.length())
        }
        with_model!(&self.model, model => sum(model, time))
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = with_model!(&self.model, model => describe(model));
        for (index, stage) in self.stages.iter().enumerate() {
            let mut words = match &stage.analysis {
                StageAnalysis::Dynamic(settings) => format!(
                    "dynamic, {} of {}, tolerance {:.0e}",
                    count(stage.steps() as usize, "step", "steps"),
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

/// The loads of a model at the time of a snapshot.
pub fn loads(model: &AnyModel, snapshot: &Snapshot) -> Vec<LoadArrow> {
    fn arrows<S: Space>(model: &Model<S>, snapshot: &Snapshot) -> Vec<LoadArrow> {
        let arrow = |load: &Load<S>| {
            let body = snapshot.bodies.get(load.body).filter(|body| !body.absent)?;
            let point = point_of_body(body, load.point.to_3d());
            let force = (load.force * load.function.value(snapshot.time)).to_3d();
            Some(LoadArrow { point, force })
        };
        model.loads.iter().filter_map(arrow).collect()
    }
    with_model!(model, model => arrows(model, snapshot))
}

/// Materials, joints, gravity, supports, loads and cables in words.
fn describe<S: Space>(model: &Model<S>) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for material in model.materials.iter().take(MOST) {
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
    // loads of one name are one load
    let mut by_name: BTreeMap<&str, (usize, S::Vector)> = BTreeMap::new();
    for load in &model.loads {
        let entry = by_name.entry(&load.name).or_insert((0, S::zero()));
        *entry = (entry.0 + 1, entry.1 + load.force);
    }
    for (name, (bodies, force)) in by_name.into_iter().take(MOST) {
        let size = quantity(force.length(), "N");
        facts.push((
            format!("load {name}"),
            format!("{size} in all, times its function of time, on {}", count(bodies, "body", "bodies")),
        ));
    }
    for cable in model.cables.iter().take(MOST) {
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

/// The laws between materials, those that are the same in one line.
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
