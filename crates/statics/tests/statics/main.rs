//! Statics of scenes whose answers are known.

mod common;
mod curves;
mod lancet;
mod limits;
