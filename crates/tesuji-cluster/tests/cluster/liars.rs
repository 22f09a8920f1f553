//! Workers that lie, and messages that are none.

use crate::support::{Process, Server, connect_noted, content, matches, options, run, store, wait_for};
use std::sync::Arc;
use tesuji::{Rng, Stop};
use tesuji_cluster::{Coordinator, CoordinatorOptions};
use tesuji_lab::store::{Ending, Origin};
use tesuji_lab::{
    AgentData, Ask, Cluster, GameJob, JOB_FORMAT, Job, JobAgent, JobDone, JobResult, JobWork, JobWorker,
    LabError, Told, TrialSource,
};

/// A source of one job.
pub(crate) struct OneJob {
    job: Option<Job>,
    pub(crate) failure: Option<String>,
}

impl OneJob {
    /// A job whose file is not there.
    pub(crate) fn without_file() -> OneJob {
        let OneJob { job, failure } = OneJob::impossible();
        let files = vec![("0f".repeat(32), "no-such-file".into())];
        OneJob { job: job.map(|job| Job { files, ..job }), failure }
    }

    /// A game that there is not.
    pub(crate) fn impossible() -> OneJob {
        let agent = || JobAgent { hash: String::new(), agent: AgentData::Named("random".to_owned()) };
        let game = GameJob {
            conditions: "game = \"no-such-game\"\nseed = 1\nlongest = 9\n[limit]\nplayouts = 1\n[openings]\nrandom-plies = 0\n"
                .to_owned(),
            agents: [agent(), agent()],
            opening: 0,
            replica: 0,
            a_first: true,
            engine: Default::default(),
        };
        let job = Job {
            format: JOB_FORMAT,
            id: "0f".repeat(16),
            version: "test".to_owned(),
            platform: None,
            is_reproducible: true,
            work: JobWork::Game(Box::new(game)),
            files: Vec::new(),
        };
        OneJob { job: Some(job), failure: None }
    }
}

impl TrialSource<Job, JobResult> for OneJob {
    fn ask(&mut self, _: usize) -> Result<Ask<Job>, LabError> {
        Ok(self.job.take().map_or(Ask::Done, Ask::Run))
    }

    fn tell(&mut self, result: JobResult) -> Result<Told, LabError> {
        let JobDone::Failed(why) = result.done else { panic!("{result:?}") };
        self.failure = Some(why);
        Ok(Told::Ended)
    }
}

/// A worker that answers each job several times with what `answer` makes of the true result.
fn liar(url: String, name: &'static str, answer: impl Fn(u64, JobResult) -> Vec<u8> + Send + 'static) {
    std::thread::spawn(move || {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async move {
            use futures_util::StreamExt;
            let client = async_nats::connect(url).await.unwrap();
            let inbox = client.new_inbox();
            let mut jobs = client.subscribe(inbox.clone()).await.unwrap();
            let beat = r#"{"host":"h","version":"test","platform":"","threads":1,"lacks":null,"jobs":[],"returned":[]}"#;
            let mut words = client.subscribe(format!("tesuji.tell.{name}")).await.unwrap();
            let mut worker = JobWorker::new(Box::new(|_| Err("there are none".to_owned())));
            for number in 0.. {
                // Told to go.
                if tokio::time::timeout(std::time::Duration::from_millis(1), words.next()).await.is_ok() {
                    return;
                }
                client.publish(format!("tesuji.beat.{name}"), beat.into()).await.unwrap();
                let next = "$JS.API.CONSUMER.MSG.NEXT.TESUJI_JOBS.workers";
                let body = r#"{"batch":1,"expires":300000000}"#;
                client.publish_with_reply(next, inbox.clone(), body.into()).await.unwrap();
                let wait = std::time::Duration::from_millis(500);
                let Ok(Some(message)) = tokio::time::timeout(wait, jobs.next()).await else { continue };
                let Some(reply) = message.reply else { continue };
                let text = miniz_oxide::inflate::decompress_to_vec(&message.payload).unwrap();
                let sent: serde_json::Value = serde_json::from_slice(&text).unwrap();
                if sent["not_for"].as_array().unwrap().iter().any(|other| other == name) {
                    client.publish(reply, r#"-NAK {"delay":200000000}"#.into()).await.unwrap();
                    continue;
                }
                client.publish(reply, "+ACK".into()).await.unwrap();
                let job: Job = serde_json::from_value(sent["job"].clone()).unwrap();
                let done = worker.work(&job, &Default::default(), &Default::default()).unwrap();
                let origin = Origin { worker: name.to_owned(), version: "test".to_owned(), platform: String::new() };
                let result = JobResult { format: JOB_FORMAT, id: job.id.clone(), origin, done };
                let payload = answer(number, result);
                // Again, while another worker may be about to do the job to compare.
                for _ in 0..3 {
                    let subject = format!("tesuji.result.{name}.{}", job.id);
                    client.publish(subject, payload.clone().into()).await.unwrap();
                    client.flush().await.unwrap();
                    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                }
            }
        });
    });
}

