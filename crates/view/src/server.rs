//! Connections: one thread each, up to a limit.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::error::ViewError;
use crate::guard::Guard;
use crate::http::{Connection, RequestFault, Response};
use crate::page;
use crate::routes;
use crate::run::{RunSource, ViewedRun};

/// Maximum number of simultaneous connections; a browser opens about six.
const MOST_CONNECTIONS: usize = 512;
/// Stack of a connection's thread [bytes].
const STACK: usize = 1 << 20;

/// Settings of a server.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Port; `None` takes a free one.
    pub port: Option<u16>,
    /// The server shuts down after this time without a request.
    pub close_after: Option<Duration>,
}

/// A server with an open port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    close_after: Option<Duration>,
}

/// Data shared by all connections.
#[derive(Debug)]
struct Shared {
    guard: Guard,
    runs: Vec<ViewedRun>,
    connections: AtomicUsize,
    /// Time of the last answer.
    last: Mutex<Instant>,
}

impl Server {
    /// Opens a port on the loopback interface for one run or two.
    pub fn bind(runs: Vec<RunSource>, settings: Settings) -> Result<Self, ViewError> {
        if let Some(reason) = page::missing() {
            return Err(ViewError::NoPage { reason });
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port.unwrap_or(0))).map_err(ViewError::Port)?;
        let port = listener.local_addr().map_err(ViewError::Port)?.port();
        let guard = Guard::new(port).map_err(|error| ViewError::Random(error.to_string()))?;
        let shared = Shared {
            guard,
            runs: runs.into_iter().map(ViewedRun::new).collect(),
            connections: AtomicUsize::new(0),
            last: Mutex::new(Instant::now()),
        };
        Ok(Self { listener, shared: Arc::new(shared), close_after: settings.close_after })
    }

    /// The address of the page, with its token.
    pub fn address(&self) -> String {
        self.shared.guard.address()
    }

    /// Serves until the shutdown time, or indefinitely.
    pub fn serve(&self) -> Result<(), ViewError> {
        if let Some(patience) = self.close_after {
            // `accept` does not return by itself at the shutdown time
            let shared = Arc::clone(&self.shared);
            let address = self.listener.local_addr().map_err(ViewError::Port)?;
            std::thread::spawn(move || {
                loop {
                    std::thread::sleep((patience / 10).max(Duration::from_millis(50)));
                    if shared.silence() >= patience {
                        let _ = TcpStream::connect(address);
                    }
                }
            });
        }
        loop {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(_) => {
                    // the client has disconnected, or there are no free file handles: both are temporary
                    std::thread::sleep(Duration::from_millis(20));
                    continue;
                }
            };
            if self.close_after.is_some_and(|patience| self.shared.silence() >= patience) {
                return Ok(());
            }
            self.take(stream);
        }
    }

    fn take(&self, stream: TcpStream) {
        let Ok(mut connection) = Connection::new(stream) else { return };
        let shared = Arc::clone(&self.shared);
        if shared.connections.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
            shared.connections.fetch_sub(1, Ordering::SeqCst);
            let _ = connection.answer(&Response::refusal(503, "too many connections"), false, true);
            return;
        }
        let thread = std::thread::Builder::new().name("page".to_owned()).stack_size(STACK);
        let work = move || {
            // released when the thread ends, also by a panic
            let place = Place(&shared);
            converse(connection, &shared);
            drop(place);
        };
        if thread.spawn(work).is_err() {
            self.shared.connections.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// A slot for an open connection.
struct Place<'a>(&'a Shared);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Shared {
    /// Time since the last answer.
    fn silence(&self) -> Duration {
        self.last.lock().map_or(Duration::ZERO, |last| last.elapsed())
    }

    fn answered(&self) {
        if let Ok(mut last) = self.last.lock() {
            *last = Instant::now();
        }
    }
}

/// All requests of one client.
fn converse(mut connection: Connection, shared: &Shared) {
    loop {
        let request = match connection.request() {
            Ok(request) => request,
            Err(RequestFault::Gone) => return,
            Err(RequestFault::Refused(status, reason)) => {
                let _ = connection.answer(&Response::refusal(status, reason), false, true);
                return connection.close();
            }
        };
        let (answer, last) = match shared.guard.admit(&request) {
            Ok(path) => {
                shared.answered();
                (routes::answer(path, &request, &shared.runs), !request.keep_alive)
            }
            Err(refusal) => (refusal, true),
        };
        if connection.answer(&answer, request.method == "HEAD", last).is_err() {
            return;
        }
        if last {
            return connection.close();
        }
    }
}
