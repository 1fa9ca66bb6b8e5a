//! Errors of studies.

use std::path::{Path, PathBuf};

/// Errors of this crate. A sample that fails is not an error: it is a row of the table with its reason.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnsembleError {
    /// A distribution with invalid parameters.
    #[error("{distribution}: {reason}")]
    Distribution {
        /// The distribution, as written.
        distribution: String,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// Samples that determine no curve.
    #[error("no fragility curve: {0}")]
    NoCurve(String),
    /// Numbers that a formula does not accept.
    #[error("{0}")]
    Input(String),
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Results of this crate.
pub type EnsembleResult<T, E = EnsembleError> = std::result::Result<T, E>;

impl EnsembleError {
    /// Numbers that a formula does not accept.
    pub fn input(message: impl Into<String>) -> Self {
        Self::Input(message.into())
    }

    /// JSON that another program wrote: the place in it tells a reader nothing.
    pub fn json(error: serde_json::Error) -> Self {
        let text = error.to_string();
        Self::input(text.split(" at line ").next().unwrap_or(&text))
    }

    /// A file that cannot be read or written.
    pub fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), source }
    }
}
