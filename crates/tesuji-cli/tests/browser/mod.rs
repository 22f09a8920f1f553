//! A headless Chromium, driven by the Chrome DevTools Protocol.

use base64::Engine;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// A browser with one page open.
pub(crate) struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    last_id: u64,
    /// Addresses that the page asked for, and its errors, as they came.
    pub(crate) requests: Vec<String>,
    pub(crate) errors: Vec<String>,
    _profile: TempDir,
}

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

impl Browser {
    /// Starts a browser; none if none is installed, which is an error where
    /// `TESUJI_REQUIRE_BROWSER` is 1.
    pub(crate) fn start() -> Option<Browser> {
        let installed =
            |name: &&&str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
        let Some(name) = NAMES.iter().find(installed) else {
            let message = format!("no browser is installed; looked for {}", NAMES.join(", "));
            assert!(std::env::var("TESUJI_REQUIRE_BROWSER").as_deref() != Ok("1"), "{message}");
            eprintln!("{message}: the page was not tested");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut process = Command::new(name)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
            ])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--remote-debugging-port=0", "--window-size=1200,900"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned))
            .expect("the browser listens");
        // Whoever reads no more stops the browser once the pipe is full.
        std::thread::spawn(move || lines.for_each(drop));
        let host = address.trim_start_matches("ws://").split('/').next().unwrap();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let (socket, _) = tungstenite::client(address.as_str(), stream).expect("the browser answers");
        let mut browser = Browser {
            process,
            socket,
            session: String::new(),
            last_id: 0,
            requests: Vec::new(),
            errors: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        browser.session = text(&browser.call("Target.attachToTarget", attach)["sessionId"]);
        for domain in ["Page", "Network", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Opens a file and waits until `condition` holds there.
    pub(crate) fn open(&mut self, file: &Path, condition: &str) {
        self.visit(&format!("file://{}", file.display()), condition);
    }

    /// Opens an address and waits until `condition` holds there.
    pub(crate) fn visit(&mut self, url: &str, condition: &str) {
        self.call("Page.navigate", json!({ "url": url }));
        self.wait(condition);
    }

    /// Waits until `condition` holds.
    pub(crate) fn wait(&mut self, condition: &str) {
        for _ in 0..600 {
            if self.evaluate(condition) == true {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("{condition} does not come to hold; errors: {:?}", self.errors);
    }

    /// The value of a JavaScript expression.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.call("Runtime.evaluate", parameters);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        // With a code and a text the browser does what the key does by itself.
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Tab" => (9, ""),
            _ => (0, ""),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key, "code": key });
            if code > 0 {
                event["windowsVirtualKeyCode"] = json!(code);
            }
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Makes the window as wide as a phone's, or wide again.
    pub(crate) fn width(&mut self, width: u32) {
        let size = json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Moves the pointer to a place in the window.
    pub(crate) fn point_at(&mut self, x: f64, y: f64) {
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }));
    }

    /// Clicks at a place in the window.
    #[allow(dead_code, reason = "not every test clicks")]
    pub(crate) fn click(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Shows the page as `screen` or `print` would.
    pub(crate) fn media(&mut self, media: &str) {
        self.call("Emulation.setEmulatedMedia", json!({ "media": media }));
    }

    /// Writes a picture of the whole page.
    pub(crate) fn screenshot(&mut self, file: &Path) {
        let size = self.call("Page.getLayoutMetrics", json!({}))["cssContentSize"].take();
        let clip = json!({ "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1 });
        let parameters = json!({ "captureBeyondViewport": true, "clip": clip });
        let answer = self.call("Page.captureScreenshot", parameters);
        let picture = base64::engine::general_purpose::STANDARD.decode(text(&answer["data"])).unwrap();
        std::fs::write(file, picture).unwrap();
    }

    /// Calls a method of the protocol.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(answer) = self.socket.read().expect("the browser answers in time") else {
                continue;
            };
            let mut answer: Value = serde_json::from_str(&answer).unwrap();
            if answer["id"] == self.last_id {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].take();
            }
            match answer["method"].as_str() {
                Some("Network.requestWillBeSent") => {
                    self.requests.push(text(&answer["params"]["request"]["url"]));
                }
                Some("Runtime.exceptionThrown" | "Log.entryAdded") => self.errors.push(answer.to_string()),
                _ => {}
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
