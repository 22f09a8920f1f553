//! Credentials for a server of one's own.

use crate::error::ClusterError;
use crate::names::KEY;
use nkeys::KeyPair;
use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Writes a configuration for `nats-server` with keys into a directory: `nats-server.conf`,
/// `coordinator.nk`, and `NAME.nk` for each of the workers. A worker may take jobs from the one
/// consumer, acknowledge them, hand in results under its own name, say that it is there, and read
/// networks. Returns the paths.
///
/// # Errors
/// If a file is there already or would be written twice: then nothing is written. If a file cannot
/// be written.
pub fn write_credentials(dir: &Path, workers: &[String]) -> Result<Vec<PathBuf>, ClusterError> {
    std::fs::create_dir_all(dir).map_err(|error| fault(dir, &error))?;
    let names = workers.iter().map(String::as_str);
    let files = std::iter::once("coordinator").chain(names).map(|name| format!("{name}.nk"));
    let (mut seen, conf) = (HashSet::new(), "nats-server.conf".to_owned());
    if let Some(file) = files.chain([conf]).find(|file| !seen.insert(file.clone()) || dir.join(file).exists())
    {
        return Err(ClusterError::Exists { file: dir.join(file).display().to_string() });
    }
    let mut paths = Vec::new();
    let mut key = |name: &str| {
        let pair = KeyPair::new_user();
        let path = dir.join(format!("{name}.nk"));
        let seed = pair.seed().map_err(|error| fault(&path, &error))?;
        write_new(&path, &(seed + "\n"))?;
        paths.push(path);
        Ok::<_, ClusterError>(pair.public_key())
    };
    let mut users = String::new();
    let coordinator = key("coordinator")?;
    let _ = writeln!(users, "      {{ nkey: {coordinator} }}");
    for name in workers {
        let public = key(name)?;
        let own = &public[..KEY];
        let _ = write!(
            users,
            "      {{ nkey: {public}, permissions: {{
          publish: [
            \"$JS.API.CONSUMER.MSG.NEXT.TESUJI_JOBS.workers\"
            \"$JS.ACK.TESUJI_JOBS.workers.>\"
            \"$JS.API.DIRECT.GET.TESUJI_FILES.tesuji.file.>\"
            \"tesuji.result.{own}.>\"
            \"tesuji.beat.{own}.>\"
          ]
          subscribe: [ \"_INBOX.{own}.>\", \"tesuji.tell.{own}.>\", \"tesuji.tell.all\" ]
      }} }}
"
        );
    }
    let config = format!(
        "# The server of a cluster: `nats-server -c nats-server.conf`.
port: 4222
# Results of long games do not fit into 1 MB, which is usual.
max_payload: 8MB
jetstream {{ store_dir: \"jetstream\" }}

# With a certificate, take away the # of these lines.
# tls {{ cert_file: \"server.pem\", key_file: \"server-key.pem\" }}
# websocket {{ port: 443, tls {{ cert_file: \"server.pem\", key_file: \"server-key.pem\" }} }}

accounts {{
  tesuji {{
    jetstream: enabled
    users: [
{users}    ]
  }}
}}
"
    );
    let path = dir.join("nats-server.conf");
    write_new(&path, &config)?;
    paths.push(path);
    Ok(paths)
}

fn fault(path: &Path, error: &dyn std::fmt::Display) -> ClusterError {
    ClusterError::Credentials { file: path.display().to_string(), fault: error.to_string() }
}

/// Writes a file that only its owner can read.
fn write_new(path: &Path, text: &str) -> Result<(), ClusterError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(|error| fault(path, &error))?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(|error| fault(path, &error))
}
