//! The `voussoir` command: arguments, words, progress and exit codes. What is computed is in the crate `run`.
//!
//! | module | what lives there |
//! |---|---|
//! | [`app`] | start: arguments, threads, panics, exit code |
//! | [`arguments`] | what a user may type |
//! | [`clock`] | computing times, and what stops a run |
//! | [`commands`] | one file per command |
//! | [`background`] | a page that outlives the command |
//! | [`times`] | which frames a user means |
//! | [`figures`] | a run in a few lines, for people |
//! | [`progress`], [`watcher`] | the progress bar and warnings of a run |
//! | [`statics`] | arguments and words of `stand`, `limit` and `pushover` |
//! | [`terminal`] | what is printed, where, and how much |
//! | [`interrupt`] | Ctrl-C |
//! | [`failure`], [`exit`] | what went wrong, and the exit code |

pub mod app;
pub mod arguments;
pub mod background;
pub mod clock;
pub mod commands;
pub mod exit;
pub mod failure;
pub mod figures;
pub mod interrupt;
pub mod progress;
pub mod statics;
pub mod terminal;
pub mod times;
pub mod watcher;
