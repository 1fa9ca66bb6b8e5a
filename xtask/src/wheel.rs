//! `cargo xtask wheel`: the Python package, packed, and tested in clean environments.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{output, run as run_process, target};
use crate::python::{interpreter, prepare};

/// Largest wheel [MB].
const LARGEST: f64 = 12.0;

/// Interpreters that a wheel is tested with, as far as they are on the path.
const INTERPRETERS: [&str; 4] = ["python3.10", "python3.11", "python3.12", "python3.13"];

/// What an environment may have once the wheel is installed.
const CLEAN: [&str; 4] = ["numpy", "pip", "setuptools", "voussoir"];

/// Prints the time of an import in a new process [s].
const IMPORT: &str = "import time; start = time.perf_counter(); import voussoir; print(time.perf_counter() - start)";

/// Builds a wheel into `target/wheels`; `--portable` for any Linux with glibc 2.17 or later, through zig. `--check` installs it
/// in clean environments and runs the tests that it contains.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if arguments.iter().any(|word| word != "--portable" && word != "--check") {
        return Err("usage: cargo xtask wheel [--portable] [--check]".to_owned());
    }
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    prepare()?;
    let path = build(has("--portable"))?;
    let size = std::fs::metadata(&path).map_err(|e| format!("{}: {e}", path.display()))?.len() as f64 / 1e6;
    println!("{}: {size:.1} MB", path.display());
    if size > LARGEST {
        return Err(format!("the wheel is larger than {LARGEST} MB"));
    }
    if has("--check") { check(&path) } else { Ok(()) }
}

/// Builds the wheel; returns its path.
fn build(portable: bool) -> Result<PathBuf, String> {
    let folder = target().join("wheels");
    let mut maturin = interpreter();
    maturin.args(["-m", "maturin", "build", "--release", "--strip", "--out"]).arg(&folder);
    if portable {
        run_process(interpreter().args(["-m", "pip", "install", "--quiet", "ziglang"]))?;
        maturin.args(["--zig", "--compatibility", "manylinux_2_17"]);
    }
    run_process(&mut maturin)?;
    let listed = output(Command::new("ls").arg("-t").arg(&folder))?;
    let name = listed.lines().next().ok_or("no wheel was built")?;
    Ok(folder.join(name))
}

/// Installs the wheel in a new environment of every interpreter that is found, and tests it there.
fn check(wheel: &Path) -> Result<(), String> {
    let mut missing = Vec::new();
    for name in INTERPRETERS {
        let found = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            missing.push(name);
            continue;
        }
        check_with(name, wheel).map_err(|error| format!("{name}: {error}"))?;
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("not found on the path: {}", missing.join(", "))) }
}

/// A command in the environment, without this clone's package.
fn clean(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_remove("PYTHONPATH").env_remove("VOUSSOIR_COMMAND");
    command
}

/// A new environment with the wheel and what it requires: its command, its import, and its tests from an empty folder.
fn check_with(name: &str, wheel: &Path) -> Result<(), String> {
    let home = target().join("wheels").join(name);
    run_process(Command::new(name).args(["-m", "venv", "--clear"]).arg(&home))?;
    let python = home.join("bin/python");
    run_process(clean(&python).args(["-m", "pip", "install", "--quiet"]).arg(wheel))?;
    let listed = output(clean(&python).args(["-m", "pip", "list", "--format=freeze"]))?;
    let packages: Vec<&str> = listed.lines().filter_map(|line| line.split("==").next()).collect();
    if let Some(other) = packages.iter().find(|package| !CLEAN.contains(package)) {
        return Err(format!("the wheel brings {other}"));
    }
    let version = output(clean(&home.join("bin/voussoir")).arg("--version"))?;
    let time = |_| output(clean(&python).args(["-c", IMPORT])).map(|text| text.trim().parse().unwrap_or(f64::INFINITY));
    let times = (0..5).map(time).collect::<Result<Vec<f64>, String>>()?;
    let least = times.into_iter().fold(f64::INFINITY, f64::min);
    println!("{name}: {}, {}, import {least:.3} s", version.trim(), packages.join(" "));
    run_process(clean(&python).args(["-m", "pip", "install", "--quiet", "pytest"]))?;
    let empty = home.join("empty");
    std::fs::create_dir_all(&empty).map_err(|e| format!("{}: {e}", empty.display()))?;
    // not by `run_process`, which works in the root: the tests of the wheel, not those of the clone
    let mut pytest = clean(&python);
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "voussoir"]).current_dir(&empty);
    let status = pytest.status().map_err(|e| format!("{}: {e}", python.display()))?;
    if status.success() { Ok(()) } else { Err(format!("the tests of the wheel ended with {status}")) }
}
