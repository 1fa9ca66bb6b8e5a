//! HDF5 files of FCLIB, the library of frictional contact problems (Acary, Brémond, Huber, 2014).
//!
//! A file has one group, `/fclib_local` (matrix W, vectors q, mu) or `/fclib_global` (matrices M and H, vectors f, w,
//! mu), and perhaps `/guesses`. A matrix is a group m, n, nzmax, nz, p, i, x: nz = −1 is compressed columns, −2
//! compressed rows, ≥ 0 that many triplets with columns in p and rows in i.
//!
//! Files written by Voussoir have additional attributes, which other programs ignore: on `info` the `step`, `time` and
//! `title` of the simulation, and on `/fclib_global` the number of `compliant_unknowns`.

mod read;
mod write;

pub use read::read;
pub use write::{encode, write};

/// Attribute of `/fclib_global`: number of unknowns that represent compliance.
const COMPLIANT: &str = "compliant_unknowns";
