//! `voussoir view`: a browser page to play, scrub and inspect the results of a run.
//!
//! A small server on the loopback interface delivers the page and single frames. Frames are read from `results.vtkhdf`
//! on request; no file is loaded completely, and a run in progress can be followed.
//!
//! | module | content |
//! |---|---|
//! | [`embedded`] | the answers of the page without a server, for notebooks |
//! | [`server`] | connections: one thread each, up to a limit |
//! | [`http`] | the required part of HTTP/1.1, with limits on all input |
//! | [`guard`] | access control: host, origin, token |
//! | [`routes`] | addresses and their answers |
//! | [`run`] | an open results folder, which may grow |
//! | [`bodies`], [`frame`] | constant data, and one frame, as packed arrays |
//! | [`details`] | values of one block or joint, in one frame and over time |
//! | [`history`] | columns of `history.csv` over time |
//! | [`pack`] | named arrays in one message |
//! | [`page`] | the page itself (TypeScript in `web/`, built by the build script) |
//!
//! An address never contains a file name: the routes are a fixed list, so no other file can be reached.

mod bodies;
mod details;
mod embedded;
mod error;
mod frame;
mod guard;
mod history;
mod http;
mod pack;
pub mod page;
mod routes;
mod run;
mod server;

pub use embedded::{EmbeddedAnswer, EmbeddedPage};
pub use error::ViewError;
pub use run::RunSource;
pub use server::{Server, Settings};
