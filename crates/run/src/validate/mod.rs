//! `voussoir validate`: reproduces every published number that this project claims.
//!
//! A case is a file in `validation/`: scenes, comparisons, and the source of the expected values. The files are part of
//! the program.
//!
//! | module | content |
//! |---|---|
//! | [`case`] | the file of a case |
//! | [`values`], [`formula`] | named numbers, formulas, filling them into scenes |
//! | [`simulate`] | a scene, step by step, with observers |
//! | [`ask`] | static questions |
//! | [`sample`] | tests on samples of grains |
//! | [`probe`] | the observed quantities |
//! | [`take`] | reduction of a history to one number |
//! | [`invariants`] | invariants of every step |
//! | [`judge`] | cases to rows: computed and expected values |
//! | [`table`] | rows as a table and as JSON |
//! | [`library`] | the built-in cases |
//! | [`models`] | cases with external models |

pub mod ask;
pub mod case;
pub mod formula;
pub mod invariants;
pub mod judge;
pub mod library;
pub mod models;
pub mod probe;
pub mod sample;
pub mod simulate;
pub mod table;
pub mod take;
pub mod values;

pub use case::Case;
pub use judge::validate;
pub use table::{Row, ValidationReport};

/// Errors of a validation request. A deviation from an expected value is not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValidateError {
    /// No case of that name.
    #[error("there is no validation case \"{word}\"; there are: {}", known.join(", "))]
    UnknownCase {
        /// As typed.
        word: String,
        /// Ids of all cases.
        known: Vec<String>,
    },
    /// A file that is not a valid case.
    #[error("{file}: {reason}")]
    File {
        /// Its name.
        file: String,
        /// Description and location of the error.
        reason: String,
    },
    /// A case that cannot be run.
    #[error("case {id}: {reason}")]
    Case {
        /// Its id.
        id: String,
        /// Description of the error.
        reason: String,
    },
}
