//! What a worker's credential allows.

use crate::support::{Process, Server, content, matches, options, run, wait_for};
use std::sync::Arc;
use std::time::Duration;
use tesuji::Stop;
use tesuji_cluster::{Address, Coordinator, CoordinatorOptions, write_credentials};
use tesuji_lab::Cluster;

#[test]
fn a_worker_can_do_its_work_and_nothing_else() {
    let keys = tempfile::tempdir().unwrap();
    let paths = write_credentials(keys.path(), &["one".to_owned(), "two".to_owned()]).unwrap();
    assert_eq!(paths.len(), 4);
    assert!(write_credentials(keys.path(), &[]).is_err(), "keys are not written over");
    let empty = tempfile::tempdir().unwrap();
    let twice = write_credentials(empty.path(), &["one".to_owned(), "one".to_owned()]).unwrap_err();
    assert!(twice.to_string().contains("one.nk would be written over"), "{twice}");
    assert_eq!(empty.path().read_dir().unwrap().count(), 0);
    let config = keys.path().join("nats-server.conf");
    let text = std::fs::read_to_string(&config).unwrap();
    // The port and the directory are those of the test.
    let text: Vec<&str> =
        text.lines().filter(|line| !line.starts_with("port") && !line.starts_with("jetstream")).collect();
    std::fs::write(&config, text.join("\n")).unwrap();
    let Some(server) = Server::with_config(Some(config)) else { return };
    let (coordinator, one) = (keys.path().join("coordinator.nk"), keys.path().join("one.nk"));
    let address = Address { url: server.url(), credentials: Some(coordinator), ca: None };
    let cluster: Arc<dyn Cluster> = Arc::new(
        Coordinator::connect(CoordinatorOptions { address, ..options(&server.url(), 0.0) }, &Stop::default())
            .unwrap(),
    );
    let _worker = Process::worker_with(&server.url(), &one, None);
    wait_for("the worker", || cluster.width() == 4);
    let (alone, together) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    run(alone.path(), &matches(4), None).unwrap();
    run(together.path(), &matches(4), Some(cluster)).unwrap();
    assert_eq!(content(together.path()), content(alone.path()));

    let seed = std::fs::read_to_string(&one).unwrap();
    let other = std::fs::read_to_string(keys.path().join("two.nk")).unwrap();
    let other = nkeys::KeyPair::from_seed(other.trim()).unwrap().public_key()[..16].to_owned();
    let own = nkeys::KeyPair::from_seed(seed.trim()).unwrap().public_key()[..16].to_owned();
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        let errors: Arc<std::sync::Mutex<Vec<String>>> = Arc::default();
        let told = errors.clone();
        let client = async_nats::ConnectOptions::with_nkey(seed.trim().to_owned())
            .custom_inbox_prefix(format!("_INBOX.{own}.test"))
            .event_callback(move |event| {
                told.lock().unwrap().push(event.to_string());
                async {}
            })
            .connect(server.url())
            .await
            .unwrap();
        assert_eq!(client.server_info().max_payload, 8 << 20);
        let refused = async |what: &str| {
            for _ in 0..3000 {
                // The server says which subject it refuses.
                if errors
                    .lock()
                    .unwrap()
                    .iter()
                    .any(|error| error.to_lowercase().contains(&what.to_lowercase()))
                {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            panic!("{what} is not refused: {:?}", errors.lock().unwrap());
        };
        for subject in [
            "$JS.API.INFO",
            "$JS.API.STREAM.INFO.TESUJI_JOBS",
            "$JS.API.STREAM.PURGE.TESUJI_RESULTS",
            "$JS.API.STREAM.MSG.GET.TESUJI_RESULTS",
            "$JS.API.DIRECT.GET.TESUJI_RESULTS",
            "$JS.API.CONSUMER.CREATE.TESUJI_RESULTS.mine",
            "$JS.API.CONSUMER.DURABLE.CREATE.TESUJI_JOBS.mine",
            "$JS.API.CONSUMER.MSG.NEXT.TESUJI_RESULTS.coordinator",
            "$JS.ACK.TESUJI_RESULTS.coordinator.1.1.1.1.0",
            "tesuji.job",
            "tesuji.file.x",
            "tesuji.tell.all",
            "tesuji.who",
            "$JS.API.STREAM.NAMES",
            "$JS.API.STREAM.DELETE.TESUJI_JOBS",
            "$JS.API.STREAM.MSG.DELETE.TESUJI_JOBS",
            "$JS.API.CONSUMER.DELETE.TESUJI_JOBS.workers",
            "$JS.API.DIRECT.GET.TESUJI_JOBS",
            "$SYS.REQ.SERVER.PING",
            &format!("tesuji.result.{other}.x.y"),
            &format!("tesuji.beat.{other}.x"),
            &format!("tesuji.tell.{own}.x"),
            &format!("_INBOX.{other}.x"),
        ] {
            client.publish(subject.to_owned(), "{}".into()).await.unwrap();
            client.flush().await.unwrap();
            refused(&format!("publish to \"{subject}\"")).await;
        }
        for subject in [
            "tesuji.result.>",
            "tesuji.job",
            "tesuji.beat.>",
            "tesuji.who",
            "$JS.ACK.>",
            "_INBOX.>",
            ">",
            &format!("tesuji.tell.{other}.>"),
            &format!("_INBOX.{other}.>"),
        ] {
            let _subscriber = client.subscribe(subject.to_owned()).await.unwrap();
            client.flush().await.unwrap();
            refused(&format!("subscription to \"{subject}\"")).await;
        }
    });
}
