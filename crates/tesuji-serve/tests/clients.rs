//! Many clients of one stream, in a process whose memory is theirs alone.

#[path = "http/client.rs"]
#[allow(dead_code, reason = "other tests ask for more")]
mod client;

use client::Running;
use serde_json::json;
use std::io::{Read, Write};
use std::time::Duration;

/// Clients share what is sent to them: the whole server with its search stays below 200 MB.
#[test]
fn two_hundred_clients_watch_one_search() {
    let server = Running::with(|options| tesuji_serve::Options { search_bytes: 32 << 20, ..options });
    let search = json!({ "game": "go:9", "moves": "", "recipe": "grave,playout=uniform" });
    let id = server.post("/api/searches", &search).json()["id"].take();
    let mut clients: Vec<_> = (0..200).map(|_| server.connect()).collect();
    for client in &mut clients {
        write!(client, "GET /api/searches/{id}/events HTTP/1.1\r\nHost: {}\r\n\r\n", server.host).unwrap();
    }
    // Nobody reads meanwhile.
    std::thread::sleep(Duration::from_secs(5));
    for client in &mut clients {
        let mut bytes = [0; 64];
        client.read_exact(&mut bytes).unwrap();
        assert!(bytes.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&bytes));
    }
    let peak = tesuji_lab::peak_memory().unwrap_or(0);
    eprintln!("{peak} bytes at most");
    assert!(peak < 200_000_000, "{peak} bytes");
    assert_eq!(server.get("/api/list").status, 200);
}
