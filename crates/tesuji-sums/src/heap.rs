//! Heap-Go.

use crate::component::Component;
use crate::dyadic::Dyadic;
use crate::mix::hash;
use crate::parse_error::ParseError;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use tesuji::{Piece, Player, Rng};

/// The colour of a counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colour {
    /// Stops Right.
    Blue,
    /// Stops Left.
    Red,
}

/// A counter of a heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Counter {
    /// Its colour.
    pub colour: Colour,
    /// Its weight in points, 1 to [`Heap::HEAVIEST`].
    pub weight: u32,
}

/// A heap of Heap-Go (Kao, Wu, Yen and Shan 2013): coloured counters with weights in one stack.
///
/// Left removes counters from the top until a red one is removed or none is left; Right does the
/// same until a blue one is removed. The player who removes a counter gains its weight. As text a
/// heap has the colour and weight of its counters from top to bottom, `b3r5b5`.
///
/// A move is the number of counters left before it, so that it stands for a place in the heap, the
/// same for both players: an action of the paper.
#[derive(Debug)]
pub struct Heap {
    whole: Arc<WholeHeap>,
    /// Counters left.
    left: u8,
}

/// What does not change in the course of a game.
#[derive(Debug)]
struct WholeHeap {
    /// From bottom to top.
    counters: Vec<Counter>,
    /// For each number of counters left but 0, and either player: what a move gains, and the
    /// counters left after it.
    moves: Vec<[(i64, u8); 2]>,
}

impl Heap {
    /// The most counters in a heap.
    pub const HIGHEST: usize = 60;
    /// The greatest weight of a counter.
    pub const HEAVIEST: u32 = 1_000_000;

    /// The heap of these counters, from top to bottom; none if there are more than
    /// [`Heap::HIGHEST`], or a weight is not 1 to [`Heap::HEAVIEST`].
    pub fn new(top_down: &[Counter]) -> Option<Heap> {
        let weights = 1..=Heap::HEAVIEST;
        if top_down.len() > Heap::HIGHEST || top_down.iter().any(|c| !weights.contains(&c.weight)) {
            return None;
        }
        let counters: Vec<Counter> = top_down.iter().rev().copied().collect();
        let moves = (1..=counters.len()).map(|left| {
            [Colour::Red, Colour::Blue].map(|stop| {
                let after = counters[..left].iter().rposition(|c| c.colour == stop).unwrap_or(0);
                let gain = counters[after..left].iter().map(|c| i64::from(c.weight)).sum();
                (gain, after as u8)
            })
        });
        let (moves, left) = (moves.collect(), counters.len() as u8);
        Some(Heap { whole: Arc::new(WholeHeap { counters, moves }), left })
    }

    /// A heap of `counters` counters, each blue or red and of weight 1 to 10 with equal chances, as
    /// in the paper's experiments.
    ///
    /// # Panics
    /// If there are more than [`Heap::HIGHEST`].
    pub fn random(counters: usize, rng: &mut Rng) -> Heap {
        let mut counter = || Counter {
            colour: if rng.below(2) == 0 { Colour::Blue } else { Colour::Red },
            weight: 1 + rng.below(10),
        };
        let counters: Vec<Counter> = (0..counters).map(|_| counter()).collect();
        Heap::new(&counters).expect("the heap is not too high")
    }

    /// The counters that are left, from top to bottom.
    pub fn counters(&self) -> impl DoubleEndedIterator<Item = Counter> + '_ {
        self.whole.counters[..usize::from(self.left)].iter().rev().copied()
    }

    /// The number of counters left.
    pub fn height(&self) -> usize {
        self.left.into()
    }

    /// The same heap in the other colours: Left's and Right's parts exchanged.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a heap of as many counters of the same weights is valid")]
    pub fn negated(&self) -> Heap {
        let other = |c: Counter| Counter {
            colour: if c.colour == Colour::Blue { Colour::Red } else { Colour::Blue },
            ..c
        };
        Heap::new(&self.counters().map(other).collect::<Vec<_>>()).expect("as many counters, and as heavy")
    }
}

