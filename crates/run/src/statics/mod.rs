//! Static studies: computation, search, files and drawings of `stand`, `limit` and `pushover`.
//!
//! | module | content |
//! |---|---|
//! | [`questions`] | the three studies of a scene, with their results |
//! | [`mod@assess`] | verdict, factors and governing joints of all actions in one report |
//! | [`search`] | the limiting value of a parameter |
//! | [`vary`] | a scene with another value of one of its keys |
//! | [`files`] | joints, lines and recordings in a folder |
//! | [`drawing`] | elevations with thrust lines, hinges and slips, as SVG |
//! | [`mod@envelope`] | envelopes of trains as CSV and SVG |
//! | [`curve`] | load–displacement curves as CSV and SVG |
//! | `axes` | axes of envelopes and curves |

pub mod assess;
mod axes;
pub mod curve;
pub mod drawing;
pub mod envelope;
pub mod files;
pub mod questions;
pub mod search;
pub mod vary;
