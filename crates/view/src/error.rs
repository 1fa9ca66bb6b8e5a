//! What can go wrong before anyone looks.

use std::io;

/// Why the page cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// No port could be opened.
    #[error("cannot open a port on the loopback interface: {0}")]
    Port(io::Error),
    /// The machine gives no random numbers, without which the address would be guessable.
    #[error("the system gives no random numbers: {0}")]
    Random(String),
    /// The program was built without the page.
    #[error("this program was built without the page: {reason}")]
    NoPage {
        /// What was missing.
        reason: &'static str,
    },
}
