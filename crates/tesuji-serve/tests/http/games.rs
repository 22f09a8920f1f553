//! Positions, searches and trees.

use crate::client::Running;
use serde_json::{Value, json};

fn start(server: &Running, game: &str, recipe: &str, simulations: Option<u64>) -> Value {
    let search = json!({ "game": game, "moves": "", "recipe": recipe, "simulations": simulations });
    let answer = server.post("/api/searches", &search);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["id"].take()
}

#[test]
fn a_search_is_watched_stopped_and_goes_on() {
    let server = Running::new();
    let id = start(&server, "connect-four", "grave", None);
    let mut seen = Vec::new();
    server.events(&format!("/api/searches/{id}/events"), |news| {
        seen.extend(news["simulations"].as_u64());
        seen.len() >= 3
    });
    assert!(seen.is_sorted() && seen[0] < seen[2], "{seen:?}");
    server.post(&format!("/api/searches/{id}"), &json!({ "order": "pause" }));
    let mut paused = Value::Null;
    server.events(&format!("/api/searches/{id}/events"), |news| {
        paused = news.clone();
        news["state"] == "paused"
    });
    let candidate = &paused["moves"][0];
    assert_eq!(paused["moves"].as_array().unwrap().len(), 7);
    for key in ["visits", "value", "amaf", "lo", "hi"] {
        assert!(candidate[key].is_number(), "{key} in {candidate}");
    }
    assert!(paused["variation"].as_array().unwrap().len() > 1);
    server.post(&format!("/api/searches/{id}"), &json!({ "order": "resume" }));
    server.events(&format!("/api/searches/{id}/events"), |news| {
        news["simulations"].as_u64() > paused["simulations"].as_u64()
    });
    server.post(&format!("/api/searches/{id}"), &json!({ "order": "end" }));
    assert_eq!(server.get(&format!("/api/searches/{id}/node")).status, 404);
}

#[test]
fn every_game_is_searched() {
    let server = Running::new();
    for game in [
        "go:9",
        "hex:5",
        "connect-four",
        "tic-tac-toe",
        "domineering:4x4",
        "knightthrough",
        "p-game:2,6",
        "heap-go:2x3",
    ] {
        let id = start(&server, game, "uct", Some(200));
        server.events(&format!("/api/searches/{id}/events"), |news| {
            if news["state"] == "ended" {
                assert!(news["simulations"].as_u64().unwrap() <= 200, "{game}: {news}");
                let place = json!({ "game": game, "moves": news["best"] });
                assert_eq!(server.post("/api/position", &place).status, 200, "{game}: {news}");
            }
            news["state"] == "ended"
        });
    }
}

/// A tree of a million nodes: a line of twelve moves is opened node by node, and the tree is saved
/// and opened again.
#[test]
fn a_large_tree_is_opened_lazily() {
    let server = Running::with(|options| tesuji_serve::Options { search_bytes: 1 << 30, ..options });
    let id = start(&server, "connect-four", "uct,select.c=0.3", Some(1_400_000));
    let mut nodes = 0;
    server.events(&format!("/api/searches/{id}/events"), |news| {
        nodes = news["nodes"].as_u64().unwrap_or(0);
        news["state"] == "ended"
    });
    assert!(nodes > 1_000_000, "{nodes} nodes");
    let mut line = String::new();
    for depth in 0..12 {
        let path = format!("/api/searches/{id}/node?count=3&line={}", line.trim().replace(' ', "+"));
        let answer = server.get(&path);
        assert!(answer.body.len() < 2000, "no more than was asked for");
        let node = answer.json();
        let first =
            node["moves"][0]["move"].as_str().unwrap_or_else(|| panic!("depth {depth}: {node}")).to_owned();
        line = format!("{line} {first}");
    }
    let icicle = server.get(&format!("/api/searches/{id}/icicle?line=")).json();
    let blocks = icicle["blocks"].as_array().unwrap();
    assert!(blocks.len() > 20 && blocks.len() <= 1500);
    for block in &blocks[1..] {
        let above = &blocks[block["parent"].as_u64().unwrap() as usize];
        assert!(
            above["visits"].as_u64() >= block["visits"].as_u64()
                && above["level"].as_u64() < block["level"].as_u64()
        );
    }
    let saved = server.post(&format!("/api/searches/{id}/save"), &json!({ "file": "0/big.tree" }));
    assert_eq!(saved.status, 200, "{}", saved.body);
    assert_eq!(server.get("/api/experiments").json()["trees"], json!(["0/big.tree"]));
    let opened = server.post("/api/trees", &json!({ "file": "0/big.tree" })).json();
    assert_eq!(opened["about"]["game"], "connect-four");
    let node = |id: &Value| server.get(&format!("/api/searches/{id}/node?line=4")).json();
    assert_eq!(node(&opened["id"]), node(&id));
    // A tree that is there already stays.
    let again = server.post(&format!("/api/searches/{id}/save"), &json!({ "file": "0/big.tree" })).json();
    assert_eq!(again["file"], "0/big-2.tree");
    assert_eq!(
        server.post(&format!("/api/searches/{id}/save"), &json!({ "file": "0/big.toml" })).status,
        400
    );
}

