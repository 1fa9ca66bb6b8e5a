//! Any bytes as the files of an LMGC90 model, cut at lines of three percent signs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use voussoir_model::import::ImportOptions;
use voussoir_model::import::datbox::import_files;

const NAMES: [&str; 5] = ["BODIES.DAT", "BULK_BEHAV.DAT", "TACT_BEHAV.DAT", "DRV_DOF.DAT", "DOF.INI"];

fuzz_target!(|bytes: &[u8]| {
    let mut files = Vec::new();
    let mut rest = bytes;
    for name in NAMES {
        let cut = rest.windows(5).position(|window| window == b"\n%%%\n");
        files.push((name, &rest[..cut.unwrap_or(rest.len())]));
        rest = cut.map_or(&[], |cut| &rest[cut + 5..]);
    }
    let _ = import_files(&files, &ImportOptions::default());
});
