//! `voussoir validate`: reproduces every number we claim.
//!
//! A case is a file in `validation/`: scenes, what is compared, and where the expected value comes from. The files are
//! part of the program.
//!
//! | module | what lives there |
//! |---|---|
//! | [`case`] | the file of a case |
//! | [`values`], [`formula`] | named numbers, formulas, filling them into scenes |
//! | [`simulate`] | a scene, step by step, with observers |
//! | [`ask`] | questions without time |
//! | [`probe`] | what is observed: the quantities |
//! | [`take`] | one number from a history |
//! | [`invariants`] | what must hold in every step |
//! | [`judge`] | cases become rows: computed against expected |
//! | [`table`] | rows as a table and as JSON |
//! | [`library`] | the built-in cases |
//! | [`models`] | cases about models of others |

pub mod ask;
pub mod case;
pub mod formula;
pub mod invariants;
pub mod judge;
pub mod library;
pub mod models;
pub mod probe;
pub mod simulate;
pub mod table;
pub mod take;
pub mod values;

pub use case::Case;
pub use judge::validate;
pub use table::{Report, Row};

/// What can be wrong with what is asked of a validation. A number that differs from the expected one is no error.
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
    /// A file that is no case.
    #[error("{file}: {reason}")]
    File {
        /// Its name.
        file: String,
        /// What is wrong and where.
        reason: String,
    },
    /// A case that cannot be run.
    #[error("case {id}: {reason}")]
    Case {
        /// Its id.
        id: String,
        /// What is wrong.
        reason: String,
    },
}
