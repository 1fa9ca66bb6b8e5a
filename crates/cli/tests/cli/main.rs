//! The `voussoir` command, run as users run it.

mod bad_input;
mod bridges;
mod common;
mod compas;
mod examples;
mod faults;
mod models;
mod page;
mod problems;
mod restart;
mod samples;
mod scenes;
mod statics;
mod survey;
mod sweep;
mod validation;
mod words;
