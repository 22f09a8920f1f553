//! A search while somebody watches it.

use crate::served::{BOARD, begin, is_sound, picture, press_button, saved, set, watch_saves};

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
    browser.evaluate(
        "document.querySelector('.candidates tbody tr').dispatchEvent(new MouseEvent('mouseleave'))",
    );
    for width in [390, 1080, 1920] {
        browser.width(width);
        assert_eq!(
            browser.evaluate(&format!("document.documentElement.scrollWidth <= {width}")),
            true,
            "{width} pixels"
        );
        picture(&mut browser, &format!("play-{width}.png"));
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
    picture(&mut browser, "tree-1080.png");
    is_sound(&browser, &served);
}

#[test]
fn judgements_stay_with_their_line() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A9&moves=E5+C5+D3+F7"), BOARD);
    browser.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })");
    set(&mut browser, "Simulations a move", "20");
    press_button(&mut browser, "Judge every move");
    browser.wait("document.getElementById('status').textContent === 'All 4 moves are judged.'");
    watch_saves(&mut browser);
    let whole = saved(&mut browser);
    assert!(whole.contains("C[value") && whole.contains(";W[fc]"), "{whole}");
    // All moves that were judged are saved, wherever on their line the board is.
    press_button(&mut browser, "Undo");
    browser.wait("document.getElementById('turn').textContent.startsWith('Move 4')");
    assert_eq!(saved(&mut browser), whole);
    // Another game has no such moves.
    set(&mut browser, "Moves", "A1 B2");
    press_button(&mut browser, "Set up");
    browser.wait("document.getElementById('turn').textContent.startsWith('Move 3')");
    let other = saved(&mut browser);
    assert!(!other.contains("C[value") && other.contains(";W[bh]"), "{other}");
    is_sound(&browser, &served);
}

#[test]
fn a_page_that_was_left_before_it_was_there_shows_nothing() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A9"), BOARD);
    for (first, second, title) in
        [("#laboratory", "#new", "New experiment"), ("#play", "#laboratory", "Laboratory")]
    {
        browser.evaluate(&format!(
            "location.hash = '{first}'; setTimeout(() => {{ location.hash = '{second}'; }}, 0)"
        ));
        browser.wait(&format!(
            "document.title.startsWith('{title}') && document.querySelectorAll('#main h2').length > 0"
        ));
        std::thread::sleep(std::time::Duration::from_millis(500));
        assert_eq!(browser.evaluate("location.hash"), second);
        assert_eq!(browser.evaluate("document.querySelectorAll('#main > *').length"), 1);
        assert_eq!(browser.evaluate("!!document.getElementById('turn')"), false);
    }
    is_sound(&browser, &served);
}

/// What an update writes to the page: `window.writes` holds the number of changes of each.
const WATCH: &str = "(() => {
    const read = JSON.parse;
    window.writes = [];
    window.texts = [];
    const observer = new MutationObserver(() => {});
    observer.observe(document.getElementById('main'), { subtree: true, childList: true, attributes: true, characterData: true });
    JSON.parse = text => {
        const value = read(text);
        observer.takeRecords();
        window.texts.push(text);
        queueMicrotask(() => window.writes.push(observer.takeRecords().length));
        return value;
    };
})()";

