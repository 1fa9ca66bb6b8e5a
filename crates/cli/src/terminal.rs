//! Output of a command: answers on stdout, everything else on stderr.

use std::io::{self, IsTerminal, Write};

use indicatif::{MultiProgress, ProgressDrawTarget};
use serde::Serialize;

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};

/// Amount of output besides the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loudness {
    /// Errors only.
    Quiet,
    /// Warnings and progress.
    #[default]
    Normal,
    /// Details as well.
    Verbose,
}

/// Output of a command.
#[derive(Debug)]
pub struct Terminal {
    loudness: Loudness,
    /// True if answers are one JSON object.
    json: bool,
    bars: MultiProgress,
}

impl Terminal {
    /// Progress bars are shown if stderr is a terminal.
    pub fn new(loudness: Loudness, json: bool) -> Self {
        let shown = loudness > Loudness::Quiet && io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        Self { loudness, json, bars: MultiProgress::with_draw_target(target) }
    }

    /// True if answers are one JSON object.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Bars that share the terminal with messages.
    pub fn bars(&self) -> &MultiProgress {
        &self.bars
    }

    /// Prints an answer on stdout; a closed pipe is no error.
    pub fn answer(&self, text: &str) -> CommandResult<()> {
        let mut out = io::stdout().lock();
        let ended = if text.ends_with('\n') { "" } else { "\n" };
        match write!(out, "{text}{ended}").and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::bad_input(format!("cannot write the answer: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Prints an answer as one JSON object on stdout.
    pub fn answer_json(&self, answer: &impl Serialize) -> CommandResult<()> {
        let text = serde_json::to_string(answer)
            .map_err(|error| Failure { exit: Exit::Failed, ..Failure::bad_input(error.to_string()) })?;
        self.answer(&text)
    }

    /// Prints a warning.
    pub fn warning(&self, text: &str) {
        if self.loudness >= Loudness::Normal {
            self.log(&format!("warning: {text}"));
        }
    }

    /// Prints warnings, one on each line.
    pub fn warnings(&self, texts: &[String]) {
        texts.iter().for_each(|text| self.warning(text));
    }

    /// Prints a note.
    pub fn note(&self, text: &str) {
        if self.loudness >= Loudness::Normal {
            self.log(text);
        }
    }

    /// Prints a detail, with `--verbose` only.
    pub fn detail(&self, text: &str) {
        if self.loudness >= Loudness::Verbose {
            self.log(text);
        }
    }

    /// Prints a line on stderr, above the progress bars. Errors of a closed stderr are ignored.
    fn log(&self, text: &str) {
        self.bars.suspend(|| {
            let _ = writeln!(io::stderr(), "{text}");
        });
    }
}
