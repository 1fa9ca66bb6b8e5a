//! Arguments and texts of `stand`, `limit` and `pushover`.
//!
//! | module | content |
//! |---|---|
//! | [`ask`] | arguments for loads, solvers and strengths |
//! | [`vary`] | arguments of a search |
//! | [`words`] | answers as text |

pub mod ask;
pub mod vary;
pub mod words;
