//! HDF5 files: read and written by other programs, and damaged.

mod damage;
mod python;
