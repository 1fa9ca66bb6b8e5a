//! Automatic time steps: as long as the error and the contacts allow.
//!
//! **Smooth motion.** q_{k+1} = q_k + h [θ v_{k+1} + (1−θ) v_k] has the local error
//! ```text
//! e = h³/12 |j| + (θ − ½) h² |a|,    a = (v_{k+1} − v_k)/h,    j = 2 (a − a_{k−1}) / (h + h_{k−1})
//! ```
//! (trapezoidal rule, third derivative of the position by divided differences). e is the error of the farthest point of
//! a body in a step [m], compared with ε times the size of the body. A step whose error is larger is repeated with
//! h · min(½, 0.9 (ε/e)^⅓); the next step is h · 0.9 (ε/e)^⅓, at most twice as long.
//!
//! **Impacts.** The time of an impact is known to a step at best, and the scheme is of first order there: an impact
//! with the approach speed u in a step h costs the position ½ h u. From the gaps g at the start of a step, the approach
//! speeds u and their rates a without contacts, g = u t + ½ a t² gives the time of contact t, and u + a t the speed of
//! the impact. The step of the impact is at most h_i = 2 ε size / (u + a t); the step before it ends at t − 0.4 h_i, so
//! that the mid configuration of the impact is just behind that of the contact.
//!
//! **Functions of time.** A step does not pass a row of a table of loads or motions, nor the start or the end of a
//! sine, and is at most a twentieth of a period: otherwise a structure at rest would miss a short pulse.
//!
//! All decisions are functions of the state ([`StepControl`]): a resumed run takes the same steps.
//!
//! References: Studer, Leine & Glocker, Int. J. Numer. Meth. Engng 76 (2008), for step control with impacts in
//! time-stepping; Gresho, Lee & Sani (1980) for the trapezoidal rule with divided differences.

use voussoir_geometry::{Space, Vector};

use super::Tools;
use super::detect::{Alert, find_contacts};
use super::predict::{Interval, predict};
use super::relative::{relative_velocity, support_velocity};
use crate::kinematics::fastest_point;
use crate::model::{DynamicSettings, Model};
use crate::state::{State, StepControl};

/// Safety factor on the step that the error estimate allows.
const SAFETY_FACTOR: f64 = 0.9;
/// Largest growth from step to step, and largest and smallest cut of a step that is repeated.
const MOST_GROWTH: f64 = 2.0;
const CUT_RANGE: [f64; 2] = [0.2, 0.5];
/// Time from the start of the step of an impact to the contact, relative to this step.
const CONTACT_LEAD: f64 = 0.4;
/// Steps in a period of a sine.
const PER_PERIOD: f64 = 20.0;
/// A time closer than this fraction of the shortest step counts as passed.
const TIME_TOLERANCE: f64 = 1e-6;
/// Contacts with approach speeds below this fraction of the velocity that gravity adds in the shortest step are at
/// rest.
const AT_REST: f64 = 1.0;

/// Limits and required accuracy of automatic steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutomaticStep {
    /// Shortest step [s]; it is accepted even if its error is too large.
    pub least: f64,
    /// Longest step [s].
    pub largest: f64,
    /// ε: error of a step, relative to the size of a body.
    pub error: f64,
    /// End of the stage after its beginning [s]; infinite if steps need not end there.
    pub duration: f64,
}

/// Length of the step from the state alone, without contacts [s].
pub(crate) fn wanted<S: Space>(model: &Model<S>, auto: &AutomaticStep, first: f64, state: &State<S>) -> f64 {
    let h = state.control.as_ref().map_or(first, |control| control.next).clamp(auto.least, auto.largest);
    let (change, period) = next_change(model, auto, state, state.time);
    up_to(h.min(period / PER_PERIOD), change - state.time, auto.least)
}

