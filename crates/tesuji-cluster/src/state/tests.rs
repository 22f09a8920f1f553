//! Tests of the state of a coordinator.

use super::*;
use crate::workers::SUSPICIONS;
use std::sync::mpsc::{Receiver, channel};
use tesuji_lab::store::Origin;
use tesuji_lab::{FiguresJob, JobWork};

fn job(id: &str) -> Job {
    let work =
        FiguresJob { file: String::new(), group: String::new(), hash: String::new(), numbers: vec![1] };
    Job {
        format: tesuji_lab::JOB_FORMAT,
        id: id.to_owned(),
        version: String::new(),
        platform: None,
        is_reproducible: true,
        work: JobWork::Figures(work),
        files: Vec::new(),
    }
}

fn result(id: &str) -> Result<JobResult, String> {
    let origin = Origin { worker: "x".to_owned(), version: String::new(), platform: String::new() };
    let done = JobDone::Figures(vec![(1, vec![0])]);
    Ok(JobResult { format: tesuji_lab::JOB_FORMAT, id: id.to_owned(), origin, done })
}

/// Another result than [`result`].
fn lie(id: &str) -> Result<JobResult, String> {
    result(id).map(|result| JobResult { done: JobDone::Figures(vec![(1, vec![7])]), ..result })
}

fn beat(simulations: u64) -> Beat {
    Beat { threads: 1, jobs: vec![("j".to_owned(), simulations)], ..Beat::default() }
}

/// A job that the server has under number 1.
fn sent() -> (State, Receiver<Delivery>) {
    let (mut state, (to, results)) = (State::new(60.0, 600.0, 0.0), channel());
    state.submit(job("j"), to);
    assert_eq!(state.take_unsent().len(), 1);
    state.sent("j", Ok(1));
    (state, results)
}

fn ticks(state: &mut State, count: u32, delivered: u64) -> Vec<u64> {
    (0..count).flat_map(|_| state.tick(delivered, Some(1))).collect()
}

#[test]
fn only_simulations_renew_a_lease() {
    let (mut state, _results) = sent();
    for simulations in 0..5 {
        state.beat("a.1", beat(simulations));
        ticks(&mut state, LEASE, 1);
        assert!(!state.has_unsent(), "it goes on");
    }
    // The same number again and again.
    for _ in 0..LEASE {
        state.beat("a.1", beat(4));
        ticks(&mut state, 1, 1);
    }
    assert!(state.has_unsent());
    assert_eq!((state.faults, state.take_unsent().len()), (1, 1));
}

#[test]
fn a_job_that_nobody_has_taken_waits_and_one_that_is_lost_is_sent_again() {
    let (mut state, _results) = sent();
    assert!(ticks(&mut state, 1000, 0).is_empty(), "the server has not handed it out");
    assert_eq!(ticks(&mut state, 2 * LEASE + 1, 1), [1]);
    assert_eq!((state.faults, state.take_unsent().len()), (0, 1));
    state.sent("j", Ok(2));
    // A server that has only come to 1 has lost number 2.
    ticks(&mut state, 1, 0);
    assert!(!state.has_unsent(), "it may have been sent after the server was asked");
    ticks(&mut state, 1, 0);
    assert!(state.has_unsent());
}

#[test]
fn a_late_first_result_counts_and_a_second_one_does_not() {
    let (mut state, results) = sent();
    state.beat("a.1", beat(0));
    ticks(&mut state, LEASE + 1, 1);
    assert_eq!((state.faults, state.take_unsent().len()), (1, 1));
    assert!(matches!(state.result("a.1", "j", result("j"), "late".to_owned()), Verdict::Kept));
    let delivery = results.try_recv().unwrap();
    assert_eq!((delivery.reply.as_str(), delivery.result.origin.worker.as_str()), ("late", "a.1"));
    assert!(matches!(state.result("b.1", "j", result("j"), "second".to_owned()), Verdict::Kept));
    assert!(!state.ended("j", &delivery.result));
    assert!(matches!(state.result("b.1", "j", result("j"), "third".to_owned()), Verdict::Useless));
    assert!(results.try_recv().is_err());
    assert_eq!(state.trials, 1);
}

