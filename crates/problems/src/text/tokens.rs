//! Words of a text file in order, with their line numbers.

use crate::error::ProblemError;

/// The unread part of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Tokens<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, line: 1 }
    }

    /// An error on the present line.
    pub fn error(&self, reason: impl Into<String>) -> ProblemError {
        ProblemError::Text { line: self.line, reason: reason.into() }
    }

    /// The next word.
    fn next(&mut self) -> Option<&'a [u8]> {
        let blank = self.rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(self.rest.len());
        let (skipped, rest) = self.rest.split_at(blank);
        self.line += skipped.iter().filter(|&&byte| byte == b'\n').count();
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// The next word; the file must not end here.
    pub fn word(&mut self, what: &str) -> Result<&'a str, ProblemError> {
        let word = self.next().ok_or_else(|| self.error(format!("the file is truncated: {what} is missing")))?;
        std::str::from_utf8(word).map_err(|_| self.error(format!("{what}: this is not a text file")))
    }

    /// The word after the next `skip` ones; nothing is consumed.
    pub fn peek(&self, skip: usize) -> Option<&'a [u8]> {
        let mut ahead = *self;
        for _ in 0..skip {
            ahead.next()?;
        }
        ahead.next()
    }

    /// The next word as a size or an index.
    pub fn integer(&mut self, what: &str) -> Result<usize, ProblemError> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.error(format!("{what}: \"{}\" is not a count or an index", shown(word))))
    }

    /// The next word as a number; NaN and infinities included.
    pub fn float(&mut self, what: &str) -> Result<f64, ProblemError> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.error(format!("{what}: \"{}\" is not a number", shown(word))))
    }

    /// The next `count` numbers.
    pub fn floats(&mut self, count: usize, what: &str) -> Result<Vec<f64>, ProblemError> {
        self.room(count, what)?;
        (0..count).map(|_| self.float(what)).collect()
    }

    /// The next `count` sizes or indices.
    pub fn integers(&mut self, count: usize, what: &str) -> Result<Vec<usize>, ProblemError> {
        self.room(count, what)?;
        (0..count).map(|_| self.integer(what)).collect()
    }

    /// Checks that `count` words can follow, before memory for them is allocated.
    pub fn room(&self, count: usize, what: &str) -> Result<(), ProblemError> {
        // a word and the blank after it
        let most = self.rest.len() / 2 + 1;
        if count <= most {
            return Ok(());
        }
        Err(self
            .error(format!("{what} should have {count} values, but the file has only {} bytes more", self.rest.len())))
    }

    /// True if at most `count` words follow.
    pub fn at_most(&self, count: usize) -> bool {
        let mut ahead = *self;
        (0..count).any(|_| ahead.next().is_none()) || ahead.next().is_none()
    }
}

/// A word, truncated for a message.
fn shown(word: &str) -> String {
    let mut text: String = word.chars().take(24).collect();
    if text.len() < word.len() {
        text.push('…');
    }
    text
}
