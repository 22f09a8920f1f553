//! Trees of searches.

use crate::served::{BOARD, begin, is_sound, picture, press_button, set};

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
    picture(&mut browser, "million-1080.png");
    is_sound(&browser, &served);
}

/// A tree that is full recycles its nodes, and the page shows how many.
#[test]
fn what_bounded_memory_gives_up_is_seen() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    for (recipe, words) in [
        ("graver,memory.nodes=300", "was not visited for the longest time"),
        ("grave2,memory.nodes=200", "a small search of its own"),
    ] {
        browser.visit(&served.at("#game=go%3A9"), BOARD);
        set(&mut browser, "Analyse by", recipe);
        press_button(&mut browser, "Analyse");
        browser.wait("!document.getElementById('hold').disabled");
        press_button(&mut browser, "Explore the tree");
        browser.wait(&format!("document.querySelector('main').textContent.includes({words:?})"));
        browser
            .wait("document.querySelector('.chart .curve')?.getAttribute('points').split(' ').length > 12");
        assert_eq!(browser.evaluate("!!document.querySelector('.chart .bound')"), true, "the limit is drawn");
        browser.wait("document.getElementById('last').textContent.split(' ').length > 4");
        picture(&mut browser, "memory.png");
        browser.visit("about:blank", "!document.getElementById('main')");
    }
    is_sound(&browser, &served);
}
