//! `voussoir validate`: run the validation cases and compare with published values.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;
use voussoir_run::validate::{Case, ValidateError, judge, library, models};

/// Arguments of `voussoir validate`.
#[derive(Debug, clap::Args)]
pub struct ValidateArguments {
    /// Cases: ids (E5), groups (V1, E) or files [default: all built-in cases]; cases with external models need the data
    /// folder in the environment variable VOUSSOIR_DATA
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,
    /// Print the results as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
    /// List the cases without running them
    #[arg(long, conflicts_with = "json")]
    pub list: bool,
    /// Write the scenes of the cases into this folder without running them
    #[arg(long, value_name = "DIR", conflicts_with_all = ["json", "list"])]
    pub scenes: Option<PathBuf>,
}

impl From<ValidateError> for Failure {
    fn from(error: ValidateError) -> Self {
        let help = match error {
            ValidateError::UnknownCase { .. } => Some("`voussoir validate --list` lists the cases".into()),
            _ => None,
        };
        Self { help, ..Self::bad_input(error.to_string()) }
    }
}

impl ValidateArguments {
    /// Runs the cases and compares.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let cases = library::select(&self.cases)?;
        if self.list {
            terminal.answer(&list(&cases))?;
            return Ok(Exit::Computed);
        }
        let data = std::env::var_os("VOUSSOIR_DATA").map(PathBuf::from);
        let ready = models::fetch(cases, data.as_deref())?;
        ready.left_out.iter().for_each(|why| terminal.note(why));
        let cases = &ready.cases;
        if let Some(folder) = &self.scenes {
            return write_scenes(cases, folder, terminal);
        }
        let bar = terminal.bars().add(ProgressBar::new(judge::count_runs(cases)? as u64));
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {elapsed}") {
            bar.set_style(style);
        }
        let report = judge::validate(cases, &|| bar.inc(1))?;
        bar.finish_and_clear();
        if self.json {
            terminal.answer_json(&report)?;
        } else {
            terminal.answer(&report.table())?;
        }
        for row in report.cases.iter().filter(|row| row.note.is_some()) {
            terminal.detail(&format!("{} {}: {}", row.id, row.title, row.note.as_deref().unwrap_or_default()));
        }
        Ok(if report.failed == 0 { Exit::Computed } else { Exit::NotConverged })
    }
}

/// Ids, titles and sources.
fn list(cases: &[Case]) -> String {
    let width = |of: fn(&Case) -> &str| cases.iter().map(|case| of(case).chars().count()).max().unwrap_or(0);
    let (ids, titles) = (width(|case| &case.id), width(|case| &case.title));
    let mut out = String::new();
    for case in cases {
        let _ = writeln!(out, "{:ids$}  {:titles$}  {}", case.id, case.title, case.source);
    }
    out
}

/// Writes one scene per run, for `voussoir run`, and the geometry files of the scenes.
fn write_scenes(cases: &[Case], folder: &Path, terminal: &Terminal) -> CommandResult<Exit> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    let mut count = 0;
    for case in cases {
        if case.model.is_some() {
            copy_files(&case.place, folder).map_err(|error| Failure::write(folder, &error))?;
        }
        for (i, variant) in case.variants()?.iter().enumerate() {
            let path = folder.join(format!("{}-{}.toml", case.id, i + 1));
            let label = if variant.label.is_empty() { String::new() } else { format!(" ({})", variant.label) };
            let text = format!("# {}: {}{label}\n# {}\n{}", case.id, case.title, case.source, variant.scene);
            std::fs::write(&path, text).map_err(|error| Failure::write(&path, &error))?;
            count += 1;
        }
    }
    terminal.note(&format!("{count} scenes written to {}", folder.display()));
    Ok(Exit::Computed)
}

/// Copies the files of a folder into another.
fn copy_files(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        std::fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