/// The command line saves trees of recipes without a limit of memory.
#[test]
fn a_tree_of_the_command_line_is_opened() {
    let server = Running::new();
    let game = tesuji_lab::GameSpec::parse("connect-four", None).unwrap();
    for recipe in ["grave", "uct,select=puct", "mast,solver=true"] {
        let recipe = tesuji::recipe::Recipe::parse(recipe).unwrap();
        let mut search = game.live_search(&game.position(), &recipe, 1, Some(500)).unwrap();
        search.step(1000);
        let tree = search.save(&game.tree_label(&recipe, "")).unwrap();
        std::fs::write(server.out().join("own.tree"), tree).unwrap();
        let opened = server.post("/api/trees", &json!({ "file": "0/own.tree" }));
        assert_eq!(opened.status, 200, "{}", opened.body);
        let id = opened.json()["id"].take();
        let node = server.get(&format!("/api/searches/{id}/node?line=")).json();
        assert_eq!(node["visits"], search.inspect("").unwrap().unwrap().visits);
        let saved = server.post(&format!("/api/searches/{id}/save"), &json!({ "file": "0/own.tree" }));
        assert_eq!(saved.status, 200, "{}", saved.body);
    }
}

#[test]
fn a_game_is_no_longer_judged_when_the_client_goes() {
    use std::io::{Read, Write};
    let server = Running::new();
    let sweep = |simulations: u64| {
        json!({ "game": "go:5", "moves": "C3", "recipe": "uct", "simulations": simulations }).to_string()
    };
    let (host, body) = (&server.host, sweep(1 << 40));
    let head = format!("Host: {host}\r\nContent-Type: application/json\r\nContent-Length: {}", body.len());
    let begin = || {
        let mut stream = server.connect();
        write!(stream, "POST /api/sweep HTTP/1.1\r\n{head}\r\n\r\n{body}").unwrap();
        let mut begun = [0; 15];
        stream.read_exact(&mut begun).unwrap();
        assert_eq!(&begun, b"HTTP/1.1 200 OK");
        stream
    };
    let clients: Vec<_> = (0..4).map(|_| begin()).collect();
    let headers = format!("Host: {host}\r\nContent-Type: application/json\r\n");
    let status = || server.ask("POST", "/api/sweep", &headers, &sweep(10)).status;
    assert_eq!(status(), 429);
    drop(clients);
    let is_free = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        status() == 200
    });
    assert!(is_free);
}

#[test]
fn a_game_is_judged_and_written_as_sgf() {
    let server = Running::new();
    let sweep = json!({ "game": "go:5", "moves": "C3 C4 B4 D3", "recipe": "uct", "simulations": 100 });
    let host = format!("Host: {}\r\nContent-Type: application/json\r\n", server.host);
    let text = server.ask("POST", "/api/sweep", &host, &sweep.to_string()).body;
    // The body comes in chunks: the last event is whole in one of them.
    let last = text.lines().filter_map(|line| line.strip_prefix("data: ")).next_back().unwrap();
    let last: Value = serde_json::from_str(last).unwrap_or_else(|_| panic!("{text}"));
    assert_eq!((&last["done"], last["moves"].as_array().unwrap().len()), (&json!(true), 4));
    let record = json!({ "game": "go:5", "moves": "C3 C4 B4 D3", "black": "a]b", "said": last["moves"] });
    let sgf = server.post("/api/sgf/write", &record).json()["sgf"].take();
    let sgf = sgf.as_str().unwrap();
    assert!(sgf.contains("PB[a\\]b]") && sgf.contains("C[value "), "{sgf}");
    let read = server.read_sgf(sgf.as_bytes()).json();
    assert_eq!(
        (&read["moves"], &read["game"], &read["black"]),
        (&json!("C3 C4 B4 D3"), &json!("go:5"), &json!("a]b"))
    );
    let read = |text: &str| server.read_sgf(text.as_bytes());
    let set_up = read("(;GM[1]SZ[9]AB[ee][cc]AW[gg];W[ce]C[a comment];B[ec];B[dd])").json();
    assert_eq!(set_up["moves"], "C7 G3 E5 C5 E7 PASS D6");
    assert_eq!(set_up["comments"], json!({ "4": "a comment" }));
    let later = read("(;GM[1]SZ[9];B[ee];AW[cc])");
    assert!(later.status == 400 && later.body.contains("after the first move"), "{}", later.body);
}

