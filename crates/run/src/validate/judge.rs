//! Cases become rows: every check of every run, and the invariants.

use rayon::prelude::*;
use voussoir_model::{Built, Scene, build};

use super::ValidateError;
use super::ask::{Ask, answer};
use super::case::{Case, CaseCheck, Take, Variant};
use super::invariants::{NAMES, Watch};
use super::probe::CaseProbe;
use super::simulate::{Numbering, Simulation, simulate};
use super::table::{ErrorMeasure, Row, Shown, ValidationReport};
use super::take::{ComparedValue, Details, take};
use super::values::{Number, Scope};

/// Source in the rows of invariants.
const INVARIANTS_SOURCE: &str = "invariants: validation/README.md";

/// Runs cases, all runs of all cases in parallel; the order of the rows is that of the files.
pub fn validate(cases: &[Case], done: &(dyn Fn() + Sync)) -> Result<ValidationReport, ValidateError> {
    let mut jobs = Vec::new();
    for case in cases {
        for variant in case.variants()? {
            jobs.push((case, variant));
        }
    }
    let outcomes: Vec<Result<Judged, ValidateError>> = jobs
        .par_iter()
        .with_max_len(1)
        .map(|(case, variant)| {
            let judged = judge(case, variant);
            done();
            judged
        })
        .collect();
    let mut rows = Vec::new();
    let mut watches: Vec<(Watch, Vec<Row>)> = Vec::new();
    let mut certificates: Vec<f64> = Vec::new();
    let mut jobs = jobs.iter().zip(outcomes).peekable();
    while let Some(((case, _), outcome)) = jobs.next() {
        let judged = outcome?;
        rows.extend(judged.rows);
        watches.extend(judged.watch.map(|watch| (watch, judged.extra)));
        certificates.extend(judged.certificate);
        // last run of the case
        if jobs.peek().is_none_or(|((next, _), _)| !std::ptr::eq(*case, *next)) {
            if !watches.is_empty() {
                rows.push(invariant_row(case, &watches));
            }
            if !certificates.is_empty() {
                rows.push(certificate_row(case, &certificates));
                certificates.clear();
            }
            rows.extend(watches.drain(..).flat_map(|(_, extra)| extra));
        }
    }
    Ok(ValidationReport::new(rows))
}

/// Number of runs of some cases, for progress bars.
pub fn count_runs(cases: &[Case]) -> Result<usize, ValidateError> {
    cases.iter().map(|case| case.variants().map(|variants| variants.len())).sum()
}

/// Result of one run.
struct Judged {
    rows: Vec<Row>,
    /// Of a simulation.
    watch: Option<Watch>,
    /// Of an answer: largest measure over tolerance of its proofs.
    certificate: Option<f64>,
    /// Repeated, renumbered and halved runs.
    extra: Vec<Row>,
}

