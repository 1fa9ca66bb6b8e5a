//! Bodies that stages add, remove and release: from selections to changes, and the presence of bodies over time.

use voussoir_geometry::{Solid, Vector};
use voussoir_mechanics::construction::{Change, Placement};
use voussoir_mechanics::inspect::TOLERANCE;
use voussoir_mechanics::model::{Model, Motion, MotionQuantity, Role};
use voussoir_mechanics::time_function::TimeFunction;

use super::check::SceneCheck;
use super::dimension::Dimension;
use super::select::Register;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::construction::{BuildUp, ConstructionOrder, PlacementSpec};
use crate::scene::stages::StageSpec;

/// Undersides whose heights differ by less than this share of the smaller body are one course.
const SAME_HEIGHT: f64 = 1e-3;
/// A joint carries the body above it if the cosine between its normal and the vertical is larger than this.
const SUPPORTING_COSINE: f64 = 0.3;

/// Numbers of the changes from which and until which a body is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    from: usize,
    until: usize,
}

impl Life {
    /// Always present.
    const ALL: Self = Self { from: 0, until: usize::MAX };

    /// True if two bodies are present at the same time.
    pub fn meets(&self, other: &Self) -> bool {
        self.from < other.until && other.from < self.until
    }
}

/// All changes of a scene.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Changes of every stage, `after` numbered from 0.
    pub changes: Vec<Vec<Change>>,
    /// One per body.
    pub lives: Vec<Life>,
}

/// Reads the changes of all stages.
pub fn plan<S: Dimension>(scene: &Scene, check: &SceneCheck<'_>, model: &Model<S>) -> Result<Plan, SceneError> {
    let register = Register::new(scene, &model.bodies);
    let mut reader = Reader {
        check,
        register,
        model,
        lives: vec![Life::ALL; model.bodies.len()],
        added: vec![None; model.bodies.len()],
        removed: vec![None; model.bodies.len()],
        released: vec![false; model.bodies.len()],
        changes_so_far: 0,
        time: 0.0,
    };
    let root = Place::ROOT;
    let list = root.key("stages");
    // additions of all stages first: removals are checked against them
    for (i, stage) in scene.stages.iter().enumerate() {
        reader.note_added(i, &list.index(i), stage)?;
    }
    let mut changes = Vec::with_capacity(scene.stages.len());
    for (i, stage) in scene.stages.iter().enumerate() {
        let own = reader.changes(i, &list.index(i), stage)?;
        let pauses = stage.build().map_or(0.0, |build| build.pause * own.len() as f64);
        reader.time += pauses + stage.duration();
        changes.push(own);
    }
    Ok(Plan { changes, lives: reader.lives })
}

struct Reader<'a, S: Dimension> {
    check: &'a SceneCheck<'a>,
    register: Register<'a, S>,
    model: &'a Model<S>,
    lives: Vec<Life>,
    /// Stage that adds each body.
    added: Vec<Option<usize>>,
    /// Stage that removed each body.
    removed: Vec<Option<usize>>,
    released: Vec<bool>,
    /// Number of changes before the present one.
    changes_so_far: usize,
    /// At the beginning of the stage [s].
    time: f64,
}