#[test]
fn a_file_is_read_in_its_charset() {
    let server = Running::new();
    for (file, name) in [
        (&b"(;SZ[9]CA[Shift_JIS]PB[\x83\x5c]PW[\x81\x5d];B[ee];W[cc])"[..], "ソ"),
        (b"(;SZ[9]CA[Big5]PB[\xa5\x5c];B[ee];W[cc])", "功"),
        ("(;SZ[9]PB[é];B[ee];W[cc])".as_bytes(), "é"),
    ] {
        let read = server.read_sgf(file).json();
        assert_eq!((&read["black"], &read["moves"]), (&json!(name), &json!("E5 C7")), "{read}");
        assert_eq!(read["warnings"], json!([]), "{read}");
    }
    let read = server.read_sgf(b"(;SZ[9]CA[x]KM[6.25]HA[y];B[ee]) and more").json();
    assert_eq!((&read["komi"], read["warnings"].as_array().unwrap().len()), (&json!("6.5"), 4), "{read}");
}

#[test]
fn a_game_goes_on_after_two_passes() {
    let server = Running::new();
    for (sgf, moves, comments) in [
        ("(;SZ[9];B[ee];W[];B[];W[cc])", "E5 C7", json!({})),
        ("(;SZ[9];B[ee];B[];W[cc])", "E5 C7", json!({})),
        ("(;SZ[9];B[ee]C[a];W[]C[b];B[]C[c];W[cc]C[d])", "E5 C7", json!({ "1": "a\n\nb\n\nc", "2": "d" })),
        ("(;SZ[9];B[ee];W[];B[];W[];B[cc])", "E5 PASS C7", json!({})),
        ("(;SZ[9];B[ee];W[];B[])", "E5 PASS PASS", json!({})),
        ("(;SZ[9]AB[ee][ge];B[];W[];B[cc])", "E5 PASS G5 PASS C7", json!({})),
        // Two passes after a set-up end the game, whether it ends with a pass or with a stone.
        ("(;SZ[9]AB[ee][ge];B[];W[])", "E5 PASS G5 PASS PASS", json!({})),
        ("(;SZ[9]AB[ee]AW[ge];B[];W[])", "E5 G5 PASS PASS", json!({})),
        ("(;SZ[9];B[ee];B[];W[])", "E5 PASS PASS", json!({})),
        ("(;SZ[9];B[ee]C[a];PL[W]C[b];W[cc])", "E5 C7", json!({ "1": "a\n\nb" })),
        ("(;SZ[9];B[ee];PL[B];B[cc])", "E5 PASS C7", json!({})),
    ] {
        let read = server.read_sgf(sgf.as_bytes()).json();
        assert_eq!((&read["moves"], &read["comments"]), (&json!(moves), &comments), "{sgf}: {read}");
        let place = json!({ "game": read["game"], "moves": read["moves"] });
        assert_eq!(server.post("/api/position", &place).status, 200, "{sgf}");
    }
}

#[test]
fn names_result_and_comments_are_read_and_written() {
    let server = Running::new();
    let file = r"(;GM[1]SZ[9]KM[7.5]PB[A]PW[B]RE[W+R]C[about];C[more];B[ee];C[later]W[cc];C[a \] b];B[])";
    let read = |text: &str| server.read_sgf(text.as_bytes()).json();
    let write =
        |record: &Value| server.post("/api/sgf/write", record).json()["sgf"].as_str().unwrap().to_owned();
    let first = read(file);
    let comments = json!({ "0": "about\n\nmore", "2": "later\n\na ] b" });
    assert_eq!((&first["comments"], &first["result"]), (&comments, &json!("W+R")), "{first}");
    let sgf = write(&first);
    let again = read(&sgf);
    assert_eq!(again, first, "{sgf}");
    // Before the first move stands what is said of stones that are set up.
    let set_up = read("(;SZ[9]C[about];AB[ee]AW[cc]C[set up];B[gg])");
    assert_eq!(set_up["comments"], json!({ "2": "about\n\nset up" }), "{set_up}");
    // A judgement comes after a comment, and takes the place of an earlier one.
    let mut judged = first.clone();
    for best in ["C3", "D4"] {
        judged["said"] = json!([{ "number": 2, "value": 0.4, "best": best, "best_value": 0.5, "loss": 0.1 }]);
        judged["comments"] = read(&write(&judged))["comments"].take();
        let expected = format!("later\n\na ] b\n\nvalue 40.0 %; best {best} 50.0 %; loss 10.0 %");
        assert_eq!(judged["comments"]["2"], expected);
    }
    judged["comments"] = json!({ "9": "x" });
    let refused = server.post("/api/sgf/write", &judged);
    assert!(refused.status == 400 && refused.body.contains("no move 9"), "{}", refused.body);
}

