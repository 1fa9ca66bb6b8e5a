//! `history.csv` and `timing.csv`: rows of steps; `columns.json`: descriptions of the columns.
//!
//! Everything in `history.csv` is reproducible to the last bit; computing times are not, and are in `timing.csv`.
//! Numbers have enough digits to restore the same bits. Columns are the common ones of all analyses, those of the
//! analyses of the run, the cables and the probes. A cell is empty where the analysis of a step has no such column.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use voussoir_mechanics::report::{
    Cell, Column, ColumnRole, CommonColumn, LEADING_COLUMNS, StepReport, TRAILING_COLUMNS,
};

use crate::checksums::{Entry, SharedSums, TableKind, read_checked};
use crate::error::ResultsError;
use voussoir_hdf5::sums::checksum;

/// Name in the results folder.
pub const HISTORY_FILE: &str = "history.csv";

/// Name in the results folder.
pub const TIMING_FILE: &str = "timing.csv";

/// Name in the results folder.
pub const COLUMNS_FILE: &str = "columns.json";

/// Meaning of a column, as `columns.json` has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnInfo {
    /// Head in the table.
    pub head: String,
    /// Content of the column.
    pub label: String,
    /// Unit; empty for counts, ratios and words.
    pub unit: String,
    /// How readers use it.
    pub role: ColumnRole,
}

impl From<&Column> for ColumnInfo {
    fn from(column: &Column) -> Self {
        let Column { head, label, unit, role } = *column;
        Self { head: head.to_owned(), label: label.to_owned(), unit: unit.to_owned(), role }
    }
}

/// Reads the meaning of all columns of a results folder.
pub fn read_columns(dir: &Path) -> Result<Vec<ColumnInfo>, ResultsError> {
    let path = dir.join(COLUMNS_FILE);
    serde_json::from_slice(&read_checked(dir, COLUMNS_FILE)?).map_err(ResultsError::damaged(&path))
}

/// Writes the meaning of all columns of a results folder.
pub(crate) fn write_columns(
    dir: &Path,
    own: &[Column],
    cables: &[String],
    probes: &[String],
    sums: &SharedSums,
) -> Result<(), ResultsError> {
    let named = |head: &String, label: String, unit: &str, role: ColumnRole| ColumnInfo {
        head: head.clone(),
        label,
        unit: unit.to_owned(),
        role,
    };
    let cable = |head: &String| {
        let name = cable_of(head).unwrap_or_default();
        named(head, format!("tension of cable {name}"), "N", ColumnRole::Cable)
    };
    let probe = |head: &String| named(head, format!("probe {head}"), "", ColumnRole::Probe);
    let columns: Vec<ColumnInfo> = Layout::history(own)
        .columns()
        .map(ColumnInfo::from)
        .chain(cables.iter().map(cable))
        .chain(probes.iter().map(probe))
        .chain(own.iter().filter(|column| column.role == ColumnRole::Timing).map(ColumnInfo::from))
        .collect();
    let path = dir.join(COLUMNS_FILE);
    let mut text = serde_json::to_string_pretty(&columns).map_err(ResultsError::damaged(&path))?;
    text.push('\n');
    sums.replace(dir, COLUMNS_FILE, text.as_bytes())
}

/// True if the history of analyses with these columns has one with this head.
pub fn is_column(head: &str, own: &[Column]) -> bool {
    Layout::history(own).columns().any(|column| column.head == head)
}

/// Source of the cells of a column.
#[derive(Clone, Copy, Debug)]
enum CellSource {
    /// The common part of the report.
    Common(fn(&StepReport) -> Cell),
    /// A column of the present analysis, if it has it.
    Own(Option<usize>),
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub struct Layout {
    columns: Vec<(Column, CellSource)>,
}

impl Layout {
    /// `history.csv` for analyses with these columns.
    pub fn history(own: &[Column]) -> Self {
        let common = |(column, cell): &CommonColumn| (*column, CellSource::Common(*cell));
        let own = own.iter().filter(|column| column.role != ColumnRole::Timing);
        let columns = LEADING_COLUMNS
            .iter()
            .map(common)
            .chain(own.map(|column| (*column, CellSource::Own(None))))
            .chain(TRAILING_COLUMNS.iter().map(common));
        Self { columns: columns.collect() }
    }

    /// `timing.csv` for analyses with these columns.
    pub fn timing(own: &[Column]) -> Self {
        let own = own.iter().filter(|column| column.role == ColumnRole::Timing);
        let step = LEADING_COLUMNS[..1].iter().map(|(column, cell)| (*column, CellSource::Common(*cell)));
        Self { columns: step.chain(own.map(|column| (*column, CellSource::Own(None)))).collect() }
    }

    /// The columns, in order.
    pub fn columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().map(|(column, _)| column)
    }

    /// Rows that follow are made by an analysis with these columns.
    pub fn begin_stage(&mut self, columns: &[Column]) {
        for (column, source) in &mut self.columns {
            if let CellSource::Own(index) = source {
                *index = columns.iter().position(|other| other.head == column.head);
            }
        }
    }

    fn cells<'a>(&'a self, report: &'a StepReport) -> impl Iterator<Item = String> + 'a {
        self.columns.iter().map(|(_, source)| match source {
            CellSource::Common(cell) => text(cell(report)),
            CellSource::Own(index) => {
                index.and_then(|index| report.own.get(index)).map_or(String::new(), |cell| text(*cell))
            }
        })
    }
}

