//! The clock of the command, and what stops a run.

use std::sync::OnceLock;
use std::time::Instant;

use voussoir_run::Control;

use crate::interrupt;

/// Seconds since the first call.
pub fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// A run that Ctrl-C stops, with computing times.
pub fn control() -> Control {
    Control { stop: interrupt::flag(), clock: Some(seconds) }
}
