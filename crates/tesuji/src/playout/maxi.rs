//! The move of the greatest incentive.

use super::openings::Openings;
use super::{Playout, run_by_choices};
use crate::archive::{Archive, ArchiveError};
use crate::columns::Columns;
use crate::game::{SearchGame, Trace, look};
use crate::guide::{Guide, Look};
use crate::incentives::Incentives;
use crate::outcome::Outcome;
use crate::player::Player;
use crate::rng::Rng;
use alloc::vec::Vec;

/// MAXI, the default policy of incentive learning (Kao, Wu, Yen and Shan 2013): the playable move
/// that stands first in the list L\* of [`Incentives`], or with probability epsilon any playable
/// move. Softened, it is the first of a few random playable ones.
///
/// The list is learned online. After each simulation every node on its path, the root apart, is
/// compared with its siblings that were visited: one sample of D(a, b), the difference of their
/// values, for the [keys](crate::Keyed::key) of the two moves.
///
/// It takes 8 bytes for each pair of keys of a player if the game finds moves by key
/// ([`Keyed::FINDS_MOVES`](crate::Keyed::FINDS_MOVES)), otherwise for each pair of all keys, or 12
/// for each of a limited number of pairs; and 4 bytes per node for its key. A simulation costs one
/// comparison for each sibling of a node on its path.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Maxi {
    /// Probability of a uniformly random move. 0 is the paper's policy.
    ///
    /// Range: 0 to 1 (probability). Default: 0.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1.0), extend("unit" = "probability")))]
    pub epsilon: f32,
    /// A greedy choice is made among this number of random playable moves, drawn with repetition;
    /// 0: among all.
    ///
    /// Range: 0 to 65535. Default: 0.
    #[cfg_attr(feature = "recipe", schemars(range(max = 65535)))]
    pub among: u32,
    /// Whether differences and list are kept from one move of the game to the next.
    ///
    /// Default: `true`.
    pub keep: bool,
    /// The order of the list before anything is learned.
    ///
    /// Default: `random`.
    pub list: FirstList,
    /// The most pairs of keys whose difference a list keeps, rounded up to a multiple of 8; 0: all.
    /// Where there is no room, a pair takes that of the one with the fewest samples among 8.
    ///
    /// Range: 0 or more. Default: 0.
    pub pairs: u32,
    /// One for each list: for each player, or one for all.
    #[cfg_attr(feature = "recipe", serde(skip))]
    lists: Vec<Incentives>,
    #[cfg_attr(feature = "recipe", serde(skip))]
    openings: Openings,
    /// Whether the list has still to be brought into its first order.
    #[cfg_attr(feature = "recipe", serde(skip))]
    fresh: bool,
}

/// The order of a list of which nothing is learned yet.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum FirstList {
    /// Random, each equally likely.
    #[default]
    Random,
    /// The order of the keys.
    Keys,
}

impl Default for Maxi {
    /// epsilon = 0, kept between moves, from a random list.
    fn default() -> Maxi {
        Maxi::new(0.0, true, FirstList::Random)
    }
}

impl Maxi {
    /// The most keys of a game for which a recipe may ask for MAXI.
    pub const MOST_KEYS: usize = 1 << 12;

    /// MAXI with these parameters, epsilon in [0, 1].
    pub fn new(epsilon: f32, keep: bool, list: FirstList) -> Maxi {
        let (lists, openings) = (Vec::new(), Openings::default());
        Maxi { epsilon, among: 0, keep, list, pairs: 0, lists, openings, fresh: true }
    }

    /// The same, with greedy choices among `moves` random moves.
    #[must_use]
    pub fn among(self, moves: u32) -> Maxi {
        Maxi { among: moves, ..self }
    }

    /// The same, with room for this number of pairs in each list; 0: for all.
    #[must_use]
    pub fn keeping(self, pairs: u32) -> Maxi {
        Maxi { pairs, ..self }
    }

