//! What the page is to those who do not see it, see colours otherwise, or wait for it.

use crate::browser::Browser;
use crate::served::{BOARD, begin, is_sound, make_store, press_button, set};
use serde_json::{Value, json};
use std::path::PathBuf;

/// axe-core, which `npm install --prefix target/axe axe-core` brings; none if it is not there,
/// which is an error where `TESUJI_REQUIRE_AXE` is 1.
fn axe() -> Option<String> {
    let file =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/axe/node_modules/axe-core/axe.min.js");
    let text = std::fs::read_to_string(&file).ok();
    if text.is_none() {
        assert!(std::env::var("TESUJI_REQUIRE_AXE").as_deref() != Ok("1"), "{} is missing", file.display());
        eprintln!("axe-core is not installed: nothing was tested");
    }
    text
}

fn violations(browser: &mut Browser, axe: &str, page: &str) {
    browser.evaluate(&format!("(() => {{ {axe}; }})()"));
    let found = browser.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then(r => r.violations.map(v =>
            `${v.id} (${v.impact}): ${v.help}: ${v.nodes.slice(0, 3).map(n => n.html).join(' | ')}`))",
    );
    assert_eq!(found, json!([]), "{page}");
}

#[test]
fn axe_finds_no_violations() {
    let Some(axe) = axe() else { return };
    let Some((mut browser, dir, served)) = begin() else { return };
    for name in ["round-robin", "race", "tuning", "matches"] {
        make_store(name, dir.path());
    }
    for scheme in ["light", "dark"] {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        browser.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        for width in [390, 1080] {
            browser.width(width);
            let look = |browser: &mut Browser, hash: &str, condition: &str| {
                browser.visit(&served.at(hash), condition);
                violations(browser, &axe, &format!("{hash}, {scheme}, {width} pixels"));
            };
            look(&mut browser, "#laboratory", "document.querySelectorAll('tbody tr').length >= 4");
            look(&mut browser, "#new", "!!document.querySelector('textarea')");
            let details = "!!document.querySelector('details pre')";
            for name in ["round-robin", "race", "tuning"] {
                look(&mut browser, &format!("#experiment=0%2F{name}"), details);
                browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })");
                violations(&mut browser, &axe, &format!("{name}, all open"));
            }
            look(
                &mut browser,
                "#compare=0%2Fround-robin&with=0%2Fmatches",
                "document.querySelectorAll('tbody tr').length > 2",
            );
            look(&mut browser, "#game=connect-four", BOARD);
            look(&mut browser, "#game=go%3A9&moves=E5+C5", BOARD);
            press_button(&mut browser, "Analyse");
            browser.wait("document.querySelectorAll('.candidates tbody tr').length > 5");
            set(&mut browser, "And by", "uct");
            browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })");
            violations(&mut browser, &axe, "a position while it is analysed");
            press_button(&mut browser, "Stop");
            press_button(&mut browser, "Explore the tree");
            browser.wait("document.querySelectorAll('.tree > li').length > 5 && !!document.querySelector('.icicle rect')");
            violations(&mut browser, &axe, "a tree");
        }
    }
    is_sound(&browser, &served);
}

/// The document paints by itself: its modules never come here.
#[test]
fn the_first_request_paints() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.call("Network.setBlockedURLs", json!({ "urls": ["*/assets/*"] }));
    browser.visit(&served.at("#play"), "performance.getEntriesByName('first-contentful-paint').length === 1");
    let seen = browser.evaluate("document.body.innerText").to_string();
    assert!(
        seen.contains("tesuji") && seen.contains("Laboratory") && seen.contains("Boards, searches"),
        "{seen}"
    );
    let style = browser.evaluate("getComputedStyle(document.querySelector('header')).display");
    assert_eq!(style, "flex", "the style is in the document");
    let loaded = browser.evaluate(
        "performance.getEntriesByType('resource').filter(e => e.responseStatus === 200).map(e => e.name)",
    );
    assert_eq!(loaded, Value::Array(Vec::new()));
}

/// The colours that stand for something differ in lightness, or a shape differs as well.
#[test]
fn players_differ_without_colours() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=connect-four&moves=4+4+3+5"), BOARD);
    let shapes = browser.evaluate(
        "[...document.querySelectorAll('.place')].filter(p => p.getAttribute('aria-label').includes('player')).map(p =>
            [p.getAttribute('aria-label').at(-1), !!p.querySelector('.hole')])",
    );
    let shapes = shapes.as_array().unwrap();
    assert_eq!(shapes.len(), 4);
    assert!(shapes.iter().all(|shape| (shape[0] == "2") == (shape[1] == true)), "{shapes:?}");
}
