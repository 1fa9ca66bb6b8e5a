//! The `voussoir` command.
fn main() {}
