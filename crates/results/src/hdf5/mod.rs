//! The part of HDF5 that recording needs.
//!
//! A run appends frames to arrays of two and three dimensions, must be readable at any moment, killed or not,
//! and must be able to go back to a checkpoint. Reading must survive any damage. No HDF5 library that builds
//! without C does all this, and the subset of the format that we need is small and frozen, so that it is here.
//! The tests compare every array with what h5py and VTK read.
//!
//! [`skeleton`] lays out a new file, [`writer`] makes it grow, [`read`] reads rows of arrays, [`tree`] is the
//! index of chunks, [`message`] the bytes of the format, [`storage`] where bytes go.

pub mod message;
pub mod read;
pub mod skeleton;
pub mod storage;
pub mod tree;
pub mod writer;
