//! `history.csv` as columns of numbers.

use std::collections::HashMap;
use std::path::Path;

use crate::checksums::{FolderSums, TableKind};
use crate::error::ResultsError;
use crate::history::{ColumnInfo, HISTORY_FILE, read_columns};

/// The numbers of a history; other cells are NaN.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryTable {
    heads: Vec<String>,
    infos: Vec<ColumnInfo>,
    columns: HashMap<String, Vec<f64>>,
    rows: usize,
}

impl HistoryTable {
    /// Reads the history of a results folder. An incomplete last row is ignored.
    pub fn read(dir: &Path) -> Result<Self, ResultsError> {
        let path = dir.join(HISTORY_FILE);
        // the length that has reached the disk is read before the table, which may be growing
        let sums = FolderSums::open(dir)?;
        let synced = sums.as_ref().map_or(0, |sums| sums.synced(TableKind::History));
        let mut bytes = std::fs::read(&path).map_err(ResultsError::read(&path))?;
        if let Some(sums) = sums {
            let sound = sums.sound_rows(TableKind::History, &bytes, synced);
            bytes.truncate(sound.map_err(|start| damaged_rows(&path, &bytes, start))?);
        }
        let text = String::from_utf8(bytes).map_err(ResultsError::damaged(&path))?;
        Ok(Self { infos: read_columns(dir)?, ..Self::parse(&text) })
    }

    fn parse(text: &str) -> Self {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines();
        let heads: Vec<String> = lines.next().unwrap_or_default().split(',').map(str::to_owned).collect();
        let mut columns = vec![Vec::new(); heads.len()];
        let mut rows = 0;
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            if cells.len() != heads.len() {
                continue;
            }
            for (column, cell) in columns.iter_mut().zip(cells) {
                column.push(cell.parse().unwrap_or(f64::NAN));
            }
            rows += 1;
        }
        let columns = heads.iter().cloned().zip(columns).collect();
        Self { heads, infos: Vec::new(), columns, rows }
    }

    /// Number of steps.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Descriptions of the columns.
    pub fn columns(&self) -> &[ColumnInfo] {
        &self.infos
    }

    /// Names of the columns, in order.
    pub fn heads(&self) -> &[String] {
        &self.heads
    }

    /// A column; empty if the name is unknown.
    pub fn column(&self, name: &str) -> &[f64] {
        self.columns.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The error of a table that is damaged after its first `sound` bytes.
pub(crate) fn damaged_rows(path: &Path, bytes: &[u8], sound: usize) -> ResultsError {
    let rows = bytes[..sound].iter().filter(|&&byte| byte == b'\n').count();
    let reason =
        format!("wrong checksum after line {rows} (byte {sound} of {}); lines before it are undamaged", bytes.len());
    ResultsError::Damaged { path: path.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::HistoryTable;

    #[test]
    fn half_written_rows_are_left_out() {
        let table = HistoryTable::parse("step,time_s,solver\n1,1e-3,sap\n2,2e-3,nlgs\n3,3e");
        assert_eq!(table.rows(), 2);
        assert_eq!(table.column("time_s"), [1e-3, 2e-3]);
        assert!(table.column("solver")[0].is_nan() && table.column("none").is_empty());
    }
}
