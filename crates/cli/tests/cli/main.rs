//! The `voussoir` command, run as users run it.

mod bad_input;
mod bridges;
mod common;
mod examples;
mod faults;
mod models;
mod page;
mod problems;
mod restart;
mod scenes;
mod statics;
mod survey;
mod validation;
mod words;
