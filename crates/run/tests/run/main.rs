//! The loop over stages, and everything that watches it.

mod loops;
mod toy_analysis;
