//! A compiler for wasm32-unknown-unknown: that of this toolchain if it has the target, or one made of Debian packages.
//!
//! Debian's `rustc-web` with the sources of its standard library (`rust-web-src`) is unpacked into a folder of the target
//! directory and used for this target only; cargo builds the standard library with it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, output, run, target};

/// The target.
const TARGET: &str = "wasm32-unknown-unknown";

/// A compiler that knows the target.
pub enum Compiler {
    /// This toolchain.
    Own,
    /// Debian's, unpacked in this folder.
    Debian(PathBuf),
}

impl Compiler {
    /// Builds a package for wasm32 and returns the folder of what was built.
    pub fn build(&self, package: &str) -> (Command, PathBuf) {
        let folder = target().join("wasm");
        let mut command = cargo(&["build", "--quiet", "--profile", "wasm", "--target", TARGET, "--package", package]);
        command.arg("--target-dir").arg(&folder);
        if let Self::Debian(home) = self {
            command.args(["-Z", "build-std=std,panic_abort"]).env("RUSTC_BOOTSTRAP", "1");
            command.env("RUSTC", home.join("rustc")).env("CARGO_ENCODED_RUSTFLAGS", "");
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", home.join("wasm-ld"));
        }
        (command, folder.join(TARGET).join("wasm"))
    }
}

/// The packages, in a sentence.
pub fn describe() -> String {
    format!("a compiler for wasm32 (Debian packages rustc-web, rust-web-src and lld, unpacked in {})", home().display())
}

/// The compiler, if there is one.
pub fn find() -> Option<Compiler> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let own = output(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]));
    if own.is_ok_and(|folder| Path::new(folder.trim()).exists()) {
        return Some(Compiler::Own);
    }
    let home = home();
    (home.join("rustc").exists() && home.join("wasm-ld").exists()).then_some(Compiler::Debian(home))
}

/// Downloads and unpacks the Debian packages; nothing is installed on the system.
pub fn install() -> Result<(), String> {
    let home = home();
    let packed = home.join("packages");
    std::fs::create_dir_all(&packed).map_err(|e| format!("{}: {e}", packed.display()))?;
    if let Err(reason) = run(Command::new("apt-get").args(["update", "--quiet"])) {
        // only root may update the lists of packages; they may be there already
        println!("{reason}");
    }
    let library = dependency("libstd-rust-web-dev", "libstd-rust-web-")?;
    let llvm = dependency(&library, "libllvm")?;
    let lld = llvm.replace("libllvm", "lld-");
    let packages = ["rustc-web", "libstd-rust-web-dev", "rust-web-src", &library, &llvm, &lld];
    for package in packages {
        // apt-get writes into the folder where it is started
        let script = "cd \"$0\" && exec apt-get download --quiet \"$1\"";
        run(Command::new("sh").args(["-c", script]).arg(&packed).arg(package))?;
    }
    let files = std::fs::read_dir(&packed).map_err(|e| format!("{}: {e}", packed.display()))?;
    for file in files.filter_map(Result::ok) {
        run(Command::new("dpkg-deb").arg("--extract").arg(file.path()).arg(&home))?;
    }
    std::fs::remove_dir_all(&packed).map_err(|e| format!("{}: {e}", packed.display()))?;
    let version = lld.trim_start_matches("lld-");
    starter(&home, "wasm-ld", &format!("usr/bin/wasm-ld-{version}"))?;
    starter(&home, "rustc", "usr/bin/rustc")
}

/// The package whose name starts with `prefix` among those that `package` depends on.
fn dependency(package: &str, prefix: &str) -> Result<String, String> {
    let listed = output(Command::new("apt-cache").args(["depends", package]))?;
    let mut names = listed.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    let found = names.find(|name| name.starts_with(prefix)).map(str::to_owned);
    found.ok_or_else(|| format!("the Debian package {package} is not there, or depends on no {prefix}…"))
}

/// Writes a script that starts a program of the folder with the libraries of the folder.
fn starter(home: &Path, name: &str, program: &str) -> Result<(), String> {
    let path = home.join(name);
    let (libraries, program) = (home.join("usr/lib/x86_64-linux-gnu"), home.join(program));
    let text = format!("#!/bin/sh\nLD_LIBRARY_PATH={libraries:?} exec {program:?} \"$@\"\n");
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    run(Command::new("chmod").arg("+x").arg(path))
}

fn home() -> PathBuf {
    target().join("wasm-compiler")
}
