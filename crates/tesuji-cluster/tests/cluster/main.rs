//! Clusters with a real `nats-server`, and workers as processes.
//!
//! Without a server the tests fail; with `TESUJI_REQUIRE_NATS=0` they are left out.

mod credentials;
mod faults;
mod liars;
mod load;
mod many;
mod same;
mod support;
