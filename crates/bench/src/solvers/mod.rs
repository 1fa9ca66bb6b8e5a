//! `cargo xtask bench solvers`: all solvers on external problems and on our own, compared with Siconos.
//!
//! All on one thread and from zero, in computing time; all answers are judged by the same two errors. Rows go to
//! `target/solvers.csv`; `docs/pictures/solvers-1e-8.svg` and `-1e-4.svg` show the fraction of problems that each
//! solver solves within a multiple of the best time.

mod problems;
mod profile;
mod siconos;
mod verdict;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use voussoir_contact::{Options, SolverKind, Status};
use voussoir_problems::solve::solve;

use crate::clock::Clock;
use crate::place::root;
use problems::Item;

/// Tolerances of the study, on both errors.
const TOLERANCES: [f64; 2] = [1e-8, 1e-4];
/// A solve is repeated until this much time was spent on it [s]; the mean counts.
const REPEAT_TIME: f64 = 0.1;

/// One solver on one problem at one tolerance.
pub struct Row {
    /// Name of the problem.
    pub problem: String,
    /// Ours (`auto`, `nlgs`, …) or Siconos' (`siconos nsgs`, …).
    pub solver: String,
    /// The tolerance.
    pub tolerance: f64,
    /// Both errors met the tolerance.
    pub converged: bool,
    /// Siconos' error of the answer.
    pub residual: f64,
    /// The error without units.
    pub unitless: f64,
    /// Iterations, and factorisations where the solver counts them.
    pub iterations: usize,
    /// Factorisations; 0 for solvers that do not count them.
    pub factorisations: usize,
    /// Computing time of the solve alone [s].
    pub seconds: f64,
}

impl Row {
    /// True for a solver of Siconos.
    pub fn is_foreign(&self) -> bool {
        self.solver.starts_with(siconos::PREFIX)
    }
}

/// Options of the command line.
struct Asked {
    limit: f64,
    siconos: bool,
    names: Vec<String>,
}

impl Asked {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut asked = Self { limit: 5.0, siconos: true, names: Vec::new() };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--limit" => {
                    let value = rest.next().ok_or("--limit needs a number of seconds")?;
                    let limit = value.parse().map_err(|_| format!("--limit {value}: not a number of seconds"))?;
                    if !(limit > 0.0 && limit < 1e6) {
                        return Err(format!("--limit {value}: more than 0 and less than a million seconds"));
                    }
                    asked.limit = limit;
                }
                "--without-siconos" => asked.siconos = false,
                other if other.starts_with('-') => {
                    return Err(format!("there is no option `{other}`; there are --limit and --without-siconos"));
                }
                name => asked.names.push(name.to_owned()),
            }
        }
        Ok(asked)
    }
}

/// Runs the study on the problems whose names contain one of the words given (all by default).
pub fn run(arguments: &[String]) -> Result<(), String> {
    let asked = Asked::parse(arguments)?;
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().map_err(|e| e.to_string())?;
    let mut items = problems::collect()?;
    items.retain(|item| asked.names.is_empty() || asked.names.iter().any(|name| item.name.contains(name.as_str())));
    if items.is_empty() {
        return Err("no problem has such a name".to_owned());
    }
    let siconos = if asked.siconos { siconos::Siconos::find()? } else { None };
    if siconos.is_none() {
        println!("without Siconos: needs Debian's python3-siconos and ../tools/fcproblem.py beside VOUSSOIR_DATA");
    }
    let mut rows = Vec::new();
    for item in &items {
        println!("{} ({} contacts, {}D)", item.name, item.file.form.contacts(), item.file.form.dim());
        for tolerance in TOLERANCES {
            for kind in SolverKind::ALL {
                rows.push(ours(item, kind, tolerance, asked.limit)?);
            }
            if let Some(siconos) = &siconos {
                rows.extend(siconos.solve(item, tolerance, asked.limit)?);
            }
            print_best(&rows, &item.name, tolerance);
        }
        // an interrupted study keeps its rows
        write_csv(&rows, &items)?;
    }
    for tolerance in TOLERANCES {
        let path = root().join(format!("docs/pictures/solvers-{tolerance:e}.svg"));
        std::fs::write(&path, profile::svg(&rows, tolerance)).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("written to {}", path.display());
    }
    print!("{}", verdict::text(&rows, &TOLERANCES));
    Ok(())
}

/// One of our solvers, repeated if it is fast.
fn ours(item: &Item, kind: SolverKind, tolerance: f64, limit: f64) -> Result<Row, String> {
    let (clock, mut times) = (Clock::start(), 0);
    loop {
        let deadline = Some(Instant::now() + Duration::from_secs_f64(limit));
        let options = Options { kind, tolerance, deadline, ..Options::default() };
        let answer = solve(&item.file.form, None, &options).map_err(|e| format!("{}: {e}", item.name))?;
        times += 1;
        let spent = clock.seconds();
        if spent >= REPEAT_TIME {
            return Ok(Row {
                problem: item.name.clone(),
                solver: kind.name().to_owned(),
                tolerance,
                converged: answer.status == Status::Converged,
                residual: answer.measures.residual,
                unitless: answer.measures.unitless,
                iterations: answer.iterations,
                factorisations: answer.factorisations,
                seconds: spent / f64::from(times),
            });
        }
    }
}

/// One line: `auto`, the quickest of ours, the quickest of Siconos.
fn print_best(rows: &[Row], problem: &str, tolerance: f64) {
    let of = |wanted: &dyn Fn(&Row) -> bool| {
        rows.iter()
            .filter(|row| row.problem == problem && row.tolerance == tolerance && row.converged && wanted(row))
            .min_by(|a, b| a.seconds.total_cmp(&b.seconds))
            .map_or("none converged".to_owned(), |row| format!("{} {:.5} s", row.solver, row.seconds))
    };
    println!(
        "  {tolerance:e}: {}; ours {}; Siconos {}",
        of(&|row| row.solver == SolverKind::Auto.name()),
        of(&|row| !row.is_foreign() && row.solver != SolverKind::Auto.name()),
        of(&Row::is_foreign)
    );
}

fn write_csv(rows: &[Row], items: &[Item]) -> Result<(), String> {
    let mut csv = String::from(
        "problem,dim,contacts,solver,tolerance,converged,residual,residual_unitless,iterations,factorisations,time_s\n",
    );
    for row in rows {
        let form = items.iter().find(|item| item.name == row.problem).map(|item| &item.file.form);
        let (dim, contacts) = form.map_or((0, 0), |form| (form.dim(), form.contacts()));
        let _ = writeln!(
            csv,
            "{},{dim},{contacts},{},{:e},{},{:.3e},{:.3e},{},{},{:.6}",
            row.problem,
            row.solver,
            row.tolerance,
            row.converged,
            row.residual,
            row.unitless,
            row.iterations,
            row.factorisations,
            row.seconds
        );
    }
    let path = root().join("target/solvers.csv");
    std::fs::write(&path, csv).map_err(|e| format!("{}: {e}", path.display()))
}
