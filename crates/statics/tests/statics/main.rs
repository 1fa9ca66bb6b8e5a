//! Statics of scenes whose answers are known.

mod cables;
mod common;
mod curves;
mod envelopes;
mod fill;
mod lancet;
mod limits;
mod mechanisms;
mod modes;
mod places;
mod random;
mod stresses;
mod wedged;
