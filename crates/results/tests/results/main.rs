//! Results folders, exports, pictures and reports of a made-up run.

mod checksums;
mod common;
mod damage;
mod exports;
mod forms;
mod fragments;
mod openings;
mod picture;
mod python;
mod report;
mod restart;
mod round_trip;
