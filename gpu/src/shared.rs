//! A device that many threads share.

use crate::GraphNetwork;
use burn::tensor::backend::Backend;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, spawn};
use tesuji_net::graph::{Device, Outputs};

/// Threads that feed the device: while one waits for results, the other gathers positions.
const FEEDERS: usize = 2;

/// The rows of a batch are filled up to a power of two from this on, so that the device sees few
/// sizes.
const LEAST: usize = 64;

/// Evaluates by a network on a device what many threads ask for, together.
///
/// Whatever waits is one batch, up to a limit. Each thread waits for its own positions, so there
/// should be more threads than cores, or threads with many positions each.
pub struct SharedDevice<B: Backend> {
    network: GraphNetwork<B>,
    requests: Option<Sender<Request>>,
    feeders: Vec<JoinHandle<()>>,
}

/// Positions of one thread.
struct Request {
    planes: Vec<f32>,
    globals: Vec<f32>,
    reply: SyncSender<Vec<f32>>,
}

impl<B: Backend> SharedDevice<B> {
    /// Evaluates by this network, at most about `most` positions at once (1 or more).
    pub fn new(network: GraphNetwork<B>, most: usize) -> SharedDevice<B> {
        let (sender, receiver) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let feeders = (0..FEEDERS).map(|_| {
            let (network, receiver) = (network.clone(), receiver.clone());
            spawn(move || feed(&network, &receiver, most.max(1)))
        });
        SharedDevice { feeders: feeders.collect(), network, requests: Some(sender) }
    }
}

impl<B: Backend> std::fmt::Debug for SharedDevice<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedDevice").finish_non_exhaustive()
    }
}

impl<B: Backend> Device for SharedDevice<B> {
    /// # Panics
    /// If the device has failed.
    fn evaluate(&self, planes: &[f32], globals: &[f32], outputs: &mut [Outputs]) {
        let (reply, answer) = sync_channel(1);
        let request = Request { planes: planes.to_vec(), globals: globals.to_vec(), reply };
        let sent = self.requests.as_ref().and_then(|requests| requests.send(request).ok());
        let rows = sent.and_then(|()| answer.recv().ok()).expect("the device has failed");
        for (row, outputs) in rows.chunks_exact(self.network.row()).zip(outputs) {
            self.network.read(row, outputs);
        }
    }
}

impl<B: Backend> Drop for SharedDevice<B> {
    fn drop(&mut self) {
        self.requests = None;
        self.feeders.drain(..).for_each(|feeder| drop(feeder.join()));
    }
}

/// Evaluates batches until nobody asks any more.
fn feed<B: Backend>(network: &GraphNetwork<B>, requests: &Mutex<Receiver<Request>>, most: usize) {
    let [planes_each, globals_each] = network.inputs();
    loop {
        let mut batch = Vec::new();
        {
            let requests = requests.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(first) = requests.recv() else { return };
            let mut count = first.globals.len() / globals_each;
            batch.push(first);
            while count < most
                && let Ok(request) = requests.try_recv()
            {
                count += request.globals.len() / globals_each;
                batch.push(request);
            }
        }
        let gather = |numbers: fn(&Request) -> &[f32], each: usize| {
            let mut all = batch.iter().map(numbers).collect::<Vec<_>>().concat();
            let count = (all.len() / each).next_power_of_two().max(LEAST);
            all.resize(count * each, 0.0);
            all
        };
        let planes = gather(|request| &request.planes, planes_each);
        let globals = gather(|request| &request.globals, globals_each);
        let mut rows = network.evaluate(planes, globals);
        for request in batch {
            let rest = rows.split_off(request.globals.len() / globals_each * network.row());
            // Who asked may have been stopped meanwhile.
            let _ = request.reply.send(std::mem::replace(&mut rows, rest));
        }
    }
}
