//! Errors of a problem file.

use std::io;
use std::path::{Path, PathBuf};

use voussoir_hdf5::read::ReadFault;

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// The system rejects a read.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system rejects a write.
    #[error("{}: cannot write: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another error, with the file it is in.
    #[error("{}: {error}", path.display())]
    In {
        /// The file.
        path: PathBuf,
        /// Description of the error.
        error: Box<ProblemError>,
    },
    /// A text file has an unexpected word.
    #[error("line {line}: {reason}")]
    Text {
        /// From 1.
        line: usize,
        /// Description of the error, with advice.
        reason: String,
    },
    /// An HDF5 file cannot be read.
    #[error(transparent)]
    Hdf5(#[from] ReadFault),
    /// Parts of a problem are inconsistent.
    #[error("{what}")]
    Inconsistent {
        /// The parts, and the consistent sizes.
        what: String,
    },
    /// An invalid value.
    #[error("{what}[{index}] is {value}; {rule}")]
    BadValue {
        /// The list.
        what: &'static str,
        /// Index in the list, from 0.
        index: usize,
        /// The text found.
        value: f64,
        /// Advice: what would be right.
        rule: &'static str,
    },
    /// A kind of problem that is not supported.
    #[error("{what}")]
    Unsupported {
        /// The kind.
        what: String,
    },
    /// The solver does not support the problem.
    #[error(transparent)]
    Solver(#[from] voussoir_contact::Unsupported),
    /// M cannot be inverted.
    #[error("the mass matrix M is singular, so the local form does not exist")]
    SingularMass,
    /// An item that is too large for the memory or for the file format.
    #[error("{what}")]
    TooLarge {
        /// The item that is too large, and the limit.
        what: String,
    },
}

impl ProblemError {
    /// Adds the name of the file.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Self {
        match self {
            named @ (Self::Read { .. } | Self::Write { .. } | Self::In { .. }) => named,
            error => Self::In { path: path.to_owned(), error: Box::new(error) },
        }
    }
}

/// Every value is a finite number.
pub(crate) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), ProblemError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(ProblemError::BadValue { what, index, value: values[index], rule: "it must be finite" }),
        None => Ok(()),
    }
}

/// Coefficients of friction are finite and not negative.
pub(crate) fn check_friction(values: &[f64]) -> Result<(), ProblemError> {
    check_finite("mu", values)?;
    match values.iter().position(|&value| value < 0.0) {
        Some(index) => {
            Err(ProblemError::BadValue { what: "mu", index, value: values[index], rule: "it must not be negative" })
        }
        None => Ok(()),
    }
}

/// A list has the required length.
pub(crate) fn check_length(what: &str, found: usize, expected: usize, because: &str) -> Result<(), ProblemError> {
    if found == expected {
        return Ok(());
    }
    Err(ProblemError::Inconsistent { what: format!("{what} has {found} values; {because} there must be {expected}") })
}

/// Contacts have 2 or 3 components.
pub(crate) fn check_dimension(dim: i64) -> Result<usize, ProblemError> {
    match dim {
        2 => Ok(2),
        3 => Ok(3),
        5 => Err(ProblemError::Unsupported {
            what: "problems with rolling friction (dimension 5) are not supported".to_owned(),
        }),
        other => Err(ProblemError::Inconsistent { what: format!("the dimension is {other}; it must be 2 or 3") }),
    }
}
