//! A server in a process of its own, and what a person does with its page.

use crate::browser::Browser;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;
use tesuji::Stop;
use tesuji_serve::{Options, Server};

/// The process that serves is this program once more.
const DIRECTORY: &str = "TESUJI_TEST_SERVE";

#[test]
#[ignore = "the server that other tests start"]
fn server_process() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let options = Options { directories: vec![directory.into()], threads: 1, ..Options::default() };
    let server = Server::bind(options).unwrap();
    println!("\nlistening {}", server.url());
    server.run(&Stop::default()).unwrap();
}

/// A server in a process of its own.
pub(crate) struct Served {
    process: Child,
    pub(crate) url: String,
}

impl Served {
    pub(crate) fn start(dir: &Path) -> Served {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "served::server_process", "--ignored", "--nocapture"])
            .env(DIRECTORY, dir)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let url = lines
            .by_ref()
            .find_map(|line| line.strip_prefix("listening ").map(str::to_owned))
            .expect("the server listens");
        // Whoever reads no more ends a process that writes.
        std::thread::spawn(move || lines.for_each(drop));
        Served { process, url }
    }

    pub(crate) fn at(&self, hash: &str) -> String {
        // Another query makes the browser load the page anew.
        format!("{}?{}{hash}", self.url, hash.len())
    }

    /// The most resident bytes of the process so far, on Linux.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn begin() -> Option<(Browser, TempDir, Served)> {
    let browser = Browser::start()?;
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(dir.path());
    Some((browser, dir, served))
}

pub(crate) const BOARD: &str = "!!document.querySelector('#board svg')";

/// Sets an input of the page as a person does.
pub(crate) fn set(browser: &mut Browser, label: &str, value: &str) {
    browser.evaluate(&format!(
        "(() => {{ const f = [...document.querySelectorAll('label')].find(l => l.firstChild.textContent === {label:?}).querySelector('input,select');
            f.value = {value:?}; f.dispatchEvent(new Event('input')); f.dispatchEvent(new Event('change')); }})()"
    ));
}

pub(crate) fn press_button(browser: &mut Browser, text: &str) {
    browser.evaluate(&format!(
        "[...document.querySelectorAll('button')].find(b => b.textContent === {text:?}).click()"
    ));
}

/// Keeps the text of each file that the page saves from now on.
pub(crate) fn watch_saves(browser: &mut Browser) {
    browser.evaluate(
        "window.saved = null; const make = URL.createObjectURL; URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; }); return make(blob); }; \
         HTMLAnchorElement.prototype.click = () => {};",
    );
}

/// The text of the file that the page saves now.
pub(crate) fn saved(browser: &mut Browser) -> String {
    browser.evaluate("window.saved = null");
    press_button(browser, "Save SGF");
    browser.wait("window.saved !== null");
    browser.evaluate("window.saved").as_str().unwrap().to_owned()
}

/// The middle of the first element of this selector, which is brought into view.
pub(crate) fn middle(browser: &mut Browser, element: &str) -> Option<[f64; 2]> {
    let at = browser.evaluate(&format!(
        "(() => {{ const e = {element}; if (!e) return null; e.scrollIntoView({{ block: 'nearest' }});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
    ));
    let at = at.as_array()?;
    Some([at[0].as_f64()?, at[1].as_f64()?])
}

/// Makes one of the stores of `tesuji-cli` in a directory.
pub(crate) fn make_store(name: &str, dir: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tesuji-cli/tests/stores").join(name);
    let to = dir.join(name);
    std::fs::create_dir(&to).unwrap();
    let db = rusqlite::Connection::open(to.join("games.sqlite")).unwrap();
    db.execute_batch(&std::fs::read_to_string(from.join("store.sql")).unwrap()).unwrap();
    std::fs::copy(from.join("summary.json"), to.join("summary.json")).unwrap();
}

/// Writes a picture of the whole page.
pub(crate) fn picture(browser: &mut Browser, name: &str) {
    // What sticks to the window would lie across it.
    browser.evaluate("document.getElementById('status').style.position = 'static'");
    browser.screenshot(&pictures().join(name));
    browser.evaluate("document.getElementById('status').style.position = ''");
}

fn pictures() -> PathBuf {
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve");
    std::fs::create_dir_all(&pictures).unwrap();
    pictures
}

pub(crate) fn is_sound(browser: &Browser, served: &Served) {
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
    let own = |url: &&String| {
        url.starts_with(&served.url)
            || url.starts_with("data:")
            || url.starts_with("blob:")
            || url.as_str() == "about:blank"
    };
    let foreign: Vec<_> = browser.requests.iter().filter(|url| !own(url)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

/// Who is to move, or the end of the game.
pub(crate) const TURN: &str = "document.getElementById('turn').textContent";
