//! The `voussoir` command; its code is in the library of the same name.

use std::process::ExitCode;

fn main() -> ExitCode {
    voussoir::app::main()
}
