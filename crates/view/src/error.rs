//! Errors at the start of the server.

use std::io;

/// Reasons why the page cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// No port could be opened.
    #[error("cannot open a port on the loopback interface: {0}")]
    Port(io::Error),
    /// The system provides no random numbers for the secret token.
    #[error("no random numbers from the system: {0}")]
    Random(String),
    /// The program was built without the page.
    #[error("this program was built without the page: {reason}")]
    NoPage {
        /// The missing part.
        reason: &'static str,
    },
}
