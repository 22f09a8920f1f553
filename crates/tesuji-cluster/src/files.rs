//! Files by the hashes of their contents, in pieces in a stream.

use crate::names::{FILES, file};
use crate::server::{Refusal, latest, put};
use crate::state::Unsent;
use crate::wire::{FileSize, pack, unpack};
use async_nats::Client;
use std::path::{Path, PathBuf};

/// Bytes of a piece.
const PIECE: usize = 256 << 10;

/// The most bytes of a file.
const MOST: u64 = 4 << 30;

/// The subject of the size of a file, after its pieces.
const SIZE: &str = "size";

/// Puts a file where workers find it.
pub(crate) async fn upload(client: &Client, hash: &str, path: &Path) -> Result<(), Unsent> {
    let local = |fault: String| Unsent::Local(format!("{}: {fault}", path.display()));
    let content = std::fs::read(path).map_err(|error| local(error.to_string()))?;
    if blake3::hash(&content).to_hex().as_str() != hash {
        return Err(local("its content has changed".to_owned()));
    }
    let refused = |refusal: Refusal| Unsent::Server(refusal.text);
    let pieces: Vec<&[u8]> = content.chunks(PIECE).collect();
    for (number, piece) in pieces.iter().enumerate() {
        let (number, piece) = (number.to_string(), piece.to_vec());
        put(client, file(hash, &number), &chance_id(), piece).await.map_err(refused)?;
    }
    let size = FileSize { bytes: content.len() as u64, pieces: pieces.len() as u64 };
    put(client, file(hash, SIZE), &chance_id(), pack(&size)).await.map_err(refused)?;
    Ok(())
}

/// An identity that no other message has, so that a file can be stored again.
fn chance_id() -> String {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{:?}-{}", std::process::id(), std::thread::current().id(), time.as_nanos())
}

/// Fetches a file into a directory, if it is not there yet.
pub(crate) async fn download(client: &Client, hash: &str, dir: &Path) -> Result<PathBuf, String> {
    if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(format!("{hash:?} is not a hash of a file"));
    }
    let path = dir.join(hash);
    let is_whole = |content: &[u8]| blake3::hash(content).to_hex().as_str() == hash;
    if std::fs::read(&path).is_ok_and(|content| is_whole(&content)) {
        return Ok(path);
    }
    let fetch = async |piece: &str| {
        let found = latest(client, FILES, &file(hash, piece)).await.map_err(|refusal| refusal.text)?;
        found.ok_or_else(|| format!("the server has no file {hash}")).map(|message| message.payload)
    };
    let size: FileSize = unpack(&fetch(SIZE).await?)?;
    if size.bytes > MOST {
        return Err(format!("file {hash} has {} bytes; accepted: at most {MOST}", size.bytes));
    }
    let mut content = Vec::new();
    for number in 0..size.pieces {
        content.extend_from_slice(&fetch(&number.to_string()).await?);
        if content.len() as u64 > size.bytes {
            break;
        }
    }
    if !is_whole(&content) {
        return Err(format!("the server has other content as file {hash}"));
    }
    let fault = |error: std::io::Error| format!("{}: {error}", dir.display());
    let mut temporary = tempfile::NamedTempFile::new_in(dir).map_err(fault)?;
    std::io::Write::write_all(&mut temporary, &content).map_err(fault)?;
    temporary.persist(&path).map_err(|error| fault(error.error))?;
    Ok(path)
}
