//! Choosing a move to expand.

use super::*;
use crate::Amaf;
use crate::select::Child;

/// Draws for an untried move, before all are listed. Any number gives the same distribution.
pub(crate) const DRAWS: usize = 4;

impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: Game,
    S: Select,
    B: Backup,
    P: Playout<G>,
    I: Link,
{
    /// An untried move that the policy scores above the best child.
    #[inline(never)]
    pub(super) fn better_untried(&mut self, node: NodeId, pick: Pick) -> Option<G::Move> {
        if self.tree.is_full(self.level()) {
            return None;
        }
        let (shared, score) = (pick.shared(), pick.score());
        if let Some(table) = self.reference {
            let (m, amaf) = self.best_by_amaf(node, table, self.select.amaf_bar(shared, score))?;
            let child = Child { amaf, ..Child::default() };
            return (self.select.untried(shared, &child) > score).then_some(m);
        }
        if self.tree.columns().has(Columns::PRIOR) {
            let best = self.tree.best_candidate(node)?;
            let child = Child { prior: best.prior, ..Child::default() };
            return (self.select.untried(shared, &child) > score).then_some(best.m);
        }
        if self.select.untried(shared, &Child::default()) > score { self.pick_untried(node) } else { None }
    }

    /// A uniformly random move of the current position that has no node yet. Marks the node complete when it
    /// returns the last one, or none.
    pub(super) fn pick_untried(&mut self, node: NodeId) -> Option<G::Move> {
        if self.tree.is_full(self.level()) {
            return None;
        }
        if !self.options.solver {
            for _ in 0..DRAWS {
                let Some(m) = self.game.draw_search_move(&mut self.rng) else { continue };
                if self.tree.children(node).all(|(_, child)| child.m() != m) {
                    return Some(m);
                }
            }
        }
        self.list_untried(node);
        let n = self.moves.len();
        if n <= 1 {
            self.tree.node_mut(node).set_complete(true);
        }
        if n == 0 { None } else { Some(self.moves[self.rng.below(n as u32) as usize]) }
    }

    /// Lists the moves that have no node yet. Marks the node complete if there is none.
    fn list_untried(&mut self, node: NodeId) {
        self.moves.clear();
        self.list_moves();
        let tried = self.tree.children(node).map(|(_, child)| child.m());
        self.untried.retain(&self.game, &mut self.moves, tried);
        if self.moves.is_empty() {
            self.tree.node_mut(node).set_complete(true);
        }
    }

    /// The untried move that the reference table thinks best: one it has never seen, else one of the highest
    /// mean; ties at random. None if all means are below `bar`.
    fn best_by_amaf(&mut self, node: NodeId, table: TableId, bar: f32) -> Option<(G::Move, Amaf)> {
        if G::FINDS_MOVES && !self.options.solver {
            let game = &self.game;
            let share = game.keys() / G::Outcome::PLAYERS;
            let first = game.to_move().index() * share;
            let (marks, open) = self.untried.cells();
            let mut known = false;
            let open = |word: usize| {
                if !known {
                    open.fill(0);
                    game.open_cells(open);
                    known = true;
                }
                open[word]
            };
            let find = |cell| game.search_move_of(first + cell);
            let tables = self.tree.amaf()?;
            return tables.best(table, first..first + share, bar, &mut self.rng, marks, open, find);
        }
        self.list_untried(node);
        let table = self.tree.amaf()?.table(table);
        let (mut best, mut ties): (Option<(G::Move, Amaf)>, u32) = (None, 0);
        for &m in &self.moves {
            let amaf = table.read(self.game.key(m));
            let rank = |amaf: Amaf| if amaf.count == 0 { f32::INFINITY } else { amaf.mean() };
            let highest = best.map_or(f32::NEG_INFINITY, |(_, amaf)| rank(amaf));
            if rank(amaf) < highest {
                continue;
            }
            ties = if rank(amaf) > highest { 1 } else { ties + 1 };
            if ties == 1 || self.rng.below(ties) == 0 {
                best = Some((m, amaf));
            }
        }
        best
    }

    /// Appends the moves worth a node to the scratch list; a proof must look at every legal one.
    #[inline]
    pub(super) fn list_moves(&mut self) {
        if self.options.solver {
            self.game.moves(&mut self.moves);
        } else {
            self.game.search_moves(&mut self.moves);
        }
    }
}
