//! Server-sent events of something that changes.

use crate::failure::Failure;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::watch;

/// How often something is sent to a client that gets nothing else, in seconds.
const ALIVE: u64 = 15;

/// Text that all who watch share. Who is slow gets the newest one and misses those between.
pub(crate) type Latest = watch::Receiver<Arc<str>>;

/// The present text and every change of it, until nobody changes it any more.
pub(crate) fn events(latest: Latest) -> Response {
    let next = |(mut latest, first): (Latest, bool)| async move {
        if !first {
            latest.changed().await.ok()?;
        }
        let text = latest.borrow_and_update().clone();
        Some((Ok::<_, Infallible>(Event::default().data(&*text)), (latest, false)))
    };
    let alive = KeepAlive::new().interval(std::time::Duration::from_secs(ALIVE));
    Sse::new(stream::unfold((latest, true), next)).keep_alive(alive).into_response()
}

/// The number of something in an address.
pub(crate) fn number(text: &str) -> Result<u64, Failure> {
    text.parse().map_err(|_| Failure::missing(format!("there is nothing with the number {text:?}")))
}