/// The text of a cell.
fn text(cell: Cell) -> String {
    match cell {
        Cell::Number(value) => exact(value),
        Cell::Count(count) => count.to_string(),
        Cell::Word(word) => word.to_owned(),
    }
}

/// The shortest text that is read as the same number.
fn exact(value: f64) -> String {
    format!("{value:e}")
}

/// Head of the column of a cable.
pub fn cable_column(name: &str) -> String {
    format!("{CABLE_HEAD}{name}{CABLE_UNIT}")
}

/// The name of the cable whose column has this head.
pub fn cable_of(head: &str) -> Option<&str> {
    head.strip_prefix(CABLE_HEAD)?.strip_suffix(CABLE_UNIT)
}

const CABLE_HEAD: &str = "cable_";
const CABLE_UNIT: &str = "_n";

/// Largest size of the rows that wait in memory [bytes].
const WAITING: usize = 1 << 16;

/// Longest time for which rows wait in memory.
const FLUSH_AFTER: Duration = Duration::from_millis(500);

/// A table on disk that grows by rows.
#[derive(Debug)]
pub(crate) struct GrowingTable {
    path: PathBuf,
    layout: Layout,
    file: File,
    /// Rows that wait in memory.
    waiting: Vec<u8>,
    /// Length with all rows so far [bytes].
    bytes: u64,
    flushed: Instant,
    kind: TableKind,
    sums: SharedSums,
}

impl GrowingTable {
    /// A new table with its head, `more` columns last; `file` is empty.
    pub fn create(
        path: &Path,
        file: File,
        layout: Layout,
        more: &[String],
        sums: (TableKind, SharedSums),
    ) -> Result<Self, ResultsError> {
        let heads: Vec<&str> =
            layout.columns().map(|column| column.head).chain(more.iter().map(String::as_str)).collect();
        let line = heads.join(",");
        let mut table = Self::over(path, file, layout, 0, sums);
        table.line(&line);
        table.flush()?;
        Ok(table)
    }

    /// A table truncated to its first `bytes` bytes.
    pub fn resume(
        path: &Path,
        file: File,
        layout: Layout,
        bytes: u64,
        sums: (TableKind, SharedSums),
    ) -> Result<Self, ResultsError> {
        let length = file.metadata().map_err(ResultsError::read(path))?.len();
        if length < bytes {
            let reason = format!("has {length} bytes, fewer than the {bytes} bytes of the checkpoint");
            return Err(ResultsError::Damaged { path: path.to_owned(), reason });
        }
        let cut = |mut file: File| -> io::Result<File> {
            file.set_len(bytes)?;
            file.seek(SeekFrom::Start(bytes))?;
            Ok(file)
        };
        Ok(Self::over(path, cut(file).map_err(ResultsError::write(path))?, layout, bytes, sums))
    }

    fn over(path: &Path, file: File, layout: Layout, bytes: u64, (kind, sums): (TableKind, SharedSums)) -> Self {
        let (path, waiting, flushed) = (path.to_owned(), Vec::new(), Instant::now());
        Self { path, layout, file, waiting, bytes, flushed, kind, sums }
    }

    /// Rows that follow are made by an analysis with these columns.
    pub fn begin_stage(&mut self, columns: &[Column]) {
        self.layout.begin_stage(columns);
    }

    /// Adds the row of a step, `more` numbers last.
    pub fn row(&mut self, report: &StepReport, more: &[f64]) -> Result<(), ResultsError> {
        let cells: Vec<String> = self.layout.cells(report).chain(more.iter().map(|x| exact(*x))).collect();
        self.line(&cells.join(","));
        let due = self.waiting.len() >= WAITING || self.flushed.elapsed() >= FLUSH_AFTER;
        if due { self.flush() } else { Ok(()) }
    }

    fn line(&mut self, text: &str) {
        self.waiting.extend(text.as_bytes());
        self.waiting.push(b'\n');
        self.bytes += text.len() as u64 + 1;
    }

    /// Writes all rows to the file, after their checksum.
    pub fn flush(&mut self) -> Result<(), ResultsError> {
        self.flushed = Instant::now();
        if self.waiting.is_empty() {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.waiting);
        let start = self.bytes - rows.len() as u64;
        let entry = Entry::Rows { table: self.kind, start, length: rows.len() as u32, sum: checksum(&rows) };
        let write = |table: &mut Self| {
            table.sums.add(&entry)?;
            table.file.write_all(&rows)
        };
        write(self).map_err(ResultsError::write(&self.path))
    }

    /// Writes all rows to the disk and returns the length of the table [bytes].
    pub fn sync(&mut self) -> Result<u64, ResultsError> {
        self.flush()?;
        let (table, bytes) = (self.kind, self.bytes);
        let sync = || -> io::Result<()> {
            self.file.sync_data()?;
            self.sums.add(&Entry::Synced { table, bytes })
        };
        sync().map_err(ResultsError::write(&self.path))?;
        Ok(bytes)
    }
}

impl Drop for GrowingTable {
    fn drop(&mut self) {
        // an error has been reported already, or cannot be reported any more
        let _ = self.flush();
    }
}
