//! Rules for the source code that the compiler does not check: names of public types, lengths of files and functions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::process::root;

/// Crates of tools and tests: users of the library never see their types.
const TOOLS: [&str; 2] = ["bench", "testing"];

/// Most lines of a file and of a function.
const LONGEST_FILE: usize = 500;
const LONGEST_FUNCTION: usize = 80;

/// All files below a folder with one of the extensions, in the order of their paths.
fn source_files(folder: &Path, extensions: &[&str], files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            // installed packages of the page are not ours
            if !path.ends_with("node_modules") {
                source_files(&path, extensions, files);
            }
        } else if path.extension().is_some_and(|own| extensions.iter().any(|extension| own == *extension)) {
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
        source_files(&folder.join("src"), &["rs"], &mut files);
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

/// The name of the function that starts at a line, with the width of its indentation.
fn function_start(line: &str) -> Option<(&str, usize)> {
    let start = line.trim_start();
    let indentation = line.len() - start.len();
    let visible = start.strip_prefix("pub").map_or(start, |rest| {
        rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest).trim_start()
    });
    let plain = visible.strip_prefix("const ").unwrap_or(visible);
    let name = plain.strip_prefix("fn ")?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    Some((&name[..end], indentation))
}

/// Functions with more than [`LONGEST_FUNCTION`] lines: name and number of lines. Formatted code closes a function with a
/// brace at the indentation of its `fn`; a function without a body ends with a semicolon there.
fn long_functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let Some((name, indentation)) = function_start(line) else { continue };
        let closes = |line: &&str| {
            let brace = line.len() - line.trim_start().len() == indentation && line.trim_start().starts_with('}');
            brace || line.trim_end().ends_with(';') && line.len() - line.trim_start().len() <= indentation
        };
        if line.ends_with('}') || line.ends_with(';') {
            continue;
        }
        let length = lines[i..].iter().skip(1).position(closes).map_or(lines.len() - i, |rows| rows + 2);
        if length > LONGEST_FUNCTION {
            found.push((name.to_owned(), length));
        }
    }
    found
}

#[test]
fn no_file_and_no_function_is_too_long() {
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "fuzz/fuzz_targets"] {
        source_files(&root().join(folder), &["rs"], &mut files);
    }
    source_files(&root().join("crates/view/web"), &["ts", "mjs"], &mut files);
    source_files(&root().join("python"), &["py"], &mut files);
    // keys of scenes, written by python/generate_keys.py
    files.retain(|file| !file.ends_with("python/voussoir/_bodies.py"));
    let mut long = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let place = file.display();
        if text.lines().count() > LONGEST_FILE {
            long.push(format!("{place}: {} lines, more than {LONGEST_FILE}", text.lines().count()));
        }
        // functions of other languages are not recognised
        for (name, length) in long_functions(&text) {
            long.push(format!("{place}: fn {name} has {length} lines, more than {LONGEST_FUNCTION}"));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn lengths_of_functions_are_counted() {
    let body = "    let x = 1;\n".repeat(LONGEST_FUNCTION);
    let text = format!(
        "trait T {{\n    fn declared(&self);\n}}\n\npub(crate) const fn long() {{\n{body}}}\n\nfn short() {{}}\n"
    );
    assert_eq!(long_functions(&text), [("long".to_owned(), LONGEST_FUNCTION + 2)]);
    assert_eq!(function_start("    pub(super) fn inner<T>("), Some(("inner", 4)));
    assert_eq!(function_start("let fn_like = 1;"), None);
}

#[test]
fn definitions_of_public_types_are_recognised() {
    assert_eq!(public_type("pub struct Cable<S: Space> {"), Some("Cable"));
    assert_eq!(public_type("        pub enum Bond {"), Some("Bond"));
    assert_eq!(public_type("pub type Point = [f64; 2];"), Some("Point"));
    assert_eq!(public_type("pub(crate) struct Hidden;"), None);
    assert_eq!(public_type("    type Shape;"), None);
}
