//! Statics for people: what `stand`, `limit` and `pushover` ask, compute, write and draw.
//!
//! | module | what lives there |
//! |---|---|
//! | [`ask`] | loads, directions and strengths as a user types them |
//! | [`vary`] | a number of a scene under another value, and the smallest or largest that stands |
//! | [`study`] | one structure: verdict, range of thrust, thrust lines |
//! | [`moment`] | a structure at rest as a frame of a recording |
//! | [`files`] | joints, lines and recordings in a folder |
//! | [`drawing`] | elevations with thrust lines, hinges and slips, as SVG |
//! | [`curve`] | load–displacement curves as CSV and SVG |
//! | [`words`] | answers in a few lines |

pub mod ask;
pub mod curve;
pub mod drawing;
pub mod files;
pub mod moment;
pub mod study;
pub mod vary;
pub mod words;

use voussoir_statics::StaticsError;

use crate::failure::Failure;

impl From<StaticsError> for Failure {
    fn from(error: StaticsError) -> Self {
        Self::bad_input(error.to_string())
    }
}

/// Runs the same code for a model of either dimension.
macro_rules! with_model {
    ($any:expr, $model:ident => $body:expr) => {
        match $any {
            voussoir_model::AnyModel::Two($model) => $body,
            voussoir_model::AnyModel::Three($model) => $body,
        }
    };
}

pub(crate) use with_model;
