//! Sums of games: texts, thermographs, optimal scores, strategies.

mod common;
mod conformance;
mod incentives;
mod notation;
mod optimal;
mod order;
mod strategies;
mod thermographs;
