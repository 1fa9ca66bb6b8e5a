//! `cargo xtask python`: the Python package, built in this clone and tested.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, root, run as run_process, target};

/// Packages of the environment; a change of this list makes it anew.
const PACKAGES: [&str; 8] =
    ["numpy", "pytest", "hypothesis", "pandas", "xarray", "mypy", "typing_extensions", "maturin>=1.8,<2"];

/// Packages that some tests compare with or go through; a test without its package is skipped.
const PEERS: [&str; 12] = [
    "compas==2.15.*",
    "compas_dem==0.6.*",
    "compas_assembly==0.7.*",
    "compas_cra==0.8.*",
    "dask[distributed]",
    "pyarrow",
    "anywidget",
    "SALib",
    "scipy",
    "statsmodels",
    "openturns",
    "matplotlib",
];

/// What the tests do a hundred or a thousand times with `--long`.
const LONG: [(&str, &str); 7] = [
    ("VOUSSOIR_ALL", "1"),
    ("VOUSSOIR_ARCHES", "1000"),
    ("VOUSSOIR_KILLS", "100"),
    ("VOUSSOIR_MANY", "10000"),
    ("VOUSSOIR_RANDOM", "100000"),
    ("VOUSSOIR_SAMPLES", "1000"),
    ("VOUSSOIR_TIMING", "1"),
];

/// The environment.
fn home() -> PathBuf {
    target().join("python-package")
}

/// Its interpreter, with this clone's package.
pub fn interpreter() -> Command {
    let mut command = Command::new(home().join("bin/python"));
    command.env("PYTHONPATH", root().join("python"));
    command
}

/// Makes the environment, unless it is there.
pub fn prepare() -> Result<(), String> {
    let stamp = home().join("packages.txt");
    let wanted = [PACKAGES.as_slice(), PEERS.as_slice()].concat().join(" ");
    if std::fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    let python = std::env::var_os("VOUSSOIR_PYTHON").unwrap_or_else(|| "python3".into());
    println!("installing {} into {}", PACKAGES.join(", "), home().display());
    run_process(Command::new(python).args(["-m", "venv", "--clear"]).arg(home()))?;
    run_process(interpreter().args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
    if let Err(error) = run_process(interpreter().args(["-m", "pip", "install", "--quiet"]).args(PEERS)) {
        println!("{error}: tests that need {} are skipped", PEERS.join(", "));
    }
    std::fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))
}

/// Builds the native part and the command, and puts the native part into the package of this clone.
fn build() -> Result<(), String> {
    // together: each alone would build the crates below with other features
    run_process(&mut cargo(&["build", "--release", "--package", "voussoir-python", "--package", "voussoir"]))?;
    let made = ["lib_native.so", "lib_native.dylib"].map(|name| target().join("release").join(name));
    let from = made.iter().find(|path| path.exists()).ok_or("the native part was not built")?;
    place(from, &root().join("python/voussoir/_native.abi3.so"))
}

/// Copies a file in one move: a process that uses the old one keeps it.
fn place(from: &Path, to: &Path) -> Result<(), String> {
    let fresh = to.with_extension("new");
    std::fs::copy(from, &fresh).map_err(|e| format!("{}: {e}", from.display()))?;
    std::fs::rename(&fresh, to).map_err(|e| format!("{}: {e}", to.display()))
}

/// Builds the package and checks it: generated files, tests, types. `--write` writes the generated files, `--long` runs the
/// long tests too; further arguments go to pytest.
pub fn run(arguments: &[String]) -> Result<(), String> {
    prepare()?;
    build()?;
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let (write, long) = (has("--write"), has("--long"));
    let rest = arguments.iter().filter(|argument| !["--write", "--long"].contains(&argument.as_str()));
    for generate in ["python/generate_keys.py", "python/generate_examples.py", "python/generate_api.py"] {
        run_process(interpreter().arg(root().join(generate)).args(if write { None } else { Some("--check") }))?;
    }
    let tests = root().join("python/voussoir/tests");
    let mut pytest = interpreter();
    pytest.args(["-m", "pytest", "-q", "--durations=5"]).arg(tests).args(rest);
    // the command of Rust, to be compared with
    pytest.env("VOUSSOIR_COMMAND", target().join("release/voussoir"));
    if long {
        pytest.envs(LONG);
    }
    run_process(&mut pytest)?;
    run_process(interpreter().args(["-m", "mypy", "--strict"]))?;
    run_process(interpreter().args(["-m", "mypy.stubtest", "voussoir._native", "--ignore-disjoint-bases"]))
}
