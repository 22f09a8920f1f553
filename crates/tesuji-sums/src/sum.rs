//! Sums of games.

use crate::component::Component;
use crate::dyadic::Dyadic;
use crate::mix::hash;
use crate::sum_move::SumMove;
use std::fmt;
use std::sync::Arc;
use tesuji::{Code, CodeOf, Drawing, Game, Keyed, Knowledge, Notation, Player, Playouts, Value};

/// A sum of games: the player to move moves in one component, until all components have ended. The
/// score decides.
///
/// The score is Left's gains minus Right's gains, plus the values of the ended components for Left.
/// The first player is Left and wins if the score is above 0 at the end; at 0 the game is a draw.
/// Scores add up as [`Dyadic`], with its limit.
#[derive(Debug)]
pub struct Sum<C> {
    components: Vec<C>,
    to_move: Player,
    score: Dyadic,
    /// How many components have not ended.
    live: usize,
    keys: Keys,
}

/// How moves are numbered, and other things that do not change in a game.
#[derive(Clone, Debug)]
struct Keys {
    /// The key of the first move of each component, and how many there are of a player.
    first: Arc<[usize]>,
    /// The distance of Right's keys from Left's.
    right: usize,
    /// A fingerprint of the components' games.
    games: u64,
}

impl<C: Component> Sum<C> {
    /// The most components of a sum.
    pub const LARGEST: usize = SumMove::<C::Move>::COMPONENTS;

    /// The sum of these components, Left to move. Components that have ended already count.
    ///
    /// # Panics
    /// If there are more than [`Sum::LARGEST`].
    pub fn new(components: Vec<C>) -> Sum<C> {
        assert!(components.len() <= Sum::<C>::LARGEST, "a sum has at most {} components", Sum::<C>::LARGEST);
        let mut first = vec![0];
        for component in &components {
            first.push(first[first.len() - 1] + component.keys());
        }
        let right = first[first.len() - 1];
        let ends = || components.iter().filter_map(C::end);
        let (score, live) = (ends().sum(), components.len() - ends().count());
        let games = hash(components.iter().map(C::game));
        let keys = Keys { first: first.into(), right, games };
        Sum { components, to_move: Player::FIRST, score, live, keys }
    }

    /// The same sum with another player to move.
    #[must_use]
    pub fn with_to_move(self, player: Player) -> Sum<C> {
        Sum { to_move: player, ..self }
    }

    /// The same sum with one key for Left's and Right's moves at the same place, of the same
    /// [`Component::key`]: in Heap-Go for the same heap with the same counters left. A method that
    /// learns by key then learns one action for both players, with the sign of the player. This
    /// breaks the rule of [`Keyed::key`], so such a sum is only for methods that expect it.
    #[must_use]
    pub fn with_shared_keys(mut self) -> Sum<C> {
        self.keys.right = 0;
        self
    }

    /// The key of a move of `player` in a component.
    #[inline]
    pub(crate) fn key_of(&self, component: usize, player: Player, m: C::Move) -> usize {
        let key = self.keys.first[component] + self.components[component].key(m);
        key + player.index() * self.keys.right
    }

    /// The components as they are now.
    pub fn components(&self) -> &[C] {
        &self.components
    }

    /// The score up to now, in points, Left's sign; the final one if the game is over.
    pub fn score(&self) -> Dyadic {
        self.score
    }
}

impl<C: Clone> Clone for Sum<C> {
    fn clone(&self) -> Sum<C> {
        Sum { components: self.components.clone(), keys: self.keys.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Sum<C>) {
        self.components.clone_from(&source.components);
        (self.to_move, self.score, self.live) = (source.to_move, source.score, source.live);
        if !Arc::ptr_eq(&self.keys.first, &source.keys.first) {
            self.keys.first = Arc::clone(&source.keys.first);
        }
        (self.keys.right, self.keys.games) = (source.keys.right, source.keys.games);
    }
}

impl<C: Component> Game for Sum<C> {
    type Move = SumMove<C::Move>;
    type Outcome = Value;

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut Vec<Self::Move>) {
        for (component, game) in self.components.iter().enumerate() {
            if game.end().is_none() {
                game.moves(self.to_move, |m| out.push(SumMove::new(component, m)));
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Self::Move) {
        let component = &mut self.components[m.component()];
        let gain = component.play(self.to_move, m.m());
        self.score += Dyadic::from(if self.to_move == Player::FIRST { gain } else { -gain });
        if let Some(end) = component.end() {
            self.score += end;
            self.live -= 1;
        }
        self.to_move = self.to_move.other();
    }

    #[inline]
    fn result(&self) -> Option<Value> {
        (self.live == 0).then(|| match self.score.signum() {
            0 => Value::DRAW,
            1 => Value::win(Player::FIRST),
            _ => Value::win(Player::SECOND),
        })
    }

    fn most_moves(&self) -> Option<usize> {
        Some(self.keys.first[self.components.len()])
    }

    fn hash(&self) -> Option<u64> {
        let score = self.score.numerator() as u64 ^ u64::from(self.score.exponent()) << 56;
        let codes = self.components.iter().map(C::code);
        Some(hash(codes.chain([score, self.to_move.index() as u64, self.keys.games])))
    }
}

impl<C: Component> Keyed for Sum<C> {
    fn keys(&self) -> usize {
        self.keys.first[self.components.len()] + self.keys.right
    }

    /// The blocks of the players overlap.
    fn codes(&self) -> usize {
        self.keys.first[self.components.len()]
    }

    #[inline]
    fn first_key(&self) -> usize {
        self.to_move.index() * self.keys.right
    }

    #[inline]
    fn code(&self, m: Self::Move) -> CodeOf<Self> {
        let component = m.component();
        Code::new(self.keys.first[component] + self.components[component].key(m.m()))
    }

    #[inline]
    fn decode(&self, code: CodeOf<Self>) -> Self::Move {
        let component = self.keys.first.partition_point(|&first| first <= code.index()) - 1;
        let key = code.index() - self.keys.first[component];
        SumMove::new(component, self.components[component].move_of(self.to_move, key))
    }
}

impl<C: Component> Playouts for Sum<C> {}

impl<C: Component> Knowledge for Sum<C> {}

impl<C: Component> Notation for Sum<C> {
    /// The component, counted from 1, and the move there: `2.5`.
    fn move_text(&self, m: Self::Move) -> String {
        let component = m.component();
        format!("{}.{}", component + 1, self.components[component].move_text(self.to_move, m.m()))
    }

    fn drawing(&self) -> Option<Drawing> {
        self.components.iter().map(C::heap).collect::<Option<Vec<_>>>().map(Drawing::Heaps)
    }
}

impl<C: Component> fmt::Display for Sum<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for component in &self.components {
            write!(f, "{component} ")?;
        }
        let player = if self.to_move == Player::FIRST { "Left" } else { "Right" };
        write!(f, "(score {}, {player} to move)", self.score)
    }
}
