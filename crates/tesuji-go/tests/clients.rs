//! The rules by which programs of players read an engine's analysis: those of Sabaki 0.60.2
//! (`enginesyncer.js`, `analysis.js`), Lizzie 0.7 and LizzieYzy (`Leelaz.java`, `MoveData.java`),
//! written anew.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use tesuji::{Bot, BotError, Search, SearchGame};
use tesuji_go::engine::{Agents, AgentsOf, Engine, Options};
use tesuji_go::gtp::Session;

struct Uct;

impl Agents for Uct {
    fn name(&self, _: usize) -> String {
        "uct".into()
    }
}

impl<G: SearchGame + 'static> AgentsOf<G> for Uct {
    fn agent(&self, start: &G, seed: u64) -> Result<Box<dyn Bot<G>>, BotError> {
        Ok(Box::new(Search::uct(start, 0.7, seed)))
    }
}

fn session(size: usize) -> Session {
    let options = Options { playouts: Some(2000), ..Options::default() };
    Session::new(Engine::new(Uct, size, options).unwrap())
}

/// Input that goes on after `lines` as soon as the output has had enough of lines that begin with
/// `info`.
struct Input {
    waiting: Vec<u8>,
    then: Option<(Receiver<()>, Vec<u8>)>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.waiting.is_empty()
            && let Some((enough, then)) = self.then.take()
        {
            // An output that is gone has had enough.
            let _ = enough.recv();
            self.waiting = then;
        }
        Ok(&self.waiting)
    }

    fn consume(&mut self, count: usize) {
        self.waiting.drain(..count);
    }
}

