//! Rules for the source code that the compiler does not check: names of public types.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::process::root;

/// Crates of tools and tests: users of the library never see their types.
const TOOLS: [&str; 2] = ["bench", "testing"];

/// All Rust files below a folder, in the order of their paths.
fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The name of the public type that a line defines.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let name = ["struct ", "enum ", "trait ", "type ", "union "].iter().find_map(|word| rest.strip_prefix(word))?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    Some(&name[..end])
}

#[test]
fn no_two_public_types_share_a_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        if TOOLS.iter().any(|tool| folder.ends_with(tool)) {
            continue;
        }
        let mut files = Vec::new();
        rust_files(&folder.join("src"), &mut files);
        for file in files {
            for (i, line) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
                if let Some(name) = public_type(line) {
                    places.entry(name.to_owned()).or_default().push(format!("{}:{}", file.display(), i + 1));
                }
            }
        }
    }
    assert!(places.len() > 300, "only {} types found: the search is broken", places.len());
    let shared: Vec<String> = places
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    let advice = "rename one, or make a type that its module does not export `pub(crate)` or `pub(super)`";
    assert!(shared.is_empty(), "public types that share a name:\n{}\n{advice}", shared.join("\n"));
}

#[test]
fn definitions_of_public_types_are_recognised() {
    assert_eq!(public_type("pub struct Cable<S: Space> {"), Some("Cable"));
    assert_eq!(public_type("        pub enum Bond {"), Some("Bond"));
    assert_eq!(public_type("pub type Point = [f64; 2];"), Some("Point"));
    assert_eq!(public_type("pub(crate) struct Hidden;"), None);
    assert_eq!(public_type("    type Shape;"), None);
}
