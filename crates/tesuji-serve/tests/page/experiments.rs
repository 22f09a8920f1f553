//! Experiments: started, resumed, compared.

use crate::served::{Served, begin, is_sound, make_store, picture, press_button, set};
use serde_json::{Value, json};
use std::path::Path;

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
    picture(&mut browser, "running-1080.png");
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
fn the_workers_of_a_cluster_are_shown_as_long_as_they_work() {
    let Some((mut browser, dir, served)) = begin() else { return };
    make_store("matches", dir.path());
    let status = |trials: u64| {
        let worker = json!({
            "name": "UABC.host-1", "host": "<b>host</b>", "version": "0.1", "threads": 4, "trials": trials, "faults": 2,
        });
        let status = json!({
            "is_over": false, "trials_per_hour": 60 * trials, "faults": 2, "set_aside": 0, "workers": [worker], "banned": {},
        });
        std::fs::write(dir.path().join("matches/cluster.json"), status.to_string()).unwrap();
    };
    status(30);
    let said = "document.getElementById('workers')?.textContent ?? ''";
    let is_said = |words: &str| format!("({said}).includes({words:?})");
    browser.visit(
        &served.at("#experiment=0%2Fmatches"),
        &is_said("now: 1 workers, 1800 trials per hour, 2 faults, 0 trials set aside"),
    );
    let row =
        browser.evaluate("[...document.querySelectorAll('#workers tbody td')].map(cell => cell.textContent)");
    assert_eq!(row, json!(["UABC.host-1", "<b>host</b>", "0.1", "4", "30", "2"]));
    // Nobody loads the page anew.
    status(31);
    browser.wait(&is_said("1860 trials per hour"));
    picture(&mut browser, "workers.png");
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
    browser.wait("document.querySelector('main').textContent.includes('do not meet')");
    for width in [390, 1080] {
        browser.width(width);
        assert_eq!(
            browser.evaluate(&format!("document.documentElement.scrollWidth <= {width}")),
            true,
            "{width} pixels"
        );
    }
    picture(&mut browser, "compare-1080.png");
    is_sound(&browser, &served);
}

/// A round robin has a cross table, a tuning the importance of its parameters, each kind its
/// charts.
#[test]
fn experiments_of_all_kinds_are_shown() {
    let Some((mut browser, dir, served)) = begin() else { return };
    let shown = [
        ("round-robin", "Cross table", 1),
        ("race", "thresholds", 1),
        ("tuning", "Importance of the parameters", 2),
        ("train", "Cross entropy", 3),
    ];
    for (name, words, charts) in shown {
        make_store(name, dir.path());
        browser
            .visit(&served.at(&format!("#experiment=0%2F{name}")), "!!document.querySelector('details pre')");
        let text = browser.evaluate("document.querySelector('main').textContent").to_string();
        assert!(text.contains(words), "{name}: {text}");
        browser.wait("!!document.querySelector('.charts figure > svg')");
        let drawn =
            browser.evaluate("document.querySelectorAll('.charts figure > svg').length").as_u64().unwrap();
        assert!(drawn >= charts, "{name}: {drawn} charts");
        let shown = "[...document.querySelectorAll('.values text')].filter(t => getComputedStyle(t).display !== 'none').length";
        assert_eq!(browser.evaluate(shown), 0, "numbers of points wait for the pointer");
        picture(&mut browser, &format!("{name}.png"));
    }
    is_sound(&browser, &served);
}

/// A match with a sequential test shows its ratio while games come in.
#[test]
fn a_sequential_test_is_watched() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#new"), "!!document.querySelector('textarea')");
    browser.evaluate(
        r#"(() => { const file = document.querySelector('textarea'); file.value = `kind = "matches"\nname = "test"\ngame = "tic-tac-toe"\ngames = 4000\nplayouts = 20\nsprt = [-5, 5]\nb = "uct"\n[[match]]\nname = "m"\na = "uct"\n`; })()"#,
    );
    press_button(&mut browser, "Start");
    browser.wait("[...document.querySelectorAll('figure')].some(f => f.textContent.includes('Log-likelihood ratio') && f.querySelectorAll('.bound').length === 2)");
    press_button(&mut browser, "Stop");
    browser.wait(
        "[...document.querySelectorAll('[data-run]')].some(run => /stopped|done/.test(run.textContent))",
    );
    is_sound(&browser, &served);
}

/// The time from a page's address to the last of what it shows, and the most memory of the server.
/// `TESUJI_LARGE` names the directory that `examples/large.sh` has filled; the test runs by
/// `cargo test -p tesuji-serve --test page -- --ignored --nocapture large_records`.
#[test]
#[ignore = "a measurement, for a machine that does nothing else"]
fn large_records_are_opened() {
    let dir = std::env::var_os("TESUJI_LARGE").expect("TESUJI_LARGE names a directory");
    let Some(mut browser) = crate::browser::Browser::start() else { return };
    for (hash, below, condition) in [
        ("#laboratory", "many", "document.querySelectorAll('tbody tr').length === 200"),
        (
            "#experiment=0%2Flarge",
            "one",
            "document.querySelectorAll('table[aria-label=Games] tbody tr').length === 100",
        ),
    ] {
        let served = Served::start(&Path::new(&dir).join(below));
        for _ in 0..3 {
            let watch = format!(
                "(function look() {{ if ({condition}) window.took = performance.now(); else requestAnimationFrame(look); }})()"
            );
            let script = browser.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": watch }));
            browser.visit("about:blank", "!document.getElementById('main')");
            browser.visit(&served.at(hash), "window.took > 0");
            let took = browser.evaluate("window.took").as_f64().unwrap();
            let megabytes = served.peak_memory() as f64 / 1e6;
            println!("{hash}: {took:.0} ms, at most {megabytes:.0} MB in the server");
            browser.call("Page.removeScriptToEvaluateOnNewDocument", script);
        }
    }
}
