//! Statics of scenes whose answers are known.

mod cables;
mod common;
mod curves;
mod lancet;
mod limits;
