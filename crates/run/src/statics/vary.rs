//! A scene with another value of one of its numbers.
//!
//! `arch.thickness` is the key of the body (load, material) `arch`; `joints[0].friction`, `bodies.arch.span` and
//! `materials.stone.density` are paths from the top; a list without a number takes all its items, so that
//! `joints.friction`, or just `friction`, is that of all joints. `tilt_deg` and `acceleration` are not keys of the
//! scene: they tilt the ground, and accelerate it in g, along a direction.

use crate::error::Result;
use crate::scene_text::SceneText;

/// Parameters that are not keys of the scene.
pub const BESIDE: [&str; 2] = ["tilt_deg", "acceleration"];

/// The text of a scene in which a key has another value; comments and order are kept.
pub fn with_value(text: &str, key: &str, value: f64) -> Result<String> {
    let mut scene = SceneText::parse(text)?;
    scene.set_number(key, value)?;
    Ok(scene.to_string())
}

#[cfg(test)]
mod tests {
    use toml::{Table, Value};

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
