//! Supports with their motions, functions of time.

use std::path::Path;

use voussoir_geometry::Vector;
use voussoir_mechanics::model::{Body, Motion, MotionQuantity, Role};
use voussoir_mechanics::time_function::TimeFunction;

use super::check::SceneCheck;
use super::dimension::Dimension;
use super::ground_motion;
use super::select::Register;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::actions::{Accelerogram, MotionQuantitySpec, MotionSpec, Ramp, Sine, Support, TimeFunctionSpec};
use crate::scene::numbers::Numbers;
use crate::scene::{NumberOrVector, Scene};

/// Turns the selected bodies into supports and collects the motions.
pub fn supports<S: Dimension>(
    scene: &Scene,
    base: &Path,
    check: &SceneCheck<'_>,
    bodies: &mut [Body<S>],
) -> Result<Vec<Motion<S>>, SceneError> {
    let root = Place::ROOT;
    let list = root.key("supports");
    let selections: Vec<Vec<usize>> = {
        let register = Register::new(scene, bodies);
        let find = |(i, support): (usize, &Support)| {
            let place = list.index(i);
            register.find(check, &place.key("select"), &support.select)
        };
        scene.supports.iter().enumerate().map(find).collect::<Result<_, _>>()?
    };
    let mut motions = Vec::new();
    let mut taken: Vec<Option<usize>> = vec![None; bodies.len()];
    for (i, (support, selected)) in scene.supports.iter().zip(selections).enumerate() {
        let place = list.index(i);
        let role = match &support.motion {
            Some(motion) => {
                motions.push(self::motion(base, check, &place.key("motion"), motion)?);
                Role::Support(Some(motions.len() - 1))
            }
            None => Role::Support(None),
        };
        for body in selected {
            if let Some(other) = taken[body].replace(i) {
                let name = &bodies[body].name;
                let message = format!("\"{name}\" is already selected by support {}", other + 1);
                return Err(check.error(&place.key("select"), message));
            }
            let body = &mut bodies[body];
            (body.role, body.velocity, body.spin) = (role, S::zero(), S::no_spin());
        }
    }
    Ok(motions)
}

fn motion<S: Dimension>(
    base: &Path,
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    motion: &MotionSpec,
) -> Result<Motion<S>, SceneError> {
    let quantity = match motion.quantity {
        MotionQuantitySpec::Position => MotionQuantity::Position,
        MotionQuantitySpec::Velocity => MotionQuantity::Velocity,
        MotionQuantitySpec::Acceleration => MotionQuantity::Acceleration,
    };
    if let Some(rows) = &motion.path {
        return path(check, place, motion, rows);
    }
    let only_components = motion.direction.is_none() && motion.axis.is_none() && !motion.components.is_empty();
    if motion.direction.is_none() && motion.axis.is_none() && !only_components {
        return Err(check
            .error(place, "the motion has neither `direction` nor `axis`")
            .with_help("write direction = [1.0, …] for a translation, axis for a rotation"));
    }
    let direction = match &motion.direction {
        Some(direction) => {
            let place = place.key("direction");
            check.direction::<S>(&place, "the direction", direction)?;
            check.vector::<S>(&place, "the direction", direction)?
        }
        None => S::zero(),
    };
    let rotation = match &motion.axis {
        Some(axis) => {
            let spin = S::spin(check, &place.key("axis"), "the axis", axis)?;
            if S::spin_to_3d(spin) == [0.0; 3] {
                return Err(check.error(&place.key("axis"), "the axis is zero"));
            }
            spin
        }
        None => S::no_spin(),
    };
    let pivot = match &motion.pivot {
        Some(_) if motion.axis.is_none() => {
            return Err(place.key("pivot").error_at_key(check.source, "`pivot` has no effect without `axis`"));
        }
        Some(pivot) => check.point::<S>(&place.key("pivot"), "the pivot", pivot)?,
        None => S::zero() - S::Vector::from_slice(&check.origin),
    };
    let parts = Parts { constant: motion.constant, table: &motion.table, sine: &motion.sine, ramp: &motion.ramp };
    let mut read = Moved { base, check, quantity };
    let function = match (only_components, parts.is_empty() && motion.accelerogram.is_none()) {
        (true, true) => TimeFunction::Constant(0.0),
        (true, false) => {
            let message = "the motion has a function of time, but neither `direction` nor `axis`";
            return Err(check.error(place, message).with_help("each of the `components` has its own function"));
        }
        (false, _) => read.function(place, &parts, motion.accelerogram.as_ref())?,
    };
    let list = place.key("components");
    let mut components = Vec::with_capacity(motion.components.len());
    for (i, part) in motion.components.iter().enumerate() {
        let place = list.index(i);
        check.direction::<S>(&place.key("direction"), "the direction", &part.direction)?;
        let direction = check.vector::<S>(&place.key("direction"), "the direction", &part.direction)?;
        let parts = Parts { constant: part.constant, table: &part.table, sine: &part.sine, ramp: &part.ramp };
        components.push((direction, read.function(&place, &parts, part.accelerogram.as_ref())?));
    }
    Ok(Motion { quantity, direction, rotation, pivot, function, components })
}

