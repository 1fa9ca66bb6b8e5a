//! `history.csv` and `timing.csv`: one row per step.
//!
//! Everything in `history.csv` is reproducible to the last bit; seconds of computing time are not, and stand
//! in `timing.csv`. Numbers have as many digits as bring back the same bits.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use voussoir_mechanics::report::StepReport;

use crate::error::ResultsError;

/// Name in the results folder.
pub const HISTORY_FILE: &str = "history.csv";

/// Name in the results folder.
pub const TIMING_FILE: &str = "timing.csv";

/// A column: its head and the text of a step.
pub type Column = (&'static str, fn(&StepReport) -> String);

/// Columns of `history.csv`. Heads carry units. `open`, `stick` and `slide` count contacts; `residual` is
/// unit-free and `converged` is 1 when it met the tolerance; `work_*` and `dissipated_*` are since the start;
/// `stored_elastic_j` is in springs, bonds and cables, `numerical_j` what the scheme lost in them (negative: gained);
/// `work_construction_j` is the energy of added bodies less that of bodies taken away;
/// `potential_j` is that of gravity, from the start; `penetration_m` and `displacement_m` are the largest of
/// all contacts and centroids, `speed_m_s` that of the fastest centroid; `reaction_*` is the force of all
/// supports on the free bodies.
pub const HISTORY_COLUMNS: &[Column] = &[
    ("step", |r| r.step.to_string()),
    ("time_s", |r| exact(r.time)),
    ("contacts", |r| r.contacts.to_string()),
    ("open", |r| r.statuses[0].to_string()),
    ("stick", |r| r.statuses[1].to_string()),
    ("slide", |r| r.statuses[2].to_string()),
    ("penetration_m", |r| exact(r.penetration)),
    ("residual", |r| exact(r.solve.residual)),
    ("converged", |r| u8::from(r.converged).to_string()),
    ("status", |r| name(&r.solve.status)),
    ("solver", |r| name(&r.solve.solver)),
    ("iterations", |r| r.solve.iterations.to_string()),
    ("factorisations", |r| r.solve.factorisations.to_string()),
    ("retries", |r| r.retries.to_string()),
    ("worst_contact", |r| r.solve.worst_contact.to_string()),
    ("kinetic_j", |r| exact(r.kinetic_energy)),
    ("potential_j", |r| exact(r.potential_energy)),
    ("work_gravity_j", |r| exact(r.ledger.gravity)),
    ("work_loads_j", |r| exact(r.ledger.loads)),
    ("work_supports_j", |r| exact(r.ledger.supports)),
    ("work_construction_j", |r| exact(r.ledger.construction)),
    ("dissipated_friction_j", |r| exact(r.ledger.friction)),
    ("dissipated_impact_j", |r| exact(r.ledger.impact)),
    ("dissipated_cohesion_j", |r| exact(r.ledger.cohesion)),
    ("stored_elastic_j", |r| exact(r.ledger.elastic)),
    ("numerical_j", |r| exact(r.ledger.numerical)),
    ("displacement_m", |r| exact(r.displacement)),
    ("speed_m_s", |r| exact(r.speed)),
    ("reaction_x_n", |r| exact(r.support_reaction[0])),
    ("reaction_y_n", |r| exact(r.support_reaction[1])),
    ("reaction_z_n", |r| exact(r.support_reaction[2])),
];

/// Columns of `timing.csv`: seconds of computing time of each part of a step. Not reproducible.
pub const TIMING_COLUMNS: &[Column] = &[
    ("step", |r| r.step.to_string()),
    ("detection_s", |r| exact(r.seconds[0])),
    ("assembly_s", |r| exact(r.seconds[1])),
    ("solving_s", |r| exact(r.seconds[2])),
];

/// The shortest text that reads back as the same number.
fn exact(value: f64) -> String {
    format!("{value:e}")
}

/// Names of solvers and statuses, as in scenes and JSON.
fn name(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => "unknown".to_owned(),
    }
}

/// How long rows may wait in memory.
const FLUSH_AFTER: Duration = Duration::from_millis(500);

/// A table on disk that grows by rows.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    columns: &'static [Column],
    file: BufWriter<File>,
    /// Length with all rows so far [bytes].
    bytes: u64,
    flushed: Instant,
}

impl Table {
    /// A new table with its head, `more` columns last; `file` is empty.
    pub fn create(path: &Path, file: File, columns: &'static [Column], more: &[String]) -> Result<Self, ResultsError> {
        let heads: Vec<&str> = columns.iter().map(|(head, _)| *head).chain(more.iter().map(String::as_str)).collect();
        let mut table = Self::over(path, file, columns, 0);
        table.line(&heads.join(","))?;
        table.flush()?;
        Ok(table)
    }

    /// A table cut back to its first `bytes` bytes.
    pub fn resume(path: &Path, file: File, columns: &'static [Column], bytes: u64) -> Result<Self, ResultsError> {
        let length = file.metadata().map_err(ResultsError::read(path))?.len();
        if length < bytes {
            let reason = format!("has {length} bytes, the checkpoint was made at {bytes}");
            return Err(ResultsError::Damaged { path: path.to_owned(), reason });
        }
        let cut = |mut file: File| -> io::Result<File> {
            file.set_len(bytes)?;
            file.seek(SeekFrom::Start(bytes))?;
            Ok(file)
        };
        Ok(Self::over(path, cut(file).map_err(ResultsError::write(path))?, columns, bytes))
    }

    fn over(path: &Path, file: File, columns: &'static [Column], bytes: u64) -> Self {
        let file = BufWriter::with_capacity(1 << 16, file);
        Self { path: path.to_owned(), columns, file, bytes, flushed: Instant::now() }
    }

    /// Adds the row of a step, `more` numbers last.
    pub fn row(&mut self, report: &StepReport, more: &[f64]) -> Result<(), ResultsError> {
        let own = self.columns.iter().map(|(_, cell)| cell(report));
        let cells: Vec<String> = own.chain(more.iter().map(|x| exact(*x))).collect();
        self.line(&cells.join(","))?;
        if self.flushed.elapsed() >= FLUSH_AFTER { self.flush() } else { Ok(()) }
    }

    fn line(&mut self, text: &str) -> Result<(), ResultsError> {
        writeln!(self.file, "{text}").map_err(ResultsError::write(&self.path))?;
        self.bytes += text.len() as u64 + 1;
        Ok(())
    }

    /// Hands all rows to the system.
    pub fn flush(&mut self) -> Result<(), ResultsError> {
        self.flushed = Instant::now();
        self.file.flush().map_err(ResultsError::write(&self.path))
    }

    /// Brings all rows to the disk and gives the length of the table [bytes].
    pub fn sync(&mut self) -> Result<u64, ResultsError> {
        self.flush()?;
        self.file.get_ref().sync_data().map_err(ResultsError::write(&self.path))?;
        Ok(self.bytes)
    }
}
