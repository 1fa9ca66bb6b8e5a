//! Fixed columns, as LMGC90 reads them: positions matter, labels are ignored.
//!
//! Columns are numbered from 1. A line with `!` or `#` in column 1 is a comment; 180 characters are read; a keyword is
//! `$` in column 1 and five letters after it. Bytes are characters (Latin-1). Reals look like `0.1D+01`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::import::{ImportError, Notes};

/// Number of characters of a line that are read.
const WIDTH: usize = 180;

/// Columns of the three values of most lines.
pub const A: [RangeInclusive<usize>; 3] = [35..=48, 56..=69, 77..=90];
/// Columns of the two values of laws.
pub const B: [RangeInclusive<usize>; 2] = [46..=59, 67..=80];

/// The lines of a file without comments.
#[derive(Clone, Debug)]
pub struct DatboxTable {
    /// The file.
    pub path: PathBuf,
    lines: Vec<DatboxLine>,
}

/// One line.
#[derive(Clone, Debug)]
pub struct DatboxLine {
    /// From 1.
    pub number: usize,
    text: Vec<char>,
}

impl DatboxTable {
    /// Takes comments and blank lines out of a file. Keywords that are shifted by some columns are not seen by LMGC90;
    /// they are noted.
    pub(crate) fn new(path: PathBuf, bytes: &[u8], notes: &mut Notes) -> Self {
        let mut lines = Vec::new();
        for (i, bytes) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let text: Vec<char> = bytes.iter().take(WIDTH).map(|&byte| char::from(byte)).collect();
            let line = DatboxLine { number: i + 1, text };
            if matches!(line.text.first(), Some('!' | '#')) || line.text.iter().all(|c| c.is_whitespace()) {
                continue;
            }
            let shifted: String = line.text.iter().skip_while(|c| c.is_whitespace()).take(6).collect();
            if line.text[0].is_whitespace() && KEYWORDS.contains(&shifted.as_str()) {
                let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                notes.dropped(format!("{file}, line {}: {shifted} does not start in column 1", line.number));
            }
            lines.push(line);
        }
        Self { path, lines }
    }

    /// All lines.
    pub fn lines(&self) -> &[DatboxLine] {
        &self.lines
    }

    /// The lines after each line with keyword `key`, up to the next keyword of the same level.
    pub fn records(&self, key: &str) -> Vec<&[DatboxLine]> {
        let starts: Vec<usize> = (0..self.lines.len()).filter(|&i| self.lines[i].keyword() == Some(key)).collect();
        let end = |k: usize| starts.get(k + 1).copied().unwrap_or(self.lines.len());
        let upto_end = |lines: &[DatboxLine]| lines.iter().position(|line| line.ends_record()).unwrap_or(lines.len());
        (0..starts.len())
            .map(|k| {
                let lines = &self.lines[starts[k] + 1..end(k)];
                &lines[..upto_end(lines)]
            })
            .collect()
    }

    /// An error about a line, or the whole file.
    pub fn error(&self, line: Option<&DatboxLine>, message: impl Into<String>) -> ImportError {
        ImportError::new(&self.path, line.map_or(0, |line| line.number), message)
    }

    /// A real in some columns; blank is zero, as in Fortran.
    pub fn real(&self, line: &DatboxLine, columns: RangeInclusive<usize>) -> Result<f64, ImportError> {
        let text = line.columns(columns.clone());
        if text.is_empty() {
            return Ok(0.0);
        }
        match parse_real(&text) {
            Some(value) if value.is_finite() => Ok(value),
            _ => {
                let (from, to) = (columns.start(), columns.end());
                Err(self
                    .error(Some(line), format!("columns {from} to {to} have {text:?}, not a number"))
                    .with_help("numbers look like 0.1000000D+01"))
            }
        }
    }

    /// Reals in several columns. Files written by hand or by older versions have them elsewhere: where the columns hold
    /// no numbers, those behind the labels of the line count (`avrd= 0.1D+00   gyrd= 0.2D+00`).
    pub fn reals<const N: usize>(
        &self,
        line: &DatboxLine,
        columns: &[RangeInclusive<usize>; N],
    ) -> Result<[f64; N], ImportError> {
        let fixed: Result<Vec<f64>, ImportError> = columns.iter().map(|c| self.real(line, c.clone())).collect();
        let found = match (fixed, line.labelled()) {
            (Ok(values), _) => values,
            (Err(_), Some(values)) if values.len() <= N => values,
            (Err(error), _) => return Err(error),
        };
        let mut values = [0.0; N];
        values[..found.len()].copy_from_slice(&found);
        Ok(values)
    }

    /// Reals in those of several columns that are not blank; where the columns hold no numbers, those behind the labels.
    pub fn given<const N: usize>(
        &self,
        line: &DatboxLine,
        columns: &[RangeInclusive<usize>; N],
    ) -> Result<Vec<f64>, ImportError> {
        let filled = columns.iter().filter(|c| !line.columns((*c).clone()).is_empty());
        let fixed: Result<Vec<f64>, ImportError> = filled.map(|c| self.real(line, c.clone())).collect();
        match (fixed, line.labelled()) {
            (Err(_), Some(values)) if values.len() <= N => Ok(values),
            (fixed, _) => fixed,
        }
    }

    /// The number after the kind of a body or of a degree of freedom, in any column.
    pub fn number(&self, line: &DatboxLine) -> Result<usize, ImportError> {
        let text = line.columns(7..=WIDTH);
        let word = text.split_whitespace().next().unwrap_or_default();
        word.parse()
            .map_err(|_| self.error(Some(line), format!("{word:?} behind {:?} is no whole number", line.kind())))
    }

    /// A whole number, zero or more, in some columns.
    pub fn count(&self, line: &DatboxLine, columns: RangeInclusive<usize>) -> Result<usize, ImportError> {
        let text = line.columns(columns.clone());
        text.parse().map_err(|_| {
            let (from, to) = (columns.start(), columns.end());
            self.error(Some(line), format!("columns {from} to {to} have {text:?}, not a whole number"))
        })
    }
}

