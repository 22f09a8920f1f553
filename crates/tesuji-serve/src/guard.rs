//! Who may ask: checks of `Host`, `Origin` and the token.

use crate::failure::Failure;
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, HeaderName, HeaderValue, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use std::net::{IpAddr, SocketAddr};

/// What requests must have.
#[derive(Debug)]
pub(crate) struct Guard {
    address: SocketAddr,
    token: Option<String>,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, token: Option<String>) -> Guard {
        Guard { address, token }
    }

    /// What a client must know, if anything.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The cookie of the token. Browsers send it to all ports of a host: each server has its own.
    pub(crate) fn cookie(&self) -> String {
        format!("tesuji_token_{}", self.address.port())
    }

    /// Where a browser finds the page.
    pub(crate) fn url(&self) -> String {
        let token = self.token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
        format!("http://{}/{token}", self.address)
    }

    /// Whether a request may be answered.
    pub(crate) fn check(&self, headers: &HeaderMap, query: Option<&str>) -> Result<(), Failure> {
        let only = |name: HeaderName| {
            let mut values = headers.get_all(name).iter();
            (values.next().map(HeaderValue::to_str), values.next().is_some())
        };
        let (Some(Ok(host)), false) = only(HOST) else {
            return Err(Failure::forbidden("the request names no host, or several"));
        };
        // A name other than these may be somebody else's that was made to lead here.
        if !self.is_own(host) {
            return Err(Failure::forbidden(format!("the host {host:?} is not this server")));
        }
        match only(ORIGIN) {
            (None, _) => {}
            (Some(Ok(origin)), false) if origin.strip_prefix("http://") == Some(host) => {}
            _ => return Err(Failure::forbidden("the request comes from a page of another origin")),
        }
        let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        let navigates = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
        if site.is_some_and(|site| !["same-origin", "none"].contains(&site)) && !navigates {
            return Err(Failure::forbidden("the request comes from a page of another site"));
        }
        let cookie = self.cookie();
        let knows =
            |token: &str| told(headers, query, &cookie).any(|told| same(told.as_bytes(), token.as_bytes()));
        match &self.token {
            Some(token) if !knows(token) => {
                let status = StatusCode::UNAUTHORIZED;
                Err(Failure { status, message: "a token is needed; the server printed it".to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Whether a `Host` names this server: an address of it, or `localhost`.
    fn is_own(&self, host: &str) -> bool {
        let port = format!(":{}", self.address.port());
        let name = host.strip_suffix(&port).unwrap_or(if self.address.port() == 80 { host } else { "" });
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        match address.parse::<IpAddr>() {
            // Where it listens on all addresses of the machine, any of them is its own.
            Ok(ip) => ip == self.address.ip() || ip.is_loopback() || self.address.ip().is_unspecified(),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        }
    }
}

/// The tokens that a request tells.
fn told<'a>(
    headers: &'a HeaderMap,
    query: Option<&'a str>,
    cookie: &'a str,
) -> impl Iterator<Item = &'a str> {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let told = cookies.flat_map(|list| list.split("; ")).filter_map(move |pair| {
        let (name, value) = pair.split_once('=')?;
        (name == cookie).then_some(value)
    });
    bearer.into_iter().chain(told).chain(query.and_then(token_in))
}

/// The token of an address.
pub(crate) fn token_in(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Compares in a time that tells nothing of where two words differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(
        address: &str,
        token: Option<&str>,
        headers: &[(&'static str, &'static str)],
        query: &str,
    ) -> u16 {
        let guard = Guard::new(address.parse().unwrap(), token.map(str::to_owned));
        let mut map = HeaderMap::new();
        for &(name, value) in headers {
            map.append(name, HeaderValue::from_static(value));
        }
        guard.check(&map, Some(query)).map_or_else(|failure| failure.status.as_u16(), |()| 200)
    }

    #[test]
    fn only_this_host_and_this_origin_are_heard() {
        let check = |headers: &[_]| status("127.0.0.1:8080", None, headers, "");
        for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
            assert_eq!(check(&[("host", host)]), 200, "{host}");
        }
        for host in
            ["127.0.0.1", "127.0.0.1:80", "evil.example:8080", "localhost.evil:8080", "", "10.0.0.1:8080"]
        {
            assert_eq!(check(&[("host", host)]), 403, "{host}");
        }
        assert_eq!(check(&[]), 403);
        assert_eq!(check(&[("host", "localhost:8080"), ("host", "127.0.0.1:8080")]), 403);
        let from = |origin| check(&[("host", "localhost:8080"), ("origin", origin)]);
        assert_eq!(from("http://localhost:8080"), 200);
        for origin in ["null", "http://127.0.0.1:8080", "https://localhost:8080", "http://localhost:8081"] {
            assert_eq!(from(origin), 403, "{origin}");
        }
        let site = |site, mode| {
            check(&[("host", "localhost:8080"), ("sec-fetch-site", site), ("sec-fetch-mode", mode)])
        };
        assert_eq!(site("same-origin", "cors"), 200);
        assert_eq!(site("cross-site", "no-cors"), 403);
        assert_eq!(site("cross-site", "navigate"), 200);
    }

    #[test]
    fn a_token_is_asked_for() {
        let check = |headers: &[_], query: &str| status("0.0.0.0:80", Some("abc"), headers, query);
        let host = ("host", "10.0.0.1");
        assert_eq!(check(&[host], ""), 401);
        assert_eq!(check(&[host], "x=1&token=abc"), 200);
        assert_eq!(check(&[host], "token=abd"), 401);
        assert_eq!(check(&[host, ("cookie", "a=b; tesuji_token_80=abc")], ""), 200);
        assert_eq!(check(&[host, ("cookie", "tesuji_token_81=abc")], ""), 401);
        assert_eq!(check(&[host, ("authorization", "Bearer abc")], ""), 200);
        assert_eq!(check(&[host, ("authorization", "Bearer ab")], ""), 401);
        assert_eq!(check(&[("host", "a-name.example")], "token=abc"), 403);
    }
}
