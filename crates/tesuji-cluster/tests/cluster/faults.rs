//! Workers, coordinators and servers that are killed; trials that cannot be done.

use crate::support::{
    Process, Server, connect, connect_noted, content, games_of, matches, options, run, run_watched, store,
    wait_for,
};
use tesuji::Stop;
use tesuji_cluster::{ClusterError, Coordinator};
use tesuji_lab::Event;

#[test]
fn whoever_is_killed_no_game_is_lost_and_none_counts_twice() {
    let Some(mut server) = Server::start() else { return };
    let (alone, together) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = matches(60);
    run(alone.path(), &file, None).unwrap();
    let url = server.url();
    let mut workers = [Process::worker(&url), Process::worker(&url)];

    let mut coordinator = Process::coordinator(&url, together.path(), &file);
    wait_for("the first games", || games_of(together.path()) >= 5);
    coordinator.kill();

    // Its successor goes on; then a worker ends, and the server.
    let cluster = connect(&url, 0.0);
    let mut played = 0;
    run_watched(together.path(), &file, Some(cluster), &mut |event| {
        let Event::Game { game: Some(_), .. } = event else { return };
        played += 1;
        match played {
            5 => {
                workers[0].kill();
                workers[0] = Process::worker(&url);
            }
            15 => {
                server.kill();
                server.restart();
            }
            _ => {}
        }
    })
    .unwrap();
    assert!(played > 15, "{played}");
    assert_eq!(content(together.path()), content(alone.path()));
    let origins = store(together.path()).origins().unwrap();
    assert_eq!(origins.values().sum::<u64>(), 60, "{origins:?}");
}

#[test]
fn of_coordinators_that_start_together_one_goes_on() {
    let Some(server) = Server::start() else { return };
    for _ in 0..3 {
        let start = || Coordinator::connect(options(&server.url(), 0.0), &Stop::default());
        let all: Vec<_> = std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| scope.spawn(start));
            threads.map(|thread| thread.join().unwrap()).into()
        });
        let busy = all.iter().filter(|one| matches!(one, Err(ClusterError::Busy { .. }))).count();
        assert_eq!(busy, 3, "{all:?}");
        assert!(matches!(start(), Err(ClusterError::Busy { .. })), "one works");
    }
}

#[test]
fn a_trial_that_nobody_can_do_is_set_aside() {
    let Some(server) = Server::start() else { return };
    let _workers = [Process::worker(&server.url()), Process::worker(&server.url())];
    let (cluster, notes) = connect_noted(&server.url(), 0.0);
    wait_for("the workers", || cluster.width() == 6);
    let mut jobs = crate::liars::OneJob::impossible();
    cluster.execute(&mut jobs).unwrap();
    let why = jobs.failure.expect("it cannot be done");
    assert!(why.starts_with("set aside after 5 tries") && why.contains("no-such-game"), "{why}");
    wait_for("the notes", || {
        notes.lock().unwrap().iter().any(|note| note.contains("is set aside after 5 tries"))
    });
}

#[test]
fn a_trial_whose_file_is_gone_is_set_aside() {
    let Some(server) = Server::start() else { return };
    let _worker = Process::worker(&server.url());
    let (cluster, notes) = connect_noted(&server.url(), 0.0);
    wait_for("the worker", || cluster.width() == 4);
    let mut jobs = crate::liars::OneJob::without_file();
    cluster.execute(&mut jobs).unwrap();
    let why = jobs.failure.expect("it cannot be sent");
    assert!(why.contains("by the coordinator: no-such-file"), "{why}");
    wait_for("the notes", || notes.lock().unwrap().iter().any(|note| note.contains("is not sent: no-such")));
}
