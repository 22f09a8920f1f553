//! The streams and consumers, all of which the coordinator makes.

use crate::names::{COORDINATOR, FILES, JOB, JOBS, RESULTS, WORKERS};
use crate::server::{Refusal, ask};
use async_nats::Client;
use serde_json::{Value, json};
use std::time::Duration;

/// How long the server knows the identities of messages that it has taken.
const KNOWN: Duration = Duration::from_secs(3600);

/// How long a worker may think about a job before it takes it.
const THINK: Duration = Duration::from_secs(30);

/// How long the coordinator may take to store a result.
const STORE: Duration = Duration::from_secs(600);

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64
}

/// Makes what is not there.
pub(crate) async fn make(client: &Client) -> Result<(), Refusal> {
    let stream = |name: &str, subject: &str, retention: &str| {
        json!({
            "name": name,
            "subjects": [subject],
            "retention": retention,
            "storage": "file",
            "discard": "new",
            "num_replicas": 1,
            "max_age": 0,
            "max_msgs": -1,
            "max_bytes": -1,
            "max_consumers": -1,
            "duplicate_window": nanoseconds(KNOWN),
        })
    };
    make_stream(client, JOBS, stream(JOBS, JOB, "workqueue")).await?;
    make_stream(client, RESULTS, stream(RESULTS, "tesuji.result.>", "workqueue")).await?;
    let mut files = stream(FILES, "tesuji.file.>", "limits");
    files["allow_direct"] = json!(true);
    files["max_msgs_per_subject"] = json!(1);
    files["discard"] = json!("old");
    make_stream(client, FILES, files).await?;
    make_consumer(client, JOBS, WORKERS, THINK).await?;
    make_consumer(client, RESULTS, COORDINATOR, STORE).await
}

async fn make_stream(client: &Client, name: &str, config: Value) -> Result<(), Refusal> {
    match ask(client, &format!("STREAM.INFO.{name}"), Value::Null).await {
        Ok(_) => Ok(()),
        Err(refusal) if refusal.is_missing() => {
            ask(client, &format!("STREAM.CREATE.{name}"), config).await.map(drop)
        }
        Err(refusal) => Err(refusal),
    }
}

async fn make_consumer(client: &Client, stream: &str, name: &str, wait: Duration) -> Result<(), Refusal> {
    let config = json!({
        "stream_name": stream,
        "config": {
            "durable_name": name,
            "deliver_policy": "all",
            "ack_policy": "explicit",
            "ack_wait": nanoseconds(wait),
            "replay_policy": "instant",
            "max_deliver": -1,
            "max_ack_pending": 200_000,
            "max_waiting": 100_000,
        },
    });
    ask(client, &format!("CONSUMER.DURABLE.CREATE.{stream}.{name}"), config).await.map(drop)
}

/// Throws away what an earlier coordinator has sent, and has results without an acknowledgement
/// handed out anew.
pub(crate) async fn renew(client: &Client) -> Result<(), Refusal> {
    let gone = |result: Result<Value, Refusal>| match result {
        Err(refusal) if !refusal.is_missing() => Err(refusal),
        _ => Ok(()),
    };
    gone(ask(client, &format!("STREAM.PURGE.{JOBS}"), Value::Null).await)?;
    gone(ask(client, &format!("STREAM.PURGE.{FILES}"), Value::Null).await)?;
    gone(ask(client, &format!("CONSUMER.DELETE.{JOBS}.{WORKERS}"), Value::Null).await)?;
    gone(ask(client, &format!("CONSUMER.DELETE.{RESULTS}.{COORDINATOR}"), Value::Null).await)?;
    make(client).await
}

/// How far the server has come: the number of the last job that it has handed out, that of the last
/// one it was given, and how many results nobody has taken yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Progress {
    pub(crate) delivered: u64,
    pub(crate) last: u64,
}

/// How far the jobs are.
pub(crate) async fn progress(client: &Client) -> Result<Progress, Refusal> {
    let consumer = ask(client, &format!("CONSUMER.INFO.{JOBS}.{WORKERS}"), Value::Null).await?;
    let stream = ask(client, &format!("STREAM.INFO.{JOBS}"), Value::Null).await?;
    Ok(Progress {
        delivered: consumer["delivered"]["stream_seq"].as_u64().unwrap_or_default(),
        last: stream["state"]["last_seq"].as_u64().unwrap_or_default(),
    })
}

/// How many results wait for the coordinator.
pub(crate) async fn waiting_results(client: &Client) -> Result<u64, Refusal> {
    let consumer = ask(client, &format!("CONSUMER.INFO.{RESULTS}.{COORDINATOR}"), Value::Null).await?;
    Ok(consumer["num_pending"].as_u64().unwrap_or_default())
}

/// Takes a job out of the queue.
pub(crate) async fn remove_job(client: &Client, number: u64) {
    // It may be gone already.
    let _ = ask(client, &format!("STREAM.MSG.DELETE.{JOBS}"), json!({ "seq": number })).await;
}
