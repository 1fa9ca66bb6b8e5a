//! Output of a validation: one row per comparison, as a table or as JSON.

use std::fmt::Write;

use serde::{Serialize, Serializer};

/// One comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Id of the case.
    pub id: String,
    /// Title of the case and description of the quantity.
    pub title: String,
    /// Expected value.
    pub expected: Shown,
    /// Computed value.
    pub computed: Shown,
    /// The difference, relative or absolute as the tolerance is.
    #[serde(serialize_with = "finite_or_null")]
    pub error: f64,
    /// Largest error that passes.
    pub tolerance: f64,
    /// Kind of error and tolerance: relative to the expected value, or absolute.
    pub measure: ErrorMeasure,
    /// True if it passes.
    pub pass: bool,
    /// Source of the expected value.
    pub source: String,
    /// Further remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// JSON has no infinite numbers.
fn finite_or_null<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() { serializer.serialize_f64(*value) } else { serializer.serialize_none() }
}

/// Kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorMeasure {
    /// Relative to the expected value.
    Relative,
    /// In the unit of the expected value.
    Absolute,
}

/// A number or a word.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Shown {
    /// A number.
    Number(#[serde(serialize_with = "finite_or_null")] f64),
    /// A verdict.
    Word(&'static str),
}

impl Shown {
    fn text(&self) -> String {
        match self {
            Self::Number(value) => number(*value),
            Self::Word(word) => (*word).to_owned(),
        }
    }
}

/// All comparisons of a validation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidationReport {
    /// In the order of the cases.
    pub cases: Vec<Row>,
    /// Rows that pass.
    pub passed: usize,
    /// Rows that do not.
    pub failed: usize,
}

impl ValidationReport {
    /// Counts.
    pub fn new(cases: Vec<Row>) -> Self {
        let passed = cases.iter().filter(|row| row.pass).count();
        Self { passed, failed: cases.len() - passed, cases }
    }

    /// The table as text.
    pub fn table(&self) -> String {
        let heads = ["id", "case", "expected", "computed", "error", "tolerance", "", "source"];
        let mut lines: Vec<[String; 8]> = vec![heads.map(str::to_owned)];
        for row in &self.cases {
            let measure = if row.measure == ErrorMeasure::Relative { " rel" } else { "" };
            lines.push([
                row.id.clone(),
                row.title.clone(),
                row.expected.text(),
                row.computed.text(),
                number(row.error),
                number(row.tolerance) + measure,
                if row.pass { "pass" } else { "FAIL" }.to_owned(),
                row.source.clone(),
            ]);
        }
        let width = |k: usize| lines.iter().map(|line| line[k].chars().count()).max().unwrap_or(0);
        let widths: [usize; 8] = std::array::from_fn(width);
        let mut out = String::new();
        for (i, line) in lines.iter().enumerate() {
            let cells: Vec<String> = (0..7)
                .map(|k| {
                    let pad = " ".repeat(widths[k] - line[k].chars().count());
                    // numbers to the right, words to the left
                    if (2..6).contains(&k) { pad + &line[k] } else { line[k].clone() + &pad }
                })
                .collect();
            let _ = writeln!(out, "{}  {}", cells.join("  "), line[7]);
            let note = i.checked_sub(1).and_then(|i| self.cases[i].note.as_ref().filter(|_| !self.cases[i].pass));
            if let Some(note) = note {
                let _ = writeln!(out, "{}  {note}", " ".repeat(widths[0]));
            }
        }
        let _ = writeln!(out, "\n{} passed, {} failed", self.passed, self.failed);
        out
    }
}

/// Short, with enough digits to compare.
fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e6).contains(&size) {
        let digits = (6 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{value:.digits$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        let text = format!("{value:.3e}");
        text.replace(".000e", "e")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(pass: bool, computed: f64) -> Row {
        Row {
            id: "E1".into(),
            title: "a block".into(),
            expected: Shown::Number(1.5),
            computed: Shown::Number(computed),
            error: computed - 1.5,
            tolerance: 1e-8,
            measure: ErrorMeasure::Relative,
            pass,
            source: "closed form".into(),
            note: Some("look here".into()),
        }
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (0.1, "0.1"),
            (44.05, "44.05"),
            (-9810.0, "-9810"),
            (1e-8, "1e-8"),
            (1.2345678e-9, "1.235e-9"),
            (0.911764706, "0.9117647"),
            (2.5e7, "2.500e7"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn the_table_counts_and_explains_failures() {
        let report = ValidationReport::new(vec![row(true, 1.5), row(false, 2.0)]);
        assert_eq!((report.passed, report.failed), (1, 1));
        let table = report.table();
        assert!(table.contains("1 passed, 1 failed") && table.contains("FAIL"));
        assert_eq!(table.matches("look here").count(), 1);
    }

    #[test]
    fn json_has_no_infinite_numbers() {
        let json = serde_json::to_value(ValidationReport::new(vec![row(false, f64::INFINITY)])).unwrap();
        assert!(json["cases"][0]["computed"].is_null());
        assert_eq!(json["failed"], 1);
        assert_eq!(json["cases"][0]["tolerance"], 1e-8);
    }
}
