//! Benchmarks and studies over the whole workspace; `cargo xtask` builds and starts this program in the release profile.
//!
//! It is a package of its own so that `cargo xtask test` does not have to build the solvers first.

mod clock;
mod collapse;
mod detection;
mod elastic;
mod explicit;
mod growth;
mod ice;
mod lmgc90;
mod page;
mod pictures;
mod place;
mod recording;
mod solvers;
mod statics;
mod steps;
mod tolerance;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["bench", "collapse", ..] => collapse::run(&arguments[2..]),
        ["bench", "page", ..] => page::run(&arguments[2..]),
        ["bench", "recording", ..] => recording::run(&arguments[2..]),
        ["bench", "ice", ..] => ice::run(&arguments[2..]),
        ["bench", "elastic", ..] => elastic::run(&arguments[2..]),
        ["bench", "explicit", ..] => explicit::run(&arguments[2..]),
        ["bench", "growth", ..] => growth::run(&arguments[2..]),
        ["bench", "solvers", ..] => solvers::run(&arguments[2..]),
        ["bench", "tolerance", ..] => tolerance::run(&arguments[2..]),
        ["bench", ..] => steps::run(&arguments[1..]),
        ["statics", ..] => statics::run(&arguments[1..]),
        ["detection"] => detection::run(),
        ["pictures"] => pictures::run(),
        ["lmgc90", ..] => lmgc90::run(&arguments[1..]),
        _ => Err("see `cargo xtask help`".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}
