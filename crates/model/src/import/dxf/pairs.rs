//! The text of a DXF file: pairs of a group code and a value, gathered into entities.

use std::borrow::Cow;
use std::path::Path;

use voussoir_geometry::glam::DVec3;

use crate::import::ImportError;

/// A group code and its value.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    pub code: i32,
    pub value: Cow<'a, str>,
    /// Of the value, from 1.
    pub line: usize,
}

/// A pair with code 0 and the pairs up to the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct DxfEntity<'a> {
    pub kind: &'a str,
    pub line: usize,
    pub pairs: &'a [Pair<'a>],
    pub path: &'a Path,
}

/// All pairs of a file up to its end, which must be marked.
pub fn pairs<'a>(path: &Path, bytes: &'a [u8]) -> Result<Vec<Pair<'a>>, ImportError> {
    if bytes.starts_with(b"AutoCAD Binary DXF") {
        return Err(ImportError::new(path, 0, "it is a binary DXF file").with_help("save it as text (ASCII) DXF"));
    }
    let mut pairs = Vec::new();
    let mut lines = bytes.split(|b| *b == b'\n').enumerate();
    while let Some((i, code)) = lines.next() {
        let code = text(code);
        let code = code.trim_matches('\u{feff}').trim();
        let Some((j, value)) = lines.next() else {
            if code.is_empty() {
                break;
            }
            return Err(cut_off(path));
        };
        let code: i32 = code.parse().map_err(|_| {
            let short: String = code.chars().take(40).collect();
            ImportError::new(path, i + 1, format!("{short:?} is not a group code"))
                .with_help("a DXF file consists of pairs of lines: a group code, then its value")
        })?;
        let pair = Pair { code, value: trimmed(text(value)), line: j + 1 };
        // comments
        if pair.code == 999 {
            continue;
        }
        if pair.code == 0 && pair.value == "EOF" {
            return Ok(pairs);
        }
        pairs.push(pair);
    }
    Err(cut_off(path))
}

fn cut_off(path: &Path) -> ImportError {
    ImportError::new(path, 0, "the file is truncated: the end mark EOF is missing")
        .with_help("save or copy the file again")
}

/// Text of any encoding; letters that cannot be read are only in names.
fn text(line: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(line)
}

fn trimmed(value: Cow<'_, str>) -> Cow<'_, str> {
    match value {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// The entities in some pairs.
pub fn entities<'a>(path: &'a Path, pairs: &'a [Pair<'a>]) -> Vec<DxfEntity<'a>> {
    let starts: Vec<usize> = (0..pairs.len()).filter(|&i| pairs[i].code == 0).collect();
    let mut found = Vec::with_capacity(starts.len());
    for (k, &start) in starts.iter().enumerate() {
        let end = starts.get(k + 1).copied().unwrap_or(pairs.len());
        found.push(DxfEntity {
            kind: &pairs[start].value,
            line: pairs[start].line,
            pairs: &pairs[start + 1..end],
            path,
        });
    }
    found
}

impl<'a> DxfEntity<'a> {
    /// An error about this entity.
    pub fn error(&self, message: impl Into<String>) -> ImportError {
        ImportError::new(self.path, self.line, format!("{}: {}", self.kind, message.into()))
    }

    fn find(&self, code: i32) -> Option<&'a Pair<'a>> {
        self.pairs.iter().find(|pair| pair.code == code)
    }

    /// The first value with a code.
    pub fn text(&self, code: i32) -> Option<&'a str> {
        self.find(code).map(|pair| &*pair.value)
    }

    /// A whole number; 0 where it is missing.
    pub fn integer(&self, code: i32) -> Result<i64, ImportError> {
        self.find(code).map_or(Ok(0), |pair| {
            pair.value.parse().map_err(|_| {
                ImportError::new(self.path, pair.line, format!("{} is not a whole number", short(&pair.value)))
            })
        })
    }

    /// A finite number where it is there.
    pub fn number(&self, code: i32) -> Result<Option<f64>, ImportError> {
        self.find(code).map(|pair| finite(self.path, pair)).transpose()
    }

    /// A point: its x has this code, y and z have it plus 10 and 20.
    pub fn point(&self, code: i32) -> Result<Option<DVec3>, ImportError> {
        let Some(x) = self.number(code)? else { return Ok(None) };
        let y = self.number(code + 10)?.unwrap_or(0.0);
        let z = self.number(code + 20)?.unwrap_or(0.0);
        Ok(Some(DVec3::new(x, y, z)))
    }
}

/// The number of a pair.
pub fn finite(path: &Path, pair: &Pair<'_>) -> Result<f64, ImportError> {
    match pair.value.parse::<f64>() {
        Ok(value) if value.is_finite() && value.abs() < 1e12 => Ok(value),
        Ok(value) => Err(ImportError::new(path, pair.line, format!("a coordinate is {value:e}"))),
        Err(_) => Err(ImportError::new(path, pair.line, format!("{} is not a number", short(&pair.value)))),
    }
}

fn short(value: &str) -> String {
    let short: String = value.chars().take(40).collect();
    format!("{short:?}")
}
