//! Errors of reading, running and studying scenes.

use std::path::{Path, PathBuf};

use voussoir_mechanics::MechanicsError;
use voussoir_model::SceneError;
use voussoir_problems::ProblemError;
use voussoir_results::ResultsError;
use voussoir_statics::StaticsError;

/// Errors of this crate. A step that misses its tolerance is not an error; the summary reports it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The scene is invalid; the error names the line.
    #[error(transparent)]
    Scene(Box<SceneError>),
    /// A question, value or folder that cannot be used.
    #[error("{message}")]
    Input {
        /// Description of the error.
        message: String,
        /// Advice: what would be right.
        help: Option<String>,
    },
    /// A file that cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
        /// Advice: what would be right.
        help: Option<&'static str>,
    },
    /// A file that cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A results folder that cannot be created or opened.
    #[error(transparent)]
    Folder(ResultsError),
    /// Recording failed while the run was going on.
    #[error(transparent)]
    Recording(ResultsError),
    /// The model or a step.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
    /// A contact problem that was to be written.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// A question of statics.
    #[error(transparent)]
    Statics(#[from] StaticsError),
    /// An error of the program itself.
    #[error("{0}")]
    Internal(String),
}

/// Results of this crate.
pub type Result<T, E = RunError> = std::result::Result<T, E>;

impl RunError {
    /// A question, value or folder that cannot be used.
    pub fn input(message: impl Into<String>) -> Self {
        Self::Input { message: message.into(), help: None }
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(self, text: impl Into<String>) -> Self {
        match self {
            Self::Input { message, .. } => Self::Input { message, help: Some(text.into()) },
            other => other,
        }
    }

    /// A file that cannot be read.
    pub fn read(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Read { path: path.to_owned(), source, help: None }
    }

    /// A file that cannot be written.
    pub fn write(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Write { path: path.to_owned(), source }
    }
}

impl From<SceneError> for RunError {
    fn from(error: SceneError) -> Self {
        Self::Scene(Box::new(error))
    }
}
