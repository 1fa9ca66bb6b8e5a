//! `DRV_DOF.DAT`: prescribed degrees of freedom and forces.

use super::ReadFile;
use super::columns::{DatboxLine, DatboxTable, parse_real};
use crate::import::ImportError;

/// One driven degree of freedom.
#[derive(Clone, Debug, PartialEq)]
pub struct Driven {
    /// Line of the file.
    pub line: usize,
    /// Number of the body, from 1.
    pub body: usize,
    /// Velocity or force.
    pub what: What,
    /// 1 to 3 translation, 4 to 6 rotation in the axes of the body; 3 is the rotation in 2D.
    pub dof: usize,
    /// Its function of time.
    pub function: DrivenFunction,
}

/// A prescribed quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The velocity.
    Velocity,
    /// The force or moment.
    Force,
}

/// A function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum DrivenFunction {
    /// (constant + amplitude · cos(omega · t + phase)) · min(1, start + slope · t)
    Formula {
        /// Constant part.
        constant: f64,
        /// Amplitude.
        amplitude: f64,
        /// [rad/s]
        omega: f64,
        /// [rad]
        phase: f64,
        /// The factor at t = 0.
        start: f64,
        /// Growth of the factor [1/s].
        slope: f64,
    },
    /// Rows (t, value), straight lines between and beyond.
    Rows(Vec<[f64; 2]>),
}

/// All driven degrees of freedom.
pub fn read(
    table: &DatboxTable,
    dim: usize,
    bodies: usize,
    read_file: ReadFile<'_>,
) -> Result<Vec<Driven>, ImportError> {
    let mut driven = Vec::new();
    for record in table.records("bdyty") {
        let Some(first) = record.first() else { continue };
        if !first.kind().starts_with("RBDY") {
            return Err(table.error(Some(first), format!("{:?} is not a rigid body", first.kind())));
        }
        let body = table.number(first)?;
        if !(1..=bodies).contains(&body) {
            return Err(table.error(Some(first), format!("body {body}, there are 1 to {bodies}")));
        }
        let start = record.iter().position(|line| line.keyword() == Some("dofty")).unwrap_or(record.len());
        for line in record[start..].iter().filter(|line| line.keyword().is_none()) {
            driven.push(one(table, line, body, dim, read_file)?);
        }
    }
    Ok(driven)
}

fn one(
    table: &DatboxTable,
    line: &DatboxLine,
    body: usize,
    dim: usize,
    read_file: ReadFile<'_>,
) -> Result<Driven, ImportError> {
    let what = match line.kind().as_str() {
        "vlocy" => What::Velocity,
        "force" => What::Force,
        other => return Err(table.error(Some(line), format!("{other:?} is neither vlocy nor force"))),
    };
    let dof = table.number(line)?;
    let most = if dim == 2 { 3 } else { 6 };
    if !(1..=most).contains(&dof) {
        return Err(table.error(Some(line), format!("degree of freedom {dof}, there are 1 to {most}")));
    }
    let words = line.whole();
    let mut words = words.split_whitespace().skip(2);
    let function = if words.next() == Some("evolution") {
        let name = words.next().unwrap_or_default().to_owned();
        if name.is_empty() || name.contains(['/', '\\']) || name == ".." {
            return Err(table.error(Some(line), format!("{name:?} is not the name of a file beside this one")));
        }
        DrivenFunction::Rows(rows(table, line, &name, &read_file(&name)?)?)
    } else {
        let mut v = [0.0; 6];
        for (value, start) in v.iter_mut().zip([15, 30, 45, 60, 75, 90]) {
            *value = table.real(line, start..=start + 13)?;
        }
        let [constant, amplitude, omega, phase, start, slope] = v;
        DrivenFunction::Formula { constant, amplitude, omega, phase, start, slope }
    };
    Ok(Driven { line: line.number, body, what, dof, function })
}

/// Rows of a file with a function of time.
fn rows(table: &DatboxTable, line: &DatboxLine, name: &str, bytes: &[u8]) -> Result<Vec<[f64; 2]>, ImportError> {
    let path = table.path.with_file_name(name);
    let mut rows: Vec<[f64; 2]> = Vec::new();
    for (i, bytes) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let text = String::from_utf8_lossy(bytes);
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() || words[0].starts_with(['!', '#']) {
            continue;
        }
        let number = |k: usize| words.get(k).and_then(|word| parse_real(word)).filter(|value| value.is_finite());
        let (Some(time), Some(value)) = (number(0), number(1)) else {
            return Err(ImportError::new(&path, i + 1, "a row is a time and a value"));
        };
        if rows.last().is_some_and(|last| time <= last[0]) {
            return Err(ImportError::new(&path, i + 1, format!("the time {time} s is not after the row before")));
        }
        rows.push([time, value]);
    }
    if rows.is_empty() {
        return Err(table.error(Some(line), format!("there are no rows in {name}")));
    }
    Ok(rows)
}
