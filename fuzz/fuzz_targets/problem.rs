//! Any bytes as a problem file, text or HDF5: read, written again, condensed, and solved with a short time limit if it is small.
#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use voussoir_problems::solve::solve;
use voussoir_problems::{fclib, read_bytes};

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = read_bytes(bytes) else { return };
    if let Ok(written) = fclib::encode(&file) {
        let again = read_bytes(&written).expect("what is written is read");
        assert_eq!(again.form.contacts(), file.form.contacts());
    }
    if file.form.contacts() <= 20 && file.form.to_local().is_ok() {
        let deadline = Some(Instant::now() + Duration::from_millis(50));
        let options = voussoir_contact::Options { deadline, ..Default::default() };
        let answer = solve(&file.form, None, &options).expect("it has a local form");
        assert_eq!(answer.impulses.len(), file.form.dim() * file.form.contacts());
    }
});
