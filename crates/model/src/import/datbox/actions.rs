//! Driven degrees of freedom as supports and loads.

use voussoir_geometry::glam::DVec3;

use super::assemble::{Placed, Source};
use super::driven::{Driven, DrivenFunction, What};
use super::shapes::nonzero;
use crate::import::{ImportError, ImportOptions, Notes};
use crate::scene::NumberOrVector;
use crate::scene::actions::{
    LoadSpec, MotionComponent, MotionQuantitySpec, MotionSpec, Select, Selection, Sine, Support, TimeFunctionSpec,
};
use crate::scene::numbers::Numbers;

/// Unbounded straight lines are tabulated over this many durations.
const HORIZON_DURATIONS: f64 = 1000.0;
/// Rows per period of an oscillation without a closed form in scenes.
const ROWS_PER_PERIOD: f64 = 512.0;
/// Most rows of such a table.
const MOST_ROWS: f64 = 100_000.0;

/// Supports and loads of the scene.
pub(super) fn actions(
    source: &Source<'_>,
    placed: &[Placed<'_>],
    selections: &[Option<String>],
    options: &ImportOptions,
    notes: &mut Notes,
) -> Result<(Vec<Support>, Vec<LoadSpec>), ImportError> {
    let (mut fixed, mut moved, mut loads) = (Vec::new(), Vec::new(), Vec::new());
    for place in placed {
        let own: Vec<&Driven> = source.driven.iter().filter(|d| d.body == place.number).collect();
        let Some(select) = selections[place.number - 1].clone() else { continue };
        let (velocities, forces): (Vec<&Driven>, Vec<&Driven>) =
            own.into_iter().partition(|driven| driven.what == What::Velocity);
        if velocities.is_empty() {
            for force in forces {
                loads.extend(load(source, place, force, &select, options, notes));
            }
            continue;
        }
        if !forces.is_empty() {
            notes.dropped(format!("body {}: forces on a support", place.number));
        }
        let all = if source.dimension == 2 { 3 } else { 6 };
        let held = (1..=all).filter(|dof| velocities.iter().any(|driven| driven.dof == *dof)).count();
        if held < all {
            let free: Vec<String> =
                (1..=all).filter(|dof| velocities.iter().all(|d| d.dof != *dof)).map(|dof| dof.to_string()).collect();
            notes.changed(format!(
                "body {}: degrees of freedom {} are not driven in the source; here they are fixed",
                place.number,
                free.join(", ")
            ));
        }
        let moving: Vec<&Driven> = velocities.into_iter().filter(|driven| !driven.function.is_zero()).collect();
        if moving.is_empty() {
            fixed.push(Select::Named(select));
        } else {
            let motion = motion(source, place, &moving, options, notes)?;
            moved.push(Support { select: Selection::One(Select::Named(select)), motion: Some(motion) });
        }
    }
    let mut supports = Vec::new();
    match fixed.len() {
        0 => {}
        1 => supports.push(Support { select: Selection::One(fixed.remove(0)), motion: None }),
        _ => supports.push(Support { select: Selection::Many(fixed), motion: None }),
    }
    supports.append(&mut moved);
    Ok((supports, loads))
}

/// Unit vector of a degree of freedom in world axes; rotations are about the initial axes of the body.
fn direction(source: &Source<'_>, place: &Placed<'_>, dof: usize) -> (DVec3, bool) {
    match (source.dimension, dof) {
        (2, 3) => (DVec3::Z, true),
        (_, 1..=3) => (DVec3::AXES[dof - 1], false),
        _ => (place.frame * DVec3::AXES[dof - 4], true),
    }
}

/// One motion from all driven degrees of freedom. Those with proportional functions are one direction;
/// further translations are components. Rotations must have one function.
fn motion(
    source: &Source<'_>,
    place: &Placed<'_>,
    moving: &[&Driven],
    options: &ImportOptions,
    notes: &mut Notes,
) -> Result<MotionSpec, ImportError> {
    let turns = |driven: &&&Driven| direction(source, place, driven.dof).1;
    // a rotation cannot be a component: its function is that of the motion
    let base = &moving.iter().find(turns).unwrap_or(&moving[0]).function;
    let (mut along, mut about) = (DVec3::ZERO, DVec3::ZERO);
    let three = source.dimension == 3;
    let numbers = |v: DVec3| if three { v.to_array().to_vec() } else { vec![v.x, v.y] };
    let mut components = Vec::new();
    for driven in moving {
        let (unit, turns) = direction(source, place, driven.dof);
        match (driven.function.ratio(base), turns) {
            (Some(factor), true) => about += unit * factor,
            (Some(factor), false) => along += unit * factor,
            (None, false) => {
                let TimeFunctionSpec { constant, table, sine, ramp } = driven.function.written(options, notes);
                let direction = numbers(unit);
                components.push(MotionComponent { direction, constant, table, sine, ramp, accelerogram: None });
            }
            (None, true) => {
                let path = source.tables.driven.as_ref().map_or(&source.tables.bodies.path, |table| &table.path);
                let message = format!("body {}: two rotations with different functions of time", place.number);
                return Err(ImportError::new(path, driven.line, message)
                    .with_help("a support has one rotation function, with a factor for each axis"));
            }
        }
    }
    let function = base.written(options, notes);
    let turns = about != DVec3::ZERO;
    let axis = if three { NumberOrVector::Vector(about.to_array().to_vec()) } else { NumberOrVector::Number(about.z) };
    Ok(MotionSpec {
        quantity: MotionQuantitySpec::Velocity,
        direction: nonzero(&numbers(along)),
        axis: turns.then_some(axis),
        pivot: turns.then(|| numbers(place.position)),
        constant: function.constant,
        table: function.table,
        sine: function.sine,
        ramp: function.ramp,
        accelerogram: None,
        path: None,
        components,
    })
}

/// The load of one driven force; two where a constant and an oscillation add up.
fn load(
    source: &Source<'_>,
    place: &Placed<'_>,
    driven: &Driven,
    select: &str,
    options: &ImportOptions,
    notes: &mut Notes,
) -> Vec<LoadSpec> {
    if driven.function.is_zero() {
        return Vec::new();
    }
    let (unit, turns) = direction(source, place, driven.dof);
    if turns && source.dimension == 3 {
        notes.changed("moments keep their direction; in LMGC90 they turn with the body");
    }
    let make = |function: &DrivenFunction, suffix: &str, notes: &mut Notes| {
        let written = function.written(options, notes);
        // a constant force needs no function
        let (factor, function) = match written {
            TimeFunctionSpec { constant: Some(value), .. } => (value, None),
            other => (1.0, Some(other)),
        };
        // + 0.0 makes −0 a plain 0
        let vector = unit * factor + DVec3::ZERO;
        let (mut force, mut moment) = (None, None);
        match (turns, source.dimension) {
            (false, 2) => force = Some(vec![vector.x, vector.y]),
            (false, _) => force = Some(vector.to_array().to_vec()),
            (true, 2) => moment = Some(NumberOrVector::Number(vector.z)),
            (true, _) => moment = Some(NumberOrVector::Vector(vector.to_array().to_vec())),
        }
        LoadSpec {
            name: format!("{}-dof{}-line{}{suffix}", place.name, driven.dof, driven.line),
            select: Selection::One(Select::Named(select.to_owned())),
            force,
            moment,
            acceleration: None,
            fill: None,
            pressure: None,
            point: None,
            mass: None,
            function,
        }
    };
    match &driven.function {
        DrivenFunction::Formula { constant, amplitude, omega, phase, start, slope: 0.0 }
            if *constant != 0.0 && *amplitude != 0.0 && *omega != 0.0 =>
        {
            let part = |constant: f64, amplitude: f64| DrivenFunction::Formula {
                constant,
                amplitude,
                omega: *omega,
                phase: *phase,
                start: *start,
                slope: 0.0,
            };
            vec![make(&part(*constant, 0.0), "-constant", notes), make(&part(0.0, *amplitude), "-oscillation", notes)]
        }
        function => vec![make(function, "", notes)],
    }
}

impl DrivenFunction {
    /// True if it is always zero.
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Formula { constant, amplitude, start, slope, .. } => {
                (*constant == 0.0 && *amplitude == 0.0) || (*start == 0.0 && *slope == 0.0)
            }
            Self::Rows(rows) => rows.iter().all(|row| row[1] == 0.0),
        }
    }

    /// The factor to another function, if the two are proportional.
    pub fn ratio(&self, base: &Self) -> Option<f64> {
        match (self, base) {
            (
                Self::Formula { constant, amplitude, omega, phase, start, slope },
                Self::Formula { constant: c, amplitude: a, omega: w, phase: p, start: s, slope: r },
            ) => {
                let oscillates = *amplitude != 0.0 || *a != 0.0;
                if start != s || slope != r || (oscillates && (omega != w || phase != p)) {
                    return None;
                }
                (constant * a == c * amplitude).then(|| if *c != 0.0 { constant / c } else { amplitude / a })
            }
            (Self::Rows(own), Self::Rows(other)) => {
                let peak = other.iter().max_by(|x, y| x[1].abs().total_cmp(&y[1].abs()))?;
                let factor = own.iter().find(|row| row[0] == peak[0])?[1] / peak[1];
                let same = |(x, y): (&[f64; 2], &[f64; 2])| {
                    x[0] == y[0] && (x[1] - factor * y[1]).abs() <= 1e-12 * (factor * peak[1]).abs()
                };
                (own.len() == other.len() && own.iter().zip(other).all(same)).then_some(factor)
            }
            _ => None,
        }
    }

    /// The value at a time.
    pub fn value(&self, t: f64) -> f64 {
        match self {
            Self::Formula { constant, amplitude, omega, phase, start, slope } => {
                (constant + amplitude * (omega * t + phase).cos()) * (start + slope * t).min(1.0)
            }
            Self::Rows(rows) => {
                // straight lines, also beyond the ends
                let after = rows.iter().position(|row| row[0] > t).unwrap_or(rows.len());
                let i = after.clamp(1, rows.len().max(2) - 1);
                match (rows.get(i - 1), rows.get(i)) {
                    (Some(a), Some(b)) => a[1] + (b[1] - a[1]) * (t - a[0]) / (b[0] - a[0]),
                    (Some(a), None) => a[1],
                    _ => 0.0,
                }
            }
        }
    }

    /// The function of time of the scene.
    fn written(&self, options: &ImportOptions, notes: &mut Notes) -> TimeFunctionSpec {
        let constant = |value: f64| TimeFunctionSpec { constant: Some(value), ..TimeFunctionSpec::default() };
        let end = HORIZON_DURATIONS * options.duration;
        let table = |times: &[f64]| {
            let rows = times.iter().map(|&t| Numbers([t, self.value(t)])).collect();
            TimeFunctionSpec { table: Some(rows), ..TimeFunctionSpec::default() }
        };
        match *self {
            Self::Rows(ref rows) => {
                let mut times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
                let (first, last) = (rows[0][0], rows[rows.len() - 1][0]);
                if first > 0.0 && self.value(0.0) != rows[0][1] {
                    times.insert(0, 0.0);
                }
                if last < end && self.value(end) != self.value(last) {
                    times.push(end);
                }
                table(&times)
            }
            Self::Formula { constant: c, amplitude, omega, phase, start, slope } => {
                let oscillates = amplitude != 0.0 && omega != 0.0;
                match (oscillates, slope == 0.0) {
                    (false, true) => constant(self.value(0.0)),
                    (true, true) if c == 0.0 => {
                        let amplitude = amplitude * start.min(1.0);
                        // cos x = sin(x + 90°)
                        let phase_deg = Some(phase.to_degrees() + 90.0);
                        let frequency = omega / std::f64::consts::TAU;
                        let sine = Sine { amplitude, frequency, phase_deg, start: None, end: None };
                        TimeFunctionSpec { sine: Some(sine), ..TimeFunctionSpec::default() }
                    }
                    (false, false) => {
                        let kink = (1.0 - start) / slope;
                        let mut times = vec![0.0];
                        times.extend((kink > 0.0).then_some(kink));
                        // an increasing ramp stays at one after the kink; a decreasing one continues
                        times.extend((slope < 0.0 && end > kink.max(0.0)).then_some(end));
                        if times.len() == 1 { constant(self.value(0.0)) } else { table(&times) }
                    }
                    _ => {
                        let periods = (options.duration * omega.abs() / std::f64::consts::TAU).max(1.0);
                        let count = (ROWS_PER_PERIOD * periods).min(MOST_ROWS).ceil();
                        notes.changed(format!(
                            "an oscillation with a ramp or a constant part is a table of {count} rows up to {} s",
                            options.duration
                        ));
                        let mut times: Vec<f64> =
                            (0..=count as usize).map(|i| options.duration * i as f64 / count).collect();
                        // the bend where the ramp ends
                        let kink = (1.0 - start) / slope;
                        if kink > 0.0 && kink < options.duration && !times.contains(&kink) {
                            times.push(kink);
                            times.sort_by(f64::total_cmp);
                        }
                        table(&times)
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use voussoir_mechanics::time_function::TimeFunction;

    fn formula(v: [f64; 6]) -> DrivenFunction {
        let [constant, amplitude, omega, phase, start, slope] = v;
        DrivenFunction::Formula { constant, amplitude, omega, phase, start, slope }
    }

    #[test]
    fn functions_in_our_words_have_the_same_values() {
        let options = ImportOptions { duration: 2.0, ..ImportOptions::default() };
        let cases = [
            formula([3.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
            formula([3.0, 0.0, 0.0, 0.0, 0.0, 2.0]),
            formula([3.0, 0.0, 0.0, 0.0, 1.5, -0.5]),
            formula([0.0, 2.0, 5.0, 0.3, 1.0, 0.0]),
            formula([0.0, 2.0, 5.0, 0.3, 0.4, 0.0]),
            formula([1.0, 2.0, 5.0, 0.3, 0.1, 0.5]),
            DrivenFunction::Rows(vec![[0.5, 1.0], [1.0, 3.0]]),
        ];
        for case in cases {
            let written = case.written(&options, &mut Notes::default());
            let value = |t: f64| match &written {
                TimeFunctionSpec { constant: Some(value), .. } => *value,
                TimeFunctionSpec { sine: Some(s), .. } => {
                    s.amplitude * (std::f64::consts::TAU * s.frequency * t + s.phase_deg.unwrap().to_radians()).sin()
                }
                TimeFunctionSpec { table: Some(rows), .. } => {
                    TimeFunction::Table(rows.iter().map(|row| (row.0[0], row.0[1])).collect()).value(t)
                }
                _ => unreachable!(),
            };
            for i in 0..40 {
                let t = 0.05 * f64::from(i);
                // a table of 512 rows per period is off by (2π/512)²/8 of its amplitude
                assert!((value(t) - case.value(t)).abs() < 3e-4, "{case:?} at {t}: {} {}", value(t), case.value(t));
            }
        }
    }

    #[test]
    fn ratios_of_functions() {
        let (a, b) = (formula([2.0, 1.0, 3.0, 0.0, 0.0, 1.0]), formula([-4.0, -2.0, 3.0, 0.0, 0.0, 1.0]));
        assert_eq!(b.ratio(&a), Some(-2.0));
        assert_eq!(formula([2.0, 1.0, 4.0, 0.0, 0.0, 1.0]).ratio(&a), None);
        assert_eq!(formula([2.0, 1.5, 3.0, 0.0, 0.0, 1.0]).ratio(&a), None);
        let rows = DrivenFunction::Rows(vec![[0.0, 0.0], [1.0, 2.0]]);
        assert_eq!(DrivenFunction::Rows(vec![[0.0, 0.0], [1.0, 3.0]]).ratio(&rows), Some(1.5));
    }
}