/// Keywords of all files.
const KEYWORDS: [&str; 10] =
    ["$bdyty", "$blmty", "$nodty", "$tacty", "$$$$$$", "$dofty", "$behav", "$seety", "$gravy", "$steps"];

impl DatboxLine {
    /// The five letters of a keyword.
    pub fn keyword(&self) -> Option<&str> {
        let word: String = self.text.iter().take(6).collect();
        KEYWORDS.iter().find(|known| **known == word).map(|known| &known[1..])
    }

    /// True for the line that ends a body.
    fn ends_record(&self) -> bool {
        self.keyword() == Some("$$$$$")
    }

    /// The text in some columns, without blanks at its ends.
    pub fn columns(&self, columns: RangeInclusive<usize>) -> String {
        let (from, to) = (columns.start() - 1, (*columns.end()).min(self.text.len()));
        let text: String = self.text.get(from..to.max(from)).unwrap_or_default().iter().collect();
        text.trim().to_owned()
    }

    /// The five letters in columns 2 to 6.
    pub fn kind(&self) -> String {
        self.columns(2..=6)
    }

    /// True if columns 2 to 6 are blank: a continuation line.
    pub fn goes_on(&self) -> bool {
        self.keyword().is_none() && self.kind().is_empty()
    }

    /// Numbers behind labels that end in `=`; `None` if one of them is no number or there is none.
    fn labelled(&self) -> Option<Vec<f64>> {
        let whole = self.whole();
        let values = whole.split('=').skip(1).map(|text| {
            let word = text.split_whitespace().next()?;
            parse_real(word).filter(|value| value.is_finite())
        });
        values.collect::<Option<Vec<f64>>>().filter(|values| !values.is_empty())
    }

    /// The whole line.
    pub fn whole(&self) -> String {
        self.text.iter().collect::<String>().trim_end().to_owned()
    }
}

/// A Fortran real: D, E or no letter before the exponent.
pub fn parse_real(text: &str) -> Option<f64> {
    let text = text.replace(['d', 'D'], "e");
    if let Ok(value) = text.parse() {
        return Some(value);
    }
    // 0.1234567-100: an exponent of three digits leaves no column for the letter
    let at = text.rfind(['+', '-']).filter(|&at| at > 0 && text.as_bytes()[at - 1].is_ascii_digit())?;
    format!("{}e{}", &text[..at], &text[at..]).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> (DatboxTable, Notes) {
        let mut notes = Notes::default();
        (DatboxTable::new(PathBuf::from("T.DAT"), text.as_bytes(), &mut notes), notes)
    }

    #[test]
    fn reals_of_fortran() {
        for (text, value) in [("0.1D+01", 1.0), ("-0.55e0", -0.55), ("1", 1.0), ("0.5-3", 5e-4), ("+2.D2", 200.0)] {
            assert_eq!(parse_real(text), Some(value));
        }
        assert_eq!(parse_real("1.x"), None);
        assert_eq!(parse_real("--1"), None);
    }

    #[test]
    fn columns_count_and_labels_do_not() {
        let (table, _) = table("                             coo1=-0.4555020D+02  what 0.5500000D+00  coo3=\n");
        let line = &table.lines()[0];
        assert_eq!(table.reals(line, &A).unwrap(), [-45.5502, 0.55, 0.0]);
        let error = table.real(line, 30..=40).unwrap_err();
        assert_eq!((error.line, error.message.contains("columns 30 to 40")), (1, true), "{error}");
    }

    #[test]
    fn numbers_in_other_columns_are_found_by_their_labels() {
        let (table, _) =
            table(" PLAIN      1  behav  PLAN1  avrd= 0.5000000D+00   gyrd= 0.2500000D+00\n RBDY3        12\n");
        let [plain, body] = [&table.lines()[0], &table.lines()[1]];
        assert_eq!(table.reals(plain, &A).unwrap(), [0.5, 0.25, 0.0]);
        assert_eq!(table.number(body).unwrap(), 12);
        assert!(table.number(plain).is_ok_and(|number| number == 1));
        // parameters of a law behind a long name
        let (table, _) = self::table(" iqsc0  IQS_CLB                             fric=  0.5000000D+00\n");
        assert_eq!(table.given(&table.lines()[0], &B).unwrap(), [0.5]);
    }

    #[test]
    fn comments_blank_lines_and_shifted_keywords() {
        let (table, notes) = table("! no\n\n#no\n$behav\n one\n $behav\n two\n$behav\n three\n$$$$$$\n rest\n");
        let records: Vec<Vec<String>> =
            table.records("behav").iter().map(|r| r.iter().map(DatboxLine::whole).collect()).collect();
        assert_eq!(records, [vec![" one", " $behav", " two"], vec![" three"]]);
        assert_eq!(notes.0.len(), 1);
        assert!(notes.0[0].text.contains("line 6"), "{}", notes.0[0]);
    }
}
