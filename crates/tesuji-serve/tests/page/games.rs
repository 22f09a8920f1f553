//! Games against a recipe: by mouse, by keys, and by what a screen reader is told.

use crate::browser::Browser;
use crate::served::{
    BOARD, Served, TURN, begin, is_sound, middle, picture, press_button, saved, set, watch_saves,
};
use serde_json::{Value, json};

/// How a person makes a move.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Mouse,
    Keys,
}

/// Makes a move where a place is legal, or passes.
fn make_a_move(browser: &mut Browser, by: By, passes: bool) {
    const PASS: &str = "[...document.querySelectorAll('#beside button')].find(b => b.textContent === 'Pass')";
    const LEGAL: &str = "document.querySelector('.place.legal')";
    let passes = passes || browser.evaluate(&format!("!{LEGAL}")) == true;
    match by {
        By::Mouse => {
            let at = if passes { PASS.to_owned() } else { format!("{LEGAL}.querySelector('.ring')") };
            let [x, y] = middle(browser, &at).expect("there is a move");
            browser.click(x, y);
        }
        By::Keys if passes => {
            browser.evaluate("document.querySelector('.place[tabindex=\"0\"]').focus()");
            for _ in 0..20 {
                if browser.evaluate("document.activeElement.textContent === 'Pass'") == true {
                    return browser.press("Enter");
                }
                browser.press("Tab");
            }
            panic!("Tab leads to the pass");
        }
        By::Keys => {
            browser.evaluate("document.querySelector('.place[tabindex=\"0\"]').focus()");
            // To the corner, then row by row until a place is legal.
            (0..9).for_each(|_| browser.press("ArrowLeft"));
            (0..9).for_each(|_| browser.press("ArrowDown"));
            for step in 0..200 {
                if browser.evaluate("document.activeElement.classList.contains('legal')") == true {
                    return browser.press("Enter");
                }
                let before = browser.evaluate("document.activeElement.dataset.place");
                browser.press("ArrowRight");
                if browser.evaluate("document.activeElement.dataset.place") == before {
                    (0..9).for_each(|_| browser.press("ArrowLeft"));
                    browser.press("ArrowUp");
                }
                assert!(step < 199, "keys reach a legal place");
            }
        }
    }
}

/// Plays until the game is over; a person passes after `turns` moves.
fn play_to_the_end(browser: &mut Browser, served: &Served, game: &str, by: By, turns: usize) {
    browser.visit(&served.at(&format!("#game={game}")), BOARD);
    set(browser, "Simulations a move", "50");
    set(browser, "Second player", "uct");
    for turn in 0.. {
        browser.wait(&format!("{TURN}.includes('over') || {TURN}.includes('player 1 to move')"));
        if browser.evaluate(&format!("{TURN}.includes('over')")) == true {
            break;
        }
        assert!(turn < 200, "the game ends");
        let before = browser.evaluate(TURN);
        make_a_move(browser, by, turn >= turns);
        browser.wait(&format!("{TURN} !== {before}"));
    }
    let end = browser.evaluate("document.getElementById('status').textContent").to_string();
    assert!(end.contains("The game is over."), "what is said to those who hear the page: {end}");
    is_sound(browser, served);
}

#[test]
fn connect_four_is_played_to_the_end_by_mouse() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    play_to_the_end(&mut browser, &served, "connect-four", By::Mouse, 42);
}

#[test]
fn connect_four_is_played_to_the_end_by_keys() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    play_to_the_end(&mut browser, &served, "connect-four", By::Keys, 42);
}

#[test]
fn go_is_played_to_the_end_by_mouse() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    play_to_the_end(&mut browser, &served, "go%3A4", By::Mouse, 4);
    let address = browser.evaluate("location.hash").to_string();
    assert!(address.contains("game=go%3A4&moves=") && address.contains("PASS"), "{address}");
}

