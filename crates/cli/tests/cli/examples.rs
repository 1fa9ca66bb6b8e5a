//! The scenes of the folder `examples`: each gives the number in its comments, and is in the gallery.

use std::path::{Path, PathBuf};

use voussoir_testing::example::{Example, Quantity};

use crate::common::Workshop;

/// A file or folder of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn examples() -> Vec<Example> {
    Example::all(&repository("examples")).unwrap()
}

/// Rows of a column of history.csv, with their times.
fn column(history: &Path, name: &str) -> Result<Vec<(f64, f64)>, String> {
    let text = std::fs::read_to_string(history).map_err(|e| format!("{}: {e}", history.display()))?;
    let mut lines = text.lines();
    let heads: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let find = |name: &str| heads.iter().position(|head| *head == name).ok_or(format!("no column {name}"));
    let (time, value) = (find("time_s")?, find(name)?);
    let number = |cell: &str| cell.parse::<f64>().map_err(|e| format!("{cell}: {e}"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            Ok((number(cells[time])?, number(cells[value])?))
        })
        .collect()
}

/// The number that an example asks for.
fn measure(quantity: &Quantity, answer: &serde_json::Value, history: &Path) -> Result<f64, String> {
    let first = |name: &str, holds: &dyn Fn(f64) -> bool| {
        let row = column(history, name)?.into_iter().find(|(_, value)| holds(*value));
        row.map(|(time, _)| time).ok_or(format!("{name} never gets there"))
    };
    match quantity {
        Quantity::Json(path) => {
            let pointer: String = path.split(['.', '[']).map(|key| format!("/{}", key.trim_end_matches(']'))).collect();
            answer.pointer(&pointer).and_then(serde_json::Value::as_f64).ok_or(format!("no number {path} in {answer}"))
        }
        Quantity::At(name, time) => {
            let rows = column(history, name)?;
            let nearest = rows.iter().min_by(|a, b| (a.0 - time).abs().total_cmp(&(b.0 - time).abs()));
            nearest.map(|(_, value)| *value).ok_or("an empty history".to_owned())
        }
        Quantity::Largest(name) => Ok(column(history, name)?.into_iter().map(|row| row.1).fold(f64::MIN, f64::max)),
        Quantity::WhenAbove(name, level) => first(name, &|value| value > *level),
        Quantity::WhenBelow(name, level) => first(name, &|value| value < *level),
    }
}

/// Runs the command of an example and compares.
fn compare(shop: &Workshop, example: &Example) -> Result<(), String> {
    let scene = repository("examples").join(format!("{}.toml", example.name));
    let (scene, out) = (scene.to_string_lossy().into_owned(), shop.path(&example.name));
    let mut arguments = vec![example.command[0].as_str(), &scene];
    arguments.extend(example.command[1..].iter().map(String::as_str));
    let folder = out.to_string_lossy().into_owned();
    // analyses without time leave a folder of pictures that no number is read from
    if example.command[0] == "run" {
        arguments.extend(["-o", &folder]);
    }
    arguments.extend(["--json", "--threads", "1"]);
    let answer = shop.run(&arguments);
    if answer.0.status.code() != Some(0) {
        return Err(format!("exit code {:?}: {}", answer.0.status.code(), answer.stderr()));
    }
    let expect = &example.expect;
    let found = measure(&expect.quantity, &answer.json(), &out.join("history.csv"))?;
    if (found - expect.value).abs() <= expect.tolerance {
        return Ok(());
    }
    Err(format!("{} = {found}; expected {} within {}", expect.quantity_text, expect.value_text, expect.tolerance_text))
}

#[test]
fn every_example_gives_the_number_that_it_promises() {
    let shop = Workshop::new();
    let mut failures = Vec::new();
    for example in examples() {
        let clock = std::time::Instant::now();
        let result = compare(&shop, &example);
        println!("{:24} {:6.2} s", example.name, clock.elapsed().as_secs_f64());
        if let Err(reason) = result {
            failures.push(format!("{}: {reason}", example.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_example_is_short_and_in_the_gallery_with_its_number_and_picture() {
    let page = std::fs::read_to_string(repository("docs/gallery.md")).unwrap();
    let examples = examples();
    assert!(examples.len() >= 20, "{} examples", examples.len());
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), examples.len(), "cargo xtask gallery writes docs/gallery.md");
    for Example { name, title, text, words, expect, .. } in &examples {
        assert!(text.lines().count() <= 40, "{name}: {} lines", text.lines().count());
        assert!(!words.is_empty() && !expect.source.is_empty(), "{name}: no words or no source");
        let section = sections.iter().find(|section| section.contains(&format!("(pictures/{name}.svg)")));
        let section = section.unwrap_or_else(|| panic!("{name} is not in docs/gallery.md"));
        assert!(section.starts_with(title.as_str()), "{name}: another title");
        assert!(section.contains(&expect.sentence()), "{name}: another number in docs/gallery.md");
        let picture = repository(&format!("docs/pictures/{name}.svg"));
        let size = std::fs::metadata(&picture).unwrap_or_else(|e| panic!("{}: {e}", picture.display())).len();
        assert!(size > 500 && size < 150_000, "{}: {size} bytes", picture.display());
    }
}

#[test]
fn every_example_is_checked_without_warnings() {
    let shop = Workshop::new();
    for example in examples() {
        let scene = repository("examples").join(format!("{}.toml", example.name));
        let check = shop.run(&["check", scene.to_str().unwrap(), "--json"]).expect(0).json();
        // analyses without time need no stages; fields of floes report their concentration and sizes
        let allowed = |warning: &str| {
            example.command[0] != "run" && warning.contains("[[stages]]") || warning.contains("floes, concentration")
        };
        let warnings =
            check["warnings"].as_array().unwrap().iter().filter(|warning| !allowed(warning.as_str().unwrap()));
        assert_eq!(warnings.count(), 0, "{}: {check}", example.name);
        assert_eq!(check["overlaps"], 0, "{}", example.name);
    }
}