fn pack(result: &JobResult) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(&serde_json::to_vec(result).unwrap(), 1)
}

/// A game that the rules allow: only a search is said to have found another value.
fn with_another_value(_: u64, mut result: JobResult) -> Vec<u8> {
    if let JobDone::Game(game) = &mut result.done {
        game.searches[0].value = Some(0.123);
    }
    pack(&result)
}

#[test]
fn a_worker_that_lies_is_named_and_its_games_are_void() {
    let Some(server) = Server::start() else { return };
    liar(server.url(), "anyone.liar", with_another_value);
    let _worker = Process::worker(&server.url());
    let (alone, together) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    run(alone.path(), &matches(16), None).unwrap();
    let (cluster, notes) = connect_noted(&server.url(), 1.0);
    wait_for("the workers", || cluster.width() == 6);
    run(together.path(), &matches(16), Some(cluster.clone())).unwrap();
    let convicted: Vec<String> = cluster.convicted().into_iter().map(|(worker, _)| worker).collect();
    assert_eq!(convicted, ["anyone.liar"], "{:?}", notes.lock().unwrap());
    let origins = store(together.path()).origins().unwrap();
    assert_eq!(content(together.path()), content(alone.path()), "{origins:?} {:?}", notes.lock().unwrap());
}

/// Nothing is compared.
#[test]
fn a_worker_that_the_record_names_gets_no_jobs() {
    let Some(server) = Server::start() else { return };
    liar(server.url(), "anyone.liar", with_another_value);
    let _worker = Process::worker(&server.url());
    let (alone, together) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    run(alone.path(), &matches(8), None).unwrap();
    let wrong = vec![("anyone.liar".to_owned(), "it lies".to_owned())];
    let options = CoordinatorOptions { wrong: wrong.clone(), ..options(&server.url(), 0.0) };
    let cluster: Arc<dyn Cluster> = Arc::new(Coordinator::connect(options, &Stop::default()).unwrap());
    wait_for("the worker", || cluster.width() == 4);
    run(together.path(), &matches(8), Some(cluster.clone())).unwrap();
    assert_eq!(cluster.convicted(), wrong);
    assert_eq!(content(together.path()), content(alone.path()));
}

/// A result with a fault of this kind.
fn malformed(fault: u32, number: u64, mut result: JobResult) -> Vec<u8> {
    let mut rng = Rng::new(number);
    let JobDone::Game(game) = &mut result.done else { panic!() };
    match fault {
        // A store has one search for each move, so this would end the run.
        0 => {
            (game.ending, game.detail) = (Ending::Forfeit, Some("illegal move".to_owned()));
            game.result = if game.result.starts_with('B') { "B+F" } else { "W+F" }.to_owned();
            game.searches.extend_from_within(..1);
        }
        1 => game.score_a = f64::NAN,
        2 => result.done = JobDone::Figures(vec![(0, vec![0])]),
        3 => game.id = "0f".repeat(16),
        4 => game.result = "B+R".to_owned(),
        5 => game.seconds = -1.0,
        7 => drop(game.moves.pop()),
        _ => {}
    }
    let mut bytes = pack(&result);
    if fault == 6 {
        for _ in 0..16 {
            let place = rng.below(bytes.len() as u32) as usize;
            bytes[place] = rng.below(256) as u8;
        }
    }
    bytes
}

#[test]
fn malformed_results_are_refused() {
    let Some(server) = Server::start() else { return };
    // Three refused results are the end of each.
    let names =
        ["anyone.a", "anyone.b", "anyone.c", "anyone.d", "anyone.e", "anyone.f", "anyone.g", "anyone.h"];
    for (fault, name) in (0..).zip(names) {
        liar(server.url(), name, move |number, result| malformed(fault, number, result));
    }
    let (alone, together) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    run(alone.path(), &matches(40), None).unwrap();
    let (cluster, notes) = connect_noted(&server.url(), 0.0);
    let _worker = Process::worker(&server.url());
    wait_for("the workers", || cluster.width() == 2 * 9 + 2);
    run(together.path(), &matches(40), Some(cluster)).unwrap();
    assert_eq!(content(together.path()), content(alone.path()));
    wait_for("the notes", || {
        let notes = notes.lock().unwrap();
        notes.iter().any(|note| note.contains("anyone.a") && note.contains("is refused"))
    });
}
