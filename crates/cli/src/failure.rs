//! Errors as the user sees them: message, line of the scene, advice, exit code.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use serde::Serialize;
use voussoir_mechanics::MechanicsError;
use voussoir_model::further::further_mistakes;
use voussoir_model::{SceneError, TemplateError};
use voussoir_problems::ProblemError;
use voussoir_results::ResultsError;
use voussoir_run::RunError;

use crate::exit::Exit;

/// An error that is reported to the user.
#[derive(Debug)]
pub struct Failure {
    /// Exit code.
    pub exit: Exit,
    /// Description of the error.
    pub message: String,
    /// Advice: what would be right.
    pub help: Option<String>,
    /// Location of the error in a scene.
    pub place: Option<Box<ScenePlace>>,
    /// Further mistakes in the same scene.
    pub related: Vec<Failure>,
}

/// A location in the text of a scene.
#[derive(Debug)]
pub struct ScenePlace {
    file: String,
    line: usize,
    column: usize,
    /// Range of bytes that is marked, on one line.
    span: (usize, usize),
    /// The text, unless its line is too long to be shown.
    source: Option<NamedSource<Arc<str>>>,
}

/// Longer lines are not shown [bytes]: they are unreadable, and miette cannot mark columns beyond 65535.
const LONGEST_LINE: usize = 2000;

/// Result of a command, with the error that the user sees.
pub type CommandResult<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// Invalid input.
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self { exit: Exit::BadInput, message: message.into(), help: None, place: None, related: Vec::new() }
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A file that cannot be read.
    pub fn read(path: &Path, error: &std::io::Error) -> Self {
        Self::bad_input(format!("cannot read {}: {error}", path.display()))
    }

    /// A file that cannot be written.
    pub fn write(path: &Path, error: &std::io::Error) -> Self {
        Self::bad_input(format!("cannot write {}: {error}", path.display()))
    }

    /// A results folder that cannot be created or opened.
    pub fn results(error: ResultsError) -> Self {
        let mut failure = Self { exit: results_exit(&error), ..Self::bad_input(error.to_string()) };
        failure.help = match error {
            ResultsError::AlreadyThere { .. } => {
                Some("give another folder with -o, or --force to replace these results".into())
            }
            ResultsError::InUse { .. } => Some("wait until the other run ends, or give another folder with -o".into()),
            ResultsError::NotADirectory { .. } => Some("give a folder with -o".into()),
            ResultsError::Write { .. } => {
                Some("check free space and write permission, or give another folder with -o".into())
            }
            ResultsError::Damaged { .. } => Some(
                "frames that are not damaged can be exported with `voussoir export DIR --to FORMAT --time A..B`; the scene \
                 in the folder can be run again into another folder"
                    .into(),
            ),
            _ => None,
        };
        failure
    }

    /// The JSON object that `--json` prints instead of an answer.
    pub fn to_json(&self) -> serde_json::Value {
        #[derive(Serialize)]
        struct Error<'a> {
            message: &'a str,
            help: Option<&'a str>,
            file: Option<&'a str>,
            line: Option<usize>,
            column: Option<usize>,
            exit_code: u8,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            further: Vec<&'a str>,
        }
        let place = self.place.as_deref();
        serde_json::json!({ "error": Error {
            message: &self.message,
            help: self.help.as_deref(),
            file: place.map(|p| p.file.as_str()),
            line: place.map(|p| p.line),
            column: place.map(|p| p.column),
            exit_code: self.exit as u8,
            further: self.related.iter().map(|other| other.message.as_str()).collect(),
        }})
    }
}

/// Exit code of an error of a results folder: a folder that cannot be used is invalid input.
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

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        if self.related.is_empty() {
            return None;
        }
        Some(Box::new(self.related.iter().map(|other| other as &dyn Diagnostic)))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref()?.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let place = self.place.as_ref().filter(|place| place.source.is_some())?;
        let (start, end) = place.span;
        let label = LabeledSpan::new_primary_with_span(Some("here".into()), start..end);
        Some(Box::new(std::iter::once(label)))
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        let related = further(&error);
        let place = (error.line > 0).then(|| {
            // of a whole table the first line is marked
            let marked = error.text.get(error.span.clone()).unwrap_or_default();
            let first = marked.lines().next().unwrap_or_default().trim_end().len();
            let line = error.text.lines().nth(error.line - 1).unwrap_or_default();
            let shown = line.len() <= LONGEST_LINE;
            Box::new(ScenePlace {
                source: shown.then(|| NamedSource::new(&error.file, error.text.clone())),
                span: (error.span.start, error.span.start + first),
                line: error.line,
                column: error.column,
                file: error.file.clone(),
            })
        });
        let message = match &place {
            None if !error.file.is_empty() => format!("{}: {}", error.file, error.message),
            Some(place) if place.source.is_none() => {
                format!("{}, line {}, column {}: {}", error.file, error.line, error.column, error.message)
            }
            _ => error.message,
        };
        Self { exit: Exit::BadInput, message, help: error.help, place, related }
    }
}

/// Mistakes of a scene beyond the first one, by line.
fn further(error: &SceneError) -> Vec<Failure> {
    let base = Path::new(&error.file).parent().unwrap_or(Path::new(""));
    let words = |other: SceneError| {
        let message = format!("{}, line {}: {}", other.file, other.line, other.message);
        Failure { help: other.help, ..Failure::bad_input(message) }
    };
    further_mistakes(error, base).into_iter().map(words).collect()
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
            // a failed write during a run is a system error, not invalid input
            RunError::Recording(ResultsError::Write { .. }) | RunError::Problem(ProblemError::Write { .. }) => Self {
                exit: Exit::Failed,
                help: Some(
                    "results written so far can be read; free disk space, then continue with `voussoir resume`".into(),
                ),
                ..Self::bad_input(message)
            },
            RunError::Recording(error) => Self::results(error),
            RunError::Problem(error) => error.into(),
            RunError::Mechanics(MechanicsError::NotFinite { .. }) => Self {
                exit: Exit::NotConverged,
                help: Some("try a smaller time step; results written so far can be read".into()),
                ..Self::bad_input(message)
            },
            RunError::Internal(_) => Self { exit: Exit::Failed, ..Self::bad_input(message) },
            _ => Self::bad_input(message),
        }
    }
}
