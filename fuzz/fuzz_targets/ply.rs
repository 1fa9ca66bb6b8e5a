//! Any bytes as a PLY file: read, and divided into parts.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mesh) = voussoir_model::mesh::ply::read(bytes) {
        let _ = mesh.parts();
    }
});
