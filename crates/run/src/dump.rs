//! Dump of contact problems: `problems/step_000010.hdf5` and so on, in FCLIB format.

use std::fs;
use std::path::{Path, PathBuf};

use voussoir_contact::Problem;
use voussoir_mechanics::analysis::Analysis;
use voussoir_problems::{About, GlobalProblem, ProblemError, ProblemFile, ProblemForm, fclib};

use crate::error::Result;
use crate::observe::Observer;

/// Folder of the problems, in the results folder.
pub const PROBLEMS: &str = "problems";

/// Writes the contact problem of every N-th step that has contacts, before it is solved.
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

    fn write(&self, step: u64, time: f64, problem: &Problem, warm: &[f64]) -> std::result::Result<(), ProblemError> {
        let law = if problem.is_associated() {
            "The scene uses associated friction, but the file format means Coulomb friction."
        } else {
            "Coulomb's law."
        };
        let mut bodies = format!("Rigid bodies: {} unknowns each.", problem.dofs());
        if problem.has_mass_blocks() {
            bodies += " After them the elastic blocks: the velocities of their contact coordinates, with a dense block of M for each.";
        }
        let description = format!(
            "Step {step} of a simulation by Voussoir {}, which starts at t = {time} s. {bodies} {law} The guess is the warm \
             start of the solver.",
            env!("CARGO_PKG_VERSION"),
        );
        let mut file = ProblemFile::new(ProblemForm::Global(GlobalProblem::from_problem(problem)?));
        file.about = About { title: self.title.clone(), description, step: Some(step), time: Some(time) };
        file.guess = Some(warm.to_vec());
        fs::create_dir_all(&self.folder).map_err(|source| ProblemError::Write { path: self.folder.clone(), source })?;
        fclib::write(&file, &self.folder.join(format!("step_{step:06}.hdf5")))
    }
}

impl Observer for Dump {
    fn before_step(&mut self, analysis: &mut dyn Analysis) -> Result<()> {
        let (step, time) = {
            let state = analysis.save();
            (state.steps() + 1, state.time())
        };
        if step.is_multiple_of(self.every)
            && let Some((problem, warm)) = analysis.next_problem()
            && problem.contacts() > 0
        {
            self.write(step, time, &problem, &warm)?;
        }
        Ok(())
    }
}

/// Removes the problem files of an earlier run from a results folder; other files stay.
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
