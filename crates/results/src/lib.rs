//! Results of a run on disk: recording, reading, measures, pictures, reports, exports.
//!
//! A results folder contains
//!
//! | file | content |
//! |---|---|
//! | `results.vtkhdf` | frames: all bodies and contacts, for ParaView (5.13 or later, VTK 9.4), h5py and the page; see [`layout`] |
//! | `history.csv` | rows of steps |
//! | `timing.csv` | computing time of steps |
//! | `columns.json` | meaning, unit and role of every column; see [`ColumnInfo`] |
//! | `summary.json` | summary of the run; see [`Summary`] |
//! | `checkpoint` | state for `resume`; see [`Checkpoint`] |
//! | `checksums` | checksums of all the above; see [`checksums`] |
//! | `scene.toml` | the scene as run |
//! | `report.html` | report of the run; see [`report`] |
//!
//! [`Recorder`] writes such a folder, [`Results`] reads it. A run may be killed at any time: the files can
//! be read, show every frame that was complete, and [`Recorder::resume`] continues from the last checkpoint
//! with the same bytes as an uninterrupted run (except for computing times).
//! [`measures`] are numbers that follow from a recorded frame; [`picture`] draws it;
//! [`export`] writes frames in other formats.

mod atomic;
mod channels;
mod checkpoint;
pub mod checksums;
mod encode;
mod error;
pub mod export;
mod fixed;
mod frames;
mod history;
mod history_table;
pub mod layout;
mod lists;
pub mod measures;
mod parts;
pub mod picture;
mod recorder;
pub mod report;
mod results;
mod resume;
mod rows;
mod scene_facts;
mod summary;
mod triangles;
mod vector;

#[cfg(test)]
mod crash_tests;

pub use checkpoint::{CHECKPOINT_FILE, CHECKPOINT_FORMAT, CHECKPOINT_VOLATILE, Checkpoint};
pub use checksums::{CHECKSUMS_FILE, check_files};
pub use encode::Precision;
pub use error::ResultsError;
pub use fixed::FixedPart;
pub use frames::FRAMES_FILE;
pub use history::{COLUMNS_FILE, ColumnInfo, HISTORY_FILE, TIMING_FILE, is_column, read_columns};
pub use history_table::HistoryTable;
pub use recorder::{Recorder, RecorderSettings, SCENE_FILE, results_in};
pub use results::Results;
pub use resume::verify;
pub use scene_facts::SceneFacts;
pub use summary::{CableSummary, RunFacts, SUMMARY_FILE, StageVerdict, Summary, SummaryAccumulator};
