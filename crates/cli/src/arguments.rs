//! What a user may type.

use clap::{Parser, Subcommand};

use crate::commands::{
    check, completions, demo, export, import, limit, materials, new, pushover, report, resume, run, schema, solve,
    stand, validate, view,
};
use crate::terminal::Loudness;

/// Equilibrium, motion and collapse of structures held together by contact and friction.
#[derive(Debug, Parser)]
#[command(
    name = "voussoir",
    version,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 computed, 1 the machine failed, 2 bad input, 3 not converged, 4 interrupted."
)]
pub struct Arguments {
    /// Options of every command.
    #[command(flatten)]
    pub general: General,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "General options")]
pub struct General {
    /// Threads to compute with; results do not depend on it [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Errors only: no warnings, no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// More details on stderr
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

impl General {
    /// How much is said.
    pub fn loudness(&self) -> Loudness {
        match (self.quiet, self.verbose) {
            (true, _) => Loudness::Quiet,
            (_, true) => Loudness::Verbose,
            _ => Loudness::Normal,
        }
    }
}

/// The commands, one file each.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Shows what this is: a wall with an arch on shaking ground, from nothing to pictures of its collapse
    Demo(demo::DemoArguments),
    /// Writes a scene from a template; without a template, lists them
    New(new::NewArguments),
    /// Reads, builds and describes a scene without running it
    Check(check::CheckArguments),
    /// Makes a scene from a model of another program
    Import(import::ImportArguments),
    /// Runs all stages of a scene
    Run(run::RunArguments),
    /// Goes on with a run that was stopped, from its last checkpoint
    Resume(resume::ResumeArguments),
    /// Stands or not, by what margin, or how it falls; thrust lines and joints
    Stand(stand::StandArguments),
    /// The largest multiplier of a load and the mechanism of the collapse
    Limit(limit::LimitArguments),
    /// Load–displacement curve to collapse; settlement of a support
    Pushover(pushover::PushoverArguments),
    /// Solves one frictional contact problem file
    Solve(solve::SolveArguments),
    /// Writes pictures, models and tables from a results folder
    Export(export::ExportArguments),
    /// Writes the report of a results folder
    Report(report::ReportArguments),
    /// Shows a run, or two side by side, on a page in the browser
    View(view::ViewArguments),
    /// Reproduces every number we claim and prints the table
    Validate(validate::ValidateArguments),
    /// Lists the stones and mortars of the library, with their sources
    Materials(materials::MaterialsArguments),
    /// Prints the JSON Schema of scenes
    Schema(schema::SchemaArguments),
    /// Prints the completions of a shell
    Completions(completions::CompletionsArguments),
}

impl Command {
    /// True when the answer is one JSON object.
    pub fn is_json(&self) -> bool {
        match self {
            Self::Check(command) => command.json,
            Self::Import(command) => command.json,
            Self::Run(command) => command.json,
            Self::Resume(command) => command.json,
            Self::Stand(command) => command.json,
            Self::Limit(command) => command.json,
            Self::Pushover(command) => command.json,
            Self::Solve(command) => command.json,
            Self::Export(command) => command.json,
            Self::Validate(command) => command.json,
            Self::Materials(command) => command.json,
            Self::Demo(_) | Self::New(_) | Self::Report(_) | Self::View(_) | Self::Schema(_) | Self::Completions(_) => {
                false
            }
        }
    }
}
