//! What is different at the root.

use super::Search;
use super::common::{Core, Next};
use crate::backup::Backup;
use crate::code::{Code, Link, NodeId};
use crate::columns::Columns;
use crate::game::SearchGame;
use crate::halving::Halving;
use crate::math::exp;
use crate::playout::Playout;
use crate::root_policy::{Dirichlet, RootPolicy};
use crate::select::Select;
use crate::tree::Tree;
use alloc::vec::Vec;
use rand_distr::{Distribution, Gamma, Gumbel as Extreme};

impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    P: Playout<G>,
    I: Link,
{
    /// Makes the root ready for a search, by the root policy.
    pub(super) fn prepare_root(&mut self, simulations: Option<u64>) {
        if !self.core.tree.columns().has(Columns::PRIOR) {
            return;
        }
        match &self.core.options.root {
            RootPolicy::Plain => {}
            RootPolicy::Dirichlet(dirichlet) => self.add_noise(dirichlet.clone()),
            RootPolicy::Gumbel(_) => {
                if let Some(halving) = &mut self.core.halving {
                    let (tree, rng, noise) =
                        (&self.core.tree, &mut self.worker.simulation.rng, halving.rule().noise);
                    let extreme = Extreme::new(0.0, 1.0).expect("a scale of 1 is accepted");
                    let scored = root_moves(tree).map(|(m, prior, _)| {
                        let g: f64 = extreme.sample(rng);
                        (m, libm::logf(prior) + noise * g as f32)
                    });
                    // `begin` keeps the best of them.
                    halving.begin(scored, simulations);
                }
            }
        }
    }

    fn add_noise(&mut self, Dirichlet { total, share }: Dirichlet) {
        let root = self.core.tree.root();
        let count = root_moves(&self.core.tree).count();
        let Ok(gamma) = Gamma::new(f64::from(total) / count.max(1) as f64, 1.0) else { return };
        let rng = &mut self.worker.simulation.rng;
        // The same numbers twice, for their sum and for themselves, need no list.
        let mut again = rng.clone();
        let sum: f64 = (0..count).map(|_| gamma.sample(rng)).sum();
        if sum > 0.0 {
            let mut noise = || (gamma.sample(&mut again) / sum) as f32;
            self.core.tree.map_priors(root, |p| (1.0 - share) * p + share * noise());
        }
    }

    /// Appends the target of a policy network at the root of the last search: moves and
    /// probabilities, which sum to 1.
    ///
    /// With the root policy [`Gumbel`](crate::Gumbel) the target is the improved policy P e^s(x),
    /// normalized (Danihelka et al. 2022). For a move that was not tried, x is the mean of the
    /// tried ones, weighted by P; the source also mixes in the network's value of the root, with
    /// the weight of one visit. Otherwise the target is each tried move's share of the visits
    /// (Silver et al. 2017).
    pub fn policy_target(&self, out: &mut Vec<(G::Move, f32)>) {
        let (tree, first) = (&self.core.tree, out.len());
        if tree.is_empty() {
            return;
        }
        let decode = |code| self.core.root.decode(code);
        let tried = |&(id, _): &(NodeId, _)| tree.node(id).visits() > 0;
        let children = || tree.children(tree.root()).filter(tried);
        match self.core.halving.as_ref().filter(|_| tree.columns().has(Columns::PRIOR)) {
            None => out.extend(children().map(|(_, child)| (decode(child.code()), child.visits() as f32))),
            Some(halving) => {
                let most = children().map(|(_, child)| child.visits()).max().unwrap_or(0);
                let (weight, sum) = children().fold((0.0, 0.0), |(weight, sum), (id, child)| {
                    (weight + tree.prior(id), sum + tree.prior(id) * child.value())
                });
                let mixed = if weight > 0.0 { sum / weight } else { 0.5 };
                let moves = || root_moves(tree).map(|(code, prior, x)| (code, prior, x.unwrap_or(mixed)));
                // Only differences of the exponents matter: the highest is 0.
                let best = moves().filter(|&(_, prior, _)| prior > 0.0).map(|(.., x)| x).fold(0.0, f32::max);
                let power = |x: f32| exp(f64::from(halving.rule().worth(most, x - best)).clamp(-600.0, 0.0));
                out.extend(moves().map(|(code, prior, x)| (decode(code), prior * power(x) as f32)));
            }
        }
        let total: f32 = out[first..].iter().map(|(_, p)| p).sum();
        out[first..].iter_mut().for_each(|(_, p)| *p /= total);
    }
}

impl<G, S, B, I> Core<G, S, B, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
{
    /// The child of the root that the halving decided for.
    pub(super) fn best_by_halving(&self) -> Option<NodeId> {
        let code = self.halving.as_ref()?.best(&|code| seen(&self.tree, code))?;
        self.tree.child(self.tree.root(), code)
    }
}

/// The move of the root that the halving looks at next.
#[inline(never)]
pub(super) fn next_by_halving<C: Code, I: Link>(tree: &Tree<C, I>, halving: &mut Halving<C>) -> Next<C> {
    let Some(code) = halving.next(&|code| seen(tree, code)) else { return Next::Nowhere };
    if let Some(child) = tree.child(tree.root(), code) {
        return Next::Child(child);
    }
    let left = tree.candidates(tree.root()).iter().any(|candidate| candidate.code == code);
    if left { Next::Untried(code) } else { Next::Nowhere }
}

/// The moves of the root with their priors, and the values of those that were tried.
fn root_moves<C: Code, I: Link>(tree: &Tree<C, I>) -> impl Iterator<Item = (C, f32, Option<f32>)> {
    let root = tree.root();
    let tried = tree
        .children(root)
        .map(|(id, child)| (child.code(), tree.prior(id), (child.visits() > 0).then(|| child.value())));
    tried.chain(tree.candidates(root).iter().map(|candidate| (candidate.code, candidate.prior, None)))
}

/// The visits and the value of a move of the root.
fn seen<C: Code, I: Link>(tree: &Tree<C, I>, code: C) -> Option<(u32, f32)> {
    let child = tree.node(tree.child(tree.root(), code)?);
    (child.visits() > 0).then(|| (child.visits(), child.value()))
}
