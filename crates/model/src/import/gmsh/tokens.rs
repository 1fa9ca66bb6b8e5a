//! The numbers of a Gmsh file, as text or binary in either byte order, behind one reader.

use std::path::Path;

use crate::import::ImportError;

/// Reads a file from its beginning to its end.
pub struct Tokens<'a> {
    pub path: &'a Path,
    bytes: &'a [u8],
    at: usize,
    /// Numbers are binary.
    pub binary: bool,
    /// Bytes of a binary number come in the other order.
    pub swapped: bool,
}

impl<'a> Tokens<'a> {
    pub fn new(path: &'a Path, bytes: &'a [u8]) -> Self {
        Self { path, bytes, at: 0, binary: false, swapped: false }
    }

    /// An error at the present place.
    pub fn error(&self, message: impl Into<String>) -> ImportError {
        let message = message.into();
        if self.binary {
            return ImportError::new(self.path, 0, format!("byte {}: {message}", self.at));
        }
        let before = &self.bytes[..self.at.min(self.bytes.len())];
        ImportError::new(self.path, 1 + before.iter().filter(|b| **b == b'\n').count(), message)
    }

    /// The error of a file that ends too early.
    pub fn cut_off(&self, inside: &str) -> ImportError {
        let message = format!("the file is truncated inside {inside}");
        ImportError::new(self.path, 0, message).with_help("save or copy the file again")
    }

    /// The next line of text, without spaces at its ends; none at the end of the file.
    pub fn line(&mut self) -> Option<String> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        self.at += length + 1;
        Some(String::from_utf8_lossy(&rest[..length]).trim().to_owned())
    }

    /// Goes to the line after `$EndNAME`.
    pub fn skip_section(&mut self, name: &str) -> Result<(), ImportError> {
        let end = format!("$End{name}");
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let found = rest.windows(end.len()).position(|window| window == end.as_bytes());
        let Some(found) = found else { return Err(self.cut_off(&format!("${name}"))) };
        self.at += found;
        self.line();
        Ok(())
    }

    /// The line that ends a section.
    pub fn end_section(&mut self, name: &str) -> Result<(), ImportError> {
        loop {
            match self.line() {
                Some(line) if line.is_empty() => {}
                Some(line) if line == format!("$End{name}") => return Ok(()),
                Some(line) => {
                    let short: String = line.chars().take(40).collect();
                    return Err(self.error(format!("expected $End{name}, found {short:?}")));
                }
                None => return Err(self.cut_off(&format!("${name}"))),
            }
        }
    }

    fn word(&mut self) -> Result<&'a str, ImportError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let start = rest.iter().position(|b| !b.is_ascii_whitespace());
        let Some(start) = start else { return Err(self.cut_off("its numbers")) };
        let length = rest[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len() - start);
        let word = &rest[start..start + length];
        let text = std::str::from_utf8(word).unwrap_or("\u{fffd}");
        // errors count lines up to here
        self.at += start;
        if text.starts_with('$') {
            let short: String = text.chars().take(40).collect();
            return Err(self.error(format!("found {short:?} before all declared numbers")));
        }
        self.at += length;
        Ok(text)
    }

    fn raw<const N: usize>(&mut self) -> Result<[u8; N], ImportError> {
        let bytes = self.bytes.get(self.at..self.at + N).and_then(|slice| <[u8; N]>::try_from(slice).ok());
        let Some(mut bytes) = bytes else { return Err(self.cut_off("its numbers")) };
        self.at += N;
        if self.swapped {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// A whole number of four bytes.
    pub fn int(&mut self) -> Result<i64, ImportError> {
        if self.binary {
            return self.raw().map(|bytes| i64::from(i32::from_ne_bytes(bytes)));
        }
        let word = self.word()?;
        word.parse().map_err(|_| self.error(format!("{} is not a whole number", short(word))))
    }

    /// A count of eight bytes.
    pub fn size(&mut self) -> Result<u64, ImportError> {
        if self.binary {
            return self.raw().map(u64::from_ne_bytes);
        }
        let word = self.word()?;
        word.parse().map_err(|_| self.error(format!("{} is not a count", short(word))))
    }

    /// A finite number.
    pub fn real(&mut self) -> Result<f64, ImportError> {
        let value = if self.binary {
            f64::from_ne_bytes(self.raw()?)
        } else {
            let word = self.word()?;
            word.parse().map_err(|_| self.error(format!("{} is not a number", short(word))))?
        };
        if value.is_finite() { Ok(value) } else { Err(self.error(format!("a coordinate is {value}"))) }
    }

    /// Skips the rest of a line of text; no effect in binary.
    pub fn rest_of_line(&mut self) {
        if !self.binary {
            self.line();
        }
    }

    /// Number of remaining bytes, an upper bound of all counts.
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }
}

fn short(word: &str) -> String {
    let short: String = word.chars().take(40).collect();
    format!("{short:?}")
}
