//! Records whose directory cannot be written, is deleted, or is damaged.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tesuji_lab::store::Store;

fn tesuji(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).stdin(Stdio::null());
    command
}

fn play(dir: &Path, games: u32) -> Command {
    let mut command = tesuji(&["match", "uct", "random", "--game=go:3", "--playouts=10", "--threads=2"]);
    command.arg("--games").arg(games.to_string()).arg("--out").arg(dir);
    command
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

/// Waits until a run has stored some games.
fn wait_for_games(run: &mut Child, record: &Path) {
    let patience = Instant::now();
    while Store::read(record).and_then(|store| store.ids()).map_or(0, |ids| ids.len()) < 10 {
        assert!(run.try_wait().unwrap().is_none(), "the run ended by itself");
        assert!(patience.elapsed() < Duration::from_secs(120), "no game is played");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Name and content of each file in a directory.
fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let file =
        |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    let mut files: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap()).collect();
    files.retain(|entry| entry.path().is_file());
    let mut files: Vec<_> = files.into_iter().map(file).collect();
    files.sort();
    files
}

#[test]
fn a_sound_record_is_sound_and_a_damaged_one_has_a_sentence_for_each_fault() {
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join("record");
    assert!(play(&record, 4).output().unwrap().status.success());
    let verify = |more: &[&str]| tesuji(&["verify"]).arg(&record).args(more).output().unwrap();
    let sound = verify(&[]);
    assert!(sound.status.success() && text(&sound).contains("is sound: 4 games"), "{}", text(&sound));
    let before = files(&record);
    let json: serde_json::Value = serde_json::from_slice(&verify(&["--json"]).stdout).unwrap();
    assert_eq!(
        (&json["sound"], &json["games"], &json["faults"]),
        (&true.into(), &4.into(), &serde_json::json!([]))
    );
    assert!(files(&record) == before, "a check changes nothing");

    let db = rusqlite::Connection::open(record.join("games.sqlite")).unwrap();
    db.execute_batch(
        "PRAGMA ignore_check_constraints = ON; UPDATE game SET ending = 'sules' WHERE number = 2",
    )
    .unwrap();
    drop(db);
    let damaged = verify(&[]);
    let found = text(&damaged);
    assert_eq!(damaged.status.code(), Some(1), "{found}");
    assert!(
        found.contains("game 2: ending is 'sules'; accepted: rules, resign, forfeit, length or adjudicated"),
        "{found}"
    );
    assert!(found.contains("record has "), "{found}");
    let json: serde_json::Value = serde_json::from_slice(&verify(&["--json"]).stdout).unwrap();
    assert!(json["sound"] == false && !json["faults"].as_array().unwrap().is_empty(), "{json}");

    let none = tesuji(&["verify"]).arg(dir.path()).output().unwrap();
    assert!(none.status.code() == Some(2) && text(&none).contains("holds no experiment"), "{}", text(&none));
}

#[cfg(unix)]
#[test]
fn the_name_of_a_record_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join(std::ffi::OsStr::from_bytes(b"r\xff"));
    assert!(play(&record, 4).output().unwrap().status.success());
    for command in ["verify", "report"] {
        let told = tesuji(&[command, "--json"]).arg(&record).output().unwrap();
        assert!(told.status.success(), "{}", text(&told));
    }
}

#[test]
fn a_run_whose_directory_is_deleted_fails() {
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join("record");
    let mut run = play(&record, 1_000_000).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_games(&mut run, &record);
    // A file that comes into being while the directory is emptied keeps it.
    while record.exists() {
        let _ = fs::remove_dir_all(&record);
    }
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("games.sqlite was deleted, moved or replaced"), "{}", text(&output));
    assert!(!record.join("summary.json").exists());
}

/// A command that cannot write to directories that only their owner may write to: as root, one of
/// nobody.
#[cfg(unix)]
fn unprivileged(program: &Path, args: &[&str]) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null());
    let id = Command::new("id").arg("-u").output().unwrap();
    if id.stdout.trim_ascii() == b"0" {
        command.uid(65534).gid(65534);
    }
    command
}

#[cfg(unix)]
#[test]
fn a_record_on_a_read_only_disk_is_reported_exported_and_verified() {
    use std::os::unix::fs::PermissionsExt;

    let dir = tempfile::tempdir().unwrap();
    let (dir, mode) =
        (dir.path(), |path: &Path, mode| fs::set_permissions(path, PermissionsExt::from_mode(mode)));
    mode(dir, 0o755).unwrap();
    // Where whoever runs it finds it.
    let program = dir.join("tesuji");
    fs::copy(env!("CARGO_BIN_EXE_tesuji"), &program).unwrap();
    mode(&program, 0o755).unwrap();
    let out = dir.join("out");
    fs::create_dir(&out).unwrap();
    mode(&out, 0o777).unwrap();

    // One record of a run that ended, one of a run that was killed: its last games are in the log
    // alone.
    let (ended, killed) = (dir.join("ended # 1?"), dir.join("killed"));
    assert!(play(&ended, 6).output().unwrap().status.success());
    let mut run = play(&killed, 1_000_000).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for_games(&mut run, &killed);
    run.kill().unwrap();
    run.wait().unwrap();
    for record in [&ended, &killed] {
        let _ = fs::remove_file(record.join("games.sqlite-shm"));
        for entry in fs::read_dir(record).unwrap() {
            let path = entry.unwrap().path();
            mode(&path, if path.is_dir() { 0o555 } else { 0o444 }).unwrap();
        }
        mode(record, 0o555).unwrap();
        let before = files(record);
        let run =
            |args: &[&str]| unprivileged(&program, &args[..1]).arg(record).args(&args[1..]).output().unwrap();
        let page = out.join("page.html");
        let reported = run(&["report", "--json", "--out", page.to_str().unwrap()]);
        assert!(reported.status.success(), "{}", text(&reported));
        let json: serde_json::Value = serde_json::from_slice(&reported.stdout).unwrap();
        let games = json["made"].as_u64().unwrap();
        assert!(if record == &ended { games == 6 } else { games > 6 }, "{json}");
        assert!(fs::read_to_string(&page).unwrap().contains("uct against random"));
        assert!(
            run(&["report", "--out", out.to_str().unwrap()]).status.success()
                && out.join("report.html").exists()
        );
        let exported = run(&["export", "--out", out.to_str().unwrap()]);
        assert!(exported.status.success(), "{}", text(&exported));
        let lines = fs::read_to_string(out.join("games.csv")).unwrap().lines().count() as u64;
        assert_eq!(lines, games + 1);
        let verified = run(&["verify"]);
        assert!(verified.status.success(), "{}", text(&verified));
        let refused = run(&["report"]);
        assert_eq!(refused.status.code(), Some(1));
        assert!(text(&refused).contains("report.html cannot be written"), "{}", text(&refused));
        assert!(text(&refused).contains("--out PATH writes the page elsewhere"), "{}", text(&refused));
        assert!(files(record) == before, "nothing is changed");
        mode(record, 0o755).unwrap();
    }
}
