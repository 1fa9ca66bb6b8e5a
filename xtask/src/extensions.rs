//! Example extensions: the patches in `docs/extensions` add a generator, a bond law, a contact solver and a probe.
//!
//! A test checks that each patch applies and touches only the files that ARCHITECTURE.md names for its kind.
//! `cargo xtask extensions` applies all of them to a copy of the source and runs the tests there, which the new parts
//! join through their lists.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{cargo, root, run as run_process, target};

/// Kinds of extensions, as in the table of ARCHITECTURE.md, and the names of their patches.
const EXTENSIONS: [(&str, &str); 4] = [
    ("bond law", "bond-law.patch"),
    ("contact solver", "contact-solver.patch"),
    ("generator", "generator.patch"),
    ("probe", "probe.patch"),
];

/// Test binaries that new laws and solvers join.
const TESTS: [&str; 2] = ["contact", "mechanics"];

fn patch(name: &str) -> PathBuf {
    root().join("docs/extensions").join(name)
}

/// Applies all patches to a copy of the source in `target/extensions` and runs the tests there.
pub fn run() -> Result<(), String> {
    let copy = target().join("extensions/source");
    let _ = std::fs::remove_dir_all(&copy);
    let prefix = format!("--prefix={}/", copy.display());
    run_process(Command::new("git").args(["checkout-index", "--all"]).arg(prefix))?;
    for (_, name) in EXTENSIONS {
        // the copy is no repository: git must not find the one around it
        let mut apply = Command::new("sh");
        apply.args(["-c", "cd \"$0\" && exec git apply -C1 \"$1\""]).arg(&copy).arg(patch(name));
        run_process(apply.env("GIT_CEILING_DIRECTORIES", target()))?;
    }
    let in_copy = |command: &str| {
        let mut cargo = cargo(&[command, "--workspace", "--manifest-path"]);
        cargo.arg(copy.join("Cargo.toml")).env("CARGO_TARGET_DIR", target().join("extensions/target"));
        cargo
    };
    run_process(in_copy("check").arg("--all-targets"))?;
    run_process(in_copy("test").args(TESTS.iter().flat_map(|name| ["--test", name])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files that the row of ARCHITECTURE.md for this kind of extension names, relative to `crates`.
    fn named_files(kind: &str) -> Vec<String> {
        let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
        let start = format!("| {kind} |");
        let row = text.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row `{kind}`"));
        row.split('`').skip(1).step_by(2).filter(|word| word.ends_with(".rs")).map(str::to_owned).collect()
    }

    /// Files that a patch changes, relative to `crates`; a new file has the name `NAME.rs`.
    fn touched_files(patch: &str) -> Vec<String> {
        let lines: Vec<&str> = patch.lines().collect();
        let changed = lines.windows(2).filter_map(|pair| {
            let path = pair[1].strip_prefix("+++ b/crates/")?;
            let (folder, _) = path.rsplit_once('/')?;
            Some(if pair[0] == "--- /dev/null" { format!("{folder}/NAME.rs") } else { path.to_owned() })
        });
        changed.collect()
    }

    #[test]
    fn example_extensions_touch_only_files_that_the_architecture_names() {
        for (kind, name) in EXTENSIONS {
            let named = named_files(kind);
            let touched = touched_files(&std::fs::read_to_string(patch(name)).unwrap());
            assert!(touched.len() > 1, "{name}");
            for file in &touched {
                assert!(named.contains(file), "{name} changes {file}, which ARCHITECTURE.md does not name: {named:?}");
            }
            if kind == "bond law" || kind == "generator" {
                assert!(touched.len() <= 3, "{name} touches {touched:?}");
            }
        }
    }

    #[test]
    fn example_extensions_apply() {
        if !root().join(".git").exists() {
            // a source archive has no repository that git could check
            return;
        }
        for (_, name) in EXTENSIONS {
            let mut check = Command::new("git");
            run_process(check.args(["apply", "--check", "-C1"]).arg(patch(name)))
                .unwrap_or_else(|reason| panic!("{name} follows the code no longer: {reason}"));
        }
    }
}
