//! KataGo's analysis protocol on a WebSocket.

use crate::failure::{Answer, Failure};
use crate::state::State;
use axum::body::Bytes;
use axum::extract::State as Shared;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc as asynchronous};
use tokio::time::{Instant, interval_at};

/// How many clients there may be at a time; each has an engine of its own.
pub(crate) const CLIENTS: usize = 4;
/// The most bytes of a message, and messages that wait for a client.
const MESSAGE: usize = 1 << 20;
const WAITING: usize = 64;
/// How often a client is asked whether it is there: only then does the system find out that one is
/// gone that did not say so.
const PING: Duration = Duration::from_secs(60);

/// `GET /analysis`: one or more lines a message in, one line a message out.
pub(crate) async fn connect(Shared(state): Shared<Arc<State>>, upgrade: WebSocketUpgrade) -> Answer {
    let Some(engine) = state.options.analysis.clone() else {
        return Err(Failure::missing("this server has no engine for analysis"));
    };
    let Ok(permit) = Semaphore::try_acquire_owned(state.analysts.clone()) else {
        return Err(Failure::busy(format!("there are {CLIENTS} clients already")));
    };
    Ok(upgrade.max_message_size(MESSAGE).on_upgrade(async move |socket| {
        let (queries, heard) = mpsc::channel();
        let (answers, told) = asynchronous::channel(WAITING);
        let input = BufReader::new(Lines { heard, line: Bytes::new() });
        std::thread::spawn(move || engine(Box::new(input), Box::new(Answers::new(answers))));
        carry(socket, queries, told).await;
        drop(permit);
    }))
}

/// Carries messages both ways until one side ends.
async fn carry(
    mut socket: WebSocket,
    queries: mpsc::Sender<Bytes>,
    mut told: asynchronous::Receiver<String>,
) {
    let mut pings = interval_at(Instant::now() + PING, PING);
    loop {
        tokio::select! {
            _ = pings.tick() => {
                if socket.send(Message::Ping(Bytes::new())).await.is_err() {
                    return;
                }
            }
            heard = socket.recv() => match heard {
                Some(Ok(Message::Text(text))) => _ = queries.send(text.into()),
                Some(Ok(Message::Binary(bytes))) => _ = queries.send(bytes),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            line = told.recv() => {
                let Some(line) = line else { return };
                if socket.send(Message::text(line)).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Messages as the lines that an engine reads.
struct Lines {
    heard: mpsc::Receiver<Bytes>,
    line: Bytes,
}

impl Read for Lines {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.line.is_empty() {
            let Ok(message) = self.heard.recv() else { return Ok(0) };
            self.line = [&message[..], b"\n"].concat().into();
        }
        let n = out.len().min(self.line.len());
        out[..n].copy_from_slice(&self.line.split_to(n));
        Ok(n)
    }
}

/// The lines of an engine as messages. A warning comes with the next answer to its query: KaTrain
/// takes a line of its own for that answer.
struct Answers {
    answers: asynchronous::Sender<String>,
    line: Vec<u8>,
    /// Warnings by the text of their query's name.
    warnings: BTreeMap<String, String>,
}

impl Answers {
    fn new(answers: asynchronous::Sender<String>) -> Answers {
        Answers { answers, line: Vec::new(), warnings: BTreeMap::new() }
    }

    /// What is sent for a line; nothing for a warning.
    fn message(&mut self, line: &str) -> Option<String> {
        if self.warnings.is_empty() && !line.contains("\"warning\"") {
            return Some(line.to_owned());
        }
        let Ok(mut answer) = serde_json::from_str::<Value>(line) else { return Some(line.to_owned()) };
        let id = answer["id"].to_string();
        if answer.get("rootInfo").is_some() {
            if let Some(warning) = self.warnings.remove(&id) {
                answer["warning"] = json!(warning);
                return Some(answer.to_string());
            }
        } else if let Some(warning) = answer["warning"].as_str() {
            let said = self.warnings.entry(id).or_default();
            *said = if said.is_empty() { warning.to_owned() } else { format!("{said}; {warning}") };
            return None;
        } else if answer.get("noResults").is_some() || answer.get("error").is_some() {
            // A later query may have the same name.
            self.warnings.remove(&id);
        }
        Some(line.to_owned())
    }
}

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        for line in String::from_utf8_lossy(&std::mem::take(&mut self.line)).lines() {
            if let Some(message) = self.message(line) {
                self.answers.blocking_send(message).map_err(io::Error::other)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_comes_with_an_answer() {
        let mut answers = Answers::new(asynchronous::channel(1).0);
        let warning =
            |id: &str, text: &str| format!("{{\"id\":{id},\"field\":\"komi\",\"warning\":{text:?}}}");
        assert_eq!(answers.message(&warning("\"a\"", "one")), None);
        assert_eq!(answers.message(&warning("\"a\"", "two")), None);
        let answer = |id: &str| format!("{{\"id\":{id},\"rootInfo\":{{\"visits\":3}}}}");
        assert_eq!(answers.message(&answer("\"b\"")), Some(answer("\"b\"")));
        let with: Value = serde_json::from_str(&answers.message(&answer("\"a\"")).unwrap()).unwrap();
        assert_eq!((&with["warning"], &with["rootInfo"]["visits"]), (&json!("one; two"), &json!(3)));
        assert_eq!(answers.message(&answer("\"a\"")), Some(answer("\"a\"")), "it is said once");
        for end in ["noResults", "error"] {
            assert_eq!(answers.message(&warning("\"a\"", "one")), None);
            let ended = format!("{{\"id\":\"a\",{end:?}:true}}");
            assert_eq!(answers.message(&ended), Some(ended));
            assert_eq!(
                answers.message(&answer("\"a\"")),
                Some(answer("\"a\"")),
                "it was of the query before"
            );
        }
        let fault = "{\"error\":\"no JSON\"}";
        assert_eq!(answers.message(fault).as_deref(), Some(fault));
    }
}
