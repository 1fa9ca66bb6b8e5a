//! The page without a server: its answers for a program that transmits them itself, such as a notebook.

use crate::error::ViewError;
use crate::http::Request;
use crate::page;
use crate::routes;
use crate::run::{RunSource, ViewedRun};

/// The page of one run or two, without a server.
#[derive(Debug)]
pub struct EmbeddedPage {
    runs: Vec<ViewedRun>,
}

/// An answer of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedAnswer {
    /// Status code of HTTP: 200, or that of a refusal whose reason is the key `error` of a JSON object.
    pub status: u16,
    /// Media type.
    pub kind: &'static str,
    /// Content.
    pub body: Vec<u8>,
}

impl EmbeddedPage {
    /// The page of some runs; refused where the program was built without the page.
    pub fn new(runs: Vec<RunSource>) -> Result<Self, ViewError> {
        match page::missing() {
            Some(reason) => Err(ViewError::NoPage { reason }),
            None => Ok(Self { runs: runs.into_iter().map(ViewedRun::new).collect() }),
        }
    }

    /// The answer for an address such as `run/0/frame/3?parts=joints`; empty for the page itself.
    pub fn answer(&self, address: &str) -> EmbeddedAnswer {
        let request = Request::of_address(address);
        let (status, kind, body) = routes::answer(&request.path, &request, &self.runs).parts();
        EmbeddedAnswer { status, kind, body }
    }
}
