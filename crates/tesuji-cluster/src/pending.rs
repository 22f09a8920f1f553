//! A job that is under way.

use crate::names::is_of;
use crate::wire::size;
use std::sync::mpsc::Sender;
use tesuji_lab::{Job, JobResult};

/// A result on its way to who asked for it.
pub(crate) struct Delivery {
    pub(crate) result: JobResult,
    /// What it counts for among the results that are not stored yet.
    pub(crate) bytes: usize,
    /// What the server is told once the result is stored.
    pub(crate) reply: String,
}

/// Where a job is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Place {
    /// To be sent.
    Here,
    /// With the server, under this number; `taken` counts ticks since it was handed out. At the
    /// last tick the server may have known of no such number.
    Queued { sequence: u64, taken: u32, is_unknown: bool },
    /// With a worker.
    Leased { worker: String, simulations: u64, still: u32, held: u32 },
    /// Done, and with who asked.
    Delivered { worker: String },
}

impl Place {
    pub(crate) fn queued(sequence: u64) -> Place {
        Place::Queued { sequence, taken: 0, is_unknown: false }
    }
}

/// A job that is under way.
pub(crate) struct Pending {
    pub(crate) job: Job,
    pub(crate) to: Vec<Sender<Delivery>>,
    pub(crate) place: Place,
    pub(crate) tries: u32,
    /// How often it was sent.
    pub(crate) copies: u32,
    /// Who failed, and whether that was more than silence.
    pub(crate) faults: Vec<(String, bool)>,
    pub(crate) not_for: Vec<String>,
    /// Set if it is done a second time to compare.
    pub(crate) audit: Option<Audit>,
}

/// The first outcome of a job that is done a second time.
pub(crate) struct Audit {
    /// Who has done it: a worker, or the owner who answers for it. Neither may do it again.
    pub(crate) who: String,
    /// A hash of the outcome.
    pub(crate) digest: [u8; 16],
}

/// What a result counts for besides its text.
const EACH: usize = 16 << 10;

impl Pending {
    pub(crate) fn new(job: Job) -> Pending {
        Pending {
            job,
            to: Vec::new(),
            place: Place::Here,
            tries: 0,
            copies: 0,
            faults: Vec::new(),
            not_for: Vec::new(),
            audit: None,
        }
    }

    /// Hands a result on to all who asked; the bytes that it counts for.
    pub(crate) fn hand_on(&mut self, result: &JobResult, reply: &str) -> usize {
        let bytes = size(result) + EACH;
        let delivery = || Delivery { result: result.clone(), bytes, reply: reply.to_owned() };
        self.to.retain(|to| to.send(delivery()).is_ok());
        bytes * self.to.len()
    }

    /// Whether a worker may do it.
    pub(crate) fn is_for(&self, worker: &str) -> bool {
        !self.not_for.iter().any(|other| is_of(worker, other))
    }
}

/// A number in [0, 1) that follows from an identity and a secret.
pub(crate) fn share_of(secret: &[u8; 32], id: &str) -> f64 {
    let hash = blake3::keyed_hash(secret, id.as_bytes());
    let bytes: [u8; 8] = hash.as_bytes()[..8].try_into().expect("a hash has 32 bytes");
    (u64::from_le_bytes(bytes) >> 11) as f64 / (1u64 << 53) as f64
}
