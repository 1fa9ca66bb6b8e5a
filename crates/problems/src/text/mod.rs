//! Text files of Siconos.
//!
//! ```text
//! local:   dim  contacts  W  q…  μ…
//! global:  dim  contacts  M  H  f…  w…  μ…
//! ```
//! A file does not state which of the two forms it has: a local problem has only q and μ after its first matrix. Some
//! files that were written by hand end with one number too many.

mod matrix;
mod tokens;

use crate::error::{ProblemError, check_dimension};
use crate::global::GlobalProblem;
use crate::local::assemble;
use crate::{ProblemFile, ProblemForm};
use tokens::Tokens;

/// Number of excess numbers at the end that are accepted.
const MOST_STRAY: usize = 1;

/// Reads a text file.
pub fn read(bytes: &[u8]) -> Result<ProblemFile, ProblemError> {
    let mut tokens = Tokens::new(bytes);
    let dim = check_dimension(tokens.integer("the dimension (first number)")? as i64)?;
    let contacts = tokens.integer("the number of contacts (second number)")?;
    let n = contacts.checked_mul(dim).filter(|&n| n <= bytes.len()).ok_or_else(|| {
        tokens.error(format!("{contacts} contacts are more than a file of {} bytes can hold", bytes.len()))
    })?;
    let first = matrix::read(&mut tokens, "the first matrix (W or M)")?;
    if first.rows() != first.cols() {
        let size = format!("{} × {}", first.rows(), first.cols());
        return Err(tokens.error(format!("the first matrix (W or M) is {size}; it must be square")));
    }
    let form = if first.rows() == n && tokens.at_most(n + contacts + MOST_STRAY) {
        let (q, friction) = (tokens.floats(n, "q")?, tokens.floats(contacts, "mu")?);
        ProblemForm::Local(assemble(dim, &first, q, friction)?)
    } else {
        let h = matrix::read(&mut tokens, "the second matrix (H)").map_err(|error| match error {
            ProblemError::Text { line, reason } => ProblemError::Text {
                line,
                reason: format!(
                    "{reason} (read as a global problem, since more than q and mu of {contacts} contacts follow a \
                     first matrix of {0} × {0}; a local problem has a first matrix of {n} × {n} and {1} numbers after \
                     it)",
                    first.rows(),
                    n + contacts
                ),
            },
            other => other,
        })?;
        let problem = GlobalProblem {
            dim,
            force: tokens.floats(first.rows(), "f")?,
            bias: tokens.floats(n, "w")?,
            friction: tokens.floats(contacts, "mu")?,
            mass: first,
            h,
            compliant: 0,
        };
        problem.check()?;
        ProblemForm::Global(problem)
    };
    if !tokens.at_most(MOST_STRAY) {
        return Err(tokens.error("more numbers after the end of the problem (rolling friction is not supported)"));
    }
    Ok(ProblemFile::new(form).with_both_triangles())
}
