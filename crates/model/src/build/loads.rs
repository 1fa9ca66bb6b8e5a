//! Loads: forces, accelerations, pressures and fill on selected bodies.

use std::collections::BTreeSet;

use voussoir_geometry::Vector;
use voussoir_mechanics::model::{Body, Load, Role};
use voussoir_mechanics::time_function::TimeFunction;

use super::actions::function_of;
use super::check::SceneCheck;
use super::dimension::Dimension;
use super::fill;
use super::sanity;
use super::select::Register;
use super::weights;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::actions as written;

/// Cosine of the largest angle between a weight and gravity.
const ALONG_GRAVITY: f64 = 1.0 - 1e-9;

/// Input of the loads.
pub struct LoadReader<'a, S: Dimension> {
    /// The scene.
    pub scene: &'a Scene,
    /// Places of errors in the scene.
    pub check: &'a SceneCheck<'a>,
    /// All bodies.
    pub bodies: &'a [Body<S>],
    /// Gravity [m/s²].
    pub gravity: S::Vector,
    /// Thickness of a 2D scene [m].
    pub depth: f64,
}

impl<S: Dimension> LoadReader<'_, S> {
    /// Collects the loads, one per body. Accelerations come last: they also act on the masses of other loads.
    pub fn loads(&self, warnings: &mut Vec<String>) -> Result<Vec<Load<S>>, SceneError> {
        let root = Place::ROOT;
        let list = root.key("loads");
        let mut names = BTreeSet::new();
        let mut loads = Vec::new();
        let by_order = |accelerates: bool| {
            self.scene.loads.iter().enumerate().filter(move |(_, load)| load.acceleration.is_some() == accelerates)
        };
        for (i, load) in by_order(false).chain(by_order(true)) {
            let place = list.index(i);
            if load.name.is_empty() || !names.insert(load.name.as_str()) {
                let message = format!("the name \"{}\" of the load is empty or used twice", load.name);
                return Err(self.check.error(&place.key("name"), message));
            }
            let new = self.load(&place, load, &loads, warnings)?;
            loads.extend(new);
        }
        // in the order of the scene
        let position = |name: &str| self.scene.loads.iter().position(|load| load.name == name);
        loads.sort_by_key(|load| position(&load.name));
        Ok(loads)
    }

    /// One load on all of its bodies; `others` are those before.
    fn load(
        &self,
        place: &Place<'_>,
        load: &written::LoadSpec,
        others: &[Load<S>],
        warnings: &mut Vec<String>,
    ) -> Result<Vec<Load<S>>, SceneError> {
        let Self { scene, check, bodies, gravity, depth } = *self;
        let selected = Register::new(scene, bodies).find(check, &place.key("select"), &load.select)?;
        self.kind(place, load, selected.len())?;
        let force = match &load.force {
            Some(force) => check.vector::<S>(&place.key("force"), "the force", force)?,
            None => S::zero(),
        };
        let moment = match &load.moment {
            Some(moment) => S::spin(check, &place.key("moment"), "the moment", moment)?,
            None => S::no_spin(),
        };
        let mass = self.mass(place, load, force)?;
        let function = match &load.function {
            Some(f) => function_of(check, &place.key("function"), f)?,
            None => TimeFunction::Constant(1.0),
        };
        self.warn_of_supports(load, &selected, warnings);
        let new = |body: usize, force: S::Vector, point: S::Vector| Load {
            name: load.name.clone(),
            body,
            force,
            moment,
            point,
            function: function.clone(),
            range: [1.0; 2],
            mass,
        };
        let mut lateral = Vec::new();
        let pushes = match (&load.fill, &load.pressure) {
            (Some(keys), _) => {
                sanity::density(&format!("the fill \"{}\"", load.name), keys.density, warnings);
                let found = fill::fill::<S>(check, &place.key("fill"), keys, bodies, &selected, gravity, depth)?;
                if found.range != [1.0; 2] && !matches!(function, TimeFunction::Constant(_)) {
                    let message = "lateral pressure that follows the movement needs a fill that is constant in time";
                    return Err(check.error(&place.key("function"), message));
                }
                for (index, (force, point)) in found.lateral {
                    let body = selected[index];
                    let push = new(body, force, bodies[body].pose.local_point(point));
                    lateral.push(Load { mass: false, range: found.range, ..push });
                }
                Some(found.weights)
            }
            (None, Some(keys)) => {
                Some(weights::pressure::<S>(check, &place.key("pressure"), keys, bodies, &selected, depth)?)
            }
            (None, None) => None,
        };
        if let Some(pushes) = pushes {
            let acting = selected.into_iter().zip(pushes).filter(|(_, (force, _))| *force != S::zero());
            return Ok(acting
                .map(|(body, (force, point))| new(body, force, bodies[body].pose.local_point(point)))
                .chain(lateral)
                .collect());
        }
        if let Some(a) = &load.acceleration {
            let a = check.vector::<S>(&place.key("acceleration"), "the acceleration", a)?;
            let accelerated =
                |body: usize| new(body, a * (bodies[body].mass + carried(others, body, gravity)), S::zero());
            self.warn_of_changing_masses(load, &selected, others, warnings);
            return Ok(selected.into_iter().map(accelerated).collect());
        }
        let point = match &load.point {
            Some(point) => {
                let world = check.point::<S>(&place.key("point"), "the point", point)?;
                bodies[selected[0]].pose.local_point(world)
            }
            None => S::zero(),
        };
        Ok(selected.into_iter().map(|body| new(body, force, point)).collect())
    }

    /// Warns if a load acts on supports.
    fn warn_of_supports(&self, load: &written::LoadSpec, selected: &[usize], warnings: &mut Vec<String>) {
        let held: Vec<_> = selected.iter().filter(|&&body| self.bodies[body].role != Role::Free).collect();
        if let [first, ..] = held[..] {
            let (name, n) = (&self.bodies[*first].name, held.len());
            warnings.push(format!("load \"{}\" has no effect on supports: \"{name}\" ({n} in all)", load.name));
        }
    }

    /// Checks that a load is of exactly one kind, and that its other keys belong to this kind.
    fn kind(&self, place: &Place<'_>, load: &written::LoadSpec, selected: usize) -> Result<(), SceneError> {
        let check = self.check;
        let given = [
            load.force.is_some() || load.moment.is_some(),
            load.acceleration.is_some(),
            load.fill.is_some(),
            load.pressure.is_some(),
        ];
        match given.into_iter().filter(|given| *given).count() {
            1 => {}
            0 => {
                let message = format!("the load \"{}\" has neither `force` nor `moment`", load.name);
                return Err(check
                    .error(place, message)
                    .with_help("`acceleration`, `fill` and `pressure` are other kinds of loads"));
            }
            _ => {
                let message = format!("the load \"{}\" is of more than one kind", load.name);
                return Err(check
                    .error(place, message)
                    .with_help("keep `force`, `acceleration`, `fill` or `pressure`"));
            }
        }
        if load.point.is_some() && selected > 1 {
            let message = format!("`point` is for one body; the selection has {selected}");
            return Err(check.error(&place.key("point"), message));
        }
        if load.point.is_some() && !given[0] {
            return Err(check.error(&place.key("point"), "`point` is for loads with `force`"));
        }
        Ok(())
    }

    /// True if a load is a weight.
    fn mass(&self, place: &Place<'_>, load: &written::LoadSpec, force: S::Vector) -> Result<bool, SceneError> {
        let Some(mass) = load.mass else { return Ok(load.fill.is_some()) };
        let wrong = |message: &str| Err(self.check.error(&place.key("mass"), message));
        if load.acceleration.is_some() || load.pressure.is_some() || load.moment.is_some() {
            return wrong("`mass` is for loads with `force` or `fill`, without `moment`");
        }
        if mass && load.fill.is_none() {
            let along = force.dot(self.gravity) / (force.length() * self.gravity.length());
            if along.is_nan() || along <= ALONG_GRAVITY {
                return wrong("a load that is a mass is a weight: its force must point along gravity");
            }
        }
        Ok(mass)
    }

    /// Masses that change with time are not part of a load by `acceleration`.
    fn warn_of_changing_masses(
        &self,
        load: &written::LoadSpec,
        selected: &[usize],
        others: &[Load<S>],
        warnings: &mut Vec<String>,
    ) {
        let changes = |other: &&Load<S>| {
            other.mass && !matches!(other.function, TimeFunction::Constant(_)) && selected.contains(&other.body)
        };
        let mut names: Vec<&str> = others.iter().filter(changes).map(|other| other.name.as_str()).collect();
        names.dedup();
        names.extend(self.scene.trains.iter().map(|train| train.name.as_str()));
        if !names.is_empty() {
            warnings.push(format!(
                "the load \"{}\" accelerates the bodies, but not the masses of {}, which change with time",
                load.name,
                names.join(", ")
            ));
        }
    }
}

/// Constant masses of loads on a body [kg].
fn carried<S: Dimension>(loads: &[Load<S>], body: usize, gravity: S::Vector) -> f64 {
    let constant = |load: &&Load<S>| load.body == body && matches!(load.function, TimeFunction::Constant(_));
    loads.iter().filter(constant).map(|load| load.mass_at(gravity, 0.0)).sum()
}

/// Warns of weights that act as forces and therefore do not follow a moving ground.
pub fn warn_of_loads_at_rest<S: Dimension>(
    loads: &[Load<S>],
    gravity: S::Vector,
    ground_moves: bool,
    warnings: &mut Vec<String>,
) {
    if !ground_moves {
        return;
    }
    let mut names: Vec<&str> = Vec::new();
    for load in loads.iter().filter(|load| !load.mass && load.force.dot(gravity) > 0.0) {
        if !names.contains(&load.name.as_str()) {
            names.push(&load.name);
        }
    }
    for name in names {
        warnings.push(format!(
            "the load \"{name}\" is a downward force without inertia, although the ground moves; \
             if it is a weight, write mass = true"
        ));
    }
}