/// End of a step [s]: exactly the end of the stage or the row of a table that the step was meant to reach.
pub(crate) fn end_of<S: Space>(model: &Model<S>, auto: &AutomaticStep, state: &State<S>, h: f64) -> f64 {
    let end = state.time + h;
    let near = TIME_TOLERANCE * auto.least;
    let reached = next_change(model, auto, state, end - near).0;
    if (reached - end).abs() <= near { reached } else { end }
}

/// The first time after `t` at which a function of time bends or jumps or the stage ends, and the shortest period [s].
fn next_change<S: Space>(model: &Model<S>, auto: &AutomaticStep, state: &State<S>, t: f64) -> (f64, f64) {
    let more = model.motions.iter().flat_map(|motion| motion.components.iter().map(|component| &component.1));
    let functions = model.loads.iter().map(|load| &load.function).chain(model.motions.iter().map(|m| &m.function));
    let end = state.position.begun + auto.duration;
    functions.chain(more).fold((end, f64::INFINITY), |(change, period), function| {
        (change.min(function.next_change(t)), period.min(function.period(t)))
    })
}

/// Limits a step so that it neither passes a time `left` seconds ahead nor ends just before it.
fn up_to(h: f64, left: f64, least: f64) -> f64 {
    if left <= TIME_TOLERANCE * least || left >= 2.0 * h {
        h
    } else if left <= h * (1.0 + 1e-9) || left <= 2.0 * least {
        left
    } else {
        0.5 * left
    }
}

/// The step before the first impact whose error would exceed the required accuracy, or the step of this impact.
pub(crate) fn before_impacts<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    auto: &AutomaticStep,
    tools: &mut Tools<S>,
    state: &State<S>,
    h: f64,
) -> f64 {
    let over = Interval { start: state.time, end: state.time + h, h, theta: settings.theta };
    tools.masses.carry(model, over.start, over.end);
    let prediction = predict(model, &tools.masses, state, over);
    let moves = prediction.supports.iter().any(Option::is_some) || state.velocities.iter().any(|&v| v != 0.0);
    if !moves {
        return h;
    }
    let alert = Alert::new(model, &DynamicSettings { step: h, ..settings.clone() }, &tools.masses, state, h);
    let Tools { masses, beds, broad, .. } = tools;
    let contacts = find_contacts(model, masses, broad, &state.poses, &alert, beds, settings.detection);
    let slow = AT_REST * model.gravity.length() * auto.least;
    let mut step = h;
    for contact in &contacts {
        let support = support_velocity(masses, &prediction, contact);
        let approach =
            |v: &[f64]| -relative_velocity(masses, &prediction, contact, v, support).dot(contact.point.normal);
        let (u, end) = (approach(&prediction.before), approach(&prediction.free));
        let Some((t, speed)) = meeting(contact.point.gap.max(0.0), u, (end - u) / h) else { continue };
        let size = masses.smaller(contact.key.candidate as usize, contact.key.antagonist as usize);
        let own = (2.0 * auto.error * size / speed).max(auto.least);
        if t >= step + CONTACT_LEAD * own || speed <= slow || own >= step {
            continue;
        }
        step = if t > own { t - CONTACT_LEAD * own } else { own };
    }
    step.max(auto.least)
}

/// Time and speed at which a gap closes: g = u t + ½ a t².
fn meeting(gap: f64, u: f64, a: f64) -> Option<(f64, f64)> {
    if gap == 0.0 {
        return (u > 0.0).then_some((0.0, u));
    }
    let root = u * u + 2.0 * a * gap;
    // the form without cancellation
    (root > 0.0 && u + root.sqrt() > 0.0).then(|| (2.0 * gap / (u + root.sqrt()), root.sqrt()))
}

