//! Arguments and words of `stand`, `limit` and `pushover`.
//!
//! | module | what lives there |
//! |---|---|
//! | [`ask`] | loads, directions and strengths as a user types them |
//! | [`vary`] | arguments of a search |
//! | [`words`] | answers in a few lines |

pub mod ask;
pub mod vary;
pub mod words;
