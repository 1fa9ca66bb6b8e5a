//! The part of HDF5 that Voussoir reads and writes, in plain Rust.
//!
//! A run appends frames to arrays of two and three dimensions; the file must be readable at any time, also after a
//! crash, and must be able to revert to a checkpoint. Reading must survive any damage. No HDF5 library without C code
//! does all this, and the required subset of the format is small and frozen; therefore it is implemented here. The
//! tests compare every array with the values that h5py and VTK read.
//!
//! | module | content |
//! |---|---|
//! | [`skeleton`], [`writer`] | a file that grows frame by frame: its layout and its growth |
//! | [`read`] | rows of arrays of such a file |
//! | [`sums`] | checksums of a growing file; `check` compares what is read |
//! | [`whole`] | a file written at once |
//! | [`foreign`] | reading files that the HDF5 library wrote |
//! | [`tree`], [`message`], [`storage`] | the index of chunks, the bytes of the format, the output |

mod check;
pub mod foreign;
pub mod message;
pub mod read;
pub mod skeleton;
pub mod storage;
pub mod sums;
pub mod tree;
pub mod whole;
pub mod writer;
