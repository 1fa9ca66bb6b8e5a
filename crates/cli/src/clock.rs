//! The clock of the command, and the control of a run.

use std::sync::OnceLock;
use std::time::Instant;

use voussoir_run::Control;

use crate::interrupt;

/// Seconds since the first call.
pub fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Control of a run: Ctrl-C interrupts it; computing times are measured.
pub fn control() -> Control {
    Control { stop: interrupt::flag(), clock: Some(seconds) }
}
