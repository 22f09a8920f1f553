//! `tesuji report DIR`: the page of an experiment, in a real browser.

mod browser;

use browser::Browser;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use tesuji::{Game, Notation, Player};
use tesuji_go::sgf::{MainLine, parse};
use tesuji_go::{RuleSet, Rules, with_go};
use tesuji_lab::store::{GameRow, Store};

fn tesuji(arguments: &[&str], dir: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let output = command.args(arguments).current_dir(dir).output().expect("the binary runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Plays a match and makes its report; its first game.
fn report(dir: &Path, game: &str, a: &str) -> GameRow {
    let settings = ["--game", game, "--games", "4", "--playouts", "20", "--out", "match"];
    tesuji(&[&["match", a, "random"], &settings[..]].concat(), dir);
    let summary: Value = serde_json::from_str(&tesuji(&["report", "match", "--json"], dir)).unwrap();
    assert_eq!((&summary["made"], &summary["planned"]), (&json!(4), &json!(4)));
    let size = std::fs::metadata(dir.join("match/report.html")).unwrap().len();
    assert!(size < 2_000_000, "{size} bytes");
    Store::read(&dir.join("match")).unwrap().games().unwrap().remove(0).1
}

/// What the board of the page shows: for each point with a stone its column, its row from the
/// bottom, and the player.
const STONES: &str = "[...document.querySelectorAll('#board .stone')].map(s => [
    Math.round(s.getAttribute('cx') - 1.3), 8 - Math.round(s.getAttribute('cy') - 1.3), +s.dataset.player]).sort()";

const READY: &str = "!!document.querySelector('#board svg')";

#[test]
fn a_game_of_go_is_played_through_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let dir = tempfile::tempdir().unwrap();
    let game = report(dir.path(), "go9", "uct");
    browser.open(&dir.path().join("match/report.html"), READY);

    // The table and the figures.
    assert_eq!(browser.evaluate("document.querySelectorAll('#results tbody tr').length"), 1);
    let heads = browser.evaluate("[...document.querySelectorAll('#results th')].map(h => h.textContent)");
    assert_eq!(
        heads,
        json!(["agents", "games", "score", "95 % interval", "0 to 1", "Elo", "95 % interval", "p"])
    );
    assert_eq!(browser.evaluate("document.querySelectorAll('#figures figure > svg').length"), 2);
    let drawn =
        "[...document.querySelectorAll('#figures svg')].every(s => s.getBoundingClientRect().height > 100)";
    assert_eq!(browser.evaluate(drawn), true);
    assert_eq!(browser.evaluate("document.querySelectorAll('#games tr').length"), 4);

    // The board is the engine's board after every move, with keys as with buttons.
    browser.press("Home");
    assert_eq!(browser.evaluate(STONES), json!([]));
    let mut captures = 0;
    with_go!(9, Rules::default(), |go| {
        let mut stones = 0;
        for (ply, text) in game.moves.iter().enumerate() {
            go.play(go.parse_move(text).unwrap());
            if ply % 2 == 0 {
                browser.press("ArrowRight");
            } else {
                browser.evaluate("document.getElementById('forward').click()");
            }
            let mut expected = Vec::new();
            for (column, row) in (0..9).flat_map(|column| (0..9).map(move |row| (column, row))) {
                if let Some(player) = go.vertex(column, row).and_then(|vertex| go.stone(vertex)) {
                    expected.push(json!([column, row, usize::from(player != Player::FIRST)]));
                }
            }
            captures += usize::from(text != "pass" && expected.len() <= stones);
            stones = expected.len();
            assert_eq!(
                browser.evaluate(STONES),
                Value::Array(expected),
                "after move {} of {:?}",
                ply + 1,
                game.moves
            );
        }
    });
    assert!(captures > 0, "no capture in {:?}", game.moves);
    let status = browser.evaluate("document.getElementById('status').textContent").to_string();
    assert!(status.contains(&format!("Move {0} of {0}", game.moves.len())), "{status}");
    browser.press("ArrowLeft");
    browser.press("End");
    assert_eq!(browser.evaluate("+document.getElementById('slider').value"), game.moves.len());

    // The curve, the SGF and the list.
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#curve .values')[0].getAttribute('d').length > 50"),
        true
    );
    let sgf = browser.evaluate("document.getElementById('sgf-text').textContent");
    let file = parse(sgf.as_str().unwrap()).expect("SGF that can be read");
    let line = MainLine::read(&file.games[0]).expect("a game of Go");
    assert_eq!((line.size, line.moves(), &line.result), (9, game.moves.len(), &game.result));
    assert_eq!(RuleSet::parse(&line.rules), Some((RuleSet::TROMP_TAYLOR, false)), "{}", line.rules);
    browser.evaluate(
        "(() => { const f = document.getElementById('filter'); f.value = '1.1.0.2'; f.dispatchEvent(new Event('input')); })()",
    );
    assert_eq!(browser.evaluate("document.querySelectorAll('#games tr').length"), 1);
    browser.evaluate("document.querySelector('#games button').click()");
    let about = browser.evaluate("document.getElementById('about').textContent").to_string();
    assert!(about.contains("Game 1.1.0.2"), "{about}");

    the_page_is_seen(&mut browser);

    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
    let foreign: Vec<_> = browser.requests.iter().filter(|url| !url.starts_with("file://")).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

