//! The laboratory, one module a subject. One program, since each takes long to link.

mod backups;
mod decisions;
mod drawn;
mod experiments;

mod identities;
mod incentives;
mod liars;
mod own_kind;
mod page;
mod race;
mod runner;
mod stats;
mod store;
mod train;
mod train_beginnings;
mod train_sgf;
mod tune;
mod verify;
