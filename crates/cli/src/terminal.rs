//! What is printed, where, and how much: answers on stdout, everything else on stderr.

use std::io::{self, IsTerminal, Write};

use indicatif::{MultiProgress, ProgressDrawTarget};

use crate::failure::{CommandResult, Failure};

/// How much is said besides the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loudness {
    /// Errors only.
    Quiet,
    /// Warnings and progress.
    #[default]
    Normal,
    /// Also details.
    Verbose,
}

/// Where a command prints.
#[derive(Debug)]
pub struct Terminal {
    loudness: Loudness,
    /// Answers are one JSON object.
    json: bool,
    bars: MultiProgress,
}

impl Terminal {
    /// Bars are shown where a person looks on.
    pub fn new(loudness: Loudness, json: bool) -> Self {
        let shown = loudness > Loudness::Quiet && io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        Self { loudness, json, bars: MultiProgress::with_draw_target(target) }
    }

    /// Answers are for programs.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Bars that share the terminal with messages.
    pub fn bars(&self) -> &MultiProgress {
        &self.bars
    }

    /// Prints an answer on stdout; a reader that went away is no error.
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

    /// Something odd that a user should know.
    pub fn warning(&self, text: &str) {
        if self.loudness >= Loudness::Normal {
            self.log(&format!("warning: {text}"));
        }
    }

    /// What is going on.
    pub fn note(&self, text: &str) {
        if self.loudness >= Loudness::Normal {
            self.log(text);
        }
    }

    /// What only the curious want to know.
    pub fn detail(&self, text: &str) {
        if self.loudness >= Loudness::Verbose {
            self.log(text);
        }
    }

    /// A line on stderr, above the bars. Nobody can be told when stderr is closed.
    fn log(&self, text: &str) {
        self.bars.suspend(|| {
            let _ = writeln!(io::stderr(), "{text}");
        });
    }
}
