//! The folder of a study: finished rows, one per line, on disk before the next sample is counted as done.
//!
//! `study.json` has the fingerprint of the study; a folder with another fingerprint is refused. `journal-I-of-N.jsonl` has a
//! line when a sample begins and a line with its row when it ends, which is synced. A line that was cut by a kill is ignored.
//! Numbers are texts with all their digits, so that a row is read back bit-identical. A sample that began
//! [`ATTEMPTS`] times and never ended ends the process that computes it: it becomes a row with this reason.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::engine::Part;
use super::plan::EnsembleStudy;
use super::table::{StudyRow, StudyValue};
use crate::error::{EnsembleError, EnsembleResult as Result};

/// Times that a sample may begin without an end.
pub const ATTEMPTS: usize = 12;
/// Name of the file with the fingerprint.
const IDENTITY: &str = "study.json";

/// One line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    End { end: String, status: String, reason: String, cells: Vec<Option<String>> },
    Begin { begin: String },
}

impl Line {
    fn of(row: &StudyRow) -> Self {
        let cells = row.numbers.iter().map(StudyValue::text).collect();
        Self::End { end: row.name.clone(), status: row.status.clone(), reason: row.reason.clone(), cells }
    }
}

/// A row as a line of a journal, for processes that send it to the one that has the journal.
pub fn line_of(row: &StudyRow) -> String {
    json!(Line::of(row)).to_string()
}

/// The row of a sample from its line; a line of another sample or another version of the program is refused.
pub fn row_of(study: &EnsembleStudy, index: usize, line: &str) -> Result<StudyRow> {
    let refused = |reason: &str| EnsembleError::input(format!("row of sample {index}: {reason}"));
    let sample = study.samples.get(index).ok_or_else(|| refused("there is no such sample"))?;
    match serde_json::from_str(line) {
        Ok(Line::End { end, status, reason, cells }) if end == sample.name => {
            let cells = cells.into_iter().map(StudyValue::read).collect();
            Ok(study.row(sample, &status, reason, cells))
        }
        Ok(_) => Err(refused("it belongs to another study, or another version of the program computed it")),
        Err(error) => Err(refused(&format!("it cannot be read: {error}"))),
    }
}

/// Content of the journals of a folder.
#[derive(Clone, Debug, Default)]
pub struct JournalContent {
    /// Finished rows by the names of their samples: status, reason, numbers.
    pub(super) ended: HashMap<String, (String, String, Vec<StudyValue>)>,
    /// Times that unfinished samples began.
    pub(super) begun: HashMap<String, usize>,
}

/// The journal of one part of a study.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens or begins the journal of a part; `content` is the content of all journals of the folder.
    pub fn open(dir: &Path, study: &EnsembleStudy, part: Part) -> Result<(Self, JournalContent)> {
        fs::create_dir_all(dir).map_err(EnsembleError::file(dir))?;
        identify(dir, study)?;
        let path = dir.join(format!("journal-{}-of-{}.jsonl", part.number, part.count));
        let mut file =
            OpenOptions::new().create(true).read(true).append(true).open(&path).map_err(EnsembleError::file(&path))?;
        if file.try_lock().is_err() {
            return Err(EnsembleError::input(format!("{}: another process computes this part", path.display())));
        }
        // a line that was cut by a kill ends here
        let mut text = Vec::new();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut text)).map_err(EnsembleError::file(&path))?;
        if text.last().is_some_and(|byte| *byte != b'\n') {
            file.write_all(b"\n").map_err(EnsembleError::file(&path))?;
        }
        Ok((Self { file, path }, read(dir)?))
    }

    /// Notes that a sample begins.
    pub fn begin(&mut self, name: &str) -> Result<()> {
        self.line(&Line::Begin { begin: name.to_owned() })
    }

    /// Adds a row; it is on disk when this returns.
    pub fn add(&mut self, row: &StudyRow) -> Result<()> {
        self.add_all(std::slice::from_ref(row))
    }

    /// Adds rows; they are on disk when this returns.
    pub fn add_all(&mut self, rows: &[StudyRow]) -> Result<()> {
        rows.iter().try_for_each(|row| self.line(&Line::of(row)))?;
        self.file.sync_data().map_err(EnsembleError::file(&self.path))
    }

    /// One write per line, so that a kill cuts at most the last line.
    fn line(&mut self, line: &Line) -> Result<()> {
        let mut text = json!(line).to_string();
        text.push('\n');
        self.file.write_all(text.as_bytes()).map_err(EnsembleError::file(&self.path))
    }
}

/// Writes the fingerprint of a new folder, refuses that of another study.
fn identify(dir: &Path, study: &EnsembleStudy) -> Result<()> {
    let path = dir.join(IDENTITY);
    let own = study.fingerprint();
    match fs::read_to_string(&path) {
        Ok(text) => {
            let known: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            if known["fingerprint"].as_str() != Some(&own) {
                return Err(EnsembleError::input(format!(
                    "{}: the folder belongs to another scene, question or version of the program; choose another folder",
                    dir.display()
                )));
            }
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let text = json!({ "fingerprint": own, "version": env!("CARGO_PKG_VERSION"), "title": study.spec.title,
                               "scene": study.spec.scene });
            // parts that start together write the same text
            let fresh = dir.join(format!("{IDENTITY}.{}", std::process::id()));
            fs::write(&fresh, format!("{text:#}\n"))
                .and_then(|()| fs::rename(&fresh, &path))
                .map_err(EnsembleError::file(&path))
        }
        Err(error) => Err(EnsembleError::File { path, source: error }),
    }
}

/// Reads all journals of a folder.
pub fn read(dir: &Path) -> Result<JournalContent> {
    let mut content = JournalContent::default();
    let entries = fs::read_dir(dir).map_err(EnsembleError::file(dir))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    paths.sort();
    for path in paths {
        let text = fs::read(&path).map_err(EnsembleError::file(&path))?;
        for line in String::from_utf8_lossy(&text).lines() {
            match serde_json::from_str(line) {
                Ok(Line::Begin { begin }) => *content.begun.entry(begin).or_default() += 1,
                Ok(Line::End { end, status, reason, cells }) => {
                    let cells = cells.into_iter().map(StudyValue::read).collect();
                    content.ended.insert(end, (status, reason, cells));
                }
                Err(_) => {}
            }
        }
    }
    let JournalContent { ended, begun } = &mut content;
    begun.retain(|name, _| !ended.contains_key(name));
    Ok(content)
}