#[test]
fn a_job_has_five_tries_and_a_worker_that_fails_alone_is_banned() {
    let (mut state, results) = sent();
    let failed = || result("j").map(|result| JobResult { done: JobDone::Failed("why".to_owned()), ..result });
    for _ in 0..TRIES {
        assert!(results.try_recv().is_err());
        state.take_unsent();
        state.beat("a.1", beat(0));
        state.result("a.1", "j", failed(), String::new());
    }
    assert!(
        matches!(results.try_recv().unwrap().result.done, JobDone::Failed(why) if why.ends_with("a.1: why"))
    );
    assert!(!state.workers.is_banned("a.1"), "nobody else has done it");

    let (to, results) = channel();
    for number in 0..SUSPICIONS {
        let id = format!("k{number}");
        state.submit(job(&id), to.clone());
        let failure = failed().map(|result| JobResult { id: id.clone(), ..result });
        state.result("a.1", &id, failure, String::new());
        state.result("b.1", &id, result(&id), String::new());
        let delivery = results.try_recv().unwrap();
        state.ended(&id, &delivery.result);
    }
    assert!(state.workers.is_banned("a.1") && state.workers.convicted().is_empty());
}

#[test]
fn a_result_that_is_there_before_its_job_is_kept_for_it() {
    let (mut state, (to, results)) = (State::new(60.0, 600.0, 0.0), channel());
    assert!(matches!(state.result("a.1", "j", result("j"), "reply".to_owned()), Verdict::Kept));
    state.submit(job("j"), to);
    assert_eq!(results.try_recv().unwrap().reply, "reply");
    assert!(!state.has_unsent());
}

fn failure(id: &str) -> Result<JobResult, String> {
    result(id).map(|result| JobResult { done: JobDone::Failed("why".to_owned()), ..result })
}

/// A job that worker `a.1` has done and that another one shall do to compare.
fn audited(others: &[&str]) -> State {
    let (mut state, (to, results)) = (State::new(60.0, 600.0, 1.0), channel());
    for worker in ["a.1"].iter().chain(others) {
        state.beat(worker, Beat { threads: 1, ..Beat::default() });
    }
    state.submit(job("j"), to);
    state.take_unsent();
    state.result("a.1", "j", result("j"), String::new());
    let delivery = results.try_recv().unwrap();
    assert!(state.ended("j", &delivery.result), "it is chosen");
    let of_other_owner = others.iter().any(|worker| !worker.starts_with("a."));
    assert_eq!(state.take_unsent()[0].1.not_for, [if of_other_owner { "a" } else { "a.1" }]);
    state.sent("j", Ok(1));
    state
}

/// Ticks while these workers say that they are there and do nothing.
fn idle_ticks(state: &mut State, workers: &[&str], count: u32) {
    for _ in 0..count {
        for worker in workers {
            state.beat(worker, Beat { threads: 1, ..Beat::default() });
        }
        state.tick(1, Some(1));
    }
}

#[test]
fn nobody_waits_for_an_audit_that_the_others_cannot_do() {
    let mut state = audited(&["b.1"]);
    idle_ticks(&mut state, &["a.1", "b.1"], 2 * LEASE);
    assert!(state.is_under_way("j"), "b.1 has time");
    idle_ticks(&mut state, &["a.1", "b.1"], 1);
    assert!(!state.is_under_way("j"));
}

#[test]
fn an_audit_ends_when_the_last_auditor_has_lost_it() {
    let mut state = audited(&["b.1"]);
    state.beat("b.1", beat(0));
    state.result("b.1", "j", failure("j"), String::new());
    assert!(state.is_under_way("j"));
    idle_ticks(&mut state, &["a.1", "b.1"], 1);
    assert!(!state.is_under_way("j"));
}

#[test]
fn the_only_worker_that_can_do_a_job_tries_again() {
    let (mut state, results) = sent();
    state.beat("a.1", beat(0));
    state.beat("b.1", Beat { threads: 1, lacks: Some("engine".to_owned()), ..Beat::default() });
    state.result("a.1", "j", failure("j"), String::new());
    assert_eq!(state.take_unsent()[0].1.not_for, ["a.1"]);
    state.sent("j", Ok(1));
    idle_ticks(&mut state, &["a.1", "b.1"], 2 * LEASE + 1);
    assert_eq!(state.take_unsent()[0].1.not_for, [""; 0], "b.1 has left it");
    assert!(results.try_recv().is_err());
}

