//! `voussoir solve`: solve a frictional contact problem from a file.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use serde::Serialize;
use voussoir_contact::{Options, SolverKind, Status};
use voussoir_problems::solve::{ProblemSolution, solve};
use voussoir_problems::{ProblemFile, ProblemForm, read};

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;

/// Largest time limit [s] that can be added to a clock.
const LONGEST_TIME: f64 = 1e9;

/// Arguments of `voussoir solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Problem files: FCLIB (HDF5) or Siconos text, local or global, 2D or 3D; `voussoir run \
                  --dump-problems` writes \
                        FCLIB files. The solution is converged if both residuals are below the tolerance: the \
                        residual of Siconos and the unit-free residual.")]
pub struct SolveArguments {
    /// The problem file
    pub problem: PathBuf,
    /// The solver
    #[arg(long, value_name = "S", default_value = "auto", value_parser = PossibleValuesParser::new(SolverKind::ALL.iter().map(|kind| kind.name())))]
    pub solver: String,
    /// Tolerance on both residuals
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value = "1e-8", value_parser = tolerance)]
    pub tol: f64,
    /// Stop after this time [s] with the best solution so far
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Write the reactions to a file, one number per line in the order of the problem
    #[arg(long, value_name = "FILE")]
    pub reactions: Option<PathBuf>,
    /// Start from the initial guess in the file instead of zero
    #[arg(long)]
    pub guess: bool,
    /// Print the result as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

/// The JSON answer.
#[derive(Serialize)]
struct Report<'a> {
    problem: String,
    dim: usize,
    contacts: usize,
    solver: &'a str,
    status: &'static str,
    iterations: usize,
    residual: f64,
    residual_unitless: f64,
    time_s: f64,
    /// The solver that found the solution, for `auto`.
    solved_by: &'static str,
    factorisations: usize,
    worst_contact: Option<usize>,
}

impl SolveArguments {
    /// Reads and solves the problem, and measures the residuals.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let file = read(&self.problem)?;
        file.warnings.iter().for_each(|warning| terminal.warning(&format!("{}: {warning}", self.problem.display())));
        let guess = self.start(&file)?;
        // the argument parser accepts only names of solvers
        let kind = SolverKind::from_name(&self.solver).unwrap_or_default();
        let clock = Instant::now();
        let deadline = self.time_limit.map(|limit| clock + Duration::from_secs_f64(limit));
        let options = Options { kind, tolerance: self.tol, deadline, ..Options::default() };
        let answer = solve(&file.form, guess, &options).map_err(|error| error.in_file(&self.problem))?;
        let time_s = clock.elapsed().as_secs_f64();
        if let Some(path) = &self.reactions {
            write_reactions(path, &answer.impulses)?;
        }
        let report = Report {
            problem: self.problem.display().to_string(),
            dim: file.form.dim(),
            contacts: file.form.contacts(),
            solver: &self.solver,
            status: answer.status.name(),
            iterations: answer.iterations,
            residual: answer.measures.residual,
            residual_unitless: answer.measures.unitless,
            time_s,
            solved_by: answer.solver.name(),
            factorisations: answer.factorisations,
            worst_contact: (file.form.contacts() > 0).then_some(answer.measures.worst_contact),
        };
        if terminal.is_json() {
            terminal.answer_json(&report)?;
        } else {
            terminal.answer(&self.describe(&file, &answer, &report))?;
        }
        Ok(if answer.status == Status::Converged { Exit::Computed } else { Exit::NotConverged })
    }

    /// The initial guess of the file, if it is requested.
    fn start<'a>(&self, file: &'a ProblemFile) -> CommandResult<Option<&'a [f64]>> {
        match (&file.guess, self.guess) {
            (_, false) => Ok(None),
            (Some(guess), true) => Ok(Some(guess)),
            (None, true) => {
                Err(Failure::bad_input(format!("{}: the file has no initial guess", self.problem.display()))
                    .with_help("omit --guess to start from zero"))
            }
        }
    }

    /// The result as text.
    fn describe(&self, file: &ProblemFile, answer: &ProblemSolution, report: &Report<'_>) -> String {
        let form = match &file.form {
            ProblemForm::Local(_) => "local form",
            ProblemForm::Global(_) => "global form",
        };
        let mut text = match (file.about.title.trim(), file.about.step) {
            ("", _) => report.problem.clone(),
            (title, Some(step)) => format!("{title}, step {step}"),
            (title, None) => title.to_owned(),
        };
        text.push('\n');
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<18} {value}");
        };
        line("problem", format!("{} contacts, {}D, {form}", report.contacts, report.dim));
        let by = if report.solver == report.solved_by { String::new() } else { format!(" ({})", report.solver) };
        line("solver", format!("{}{by}", report.solved_by));
        let missed = if answer.status == Status::Converged { "" } else { ": NOT CONVERGED" };
        line("status", format!("{}{missed}", report.status));
        line("iterations", format!("{}, {} factorisations", report.iterations, report.factorisations));
        line("residual", format!("{:.2e} (definition of Siconos), tolerance {:e}", report.residual, self.tol));
        let worst = report.worst_contact.map_or(String::new(), |contact| format!(", worst at contact {contact}"));
        line("unit-free residual", format!("{:.2e}{worst}", report.residual_unitless));
        line("time", format!("{:.4} s", report.time_s));
        if let Some(path) = &self.reactions {
            line("reactions", path.display().to_string());
        }
        text
    }
}

/// One number per line, with all its digits.
fn write_reactions(path: &Path, impulses: &[f64]) -> CommandResult<()> {
    let mut text = String::with_capacity(24 * impulses.len());
    for value in impulses {
        let _ = writeln!(text, "{value:e}");
    }
    std::fs::write(path, text).map_err(|error| Failure::write(path, &error))
}

fn tolerance(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err("a tolerance is a number between 0 and 1, such as 1e-8".to_owned()),
    }
}

fn seconds(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= LONGEST_TIME => Ok(value),
        _ => Err(format!("a time limit is a number of seconds above 0, at most {LONGEST_TIME:e}")),
    }
}