impl Clone for Heap {
    fn clone(&self) -> Heap {
        Heap { whole: Arc::clone(&self.whole), left: self.left }
    }

    /// Copies within one game leave the count of references alone.
    #[inline]
    fn clone_from(&mut self, source: &Heap) {
        if !Arc::ptr_eq(&self.whole, &source.whole) {
            self.whole = Arc::clone(&source.whole);
        }
        self.left = source.left;
    }
}

/// Heaps are equal if the same counters are left.
impl PartialEq for Heap {
    fn eq(&self, other: &Heap) -> bool {
        self.counters().eq(other.counters())
    }
}

impl Eq for Heap {}

impl Component for Heap {
    type Move = u8;

    #[inline]
    fn moves(&self, _: Player, mut tell: impl FnMut(u8)) {
        tell(self.left);
    }

    #[inline]
    fn play(&mut self, player: Player, m: u8) -> i64 {
        let (gain, after) = self.whole.moves[usize::from(m) - 1][player.index()];
        self.left = after;
        gain
    }

    #[inline]
    fn end(&self) -> Option<Dyadic> {
        (self.left == 0).then_some(Dyadic::ZERO)
    }

    fn code(&self) -> u64 {
        self.left.into()
    }

    fn game(&self) -> u64 {
        let number = |c: &Counter| 2 * u64::from(c.weight) + u64::from(c.colour == Colour::Red);
        hash(self.whole.counters.iter().map(number))
    }

    fn keys(&self) -> usize {
        self.whole.counters.len()
    }

    #[inline]
    fn key(&self, m: u8) -> usize {
        usize::from(m) - 1
    }

    #[inline]
    fn move_of(&self, _: Player, key: usize) -> u8 {
        key as u8 + 1
    }

    fn heap(&self) -> Option<Vec<Piece>> {
        let piece = |counter: Counter| {
            let owner = if counter.colour == Colour::Blue { Player::FIRST } else { Player::SECOND };
            Piece { owner: Some(owner), label: counter.weight.to_string() }
        };
        Some(self.counters().map(piece).collect())
    }

    fn move_text(&self, _: Player, m: u8) -> String {
        m.to_string()
    }
}

/// The counters from top to bottom; an empty heap is `-`.
impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.left == 0 {
            return f.write_str("-");
        }
        self.counters().try_for_each(|Counter { colour, weight }| {
            write!(f, "{}{weight}", if colour == Colour::Blue { 'b' } else { 'r' })
        })
    }
}

/// Reads `b3r5b5`: counters from top to bottom, in small or capital letters; `-` is an empty heap.
impl FromStr for Heap {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Heap, ParseError> {
        if text == "-" {
            return Ok(Heap::new(&[]).expect("an empty heap is not too high"));
        }
        let text: Vec<char> = text.chars().collect();
        let mut counters = Vec::new();
        let mut at = 0;
        while at < text.len() || counters.is_empty() {
            let colour = match text.get(at).map(char::to_ascii_lowercase) {
                Some('b') => Colour::Blue,
                Some('r') => Colour::Red,
                _ => return Err(ParseError::expected(&text, at, "a colour, b or r")),
            };
            if counters.len() == Heap::HIGHEST {
                return Err(ParseError::at(at, format!("a heap has at most {} counters", Heap::HIGHEST)));
            }
            let digits = text[at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
            if digits == 0 {
                return Err(ParseError::expected(&text, at + 1, "a weight"));
            }
            let weight: String = text[at + 1..][..digits].iter().collect();
            let weight =
                weight.parse().ok().filter(|weight| (1..=Heap::HEAVIEST).contains(weight)).ok_or_else(
                    || ParseError::at(at + 1, format!("a weight is 1 to {}, not {weight}", Heap::HEAVIEST)),
                )?;
            counters.push(Counter { colour, weight });
            at += 1 + digits;
        }
        Ok(Heap::new(&counters).expect("counters were checked"))
    }
}
