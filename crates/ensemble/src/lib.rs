//! Studies of many samples: distributions, designs, fragility, sensitivity, reliability.
//!
//! | module | content |
//! |---|---|
//! | [`distribution`] | distributions of one number |
//! | [`design`], [`sobol`] | which samples a study takes: grid, random, Latin hypercube, Sobol; correlations |
//! | [`random`] | random numbers from seeds, names by hash |
//! | [`intensity`] | intensity measures of ground motions |
//! | [`fragility`] | fragility curves: stripes, incremental dynamic analysis, cloud; bands |
//! | [`hazard`] | mean annual rate of damage |
//! | [`reliability`] | probability of failure, reliability index, design point |
//! | [`sensitivity`] | rank correlation, tornado |
//! | [`normal`] | the standard normal distribution |
//! | [`study`] | studies: samples of a scene, their journal, table and report |
//! | [`error`] | errors |

pub mod design;
pub mod distribution;
pub mod error;
pub mod fragility;
pub mod hazard;
pub mod intensity;
mod matrix;
mod newton;
pub mod normal;
pub mod random;
pub mod reliability;
pub mod sensitivity;
pub mod sobol;
pub mod study;

pub use error::{EnsembleError, EnsembleResult};
