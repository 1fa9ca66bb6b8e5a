//! The commands, one file each: its arguments, and what it does.

pub mod check;
pub mod completions;
pub mod demo;
pub mod export;
pub mod import;
pub mod limit;
pub mod materials;
pub mod new;
pub mod pushover;
pub mod report;
pub mod resume;
pub mod run;
pub mod schema;
pub mod solve;
pub mod stand;
pub mod validate;
pub mod view;
