//! A scene with another value of one of its numbers.
//!
//! `arch.thickness` is the key of the body (load, material) `arch`; `joints[0].friction`, `bodies.arch.span` and
//! `materials.stone.density` are paths from the top; a list without a number takes all its items, so that
//! `joints.friction`, or just `friction`, is that of all joints. `tilt_deg` and `acceleration` are not keys of the
//! scene: they tilt the ground, and accelerate it in g, along a direction.

use toml::{Table, Value};

use crate::error::{Result, RunError};

/// Values beside the keys of the scene.
pub const BESIDE: [&str; 2] = ["tilt_deg", "acceleration"];

/// The text of a scene in which a key has another value.
pub fn with_value(text: &str, key: &str, value: f64) -> Result<String> {
    let mut scene: Table =
        text.parse().map_err(|error: toml::de::Error| RunError::input(error.message().to_owned()))?;
    let unknown = || {
        RunError::input(format!("the scene has no numeric key \"{key}\""))
            .with_help("examples: arch.thickness, friction, joints[0].friction, materials.stone.density, tilt_deg")
    };
    let steps = steps(key).ok_or_else(unknown)?;
    if set_somewhere(&mut scene, &steps, value) == 0 {
        return Err(unknown());
    }
    toml::to_string(&scene).map_err(|error| RunError::input(error.to_string()))
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Word(String),
    Index(usize),
}

/// `a.b[2].c` → a, b, 2, c.
fn steps(key: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in key.split('.') {
        let (word, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if word.is_empty() {
            return None;
        }
        steps.push(Step::Word(word.to_owned()));
        while let Some(inside) = rest.strip_prefix('[') {
            let (number, after) = inside.split_once(']')?;
            steps.push(Step::Index(number.trim().parse().ok()?));
            rest = after;
        }
        if !rest.is_empty() {
            return None;
        }
    }
    Some(steps)
}

/// Sets a value at a path from the top, in a named item of a list, or in all joints; returns the number of places.
fn set_somewhere(scene: &mut Table, path: &[Step], value: f64) -> usize {
    let Some(Step::Word(first)) = path.first() else { return 0 };
    // a path from the top
    if scene.contains_key(first) || (path.len() == 1 && ["gravity", "depth"].contains(&first.as_str())) {
        return set_in_table(scene, path, value);
    }
    // a key of something that has this name
    for list in ["bodies", "loads", "materials"] {
        let found = match scene.get_mut(list) {
            Some(Value::Array(items)) => items.iter_mut().find(|item| name(item) == Some(first)),
            Some(Value::Table(items)) => items.get_mut(first),
            _ => None,
        };
        if let Some(item) = found.filter(|_| path.len() > 1) {
            return set(item, &path[1..], value);
        }
    }
    match (first.as_str(), scene.get_mut("joints")) {
        ("friction", Some(joints)) => set(joints, path, value),
        _ => 0,
    }
}

fn name(item: &Value) -> Option<&str> {
    item.get("name").and_then(Value::as_str)
}

fn set(place: &mut Value, path: &[Step], value: f64) -> usize {
    match (place, path) {
        (place @ (Value::Float(_) | Value::Integer(_)), []) => {
            *place = Value::Float(value);
            1
        }
        (Value::Table(table), [Step::Word(_), ..]) => set_in_table(table, path, value),
        (Value::Array(items), [Step::Index(i), rest @ ..]) => {
            items.get_mut(*i).map_or(0, |item| set(item, rest, value))
        }
        (Value::Array(items), [Step::Word(word), rest @ ..]) => {
            if let Some(item) = items.iter_mut().find(|item| name(item) == Some(word)) {
                return set(item, rest, value);
            }
            items.iter_mut().map(|item| set(item, path, value)).sum()
        }
        _ => 0,
    }
}

/// A key that is absent has its default value: it is written if the schema has it.
fn set_in_table(table: &mut Table, path: &[Step], value: f64) -> usize {
    let Some((Step::Word(word), rest)) = path.split_first() else { return 0 };
    match table.get_mut(word) {
        Some(inner) => set(inner, rest, value),
        None if rest.is_empty() => {
            table.insert(word.clone(), Value::Float(value));
            1
        }
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = r#"
        gravity = 9.81
        joints = [{ between = ["a", "a"], friction = 0.5 }, { between = ["a", "b"], friction = 0.6 }]
        materials.a.density = 2000.0
        materials.b.density = 1000
        [[bodies]]
        name = "arch"
        thickness = 0.5
        [[loads]]
        name = "push"
        force = [1.0, 0.0]
    "#;

    fn changed(key: &str) -> Vec<f64> {
        let text = with_value(SCENE, key, 7.0).unwrap_or_else(|error| panic!("{key}: {error}"));
        let scene: Table = text.parse().unwrap();
        let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
        let of = |path: &[&str]| {
            let mut place = &Value::Table(scene.clone());
            for step in path {
                place = step.parse::<usize>().map_or_else(|_| &place[*step], |i| &place[i]);
            }
            number(place).unwrap()
        };
        vec![
            of(&["gravity"]),
            of(&["joints", "0", "friction"]),
            of(&["joints", "1", "friction"]),
            of(&["materials", "b", "density"]),
            of(&["bodies", "0", "thickness"]),
            of(&["loads", "0", "force", "0"]),
        ]
    }

    #[test]
    fn keys_are_found_from_the_top_and_by_name() {
        let same = [9.81, 0.5, 0.6, 1000.0, 0.5, 1.0];
        for (key, places) in [
            ("gravity", &[0][..]),
            ("friction", &[1, 2]),
            ("joints.friction", &[1, 2]),
            ("joints[1].friction", &[2]),
            ("b.density", &[3]),
            ("materials.b.density", &[3]),
            ("arch.thickness", &[4]),
            ("bodies.arch.thickness", &[4]),
            ("push.force[0]", &[5]),
        ] {
            let mut expected = same.to_vec();
            places.iter().for_each(|&i| expected[i] = 7.0);
            assert_eq!(changed(key), expected, "{key}");
        }
        for wrong in
            ["", "vault.thickness", "joints[5].friction", "arch.name", "push.force", "arch..span", "a[", "arch"]
        {
            assert!(with_value(SCENE, wrong, 7.0).is_err(), "{wrong}");
        }
    }
}