/// The page at the widths of a phone, a small and a large screen, with a picture of each; what the
/// pointer shows; what is printed.
fn the_page_is_seen(browser: &mut Browser) {
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    std::fs::create_dir_all(&pictures).unwrap();
    for width in [390, 1080, 1920] {
        browser.width(width);
        assert_eq!(browser.evaluate(&format!("document.documentElement.scrollWidth <= {width}")), true);
        let table = "(() => { const t = document.getElementById('results'); return t.scrollWidth <= t.parentNode.clientWidth; })()";
        assert_eq!(browser.evaluate(table), true, "the table of results at {width} pixels");
        browser.screenshot(&pictures.join(format!("report-{width}.png")));
    }
    // On a phone a row is a block.
    let display = "getComputedStyle(document.querySelector('#results tr')).display";
    assert_eq!(browser.evaluate(display), "table-row");
    browser.width(390);
    assert_eq!(
        browser.evaluate("getComputedStyle(document.querySelector('#results tbody tr')).display"),
        "block"
    );
    browser.width(1080);

    // The verdict is what a reader sees first.
    let verdict = browser.evaluate("document.querySelector('h1 + p').textContent");
    let verdict = verdict.as_str().unwrap();
    let is_sentence =
        verdict.starts_with("uct is stronger than random: ") || verdict.starts_with("No difference between");
    assert!(is_sentence && verdict.ends_with("], 4 games."), "{verdict}");

    // A point shows its numbers when the pointer is there, and no other point does.
    let shown =
        "[...document.querySelectorAll('.values text')].filter(t => getComputedStyle(t).display !== 'none')
        .map(t => t.textContent)";
    assert_eq!(browser.evaluate(shown), json!([]));
    let place =
        "(() => { const c = document.querySelector('.values circle'); c.scrollIntoView({ block: 'center' });
            const b = c.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()";
    let mut texts = json!([]);
    // The browser lays the page out when it likes.
    for _ in 0..100 {
        let place = browser.evaluate(place);
        browser.point_at(1.0, 1.0);
        browser.point_at(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
        texts = browser.evaluate(shown);
        if texts != json!([]) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(texts.as_array().unwrap().len(), 1, "{texts}");
    let text = texts[0].as_str().unwrap();
    assert!(text.starts_with("score ") && text.ends_with("games 1"), "{texts}");

    // Nothing that only a screen needs is printed.
    let controls =
        "['.filters', '.list', '.steps'].map(c => getComputedStyle(document.querySelector(c)).display)";
    browser.media("print");
    assert_eq!(browser.evaluate(controls), json!(["none", "none", "none"]));
    assert_eq!(
        browser.evaluate("document.getElementById('details').querySelector('td').checkVisibility()"),
        true
    );
    browser.media("screen");
}

#[test]
fn a_report_with_several_matches_has_nine_columns_and_a_verdict() {
    let Some(mut browser) = Browser::start() else { return };
    let dir = tempfile::tempdir().unwrap();
    let file = include_str!("../../../experiments/examples/sweep.toml").replace("examples/sweep", "small");
    std::fs::write(dir.path().join("small.toml"), file.replace("[20, 50]", "[20]")).unwrap();
    let printed = tesuji(&["run", "small.toml"], dir.path());
    assert!(printed.lines().all(|line| line.chars().count() <= 100), "{printed}");
    tesuji(&["report", "out/small"], dir.path());
    browser.open(&dir.path().join("out/small/report.html"), READY);
    assert_eq!(browser.evaluate("document.querySelectorAll('#results th').length"), 9);
    let verdict = browser.evaluate("document.getElementById('verdict').textContent").to_string();
    assert!(verdict.contains("3 matches show"), "{verdict}");
    // The legend stands above the plot: its names end before the highest grid line begins.
    let covers = "[...document.querySelectorAll('#figures svg')].some(svg => {
        const top = Math.min(...[...svg.querySelectorAll('polyline, line')].map(l => l.getBBox()).filter(b => b.height > 200).map(b => b.y));
        const names = [...svg.querySelectorAll(':scope > text')].filter(t => /select/.test(t.textContent));
        return names.length > 0 && names.some(t => t.getBBox().y + t.getBBox().height > top);
    })";
    assert_eq!(browser.evaluate(covers), false);
    browser.width(390);
    assert_eq!(browser.evaluate("document.documentElement.scrollWidth <= 390"), true);
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

#[test]
fn every_game_with_a_board_is_drawn() {
    let Some(mut browser) = Browser::start() else { return };
    // A piece on the board stays there, except that heaps shrink and knights are captured.
    for (game, grows) in [
        ("hex:5", true),
        ("connect-four", true),
        ("tic-tac-toe", true),
        ("domineering:5x4", true),
        ("knightthrough", false),
        ("heap-go:4x5", false),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let moves = report(dir.path(), game, "uct").moves.len();
        browser.open(&dir.path().join("match/report.html"), READY);
        browser.press("Home");
        let mut pieces =
            browser.evaluate("document.querySelectorAll('#board .stone').length").as_u64().unwrap();
        for ply in 1..=moves {
            browser.press("ArrowRight");
            let now = browser.evaluate("document.querySelectorAll('#board .stone').length").as_u64().unwrap();
            assert!(
                if grows { now == pieces + 1 } else { now <= pieces },
                "{game}, move {ply}: {pieces}, {now}"
            );
            pieces = now;
        }
        assert!(browser.errors.is_empty(), "{game}: {:?}", browser.errors);
    }
}

#[test]
fn a_game_without_a_board_shows_its_moves() {
    let Some(mut browser) = Browser::start() else { return };
    let dir = tempfile::tempdir().unwrap();
    report(dir.path(), "p-game:2,8", "uct");
    browser.open(&dir.path().join("match/report.html"), "!!document.querySelector('#moves li')");
    assert_eq!(browser.evaluate("document.querySelectorAll('#moves li').length"), 8);
    assert_eq!(browser.evaluate("document.querySelector('#board svg')"), Value::Null);
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}

/// A tuning of the schedule of Softmax, small enough for a test.
const TUNING: &str = r#"
kind = "tuning"
name = "small"
about = "a schedule"
game = "hex:4"
base = "uct,backup=softmax,backup.schedule=knots,backup.simulations=20"
evaluations = 10
games = 4
playouts = 20

[[parameter]]
name = "select.c"
kind = "log"
low = 0.05
high = 1.0

[[parameter]]
name = "backup.knots"
kind = "knots"
count = 3
low = -3
high = 6
default = [0, 0, 0]

[[validation]]
name = "default"
games = 6
"#;

#[test]
fn a_tuning_shows_its_figures_and_games() {
    let Some(mut browser) = Browser::start() else { return };
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("small.toml"), TUNING).unwrap();
    tesuji(&["tune", "small.toml"], dir.path());
    tesuji(&["report", "out/small"], dir.path());
    let page = dir.path().join("out/small/report.html");
    assert!(std::fs::metadata(&page).unwrap().len() < 2_000_000);
    browser.open(&page, READY);

    // Only the validation is judged; all evaluations are listed.
    assert_eq!(browser.evaluate("document.querySelectorAll('#results tbody tr').length"), 1);
    let heads = browser.evaluate("[...document.querySelectorAll('h2')].map(h => h.textContent)");
    let heads: Vec<&str> = heads.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(heads.contains(&"The recommended values") && heads.contains(&"Evaluations"), "{heads:?}");
    let rows = "[...document.querySelectorAll('h2')].find(h => h.textContent == 'Evaluations')
        .nextElementSibling.querySelectorAll('tbody tr').length";
    assert_eq!(browser.evaluate(rows), 10);

    // What would have been recommended, the posterior along each parameter, the schedule; the
    // validation.
    let captions =
        browser.evaluate("[...document.querySelectorAll('#figures figcaption')].map(c => c.textContent)");
    let captions: Vec<&str> = captions.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for start in [
        "The recommendation after each evaluation",
        "The posterior along select.c",
        "The posterior along backup.knots",
        "backup.knots: the knots g",
        "backup.knots: the fitted function f",
        "Scores as games were counted",
        "Lengths of games",
    ] {
        assert!(captions.iter().any(|caption| caption.starts_with(start)), "{start} is not in {captions:?}");
    }
    let drawn =
        "[...document.querySelectorAll('#figures svg')].every(s => s.getBoundingClientRect().height > 100)";
    assert_eq!(browser.evaluate(drawn), true);

    // The games of evaluations are there too, and can be stepped through.
    let number = |browser: &mut Browser, what: &str| {
        browser.evaluate(&format!("document.querySelectorAll('{what}').length")).as_u64().unwrap()
    };
    assert_eq!(number(&mut browser, "#match option"), 1 + 10 + 1);
    browser.press("Home");
    for stones in 1..=4 {
        browser.press("ArrowRight");
        assert_eq!(number(&mut browser, "#board .stone"), stones);
    }
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
}