/// Output that tells when five lines of analysis are there.
struct Output {
    bytes: Vec<u8>,
    enough: Sender<()>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        if String::from_utf8_lossy(&self.bytes).lines().filter(|l| l.starts_with("info")).count() >= 5 {
            let _ = self.enough.send(());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is answered to `command`, an analysis, until `next` is sent after its fifth line.
fn watched(mut session: Session, command: &str, next: &str) -> String {
    let (sender, receiver) = mpsc::channel();
    let then = format!("{next}\nquit\n").into_bytes();
    let input = Input { waiting: format!("{command}\n").into_bytes(), then: Some((receiver, then)) };
    let mut output = Output { bytes: Vec::new(), enough: sender };
    session.run(input, &mut output).unwrap();
    String::from_utf8(output.bytes).unwrap()
}

/// A move that a client shows: its point, visits, win rate in percent, and variation.
#[derive(Debug)]
struct Shown {
    point: String,
    visits: u32,
    percent: f64,
    line: Vec<String>,
}

/// A letter and digits.
fn is_point(word: &str) -> bool {
    let mut chars = word.chars();
    let digits = chars.clone().skip(1).count() > 0 && chars.clone().skip(1).all(|c| c.is_ascii_digit());
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && digits
}

/// Sabaki: `pv` is what points and passes stand at the end of an entry; before it words go in
/// pairs, the word before it left out; passes are dropped. How a win rate is read depends on the
/// name of the command, or in the newer version on a decimal point.
fn sabaki(line: &str, is_float: impl Fn(&str) -> bool) -> Vec<Shown> {
    let line = line.split("ownership").next().unwrap();
    let entries = line.trim_start().strip_prefix("info ").expect("an entry").split(" info ");
    let entries = entries.map(|entry| {
        let words: Vec<&str> = entry.split_whitespace().collect();
        let tail = words.iter().rev().take_while(|w| **w == "pass" || is_point(w)).count();
        assert!(tail > 0, "an entry without a variation is dropped: {entry}");
        let (before, line) = words.split_at(words.len() - tail);
        assert_eq!(before.last(), Some(&"pv"), "{entry}");
        let pairs = &before[..before.len() - 1];
        assert_eq!(pairs.len() % 2, 0, "{entry}");
        let value =
            |key| pairs.chunks(2).find(|pair| pair[0] == key).unwrap_or_else(|| panic!("{key}: {entry}"))[1];
        let rate: f64 = value("winrate").parse().unwrap();
        Shown {
            point: value("move").into(),
            visits: value("visits").parse().unwrap(),
            percent: if is_float(value("winrate")) { 100.0 * rate } else { rate / 100.0 },
            line: line.iter().take_while(|w| **w != "pass").map(|w| w.to_string()).collect(),
        }
    });
    entries.filter(|shown| is_point(&shown.point)).collect()
}

/// Lizzie: entries are split at ` info `, then words go in pairs until `pv`; visits, win rate,
/// prior and bound are integers.
fn lizzie(line: &str) -> Vec<Shown> {
    let entries = line.trim().strip_prefix("info ").expect("an entry").split(" info ");
    let entry = |entry: &str| {
        let words: Vec<&str> = entry.trim().split(' ').collect();
        let pv = words.iter().position(|word| *word == "pv").expect("a variation");
        assert_eq!(pv % 2, 0, "{entry}");
        let value = |key| words[..pv].chunks(2).find(|pair| pair[0] == key).expect(key)[1];
        let integer = |key| value(key).parse::<i32>().unwrap_or_else(|_| panic!("{key}: {entry}"));
        assert!([integer("prior"), integer("lcb")].iter().all(|n| (0..=10_000).contains(n)), "{entry}");
        Shown {
            point: value("move").into(),
            visits: integer("visits") as u32,
            percent: f64::from(integer("winrate")) / 100.0,
            line: words[pv + 1..].iter().map(|w| w.to_string()).collect(),
        }
    };
    entries.map(entry).collect()
}

/// Lizzie's look at a version: the number after its first dot.
fn lizzie_accepts(version: &str) -> bool {
    let second = version.split(' ').next().and_then(|word| word.split('.').nth(1));
    second.and_then(|number| number.parse::<i32>().ok()).is_some_and(|number| number >= 15)
}

/// The lines of an analysis in an output.
fn infos(output: &str) -> Vec<&str> {
    let lines: Vec<&str> = output.lines().filter(|line| line.starts_with("info")).collect();
    assert!(!lines.is_empty(), "{output}");
    lines
}

fn ask(session: &mut Session, command: &str) -> String {
    let response = session.execute(command);
    let text = response.strip_prefix('=').unwrap_or_else(|| panic!("`{command}` got {response}"));
    text.trim().to_owned()
}

#[test]
fn sabaki_reads_what_the_search_found() {
    let listed = ask(&mut session(9), "list_commands");
    let command = listed.lines().find(|c| ["analyze", "kata-analyze", "lz-analyze"].contains(c)).unwrap();
    let by_name = command.starts_with("kata");
    let moves = listed.lines().find(|c| c.ends_with("genmove_analyze") && !c.starts_with("cgos")).unwrap();
    assert!(moves.starts_with("kata") == by_name, "{moves}");

    // Two minds about what a number is must be of one.
    let output = watched(session(9), &format!("{command} B 0"), "protocol_version");
    for line in infos(&output) {
        for (a, b) in sabaki(line, |_| by_name).iter().zip(sabaki(line, |text| text.contains('.'))) {
            assert_eq!((a.percent, &a.point), (b.percent, &b.point));
            assert!((0.0..=100.0).contains(&a.percent) && a.visits > 0);
        }
    }

    // An even position shows about a half, and the values are those of the search.
    let mut session = session(9);
    let output = ask(&mut session, &format!("{moves} B 50"));
    assert!(output.lines().last().unwrap().starts_with("play "), "{output}");
    let line = infos(&output).pop().unwrap();
    let report = session.engine().last_report().unwrap().clone();
    let shown = sabaki(line, |_| by_name);
    let best = &shown[0];
    assert!((30.0..70.0).contains(&best.percent), "{best:?}");
    for (shown, child) in shown.iter().zip(report.children.iter().filter(|c| c.m.is_some())) {
        assert!((shown.percent - 100.0 * f64::from(child.value)).abs() < 0.01, "{shown:?}, {child:?}");
        assert_eq!(shown.visits, child.visits);
        let line: Vec<String> = child.variation.iter().map_while(|m| Some(m.as_ref()?.to_string())).collect();
        assert_eq!(shown.line, line);
        assert_eq!(shown.point, line[0], "a variation begins with its move");
        assert!(shown.visits < 30 || child.variation.len() > 1, "a visited move has an answer: {child:?}");
    }
    assert!(shown.iter().filter(|shown| shown.line.len() > 1).count() > 20, "{shown:?}");
}

#[test]
fn lizzie_reads_what_the_search_found() {
    let version = ask(&mut session(9), "version");
    assert!(version.contains('.') && !lizzie_accepts(&version), "Lizzie would show a warning: {version}");
    let overridden = ask(&mut session(9).with_version("0.17".into()), "version");
    assert!(lizzie_accepts(&overridden), "{overridden}");
    assert!(!ask(&mut session(9), "name").starts_with("KataGo"), "Lizzie would ask for floats");

    // Its commands have numbers; `name` ends an analysis.
    let output = watched(session(9), "7 lz-analyze 0 avoid b A1,B2 3 avoid w C3 2", "8 name");
    for line in output.lines() {
        let known = ["info", "play", "="].iter().any(|begin| line.starts_with(begin)) || line.is_empty();
        assert!(known && !line.contains(" -> "), "{line}");
    }
    assert!(output.starts_with("=7\n") && output.contains("\n\n=8 tesuji\n"), "{output}");
    for shown in infos(&output).into_iter().flat_map(lizzie) {
        assert!(!["A1", "B2"].contains(&&*shown.point), "{shown:?}");
        assert_eq!(shown.point, shown.line[0]);
    }
}

#[test]
fn commands_that_are_not_listed_speak_as_leela_does() {
    for command in ["analyze", "genmove_analyze"] {
        let mut session = session(5);
        assert!(!ask(&mut session, "list_commands").lines().any(|listed| listed == command));
        assert_eq!(ask(&mut session, &format!("known_command {command}")), "true");
        let output = ask(&mut session, &format!("{command} b 10"));
        let shown = lizzie(infos(&output).pop().unwrap());
        assert!(!shown.is_empty());
        assert!(shown.iter().all(|shown| (0.0..=100.0).contains(&shown.percent)));
    }
}

#[test]
fn moves_are_avoided_and_allowed() {
    let mut session = session(9);
    let mut shown = |request: &str| {
        let output = ask(&mut session, &format!("lz-genmove_analyze {request}"));
        let played = output.lines().last().unwrap().strip_prefix("play ").unwrap().to_owned();
        ask(&mut session, "undo");
        (played, lizzie(infos(&output).pop().unwrap()))
    };
    let (played, moves) = shown("b allow b E5,C3 1");
    assert!(["E5", "C3"].contains(&&*played) && moves.len() == 2, "{moves:?}");
    let (played, moves) = shown("b avoid b E5,pass 1 avoid b C3 1");
    assert!(moves.len() > 50 && !["E5", "C3", "pass"].contains(&&*played), "{moves:?}");
    assert!(moves.iter().all(|shown| !["E5", "C3", "pass"].contains(&&*shown.point)));
    // The opponent's answers are of depth 1.
    let (_, moves) = shown("b allow b E5 1 allow w G7 2");
    assert!(moves.len() == 1 && moves[0].line.len() > 2, "{moves:?}");
    assert_eq!(moves[0].line[..2], ["E5", "G7"]);
    let (_, free) = shown("b allow b E5 1 allow w G7 1");
    assert!(free[0].line.len() > 1 && free[0].line[1] != "G7", "{free:?}");
    // Without a restriction nothing is left of it.
    assert!(shown("b").1.len() > 70);
    let mut refused = |request: &str| session.execute(&format!("lz-analyze {request}"));
    for (request, words) in [
        ("b avoid b E5", "'avoid' needs a colour, vertices with commas between them, and a depth"),
        ("b avoid b Z9 1", "`Z9` is not a point of this board"),
        ("b allow grey E5 1", "'grey' is not a colour"),
        ("b avoid b E5 deep", "'deep' is not a depth"),
    ] {
        assert!(refused(request).contains(words), "{request}: {}", refused(request));
    }
}
