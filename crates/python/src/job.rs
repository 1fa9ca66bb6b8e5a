//! Computing without the lock of the interpreter.
//!
//! Work runs on a pool of threads while the thread that asked waits, and looks for signals every [`LOOK`]: Ctrl-C raises a
//! flag that ends a run after the present step. A pool belongs to the thread that asked and to its process: a forked
//! child, which has none of the threads of its parent, makes a pool of its own. A panic becomes an exception.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors;

/// How often a waiting thread looks for signals.
const LOOK: Duration = Duration::from_millis(20);

/// Stack of a thread of a pool [bytes]; only what is used takes memory.
const STACK: usize = 16 << 20;

/// A pool, the process that made it, and its number of threads.
type OwnPool = (u32, usize, Arc<ThreadPool>);

thread_local! {
    static POOL: RefCell<Option<OwnPool>> = const { RefCell::new(None) };
}

/// Seconds since the first call.
pub fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// The pool of this thread with so many threads.
fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let process = std::process::id();
    POOL.with_borrow_mut(|own| {
        if let Some((of, count, pool)) = own
            && *of == process
            && *count == threads
        {
            return Ok(Arc::clone(pool));
        }
        // threads of a parent process do not exist here: there is nobody to be told that its pool ends
        if let Some((of, _, pool)) = own.take()
            && of != process
        {
            std::mem::forget(pool);
        }
        let made = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
        let made = Arc::new(made.map_err(|error| errors::internal(&error.to_string()))?);
        *own = Some((process, threads, Arc::clone(&made)));
        Ok(made)
    })
}

/// Number of threads: as asked for, or all cores.
fn threads(asked: Option<usize>) -> PyResult<usize> {
    match asked {
        Some(0) => Err(pyo3::exceptions::PyValueError::new_err("threads must be at least 1")),
        Some(count) => Ok(count.min(1024)),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Does work on a pool of threads without the lock of the interpreter. A signal raises `stop`; its exception is raised
/// when the work has ended.
pub fn work<T: Send, E: Send + errors::IntoPyErr>(
    py: Python<'_>,
    count: Option<usize>,
    stop: &Arc<AtomicBool>,
    task: impl FnOnce() -> Result<T, E> + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let pool = pool(threads(count)?)?;
    let (outcome, signal) = py.detach(|| {
        let (send, receive) = channel();
        let mut signal: Option<PyErr> = None;
        let outcome = pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                // who asked has always waited until now
                let _ = send.send(catch_unwind(AssertUnwindSafe(task)));
            });
            loop {
                match receive.recv_timeout(LOOK) {
                    Ok(outcome) => return Some(outcome),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(raised) = Python::attach(|py| py.check_signals()) {
                            stop.store(true, Ordering::SeqCst);
                            signal.get_or_insert(raised);
                        }
                    }
                }
            }
        });
        (outcome, signal)
    });
    match outcome {
        Some(Ok(Ok(value))) => Ok((value, signal)),
        Some(Ok(Err(error))) => Err(error.into_py_err(py)),
        Some(Err(panic)) => Err(errors::panicked(&*panic)),
        None => Err(errors::internal("a thread ended without an answer")),
    }
}

/// Does work that cannot be stopped; a signal that came meanwhile is raised afterwards.
pub fn ask<T: Send, E: Send + errors::IntoPyErr>(
    py: Python<'_>,
    count: Option<usize>,
    task: impl FnOnce() -> Result<T, E> + Send,
) -> PyResult<T> {
    let (value, signal) = work(py, count, &Arc::new(AtomicBool::new(false)), task)?;
    signal.map_or(Ok(value), Err)
}