#[test]
fn a_worker_does_not_confirm_its_own_result() {
    let mut state = audited(&["b.1"]);
    assert!(matches!(state.result("a.1", "j", result("j"), String::new()), Verdict::Useless));
    assert!(state.is_under_way("j"), "nobody else has done it");
    state.result("b.1", "j", lie("j"), String::new());
    let claims = state.disputes[0].claims.each_ref().map(|(worker, _)| worker.as_str());
    assert_eq!(claims, ["a", "b"]);
}

#[test]
fn an_owner_does_not_confirm_its_own_result_under_another_name() {
    let mut state = audited(&["a.2", "b.1"]);
    assert!(matches!(state.result("a.2", "j", result("j"), String::new()), Verdict::Useless));
    assert!(state.is_under_way("j"), "nobody else has done it");
    state.ban("a", "why", false);
    for worker in ["a.1", "a.2", "a.3"] {
        assert!(state.workers.is_banned(worker), "{worker}");
    }
    assert!(!state.workers.is_banned("b.1") && !state.workers.is_banned("aa.1"));
    assert_eq!(state.workers.convicted(), [("a".to_owned(), "why".to_owned())]);
}

#[test]
fn workers_of_one_owner_are_compared_where_there_is_no_other() {
    let mut state = audited(&["a.2"]);
    assert!(matches!(state.result("a.1", "j", result("j"), String::new()), Verdict::Useless));
    state.result("a.2", "j", lie("j"), String::new());
    let claims = state.disputes[0].claims.each_ref().map(|(worker, _)| worker.as_str());
    assert_eq!(claims, ["a.1", "a.2"]);
}

#[test]
fn nobody_can_tell_which_jobs_are_done_twice() {
    let chosen = |secret: u8| {
        let secret = [secret; 32];
        Vec::from_iter((0..1000).filter(move |number| share_of(&secret, &number.to_string()) < 0.1))
    };
    assert_eq!(chosen(1), chosen(1));
    assert_ne!(chosen(1), chosen(2));
    assert!((50..150).contains(&chosen(1).len()), "{}", chosen(1).len());
    let secrets = [State::new(60.0, 600.0, 0.1).secret, State::new(60.0, 600.0, 0.1).secret];
    assert_ne!(secrets[0], secrets[1]);
}

#[test]
fn a_worker_that_never_says_that_it_is_there_is_banned_for_refused_results() {
    let (mut state, _results) = sent();
    for number in 0..SUSPICIONS {
        assert!(!state.workers.is_banned("a.1"));
        state.result(&format!("a.{number}"), "j", Err("not packed".to_owned()), String::new());
    }
    assert!(state.workers.is_banned("a.1") && state.workers.convicted().is_empty());
}

/// Results that are small on their way, whose text is not.
#[test]
fn results_take_a_bounded_memory_however_they_are_packed() {
    let (mut state, (to, results)) = (State::new(60.0, 600.0, 0.0), channel());
    let long = |id: &str| {
        let done = JobDone::Figures(vec![(1, vec![0; 1 << 20])]);
        result(id).map(|result| JobResult { done, ..result })
    };
    state.submit(job("j"), to);
    state.result("a.1", "j", long("j"), String::new());
    assert!(state.backlog > 2 << 20, "{}", state.backlog);
    assert_eq!(results.try_recv().unwrap().bytes, state.backlog);
    for number in 0..20 {
        let id = format!("early-{number}");
        assert!(matches!(state.result("a.1", &id, long(&id), String::new()), Verdict::Kept));
    }
    assert!(state.early_bytes < 1 << 20, "{}", state.early_bytes);
    state.early_bytes = EARLY;
    assert!(matches!(state.result("a.1", "more", result("more"), String::new()), Verdict::Useless));
    state.take_early();
    assert!(matches!(state.result("a.1", "more", result("more"), String::new()), Verdict::Kept));
}

