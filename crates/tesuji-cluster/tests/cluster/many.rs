//! Faults again and again, by hand: `TESUJI_CLUSTER_FAULTS=25 cargo test -p tesuji-cluster --test
//! cluster many -- --ignored --test-threads 1`. `TESUJI_CLUSTER_TABLE` names a CSV file that takes
//! a line for each kind of fault.

use crate::support::{Process, Proxy, Server, connect, content, games_of, matches, run, run_watched};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tesuji_lab::Event;

/// Games of each run.
const GAMES: u64 = 40;

fn times() -> u64 {
    std::env::var("TESUJI_CLUSTER_FAULTS").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

fn signal(name: &str, process: u32) {
    assert!(
        Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status().unwrap().success()
    );
}

/// Runs a match N times, each with a fault, and compares the record with one without.
fn again(name: &str, once: impl Fn(u64, &mut Server, &mut [Process; 2], &Path)) {
    let Some(mut server) = Server::start() else { return };
    let alone = tempfile::tempdir().unwrap();
    run(alone.path(), &matches(GAMES), None).unwrap();
    let expected = content(alone.path());
    let (begun, times) = (Instant::now(), times());
    let mut workers = [Process::worker(&server.url()), Process::worker(&server.url())];
    for number in 0..times {
        let dir = tempfile::tempdir().unwrap();
        once(number, &mut server, &mut workers, dir.path());
        assert_eq!(content(dir.path()), expected, "{name} {number}");
    }
    let line = format!("\"{name}\",{times},{GAMES},0,0,{:.1}\n", begun.elapsed().as_secs_f64());
    eprint!("{line}");
    if let Some(table) = std::env::var_os("TESUJI_CLUSTER_TABLE") {
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(table).unwrap();
        file.write_all(line.as_bytes()).unwrap();
    }
}

/// Runs the match, with a fault when some games have been played.
fn during(number: u64, url: &str, dir: &Path, mut fault: impl FnMut()) {
    let (at, mut played) = (1 + number * 7 % 30, 0);
    run_watched(dir, &matches(GAMES), Some(connect(url, 0.0)), &mut |event| {
        if let Event::Game { game: Some(_), .. } = event {
            played += 1;
            if played == at {
                fault();
            }
        }
    })
    .unwrap();
}

#[test]
#[ignore = "by hand"]
fn workers_killed() {
    again("worker killed", |number, server, workers, dir| {
        let url = server.url();
        during(number, &url, dir, || {
            let worker = &mut workers[number as usize % 2];
            worker.kill();
            *worker = Process::worker(&url);
        });
    });
}

#[test]
#[ignore = "by hand"]
fn servers_killed() {
    again("server killed", |number, server, _, dir| {
        let url = server.url();
        during(number, &url, dir, || {
            server.kill();
            server.restart();
        });
    });
}

#[test]
#[ignore = "by hand"]
fn servers_wiped() {
    again("server killed and its disk wiped", |number, server, _, dir| {
        let url = server.url();
        during(number, &url, dir, || {
            server.kill();
            server.wipe();
            server.restart();
        });
    });
}

#[test]
#[ignore = "by hand"]
fn coordinators_killed() {
    again("coordinator killed", |number, server, _, dir| {
        let mut coordinator = Process::coordinator(&server.url(), dir, &matches(GAMES));
        let begun = Instant::now();
        while games_of(dir) < 1 + number as usize % 20 && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        coordinator.kill();
        run(dir, &matches(GAMES), Some(connect(&server.url(), 0.0))).unwrap();
    });
}

/// From 1 to 30 s.
fn partition(number: u64) -> Duration {
    Duration::from_secs(1 + number * 29 / times().max(2).saturating_sub(1))
}

#[test]
#[ignore = "by hand"]
fn partitions() {
    again("nothing gets through for 1 to 30 s", |number, server, _, dir| {
        let (url, process) = (server.url(), server.id());
        let mut freezer = None;
        during(number, &url, dir, || {
            signal("STOP", process);
            freezer = Some(std::thread::spawn(move || {
                std::thread::sleep(partition(number));
                signal("CONT", process);
            }));
        });
        freezer.unwrap().join().unwrap();
    });
}

#[test]
#[ignore = "by hand"]
fn workers_cut_off() {
    again("a worker is cut off for 1 to 30 s", |number, server, workers, dir| {
        let proxy = Proxy::start(server.port(), None);
        let url = server.url();
        let one = number as usize % 2;
        workers[one].kill();
        workers[one] = Process::worker(&format!("nats://127.0.0.1:{}", proxy.port));
        let mut freezer = None;
        during(number, &url, dir, || freezer = Some(proxy.freeze(partition(number))));
        freezer.unwrap().join().unwrap();
        workers[one].kill();
        workers[one] = Process::worker(&url);
    });
}

#[test]
#[ignore = "by hand"]
fn slow_workers() {
    again("a worker stands still for longer than its lease", |number, server, workers, dir| {
        let (url, process) = (server.url(), workers[number as usize % 2].id());
        let mut freezer = None;
        during(number, &url, dir, || {
            signal("STOP", process);
            freezer = Some(std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(5));
                signal("CONT", process);
            }));
        });
        freezer.unwrap().join().unwrap();
    });
}