#[test]
fn go_is_played_to_the_end_by_keys() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    play_to_the_end(&mut browser, &served, "go%3A4", By::Keys, 4);
}

/// The nodes that a screen reader is told of: role, name, and the element's number.
fn told(browser: &mut Browser) -> Vec<(String, String, Value)> {
    let tree = browser.call("Accessibility.getFullAXTree", json!({}));
    let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
    let nodes = tree["nodes"].as_array().unwrap().iter().filter(|node| node["ignored"] != true);
    nodes.map(|node| (text(&node["role"]), text(&node["name"]), node["backendDOMNodeId"].clone())).collect()
}

/// A game by nothing but what the accessibility tree says.
#[test]
fn a_game_is_played_by_what_a_screen_reader_is_told() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=tic-tac-toe"), BOARD);
    browser.call("DOM.enable", json!({}));
    browser.call("Accessibility.enable", json!({}));
    set(&mut browser, "Simulations a move", "50");
    set(&mut browser, "Second player", "uct");
    let said = "document.getElementById('status').textContent";
    for turn in 0.. {
        browser.wait(&format!("{said}.includes('over') || {said}.includes('player 1 to move')"));
        if browser.evaluate(&format!("{said}.includes('over')")) == true {
            break;
        }
        assert!(turn < 5, "a game has nine moves");
        let nodes = told(&mut browser);
        let is_empty =
            |(role, name, _): &&(String, String, Value)| role == "button" && name.ends_with(", empty");
        let (_, name, element) = nodes.iter().find(is_empty).expect("a place is named");
        let before = browser.evaluate(TURN);
        browser.call("DOM.focus", json!({ "backendNodeId": element }));
        browser.press("Enter");
        let place = &name[..2];
        browser.wait(&format!("{TURN} !== {before}"));
        let nodes = told(&mut browser);
        let taken = format!("{place}, piece of player 1");
        assert!(nodes.iter().any(|(_, name, _)| *name == taken), "{taken} is told");
    }
    let nodes = told(&mut browser);
    assert!(
        nodes.iter().any(|(_, name, _)| name.contains("The game is over."))
            || browser.evaluate(&format!("{said}.includes('over')")) == true
    );
    is_sound(&browser, &served);
}

#[test]
fn stones_are_set_up_and_played_on() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A5"), BOARD);
    browser.evaluate("document.getElementById('set-up').closest('details').open = true");
    press_button(&mut browser, "Set up stones");
    browser.wait("!document.getElementById('stones').hidden");
    let put = |browser: &mut Browser, kind: &str, names: &[&str]| {
        browser.evaluate(&format!("document.querySelector('#stones input[value={kind}]').click()"));
        for name in names {
            let at = format!("document.querySelector('.place[aria-label^=\"{name},\"] .ring')");
            let [x, y] = middle(browser, &at).unwrap();
            browser.click(x, y);
            browser.wait(&format!("!!document.querySelector('.place[aria-label^=\"{name}, piece\"]')"));
        }
    };
    put(&mut browser, "Black", &["C3", "B2"]);
    put(&mut browser, "White", &["D4"]);
    press_button(&mut browser, "Play from here");
    browser.wait("document.querySelectorAll('#board .piece').length === 3 && /moves=./.test(location.hash)");
    assert!(browser.evaluate(TURN).to_string().contains("player 1 to move"));
    let at = middle(&mut browser, "document.querySelector('.place.legal .ring')").unwrap();
    browser.click(at[0], at[1]);
    browser.wait("document.querySelectorAll('#board .piece').length === 4");
    is_sound(&browser, &served);
}

/// Loads a file into the page.
fn load(browser: &mut Browser, sgf: &str) {
    browser.evaluate(&format!(
        "(() => {{ const files = new DataTransfer(); files.items.add(new File([{sgf:?}], 'x.sgf'));
            const input = document.querySelector('input[type=file]'); input.files = files.files;
            input.dispatchEvent(new Event('change')); }})()"
    ));
}

