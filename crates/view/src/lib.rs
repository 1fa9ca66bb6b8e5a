//! `voussoir view`: a page on which a run is watched, scrubbed and questioned.
//!
//! A small server on the loopback interface hands out the page and, frame by frame, what it shows. Frames are read
//! from `results.vtkhdf` when they are asked for; nothing is loaded whole, and a run that is still going is followed.
//!
//! | module | what lives there |
//! |---|---|
//! | [`server`] | connections: one thread each, as many as are sensible |
//! | [`http`] | the little of HTTP/1.1 that is needed, with limits on everything |
//! | [`guard`] | who may ask: host, origin, token |
//! | [`routes`] | what may be asked |
//! | [`run`] | a results folder that is looked at, and may grow |
//! | [`bodies`], [`frame`] | what is constant, and one frame, as packed arrays |
//! | [`details`] | numbers of one block or joint, now and over time |
//! | [`pack`] | named arrays in one message |
//! | [`page`] | the page itself (TypeScript in `web/`, built by the build script) |
//!
//! Nothing in an address is ever a file name: the routes are a fixed list, so that no other file can be reached.

mod bodies;
mod details;
mod error;
mod frame;
mod guard;
mod http;
mod pack;
pub mod page;
mod routes;
mod run;
mod server;

pub use error::ViewError;
pub use run::RunSource;
pub use server::{Server, Settings};
