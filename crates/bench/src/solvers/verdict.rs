//! Summary of the study: totals, and the accuracy that each solver reached.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Row;

/// Our first-order solvers, and the two of Siconos that they answer to.
const FIRST_ORDER: [&str; 4] = ["nlgs", "admm", "apgd", "p-spg-fb"];
const ANSWERS_TO: [&str; 2] = ["siconos nsgs", "siconos admm"];

/// Totals of `auto` and of Siconos' best solver per problem; where first-order solvers fall short.
pub fn text(rows: &[Row], tolerances: &[f64]) -> String {
    let mut text = String::new();
    let problems: BTreeSet<&str> = rows.iter().map(|row| row.problem.as_str()).collect();
    for &tolerance in tolerances {
        let (mut ours, mut theirs, mut common, mut alone, mut alone_s) = (0.0, 0.0, 0, Vec::new(), 0.0);
        let mut missed = Vec::new();
        for &problem in &problems {
            let here = || rows.iter().filter(|row| row.problem == problem && row.tolerance == tolerance);
            let auto = here().find(|row| row.solver == "auto");
            let best = here().filter(|row| row.is_foreign() && row.converged).map(|row| row.seconds);
            let best = best.fold(f64::INFINITY, f64::min);
            match auto {
                Some(row) if row.converged && best.is_finite() => {
                    (ours, theirs, common) = (ours + row.seconds, theirs + best, common + 1);
                }
                Some(row) if row.converged => {
                    alone.push(problem);
                    alone_s += row.seconds;
                }
                Some(row) => missed.push(format!("{problem} ({:.1e})", f64::max(row.residual, row.unitless))),
                None => {}
            }
        }
        let _ = writeln!(
            text,
            "{tolerance:e}: auto {ours:.3} s, Siconos' best per problem {theirs:.3} s, on {common} problems both solve; \
             auto alone solves {} more in {alone_s:.3} s: {}; auto misses {}: {}",
            alone.len(),
            alone.join(", "),
            missed.len(),
            missed.join(", ")
        );
    }
    for family in FIRST_ORDER {
        let short: Vec<&str> = problems
            .iter()
            .copied()
            .filter(|problem| {
                let reached = |solver: &str| {
                    rows.iter().any(|row| {
                        row.problem == *problem && row.tolerance == 1e-4 && row.solver == solver && row.converged
                    })
                };
                ANSWERS_TO.iter().any(|solver| reached(solver)) && !reached(family)
            })
            .collect();
        let _ = writeln!(
            text,
            "{family} misses 1e-4 where Siconos' NSGS or ADMM reaches it on {} problems{}{}",
            short.len(),
            if short.is_empty() { "" } else { ": " },
            short.join(", ")
        );
    }
    text
}