#[test]
fn trials_are_counted_not_jobs() {
    let (mut state, results) = sent();
    state.beat("a.1", beat(0));
    let done = JobDone::Figures(vec![(1, vec![0]), (2, vec![0]), (3, vec![0])]);
    state.result("a.1", "j", result("j").map(|result| JobResult { done, ..result }), String::new());
    state.ended("j", &results.try_recv().unwrap().result);
    assert_eq!((state.trials, state.workers.iter().next().unwrap().1.done), (3, 3));
}

#[test]
fn words_of_a_worker_do_nothing_to_a_terminal() {
    let (mut state, results) = sent();
    let beat = Beat { version: "1\u{1b}[2J".to_owned(), lacks: Some("x\ny".to_owned()), ..beat(0) };
    state.beat("a.1", beat);
    assert_eq!(state.notes.take(), ["worker a.1 leaves jobs to others: it has no x\\ny"]);
    assert_eq!(state.workers.iter().next().unwrap().1.beat.version, "1\\u{1b}[2J");
    let evil = || {
        let done = JobDone::Failed("\u{1b}]0;title".to_owned());
        result("j").map(|result| JobResult { done, ..result })
    };
    for _ in 0..TRIES {
        state.take_unsent();
        state.beat("a.1", self::beat(0));
        state.result("a.1", "j", evil(), String::new());
    }
    let JobDone::Failed(why) = results.try_recv().unwrap().result.done else { panic!() };
    assert!(why.ends_with("\\u{1b}]0;title"), "{why}");
}

#[test]
fn a_job_that_a_banned_worker_takes_is_sent_again_once() {
    for by_result in [false, true] {
        let (mut state, _results) = sent();
        for worker in ["a.1", "b.1"] {
            state.beat(worker, Beat { threads: 1, ..Beat::default() });
        }
        state.ban("a.1", "why", true);
        assert!(!state.has_unsent(), "nobody knows who takes it");
        for is_news in [true, false] {
            if by_result {
                state.result("a.1", "j", result("j"), String::new());
            } else {
                assert_eq!(state.beat("a.1", beat(1)), ["j"]);
            }
            assert_eq!(state.take_unsent().len(), usize::from(is_news));
            state.sent("j", Ok(2));
        }
    }
}

#[test]
fn a_worker_that_lost_a_job_does_not_take_it_from_another() {
    let (mut state, results) = sent();
    state.beat("a.1", beat(0));
    state.beat("b.1", Beat { threads: 1, ..Beat::default() });
    ticks(&mut state, LEASE + 1, 1);
    state.take_unsent();
    state.sent("j", Ok(1));
    // The next copy waits at the server, or another worker has it.
    state.result("a.1", "j", failure("j"), String::new());
    assert!(!state.has_unsent());
    state.beat("b.1", beat(0));
    for _ in 0..2 * TRIES {
        state.result("a.1", "j", failure("j"), String::new());
        assert!(!state.has_unsent());
    }
    assert_eq!((state.faults, state.set_aside), (u64::from(2 * TRIES + 2), 0));
    state.result("b.1", "j", result("j"), String::new());
    assert_eq!(results.try_recv().unwrap().result.origin.worker, "b.1");
}

#[test]
fn a_job_that_cannot_be_sent_is_set_aside_and_one_that_the_server_refuses_waits() {
    let (mut state, (to, results)) = (State::new(60.0, 600.0, 0.0), channel());
    state.submit(job("j"), to);
    for _ in 0..100 {
        assert_eq!(state.take_unsent().len(), 1);
        state.sent("j", Err(Unsent::Server("no room".to_owned())));
    }
    assert_eq!(state.notes.take(), ["job j is not sent: no room; it is tried again"]);
    for _ in 0..TRIES {
        assert!(results.try_recv().is_err());
        state.take_unsent();
        state.sent("j", Err(Unsent::Local("f: its content has changed".to_owned())));
    }
    let JobDone::Failed(why) = results.try_recv().unwrap().result.done else { panic!() };
    assert!(why.ends_with("by the coordinator: f: its content has changed"), "{why}");
    assert_eq!(state.notes.take().len(), 2);
}
