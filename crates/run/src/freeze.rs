//! Scenes whose packings are written into the text: the discs of every fill as numbers, so that the packing is not
//! computed again.

use std::fmt::Write as _;

use voussoir_geometry::Solid;
use voussoir_mechanics::AnyModel;
use voussoir_model::place::Place;
use voussoir_model::scene::bodies::FormSpec;
use voussoir_model::scene::generated::Generator;

use crate::error::{Result, RunError};
use crate::scene_file::SceneFile;

/// Discs in one line of the text.
const IN_A_LINE: usize = 3;

/// The text of a scene with the discs of its fills, and the number of fills and of discs. Numbers are written so that
/// the same bits are read again.
pub fn freeze(file: &SceneFile) -> Result<(String, [usize; 2])> {
    let mut text = file.scene.source.text.to_string();
    let mut counts = [0, 0];
    let AnyModel::Two(model) = &file.built.model else {
        return Err(RunError::input("the scene has no fill of discs: it is a scene in 3D".to_owned()));
    };
    let list = Place::ROOT.key("bodies");
    // from the end, so that places stay where they are
    for (index, body) in file.scene.bodies.iter().enumerate().rev() {
        let FormSpec::Generated(Generator::Fill(keys)) = &body.form else { continue };
        if !keys.discs.is_empty() {
            continue;
        }
        if body.common.position.is_some() || body.common.rotation.is_some() {
            let message =
                format!("body \"{}\": a fill with `position` or `rotation` cannot be written", body.common.name);
            return Err(RunError::input(message));
        }
        let start = format!("{}.disc[", body.common.name);
        let discs: Vec<[f64; 3]> = model
            .bodies
            .iter()
            .filter(|body| body.name.starts_with(&start))
            .filter_map(|body| Some([body.pose.position.x, body.pose.position.y, body.shape.centred_ball()?]))
            .collect();
        let place = list.index(index);
        let end = place.key("generator").error(&file.scene.source, "").span.end;
        // in an inline table keys are separated by commas
        let rest = text[end..].split('\n').next().unwrap_or("").split('#').next().unwrap_or("").trim();
        let separator = if rest.starts_with([',', '}']) { ", " } else { "\n" };
        text.insert_str(end, &format!("{separator}discs = [{}\n]", lines(&discs)));
        counts = [counts[0] + 1, counts[1] + discs.len()];
    }
    if counts[0] == 0 {
        return Err(RunError::input("the scene has no fill whose discs are packed".to_owned()));
    }
    Ok((text, counts))
}

/// Discs as rows of numbers.
fn lines(discs: &[[f64; 3]]) -> String {
    let mut text = String::new();
    for row in discs.chunks(IN_A_LINE) {
        text.push('\n');
        for [x, y, radius] in row {
            let _ = write!(text, "[{x:?}, {y:?}, {radius:?}], ");
        }
        text.truncate(text.trim_end_matches(' ').len());
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const HEAD: &str = "dim = 2\nallow_overlap = true\nmaterials.soil.density = 2000.0\n\
        joints = [{ between = [\"soil\", \"soil\"], friction = 0.5 }]\n";

    #[test]
    fn a_frozen_scene_has_the_same_discs_to_the_bit() {
        let keys = "count = 40, porosity = 0.2, bulk_density = 1800.0, region = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]";
        let inline =
            format!("{HEAD}bodies = [{{ name = \"fill\", material = \"soil\", generator = \"fill\", {keys} }}]\n");
        let table = format!(
            "{HEAD}[[bodies]]\nname = \"fill\"\ngenerator = \"fill\" # sand\nmaterial = \"soil\"\n{}\n",
            keys.replacen(", porosity", "\nporosity", 1)
                .replacen(", bulk", "\nbulk", 1)
                .replacen(", region", "\nregion", 1)
        );
        for text in [inline, table] {
            let file = SceneFile::read(&text, "s.toml", Path::new(".")).unwrap();
            let (frozen, counts) = freeze(&file).unwrap();
            assert_eq!(counts, [1, 40]);
            let again = SceneFile::read(&frozen, "frozen.toml", Path::new(".")).unwrap();
            assert_eq!(format!("{:?}", again.built.model), format!("{:?}", file.built.model));
            assert!(freeze(&again).is_err());
        }
    }
}
