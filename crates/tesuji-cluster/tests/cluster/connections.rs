//! Ways to the server: TLS, JWTs, and a proxy for web traffic.

use crate::support::{Process, Proxy, Server, content, free_port, matches, options, run, wait_for};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tesuji::Stop;
use tesuji_cluster::{Address, ClusterError, Coordinator, CoordinatorOptions, write_credentials};
use tesuji_lab::Cluster;

fn connect(address: Address) -> Result<Arc<dyn Cluster>, ClusterError> {
    let options = CoordinatorOptions { address, ..options("", 0.0) };
    Ok(Arc::new(Coordinator::connect(options, &Stop::default())?))
}

/// Plays a match by the workers that are there, and compares it with one of this machine.
fn assert_plays(cluster: Arc<dyn Cluster>) {
    wait_for("the worker", || cluster.width() == 4);
    let (alone, together) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    run(alone.path(), &matches(4), None).unwrap();
    run(together.path(), &matches(4), Some(cluster)).unwrap();
    assert_eq!(content(together.path()), content(alone.path()));
}

/// Writes `ca.pem`, and `server.pem` with `server-key.pem` that it signs, for this machine.
fn write_certificates(dir: &Path) {
    let openssl = |words: &str| {
        let made = Command::new("openssl").args(words.split(' ')).current_dir(dir).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    std::fs::write(dir.join("names"), "subjectAltName = IP:127.0.0.1").unwrap();
    openssl(&format!("req -x509 {key} -days 2 -subj /CN=ca -keyout ca-key.pem -out ca.pem"));
    openssl(&format!("req {key} -subj /CN=server -keyout server-key.pem -out server.csr"));
    openssl(
        "x509 -req -in server.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2 -extfile names -out server.pem",
    );
}

#[test]
fn a_worker_needs_an_outgoing_connection_for_web_traffic_only() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("nats-server.conf");
    let web = free_port();
    std::fs::write(&config, format!("websocket {{ port: {web}, no_tls: true }}")).unwrap();
    let Some(server) = Server::with_config(Some(config)) else { return };
    let is_web = |first: &[u8]| {
        let text = String::from_utf8_lossy(first).to_lowercase();
        text.starts_with("get / http/1.1") && text.contains("upgrade: websocket")
    };
    let _worker = Process::worker(&format!("ws://127.0.0.1:{}", Proxy::start(web, Some(is_web)).port));
    assert_plays(connect(Address { url: server.url(), credentials: None, ca: None }).unwrap());
}

/// The configuration is the one that `tesuji worker --new-credentials` writes, with the lines for
/// certificates.
#[test]
fn keys_and_certificates_are_enough_for_an_open_server() {
    let dir = tempfile::tempdir().unwrap();
    write_credentials(dir.path(), &["worker".to_owned()]).unwrap();
    write_certificates(dir.path());
    let config = dir.path().join("nats-server.conf");
    let text = std::fs::read_to_string(&config).unwrap();
    let web = free_port();
    let text = text
        .replace("# tls {", "tls {")
        .replace("# websocket { port: 443", &format!("websocket {{ port: {web}"));
    // The port and the directory are those of the test.
    let own = |line: &&str| !line.starts_with("port") && !line.starts_with("jetstream");
    std::fs::write(&config, Vec::from_iter(text.lines().filter(own)).join("\n")).unwrap();
    let Some(server) = Server::with_config(Some(config)) else { return };
    let [coordinator, worker, ca] =
        ["coordinator.nk", "worker.nk", "ca.pem"].map(|name| dir.path().join(name));
    let url = server.url().replace("nats://", "tls://");
    let address = Address { url, credentials: Some(coordinator), ca: Some(ca.clone()) };
    for without in [Address { ca: None, ..address.clone() }, Address { credentials: None, ..address.clone() }]
    {
        let refused = connect(without).err();
        assert!(matches!(refused, Some(ClusterError::Unreachable { .. })), "{refused:?}");
    }
    // TLS begins with a handshake record.
    let is_tls = |first: &[u8]| first.first() == Some(&22);
    let url = format!("wss://127.0.0.1:{}", Proxy::start(web, Some(is_tls)).port);
    let _worker = Process::worker_with(&url, &worker, Some(&ca));
    assert_plays(connect(address).unwrap());
}

/// A JWT of NATS: what an issuer says of a subject.
fn jwt(issuer: &KeyPair, subject: &KeyPair, kind: &str, mut said: Value) -> String {
    (said["type"], said["version"]) = (json!(kind), json!(2));
    let claims = json!({
        "jti": "x", "iat": 1_700_000_000, "iss": issuer.public_key(), "sub": subject.public_key(), "name": kind, "nats": said,
    });
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let text = format!("{}.{}", part(&json!({ "typ": "JWT", "alg": "ed25519-nkey" })), part(&claims));
    let signature = BASE64_URL_SAFE_NO_PAD.encode(issuer.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

#[test]
fn a_jwt_opens_a_server_of_an_operator() {
    let dir = tempfile::tempdir().unwrap();
    let (operator, system, account) =
        (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account());
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
        "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
    });
    let mut system_limits = limits.clone();
    for key in ["mem_storage", "disk_storage", "streams", "consumer"] {
        system_limits[key] = json!(0);
    }
    let (system_key, account_key) = (system.public_key(), account.public_key());
    let config = dir.path().join("nats-server.conf");
    let text = format!(
        "operator: {}\nsystem_account: {system_key}\nresolver: MEMORY\nresolver_preload: {{\n{system_key}: {}\n{account_key}: {}\n}}\n",
        jwt(&operator, &operator, "operator", json!({ "system_account": system_key })),
        jwt(&operator, &system, "account", json!({ "limits": system_limits })),
        jwt(&operator, &account, "account", json!({ "limits": limits })),
    );
    std::fs::write(&config, text).unwrap();
    let Some(server) = Server::with_config(Some(config)) else { return };
    let credentials = |name: &str, permissions: &dyn Fn(&str) -> Value| {
        let user = KeyPair::new_user();
        let mut said = permissions(&user.public_key()[..16]);
        for key in ["subs", "data", "payload"] {
            said[key] = json!(-1);
        }
        let path = dir.path().join(name);
        let text = format!(
            "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            jwt(&account, &user, "user", said),
            user.seed().unwrap()
        );
        std::fs::write(&path, text).unwrap();
        path
    };
    let coordinator = credentials("coordinator.creds", &|_| json!({}));
    let worker = credentials("worker.creds", &|own| {
        json!({
            "pub": { "allow": [
                "$JS.API.CONSUMER.MSG.NEXT.TESUJI_JOBS.workers", "$JS.ACK.TESUJI_JOBS.workers.>",
                "$JS.API.DIRECT.GET.TESUJI_FILES.tesuji.file.>", format!("tesuji.result.{own}.>"), format!("tesuji.beat.{own}.>"),
            ] },
            "sub": { "allow": [format!("_INBOX.{own}.>"), format!("tesuji.tell.{own}.>"), "tesuji.tell.all"] },
        })
    });
    let address = Address { url: server.url(), credentials: None, ca: None };
    assert!(connect(address.clone()).is_err(), "nobody is let in without one");
    let _worker = Process::worker_with(&server.url(), &worker, None);
    assert_plays(connect(Address { credentials: Some(coordinator), ..address }).unwrap());
}
