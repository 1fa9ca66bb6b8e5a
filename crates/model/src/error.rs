//! Errors of a scene, with line and column in the text.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A text and the name of the file it came from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// Name of the file, for messages.
    pub file: Arc<str>,
    /// The whole text; empty for scenes that were made in code.
    pub text: Arc<str>,
}

impl Source {
    /// Creates a source from a text and its file name.
    pub fn new(text: &str, file: &str) -> Self {
        Self { file: file.into(), text: text.into() }
    }

    /// An error at a byte range of the text.
    pub fn error(&self, span: Range<usize>, message: impl Into<String>) -> SceneError {
        let span = clamp(&self.text, span);
        let (line, column) = line_and_column(&self.text, span.start);
        SceneError {
            file: self.file.to_string(),
            text: self.text.clone(),
            line,
            column,
            span,
            message: message.into(),
            help: None,
        }
    }
}

/// A scene that cannot be read or built: message, location and advice.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneError {
    /// Name of the file.
    pub file: String,
    /// The text in which `span` lies; empty for scenes made in code.
    pub text: Arc<str>,
    /// Line, from 1; 0 when there is no text.
    pub line: usize,
    /// Column in characters, from 1; 0 when there is no text.
    pub column: usize,
    /// Byte range of the error in the text.
    pub span: Range<usize>,
    /// Description of the error.
    pub message: String,
    /// Advice: a valid value.
    pub help: Option<String>,
}

impl SceneError {
    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Message, the line with the error underlined, and the help, for terminals without colours.
    pub fn render(&self) -> String {
        let mut out = format!("error: {}\n", self.message);
        if self.line > 0 {
            let content = self.text.lines().nth(self.line - 1).unwrap_or_default();
            let shown: String = content.chars().take(160).collect();
            let left = self.column.saturating_sub(1).min(160);
            let marked = self.text.get(self.span.clone()).unwrap_or_default();
            let width = marked.lines().next().unwrap_or_default().chars().count().clamp(1, 160 - left.min(159));
            let gutter = " ".repeat(self.line.to_string().len());
            out += &format!("{gutter}--> {}:{}:{}\n", self.file, self.line, self.column);
            out += &format!("{gutter} |\n{} | {shown}\n", self.line);
            out += &format!("{gutter} | {}{}\n", " ".repeat(left), "^".repeat(width));
        } else if !self.file.is_empty() {
            out += &format!(" --> {}\n", self.file);
        }
        if let Some(help) = &self.help {
            out += &format!("help: {help}\n");
        }
        out
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
        }
        if self.line > 0 {
            write!(f, "{}:{}:", self.line, self.column)?;
        }
        if !self.file.is_empty() || self.line > 0 {
            write!(f, " ")?;
        }
        write!(f, "{}", self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, " ({help})"))
    }
}

impl std::error::Error for SceneError {}

/// Clips a range to the text and to character boundaries.
fn clamp(text: &str, span: Range<usize>) -> Range<usize> {
    let start = floor_boundary(text, span.start);
    let end = floor_boundary(text, span.end).max(start);
    start..end
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Line and column (characters) of a byte, both from 1; (0, 0) in an empty text.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    if text.is_empty() {
        return (0, 0);
    }
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_and_lines_from_one() {
        let source = Source::new("é = 1\nβγ = 2", "s.toml");
        let error = source.error(9..11, "no");
        assert_eq!((error.line, error.column), (2, 2));
        assert_eq!(error.to_string(), "s.toml:2:2: no");
    }

    #[test]
    fn ranges_outside_the_text_are_moved_inside() {
        let source = Source::new("é", "s.toml");
        for (start, end) in [(1, 1), (0, 1), (5, 9), (2, 0)] {
            let error = source.error(start..end, "no");
            assert!(error.text.get(error.span.clone()).is_some());
            assert!(!error.render().is_empty());
        }
    }
}
