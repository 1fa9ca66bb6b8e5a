//! The part of HDF5 that Voussoir reads and writes, in plain Rust.
//!
//! A run appends frames to arrays of two and three dimensions, must be readable at any moment, killed or not,
//! and must be able to go back to a checkpoint. Reading must survive any damage. No HDF5 library that builds
//! without C does all this, and the subset of the format that we need is small and frozen, so that it is here.
//! The tests compare every array with what h5py and VTK read.
//!
//! | module | what lives there |
//! |---|---|
//! | [`skeleton`], [`writer`] | a file that grows frame by frame: laid out, and made to grow |
//! | [`read`] | rows of arrays of such a file |
//! | [`whole`] | a file written in one go |
//! | [`foreign`] | reading files that the HDF5 library wrote |
//! | [`tree`], [`message`], [`storage`] | the index of chunks, the bytes of the format, where bytes go |

pub mod foreign;
pub mod message;
pub mod read;
pub mod skeleton;
pub mod storage;
pub mod tree;
pub mod whole;
pub mod writer;
