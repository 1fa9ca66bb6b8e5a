//! Access control: only the page of this server, opened with its secret address, may send requests.
//!
//! The host is checked against DNS rebinding; the origin is checked, so that other pages in the same browser are
//! refused; the token excludes all other clients.

use crate::http::{Request, Response};

/// Bytes of the token.
const TOKEN_BYTES: usize = 16;

/// The secret token of a server and its host names.
#[derive(Clone, Debug)]
pub struct Guard {
    token: String,
    hosts: [String; 3],
}

impl Guard {
    /// A new token for a server at a port.
    pub fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        Ok(Self { token, hosts })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    /// Returns the part of the address after the token, or the refusal.
    pub fn admit<'a>(&self, request: &'a Request) -> Result<&'a str, Response> {
        let mut host = request.header("host");
        let ours = |host: &str| self.hosts.iter().any(|name| name.eq_ignore_ascii_case(host));
        match (host.next(), host.next()) {
            (Some(host), None) if ours(host) => {}
            (Some(_), None) => return Err(Response::refusal(421, "wrong host")),
            _ => return Err(Response::refusal(400, "a request needs exactly one host")),
        }
        let from_here = |origin: &str| origin.strip_prefix("http://").is_some_and(ours);
        if !request.header("origin").all(from_here) {
            return Err(Response::refusal(403, "requests from other pages are refused"));
        }
        if !request.header("sec-fetch-site").all(|site| matches!(site, "same-origin" | "none")) {
            return Err(Response::refusal(403, "requests from other pages are refused"));
        }
        let rest = request.path.strip_prefix('/').unwrap_or_default();
        let (token, rest) = rest.split_once('/').unwrap_or((rest, ""));
        if same(token.as_bytes(), self.token.as_bytes()) {
            Ok(rest)
        } else {
            Err(Response::refusal(403, "the address is incomplete; use the address that `voussoir view` printed"))
        }
    }
}

/// Compares in constant time, so that the time reveals nothing about the token.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |different, (x, y)| different | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let [a, b] = [Guard::new(80).unwrap(), Guard::new(80).unwrap()];
        assert_eq!(a.token.len(), 2 * TOKEN_BYTES);
        assert_ne!(a.token, b.token);
        assert!(same(b"abc", b"abc") && !same(b"abc", b"abd") && !same(b"abc", b"ab"));
    }
}
