//! Errors of a question. A structure that collapses, or an unbounded load, is an answer, not an error.

use voussoir_mechanics::MechanicsError;

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StaticsError {
    /// The model itself.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
    /// A joint has cohesion.
    #[error(
        "this static analysis does not include the `cohesion` of joints; use `limit`, or explicit or dynamic stages"
    )]
    Cohesion,
    /// No contact has springs.
    #[error("no closed contact has springs: write elastic = {{ normal = …, tangential = … }} [Pa/m] in the joints")]
    NoSprings,
    /// There are no free bodies.
    #[error("all bodies are supports: there are no free bodies")]
    NothingFree,
    /// No load of that name.
    #[error("there is no load \"{name}\"; loads: {}", list(known))]
    UnknownLoad {
        /// Name in the question.
        name: String,
        /// Names of all loads.
        known: Vec<String>,
    },
    /// A load that acts on no free body.
    #[error("the load \"{name}\" has no effect: {reason}")]
    TouchesNothing {
        /// Its name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// No body of that name.
    #[error("there is no {what} \"{name}\"; there are: {}", list(known))]
    UnknownBody {
        /// Kind of the missing item.
        what: &'static str,
        /// Name in the question.
        name: String,
        /// Some of the existing names.
        known: Vec<String>,
    },
    /// An invalid number or vector.
    #[error("{what}: {reason}")]
    Number {
        /// Which.
        what: String,
        /// What is wrong and what would be right.
        reason: String,
    },
}

fn list(known: &[String]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}