/// A path in the plane: translations along x and y, and a rotation about its point, each with its own table.
fn path<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    motion: &MotionSpec,
    rows: &[Numbers<4>],
) -> Result<Motion<S>, SceneError> {
    let list = place.key("path");
    if S::DIM != 2 {
        return Err(list.error_at_key(check.source, "`path` is for 2D scenes"));
    }
    let others = motion.direction.is_some()
        || motion.axis.is_some()
        || motion.pivot.is_some()
        || motion.accelerogram.is_some()
        || !motion.components.is_empty();
    let parts = Parts { constant: motion.constant, table: &motion.table, sine: &motion.sine, ramp: &motion.ramp };
    if others || !parts.is_empty() {
        return Err(list.error_at_key(check.source, "`path` stands alone, besides `quantity`"));
    }
    if motion.quantity != MotionQuantitySpec::Position {
        let key = place.key("quantity");
        return Err(check.error(&key, "a path is a position").with_help("write quantity = \"position\""));
    }
    let column = |k: usize| rows.iter().map(|row| Numbers([row[0], row[k]])).collect::<Vec<_>>();
    let read = |k: usize| table(check, &list, &column(k));
    let (x, y, heading) = (read(1)?, read(2)?, read(3)?);
    let pivot = check.point::<S>(&list, "the path", &[x.value(0.0), y.value(0.0)])?;
    let axis = |along: [f64; 3]| S::Vector::from_slice(&along);
    let degree = NumberOrVector::Number(1_f64.to_radians());
    Ok(Motion {
        quantity: MotionQuantity::Position,
        direction: S::zero(),
        rotation: S::spin(check, &list, "the heading", &degree)?,
        pivot,
        function: heading,
        components: vec![(axis([1.0, 0.0, 0.0]), x), (axis([0.0, 1.0, 0.0]), y)],
    })
}

/// Reads the functions of a motion.
struct Moved<'a> {
    base: &'a Path,
    check: &'a SceneCheck<'a>,
    quantity: MotionQuantity,
}

impl Moved<'_> {
    fn function(
        &mut self,
        place: &Place<'_>,
        parts: &Parts<'_>,
        record: Option<&Accelerogram>,
    ) -> Result<TimeFunction, SceneError> {
        let Some(record) = record else { return function(self.check, place, parts) };
        if !parts.is_empty() {
            let message = "more than one function of time is given";
            return Err(self.check.error(place, message).with_help("keep either `accelerogram` or the other function"));
        }
        if self.quantity != MotionQuantity::Acceleration {
            let message = "an accelerogram is an acceleration";
            return Err(self
                .check
                .error(&place.key("accelerogram"), message)
                .with_help("write quantity = \"acceleration\""));
        }
        ground_motion::record(self.check, &place.key("accelerogram"), record, self.base)
    }
}

/// The four ways to write a function of time.
struct Parts<'a> {
    constant: Option<f64>,
    table: &'a Option<Vec<Numbers<2>>>,
    sine: &'a Option<Sine>,
    ramp: &'a Option<Ramp>,
}

