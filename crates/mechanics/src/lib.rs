//! Bodies, joints, loads, supports and the analyses. Knows no files and no clocks.
//!
//! The [`model`] (what does not change in a run) is apart from the [`state`] (what does).
//!
//! | module | what lives there |
//! |---|---|
//! | [`model`] | bodies, materials, joints, supports, loads, numerical settings |
//! | [`time_function`] | numbers that depend on time: constants, tables, sines |
//! | [`state`] | positions, velocities, contact memory: a checkpoint is this, whole |
//! | [`report`] | what one step says about itself |
//! | [`snapshot`] | one moment, dimension erased, for recorders |

pub mod model;
pub mod report;
pub mod snapshot;
pub mod state;
pub mod time_function;

pub use voussoir_contact as contact;
pub use voussoir_geometry as geometry;
