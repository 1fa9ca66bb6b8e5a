//! What went wrong, as a user sees it: the reason, the line of the scene, what would be right, and the exit code.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use serde::Serialize;
use voussoir_mechanics::MechanicsError;
use voussoir_model::{SceneError, TemplateError};
use voussoir_problems::ProblemError;
use voussoir_results::ResultsError;
use voussoir_run::RunError;

use crate::exit::Exit;

/// An error on its way to the user.
#[derive(Debug)]
pub struct Failure {
    /// Exit code.
    pub exit: Exit,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// Where in a scene it is wrong.
    pub place: Option<Box<ScenePlace>>,
}

/// A place in the text of a scene.
#[derive(Debug)]
pub struct ScenePlace {
    file: String,
    line: usize,
    column: usize,
    /// Bytes from the first to the last that is shown, on one line.
    span: (usize, usize),
    source: NamedSource<Arc<str>>,
}

/// Commands give this when they cannot do what they were asked.
pub type CommandResult<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// Wrong input.
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self { exit: Exit::BadInput, message: message.into(), help: None, place: None }
    }

    /// Adds what would be right.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A file that a command was asked to read.
    pub fn read(path: &Path, error: &std::io::Error) -> Self {
        Self::bad_input(format!("cannot read {}: {error}", path.display()))
    }

    /// A file that a command was asked to write.
    pub fn write(path: &Path, error: &std::io::Error) -> Self {
        Self::bad_input(format!("cannot write {}: {error}", path.display()))
    }

    /// Trouble with a results folder that a command was asked to make or to open.
    pub fn results(error: ResultsError) -> Self {
        let mut failure = Self { exit: results_exit(&error), ..Self::bad_input(error.to_string()) };
        failure.help = match error {
            ResultsError::AlreadyThere { .. } => {
                Some("give another folder with -o, or --force to replace these results".into())
            }
            ResultsError::InUse { .. } => Some("wait for it to end, or give another folder with -o".into()),
            ResultsError::NotADirectory { .. } => Some("give a folder with -o".into()),
            ResultsError::Write { .. } => {
                Some("is there space, and may you write there? -o names another folder".into())
            }
            _ => None,
        };
        failure
    }

    /// For programs: the object that `--json` prints instead of an answer.
    pub fn to_json(&self) -> serde_json::Value {
        #[derive(Serialize)]
        struct Error<'a> {
            message: &'a str,
            help: Option<&'a str>,
            file: Option<&'a str>,
            line: Option<usize>,
            column: Option<usize>,
            exit_code: u8,
        }
        let place = self.place.as_deref();
        serde_json::json!({ "error": Error {
            message: &self.message,
            help: self.help.as_deref(),
            file: place.map(|p| p.file.as_str()),
            line: place.map(|p| p.line),
            column: place.map(|p| p.column),
            exit_code: self.exit as u8,
        }})
    }
}

/// Folders that cannot be used are wrong input.
fn results_exit(error: &ResultsError) -> Exit {
    match error {
        ResultsError::Stopped { .. } | ResultsError::Mismatch { .. } | ResultsError::BadSurface { .. } => Exit::Failed,
        _ => Exit::BadInput,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl Diagnostic for Failure {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref().map(|place| &place.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let place = self.place.as_ref()?;
        let (start, end) = place.span;
        let label = LabeledSpan::new_primary_with_span(Some("here".into()), start..end);
        Some(Box::new(std::iter::once(label)))
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        let place = (error.line > 0).then(|| {
            // a whole table is shown by its first line
            let marked = error.text.get(error.span.clone()).unwrap_or_default();
            let first = marked.lines().next().unwrap_or_default().trim_end().len();
            Box::new(ScenePlace {
                source: NamedSource::new(&error.file, error.text.clone()),
                span: (error.span.start, error.span.start + first),
                line: error.line,
                column: error.column,
                file: error.file.clone(),
            })
        });
        let message = match &place {
            None if !error.file.is_empty() => format!("{}: {}", error.file, error.message),
            _ => error.message,
        };
        Self { exit: Exit::BadInput, message, help: error.help, place }
    }
}

impl From<TemplateError> for Failure {
    fn from(error: TemplateError) -> Self {
        Self::bad_input(error.to_string()).with_help("`voussoir new` lists the templates and their parameters")
    }
}

impl From<ProblemError> for Failure {
    fn from(error: ProblemError) -> Self {
        Self::bad_input(error.to_string())
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let message = error.to_string();
        match error {
            RunError::Scene(error) => Self::from(*error),
            RunError::Input { help, .. } => Self { help, ..Self::bad_input(message) },
            RunError::Read { help, .. } => Self { help: help.map(str::to_owned), ..Self::bad_input(message) },
            RunError::Folder(error) => Self::results(error),
            // while running, a write that fails is no mistake of the user
            RunError::Recording(ResultsError::Write { .. }) | RunError::Problem(ProblemError::Write { .. }) => Self {
                exit: Exit::Failed,
                help: Some("results written before can be read; free some space, then `voussoir resume`".into()),
                ..Self::bad_input(message)
            },
            RunError::Recording(error) => Self::results(error),
            RunError::Problem(error) => error.into(),
            RunError::Mechanics(MechanicsError::NotFinite { .. }) => Self {
                exit: Exit::NotConverged,
                help: Some("a smaller step may help; results written before can be read".into()),
                ..Self::bad_input(message)
            },
            RunError::Internal(_) => Self { exit: Exit::Failed, ..Self::bad_input(message) },
            _ => Self::bad_input(message),
        }
    }
}
