//! Tests on samples of grains in validation cases: the median of a value over several packings.

use super::ask::{Answered, Ask, Builder};
use super::case::{CaseCheck, ObservedQuantity};
use super::take::ComparedValue;
use super::values::Scope;
use crate::samples;

/// Runs a test for all values of a seed, from the first to the second number of `between`.
pub fn answer(ask: &Ask, checks: &[&CaseCheck], scope: &Scope, build: &Builder<'_>) -> Result<Answered, String> {
    let (Some(name), [first, last]) = (&ask.value, &ask.between[..]) else {
        return Err("a sample needs the `value` that is its seed, and `between = [first, last]`".to_owned());
    };
    let (first, last) = (scope.value(first)? as u64, scope.value(last)? as u64);
    let seeds = (first..=last).map(|seed| scope.with(name, seed as f64));
    let packings = seeds.map(|scope| build(&scope)).collect::<Result<Vec<_>, String>>()?;
    let report = samples::test(&packings);
    let outcome = |check: &&CaseCheck| {
        let wanted = check.probe.as_deref().unwrap_or_default();
        let found = report.statistics.iter().find(|value| value.name == wanted);
        match (check.quantity, found) {
            (ObservedQuantity::Median, Some(found)) if found.count == packings.len() => {
                Ok(ComparedValue::Number(found.median))
            }
            (ObservedQuantity::Median, Some(found)) => {
                Err(format!("{} of {} packings have \"{wanted}\"", found.count, packings.len()))
            }
            (ObservedQuantity::Median, None) => {
                let note = report.rows.iter().find_map(|row| row.note.clone()).unwrap_or_default();
                Err(format!("the test has no \"{wanted}\": {note}"))
            }
            _ => Err("a sample has the quantity `median`".to_owned()),
        }
    };
    Ok(Answered { outcomes: checks.iter().map(outcome).collect(), certificate: 0.0 })
}
