//! Places in a scene: a path such as `bodies[3].size`, and its byte range in the text.
//!
//! A place is converted to bytes only for an error: the text is then parsed again and searched.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{SceneError, Source};

/// A path into the scene, as a linked list from the innermost key.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    /// The scene itself.
    pub const ROOT: Place<'static> = Place { parent: None, step: Step::Root };

    /// The value of a key of a table.
    pub fn key(&'a self, key: &'a str) -> Place<'a> {
        Place { parent: Some(self), step: Step::Key(key) }
    }

    /// An element of a list.
    pub fn index(&'a self, index: usize) -> Place<'a> {
        Place { parent: Some(self), step: Step::Index(index) }
    }

    /// An error at the value.
    pub fn error(&self, source: &Source, message: impl Into<String>) -> SceneError {
        self.blame(source, message.into(), |found| found.value)
    }

    /// An error at the key.
    pub fn error_at_key(&self, source: &Source, message: impl Into<String>) -> SceneError {
        self.blame(source, message.into(), |found| found.key)
    }

    fn blame(&self, source: &Source, message: String, part: impl Fn(Found) -> Range<usize>) -> SceneError {
        match DeTable::parse(&source.text) {
            Ok(document) if !source.text.is_empty() => source.error(part(self.find(document.get_ref())), message),
            // built in code without text: the path is the only information
            _ if self.parent.is_some() => source.error(0..0, format!("{self}: {message}")),
            _ => source.error(0..0, message),
        }
    }

    /// Follows the path as far as the document goes; a missing key is attributed to its table.
    fn find(&self, document: &DeTable<'_>) -> Found {
        let mut found = Found { key: 0..0, value: 0..0 };
        let mut table = Some(document);
        let mut value: Option<&Spanned<DeValue<'_>>> = None;
        for step in self.steps() {
            let next = match step {
                Step::Root => continue,
                Step::Key(key) => table.and_then(|t| t.get_key_value(key)).map(|(k, v)| (k.span(), v)),
                Step::Index(i) => value.and_then(|v| v.get_ref().get(i)).map(|v| (v.span(), v)),
            };
            let Some((key, inner)) = next else { break };
            found = Found { key, value: inner.span() };
            table = inner.get_ref().as_table();
            value = Some(inner);
        }
        found
    }

    fn steps(&self) -> Vec<Step<'a>> {
        let mut steps = vec![self.step];
        let mut place = self.parent;
        while let Some(p) = place {
            steps.push(p.step);
            place = p.parent;
        }
        steps.reverse();
        steps
    }
}

/// Byte range of a value and of its key in the text.
struct Found {
    key: Range<usize>,
    value: Range<usize>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps().into_iter().enumerate() {
            match step {
                Step::Root => {}
                Step::Key(key) if i <= 1 => write!(f, "{key}")?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "dim = 2\n[[bodies]]\nsize = [1, 2]\n[[bodies]]\nsize = [3, 4]\n";

    #[test]
    fn a_place_finds_its_value_and_its_key() {
        let source = Source::new(TEXT, "s.toml");
        let bodies = Place::ROOT.key("bodies");
        let body = bodies.index(1);
        let size = body.key("size");
        let second = size.index(1);
        assert_eq!(second.to_string(), "bodies[1].size[1]");
        let error = second.error(&source, "no");
        assert_eq!((error.line, &TEXT[error.span]), (5, "4"));
        let error = size.error_at_key(&source, "no");
        assert_eq!((error.line, &TEXT[error.span]), (5, "size"));
        // a missing key is attributed to its table
        assert_eq!(body.key("name").error(&source, "no").line, 4);
    }

    #[test]
    fn without_a_text_the_path_is_in_the_message() {
        let error = Place::ROOT.key("gravity").error(&Source::default(), "not finite");
        assert_eq!(error.to_string(), "gravity: not finite");
    }
}
