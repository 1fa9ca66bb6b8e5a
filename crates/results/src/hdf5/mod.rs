//! The part of HDF5 that recording needs.
//!
//! Writing is our own: a run appends frames to arrays of two and three dimensions, must be readable at any
//! moment, killed or not, and must be able to go back to a checkpoint. The crate that we read with appends
//! to arrays of one dimension only and cannot take an append back. The format subset is small and frozen;
//! every file is checked by h5py, VTK and the independent reader in the tests.
//!
//! [`skeleton`] lays out a new file, [`writer`] makes it grow, [`tree`] is the index of chunks, [`message`]
//! the bytes of the format, [`storage`] where bytes go, [`read`] the only place that calls the reader crate.

pub mod message;
pub mod read;
pub mod skeleton;
pub mod storage;
pub mod tree;
pub mod writer;
