//! What comes before every handler and after it: the guard, and headers.

use crate::guard::token_in;
use crate::state::State;
use axum::extract::{Request, State as Shared};
use axum::http::StatusCode;
use axum::http::header::{HeaderName, HeaderValue, LOCATION, SET_COOKIE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Headers of every answer. Nothing runs in the page but its own files.
const HEADERS: [(&str, &str); 6] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-frame-options", "DENY"),
    ("cache-control", "no-store"),
];

/// The policy of everything but the page itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// The middleware.
pub(crate) async fn watch(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let query = request.uri().query().map(str::to_owned);
    let mut response = match state.guard.check(request.headers(), query.as_deref()) {
        Err(failure) => failure.into_response(),
        // The token leaves the address, and with it the history of the browser.
        Ok(()) if request.uri().path() == "/" && query.as_deref().and_then(token_in).is_some() => {
            let token = state.guard.token().unwrap_or_default();
            let name = state.guard.cookie();
            let cookie = format!("{name}={token}; HttpOnly; SameSite=Strict; Path=/");
            (StatusCode::SEE_OTHER, [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)]).into_response()
        }
        Ok(()) => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry("content-security-policy").or_insert(HeaderValue::from_static(POLICY));
    response
}
