//! JSON Schema of scenes, from the structs that read them.

use crate::scene::Scene;

/// The JSON Schema (draft 2020-12) of a scene.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Scene).to_value()
}
