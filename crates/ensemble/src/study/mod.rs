//! Studies: one scene, many samples, one table.
//!
//! ```no_run
//! use voussoir_ensemble::study::{EnsembleStudy, StudyEngine, Part};
//! let study = EnsembleStudy::from_toml_text(&std::fs::read_to_string("study.toml")?, "".as_ref())?;
//! let engine = StudyEngine { threads: 2, part: Part::WHOLE };
//! study.run("out".as_ref(), &engine, &mut |done, total, row| { println!("{done}/{total} {}", row.status); true })?;
//! let table = study.table("out".as_ref())?;
//! println!("{}", table.to_csv());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`EnsembleStudy::compute`] computes one sample and needs nothing but the study: another engine (processes, a cluster) calls
//! it with the numbers of [`EnsembleStudy::pending`] and hands the rows to [`Journal::add`]. The table is the same to the bit
//! for every engine, number of threads, division into parts and interruption: a row depends on the scene, the values of its
//! sample and the version of the program, never on times or on other rows.
//!
//! | module | content |
//! |---|---|
//! | [`spec`] | the study file |
//! | [`motions`] | ground motions and their intensity measures |
//! | [`plan`] | samples: values, names, seeds |
//! | [`ask`] | the answer for one sample |
//! | [`journal`] | finished rows in a folder |
//! | [`engine`] | threads, parts, time limits |
//! | [`table`] | the table, its curves and statistics |
//! | [`page`] | the report page |
//! | [`slurm`] | a script for Slurm |

pub mod ask;
pub mod engine;
pub mod journal;
pub mod motions;
pub mod page;
pub mod plan;
pub mod slurm;
pub mod spec;
pub mod table;

pub use engine::{Part, StudyEngine};
pub use journal::Journal;
pub use plan::{EnsembleStudy, SamplePlan};
pub use spec::StudySpec;
pub use table::{SampleTable, StudyRow};