#[test]
fn a_loaded_game_is_saved_with_its_names_and_comments() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A9"), BOARD);
    watch_saves(&mut browser);
    load(&mut browser, "(;GM[1]SZ[5]PB[Ann]PW[Bob]RE[B+R]C[about];B[cc]C[one];W[dd]C[two])");
    browser.wait("document.getElementById('comment').textContent === 'two'");
    let whole = saved(&mut browser);
    assert!(whole.contains("PB[Ann]PW[Bob]RE[B+R]C[about];B[cc]C[one];W[dd]C[two]"), "{whole}");
    // Another move than that of the file has neither its comment nor its result.
    browser.evaluate("document.getElementById('undo').click()");
    browser.wait("document.getElementById('comment').textContent === 'one'");
    browser.evaluate(
        "document.querySelector('.place[aria-label^=\"A1,\"]').dispatchEvent(new MouseEvent('click'))",
    );
    browser.wait(&format!("{TURN}.startsWith('Move 3')"));
    assert_eq!(browser.evaluate("document.getElementById('comment').textContent"), "");
    let other = saved(&mut browser);
    assert!(other.contains("C[about];B[cc]C[one];W[ae]") && !other.contains("RE["), "{other}");
    // A player of this game is named by what plays.
    set(&mut browser, "First player", "uct");
    assert!(saved(&mut browser).contains("PB[uct]"));
    is_sound(&browser, &served);
}

/// Discs of a variation lie on those that it dropped before.
#[test]
fn a_variation_of_connect_four_grows_upwards() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=connect-four&moves=4"), BOARD);
    let places = browser.evaluate(
        "(async () => {
            const { Marks, Places, drawBoard } = await import('/assets/board.js');
            const { post } = await import('/assets/api.js');
            const position = await post('/api/position', { game: 'connect-four', moves: '4' });
            const picture = drawBoard(position, () => {}, () => {});
            const line = ['4', '4', '3', '4', '3', '4', '4', '4'];
            new Marks(picture, position).showLine(line);
            const shown = [...picture.querySelectorAll('.marks .number-mark')].map(mark => [mark.getAttribute('x'), mark.getAttribute('y')].join());
            return [new Places(position).targets(line), new Set(shown).size, shown.length];
        })()",
    );
    // The fourth column has one disc; a seventh one has no room.
    assert_eq!(places, json!([[10, 17, 2, 24, 9, 31, 38, -1], 7, 7]));
    is_sound(&browser, &served);
}

/// Names and comments of a file are texts, whatever they hold.
#[test]
fn scripts_in_files_do_nothing() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A9"), BOARD);
    let script = "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'>";
    let sgf = format!("(;GM[1]SZ[5]PB[{script}]PW[b]AB[aa];W[cc]C[{script}];B[dd]C[plain])");
    load(&mut browser, &sgf);
    browser.wait("document.getElementById('comment').textContent === 'plain'");
    browser.evaluate("document.getElementById('undo').click()");
    browser.wait("document.getElementById('comment').textContent.includes('onerror')");
    assert_eq!(browser.evaluate("document.querySelectorAll('main script, main img').length"), 0);
    assert_eq!(browser.evaluate("window.ran === undefined"), true);
    is_sound(&browser, &served);
}

#[test]
fn who_will_own_the_points_is_seen() {
    let Some((mut browser, _dir, served)) = begin() else { return };
    browser.visit(&served.at("#game=go%3A5&moves=C1+D1+C2+D2+C3+D3+C4+D4+C5+D5"), BOARD);
    set(&mut browser, "On the board", "owners");
    browser.wait("document.querySelectorAll('.owned.black').length > 5 && document.querySelectorAll('.owned.white').length > 2");
    picture(&mut browser, "ownership.png");
    set(&mut browser, "On the board", "none");
    browser.wait("document.querySelectorAll('.owned').length === 0");
    is_sound(&browser, &served);
}
