//! Known files with random changes: what is read, written and read again is equal, no session
//! panics, and no query does.

mod common;

use tesuji::Rng;
use tesuji_go::analysis::{Request, Settings};
use tesuji_go::gtp::Command;
use tesuji_go::sgf::{MainLine, parse};

const FILES: [&str; 3] = [
    "(;FF[4]GM[1]SZ[9]KM[6.5]AB[cc:dd][ee]AW[aa]PL[W]C[a \\] b];W[ff];B[gg](;W[];B[tt])(;W[hh]C[x\\\\]))",
    "(;FileFormat[3]SiZe[5]Komi[0,5]HA[2];Black[aa];White[bb](;B[cc](;W[dd])(;W[de])))(;SZ[19])",
    "text (;GM[1]SZ[7:7]RE[B+R]XY[1][2][3]\n;B[aa]\n;W[ab]\n;B[ba]\n;W[])",
];

const SESSION: &str = "1 boardsize 5\nkomi 5.5\nplay b C3\n2 genmove w\nfixed_handicap 2\nundo\ntime_settings 10 5 2\n\
    time_left b 3 1\nkgs-time_settings byoyomi 10 5 3\nreg_genmove b\nfinal_score\nfinal_status_list dead\n\
    gogui-setup b A1 w B2\nlz-analyze b 10\nkata-genmove_analyze w ownership true\ncgos-genmove_analyze b\nshowboard\n";

/// Changes up to eight bytes: cut, doubled, or replaced by one that means something.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(8) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.below(bytes.len() as u32) as usize;
        match rng.below(4) {
            0 => drop(bytes.remove(at)),
            1 => bytes.insert(at, b"()[];:\\ \n\tBWa9-.#"[rng.below(17) as usize]),
            2 => bytes[at] = rng.bits() as u8,
            _ => {
                let end = (at + 1 + rng.below(12) as usize).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn what_is_read_is_written_and_read_again() {
    let mut rng = Rng::new(1);
    let mut good = 0;
    for i in 0..30_000 {
        let text = mutate(FILES[i % FILES.len()], &mut rng);
        let Ok(collection) = parse(&text) else { continue };
        good += 1;
        assert_eq!(parse(&collection.to_string()).as_ref(), Ok(&collection), "{text:?}");
        for game in &collection.games {
            let _ = MainLine::read(game);
        }
    }
    assert!(good > 5000, "only {good} could be read");
}

#[test]
fn no_session_panics() {
    let mut rng = Rng::new(2);
    for _ in 0..300 {
        let mut session = common::session(5);
        for line in mutate(SESSION, &mut rng).lines() {
            let response = session.execute(line);
            let expected = usize::from(Command::parse(line).is_some());
            assert_eq!(response.matches("\n\n").count(), expected, "{line:?}: {response:?}");
        }
    }
}

const QUERIES: [&str; 3] = [
    r#"{"id":"a","moves":[["B","C3"],["W","pass"],["B","(0,4)"]],"rules":"japanese","komi":6.5,"boardXSize":5,"boardYSize":5,"analyzeTurns":[0,3],"priorities":[1,-2]}"#,
    r#"{"id":"b","moves":[],"initialStones":[["B","A1"],["W","A2"]],"initialPlayer":"W","rules":{"ko":"SPIGHT","scoring":"AREA"},"boardXSize":2,"boardYSize":2,"maxVisits":9,"avoidMoves":[{"player":"B","moves":["B1"],"untilDepth":3}],"overrideSettings":{"maxTime":1.5,"wideRootNoise":0.1}}"#,
    r#"{"id":"c","action":"terminate","terminateId":"a","turnNumbers":[1,2]}"#,
];

#[test]
fn a_query_is_read_or_refused_with_a_reason() {
    let mut rng = Rng::new(3);
    let (mut read, mut named) = (0, 0);
    for i in 0..30_000 {
        let line = mutate(QUERIES[i % QUERIES.len()], &mut rng);
        match Request::read(&line, &Settings::default()) {
            Ok(Request::Analyze(query, _)) => {
                read += 1;
                assert!(query.turns.keys().all(|&turn| turn <= query.moves.len()), "{line:?}");
            }
            Ok(Request::Act(..)) => read += 1,
            Err(refusal) => {
                named += usize::from(refusal.field.is_some());
                assert!(
                    !refusal.text.is_empty() && refusal.field.is_none_or(|_| refusal.id.is_some()),
                    "{line:?}"
                );
            }
        }
    }
    assert!(read > 500 && named > 1000, "{read} were read, {named} refused for a field");
}
