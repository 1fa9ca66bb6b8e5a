//! Arguments of the command line.

use clap::{Parser, Subcommand};

use crate::commands::{
    assess, calibrate, check, compare, completions, demo, export, fill, import, limit, materials, modes, new, pushover,
    report, resume, run, sample, schema, solve, stand, sweep, validate, view,
};
use crate::terminal::Loudness;

/// Equilibrium, motion and collapse of structures held together by contact and friction.
#[derive(Debug, Parser)]
#[command(
    name = "voussoir",
    version,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 computed, 1 system or internal error (for example disk full), 2 invalid input, 3 not \
                  converged, \
                  4 interrupted."
)]
pub struct Arguments {
    /// Options of every command.
    #[command(flatten)]
    pub general: General,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "General options")]
pub struct General {
    /// Number of threads; results do not depend on it [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print errors only: no warnings, no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print more details on stderr
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

impl General {
    /// Amount of output besides the answer.
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
    /// Run the demonstration: an arcade of rigid blocks on a shaking ground, with pictures of its collapse
    Demo(demo::DemoArguments),
    /// Write a scene from a template; without a template, list the templates
    New(new::NewArguments),
    /// Check and describe a scene without running it
    Check(check::CheckArguments),
    /// Import a model of another program as a scene
    Import(import::ImportArguments),
    /// Run all stages of a scene
    Run(run::RunArguments),
    /// Resume an interrupted run from its last checkpoint
    Resume(resume::ResumeArguments),
    /// Decide whether a structure stands: safety margin or collapse mechanism, thrust lines, joint forces
    Stand(stand::StandArguments),
    /// Find the collapse multiplier of a load and the collapse mechanism
    Limit(limit::LimitArguments),
    /// Assess a scene: verdict, collapse factors of all actions, least thickness, governing joints
    Assess(assess::AssessArguments),
    /// Compute the collapse load by explicit, dynamic and limit analysis
    Compare(compare::CompareArguments),
    /// Pack the fills of a scene and write their discs into a scene
    Fill(fill::FillArguments),
    /// Compute vibration modes on the springs of the joints
    Modes(modes::ModesArguments),
    /// Run a test on a sample of grains: moduli or angle, with their scatter over packings
    Sample(sample::SampleArguments),
    /// Find the springs with which a sample of grains has a required modulus
    Calibrate(calibrate::CalibrateArguments),
    /// Compute a load–displacement curve up to collapse, or the settlement capacity of a support
    Pushover(pushover::PushoverArguments),
    /// Compute a study: many samples of a scene, fragility, sensitivity, reliability
    Sweep(sweep::SweepArguments),
    /// Solve a frictional contact problem from a file
    Solve(solve::SolveArguments),
    /// Export pictures, 3D models and tables from a results folder
    Export(export::ExportArguments),
    /// Write the report of a results folder
    Report(report::ReportArguments),
    /// Show a run, or two runs side by side, in the browser
    View(view::ViewArguments),
    /// Run the validation cases and compare with published values
    Validate(validate::ValidateArguments),
    /// List the stones and mortars of the material library, with their sources
    Materials(materials::MaterialsArguments),
    /// Print the JSON Schema of scenes
    Schema(schema::SchemaArguments),
    /// Print a shell completion script
    Completions(completions::CompletionsArguments),
}

impl Command {
    /// True if the answer is one JSON object.
    pub fn is_json(&self) -> bool {
        match self {
            Self::Check(command) => command.json,
            Self::Import(command) => command.json,
            Self::Run(command) => command.json,
            Self::Resume(command) => command.json,
            Self::Stand(command) => command.json,
            Self::Limit(command) => command.json,
            Self::Assess(command) => command.json,
            Self::Compare(command) => command.json,
            Self::Fill(command) => command.json,
            Self::Modes(command) => command.json,
            Self::Sample(command) => command.json,
            Self::Calibrate(command) => command.json,
            Self::Pushover(command) => command.json,
            Self::Sweep(command) => command.json,
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
