//! Retry of a step that misses its tolerance with all solvers, or that ends in penetration ([`super::depth`]): the step
//! is halved, at most three times. If no attempt converges, the attempt with the smallest residual is accepted and
//! reported as not converged.

use std::sync::Arc;

use voussoir_contact::SolveReport;
use voussoir_geometry::Space;

use super::predict::Interval;
use super::solve::worse;
use crate::contacts::ContactRecord;
use crate::error::MechanicsError;
use crate::state::State;

/// Largest number of times a step is halved.
pub(crate) const MAX_STEP_CUTS: u32 = 3;

/// Result of a step or of a part of a step.
#[derive(Clone, Debug)]
pub(crate) struct Outcome<S: Space> {
    /// The state at the end.
    pub state: State<S>,
    /// Contacts of the (last) part.
    pub records: Arc<Vec<ContactRecord<S>>>,
    /// The worst report of the parts.
    pub report: SolveReport,
    /// True if all parts met the tolerance.
    pub converged: bool,
    /// Solves and cuts besides the first attempt.
    pub retries: u32,
    /// Contacts in the (last) problem.
    pub contacts: usize,
    /// Impulse of all supports on the free bodies [N·s].
    pub support_impulse: S::Vector,
    /// Largest penetration met [m].
    pub penetration: f64,
    /// Seconds in detection, assembly, solving.
    pub seconds: [f64; 3],
}

/// Steps over an interval with `walk`. The interval is halved, at most `cuts` times, if the tolerance is missed or if
/// `walk` returns `None`, requesting a shorter step; its last argument tells whether a shorter step is possible.
pub(crate) fn advance<S: Space>(
    walk: &mut impl FnMut(&State<S>, Interval, bool) -> Result<Option<Outcome<S>>, MechanicsError>,
    from: &State<S>,
    over: Interval,
    cuts: u32,
) -> Result<Outcome<S>, MechanicsError> {
    let whole = match (walk(from, over, cuts > 0), cuts) {
        (Ok(Some(whole)), cuts) if cuts == 0 || whole.converged => return Ok(whole),
        (Err(error), 0) => return Err(error),
        (whole, _) => whole.ok().flatten(),
    };
    let half = 0.5 * over.h;
    let middle = over.start + half;
    let less = cuts.saturating_sub(1);
    let first = advance(walk, from, Interval { end: middle, h: half, ..over }, less)?;
    // the shorter step has no smaller residual: keep the whole step
    if let Some(whole) = &whole
        && !first.converged
        && first.report.residual >= whole.report.residual
    {
        let retries = whole.retries + first.retries + 1;
        return Ok(Outcome { retries, report: with_work(whole.report, first.report), ..whole.clone() });
    }
    let second = advance(walk, &first.state, Interval { start: middle, h: half, ..over }, less)?;
    let retries = whole.as_ref().map_or(0, |whole| whole.retries) + first.retries + second.retries + 1;
    let both = worse(first.report, second.report);
    let parts = Outcome {
        // the work of rejected attempts is counted
        report: whole.as_ref().map_or(both, |whole| with_work(both, whole.report)),
        converged: first.converged && second.converged,
        support_impulse: first.support_impulse + second.support_impulse,
        penetration: first.penetration.max(second.penetration),
        seconds: std::array::from_fn(|i| first.seconds[i] + second.seconds[i]),
        retries,
        ..second
    };
    match whole {
        Some(whole) if !parts.converged && whole.report.residual < parts.report.residual => {
            Ok(Outcome { retries, report: with_work(whole.report, both), ..whole })
        }
        _ => Ok(parts),
    }
}

/// A report with the work of another one added.
fn with_work(report: SolveReport, more: SolveReport) -> SolveReport {
    SolveReport {
        iterations: report.iterations + more.iterations,
        factorisations: report.factorisations + more.factorisations,
        ..report
    }
}

#[cfg(test)]
mod tests {
    use voussoir_contact::{SolverKind, Status};
    use voussoir_geometry::D2;

    use super::*;

    const STEP: f64 = 0.1;

    /// Test step that converges only below a step length, and may request shorter steps instead of missing the
    /// tolerance; its state counts the parts and sums their lengths.
    fn walk(
        limit: f64,
        requests: bool,
    ) -> impl FnMut(&State<D2>, Interval, bool) -> Result<Option<Outcome<D2>>, MechanicsError> {
        move |from, over, shorter| {
            let converged = over.h <= limit;
            if requests && shorter && !converged {
                return Ok(None);
            }
            let report = SolveReport {
                status: if converged { Status::Converged } else { Status::Stalled },
                solver: SolverKind::Auto,
                iterations: 1,
                factorisations: 0,
                residual: if converged { 1e-9 } else { over.h },
                worst_contact: 0,
            };
            let mut state = from.clone();
            (state.time, state.step) = (over.end, from.step + 1);
            let support_impulse = voussoir_geometry::glam::DVec2::new(0.0, over.h);
            Ok(Some(Outcome {
                state,
                records: Arc::default(),
                report,
                converged,
                retries: 0,
                contacts: 0,
                support_impulse,
                penetration: over.h,
                seconds: [0.0; 3],
            }))
        }
    }

    fn step(limit: f64, requests: bool) -> Outcome<D2> {
        let start = State {
            time: 0.7,
            step: 0,
            position: crate::any::StagePosition::default(),
            poses: vec![],
            presence: vec![],
            velocities: vec![],
            contacts: vec![],
            bonds: vec![],
            cables: vec![],
            overlaps: vec![],
            ledger: Default::default(),
            impacts: 0,
            jammed: Vec::new(),
            slab: Default::default(),
            born: vec![],
            elastic: vec![],
            explicit: None,
            control: None,
        };
        let over = Interval { start: 0.7, end: 0.7 + STEP, h: STEP, theta: 0.5 };
        advance(&mut walk(limit, requests), &start, over, MAX_STEP_CUTS).unwrap()
    }

    #[test]
    fn a_step_is_cut_as_often_as_needed_and_ends_at_the_same_time() {
        let requested = [(STEP, 1, 0), (STEP / 2.0, 2, 1), (STEP / 4.0, 4, 3), (STEP / 8.0, 8, 7)];
        let cases = requested.into_iter().flat_map(|case| [(case, true), (case, false)]);
        for ((limit, parts, retries), requests) in cases {
            let outcome = step(limit, requests);
            assert!(outcome.converged);
            assert_eq!((outcome.state.step, outcome.retries), (parts, retries));
            assert_eq!(outcome.state.time, 0.7 + STEP);
            assert!((outcome.support_impulse.y - STEP).abs() < 1e-16);
        }
    }

    #[test]
    fn what_never_converges_says_so_and_keeps_the_smallest_residual() {
        for (requests, parts) in [(false, 8), (true, 8)] {
            let outcome = step(0.0, requests);
            assert!(!outcome.converged);
            assert_eq!((outcome.state.step, outcome.report.residual), (parts, STEP / parts as f64));
            assert_eq!(outcome.state.time, 0.7 + STEP);
        }
    }
}
