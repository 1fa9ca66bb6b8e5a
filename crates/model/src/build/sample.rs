//! Checks of `[sample]`: dimension, lengths, names of bodies.

use voussoir_mechanics::AnyModel;

use super::check::SceneCheck;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::sample::{SampleSpec, SampleTest};

/// A test on a sample, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleSetup {
    /// As written.
    pub spec: SampleSpec,
    /// Thickness of the scene [m].
    pub depth: f64,
    /// Index of the lid.
    pub lid: Option<usize>,
    /// Indices of the two side walls.
    pub sides: Option<[usize; 2]>,
}

/// Reads `[sample]`.
pub fn sample(scene: &Scene, check: &SceneCheck<'_>, model: &AnyModel) -> Result<Option<SampleSetup>, SceneError> {
    let Some(spec) = &scene.sample else { return Ok(None) };
    let root = Place::ROOT;
    let place = root.key("sample");
    if scene.dim != 2 {
        return Err(check.error(&place, "`sample` is for scenes in two dimensions").with_help("write dim = 2"));
    }
    check.length(&place.key("width"), "the width", spec.width)?;
    check.length(&place.key("height"), "the height", spec.height)?;
    let find = |key: &str, name: &str| {
        model.body_named(name).ok_or_else(|| {
            check.error(&place.key(key), format!("there is no body \"{name}\"")).with_help(crate::suggest::help(
                "bodies",
                name,
                &model.body_names(),
            ))
        })
    };
    let lid = spec.lid.as_ref().map(|name| find("lid", name)).transpose()?;
    let sides = match &spec.sides {
        Some([left, right]) => Some([find("sides", left)?, find("sides", right)?]),
        None => None,
    };
    if lid.is_none() && spec.test != SampleTest::Repose {
        return Err(check.error(&place, "this test needs the name of its `lid`").with_help("write lid = \"lid\""));
    }
    if sides.is_none() && spec.test == SampleTest::Biaxial {
        return Err(check
            .error(&place, "a biaxial test needs `sides`")
            .with_help("write sides = [\"left\", \"right\"]"));
    }
    Ok(Some(SampleSetup { spec: spec.clone(), depth: scene.depth.unwrap_or(1.0), lid, sides }))
}
