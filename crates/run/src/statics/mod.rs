//! Studies without time: what `stand`, `limit` and `pushover` compute, search, write and draw.
//!
//! | module | what lives there |
//! |---|---|
//! | [`questions`] | the three questions about a scene, with their answers |
//! | [`search`] | the smallest or largest value of a parameter that stands |
//! | [`vary`] | a scene under another value of one of its keys |
//! | [`files`] | joints, lines and recordings in a folder |
//! | [`drawing`] | elevations with thrust lines, hinges and slips, as SVG |
//! | [`curve`] | load–displacement curves as CSV and SVG |

pub mod curve;
pub mod drawing;
pub mod files;
pub mod questions;
pub mod search;
pub mod vary;
