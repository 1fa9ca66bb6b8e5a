//! The server of the page.

mod server;
