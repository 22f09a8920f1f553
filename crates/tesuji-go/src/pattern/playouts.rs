//! Playouts by patterns.

use super::Pattern;
use super::around::Around;
use crate::go::Go;
use crate::vertex::Vertex;
use std::sync::Arc;
use tesuji::{Game, Player, Playout, Playouts, Rng};

/// Draws of a move before all playable ones are weighed.
const TRIES: usize = 16;

/// Go: a playable move is drawn in proportion to e^(`strength` h), with h the sum of the weights of
/// the recipe's patterns that match it (Hoock and Teytaud 2010, section 4).
///
/// A good pattern has the weight 1, a bad one -1, unless the recipe says less. h is limited to [-1,
/// 1]; that of the pass is 0. Without patterns, playouts are uniform. The patterns bias the tree
/// policy as well, unless `bias.c` is 0.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct PatternPlayouts {
    /// The factor of h.
    ///
    /// Range: 0 to 4. Default: 1.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 4.0)))]
    pub strength: f32,
    #[cfg_attr(feature = "recipe", serde(skip))]
    patterns: Option<Arc<Weighted>>,
    /// For each player to move and each way of the eight cells around a point: the sum of the
    /// weights of near patterns, or [`UNKNOWN`].
    #[cfg_attr(feature = "recipe", serde(skip))]
    near: [Vec<i16>; 2],
    /// Scratch: weights of all playable moves.
    #[cfg_attr(feature = "recipe", serde(skip))]
    weights: Vec<f32>,
}

/// A sum that was not asked for yet.
const UNKNOWN: i16 = i16::MIN;

/// Patterns, and 127 h of each.
#[derive(Debug)]
struct Weighted {
    /// Those of places next to the point, diagonally as well.
    near: Around,
    near_weights: Vec<i8>,
    far: Around,
    far_weights: Vec<i8>,
}

impl Weighted {
    fn new(patterns: &[(Pattern, i8)]) -> Weighted {
        let is_near = |(pattern, _): &(Pattern, i8)| {
            pattern.constraints().iter().all(|c| c.columns.abs() <= 1 && c.rows.abs() <= 1)
        };
        let (near, far): (Vec<_>, Vec<_>) = patterns.iter().cloned().partition(is_near);
        let ((near, near_weights), (far, far_weights)): ((Vec<_>, _), (Vec<_>, _)) =
            (near.into_iter().unzip(), far.into_iter().unzip());
        Weighted { near: Around::new(&near), near_weights, far: Around::new(&far), far_weights }
    }

    /// The sum of the weights of the near patterns, with these surroundings.
    fn near_sum(&self, to_move: Player, code: u16) -> i16 {
        let content = |(columns, rows): (i8, i8)| {
            let place = (3 * (rows + 1) + columns + 1) as u16;
            usize::from(code >> (2 * (place - u16::from(place > 4))) & 3)
        };
        let mut sum = 0_i16;
        self.near.find(to_move, content, |pattern| {
            sum = sum.saturating_add(self.near_weights[pattern].into()).max(-i16::MAX);
        });
        sum
    }

    fn bytes(&self) -> usize {
        let weights = self.near_weights.capacity() + self.far_weights.capacity();
        size_of::<Weighted>() + self.near.bytes() + self.far.bytes() + weights
    }
}

impl Default for PatternPlayouts {
    fn default() -> PatternPlayouts {
        PatternPlayouts::new(&[], 1.0)
    }
}

#[cfg(feature = "recipe")]
impl tesuji::OwnPart for PatternPlayouts {
    const KIND: &'static str = "patterns";
}

impl PatternPlayouts {
    /// Playouts by these patterns with their weights 127 h.
    ///
    /// ```
    /// use tesuji::{Budget, Mean, Options, Search, Ucb};
    /// use tesuji_go::pattern::PatternPlayouts;
    /// use tesuji_go::{Go9, Rules};
    ///
    /// let game = Go9::new(9, Rules::default());
    /// let hane = ("+1+0:O +1+1:X".parse()?, 127);
    /// let playouts = PatternPlayouts::new(&[hane], 1.0);
    /// let mut search = Search::new(&game, Ucb { c: 0.7 }, Mean {}, playouts, Options::default(), 1)?;
    /// assert_eq!(search.run(&game, &Budget::simulations(50))?.simulations, 50);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(patterns: &[(Pattern, i8)], strength: f32) -> PatternPlayouts {
        let codes = if patterns.is_empty() { 0 } else { 1 << 16 };
        PatternPlayouts {
            strength,
            patterns: (codes > 0).then(|| Arc::new(Weighted::new(patterns))),
            near: [vec![UNKNOWN; codes], vec![UNKNOWN; codes]],
            weights: Vec::new(),
        }
    }

    /// e^(`strength` (h - 1)).
    #[inline]
    fn weight<const STRIDE: usize, const LEN: usize>(
        &mut self,
        patterns: &Weighted,
        game: &Go<STRIDE, LEN>,
        m: Vertex<STRIDE>,
    ) -> f32 {
        let mut sum = 0_i32;
        if let Some(place) = m.column().zip(m.row()) {
            let (player, v) = (game.to_move(), usize::from(m.index()));
            let code = match player.index() {
                0 => game.board.surroundings::<0>(v),
                _ => game.board.surroundings::<1>(v),
            };
            let near = &mut self.near[player.index() & 1][usize::from(code)];
            if *near == UNKNOWN {
                *near = patterns.near_sum(player, code);
            }
            sum = (*near).into();
            patterns.far.find_at(game, place, |far| sum += i32::from(patterns.far_weights[far]));
        }
        let h = sum.clamp(-127, 127) as f32 / 127.0;
        (self.strength * (h - 1.0)).exp()
    }
}

