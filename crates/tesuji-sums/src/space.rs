//! The positions of a sum's components side by side.

use crate::component::Component;
use crate::graph::{PLAYERS, reachable_components};
use crate::sum::Sum;
use std::collections::HashMap;
use std::ops::Range;
use tesuji::{Game, Keyed, Player};

/// Every position of every component of a sum, with its options, numbered through.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    components: Vec<Positions>,
    /// The options of `player` at `position`: those of the range at `2 * position + player`. None
    /// at an end.
    ranges: Vec<Range<u32>>,
    options: Vec<StateOption>,
    /// The number of states, the player to move included, if that fits into 64 bits: then codes are
    /// numbers below it, otherwise fingerprints.
    pub(crate) states: Option<u64>,
    /// For each action, how many moves can follow one another from where it is played.
    heights: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Positions {
    /// [`Component::game`].
    game: u64,
    /// The number of the position with each [`Component::code`].
    numbers: HashMap<u64, u32>,
    /// The number of the first position, and what it counts in [`Place::code`] that another is one
    /// further.
    first: u32,
    step: u64,
}

/// A move at a position of a component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateOption {
    /// What is added to [`Place::code`], modulo 2^64.
    pub(crate) change: u64,
    /// The change of the score, Left's sign; what an end is worth included.
    pub(crate) gain: f32,
    pub(crate) component: u32,
    /// The position that it leads to.
    pub(crate) after: u32,
    /// Whether that is an end.
    pub(crate) ends: bool,
    /// The key of the move in the sum.
    pub(crate) action: u32,
}

/// A state: where the components are, and who is to move.
#[derive(Clone, Default, Debug)]
pub(crate) struct Place {
    /// The position of each component.
    pub(crate) at: Vec<u32>,
    /// How many have not ended.
    pub(crate) live: u32,
    pub(crate) player: usize,
    /// Tells states apart: a number below [`Space::states`], or a fingerprint where there are more
    /// than 2^64.
    pub(crate) code: u64,
}

impl Space {
    /// The positions that can be reached from `sum`.
    pub(crate) fn new<C: Component>(sum: &Sum<C>) -> Space {
        Space::numbered_up_to(sum, u64::MAX)
    }

    /// The same, but states have fingerprints if there are more than `most` of them.
    pub(crate) fn numbered_up_to<C: Component>(sum: &Sum<C>, most: u64) -> Space {
        let mut space = Space {
            components: Vec::new(),
            ranges: Vec::new(),
            options: Vec::new(),
            states: Some(2),
            heights: vec![0; sum.keys()],
        };
        let parts: Vec<Vec<C>> = sum.components().iter().map(|c| reachable_components(c).0).collect();
        for positions in &parts {
            space.states = space.states.and_then(|states| states.checked_mul(positions.len() as u64));
        }
        space.states = space.states.filter(|&states| states <= most);
        let mut step = 2u64;
        for (component, positions) in parts.iter().enumerate() {
            // Where numbers do not fit, random odd steps: a code is a fingerprint of the state.
            let own = match space.states {
                Some(_) => step,
                None => crate::mix::hash([component as u64]) | 1,
            };
            step = step.wrapping_mul(positions.len() as u64);
            space.add(sum, component, positions, own);
        }
        space
    }

    fn add<C: Component>(&mut self, sum: &Sum<C>, component: usize, positions: &[C], step: u64) {
        let first = (self.ranges.len() / 2) as u32;
        let numbers: HashMap<u64, u32> = (first..).zip(positions).map(|(n, p)| (p.code(), n)).collect();
        let mut heights = vec![0; positions.len()];
        // The last positions are the nearest to an end.
        for (number, position) in positions.iter().enumerate() {
            let mut height = 0;
            for (player, sign) in PLAYERS.into_iter().zip([1.0, -1.0]) {
                let begin = self.options.len() as u32;
                if position.end().is_none() {
                    position.moves(player, |m| {
                        let mut next = position.clone();
                        let gain = next.play(player, m) as f32;
                        let after = numbers[&next.code()];
                        let action = sum.key_of(component, player, m);
                        let end = next.end();
                        height = height.max(1 + heights[(after - first) as usize]);
                        self.options.push(StateOption {
                            change: (u64::from(after).wrapping_sub(u64::from(first) + number as u64))
                                .wrapping_mul(step)
                                .wrapping_add(if player == Player::FIRST { 1 } else { u64::MAX }),
                            gain: sign * gain + end.map_or(0.0, |end| end.to_f64() as f32),
                            component: component as u32,
                            after,
                            ends: end.is_some(),
                            action: action as u32,
                        });
                    });
                }
                self.ranges.push(begin..self.options.len() as u32);
            }
            heights[number] = height;
            for side in 0..2 {
                for option in self.ranges[2 * (first as usize + number) + side].clone() {
                    let action = self.options[option as usize].action as usize;
                    self.heights[action] = self.heights[action].max(height);
                }
            }
        }
        let game = sum.components()[component].game();
        self.components.push(Positions { game, numbers, first, step });
    }

    /// Whether `sum` comes from the one that was laid out.
    pub(crate) fn knows<C: Component>(&self, sum: &Sum<C>) -> bool {
        let knows = |(positions, component): (&Positions, &C)| {
            positions.game == component.game() && positions.numbers.contains_key(&component.code())
        };
        sum.keys() == self.heights.len()
            && sum.components().len() == self.components.len()
            && self.components.iter().zip(sum.components()).all(knows)
    }

    /// The state of `sum`, which comes from the one that was laid out.
    pub(crate) fn place<C: Component>(&self, sum: &Sum<C>) -> Place {
        let mut place = Place {
            at: Vec::new(),
            live: 0,
            player: sum.to_move().index(),
            code: sum.to_move().index() as u64,
        };
        for (positions, component) in self.components.iter().zip(sum.components()) {
            let number = positions.numbers[&component.code()];
            place.code =
                place.code.wrapping_add(u64::from(number - positions.first).wrapping_mul(positions.step));
            place.at.push(number);
            place.live += u32::from(component.end().is_none());
        }
        place
    }

    /// The number of actions.
    pub(crate) fn actions(&self) -> usize {
        self.heights.len()
    }

    /// For each action, how many moves can follow one another from where it is played.
    pub(crate) fn heights(&self) -> &[u32] {
        &self.heights
    }

    #[inline]
    pub(crate) fn option(&self, number: u32) -> &StateOption {
        &self.options[number as usize]
    }

    /// Tells of the number of every option at a place, in the order of [`Game::moves`].
    #[inline]
    pub(crate) fn each_option(&self, place: &Place, mut tell: impl FnMut(u32)) {
        for &position in &place.at {
            for option in self.ranges[2 * position as usize + place.player].clone() {
                tell(option);
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let numbers: usize = self.components.iter().map(|positions| 16 * positions.numbers.capacity()).sum();
        numbers
            + self.ranges.capacity() * size_of::<Range<u32>>()
            + self.options.capacity() * size_of::<StateOption>()
            + self.heights.capacity() * size_of::<u32>()
    }
}

impl Place {
    /// Makes the move of an option.
    #[inline]
    pub(crate) fn play(&mut self, option: &StateOption) {
        self.at[option.component as usize] = option.after;
        self.live -= u32::from(option.ends);
        self.player ^= 1;
        self.code = self.code.wrapping_add(option.change);
    }

    pub(crate) fn copy(&mut self, other: &Place) {
        self.at.clone_from(&other.at);
        (self.live, self.player, self.code) = (other.live, other.player, other.code);
    }
}
