//! Sums of games: texts, thermographs, optimal scores, strategies.

mod common;
mod conformance;
mod notation;
mod optimal;
mod strategies;
mod thermographs;