#[test]
fn a_set_up_ends_with_a_stone_or_a_warning() {
    let server = Running::new();
    let read = server.read_sgf(b"(;SZ[5]AB[cc]AW[ae]PL[W])").json();
    assert_eq!((&read["moves"], &read["warnings"]), (&json!("PASS A1 C3"), &json!([])), "{read}");
    let read = server.read_sgf(b"(;SZ[5]AB[cc][bb]PL[B])").json();
    assert_eq!(read["moves"], "B4 PASS C3 PASS");
    assert!(read["warnings"][0].as_str().unwrap().contains("White has no stone"), "{read}");
    // After handicap stones it is White's turn.
    let read = server.read_sgf(b"(;SZ[5]HA[2]AB[cc][bb])").json();
    assert_eq!(read["moves"], "B4 PASS C3", "{read}");
    let set_up = json!({ "game": "go:5", "black": [], "white": ["C3"], "to_move": 2 });
    let set_up = server.post("/api/setup", &set_up).json();
    assert!(set_up["warnings"][0].as_str().unwrap().contains("pass of Black"), "{set_up}");
}

/// A rectangle names many points in a few letters.
#[test]
fn a_file_that_sets_up_too_many_points_is_refused() {
    let server = Running::new();
    let read =
        |rectangles| server.read_sgf(format!("(;SZ[19]AB{})", "[aa:ss]".repeat(rectangles)).as_bytes());
    let refused = read(100);
    assert!(refused.status == 400 && refused.body.contains("more than 20000 points"), "{}", refused.body);
}

#[test]
fn stones_are_set_up_and_points_have_owners() {
    let server = Running::new();
    let stones = |black: &[&str]| json!({ "game": "go:5", "black": black, "white": ["B1"], "to_move": 2 });
    let moves = server.post("/api/setup", &stones(&["C3", "A2"])).json()["moves"].take();
    let place = server.post("/api/position", &json!({ "game": "go:5", "moves": moves })).json();
    assert_eq!((&place["to_move"], &place["result"]), (&json!(2), &Value::Null), "{moves}");
    for black in [&["C3", "C3"][..], &["Z9"], &["B1"]] {
        assert_eq!(server.post("/api/setup", &stones(black)).status, 400, "{black:?}");
    }
    let owned = server.post("/api/ownership", &json!({ "game": "go:5", "moves": moves })).json();
    assert_eq!(owned["ownership"].as_array().unwrap().len(), 25);
    assert_eq!(server.post("/api/ownership", &json!({ "game": "hex:5" })).status, 400);
}

#[test]
fn heaps_have_thermographs() {
    let server = Running::new();
    let svg = server.post("/api/thermographs", &json!({ "heaps": ["b3r5b5", "r2b1"] })).json();
    assert!(svg["svg"].as_str().unwrap().contains("temperature"));
    assert_eq!(server.post("/api/thermographs", &json!({ "heaps": ["x"] })).status, 400);
}

#[test]
fn katagos_protocol_is_spoken_on_a_web_socket() {
    use std::io::{BufRead, Write};
    let server = Running::with(|options| tesuji_serve::Options {
        analysis: Some(std::sync::Arc::new(|input, mut output| {
            for line in input.lines().map_while(Result::ok) {
                writeln!(output, "{{\"heard\":{line}}}").and_then(|()| output.flush()).unwrap();
            }
        })),
        ..options
    });
    let stream = server.connect();
    let (mut socket, _) = tungstenite::client(format!("ws://{}/analysis", server.host), stream).unwrap();
    socket.send(tungstenite::Message::text("{\"id\":1}\n{\"id\":2}")).unwrap();
    let answers = [socket.read().unwrap().into_text().unwrap(), socket.read().unwrap().into_text().unwrap()];
    assert_eq!(answers.map(|text| text.to_string()), ["{\"heard\":{\"id\":1}}", "{\"heard\":{\"id\":2}}"]);
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    let foreign = format!("Host: {}\r\nOrigin: http://evil.example\r\n{upgrade}", server.host);
    assert_eq!(server.ask("GET", "/analysis", &foreign, "").status, 403);
}