/// An update writes what has changed and nothing else, and no element comes or goes.
#[test]
fn an_update_writes_what_has_changed() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A19&moves=D4"), BOARD);
    browser.evaluate(WATCH);
    press_button(&mut browser, "Analyse");
    browser.wait("window.writes.length >= 12");
    press_button(&mut browser, "Stop");
    browser.wait("document.querySelector('.candidates .faint').textContent.startsWith('paused')");
    let nodes = "document.getElementById('main').querySelectorAll('*').length";
    let before = browser.evaluate(nodes);
    let order = |browser: &mut crate::browser::Browser, text: &str, state: &str| {
        press_button(browser, text);
        browser
            .wait(&format!("document.querySelector('.candidates .faint').textContent.startsWith('{state}')"));
    };
    // Visits, value and interval of 24 rows and 120 discs, and three lines.
    let most = browser.evaluate("Math.max(...window.writes.slice(2))").as_f64().unwrap();
    assert!(most < 24.0 * 12.0 + 120.0 * 4.0 + 8.0, "{most} changes");
    order(&mut browser, "Go on", "running");
    order(&mut browser, "Stop", "paused");
    let after = browser.evaluate(nodes);
    let grown = after.as_u64().unwrap() - before.as_u64().unwrap();
    assert!(grown <= 120, "rows and discs stay: {before} elements, then {after}");
    // The same snapshot once more changes nothing.
    browser.evaluate("window.writes.length = 0");
    let again = "(() => { const id = performance.getEntriesByType('resource').map(e => e.name.match(/searches\\/(\\d+)/)?.[1]).findLast(id => id);
        return fetch(`/api/searches/${id}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{\"order\":\"pause\"}' }).then(r => r.status); })()";
    browser.evaluate(again);
    let written = browser.evaluate("window.writes.reduce((a, b) => a + b, 0)");
    assert_eq!(written, 0, "a search that stands changes nothing");
}

/// What an update costs, by the browser's own count of its busy time:
/// `cargo test -p tesuji-serve --test page -- --ignored --nocapture update_costs`.
#[test]
#[ignore = "a measurement, for a machine that does nothing else"]
fn update_costs() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A19&moves=D4"), BOARD);
    browser.call("Performance.enable", serde_json::json!({ "timeDomain": "threadTicks" }));
    browser.evaluate(WATCH);
    press_button(&mut browser, "Analyse");
    browser.wait("window.writes.length >= 2");
    let metric = |browser: &mut crate::browser::Browser, names: &[&str]| {
        let metrics = browser.call("Performance.getMetrics", serde_json::json!({}));
        let all = metrics["metrics"].as_array().unwrap();
        let of = |name: &&str| all.iter().find(|metric| metric["name"] == *name).unwrap();
        names.iter().map(|name| of(name)["value"].as_f64().unwrap()).sum::<f64>()
    };
    let busy = |browser: &mut crate::browser::Browser| {
        1000.0 * metric(browser, &["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"])
    };
    let layouts = metric(&mut browser, &["LayoutCount"]);
    let count =
        |browser: &mut crate::browser::Browser| browser.evaluate("window.writes.length").as_f64().unwrap();
    let mut costs = Vec::new();
    let (mut last, mut known) = (busy(&mut browser), count(&mut browser));
    while costs.len() < 100 {
        browser.wait(&format!("window.writes.length > {known}"));
        std::thread::sleep(std::time::Duration::from_millis(60));
        let (now, seen) = (busy(&mut browser), count(&mut browser));
        costs.push((now - last) / (seen - known));
        (last, known) = (now, seen);
    }
    let layouts = metric(&mut browser, &["LayoutCount"]) - layouts;
    costs.sort_by(f64::total_cmp);
    let [half, most] = [0.5, 0.95].map(|share: f64| costs[(share * (costs.len() - 1) as f64) as usize]);
    let updates = costs.len();
    println!(
        "an update of 19x19 costs {half:.2} ms (50 %), {most:.2} ms (95 %); {updates} updates, {layouts} layouts"
    );
}

#[test]
fn backups_are_compared() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=tic-tac-toe&moves=b2"), BOARD);
    set(&mut browser, "Simulations a move", "300");
    set(&mut browser, "Analyse by", "uct,backup=max");
    press_button(&mut browser, "Compare backups");
    browser.wait("[...document.querySelectorAll('section')].some(s => s.textContent.includes('Value by each backup') && s.querySelectorAll('.curve').length > 3)");
    let rows = browser
        .evaluate(
            "[...document.querySelectorAll('table[aria-label=Backups] tbody tr')].map(r => r.textContent)",
        )
        .to_string();
    assert!(rows.contains("the recipe's") && rows.contains("mean") && rows.contains("softmax"), "{rows}");
    picture(&mut browser, "backups.png");
    is_sound(&browser, &served);
}
