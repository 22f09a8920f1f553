//! The files of the page, which are part of the program.

use crate::failure::Failure;
use crate::random::random_word;
use axum::extract::Path;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

const PAGE: &str = include_str!("../assets/index.html");
const STYLE: &str = include_str!("../assets/style.css");

macro_rules! modules {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("../assets/", $name)))),*] };
}

/// The modules of the page by their names.
const MODULES: &[(&str, &str)] = &modules![
    "api.js",
    "backups.js",
    "board.js",
    "candidates.js",
    "chart.js",
    "compare.js",
    "dom.js",
    "experiment.js",
    "form.js",
    "history.js",
    "laboratory.js",
    "main.js",
    "play.js",
    "position.js",
    "setup.js",
    "sweep.js",
    "tree.js",
];

/// `GET /`: the page with its style, so that it is seen after one request.
pub(crate) async fn page() -> Response {
    let nonce = random_word();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'nonce-{nonce}'; img-src 'self' data: blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'"
    );
    let text = PAGE.replace("{nonce}", &nonce).replace("{style}", STYLE);
    ([(CONTENT_TYPE, "text/html; charset=utf-8".to_owned()), (CONTENT_SECURITY_POLICY, policy)], text)
        .into_response()
}

/// `GET /assets/NAME`.
pub(crate) async fn module(Path(name): Path<String>) -> Result<Response, Failure> {
    let found = MODULES.iter().find(|(module, _)| *module == name);
    let (_, text) = found.ok_or_else(|| Failure::missing(format!("the page has no file {name:?}")))?;
    Ok(([(CONTENT_TYPE, "text/javascript; charset=utf-8")], *text).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_needs_nobody_else() {
        let size = PAGE.len() + STYLE.len() + MODULES.iter().map(|(_, text)| text.len()).sum::<usize>();
        assert!(size < 600_000, "{size} bytes");
        for (name, text) in MODULES.iter().chain(&[("index.html", PAGE), ("style.css", STYLE)]) {
            let foreign = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{name}");
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
                assert!(!text.contains(word), "{name} has {word}");
            }
            assert!(text.lines().count() < 350, "{name} is long");
        }
    }
}