/// Simulates a run and compares.
fn judge(case: &Case, variant: &Variant) -> Result<Judged, ValidateError> {
    let wrong = |reason: String| case.wrong(format!("run \"{}\": {reason}", variant.run));
    let mine = |check: &&CaseCheck| check.run.as_ref().is_none_or(|run| run == &variant.run);
    let checks: Vec<&CaseCheck> = case.checks.iter().filter(mine).collect();
    if let Some(ask) = case.runs.iter().find(|run| run.name == variant.run).and_then(|run| run.ask.as_ref()) {
        return judge_answer(case, variant, ask, &checks);
    }
    let built = built(case, &variant.scene).map_err(wrong)?;
    let cast = built.model.cast();
    let probes: Vec<CaseProbe> = checks
        .iter()
        .map(|check| CaseProbe::new(case, check, &variant.scope, &cast, &built))
        .collect::<Result<_, ValidateError>>()?;
    let allowed = variant.scope.value(&case.invariants.penetration).map_err(wrong)?;
    let simulation = match simulate(&built, Numbering::AsWritten, &probes, allowed) {
        Ok(simulation) => simulation,
        // a run that ends with an error fails its checks
        Err(error) => {
            let broken = |check: &&CaseCheck| failed_row(case, variant, check, error.to_string());
            let rows = checks.iter().map(broken).collect();
            return Ok(Judged { rows, watch: Some(Watch::new(allowed)), certificate: None, extra: Vec::new() });
        }
    };
    let rows = checks
        .iter()
        .zip(&simulation.histories)
        .map(|(check, history)| row(case, variant, check, history))
        .collect::<Result<Vec<Row>, ValidateError>>()?;
    let mut extra = Vec::new();
    if case.invariants.repeat {
        extra.push(repeat_row(case, variant, &built, &simulation, allowed)?);
    }
    if let Some(tolerance) = case.invariants.renumber {
        extra.push(renumber_row(case, variant, &built, &simulation, allowed, tolerance));
    }
    if case.invariants.halve {
        extra.extend(halved_rows(case, variant, &rows)?);
    }
    Ok(Judged { rows, watch: Some(simulation.watch), certificate: None, extra })
}

/// Answers a static question and compares.
fn judge_answer(case: &Case, variant: &Variant, ask: &Ask, checks: &[&CaseCheck]) -> Result<Judged, ValidateError> {
    let wrong = |reason: String| case.wrong(format!("run \"{}\": {reason}", variant.run));
    let run = case.runs.iter().position(|run| run.name == variant.run).unwrap_or_default();
    let text = case.scene_of(run)?;
    let build = |scope: &Scope| built(case, &scope.fill(text)?);
    let answered = answer(ask, checks, &variant.scope, &build).map_err(wrong)?;
    let rows = checks.iter().zip(answered.outcomes).map(|(check, outcome)| match outcome {
        Ok(outcome) => compared(case, variant, check, outcome),
        Err(reason) => Ok(failed_row(case, variant, check, reason)),
    });
    let rows = rows.collect::<Result<Vec<Row>, ValidateError>>()?;
    Ok(Judged { rows, watch: None, certificate: Some(answered.certificate), extra: Vec::new() })
}

fn built(case: &Case, scene: &str) -> Result<Built, String> {
    Scene::parse(scene, "scene").and_then(|scene| build(&scene, &case.place)).map_err(|error| error.to_string())
}

fn title(case: &Case, variant: &Variant, what: &str) -> String {
    let label = if variant.label.is_empty() { String::new() } else { format!(" ({})", variant.label) };
    format!("{}: {what}{label}", case.title)
}

/// Compares one check with the history of its quantity.
fn row(case: &Case, variant: &Variant, check: &CaseCheck, history: &[(f64, f64)]) -> Result<Row, ValidateError> {
    let wrong = |reason: String| case.wrong(format!("check \"{}\": {reason}", check.what));
    let value = |number: &Number| variant.scope.value(number).map_err(wrong);
    let optional = |number: &Option<Number>| number.as_ref().map(value).transpose();
    let details = Details { at: optional(&check.at)?, level: optional(&check.level)?, nth: check.nth.unwrap_or(1) };
    match take(check.take, details, history) {
        Ok(outcome) => compared(case, variant, check, outcome),
        Err(reason) => Ok(failed_row(case, variant, check, reason)),
    }
}

