//! Any text as a scene: parsed and, when it describes few bodies, built.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use voussoir_model::{Scene, build};

fuzz_target!(|text: &str| {
    match Scene::parse(text, "fuzz.toml") {
        Ok(scene) if scene.body_count() < 5_000 => {
            if let Err(error) = build(&scene, Path::new("/nowhere")) {
                error.render();
            }
        }
        Ok(_) => {}
        Err(error) => {
            error.render();
        }
    }
});
