//! Contact problems of a run, kept for others: `problems/step_000010.hdf5` and so on, as FCLIB reads them.

use std::fs;
use std::path::{Path, PathBuf};

use voussoir_problems::{About, Form, GlobalProblem, ProblemError, ProblemFile, fclib};

use crate::runner::StepProblem;

/// Folder of the problems, in the results folder.
pub const PROBLEMS: &str = "problems";

/// Keeps the problem of every N-th step.
#[derive(Clone, Debug)]
pub struct Dump {
    every: u64,
    folder: PathBuf,
    title: String,
}

impl Dump {
    /// Into a results folder; `title` is that of the scene.
    pub fn new(every: u64, dir: &Path, title: &str) -> Self {
        Self { every: every.max(1), folder: dir.join(PROBLEMS), title: title.to_owned() }
    }

    /// True when the problem of a step is kept.
    pub fn wants(&self, step: u64) -> bool {
        step.is_multiple_of(self.every)
    }

    /// Writes one problem.
    pub fn keep(&self, step: StepProblem<'_>) -> Result<(), ProblemError> {
        let law = if step.problem.is_associated() {
            "The scene asks for associated friction; this file, like all of its kind, means Coulomb's law."
        } else {
            "Coulomb's law."
        };
        let description = format!(
            "Step {} of a simulation by Voussoir {}, which starts at t = {} s. Rigid bodies: {} unknowns each. {law} \
             The guess is what the solver starts from.",
            step.step,
            env!("CARGO_PKG_VERSION"),
            step.time,
            step.problem.dofs(),
        );
        let mut file = ProblemFile::new(Form::Global(GlobalProblem::from_problem(step.problem)?));
        file.about = About { title: self.title.clone(), description, step: Some(step.step), time: Some(step.time) };
        file.guess = Some(step.warm.to_vec());
        fs::create_dir_all(&self.folder).map_err(|source| ProblemError::Write { path: self.folder.clone(), source })?;
        fclib::write(&file, &self.folder.join(format!("step_{:06}.hdf5", step.step)))
    }
}

/// Removes the problems that an earlier run left in a results folder; what is not ours stays.
pub fn remove_old(dir: &Path) {
    let folder = dir.join(PROBLEMS);
    let Ok(entries) = fs::read_dir(&folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("step_") && name.ends_with(".hdf5") {
            let _ = fs::remove_file(entry.path());
        }
    }
    // goes only when it is empty
    let _ = fs::remove_dir(&folder);
}
