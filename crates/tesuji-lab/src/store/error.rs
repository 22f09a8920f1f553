//! Why a store refuses an operation.

use crate::error::faults;

faults! {
    /// Why a store is not opened or exported.
    OpenError {
        Empty { dir: String, file: &'static str } =>
            "{dir} holds no experiment: expected a directory with a file {file}, as `--out` makes it",
        Foreign { dir: String, file: &'static str } =>
            "{file} in {dir} is no store of this program; accepted: another directory, or the record of an experiment",
        NotBegun { dir: String } => "the store in {dir} is empty: nothing was begun in it",
        Nothing { what: &'static str } => "the record has no {what} to export",
        Busy { dir: String } =>
            "another process is running the experiment in {dir}; wait for it or choose another directory",
        Unusable { dir: String, fault: String } => "the directory {dir} cannot be used: {fault}",
        Newer { format: u32, own: u32 } => "the store has format {format} of a newer program; this one reads up to {own}",
    }
}

faults! {
    /// Why an experiment does not go on in a store.
    BeginError {
        OtherSettings { place: String, changes: String } =>
            "{place} results of other settings: {changes}; repeat these settings to resume it, choose another directory, or allow \
             the change with --allow-changes: unchanged results will count",
    }
}

faults! {
    /// Why a game is not declared void.
    VoidError {
        Follows { kind: String } =>
            "a game of a {kind} cannot be void: the games after it follow from its result; accepted: records of matches, round \
             robins, sweeps and trainings",
        Ambiguous { game: String } =>
            "{game:?} does not name one game; accepted: a game that `tesuji forfeits` lists, by 4 or more characters of it",
        Unknown { game: String } =>
            "{game:?} is not a forfeited game; accepted: a game that `tesuji forfeits` lists, by 4 or more characters of it",
    }
}
