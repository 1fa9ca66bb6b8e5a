//! Any bytes as a Gmsh mesh: read, and made into blocks.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use voussoir_model::import::ImportOptions;

fuzz_target!(|bytes: &[u8]| {
    let options = ImportOptions { extrude: Some(0.3), ..ImportOptions::default() };
    let _ = voussoir_model::import::gmsh::from_bytes(Path::new("fuzz.msh"), bytes, &options);
});
