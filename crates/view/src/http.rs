//! The required part of HTTP/1.1: requests without a body, answers of known length, persistent connections.
//!
//! The size and the duration of a request are limited; a request beyond these limits is refused and the connection is
//! closed.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Largest length of a request line with its headers [bytes].
const LONGEST_HEAD: usize = 16 * 1024;
/// Largest length of a request line [bytes].
const LONGEST_LINE: usize = 4 * 1024;
/// A connection without requests is closed after this time.
const IDLE_TIME: Duration = Duration::from_secs(60);
/// Longest time from the first byte to the end of a request.
const REQUEST_TIME: Duration = Duration::from_secs(10);

/// A valid request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// `GET` or `HEAD`.
    pub method: String,
    /// From the first slash, before the question mark.
    pub path: String,
    /// After the question mark.
    query: String,
    headers: Vec<(String, String)>,
    /// More requests may follow.
    pub keep_alive: bool,
}

impl Request {
    /// The values of a header.
    pub fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(have, _)| have.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// A request for an address, without a connection.
    pub fn of_address(address: &str) -> Self {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        Self {
            method: "GET".to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: Vec::new(),
            keep_alive: true,
        }
    }

    /// A value of the query.
    pub fn query(&self, name: &str) -> Option<&str> {
        let mut pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(have, _)| *have == name).map(|(_, value)| value)
    }
}

/// Reasons for not answering a request.
#[derive(Debug)]
pub(crate) enum RequestFault {
    /// The client has disconnected or sends nothing.
    Gone,
    /// Status code and reason.
    Refused(u16, &'static str),
}

impl From<io::Error> for RequestFault {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// One client.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// Bytes received after the last request.
    ahead: Vec<u8>,
}

impl Connection {
    /// A client on a stream.
    pub fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(Duration::from_secs(30)))?;
        Ok(Self { stream, ahead: Vec::new() })
    }

    /// The next request; waits for it.
    pub fn request(&mut self) -> Result<Request, RequestFault> {
        let mut started = (!self.ahead.is_empty()).then(Instant::now);
        loop {
            if let Some(end) = find(&self.ahead, b"\r\n\r\n") {
                let head: Vec<u8> = self.ahead.drain(..end + 4).collect();
                return parse(&head[..end]);
            }
            let line_ends = find(&self.ahead, b"\r\n").is_some();
            if !line_ends && self.ahead.len() > LONGEST_LINE {
                return Err(RequestFault::Refused(414, "the address is too long"));
            }
            if self.ahead.len() > LONGEST_HEAD {
                return Err(RequestFault::Refused(431, "the headers are too long"));
            }
            let left = match started {
                None => IDLE_TIME,
                Some(first) => {
                    REQUEST_TIME.checked_sub(first.elapsed()).filter(|left| !left.is_zero()).ok_or(TOO_SLOW)?
                }
            };
            self.stream.set_read_timeout(Some(left))?;
            let mut bytes = [0; 4096];
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(RequestFault::Gone),
                Ok(count) => self.ahead.extend(&bytes[..count]),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    return Err(if started.is_some() { TOO_SLOW } else { RequestFault::Gone });
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(RequestFault::Gone),
            }
            started.get_or_insert_with(Instant::now);
        }
    }

    /// Sends an answer; `last` closes the connection after it.
    pub fn answer(&mut self, answer: &Response, head_only: bool, last: bool) -> io::Result<()> {
        let mut head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: {}\r\nCache-Control: no-store\r\n{}",
            answer.status,
            phrase(answer.status),
            answer.kind,
            answer.body.len(),
            if last { "close" } else { "keep-alive" },
            SAFETY,
        );
        if let Some(name) = &answer.file_name {
            head += &format!("Content-Disposition: attachment; filename=\"{name}\"\r\n");
        }
        if answer.status == 405 {
            head += "Allow: GET, HEAD\r\n";
        }
        head += "\r\n";
        self.stream.write_all(head.as_bytes())?;
        if !head_only {
            self.stream.write_all(&answer.body)?;
        }
        self.stream.flush()
    }

    /// Closes the connection so that the client can still read the last answer.
    pub fn close(mut self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
        let _ = self.stream.set_read_timeout(Some(Duration::from_millis(200)));
        let mut rest = [0; 4096];
        // discard the remaining input, for a limited time
        for _ in 0..64 {
            if !matches!(self.stream.read(&mut rest), Ok(count) if count > 0) {
                break;
            }
        }
    }
}

const TOO_SLOW: RequestFault = RequestFault::Refused(408, "timeout");

/// Headers of every answer: no external resources, no embedding in other pages.
const SAFETY: &str = "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
    Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";

/// An answer to a request.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
    file_name: Option<String>,
}

