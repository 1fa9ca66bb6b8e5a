//! Developers' commands.
//!
//! * `cargo xtask test`: formatting, lints, all tests; prepares the Python environment and the browser that
//!   some tests use.
//! * `cargo xtask bench [SCENE …]`: the reference scenes, timed; a CSV beside the table.
//! * `cargo xtask bench growth`: static problems of walls up to 100 000 blocks, on one thread and on all.
//! * `cargo xtask bench page`: how soon the page of 10 000 blocks and 1 000 frames opens, and how fast it plays.
//! * `cargo xtask bench recording`: bytes and time that results take, for 3 300 blocks that stand or fall.
//! * `cargo xtask bench solvers`: every contact solver on problems of others and of ours, with Siconos beside them.
//! * `cargo xtask bench collapse`: factorisations per step while structures fall.
//! * `cargo xtask detection`: what contact detection costs.
//! * `cargo xtask statics [SCENE …]`: verdicts and collapse multipliers, timed beside clarabel.
//! * `cargo xtask pictures`: the drawings of the documentation.
//! * `cargo xtask gallery [NAME …]`: every example run and drawn.
//! * `cargo xtask docs`: the book.
//! * `cargo xtask lmgc90 FOLDER`: LMGC90's own examples, imported, run and compared.

mod bench;
mod browser;
mod collapse;
mod detection;
mod docs;
mod gallery;
mod growth;
mod lmgc90;
mod page;
mod pictures;
mod process;
mod python;
mod recording;
mod solvers;
mod statics;
mod test;
mod validation_page;

use std::process::ExitCode;

const HELP: &str = "cargo xtask COMMAND

  test                 formatting, lints, documentation and all tests, with all the set-up they need
  bench [SCENE …]      reference scenes: contacts, ms per step cold and steady, Newton steps, and the ratio to one
                       factorisation + solve of the same matrix; writes target/bench.csv
  bench collapse [WORD …]
                       factorisations per step while structures fall; writes target/collapse.csv
  bench growth [BLOCKS]
                       static problems of walls of up to 100 000 blocks, from cold, on one thread and on all;
                       writes target/growth.csv
  bench page [BLOCKS] [FRAMES] [FOLDER]
                       how soon the page of a large run opens and how fast it plays, in Chromium
  bench recording [STEPS] [FOLDER]
                       bytes and time of results.vtkhdf for 3 300 blocks that stand, fall in part, or all fall
  bench solvers [--limit SECONDS] [--without-siconos] [WORD …]
                       every solver on VOUSSOIR_DATA/fc-problems and on our own problems, Siconos' where it is
                       installed; writes target/solvers.csv and the profiles in docs/pictures
  detection            contact detection: cold and coherent, by method and by number of blocks
  statics [SCENE …]    stand and limit from cold, limit also by clarabel; writes target/statics.csv
  pictures             the drawings of docs/contact-detection.md, by the detection they are about
  gallery [NAME …]     runs and draws the examples; pictures and a page of the book, in docs/
  docs                 the book, built with mdBook into target/book
  lmgc90 FOLDER        LMGC90's own aqueduct and bridge, if you have them: imported, run and compared
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.first().map(String::as_str) {
        Some("test") => test::run(),
        Some("bench") => match arguments.get(1).map(String::as_str) {
            Some("collapse") => collapse::run(&arguments[2..]),
            Some("page") => page::run(&arguments[2..]),
            Some("recording") => recording::run(&arguments[2..]),
            Some("growth") => growth::run(&arguments[2..]),
            Some("solvers") => solvers::run(&arguments[2..]),
            _ => bench::run(&arguments[1..]),
        },
        Some("statics") => statics::run(&arguments[1..]),
        Some("detection") => detection::run(&arguments[1..]),
        Some("pictures") => pictures::run(),
        Some("gallery") => gallery::run(&arguments[1..]),
        Some("docs") => docs::run(),
        Some("lmgc90") => lmgc90::run(&arguments[1..]),
        Some("help" | "--help" | "-h") | None => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("there is no command `{other}`\n\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
