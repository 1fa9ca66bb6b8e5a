//! Siconos' solvers on the same files, through `fcproblem.py` beside the data.

use std::path::{Path, PathBuf};
use std::process::Command;

use voussoir_problems::measure;

use super::Row;
use super::problems::Item;
use crate::place::root;

/// Prefix of the names of Siconos' solvers.
pub const PREFIX: &str = "siconos ";

/// Solvers by dimension.
const TWO: &[&str] = &["nsgs2d", "lemke2d", "cpg2d", "enum2d"];
const THREE: &[&str] = &[
    "nsgs",
    "nsgs-ac",
    "nsgs-pli",
    "nsgs-quartic",
    "nsn-ac",
    "nsn-ac-hyb",
    "nsn-fb",
    "nsn-nm",
    "admm",
    "prox",
    "vi-eg",
];
/// Largest number of contacts for the enumeration of all states, whose cost is exponential.
const MOST_ENUMERATED: usize = 10;

/// Debian's Siconos and the script that drives it.
pub struct Siconos {
    python: PathBuf,
    script: PathBuf,
}

impl Siconos {
    /// `None` where one of them is missing.
    pub fn find() -> Result<Option<Self>, String> {
        let python = PathBuf::from("/usr/bin/python3");
        let Some(data) = std::env::var_os("VOUSSOIR_DATA") else { return Ok(None) };
        let script = Path::new(&data).join("../tools/fcproblem.py");
        let usable = Command::new(&python).args(["-c", "import siconos.numerics, scipy, h5py"]).output();
        Ok((script.exists() && usable.is_ok_and(|output| output.status.success())).then_some(Self { python, script }))
    }

    /// Every solver of its dimension.
    pub fn solve(&self, item: &Item, tolerance: f64, limit: f64) -> Result<Vec<Row>, String> {
        let (dim, contacts) = (item.file.form.dim(), item.file.form.contacts());
        let names = if dim == 2 { TWO } else { THREE };
        let problem = item.file.form.to_local().map_err(|e| format!("{}: {e}", item.name))?;
        let reactions = root().join("target/solvers/reactions.txt");
        let mut rows = Vec::new();
        for name in names.iter().filter(|name| **name != "enum2d" || contacts <= MOST_ENUMERATED) {
            let _ = std::fs::remove_file(&reactions);
            let output = Command::new(&self.python)
                .arg(&self.script)
                .arg("solve")
                .arg(&item.path)
                .args(["--solver", name, "--tol", &tolerance.to_string(), "--limit", &limit.to_string(), "--out"])
                .arg(&reactions)
                .output()
                .map_err(|e| format!("{}: {e}", self.python.display()))?;
            let line = String::from_utf8_lossy(&output.stdout).into_owned();
            let Some(seconds) = field(&line, "seconds").and_then(|text| text.parse::<f64>().ok()) else {
                return Err(format!("{name} of Siconos on {}: {}", item.name, String::from_utf8_lossy(&output.stderr)));
            };
            let answer = std::fs::read_to_string(&reactions).unwrap_or_default();
            let r: Vec<f64> = answer.split_whitespace().map(|text| text.parse().unwrap_or(f64::NAN)).collect();
            let whole = r.len() == dim * contacts && r.iter().all(|x| x.is_finite());
            let (residual, unitless) = if whole {
                let measures = measure::local(&problem, &r);
                (measures.residual, measures.unitless)
            } else {
                (f64::INFINITY, f64::INFINITY)
            };
            rows.push(Row {
                problem: item.name.clone(),
                solver: format!("{PREFIX}{name}"),
                tolerance,
                // Siconos' solvers stop at their own error measure
                converged: residual <= tolerance * 1.001,
                residual,
                unitless,
                iterations: field(&line, "iterations").and_then(|text| text.parse().ok()).unwrap_or(0),
                factorisations: 0,
                seconds,
            });
        }
        Ok(rows)
    }
}

/// A value in a line of `name=value` pairs.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
}