impl Response {
    /// Bytes of a media type.
    pub fn bytes(kind: &'static str, body: Vec<u8>) -> Self {
        Self { status: 200, kind, body, file_name: None }
    }

    /// JSON.
    pub fn json(value: &serde_json::Value) -> Self {
        Self::bytes("application/json", value.to_string().into_bytes())
    }

    /// A refusal with its reason.
    pub fn refusal(status: u16, reason: &str) -> Self {
        Self { status, ..Self::json(&serde_json::json!({ "error": reason })) }
    }

    /// Status code, media type and body.
    pub fn parts(self) -> (u16, &'static str, Vec<u8>) {
        (self.status, self.kind, self.body)
    }

    /// The answer is saved as a file.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.file_name = Some(name.to_owned());
        self
    }
}

fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Content Too Large",
        414 => "URI Too Long",
        421 => "Misdirected Request",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "Error",
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// Reads a request line and headers, without the empty line at their end.
fn parse(head: &[u8]) -> Result<Request, RequestFault> {
    let malformed = |reason| RequestFault::Refused(400, reason);
    if head.iter().any(|&byte| byte == 0 || byte >= 0x80) {
        return Err(malformed("a request must be ASCII"));
    }
    let text = std::str::from_utf8(head).map_err(|_| malformed("a request must be text"))?;
    let mut lines = text.split("\r\n");
    let line = lines.next().unwrap_or_default();
    if line.len() > LONGEST_LINE {
        return Err(RequestFault::Refused(414, "the address is too long"));
    }
    let [method, target, version] = line.split(' ').collect::<Vec<_>>()[..] else {
        return Err(malformed("the first line must be METHOD ADDRESS VERSION"));
    };
    if !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
        return Err(RequestFault::Refused(505, "only HTTP/1.1 is supported"));
    }
    if method.is_empty() || !method.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Err(malformed("unknown method"));
    }
    if !target.starts_with('/') {
        return Err(malformed("the address must start with a slash"));
    }
    let mut headers = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':').ok_or_else(|| malformed("a header must be NAME: VALUE"))?;
        let token = |byte: u8| byte.is_ascii_alphanumeric() || b"-_!#$%&'*+.^`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(token) || value.bytes().any(|byte| byte < 0x20 && byte != b'\t') {
            return Err(malformed("a header has invalid characters"));
        }
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers,
        keep_alive: version == "HTTP/1.1",
    };
    if request.header("transfer-encoding").next().is_some()
        || request.header("content-length").any(|length| length != "0")
    {
        return Err(RequestFault::Refused(413, "requests with a body are not supported"));
    }
    if !matches!(method, "GET" | "HEAD") {
        return Err(RequestFault::Refused(405, "only GET and HEAD are supported"));
    }
    let close = request.header("connection").any(|value| value.eq_ignore_ascii_case("close"));
    request.keep_alive &= !close;
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(head: &str) -> u16 {
        match parse(head.as_bytes()) {
            Ok(_) => 200,
            Err(RequestFault::Refused(status, _)) => status,
            Err(RequestFault::Gone) => 0,
        }
    }

    #[test]
    fn requests_are_read() {
        let request = parse(b"GET /abc/run/0/frame/7?parts=joints&x=1 HTTP/1.1\r\nHost: a\r\nX-Y:  z ").ok().unwrap();
        assert_eq!((request.path.as_str(), request.query("parts")), ("/abc/run/0/frame/7", Some("joints")));
        assert_eq!((request.header("host").next(), request.header("x-y").next()), (Some("a"), Some("z")));
        assert!(request.keep_alive);
        assert!(!parse(b"GET / HTTP/1.1\r\nConnection: close").ok().unwrap().keep_alive);
        assert!(!parse(b"GET / HTTP/1.0").ok().unwrap().keep_alive);
    }

    #[test]
    fn what_is_not_a_request_is_refused() {
        assert_eq!(status("GET /"), 400);
        assert_eq!(status("GET / HTTP/2.0"), 505);
        assert_eq!(status("get / HTTP/1.1"), 400);
        assert_eq!(status("GET http://elsewhere/ HTTP/1.1"), 400);
        assert_eq!(status("GET /ü HTTP/1.1"), 400);
        assert_eq!(status("GET / HTTP/1.1\r\nno colon"), 400);
        assert_eq!(status("GET / HTTP/1.1\r\nbad name: x"), 400);
        assert_eq!(status("POST / HTTP/1.1"), 405);
        assert_eq!(status("GET / HTTP/1.1\r\nContent-Length: 5"), 413);
        assert_eq!(status("GET / HTTP/1.1\r\nTransfer-Encoding: chunked"), 413);
        assert_eq!(status(&format!("GET /{} HTTP/1.1", "x".repeat(5000))), 414);
    }
}