impl Parts<'_> {
    fn is_empty(&self) -> bool {
        self.constant.is_none() && self.table.is_none() && self.sine.is_none() && self.ramp.is_none()
    }
}

/// A function of time as written in the scene.
pub(super) fn function_of(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    f: &TimeFunctionSpec,
) -> Result<TimeFunction, SceneError> {
    function(check, place, &Parts { constant: f.constant, table: &f.table, sine: &f.sine, ramp: &f.ramp })
}

fn function(check: &SceneCheck<'_>, place: &Place<'_>, parts: &Parts<'_>) -> Result<TimeFunction, SceneError> {
    match parts {
        Parts { constant: Some(value), table: None, sine: None, ramp: None } => {
            Ok(TimeFunction::Constant(check.finite(&place.key("constant"), "the value", *value)?))
        }
        Parts { constant: None, table: Some(rows), sine: None, ramp: None } => table(check, &place.key("table"), rows),
        Parts { constant: None, table: None, sine: Some(s), ramp: None } => sine(check, &place.key("sine"), s),
        Parts { constant: None, table: None, sine: None, ramp: Some(r) } => ramp(check, &place.key("ramp"), r),
        _ => {
            let given = [parts.constant.is_some(), parts.table.is_some(), parts.sine.is_some(), parts.ramp.is_some()];
            let message = match given.into_iter().filter(|g| *g).count() {
                0 => "no function of time is given",
                _ => "more than one function of time is given",
            };
            Err(check.error(place, message).with_help("give exactly one of: constant, table, sine, ramp"))
        }
    }
}

fn table(check: &SceneCheck<'_>, place: &Place<'_>, rows: &[Numbers<2>]) -> Result<TimeFunction, SceneError> {
    if rows.is_empty() {
        return Err(check.error(place, "the table has no rows").with_help("write table = [[0.0, 0.0], [1.0, 0.5]]"));
    }
    for (i, row) in rows.iter().enumerate() {
        let place = place.index(i);
        check.finite(&place.index(0), "the time", row[0])?;
        check.finite(&place.index(1), "the value", row[1])?;
        if i > 0 && row[0] < rows[i - 1][0] {
            let message = format!("the time {} s is before the time {} s of the previous row", row[0], rows[i - 1][0]);
            return Err(check.error(&place.index(0), message));
        }
    }
    Ok(TimeFunction::Table(rows.iter().map(|row| (row[0], row[1])).collect()))
}

fn sine(check: &SceneCheck<'_>, place: &Place<'_>, sine: &Sine) -> Result<TimeFunction, SceneError> {
    let start = check.finite(&place.key("start"), "the start", sine.start.unwrap_or(0.0))?;
    let end = match sine.end {
        Some(end) => check.finite(&place.key("end"), "the end", end)?,
        None => f64::INFINITY,
    };
    if end <= start {
        return Err(check.error(&place.key("end"), format!("the end {end} s is not after the start {start} s")));
    }
    Ok(TimeFunction::Sine {
        amplitude: check.finite(&place.key("amplitude"), "the amplitude", sine.amplitude)?,
        frequency: check.positive(&place.key("frequency"), "the frequency", sine.frequency)?,
        phase: check.finite(&place.key("phase_deg"), "the phase", sine.phase_deg.unwrap_or(0.0))?.to_radians(),
        start,
        end,
    })
}

fn ramp(check: &SceneCheck<'_>, place: &Place<'_>, ramp: &Ramp) -> Result<TimeFunction, SceneError> {
    let start = check.finite(&place.key("start"), "the start", ramp.start.unwrap_or(0.0))?;
    let end = check.finite(&place.key("end"), "the end", ramp.end)?;
    if end <= start {
        return Err(check.error(&place.key("end"), format!("the end {end} s is not after the start {start} s")));
    }
    let from = check.finite(&place.key("from"), "the value", ramp.from.unwrap_or(0.0))?;
    let to = check.finite(&place.key("to"), "the value", ramp.to.unwrap_or(1.0))?;
    Ok(TimeFunction::Table(vec![(start, from), (end, to)]))
}
