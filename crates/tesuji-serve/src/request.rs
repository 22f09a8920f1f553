//! Bodies of requests.

use crate::failure::Failure;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

/// The most bytes of a body.
pub(crate) const MOST: usize = 1 << 20;

/// A body in JSON. It must say that it is, so that a form of another page cannot send it.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Failure> {
        let bytes = bytes_of(request, state, "application/json").await?;
        serde_json::from_slice(&bytes).map(Body).map_err(Failure::bad)
    }
}

/// A body with the bytes of an SGF file, whose charset only the file itself tells. No form of
/// another page can send its type either.
#[derive(Debug)]
pub(crate) struct SgfFile(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for SgfFile {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<SgfFile, Failure> {
        bytes_of(request, state, "application/x-go-sgf").await.map(SgfFile)
    }
}

/// A body of this type.
async fn bytes_of<S: Send + Sync>(request: Request, state: &S, expected: &str) -> Result<Bytes, Failure> {
    let kind = request.headers().get("content-type").and_then(|kind| kind.to_str().ok());
    if kind.and_then(|kind| kind.split(';').next()) != Some(expected) {
        return Err(Failure::bad(format!("the body is not of the type {expected}")));
    }
    let bytes = Bytes::from_request(request, state).await;
    bytes.map_err(|error| Failure { status: error.status(), message: error.body_text() })
}

/// Does something that takes a while on a thread for such things.
pub(crate) async fn aside<T: Send + 'static>(
    f: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(f).await.map_err(Failure::internal)?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Answer;
    use crate::{positions, set_up, sgf};
    use serde_json::{Value, json};
    use std::pin::Pin;
    use std::task::{Context, Waker};

    type Handler = Pin<Box<dyn Future<Output = Answer>>>;

    fn body<T: DeserializeOwned>(value: Value) -> Body<T> {
        Body(serde_json::from_value(value).unwrap())
    }

    /// The one thread of the server answers all requests: what takes a while happens elsewhere.
    #[test]
    fn the_thread_of_the_server_does_nothing_long() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
        // The only other thread is busy meanwhile.
        let (busy, waits) = std::sync::mpsc::channel::<()>();
        runtime.spawn_blocking(move || waits.recv());
        let place = json!({ "game": "go:19", "moves": "A1 B1 C3" });
        let set_up = json!({ "game": "go:19", "black": ["C3"], "white": ["A1"], "to_move": 2 });
        let file = SgfFile("(;SZ[19];B[aa];W[bb])".into());
        let handlers: [(&str, Handler); 4] = [
            ("position", Box::pin(positions::show(body(place.clone())))),
            ("setup", Box::pin(set_up::show(body(set_up)))),
            ("sgf/read", Box::pin(sgf::read(file))),
            ("sgf/write", Box::pin(sgf::write(body(place)))),
        ];
        for (name, mut handler) in handlers {
            let _inside = runtime.enter();
            let first = handler.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(first.is_pending(), "{name} is done at once");
        }
        drop(busy);
    }
}
