//! The few requests to JetStream that coordinators and workers make, as its protocol has them.

use crate::address::Connection;
use async_nats::{Client, HeaderMap, Message, Request, Subscriber};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Bytes that are left for the headers of a message.
pub(crate) const HEADERS: usize = 1024;

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the server says in place of what it was asked for; code 0: it says nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: u64,
    pub(crate) text: String,
}

impl Refusal {
    /// Whether what was asked for is not there.
    pub(crate) fn is_missing(&self) -> bool {
        self.code == 404
    }
}

/// Asks JetStream for something.
pub(crate) async fn ask(client: &Client, what: &str, body: Value) -> Result<Value, Refusal> {
    let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
    let request = Request::new().payload(body.into()).timeout(Some(PATIENCE));
    let answer = client.send_request(format!("$JS.API.{what}"), request).await;
    let answer = answer.map_err(|error| Refusal { code: 0, text: error.to_string() })?;
    let value: Value = serde_json::from_slice(&answer.payload)
        .map_err(|error| Refusal { code: 0, text: error.to_string() })?;
    match value.get("error") {
        None => Ok(value),
        Some(error) => Err(Refusal {
            code: error["code"].as_u64().unwrap_or_default(),
            text: error["description"].as_str().unwrap_or_default().to_owned(),
        }),
    }
}

/// Puts a message into a stream, once for all messages with this identity, and gives its number.
pub(crate) async fn put(
    client: &Client,
    subject: String,
    id: &str,
    payload: Vec<u8>,
) -> Result<u64, Refusal> {
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Msg-Id", id);
    let request = Request::new().payload(payload.into()).headers(headers).timeout(Some(PATIENCE));
    let answer = client.send_request(subject, request).await;
    let answer = answer.map_err(|error| Refusal { code: 0, text: error.to_string() })?;
    let value: Value = serde_json::from_slice(&answer.payload).unwrap_or_default();
    match (value["seq"].as_u64(), value["error"]["description"].as_str()) {
        (Some(number), None) => Ok(number),
        (_, text) => Err(Refusal {
            code: value["error"]["code"].as_u64().unwrap_or_default(),
            text: text.unwrap_or("no stream takes it").to_owned(),
        }),
    }
}

/// The latest message of a stream under a subject; none if there is none.
pub(crate) async fn latest(client: &Client, stream: &str, subject: &str) -> Result<Option<Message>, Refusal> {
    let request = Request::new().payload("".into()).timeout(Some(PATIENCE));
    let answer = client.send_request(format!("$JS.API.DIRECT.GET.{stream}.{subject}"), request).await;
    let answer = answer.map_err(|error| Refusal { code: 0, text: error.to_string() })?;
    Ok(if answer.status.is_some() { None } else { Some(answer) })
}

/// Messages of a consumer that many may share.
pub(crate) struct Pull {
    connection: Connection,
    next: String,
    inbox: String,
    messages: Subscriber,
    /// Messages that the server may still send, and since when.
    asked: usize,
    asked_at: Instant,
    /// The connection that was asked.
    of: u64,
}

/// How long the server may think about a pull.
const OPEN: Duration = Duration::from_secs(20);

/// How often it is looked whether the server still knows of a pull.
const LOOK: Duration = Duration::from_millis(500);

impl Pull {
    pub(crate) async fn new(connection: &Connection, stream: &str, consumer: &str) -> Result<Pull, String> {
        let (connection, inbox) = (connection.clone(), connection.client.new_inbox());
        let messages = connection.client.subscribe(inbox.clone()).await.map_err(|error| error.to_string())?;
        let next = format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}");
        Ok(Pull { connection, next, inbox, messages, asked: 0, asked_at: Instant::now(), of: 0 })
    }

    /// The next message, while at most `most` are asked for; none after a while without any.
    pub(crate) async fn next(&mut self, most: usize) -> Option<Message> {
        let now = self.connection.connected.load(Ordering::Relaxed);
        // A server that was away has forgotten.
        if self.of != now || self.asked_at.elapsed() > OPEN + Duration::from_secs(5) {
            (self.asked, self.of) = (0, now);
        }
        // A request for each message would double their number.
        if 2 * self.asked <= most {
            let body = json!({ "batch": most - self.asked, "expires": OPEN.as_nanos() as u64 });
            let payload = body.to_string().into_bytes().into();
            let client = &self.connection.client;
            if client.publish_with_reply(self.next.clone(), self.inbox.clone(), payload).await.is_ok() {
                (self.asked, self.asked_at) = (most, Instant::now());
            }
        }
        match tokio::time::timeout(LOOK, self.messages.next()).await {
            Err(_) => None,
            Ok(Some(message)) if message.status.is_none() => {
                self.asked = self.asked.saturating_sub(1);
                Some(message)
            }
            // The pull is over; some servers say how many messages are left of it.
            Ok(Some(message)) => {
                let left = message.headers.as_ref().and_then(|headers| headers.get("Nats-Pending-Messages"));
                let left = left.and_then(|left| left.as_str().parse().ok()).unwrap_or(self.asked);
                self.asked = self.asked.saturating_sub(left);
                if message.status.is_some_and(|status| status.as_u16() != 408) {
                    tokio::time::sleep(LOOK).await;
                }
                None
            }
            Ok(None) => {
                tokio::time::sleep(LOOK).await;
                None
            }
        }
    }
}

/// Says that a message was taken.
pub(crate) async fn acknowledge(client: &Client, reply: &str) {
    answer(client, reply, "+ACK".to_owned()).await;
}

/// Leaves a message to others, for a while.
pub(crate) async fn leave(client: &Client, reply: &str, wait: Duration) {
    answer(client, reply, format!("-NAK {}", json!({ "delay": wait.as_nanos() as u64 }))).await;
}

async fn answer(client: &Client, reply: &str, text: String) {
    if !reply.is_empty() {
        // What is not answered comes again.
        let _ = client.publish(reply.to_owned(), text.into_bytes().into()).await;
    }
}