impl<S: Dimension> Reader<'_, S> {
    fn name(&self, body: usize) -> &str {
        &self.model.bodies[body].name
    }

    fn note_added(&mut self, stage: usize, place: &Place<'_>, keys: &StageSpec) -> Result<(), SceneError> {
        let build = place.key("build");
        let all = [
            (place.key("add"), keys.changes.add.as_ref()),
            (build.key("select"), keys.build().map(|build| &build.select)),
        ];
        for (place, selection) in all {
            let Some(selection) = selection else { continue };
            for body in self.register.find(self.check, &place, selection)? {
                if let Some(other) = self.added[body].replace(stage) {
                    let message = match other == stage {
                        true => format!("\"{}\" is added twice in this stage", self.name(body)),
                        false => format!("\"{}\" is already added by stage {}", self.name(body), other + 1),
                    };
                    return Err(self.check.error(&place, message).with_help("a body can be added only once"));
                }
            }
        }
        if keys.changes.placement.is_some() && keys.changes.add.is_none() && keys.build().is_none() {
            let message = "`placement` has no effect: this stage adds nothing";
            return Err(place
                .key("placement")
                .error_at_key(self.check.source, message)
                .with_help("write `add` or `build`, or remove `placement`"));
        }
        Ok(())
    }

    fn changes(&mut self, stage: usize, place: &Place<'_>, keys: &StageSpec) -> Result<Vec<Change>, SceneError> {
        let placement = match keys.changes.placement.unwrap_or_default() {
            PlacementSpec::AsDrawn => Placement::AsDrawn,
            PlacementSpec::OnWhatIsThere => Placement::OnWhatIsThere,
        };
        let mut first = Change { placement, ..Change::default() };
        if let Some(selection) = &keys.changes.remove {
            let place = place.key("remove");
            first.remove = self.register.find(self.check, &place, selection)?;
            for &body in &first.remove {
                self.check_there(stage, &place, body, "removed")?;
                self.check_still(&place, body, "removed")?;
                self.removed[body] = Some(stage);
                self.lives[body].until = self.changes_so_far + 1;
            }
        }
        if let Some(selection) = &keys.changes.release {
            let place = place.key("release");
            first.release = self.register.find(self.check, &place, selection)?;
            for &body in &first.release {
                self.check_there(stage, &place, body, "released")?;
                self.check_release(&place, body)?;
                self.check_still(&place, body, "released")?;
                self.released[body] = true;
            }
        }
        self.changes_so_far += 1;
        if let Some(selection) = &keys.changes.add {
            first.add = self.register.find(self.check, &place.key("add"), selection)?;
            self.come(&first.add);
        }
        let Some(build) = keys.build() else {
            let nothing = first.add.is_empty() && first.release.is_empty() && first.remove.is_empty();
            return Ok(if nothing { Vec::new() } else { vec![first] });
        };
        let mut changes = Vec::new();
        for group in self.groups(&place.key("build"), build)? {
            self.changes_so_far += 1;
            self.come(&group);
            // the first group also carries the changes at the beginning of the stage
            let mut change =
                if changes.is_empty() { std::mem::take(&mut first) } else { Change { placement, ..Change::default() } };
            (change.placement, change.after) = (placement, changes.len() as u64);
            change.add.extend(group);
            changes.push(change);
        }
        Ok(changes)
    }

    fn come(&mut self, bodies: &[usize]) {
        for &body in bodies {
            self.lives[body].from = self.changes_so_far;
        }
    }

    fn check_there(&self, stage: usize, place: &Place<'_>, body: usize, word: &str) -> Result<(), SceneError> {
        let name = self.name(body);
        if let Some(added) = self.added[body].filter(|&added| added >= stage) {
            let message = format!("\"{name}\" is {word} before it is added (by stage {})", added + 1);
            return Err(self.check.error(place, message));
        }
        if let Some(removed) = self.removed[body] {
            let message = format!("\"{name}\" is {word}, but stage {} has removed it already", removed + 1);
            return Err(self.check.error(place, message));
        }
        Ok(())
    }

    fn check_release(&self, place: &Place<'_>, body: usize) -> Result<(), SceneError> {
        let own = &self.model.bodies[body];
        let name = &own.name;
        if own.role == Role::Free || self.released[body] {
            let message = format!("\"{name}\" cannot be released: it is not a support");
            return Err(self.check.error(place, message).with_help("`release` is for supports"));
        }
        if !own.shape.size().is_finite() || own.mass.is_nan() || own.mass <= 0.0 {
            let message = format!("\"{name}\" cannot be released: it is unbounded and has no mass");
            return Err(self.check.error(place, message));
        }
        Ok(())
    }

    /// A support that is removed or released must not have an unfinished motion.
    fn check_still(&self, place: &Place<'_>, body: usize, word: &str) -> Result<(), SceneError> {
        if let Role::Support(Some(motion)) = self.model.bodies[body].role
            && moves_after(&self.model.motions[motion], self.time)
        {
            let message =
                format!("\"{}\" is {word} at t = {} s before its motion has ended", self.name(body), self.time);
            return Err(self.check.error(place, message).with_help("end the motion earlier, or begin the stage later"));
        }
        Ok(())
    }

    /// The groups of a construction, in order.
    fn groups(&self, place: &Place<'_>, build: &BuildUp) -> Result<Vec<Vec<usize>>, SceneError> {
        let select = place.key("select");
        if build.order == ConstructionOrder::AsListed {
            let mut groups = Vec::new();
            for (i, item) in build.select.items().iter().enumerate() {
                let one = crate::scene::actions::Selection::One(item.clone());
                let new = self.register.find(self.check, &select.index(i), &one)?;
                let new: Vec<usize> =
                    new.into_iter().filter(|body| !groups.iter().flatten().any(|other| other == body)).collect();
                if new.is_empty() {
                    let message = "this item adds no bodies: earlier items have added all of them";
                    return Err(self.check.error(&select.index(i), message));
                }
                groups.push(new);
            }
            return Ok(groups);
        }
        let mut bodies = self.register.find(self.check, &select, &build.select)?;
        let low = |&i: &usize| {
            let body = &self.model.bodies[i];
            body.shape.bounds(&body.pose).min.get(S::UP)
        };
        let at = |&i: &usize| self.model.bodies[i].pose.position.to_3d();
        bodies.sort_by(|a, b| low(a).total_cmp(&low(b)).then(a.cmp(b)));
        let size = |&i: &usize| self.model.bodies[i].shape.size();
        let mut courses: Vec<Vec<usize>> = Vec::new();
        for body in bodies {
            match courses.last_mut() {
                Some(course)
                    if low(&body) - low(&course[0]) <= SAME_HEIGHT * size(&body).min(size(&course[0]))
                        || low(&body) == low(&course[0]) =>
                {
                    course.push(body);
                }
                _ => courses.push(vec![body]),
            }
        }
        for course in &mut courses {
            course.sort_by(|a, b| {
                let (a, b) = (at(a), at(b));
                a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
            });
        }
        Ok(match build.order {
            ConstructionOrder::Courses | ConstructionOrder::AsListed => courses,
            ConstructionOrder::OneByOne => courses.into_iter().flatten().map(|body| vec![body]).collect(),
            ConstructionOrder::FromBelow => self.layers(courses.into_iter().flatten().collect()),
        })
    }

    /// Bodies (the lowest first) in layers: a body is added when all bodies below it are present. In a cycle of bodies
    /// that rest on each other the lowest body is added first.
    fn layers(&self, bodies: Vec<usize>) -> Vec<Vec<usize>> {
        let poses: Vec<_> = self.model.bodies.iter().map(|body| body.pose).collect();
        let mut waiting: Vec<bool> = vec![false; poses.len()];
        bodies.iter().for_each(|&body| waiting[body] = true);
        let mut under: Vec<Vec<usize>> = vec![Vec::new(); poses.len()];
        for contact in S::contacts_within(self.model, &poses, TOLERANCE) {
            let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
            let upwards = contact.normal.get(S::UP);
            if upwards > SUPPORTING_COSINE {
                under[a].push(b);
            } else if upwards < -SUPPORTING_COSINE {
                under[b].push(a);
            }
        }
        let mut left = bodies;
        let mut layers = Vec::new();
        while !left.is_empty() {
            let (mut layer, mut rest): (Vec<usize>, Vec<usize>) =
                left.into_iter().partition(|&body| under[body].iter().all(|&below| !waiting[below]));
            if layer.is_empty() {
                layer.push(rest.remove(0));
            }
            layer.iter().for_each(|&body| waiting[body] = false);
            layers.push(layer);
            left = rest;
        }
        layers
    }
}

/// True if a motion continues after a time [s].
fn moves_after<S: Dimension>(motion: &Motion<S>, time: f64) -> bool {
    let later = time + 1e-9 * time.abs().max(1.0);
    let moves = |function: &TimeFunction| match function {
        TimeFunction::Constant(value) => motion.quantity != MotionQuantity::Position && *value != 0.0,
        TimeFunction::Sine { amplitude, end, .. } => *amplitude != 0.0 && *end > later,
        TimeFunction::Table(rows) => {
            let resting = if motion.quantity == MotionQuantity::Position { function.value(later) } else { 0.0 };
            let last = rows.last().map_or(0.0, |row| row.1);
            function.value(later) != resting
                || last != resting
                || rows.iter().any(|row| row.0 > later && row.1 != resting)
        }
    };
    moves(&motion.function) || motion.components.iter().any(|(_, function)| moves(function))
}
