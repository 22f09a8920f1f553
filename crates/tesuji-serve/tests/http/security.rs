//! Who is refused, and what.

use crate::client::Running;
use serde_json::json;

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = Running::new();
    let host = &server.host;
    let status = |headers: &str| server.ask("GET", "/api/list", headers, "").status;
    assert_eq!(status(&format!("Host: {host}\r\n")), 200);
    assert_eq!(status("Host: evil.example\r\n"), 403);
    assert_eq!(status(&format!("Host: {host}\r\nOrigin: http://evil.example\r\n")), 403);
    assert_eq!(status(&format!("Host: {host}\r\nOrigin: null\r\n")), 403);
    assert_eq!(status(&format!("Host: {host}\r\nSec-Fetch-Site: cross-site\r\n")), 403);
    // A form of another page can send no JSON.
    let plain = format!("Host: {host}\r\nContent-Type: text/plain\r\n");
    assert_eq!(server.ask("POST", "/api/position", &plain, r#"{"game":"go:9"}"#).status, 400);
    assert_eq!(server.ask("POST", "/api/sgf/read", &plain, "(;SZ[9])").status, 400);
}

#[test]
fn elsewhere_than_here_a_token_is_needed() {
    let server =
        Running::with(|options| tesuji_serve::Options { address: ([0, 0, 0, 0], 0).into(), ..options });
    let port = server.host.rsplit(':').next().unwrap().to_owned();
    let token = server.url.split("token=").nth(1).expect("a token was made").to_owned();
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    assert_eq!(server.ask("GET", "/", &host, "").status, 401);
    assert_eq!(server.ask("GET", "/api/list", &format!("{host}Authorization: Bearer x\r\n"), "").status, 401);
    assert_eq!(
        server.ask("GET", "/api/list", &format!("{host}Authorization: Bearer {token}\r\n"), "").status,
        200
    );
    let entered = server.ask("GET", &format!("/?token={token}"), &host, "");
    assert!(entered.status == 303 && entered.head.contains("httponly; samesite=strict"), "{}", entered.head);
    let cookie = format!("{host}Cookie: tesuji_token_{port}={token}\r\n");
    assert_eq!(server.ask("GET", "/", &cookie, "").status, 200);
}

#[test]
fn no_path_leads_out_of_the_directories() {
    let server = Running::new();
    std::fs::write(server.dir.path().join("secret.toml"), "depth = 1").unwrap();
    for path in [
        "/api/experiment?id=0/../",
        "/api/experiment?id=0%2F..%2F",
        "/api/experiment/details?id=0//etc",
        "/api/experiment?id=1/a",
        "/api/experiment?id=0/%2e%2e/%2e%2e",
        "/api/experiment?id=0\\..\\secret.toml",
        "/assets/..%2fserver.rs",
        "/assets/../../etc/passwd",
    ] {
        let answer = server.get(path);
        assert!([400, 403, 404].contains(&answer.status), "{path}: {}", answer.status);
    }
    for file in ["0/../secret.toml", "/etc/passwd", "0/../x.tree"] {
        assert!([403, 404].contains(&server.post("/api/trees", &json!({ "file": file })).status), "{file}");
    }
    for recipe in ["0/../secret.toml", "/etc/hosts.toml", "puct-net,network.file=/etc/passwd"] {
        let search = json!({ "game": "go:9", "moves": "", "recipe": recipe, "simulations": 5 });
        assert!([400, 403].contains(&server.post("/api/searches", &search).status), "{recipe}");
    }
}

#[test]
fn the_page_runs_nothing_but_its_own_files() {
    let server = Running::new();
    let page = server.get("/");
    let policy = page.head.lines().find(|line| line.starts_with("content-security-policy")).unwrap();
    assert!(policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    assert!(page.body.contains(&format!("<style nonce=\"{nonce}\">")));
    assert!(!server.get("/").head.contains(nonce), "a nonce is used once");
    for header in ["x-content-type-options: nosniff", "referrer-policy: no-referrer"] {
        assert!(page.head.contains(header), "{}", page.head);
    }
    // Everything that the page names is there.
    for name in ["main.js", "play.js", "board.js", "tree.js"] {
        let file = server.get(&format!("/assets/{name}"));
        assert!(file.status == 200 && file.head.contains("text/javascript"), "{name}");
    }
}

#[test]
fn large_bodies_are_refused() {
    let server = Running::new();
    let moves = "A1 ".repeat(1 << 20);
    assert_eq!(server.post("/api/position", &json!({ "game": "go:9", "moves": moves })).status, 413);
    let moves = "A1 ".repeat(1 << 14);
    assert_eq!(server.post("/api/position", &json!({ "game": "go:9", "moves": moves })).status, 400);
}

/// The server goes on after 10 000 requests that are none, and finds no fault of its own in them.
#[test]
fn malformed_requests_do_no_harm() {
    let server = Running::new();
    let host = server.host.clone();
    let request_of = |kind: &str, path: &str, body: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
    };
    let request = |path: &str, body: &str| request_of("application/json", path, body);
    let good = [
        request("/api/position", r#"{"game":"connect-four","moves":"4 4"}"#),
        request_of("application/x-go-sgf", "/api/sgf/read", "(;GM[1]SZ[5]AB[aa]AW[bb];B[cc]C[x];W[dd])"),
        request("/api/setup", r#"{"game":"go:5","black":["C3"],"white":["A1"],"to_move":2}"#),
        request("/api/runs/check", r#"{"directory":0,"file":"kind = \"matches\"\nname = \"x\""}"#),
        request("/api/thermographs", r#"{"heaps":["b3r5b5"]}"#),
        format!("GET /api/experiment?id=0%2Fx HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
    ];
    let mut rng = tesuji::Rng::new(1);
    let mut refused = 0;
    for number in 0..10_000 {
        let mut bytes = good[number % good.len()].clone().into_bytes();
        for _ in 0..1 + rng.below(6) {
            let at = rng.below(bytes.len().max(1) as u32) as usize;
            if bytes.is_empty() {
                break;
            }
            match rng.below(4) {
                0 => bytes[at] = rng.below(256) as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, rng.below(256) as u8),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let answer = server.send_and_close(&bytes);
        assert!(!answer.starts_with("HTTP/1.1 5"), "{answer}\n{}", String::from_utf8_lossy(&bytes));
        refused += usize::from(answer.starts_with("HTTP/1.1 4"));
    }
    assert!(refused > 1000, "{refused} were refused: the mutations reach the handlers");
    assert_eq!(server.get("/api/list").status, 200);
}

/// A link inside of a directory is no way out of it, neither to read nor to write.
#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_directories() {
    use std::os::unix::fs::symlink;
    let server = Running::new();
    let (out, elsewhere) = (server.out(), server.dir.path().join("elsewhere"));
    std::fs::create_dir(&elsewhere).unwrap();
    let start = |name: &str| {
        let file = format!(
            "kind = \"matches\"\nname = \"{name}\"\ngame = \"tic-tac-toe\"\ngames = 2\nplayouts = 5\nb = \"random\"\n\
             [[match]]\nname = \"m\"\na = \"uct\"\n"
        );
        server.post("/api/runs", &json!({ "directory": 0, "file": file })).status
    };
    // A record, the directory around it, a file of it, and a link to nothing.
    symlink(&elsewhere, out.join("record")).unwrap();
    symlink(&elsewhere, out.join("series")).unwrap();
    symlink(elsewhere.join("nothing"), out.join("dangling")).unwrap();
    std::fs::create_dir(out.join("held")).unwrap();
    symlink(elsewhere.join("games.sqlite"), out.join("held/games.sqlite")).unwrap();
    for name in ["record", "series/one", "dangling", "held"] {
        assert_eq!(start(name), 403, "{name}");
    }
    // The tables of results.
    symlink(&elsewhere, out.join("results")).unwrap();
    assert_eq!(start("plain"), 403);
    std::fs::remove_file(out.join("results")).unwrap();
    std::fs::create_dir(out.join("results")).unwrap();
    symlink(elsewhere.join("table"), out.join("results/plain.csv.part")).unwrap();
    assert_eq!(start("plain"), 403);
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    // A record elsewhere is neither listed nor shown.
    std::fs::write(elsewhere.join("games.sqlite"), "").unwrap();
    assert_eq!(server.get("/api/experiments").json()["experiments"], json!([]));
    for path in ["experiment", "experiment/details", "experiment/charts", "experiment/workers"] {
        assert_eq!(server.get(&format!("/api/{path}?id=0/held")).status, 403, "{path}");
    }
    assert_eq!(server.post("/api/runs", &json!({ "id": "0/held" })).status, 403);
}
