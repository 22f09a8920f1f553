//! The SGF files of a record.

use crate::LabError;
use crate::record::Referee;
use crate::store::{GameRow, PlannedMatch, Store};
use std::path::PathBuf;

/// The SGF files of a match, where the game has such files.
pub(crate) struct GameFiles<'a> {
    referee: &'a dyn Referee,
    planned: &'a PlannedMatch,
    dir: Option<PathBuf>,
}

impl GameFiles<'_> {
    /// Files in `dir`, if there is one; writes what an interrupted run left out.
    pub(crate) fn prepare<'a>(
        store: &Store,
        planned: &'a PlannedMatch,
        referee: &'a dyn Referee,
        dir: Option<PathBuf>,
    ) -> Result<GameFiles<'a>, LabError> {
        let files = GameFiles { referee, planned, dir };
        if let Some(dir) = &files.dir {
            for (place, game) in store.games_of(&planned.matchup, planned.games)? {
                if !dir.join(Self::name(place.opening, &game)).exists() {
                    files.write(place.opening, &game);
                }
            }
        }
        Ok(files)
    }

    /// Game 1 of a pair is the one that `a` begins.
    fn name(opening: u64, game: &GameRow) -> String {
        format!("{:05}-{}.sgf", opening + 1, if game.a_first { 1 } else { 2 })
    }

    /// A file that cannot be written now is written by the next run: the game itself is in the store.
    pub(crate) fn write(&self, opening: u64, game: &GameRow) {
        if let Some(dir) = &self.dir
            && let Some(text) = self.referee.sgf(&self.planned.a, &self.planned.b, game)
        {
            let _ = std::fs::create_dir_all(dir)
                .and_then(|()| std::fs::write(dir.join(Self::name(opening, game)), text));
        }
    }
}