    /// The incentives learned for the moves of `player`, whose actions are the keys less the
    /// player's first, or all keys where the game does not find moves by key.
    pub fn incentives(&self, player: Player) -> Option<&Incentives> {
        self.lists.get(player.index()).or(self.lists.first())
    }

    /// How many lists there are for a game, and of how many keys.
    fn lists_of<G: SearchGame>(game: &G) -> (usize, usize) {
        let lists = if G::FINDS_MOVES { G::Outcome::PLAYERS } else { 1 };
        (lists, game.keys() / lists)
    }

    /// Forgets what was learned.
    fn forget(&mut self) {
        self.fresh = true;
        self.lists.iter_mut().for_each(|list| list.reset(list.actions()));
    }

    /// Brings the lists into their first order, once.
    #[inline]
    fn begin(&mut self, rng: &mut Rng) {
        if self.fresh {
            self.fresh = false;
            if self.list == FirstList::Random {
                self.lists.iter_mut().for_each(|list| list.shuffle(rng));
            }
        }
    }

    /// Where a move of the player to move stands.
    #[inline]
    fn place<G: SearchGame>(&self, game: &G, m: G::Move) -> usize {
        let list = &self.lists[if G::FINDS_MOVES { game.to_move().index() } else { 0 }];
        list.place(game.key(m) % list.actions())
    }

    /// The playable move that stands first, found by looking at all.
    fn first_of_all<G: SearchGame>(&self, game: &G, buffer: &mut Vec<G::Move>) -> G::Move {
        game.playout_moves(buffer);
        let first = buffer.iter().copied().min_by_key(|&m| self.place(game, m));
        buffer.clear();
        first.expect("a game that goes on has a move")
    }

    /// The one that stands first of a few random playable moves.
    #[inline]
    fn first_of_some<G: SearchGame>(&self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        let mut first = game.playout_move(rng, buffer);
        let mut place = self.place(game, first);
        for _ in 1..self.among {
            let m = game.playout_move(rng, buffer);
            let other = self.place(game, m);
            if other < place {
                (first, place) = (m, other);
            }
        }
        first
    }
}

impl<G: SearchGame> Playout<G> for Maxi {
    #[inline]
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        self.begin(rng);
        if rng.unit() < self.epsilon {
            return game.playout_move(rng, buffer);
        }
        if self.among > 0 {
            return self.first_of_some(game, rng, buffer);
        }
        if !G::FINDS_MOVES {
            return self.first_of_all(game, buffer);
        }
        self.openings.open_all();
        let player = game.to_move().index();
        let first = self.openings.first(player, self.lists[player].list(), |cell| look(game, cell));
        first.unwrap_or_else(|| game.playout_move(rng, buffer))
    }

    #[inline(never)]
    fn run<T: Trace>(
        &mut self,
        game: &mut G,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        trace: &mut T,
    ) -> G::Outcome {
        self.begin(rng);
        if G::FINDS_MOVES && self.among == 0 {
            self.openings.open_all();
            let epsilon = (f64::from(self.epsilon) * 4_294_967_296.0) as u64;
            let Maxi { lists, openings, .. } = self;
            return game.guided_playout(rng, buffer, &mut MaxiWalk { epsilon, lists, openings, trace });
        }
        run_by_choices(self, game, rng, buffer, trace)
    }

    fn needs(&self) -> Columns {
        Columns::KEY
    }

    #[inline]
    fn compare(&mut self, a: usize, b: usize, difference: f32) {
        let actions = self.lists.first().map_or(1, Incentives::actions);
        if let Some(list) = self.lists.get_mut(a / actions) {
            list.compare(a % actions, b % actions, difference);
        }
    }

    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        archive.expect(self.lists.len() as u64, "lists of moves")?;
        self.lists.iter_mut().try_for_each(|list| list.archive(archive))?;
        archive.number(&mut self.fresh)
    }

    fn new_game(&mut self, game: &G) {
        let (lists, len) = Maxi::lists_of(game);
        self.lists.clear();
        self.lists.reserve_exact(lists);
        self.lists.resize_with(lists, || Incentives::new(len).keeping(self.pairs));
        if G::FINDS_MOVES {
            self.openings.reset(lists, len);
        }
        self.fresh = true;
    }

    fn new_move(&mut self) {
        if !self.keep {
            self.forget();
        }
    }

    fn bytes(&self, game: &G) -> usize {
        let (lists, len) = Maxi::lists_of(game);
        let openings = if G::FINDS_MOVES { Openings::bytes(lists, len) } else { 0 };
        lists * (size_of::<Incentives>() + Incentives::bytes(len, self.pairs)) + openings
    }
}

