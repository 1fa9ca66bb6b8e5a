//! CPU time of this process, summed over its threads, so that other processes do not change the figures.

use std::sync::OnceLock;
use std::time::Instant;

/// A stopwatch.
pub struct Clock {
    wall: Instant,
    computed: Option<f64>,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Self {
        Self { wall: Instant::now(), computed: computed() }
    }

    /// Computing time since the start [s]; wall-clock time if the system does not report it.
    pub fn seconds(&self) -> f64 {
        match (self.computed, computed()) {
            (Some(before), Some(now)) => now - before,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// Sum over the threads of this process [s], from Linux' scheduler.
fn computed() -> Option<f64> {
    let mut nanoseconds = 0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 * 1e-9)
}

/// CPU seconds of all threads of this process since it started; wall-clock seconds where the system does not report CPU
/// time. The resolution is one scheduler tick, some milliseconds.
pub fn cpu_seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    computed().unwrap_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64())
}
