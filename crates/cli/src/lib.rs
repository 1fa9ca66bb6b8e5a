//! The `voussoir` command: from a scene file to results on disk.
//!
//! | module | what lives there |
//! |---|---|
//! | [`app`] | start: arguments, threads, panics, exit code |
//! | [`arguments`] | what a user may type |
//! | [`commands`] | one file per command |
//! | [`background`] | a page that outlives the command |
//! | [`runner`] | all stages of a scene, step by step; knows no files |
//! | [`folder`] | a run into a results folder, and going on from one |
//! | [`dump`] | contact problems of a run, as files |
//! | [`description`] | what `check` says about a scene |
//! | [`scene_file`] | scene files and the meshes they name |
//! | [`pictures`] | pictures of a results folder |
//! | [`run_scene`] | the scene of a run: loads at any moment, what was modelled in words |
//! | [`moments`] | which frames a user means |
//! | [`figures`] | a run in a few lines, for people |
//! | [`progress`] | the progress bar |
//! | [`statics`] | what `stand`, `limit` and `pushover` ask, compute, write and draw |
//! | [`terminal`] | what is printed, where, and how much |
//! | [`interrupt`] | Ctrl-C |
//! | [`validate`] | the validation cases: scenes, expected values, invariants |
//! | [`failure`], [`exit`] | what went wrong, and the exit code |

pub mod app;
pub mod arguments;
pub mod background;
pub mod commands;
pub mod description;
pub mod dump;
pub mod exit;
pub mod failure;
pub mod figures;
pub mod folder;
pub mod interrupt;
pub mod moments;
pub mod pictures;
pub mod progress;
pub mod run_scene;
pub mod runner;
pub mod scene_file;
pub mod statics;
pub mod terminal;
pub mod validate;
