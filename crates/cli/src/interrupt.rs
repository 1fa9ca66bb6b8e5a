//! Ctrl-C: the present step is completed and a checkpoint is written. A second Ctrl-C ends the program at once.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

/// A flag that is set by Ctrl-C and by the signal TERM.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    // without a handler Ctrl-C ends the run at once; it can be resumed from its last checkpoint
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Interrupted as i32);
        }
        let _ = writeln!(std::io::stderr(), "\nstopping after the present step; press Ctrl-C again to stop at once");
    });
    flag
}
