//! Ctrl-C: the step is finished and a checkpoint written. A second time: the end, at once.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

/// A flag that is raised by Ctrl-C (and by a polite kill).
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    // without a handler the run ends at once, and resumes from its last checkpoint
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Interrupted as i32);
        }
        let _ = writeln!(std::io::stderr(), "\nstopping after this step; once more to stop at once");
    });
    flag
}
