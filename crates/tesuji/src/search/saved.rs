//! A search on its way into a file, and out of it.

use super::Search;
use super::common::Core;
use super::simulation::Worker;
use crate::archive::{Archive, ArchiveError};
use crate::backup::Backup;
use crate::code::{Code, Link};
use crate::game::SearchGame;
use crate::outcome::Outcome;
use crate::playout::Playout;
use crate::saved::{MAGIC, SavedTreeError, TreeLabel, VERSION, body};
use crate::select::Select;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Takes a part of a label out of a file, which must be that of `label`.
fn same(
    archive: &mut Archive<'_>,
    what: &'static str,
    label: &str,
    other: impl FnOnce(String) -> String,
) -> Result<(), SavedTreeError> {
    let mut text = label.to_string();
    archive.text(&mut text)?;
    if text == label { Ok(()) } else { Err(SavedTreeError::Other(what, other(text))) }
}

/// The first line of a text that another one has not in its place.
fn first_difference(text: &str, other: &str) -> String {
    let mut others = other.lines();
    let line = text.lines().find(|&line| others.next() != Some(line));
    line.map_or_else(|| "which says less".to_string(), |line| alloc::format!("which says `{line}`"))
}

/// What tells a position from others: its hash, who is to move, and a sum over its legal moves.
fn marks_of<G: SearchGame>(game: &G, moves: &mut Vec<G::Move>) -> [u64; 3] {
    moves.clear();
    game.moves(moves);
    let mut sum = crc32fast::Hasher::new();
    moves.iter().for_each(|&m| sum.update(&(game.code(m).index() as u32).to_le_bytes()));
    [game.hash().unwrap_or(0), game.to_move().index() as u64, sum.finalize().into()]
}

impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    P: Playout<G>,
    I: Link,
{
    /// Lets the next search of the position at the root go on with this tree and these random
    /// numbers, as if the budgets were one: the simulations of its budget come on top of those
    /// made. Otherwise each search begins anew. Two things follow the single budgets: a two-level
    /// search ends the second level of its last leaf with each, and a root policy keeps the plan
    /// that it made for the first. The position is known by its hash, if the game has one, by who
    /// is to move, and by its legal moves.
    ///
    /// ```
    /// use tesuji::{Budget, Search, doc_game::Nim};
    ///
    /// let game = Nim::new(10);
    /// let mut search = Search::uct(&game, 0.7, 1);
    /// search.run(&game, &Budget::simulations(300)).unwrap();
    /// search.resume();
    /// let report = search.run(&game, &Budget::simulations(700)).unwrap();
    /// assert_eq!(report.simulations, 1000);
    /// assert_eq!(report.children, Search::uct(&game, 0.7, 1).run(&game, &Budget::simulations(1000)).unwrap().children);
    /// ```
    pub fn resume(&mut self) {
        self.resumes = !self.core.tree.is_empty() && !self.kept;
    }

    /// The tree, and all else that the search goes on from: random numbers, AMAF tables, what the
    /// backup keeps at nodes, what the playout policy has learned. It takes 18 bytes per node, and
    /// the bytes of its side columns.
    ///
    /// # Errors
    /// If there was no search yet, or one is driven from outside and has not ended; if the playout
    /// policy learns and has no [`Playout::archive`].
    pub fn save_tree(&mut self, label: &TreeLabel) -> Result<Vec<u8>, SavedTreeError> {
        if self.core.tree.is_empty() || self.flight.as_ref().is_some_and(|flight| flight.ended.is_none()) {
            let why = "there is no tree of a search that has ended; accepted: after a search";
            return Err(SavedTreeError::Unable(why.to_string()));
        }
        let mut bytes = Vec::from(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        let root = self.core.root.clone();
        self.archive(&root, label, &mut Archive::writing(&mut bytes))?;
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Opens what [`Search::save_tree`] made of a search of `game` by the same parts, in a game
    /// that began in the same way. The next search of this position [goes on](Search::resume) node
    /// for node like one that was never saved. A search that was made by another version of the
    /// library, or a game whose rules changed, may grow another tree from there on.
    ///
    /// Every move of the tree is played once, to make sure that it can be.
    ///
    /// # Errors
    /// If the bytes are no saved tree, are damaged, or are the tree of another agent or position.
    /// After that the search has no tree, and no more than it had at the beginning of a game.
    pub fn open_tree(&mut self, game: &G, label: &TreeLabel, bytes: &[u8]) -> Result<(), SavedTreeError> {
        let (start, seed) = (self.core.root.clone(), self.seed);
        let opened = self.read_tree(game, label, bytes);
        if opened.is_err() {
            self.start_game(&start, seed);
        }
        opened
    }

    fn read_tree(&mut self, game: &G, label: &TreeLabel, bytes: &[u8]) -> Result<(), SavedTreeError> {
        let (body, sum) = body(bytes)?.split_last_chunk().ok_or_else(SavedTreeError::cut)?;
        if crc32fast::hash(&bytes[..bytes.len() - sum.len()]) != u32::from_le_bytes(*sum) {
            return Err(SavedTreeError::Damaged("its checksum is wrong".to_string()));
        }
        let (here, there) = (self.core.root.keys(), game.keys());
        if here != there {
            let which = alloc::format!("with {there} keys of moves in place of {here}");
            return Err(SavedTreeError::Other("game", which));
        }
        for simulation in self.workers_mut().flat_map(Worker::simulations_mut) {
            simulation.leave_tree();
        }
        let mut archive = Archive::reading(body);
        self.archive(game, label, &mut archive)?;
        archive.check(archive.left() == 0, "last bytes")?;
        self.core.tree.check_moves(game)?;
        self.core.root.clone_from(game);
        self.flight = None;
        self.prepare_apart();
        self.resume();
        Ok(())
    }

    /// All of a file between its version and its checksum; `root` is the position at the root.
    fn archive(
        &mut self,
        root: &G,
        label: &TreeLabel,
        archive: &mut Archive<'_>,
    ) -> Result<(), SavedTreeError> {
        same(archive, "game", &label.game, |text| text)?;
        same(archive, "recipe", &label.recipe, |text| first_difference(&text, &label.recipe))?;
        same(archive, "position", &label.moves, |text| alloc::format!("that after the moves {text:?}"))?;
        let marks = marks_of(root, &mut self.worker.simulation.moves);
        let mut read = marks;
        archive.numbers(&mut read)?;
        if read != marks {
            let which = "though the same moves lead to it".to_string();
            return Err(SavedTreeError::Other("position", which));
        }
        Ok(self.archive_state(archive)?)
    }

    fn archive_state(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        archive.number(&mut self.seed)?;
        archive.count(&mut self.searches)?;
        archive.number(&mut self.kept)?;
        archive.size(&mut self.nodes_peak)?;
        let Core { tree, halving, backup, options, told, batch, .. } = &mut self.core;
        archive.count(told)?;
        archive.number(batch)?;
        archive.check(*batch == 1 || (*batch > 1 && options.two_level.lambda > 0.0), "playouts of a leaf")?;
        archive.expect(tree.columns().bits().into(), "columns")?;
        archive.expect(backup.backup_state() as u64, "numbers of the backup")?;
        tree.archive(archive)?;
        archive.check(tree.root_mover().index() < G::Outcome::PLAYERS, "players")?;
        if let Some(halving) = halving {
            halving.archive(archive)?;
        }
        archive.expect(self.workers().count() as u64, "threads")?;
        for worker in self.workers_mut() {
            worker.playout.archive(archive)?;
            archive.expect(worker.simulations().count() as u64, "simulations in flight")?;
            for simulation in worker.simulations_mut() {
                simulation.rng.archive(archive)?;
                simulation.sample.rng().archive(archive)?;
                archive.size(&mut simulation.deepest)?;
            }
        }
        Ok(())
    }

    /// Whether this is the position at the root.
    pub(super) fn is_at(&mut self, game: &G) -> bool {
        let moves = &mut self.worker.simulation.moves;
        marks_of(game, moves) == marks_of(&self.core.root, moves)
    }
}
