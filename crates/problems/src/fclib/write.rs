//! Writing FCLIB files.

use std::path::Path;

use voussoir_hdf5::whole::{Values, WholeFile};

use super::COMPLIANT;
use crate::error::ProblemError;
use crate::sparse::Sparse;
use crate::{ProblemFile, ProblemForm, local};

/// Writes a problem; the file is renamed when it is complete.
pub fn write(problem: &ProblemFile, path: &Path) -> Result<(), ProblemError> {
    let bytes = encode(problem)?;
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let written = std::fs::write(&fresh, bytes).and_then(|()| std::fs::rename(&fresh, path));
    written.map_err(|source| ProblemError::Write { path: path.to_owned(), source })
}

/// The bytes of a file.
pub fn encode(problem: &ProblemFile) -> Result<Vec<u8>, ProblemError> {
    let mut file = WholeFile::default();
    let group = match &problem.form {
        ProblemForm::Local(problem) => {
            file.dataset("fclib_local/spacedim", Values::Integers(&[problem.dim as i32]));
            matrix(&mut file, "fclib_local/W", &local::matrix(problem))?;
            file.dataset("fclib_local/vectors/q", Values::Floats(&problem.q));
            file.dataset("fclib_local/vectors/mu", Values::Floats(&problem.friction));
            "fclib_local"
        }
        ProblemForm::Global(problem) => {
            file.dataset("fclib_global/spacedim", Values::Integers(&[problem.dim as i32]));
            matrix(&mut file, "fclib_global/M", &problem.mass)?;
            matrix(&mut file, "fclib_global/H", &problem.h)?;
            file.dataset("fclib_global/vectors/f", Values::Floats(&problem.force));
            file.dataset("fclib_global/vectors/w", Values::Floats(&problem.bias));
            file.dataset("fclib_global/vectors/mu", Values::Floats(&problem.friction));
            if problem.compliant > 0 {
                file.attribute("fclib_global", COMPLIANT, Values::Integer(problem.compliant as i64));
            }
            "fclib_global"
        }
    };
    let (info, about) = (format!("{group}/info"), &problem.about);
    file.dataset(&format!("{info}/title"), Values::Text(&about.title));
    file.dataset(&format!("{info}/description"), Values::Text(&about.description));
    file.dataset(&format!("{info}/math_info"), Values::Text(""));
    if !about.title.is_empty() {
        file.attribute(&info, "title", Values::Text(&about.title));
    }
    if let Some(step) = about.step {
        file.attribute(&info, "step", Values::Integer(step as i64));
    }
    if let Some(time) = about.time {
        file.attribute(&info, "time", Values::Float(time));
    }
    if let Some(guess) = &problem.guess {
        write_guess(&mut file, &problem.form, guess);
    }
    Ok(file.encode())
}

/// A matrix by compressed columns.
fn matrix(file: &mut WholeFile, path: &str, matrix: &Sparse) -> Result<(), ProblemError> {
    let columns = matrix.transposed();
    let (first, row, value) = columns.parts();
    let short = |what: &str, n: usize| {
        i32::try_from(n).map_err(|_| ProblemError::TooLarge {
            what: format!("{path} has {n} {what}; FCLIB counts to {} only", i32::MAX),
        })
    };
    let entries = short("entries", value.len())?;
    let (m, n) = (short("rows", matrix.rows())?, short("columns", matrix.cols())?);
    // no larger than the counts, which have been checked
    let p: Vec<i32> = first.iter().map(|&k| k as i32).collect();
    let i: Vec<i32> = row.iter().map(|&k| k as i32).collect();
    for (name, values) in [("m", m), ("n", n), ("nzmax", entries), ("nz", -1)] {
        file.dataset(&format!("{path}/{name}"), Values::Integers(&[values]));
    }
    file.dataset(&format!("{path}/p"), Values::Integers(&p));
    file.dataset(&format!("{path}/i"), Values::Integers(&i));
    file.dataset(&format!("{path}/x"), Values::Floats(value));
    Ok(())
}

/// Impulses to start from, and the velocities that follow from them; readers of FCLIB want all of these.
fn write_guess(file: &mut WholeFile, form: &ProblemForm, r: &[f64]) {
    let relative = match form {
        ProblemForm::Local(problem) => problem.relative_velocity(r),
        ProblemForm::Global(problem) => {
            let Some(rigid) = problem.to_problem() else { return };
            let mut velocity = Vec::new();
            rigid.velocity(r, &mut velocity);
            // unknowns of compliance move with their own contact
            for unknown in velocity.len()..problem.force.len() {
                let pushed: f64 = problem.h.row(unknown).map(|(component, h)| h * r[component]).sum();
                velocity.push((pushed + problem.force[unknown]) / problem.mass.get(unknown, unknown));
            }
            let mut relative = problem.h.transposed().times(&velocity);
            relative.iter_mut().zip(&problem.bias).for_each(|(u, w)| *u += w);
            file.dataset("guesses/1/v", Values::Floats(&velocity));
            relative
        }
    };
    file.dataset("guesses/1/u", Values::Floats(&relative));
    file.dataset("guesses/1/r", Values::Floats(r));
    file.dataset("guesses/number_of_guesses", Values::Integers(&[1]));
}
