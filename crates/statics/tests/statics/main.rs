//! Static analyses with known answers.

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
