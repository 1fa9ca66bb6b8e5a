//! Seven fixed collapses. The constants of the solvers were tuned on the first of them, so their figures only show
//! regressions.

use voussoir_model::render;

use super::scenes::Drawn;

/// A structure that falls: name, template, parameters, gravity with its sideways part, steps of 1 ms.
struct Falling {
    name: &'static str,
    template: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    gravity: &'static str,
    steps: usize,
}

const BRICK: (&str, &str) = ("brick", "[0.5,0.25,0.25]");

const STRUCTURES: &[Falling] = &[
    Falling {
        name: "wall 10x20, 0.65 g",
        template: "wall",
        parameters: &[("courses", "10"), ("bricks", "20"), BRICK, ("friction", "0.6")],
        gravity: "[6.3765, 0.0, -9.81]",
        steps: 250,
    },
    Falling {
        name: "wall 10x20, 0.9 g",
        template: "wall",
        parameters: &[("courses", "10"), ("bricks", "20"), BRICK, ("friction", "0.6")],
        gravity: "[8.829, 0.0, -9.81]",
        steps: 250,
    },
    Falling {
        name: "wall 20x10, 0.5 g",
        template: "wall",
        parameters: &[("courses", "20"), ("bricks", "10"), BRICK, ("friction", "0.6")],
        gravity: "[4.905, 0.0, -9.81]",
        steps: 250,
    },
    Falling {
        name: "wall 6x6, 0.65 g",
        template: "wall",
        parameters: &[("courses", "6"), ("bricks", "6"), BRICK, ("friction", "0.6")],
        gravity: "[6.3765, 0.0, -9.81]",
        steps: 400,
    },
    Falling {
        name: "arch 27, 0.5 g",
        template: "arch",
        parameters: &[("voussoirs", "27")],
        gravity: "[4.905, 0.0, -9.81]",
        steps: 600,
    },
    Falling {
        name: "arch 27 in 2D, 0.5 g",
        template: "arch",
        parameters: &[("voussoirs", "27"), ("dim", "2")],
        gravity: "[4.905, -9.81]",
        steps: 600,
    },
    Falling {
        name: "wall 10x10 in 2D, 0.7 g",
        template: "wall",
        parameters: &[("courses", "10"), ("bricks", "10"), BRICK, ("friction", "0.6"), ("dim", "2")],
        gravity: "[6.867, -9.81]",
        steps: 400,
    },
];

/// The structures whose names contain one of the words, with their scenes.
pub fn structures(words: &[String]) -> Result<Vec<Drawn>, String> {
    let wanted = |f: &&Falling| words.is_empty() || words.iter().any(|word| f.name.contains(word.as_str()));
    STRUCTURES.iter().filter(wanted).map(scene).collect()
}

fn scene(falling: &Falling) -> Result<Drawn, String> {
    let text = render(falling.template, falling.parameters).map_err(|e| e.to_string())?;
    let mut lines: Vec<String> = text.lines().filter(|line| !line.starts_with("gravity")).map(str::to_owned).collect();
    lines.insert(0, format!("gravity = {}", falling.gravity));
    Ok(Drawn { name: falling.name.to_owned(), text: lines.join("\n"), steps: falling.steps })
}