/// Guides a playout down the lists, and passes on what the game tells.
struct MaxiWalk<'a, T> {
    /// The probability of a random move, in units of 2^-32.
    epsilon: u64,
    lists: &'a [Incentives],
    openings: &'a mut Openings,
    trace: &'a mut T,
}

impl<T: Trace> Trace for MaxiWalk<'_, T> {
    const RECORDS: bool = T::RECORDS;

    #[inline]
    fn record(&mut self, player: Player, key: usize) {
        self.trace.record(player, key);
    }

    #[inline]
    fn freed(&mut self, cell: usize) {
        for (index, list) in self.lists.iter().enumerate() {
            self.openings.open(index, list.place(cell));
        }
        self.trace.freed(cell);
    }
}

impl<T: Trace> Guide for MaxiWalk<'_, T> {
    #[inline]
    fn explores(&mut self, random: u32) -> bool {
        u64::from(random) < self.epsilon
    }

    #[inline(always)]
    fn best<M>(&mut self, player: Player, _: &mut Rng, look: impl FnMut(usize) -> Look<M>) -> Option<M> {
        let list = self.lists.get(player.index())?;
        self.openings.first(player.index(), list.list(), look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc_game::Nim;
    use crate::{Budget, Game, Keyed, Mean, Options, Search, Ucb};

    /// A playout policy of a game of Nim to which so much was told.
    fn taught(maxi: Maxi, samples: &[(usize, usize, f32)]) -> Maxi {
        let mut maxi = maxi;
        Playout::<Nim>::new_game(&mut maxi, &Nim::new(9));
        for &(a, b, difference) in samples {
            Playout::<Nim>::compare(&mut maxi, a, b, difference);
        }
        maxi
    }

    #[test]
    fn the_first_of_the_list_is_played() {
        let game = Nim::new(9);
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let keys: Vec<usize> = moves.iter().map(|&m| game.key(m)).collect();
        let mut rng = Rng::new(1);
        for best in 0..keys.len() {
            let others = keys.iter().filter(|&&key| key != keys[best]);
            let samples: Vec<_> = others.map(|&key| (keys[best], key, 0.5)).collect();
            let mut maxi = taught(Maxi::new(0.0, true, FirstList::Keys), &samples);
            for _ in 0..20 {
                assert_eq!(maxi.choose(&game, &mut rng, &mut Vec::new()), moves[best]);
            }
        }
    }

    #[test]
    fn what_is_learned_is_kept_between_moves_if_it_shall_be() {
        for keep in [true, false] {
            let mut maxi = taught(Maxi::new(0.0, keep, FirstList::Keys), &[(2, 0, 0.25)]);
            Playout::<Nim>::new_move(&mut maxi);
            let learned = maxi.incentives(Player::FIRST).unwrap();
            assert_eq!(learned.difference(2, 0), if keep { 0.25 } else { 0.0 });
        }
    }

    #[test]
    fn a_search_learns_that_the_right_number_gains_most() {
        let game = Nim::new(10);
        let maxi = Maxi::default();
        let mut search = Search::new(&game, Ucb { c: 0.7 }, Mean {}, maxi, Options::default(), 1).unwrap();
        let report = search.run(&game, &Budget::simulations(3000)).unwrap();
        assert_eq!(report.best, 2);
        let learned = search.playout().incentives(Player::FIRST).unwrap();
        let key = |m| game.key(m);
        assert!(learned.difference(key(2), key(1)) > 0.0, "{learned:?}");
        assert!(learned.samples(key(2), key(1)) > 0);
    }
}
