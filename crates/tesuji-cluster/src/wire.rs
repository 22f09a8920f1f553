//! What crosses the wire.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tesuji_lab::{Job, JobResult};

/// The most bytes of a message of the coordinator when it is unpacked.
const MOST: usize = 64 << 20;

/// The same of a result: more than the games of self-play of a job have.
const MOST_OF_RESULT: usize = 16 << 20;

/// A job on its way to a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct SentJob {
    /// Seconds after which a worker that makes no simulation and no move loses the job.
    pub(crate) lease: f64,
    /// The most seconds that the job may take.
    pub(crate) longest: f64,
    /// Workers that shall leave it to others.
    pub(crate) not_for: Vec<String>,
    pub(crate) job: Job,
}

/// What a worker says of itself, again and again.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Beat {
    pub(crate) host: String,
    pub(crate) version: String,
    pub(crate) platform: String,
    pub(crate) threads: usize,
    /// What the last job needed that it left to others.
    pub(crate) lacks: Option<String>,
    /// The jobs that it does, each with a number that grows with the simulations.
    pub(crate) jobs: Vec<(String, u64)>,
    /// Jobs that it gives back.
    pub(crate) returned: Vec<String>,
}

/// What a coordinator tells workers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    /// Say what you do.
    Beat,
    /// Drop these jobs.
    Drop(Vec<String>),
    /// Drop all jobs.
    Halt,
}

/// The size of a file that lies there in pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FileSize {
    pub(crate) bytes: u64,
    pub(crate) pieces: u64,
}

/// A message as packed JSON.
pub(crate) fn pack(message: &impl Serialize) -> Vec<u8> {
    compress_to_vec(&serde_json::to_vec(message).expect("messages are plain data"), 6)
}

/// The message in packed JSON.
///
/// # Errors
/// If the bytes are something else, or would be too many.
pub(crate) fn unpack<M: DeserializeOwned>(bytes: &[u8]) -> Result<M, String> {
    unpack_at_most(bytes, MOST)
}

fn unpack_at_most<M: DeserializeOwned>(bytes: &[u8], most: usize) -> Result<M, String> {
    let text = decompress_to_vec_with_limit(bytes, most).map_err(|error| format!("not packed: {error}"))?;
    serde_json::from_slice(&text).map_err(|error| error.to_string())
}

/// The bytes of a message as JSON.
pub(crate) fn size(message: &impl Serialize) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    serde_json::to_writer(&mut count, message).expect("messages are plain data");
    count.0
}

/// The result of a job in the bytes that a worker hands in: packed JSON.
///
/// # Errors
/// If the bytes are something else, or would be too many.
pub fn read_result(bytes: &[u8]) -> Result<JobResult, String> {
    unpack_at_most(bytes, MOST_OF_RESULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let word = Word::Drop(vec!["0f".to_owned(); 100]);
        let packed = pack(&word);
        assert!(packed.len() < 60);
        assert_eq!(size(&word), 510);
        assert_eq!(unpack(&packed), Ok(word));
    }

    /// Random bytes, cut messages and messages with a changed byte are errors or other messages,
    /// never a panic.
    #[test]
    fn damaged_messages_are_refused() {
        let packed = pack(&Beat { jobs: vec![("0f".to_owned(), 3); 9], ..Beat::default() });
        let mut rng = tesuji::Rng::new(1);
        for _ in 0..20_000 {
            let mut bytes = packed.clone();
            bytes.truncate(rng.below(packed.len() as u32 + 1) as usize);
            if !bytes.is_empty() {
                let place = rng.below(bytes.len() as u32) as usize;
                bytes[place] = rng.below(256) as u8;
            }
            let _ = unpack::<Beat>(&bytes);
            let _ = read_result(&bytes);
        }
    }

    #[test]
    fn a_message_that_unpacks_to_too_much_is_refused() {
        let bomb = compress_to_vec(&vec![b' '; MOST + 1], 6);
        assert!(bomb.len() < 1 << 20);
        assert!(unpack::<Word>(&bomb).unwrap_err().starts_with("not packed"));
        let bomb = compress_to_vec(&vec![b' '; MOST_OF_RESULT + 1], 6);
        assert!(read_result(&bomb).unwrap_err().starts_with("not packed"));
    }
}
