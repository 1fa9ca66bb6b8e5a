//! Static analysis of a scene in a browser or in Node: the crates without input and output, compiled for wasm32.
//!
//! A scene that reads files (meshes, accelerograms) is refused here: there are none.
//!
//! ```
//! let answer = voussoir_web::stand(&voussoir_model::render("arch", &[])?);
//! assert!(answer.contains(r#""stands":true"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(target_family = "wasm")]
mod exports;

use std::path::Path;

use serde::Serialize;
use voussoir_geometry::Space;
use voussoir_model::{AnyModel, Scene, build};
use voussoir_statics::Structure;
use voussoir_statics::equilibrium::Capacity;
use voussoir_statics::stand::{StandAnswer, StandSettings};
use voussoir_statics::structure::CLOSED;
use voussoir_statics::thrust::ThrustRange;

/// The answer about a structure, with the range of its largest thrust if it stands.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    stand: StandAnswer,
    thrust: Option<ThrustRange>,
}

/// Decides whether the structure of a scene (TOML) stands; the answer, or `{"error": MESSAGE}`, as JSON.
pub fn stand(scene: &str) -> String {
    let text = answer(scene).and_then(|answer| serde_json::to_string(&answer).map_err(|error| error.to_string()));
    text.unwrap_or_else(|error| serde_json::json!({ "error": error }).to_string())
}

fn answer(scene: &str) -> Result<Answer, String> {
    let scene = Scene::parse(scene, "scene.toml").map_err(|error| error.to_string())?;
    let built = build(&scene, Path::new("")).map_err(|error| error.to_string())?;
    match built.finished() {
        AnyModel::Two(model) => decide(Structure::new(model, CLOSED)),
        AnyModel::Three(model) => decide(Structure::new(model, CLOSED)),
    }
}

fn decide<S: Space>(structure: Result<Structure<S>, voussoir_statics::StaticsError>) -> Result<Answer, String> {
    let (mut structure, settings) = (structure.map_err(|error| error.to_string())?, StandSettings::default());
    let stand = voussoir_statics::stand::stand(&mut structure, &settings);
    let mut thrust = None;
    if let Some((place, direction)) = structure.main_thrust().filter(|_| stand.stands == Some(true)) {
        let dead = structure.dead_load(settings.time, None);
        let found = structure.thrust(&place, direction, &dead, &Capacity::default(), settings.engine);
        thrust = Some(found.map_err(|error| error.to_string())?.range);
    }
    Ok(Answer { stand, thrust })
}
