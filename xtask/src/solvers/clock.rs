//! Time that this program computed, on all of its threads: what others do on the machine does not count.

use std::time::Instant;

/// Runs down from when it was started.
pub struct Clock {
    wall: Instant,
    computed: Option<f64>,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Self {
        Self { wall: Instant::now(), computed: computed() }
    }

    /// Computing time since the start [s]; time on the wall where the system does not tell.
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