impl<const STRIDE: usize, const LEN: usize> Playout<Go<STRIDE, LEN>> for PatternPlayouts {
    fn choose(
        &mut self,
        game: &Go<STRIDE, LEN>,
        rng: &mut Rng,
        buffer: &mut Vec<Vertex<STRIDE>>,
    ) -> Vertex<STRIDE> {
        let Some(patterns) = self.patterns.clone() else { return game.playout_move(rng, buffer) };
        for _ in 0..TRIES {
            let m = game.playout_move(rng, buffer);
            if rng.unit() < self.weight(&patterns, game, m) {
                return m;
            }
        }
        game.playout_moves(buffer);
        self.weights.clear();
        for &m in buffer.iter() {
            let weight = self.weight(&patterns, game, m);
            self.weights.push(weight);
        }
        let mut left = rng.unit() * self.weights.iter().sum::<f32>();
        let drawn = self.weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        let m = buffer[drawn.unwrap_or(buffer.len() - 1)];
        buffer.clear();
        m
    }

    fn take_patterns(&mut self, patterns: &[(&str, i8)]) {
        let read = |&(text, weight): &(&str, i8)| Some((text.parse().ok()?, weight));
        let patterns: Vec<(Pattern, i8)> = patterns.iter().filter_map(read).collect();
        *self = PatternPlayouts::new(&patterns, self.strength);
    }

    fn new_game(&mut self, game: &Go<STRIDE, LEN>) {
        self.weights.clear();
        if self.patterns.is_some() {
            self.weights.reserve_exact(game.size() * game.size());
        }
    }

    fn bytes(&self, _: &Go<STRIDE, LEN>) -> usize {
        let near: usize = self.near.iter().map(Vec::capacity).sum();
        let patterns = self.patterns.as_ref().map_or(0, |patterns| patterns.bytes());
        patterns + near * size_of::<i16>() + self.weights.capacity() * size_of::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Go9, Rules};

    #[test]
    fn moves_are_drawn_in_proportion_to_their_weights() {
        let mut game = Go9::new(3, Rules::default());
        game.play(Vertex::parse("B2").unwrap());
        // White to move: corners are two steps from two edges, and the sides touch the stone.
        for (pattern, weight) in
            [("+1+0:O", 127), ("+1+0:O", -127), ("+1+1:O +0-1:#", 64), ("+1+1:O +2+2:.", 100)]
        {
            let pattern: Pattern = pattern.parse().unwrap();
            let matches_side = pattern.constraints().len() == 1;
            let mut playouts = PatternPlayouts::new(&[(pattern, weight)], 2.0);
            Playout::<Go9>::new_game(&mut playouts, &game);
            let (mut rng, mut buffer, mut sides) = (Rng::new(7), Vec::new(), 0);
            for _ in 0..20_000 {
                let m = playouts.choose(&game, &mut rng, &mut buffer);
                assert!(buffer.is_empty() && !m.is_pass());
                let edge = |at: Option<usize>| usize::from(at != Some(1));
                sides += usize::from(edge(m.column()) + edge(m.row()) == 1);
            }
            let odds = (2.0 * f64::from(weight) / 127.0).exp();
            let share = if matches_side { odds / (odds + 1.0) } else { 1.0 / (odds + 1.0) };
            assert!((sides as f64 / 20_000.0 - share).abs() < 0.02, "{sides} {share}");
        }
    }

    #[test]
    fn without_patterns_playouts_are_uniform() {
        let game = Go9::new(9, Rules::default());
        let mut playouts = PatternPlayouts::default();
        let play =
            |rng: &mut Rng, playouts: &mut PatternPlayouts| playouts.choose(&game, rng, &mut Vec::new());
        let uniform = game.playout_move(&mut Rng::new(3), &mut Vec::new());
        assert_eq!(play(&mut Rng::new(3), &mut playouts), uniform);
    }
}
