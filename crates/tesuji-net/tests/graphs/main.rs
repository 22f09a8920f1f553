//! Networks of any board size: fast evaluation against slow, and KataGo's files.

mod agreement;
mod allocations;
mod files;
mod random;
mod writer;