#[test]
#[ignore = "by hand"]
fn duplicates() {
    again("each result three times, out of order", |number, server, _, dir| {
        let (url, stop) = (server.url(), Arc::new(AtomicBool::new(false)));
        let (address, ended) = (url.clone(), stop.clone());
        let echo = std::thread::spawn(move || {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(
                async move {
                    use futures_util::StreamExt;
                    let client = async_nats::connect(address).await.unwrap();
                    let mut results = client.subscribe("tesuji.result.>").await.unwrap();
                    let (mut held, mut known) = (Vec::new(), std::collections::HashSet::new());
                    while !ended.load(Ordering::Relaxed) {
                        let next = tokio::time::timeout(Duration::from_millis(50), results.next()).await;
                        if let Ok(Some(message)) = next
                            && known.insert(message.subject.to_string())
                        {
                            held.push(message);
                        }
                        if held.len() > 1 {
                            for message in held.drain(..).rev() {
                                for _ in 0..2 {
                                    let (subject, payload) =
                                        (message.subject.clone(), message.payload.clone());
                                    client.publish(subject, payload).await.unwrap();
                                }
                            }
                        }
                    }
                },
            );
        });
        during(number, &url, dir, || ());
        stop.store(true, Ordering::Relaxed);
        echo.join().unwrap();
    });
}

#[test]
#[ignore = "by hand"]
fn clocks_jump() {
    again("the clock of the coordinator jumps by an hour, and back", |number, server, _, dir| {
        let time = dir.join("time");
        std::fs::write(&time, "+0").unwrap();
        let library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
        assert!(Path::new(library).exists(), "libfaketime is needed");
        let environment = [
            ("LD_PRELOAD", library),
            ("FAKETIME_TIMESTAMP_FILE", time.to_str().unwrap()),
            ("FAKETIME_NO_CACHE", "1"),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        ];
        let mut coordinator = Process::coordinator_in(&environment, &server.url(), dir, &matches(GAMES));
        for jump in ["+3600", "-3600", "+0"] {
            let (before, begun) = (games_of(dir), Instant::now());
            while games_of(dir) < (before + 1 + number as usize % 4).min(GAMES as usize)
                && begun.elapsed() < Duration::from_secs(20)
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            std::fs::write(&time, jump).unwrap();
        }
        assert!(coordinator.wait(), "it ends by itself");
    });
}

#[test]
#[ignore = "by hand, as root"]
fn full_disks() {
    again("the disk of the coordinator is full", |number, server, _, dir| {
        let out = dir.join("out");
        std::fs::create_dir(&out).unwrap();
        let mount = |options: &str| {
            let mut command = Command::new("mount");
            command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&out);
            assert!(command.status().unwrap().success());
        };
        mount(&format!("size={}k", 280 + 8 * number));
        let failed = run(dir, &matches(GAMES), Some(connect(&server.url(), 0.0)));
        let error = failed.unwrap_err().to_string();
        assert!(error.contains("full") || error.contains("No space") || error.contains("disk"), "{error}");
        mount("remount,size=64m");
        run(dir, &matches(GAMES), Some(connect(&server.url(), 0.0))).unwrap();
        let copy = dir.join("copy");
        assert!(Command::new("cp").arg("-r").arg(&out).arg(&copy).status().unwrap().success());
        assert!(Command::new("umount").arg(&out).status().unwrap().success());
        std::fs::remove_dir(&out).unwrap();
        std::fs::rename(&copy, &out).unwrap();
    });
}
