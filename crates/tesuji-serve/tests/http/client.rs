//! A server in this process, and requests to it byte by byte.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;
use tesuji::Stop;
use tesuji_serve::{Options, Server};

/// A server with one directory.
pub(crate) struct Running {
    pub(crate) host: String,
    pub(crate) url: String,
    pub(crate) dir: TempDir,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

/// An answer: status, headers and body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{}", self.body))
    }
}

impl Running {
    pub(crate) fn new() -> Running {
        Running::with(|options| options)
    }

    pub(crate) fn with(change: impl FnOnce(Options) -> Options) -> Running {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("out")).unwrap();
        let directories = vec![dir.path().join("out")];
        let server = Server::bind(change(Options { directories, threads: 1, ..Options::default() })).unwrap();
        let (url, stop) = (server.url(), Stop::default());
        let host = url.trim_start_matches("http://").split('/').next().unwrap().to_owned();
        let here = stop.clone();
        let thread = std::thread::spawn(move || server.run(&here).unwrap());
        Running { host, url, dir, stop, thread: Some(thread) }
    }

    pub(crate) fn out(&self) -> std::path::PathBuf {
        self.dir.path().join("out")
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes and no more; what comes back until the server closes.
    pub(crate) fn send_and_close(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request; what comes back until the server closes.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        self.ask_bytes(method, path, headers, body.as_bytes())
    }

    fn ask_bytes(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let length =
            if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let head = format!("{method} {path} HTTP/1.1\r\n{headers}{length}Connection: close\r\n\r\n");
        let text = self.raw(&[head.as_bytes(), body].concat());
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &format!("Host: {}\r\n", self.host), "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        let headers =
            format!("Host: {0}\r\nOrigin: http://{0}\r\nContent-Type: application/json\r\n", self.host);
        self.ask("POST", path, &headers, &body.to_string())
    }

    /// Reads an SGF file.
    pub(crate) fn read_sgf(&self, file: &[u8]) -> Answer {
        let headers = format!("Host: {}\r\nContent-Type: application/x-go-sgf\r\n", self.host);
        self.ask_bytes("POST", "/api/sgf/read", &headers, file)
    }

    /// The events of a stream until `f` has enough.
    pub(crate) fn events(&self, path: &str, mut f: impl FnMut(&Value) -> bool) {
        let mut stream = self.connect();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host).unwrap();
        let (mut text, mut bytes) = (String::new(), [0; 1 << 16]);
        loop {
            let n = stream.read(&mut bytes).unwrap();
            assert!(n > 0, "the stream ended: {text}");
            text += &String::from_utf8_lossy(&bytes[..n]);
            while let Some((event, rest)) = text.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let enough = data.is_some_and(|data| f(&serde_json::from_str(data).unwrap()));
                text = rest.to_owned();
                if enough {
                    return;
                }
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The text of a file that must be there.
pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