/// Compares a computed value with the expected value.
fn compared(case: &Case, variant: &Variant, check: &CaseCheck, outcome: ComparedValue) -> Result<Row, ValidateError> {
    let wrong = |reason: String| case.wrong(format!("check \"{}\": {reason}", check.what));
    let value = |number: &Number| variant.scope.value(number).map_err(wrong);
    let optional = |number: &Option<Number>| number.as_ref().map(value).transpose();
    let mut row = blank_row(case, variant, check);
    (row.tolerance, row.measure) = match (&check.tolerance.relative, &check.tolerance.absolute) {
        (Some(tolerance), _) => (value(tolerance)?, ErrorMeasure::Relative),
        (None, Some(tolerance)) => (value(tolerance)?, ErrorMeasure::Absolute),
        (None, None) => (0.0, ErrorMeasure::Absolute),
    };
    match outcome {
        ComparedValue::Stands(stands) => {
            let expected = expected_verdict(check).map_err(wrong)?;
            (row.expected, row.computed) = (verdict(expected), verdict(stands));
            (row.error, row.pass) = (f64::from(expected != stands), expected == stands);
        }
        ComparedValue::Number(number) if is_unlimited(check) => {
            row.expected = Shown::Word("no limit");
            row.computed = if number == f64::INFINITY { Shown::Word("no limit") } else { Shown::Number(number) };
            (row.error, row.pass) = (f64::from(number != f64::INFINITY), number == f64::INFINITY);
        }
        ComparedValue::Number(number) => {
            let expected = value(&check.expected)?;
            let computed = number / optional(&check.per)?.unwrap_or(1.0);
            let scale = if row.measure == ErrorMeasure::Relative { expected.abs() } else { 1.0 };
            if scale == 0.0 {
                return Err(wrong("the expected value is zero: the tolerance must be absolute".to_owned()));
            }
            (row.expected, row.computed) = (Shown::Number(expected), Shown::Number(computed));
            row.error = (computed - expected).abs() / scale;
            row.pass = row.error <= row.tolerance;
        }
    }
    Ok(row)
}

/// True if the answer is expected to be that there is no largest number.
fn is_unlimited(check: &CaseCheck) -> bool {
    matches!(&check.expected, Number::Formula(word) if word == "no limit")
}

fn expected_verdict(check: &CaseCheck) -> Result<bool, String> {
    match &check.expected {
        Number::Formula(word) if word == "stands" => Ok(true),
        Number::Formula(word) if word == "falls" => Ok(false),
        _ => Err("a verdict is expected to be \"stands\" or \"falls\"".to_owned()),
    }
}

fn verdict(stands: bool) -> Shown {
    Shown::Word(if stands { "stands" } else { "falls" })
}

fn blank_row(case: &Case, variant: &Variant, check: &CaseCheck) -> Row {
    Row {
        id: case.id.clone(),
        title: title(case, variant, &check.what),
        expected: Shown::Number(f64::NAN),
        computed: Shown::Number(f64::NAN),
        error: f64::INFINITY,
        tolerance: 0.0,
        measure: ErrorMeasure::Absolute,
        pass: false,
        source: check.source.clone().unwrap_or_else(|| case.source.clone()),
        note: None,
    }
}

/// A check that could not be made.
fn failed_row(case: &Case, variant: &Variant, check: &CaseCheck, reason: String) -> Row {
    let expected = match (check.take, &check.expected) {
        _ if is_unlimited(check) => Ok(Shown::Word("no limit")),
        (Take::Verdict, _) => expected_verdict(check).map(verdict),
        (_, Number::Formula(word)) if word == "stands" || word == "falls" => expected_verdict(check).map(verdict),
        (_, number) => variant.scope.value(number).map(Shown::Number),
    };
    let expected = expected.unwrap_or(Shown::Number(f64::NAN));
    Row { expected, note: Some(reason), ..blank_row(case, variant, check) }
}

/// A row about a whole run: no expected value; 1 or less passes.
fn run_row(case: &Case, title: String, computed: f64, tolerance: f64, note: Option<String>) -> Row {
    Row {
        id: case.id.clone(),
        title,
        expected: Shown::Number(0.0),
        computed: Shown::Number(computed),
        error: computed,
        tolerance,
        measure: ErrorMeasure::Absolute,
        pass: computed <= tolerance,
        source: INVARIANTS_SOURCE.to_owned(),
        note,
    }
}

