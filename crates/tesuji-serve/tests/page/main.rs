//! The page in a real browser.

#[path = "../../../tesuji-cli/tests/browser/mod.rs"]
#[allow(dead_code, reason = "the tests of reports open files")]
mod browser;

use browser::Browser;
use serde_json::{Value, json};
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
struct Served {
    process: Child,
    url: String,
}

impl Served {
    fn start(dir: &Path) -> Served {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "server_process", "--ignored", "--nocapture"])
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

    fn at(&self, hash: &str) -> String {
        // Another query makes the browser load the page anew.
        format!("{}?{}{hash}", self.url, hash.len())
    }

    fn kill(&mut self) {
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

fn begin() -> Option<(Browser, TempDir, Served)> {
    let browser = Browser::start()?;
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(dir.path());
    Some((browser, dir, served))
}

const BOARD: &str = "!!document.querySelector('#board svg')";

/// Sets an input of the page as a person does.
fn set(browser: &mut Browser, label: &str, value: &str) {
    browser.evaluate(&format!(
        "(() => {{ const f = [...document.querySelectorAll('label')].find(l => l.firstChild.textContent === {label:?}).querySelector('input,select');
            f.value = {value:?}; f.dispatchEvent(new Event('input')); f.dispatchEvent(new Event('change')); }})()"
    ));
}

fn press_button(browser: &mut Browser, text: &str) {
    browser.evaluate(&format!(
        "[...document.querySelectorAll('button')].find(b => b.textContent === {text:?}).click()"
    ));
}

fn pictures() -> PathBuf {
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve");
    std::fs::create_dir_all(&pictures).unwrap();
    pictures
}

fn is_sound(browser: &Browser, served: &Served) {
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
const TURN: &str = "document.getElementById('turn').textContent";

#[test]
fn connect_four_is_played_to_the_end_by_keys() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=connect-four"), BOARD);
    set(&mut browser, "Simulations a move", "50");
    set(&mut browser, "Second player", "uct");
    for turn in 0..22 {
        browser.wait(&format!("{TURN}.includes('over') || {TURN}.includes('player 1 to move')"));
        if browser.evaluate(&format!("{TURN}.includes('over')")) == true {
            break;
        }
        assert!(turn < 21, "a game has 42 moves");
        // To the first column, then to one that has room.
        browser.evaluate("document.querySelector('.place[tabindex=\"0\"]').focus()");
        (0..7).for_each(|_| browser.press("ArrowLeft"));
        for _ in 0..7 {
            if browser.evaluate("document.activeElement.classList.contains('legal')") == true {
                break;
            }
            browser.press("ArrowRight");
        }
        let before = browser.evaluate(TURN);
        browser.press("Enter");
        browser.wait(&format!("{TURN} !== {before}"));
    }
    let end = browser.evaluate("document.getElementById('status').textContent").to_string();
    assert!(end.contains("The game is over."), "what is said to those who hear the page: {end}");
    is_sound(&browser, &served);
}

#[test]
fn go_is_played_to_the_end_by_mouse() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A2"), BOARD);
    set(&mut browser, "Simulations a move", "30");
    set(&mut browser, "Second player", "uct");
    for turn in 0.. {
        browser.wait(&format!("{TURN}.includes('over') || {TURN}.includes('player 1 to move')"));
        if browser.evaluate(&format!("{TURN}.includes('over')")) == true {
            break;
        }
        assert!(turn < 100, "the game ends");
        let before = browser.evaluate(TURN);
        if turn < 3 {
            // The middle of the first point that may be played.
            let at = browser.evaluate(
                "(() => { const r = document.querySelector('.place.legal .ring')?.getBoundingClientRect(); return r ? [r.x + r.width / 2, r.y + r.height / 2] : null; })()",
            );
            if let Some([x, y]) = at.as_array().map(Vec::as_slice) {
                browser.click(x.as_f64().unwrap(), y.as_f64().unwrap());
            } else {
                press_button(&mut browser, "PASS");
            }
        } else {
            press_button(&mut browser, "PASS");
        }
        browser.wait(&format!("{TURN} !== {before}"));
    }
    let address = browser.evaluate("location.hash").to_string();
    assert!(address.contains("game=go%3A2&moves=") && address.contains("PASS"), "{address}");
    is_sound(&browser, &served);
}

