//! The `voussoir` command: arguments, texts, progress and exit codes. The computations are in the crate `run`.
//!
//! | module | content |
//! |---|---|
//! | [`app`] | start: arguments, threads, panics, exit code |
//! | [`arguments`] | arguments of the command line |
//! | [`clock`] | computing times, control of a run |
//! | [`commands`] | one file per command |
//! | [`background`] | server of the results page that continues after the command |
//! | [`times`] | selection of frames by time |
//! | [`figures`] | summary of a run as text |
//! | [`patience`] | messages about long work without a progress bar |
//! | [`progress`], [`watcher`] | the progress bar and warnings of a run |
//! | [`statics`] | arguments and texts of `stand`, `limit` and `pushover` |
//! | [`terminal`] | output: answers, warnings, notes |
//! | [`interrupt`] | Ctrl-C |
//! | [`failure`], [`exit`] | errors and exit codes |

pub mod app;
pub mod arguments;
pub mod background;
pub mod clock;
pub mod commands;
pub mod exit;
pub mod failure;
pub mod figures;
pub mod interrupt;
pub mod patience;
pub mod progress;
pub mod statics;
pub mod terminal;
pub mod times;
pub mod watcher;
