//! Files of contact problems: round trips, damaged files, the collection of published problems.

mod collection;
mod common;
mod damage;
mod round_trip;
