//! Builds the page with npm and hands it to the crate. Without Node, or when npm fails, the crate builds all the same
//! and says what was missing when the page is asked for.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Files of the page, as vite writes them.
const FILES: [&str; 3] = ["index.html", "page.js", "page.css"];

fn main() {
    let web = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("web");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for watched in ["src", "index.html", "package.json", "package-lock.json", "vite.config.ts", ".npmrc", "dist"] {
        println!("cargo::rerun-if-changed={}", web.join(watched).display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-env-changed=VOUSSOIR_WITHOUT_PAGE");

    let missing = page(&web, &out).err().unwrap_or_default();
    if !missing.is_empty() {
        println!("cargo::warning=the page of `voussoir view` is left out: {missing}");
        for file in FILES {
            // an empty file stands for a page that is not there
            let _ = fs::write(out.join(file), "");
        }
    }
    let _ = fs::write(out.join("missing.txt"), missing);
}

/// Builds the page into `out`; an error says what was missing.
fn page(web: &Path, out: &Path) -> Result<(), String> {
    if env::var_os("VOUSSOIR_WITHOUT_PAGE").is_some() {
        return Err("VOUSSOIR_WITHOUT_PAGE was set".to_owned());
    }
    // a published crate has the built page instead of its sources
    if !web.join("package.json").exists() {
        let copy = |file| fs::copy(web.join("dist").join(file), out.join(file));
        return FILES.into_iter().try_for_each(|file| copy(file).map(|_| ()).map_err(|e| format!("{file}: {e}")));
    }
    let version = Command::new("node").arg("--version").output();
    let version = version.map_err(|_| "Node (18 or later) was not found".to_owned())?;
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    let major: u32 = version.trim_start_matches('v').split('.').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    if major < 18 {
        return Err(format!("Node 18 or later is needed, {version} was found"));
    }
    if !installed(web) {
        npm(web, &["ci", "--no-audit", "--no-fund"])?;
    }
    npm(web, &["run", "--silent", "build", "--", "--outDir", &out.display().to_string(), "--logLevel", "error"])
}

/// True when the packages are those of the lock file.
fn installed(web: &Path) -> bool {
    let changed = |path: PathBuf| fs::metadata(path).and_then(|data| data.modified()).ok();
    let (wanted, have) = (changed(web.join("package-lock.json")), changed(web.join("node_modules/.package-lock.json")));
    have.is_some() && have >= wanted
}

fn npm(web: &Path, arguments: &[&str]) -> Result<(), String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let line = format!("npm {}", arguments[0]);
    let ended = Command::new(program).args(arguments).current_dir(web).output();
    let ended = ended.map_err(|_| "npm was not found beside Node".to_owned())?;
    if ended.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&ended.stderr).into_owned() + &String::from_utf8_lossy(&ended.stdout);
    let telling = |line: &&str| !line.trim().is_empty() && !line.starts_with("npm warn");
    let reason: Vec<&str> = text.lines().filter(telling).take(4).map(str::trim).collect();
    Err(format!("`{line}` failed: {}", reason.join("; ")))
}