/// The invariants of all runs of a case.
fn invariant_row(case: &Case, watches: &[(Watch, Vec<Row>)]) -> Row {
    let first = watches[0].0;
    let all = watches[1..].iter().fold(first, |all, (watch, _)| all.and(watch));
    let parts: Vec<String> =
        NAMES.iter().zip(all.worst).map(|(name, (ratio, at))| format!("{name} {ratio:.2e} (t = {at:.4} s)")).collect();
    let title = format!("{}: invariants of {} steps, largest measure/tolerance", case.title, all.steps);
    run_row(case, title, all.largest(), 1.0, Some(parts.join(", ")))
}

/// The proofs of all answers of a case.
fn certificate_row(case: &Case, certificates: &[f64]) -> Row {
    let largest = certificates.iter().copied().fold(0.0, f64::max);
    let title = format!("{}: certificates of {} answers, largest measure/tolerance", case.title, certificates.len());
    let note = "imbalance of admissible forces 1e-8 of the loads, gap between lower and upper bound 1e-6";
    run_row(case, title, largest, 1.0, Some(note.to_owned()))
}

/// The same run once more, on one thread.
fn repeat_row(
    case: &Case,
    variant: &Variant,
    built: &Built,
    first: &Simulation,
    allowed: f64,
) -> Result<Row, ValidateError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|e| case.wrong(format!("no thread can be started: {e}")))?;
    let again = pool.install(|| simulate(built, Numbering::AsWritten, &[], allowed));
    let different =
        again.map_or(f64::INFINITY, |again| again.bits.iter().zip(&first.bits).filter(|(a, b)| a != b).count() as f64);
    let title = title(case, variant, "numbers that differ in a repeated run on one thread");
    Ok(run_row(case, title, different, 0.0, None))
}

/// The same run with the bodies numbered from the last to the first.
fn renumber_row(
    case: &Case,
    variant: &Variant,
    built: &Built,
    first: &Simulation,
    allowed: f64,
    tolerance: f64,
) -> Row {
    let apart = simulate(built, Numbering::Reversed, &[], allowed).map_or(f64::INFINITY, |other| {
        let pairs = other.end.iter().flatten().flatten().zip(first.end.iter().flatten().flatten());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    });
    let title = title(case, variant, "difference with reversed body numbers [m, m/s]");
    run_row(case, title, apart, tolerance, None)
}

/// All checks with half the step, and the change of their values.
fn halved_rows(case: &Case, variant: &Variant, whole: &[Row]) -> Result<Vec<Row>, ValidateError> {
    let h = variant.scope.named("h").map_err(|reason| case.wrong(format!("halving the step: {reason}")))?;
    let source = case.runs.iter().position(|run| run.name == variant.run);
    let scope: Scope = variant.scope.with("h", 0.5 * h);
    let scene = match source {
        Some(run) => scope.fill(case.scene_of(run)?).map_err(|reason| case.wrong(reason))?,
        None => return Ok(Vec::new()),
    };
    let label =
        if variant.label.is_empty() { "half the step".to_owned() } else { format!("{}, half the step", variant.label) };
    let halved = Variant { run: variant.run.clone(), label, scene, scope };
    let mut plain = case.clone();
    plain.invariants.halve = false;
    plain.invariants.repeat = false;
    plain.invariants.renumber = None;
    let mut rows = judge(&plain, &halved)?.rows;
    if let Some(tolerance) = case.invariants.halving_changes {
        let changes = whole.iter().zip(&rows).filter_map(|(whole, half)| match (&whole.computed, &half.computed) {
            (Shown::Number(whole), Shown::Number(half)) => Some((half / whole - 1.0).abs()),
            _ => None,
        });
        // NaN counts as a change
        let largest = changes.fold(0.0, |most: f64, c| if c.is_nan() { f64::INFINITY } else { most.max(c) });
        let title = title(case, variant, "largest change of a computed number when the step is halved, relative");
        rows.push(run_row(case, title, largest, tolerance, None));
    }
    Ok(rows)
}
