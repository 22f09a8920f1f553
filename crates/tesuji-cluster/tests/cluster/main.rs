//! Clusters with a real `nats-server`, and workers as processes.
//!
//! Without a server they say so and pass, unless `TESUJI_REQUIRE_NATS` is 1. Certificates come from
//! `openssl`.

mod connections;
mod credentials;
mod faults;
mod liars;
mod load;
mod many;
mod same;
mod support;
