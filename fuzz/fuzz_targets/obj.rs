//! Any bytes as a OBJ file: read, and divided into parts.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mesh) = voussoir_model::mesh::obj::read(bytes) {
        let _ = mesh.parts();
    }
});