#[test]
fn an_analysis_changes_and_its_tree_is_explored() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A9&moves=E5+C5"), BOARD);
    press_button(&mut browser, "Analyse");
    let visits = "+(document.querySelector('.candidates tbody td.number')?.textContent ?? '0').replaceAll('\u{202f}', '')";
    browser.wait(&format!("({visits}) > 20"));
    let first = browser.evaluate(visits).as_f64().unwrap();
    browser.wait(&format!("({visits}) > {}", first * 2.0));
    assert!(browser.evaluate("document.querySelectorAll('.heat').length").as_u64().unwrap() > 5);
    // The variation of a move at hover.
    browser.evaluate(
        "document.querySelector('.candidates tbody tr').dispatchEvent(new MouseEvent('mouseenter'))",
    );
    assert!(
        browser.evaluate("document.querySelectorAll('.marks .number-mark').length").as_u64().unwrap() > 1
    );
    for width in [390, 1080, 1920] {
        browser.width(width);
        assert_eq!(
            browser.evaluate(&format!("document.documentElement.scrollWidth <= {width}")),
            true,
            "{width} pixels"
        );
        browser.screenshot(&pictures().join(format!("play-{width}.png")));
    }
    browser.width(1080);
    press_button(&mut browser, "Stop");
    browser.wait("document.querySelector('.candidates .faint').textContent.startsWith('paused')");
    press_button(&mut browser, "Explore the tree");
    browser.wait(
        "document.querySelectorAll('.tree > li').length > 5 && !!document.querySelector('.icicle rect')",
    );
    browser.evaluate("document.querySelector('.tree > li button').click()");
    browser.wait("!!document.querySelector('.tree li li')");
    browser.screenshot(&pictures().join("tree-1080.png"));
    is_sound(&browser, &served);
}

/// What an update of the page costs it, scripting and layout, in milliseconds: gathers them in
/// `costs`.
const MEASURE: &str = "(() => {
    const read = JSON.parse;
    window.costs = [];
    JSON.parse = text => {
        const begun = performance.now(), value = read(text);
        queueMicrotask(() => { document.body.offsetHeight; window.costs.push(performance.now() - begun); });
        return value;
    };
})()";

#[test]
fn an_update_costs_the_page_little() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A19&moves=D4"), BOARD);
    browser.evaluate(MEASURE);
    press_button(&mut browser, "Analyse");
    browser.wait("window.costs.length >= 41");
    // The first one makes the table.
    let costs = browser.evaluate("window.costs.slice(1).sort((a, b) => a - b)");
    let cost = |share: f64| {
        let costs = costs.as_array().unwrap();
        costs[(share * (costs.len() - 1) as f64) as usize].as_f64().unwrap()
    };
    let [least, half, most] = [0.1, 0.5, 0.95].map(cost);
    eprintln!("an update costs {least:.1} ms (10 %), {half:.1} ms (50 %), {most:.1} ms (95 %)");
    // The clock runs on while other processes and the search have the processor.
    assert!(least < 8.0, "{costs}");
}

#[test]
fn a_tree_of_a_million_nodes_is_opened_twelve_levels_deep() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#laboratory"), "!!document.querySelector('main h2')");
    let id = browser.evaluate(
        "fetch('/api/searches', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({
            game: 'connect-four', recipe: 'uct,select.c=0.3', simulations: 1400000 }) }).then(r => r.json()).then(r => r.id)",
    );
    browser.visit(
        &served.at(&format!("#tree={id}")),
        "document.querySelector('main p + p')?.textContent.startsWith('ended')",
    );
    let nodes = "+document.querySelector('main p + p').textContent.match(/([0-9\u{202f}]+) nodes/u)[1].replaceAll('\u{202f}', '')";
    assert!(browser.evaluate(nodes).as_f64().unwrap() > 1e6);
    browser.evaluate("document.querySelectorAll('.tree > li').forEach(item => { item.dataset.old = 1; })");
    press_button(&mut browser, "Look again");
    browser.wait("!document.querySelector('[data-old]') && document.querySelectorAll('.tree > li').length === 7 && document.querySelectorAll('.icicle rect').length > 20");
    for depth in 1..=12 {
        let last = format!(".tree {}", "li:first-child > ul > ".repeat(depth - 1) + "li:first-child");
        browser.wait(&format!("!!document.querySelector('{last} > button')"));
        browser.evaluate(&format!("document.querySelector('{last} > button').click()"));
    }
    browser.wait(&format!("!!document.querySelector('.tree {}li')", "li:first-child > ul > ".repeat(12)));
    let line = browser.evaluate("[...document.querySelectorAll('[data-line]')].map(li => li.dataset.line.split(' ').length).sort((a, b) => b - a)[0]");
    assert!(line.as_u64().unwrap() >= 12, "{line}");
    browser.screenshot(&pictures().join("million-1080.png"));
    is_sound(&browser, &served);
}