/// Largest error of a body in a step from `from` to `to`, relative to the accepted error.
pub(crate) fn error<S: Space>(
    tools: &Tools<S>,
    settings: &DynamicSettings,
    auto: &AutomaticStep,
    [from, to]: [&State<S>; 2],
    h: f64,
) -> f64 {
    let control = from.control.as_ref().filter(|control| control.before.len() == from.velocities.len());
    let mut most: f64 = 0.0;
    for &body in &tools.masses.body {
        let at = body * S::DOFS..(body + 1) * S::DOFS;
        let size = tools.masses.size[body];
        let (now, new) = (&from.velocities[at.clone()], &to.velocities[at.clone()]);
        let (mut jerk, mut first) = ([0.0; 6], [0.0; 6]);
        for i in 0..S::DOFS {
            let a = (new[i] - now[i]) / h;
            first[i] = (settings.theta - 0.5) * h * h * a;
            if let Some(StepControl { length, before, .. }) = control {
                jerk[i] = h.powi(3) / 12.0 * 2.0 * (a - (now[i] - before[at.start + i]) / length) / (h + length);
            }
        }
        let error =
            fastest_point::<S>(&jerk[..S::DOFS], 0.5 * size) + fastest_point::<S>(&first[..S::DOFS], 0.5 * size);
        most = most.max(error / (auto.error * size));
    }
    most
}

/// A shorter step in place of one whose error was `error` times the accepted one; `None` if it is accepted.
pub(crate) fn shorter(auto: &AutomaticStep, h: f64, error: f64) -> Option<f64> {
    (error > 1.0 && h > auto.least).then(|| (h * factor(error).clamp(CUT_RANGE[0], CUT_RANGE[1])).max(auto.least))
}

/// Length of the next step after an accepted one; `cut` if the step had to be taken in parts.
pub(crate) fn next(auto: &AutomaticStep, h: f64, error: f64, cut: bool) -> f64 {
    let growth = if cut { 0.5 } else { factor(error).clamp(0.5, MOST_GROWTH) };
    (h * growth).clamp(auto.least, auto.largest)
}

fn factor(error: f64) -> f64 {
    SAFETY_FACTOR / error.max(1e-9).cbrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_close_when_they_do() {
        // a fall of 2 m with 9 m/s downwards: 2 = 9 t + 5 t²
        let (t, u) = meeting(2.0, 9.0, 10.0).unwrap();
        assert!((t - 0.2).abs() < 1e-15 && (u - 11.0).abs() < 1e-14);
        // upwards first, then closing; and a gap that never closes
        let (t, u) = meeting(2.0, -9.0, 10.0).unwrap();
        assert!((t - 2.0).abs() < 1e-15 && (u - 11.0).abs() < 1e-14);
        assert!(meeting(2.0, -1.0, 0.0).is_none() && meeting(2.0, 1.0, -1.0).is_none());
        assert_eq!(meeting(0.0, 3.0, 1.0), Some((0.0, 3.0)));
        assert_eq!(meeting(0.0, 0.0, 10.0), None);
    }

    #[test]
    fn steps_end_at_times() {
        assert_eq!(up_to(0.1, 1.0, 1e-5), 0.1);
        assert_eq!(up_to(0.1, 0.1, 1e-5), 0.1);
        assert_eq!(up_to(0.1, 0.06, 1e-5), 0.06);
        assert_eq!(up_to(0.1, 0.16, 1e-5), 0.08);
        // a time that has just passed has no effect
        assert_eq!(up_to(0.1, -1e-17, 1e-5), 0.1);
    }

    #[test]
    fn steps_follow_the_third_root_of_the_error() {
        let auto = AutomaticStep { least: 1e-4, largest: 1.0, error: 1e-3, duration: f64::INFINITY };
        assert_eq!(shorter(&auto, 0.1, 0.9), None);
        assert_eq!(shorter(&auto, 1e-4, 9.0), None);
        assert!((shorter(&auto, 0.1, 8.0).unwrap() - 0.045).abs() < 1e-12);
        assert!((shorter(&auto, 0.1, 1e9).unwrap() - 0.02).abs() < 1e-12);
        assert!((next(&auto, 0.1, 0.5f64.powi(3), false) - 0.18).abs() < 1e-12);
        assert!((next(&auto, 0.1, 0.0, false) - 0.2).abs() < 1e-12);
        assert!((next(&auto, 0.1, 0.0, true) - 0.05).abs() < 1e-12);
    }
}
