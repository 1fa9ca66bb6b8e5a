//! Bodies that share space at the start.

use voussoir_mechanics::inspect::inspect;
use voussoir_mechanics::model::Model;

use super::check::Check;
use super::dimension::Dimension;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;

/// Overlaps beyond 1e-3 of the smaller body are an error, or a warning where the scene allows them.
pub fn check_overlaps<S: Dimension>(
    scene: &Scene,
    check: &Check<'_>,
    model: &Model<S>,
    warnings: &mut Vec<String>,
) -> Result<(), SceneError> {
    let overlaps = inspect(model, Some(0.0)).overlaps;
    let Some(worst) = overlaps.first() else { return Ok(()) };
    let (a, b) = (&model.bodies[worst.a].name, &model.bodies[worst.b].name);
    let message = format!("\"{a}\" and \"{b}\" overlap by {:.3e} m", worst.depth);
    if scene.allow_overlap {
        let more = if overlaps.len() > 1 { format!(", and {} other pairs", overlaps.len() - 1) } else { String::new() };
        warnings.push(format!("{message}{more}"));
        return Ok(());
    }
    // blame the later of the two
    let owner = |name: &str| {
        let group = name.split('.').next().unwrap_or_default();
        scene.bodies.iter().position(|body| body.common.name == group).unwrap_or(0)
    };
    let root = Place::ROOT;
    let list = root.key("bodies");
    let place = list.index(owner(a).max(owner(b)));
    Err(check
        .error(&place, message)
        .with_help("move one of them, or write allow_overlap = true at the top of the scene"))
}