#[test]
fn an_experiment_survives_the_death_of_the_server() {
    let Some((mut browser, dir, mut served)) = begin() else { return };
    browser.visit(&served.at("#new"), "!!document.querySelector('textarea')");
    set(&mut browser, "name", "first");
    set(&mut browser, "game", "tic-tac-toe");
    set(&mut browser, "games", "3000");
    set(&mut browser, "playouts", "20");
    set(&mut browser, "a", "uct");
    set(&mut browser, "b", "random");
    set(&mut browser, "about", "<img src=x onerror=alert(1)>");
    let file = browser.evaluate("document.querySelector('textarea').value").to_string();
    assert!(file.contains("games = 3000"), "{file}");
    press_button(&mut browser, "Start");
    browser.wait("(document.querySelector('progress')?.value ?? 0) > 100");
    let shares = browser
        .evaluate("[document.querySelector('progress').value, document.querySelector('progress').max]");
    assert!(shares[0].as_f64() <= shares[1].as_f64() && shares[1].as_f64() == Some(3000.0), "{shares}");
    browser.screenshot(&pictures().join("running-1080.png"));
    served.kill();
    let made = |dir: &Path| tesuji_lab::store::Store::read(&dir.join("first")).unwrap().games().unwrap();
    let before = made(dir.path());
    assert!(before.len() > 50 && before.len() < 3000, "{} games", before.len());

    // Its streams end with it.
    browser.visit("about:blank", "!document.getElementById('main')");
    browser.errors.clear();
    browser.requests.clear();
    let served = Served::start(dir.path());
    browser.visit(&served.at("#laboratory"), "!!document.querySelector('tbody tr')");
    assert_eq!(browser.evaluate("document.querySelectorAll('main img').length"), 0, "a name is no markup");
    browser.visit(&served.at("#experiment=0%2Ffirst"), "!!document.getElementById('resume')");
    browser.evaluate("document.getElementById('resume').click()");
    browser
        .wait("[...document.querySelectorAll('[data-run]')].some(run => run.textContent.includes('done'))");
    let after = made(dir.path());
    assert_eq!(after.len(), 3000);
    let moves = |games: &[(tesuji_lab::store::Place, tesuji_lab::store::GameRow)]| {
        games
            .iter()
            .map(|(_, game)| (game.id.clone(), game.moves.clone()))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    let after = moves(&after);
    for (id, game) in moves(&before) {
        assert_eq!(after.get(&id), Some(&game), "nothing is lost");
    }
    is_sound(&browser, &served);
}

#[test]
fn two_experiments_are_compared() {
    let Some((mut browser, dir, served)) = begin() else { return };
    for (name, score) in [("one", 0.3), ("two", 0.7)] {
        let at = dir.path().join(name);
        std::fs::create_dir(&at).unwrap();
        std::fs::write(at.join("games.sqlite"), "").unwrap();
        let row = json!({
            "name": "<script>alert(1)</script>", "a": "A", "b": "B", "game": "go9", "planned": 100, "games": 100,
            "wins": 30, "draws": 0, "losses": 70, "score": score, "ci95_lo": score - 0.1, "ci95_hi": score + 0.1,
            "elo": 1.0, "elo_lo": 0.0, "elo_hi": 2.0, "p": 0.001, "p_holm": 0.001, "seed": 1,
        });
        let summary: Value = json!({ "name": name, "about": "<b>bold</b>", "results": [row] });
        std::fs::write(at.join("summary.json"), summary.to_string()).unwrap();
    }
    browser.visit(&served.at("#laboratory"), "document.querySelectorAll('tbody tr').length === 2");
    assert_eq!(browser.evaluate("document.querySelectorAll('main script, main b').length"), 0);
    let shown = browser.evaluate("document.querySelector('tbody').textContent").to_string();
    assert!(shown.contains("A is weaker than B: 30 % [20, 40], 100 games."), "{shown}");
    browser.evaluate("document.querySelectorAll('tbody input').forEach(box => box.click())");
    press_button(&mut browser, "Compare two");
    browser.wait("document.querySelector('main').textContent.includes('the intervals do not meet')");
    for width in [390, 1080] {
        browser.width(width);
        assert_eq!(
            browser.evaluate(&format!("document.documentElement.scrollWidth <= {width}")),
            true,
            "{width} pixels"
        );
    }
    browser.screenshot(&pictures().join("compare-1080.png"));
    is_sound(&browser, &served);
}
