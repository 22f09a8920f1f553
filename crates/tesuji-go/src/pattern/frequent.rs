//! Frequent patterns of games, with strengths.

use super::window::{View, Window, ring, step, window_pattern};
use super::{Feature, RADIUS, Tactic};
use crate::bradley_terry::{PRIOR, improved};
use crate::go::Go;
use crate::vertex::Vertex;
use std::collections::HashMap;
use tesuji::Game;

/// Collects the surroundings of moves from games, and learns how strong each frequent one is.
///
/// The model is that of Bradley and Terry: the move played has won against all moves of its
/// position, and the strength of a move is the product of those of its surroundings up to each
/// radius, and of its tactics if they are [wanted](FrequentPatterns::with_tactics).
/// Minorization-maximization finds the strengths (Coulom 2007). Moves are those of
/// [`Game::search_moves`], but the pass.
///
/// ```
/// use tesuji::{Game, Rng};
/// use tesuji_go::pattern::FrequentPatterns;
/// use tesuji_go::{Go9, Rules, Vertex};
///
/// let mut found = FrequentPatterns::new(1);
/// let mut game = Go9::new(9, Rules::default());
/// for text in ["E5", "E4", "D4", "F4", "D3"] {
///     let m = Vertex::parse(text).unwrap();
///     found.add(&game, m);
///     game.play(m);
/// }
/// assert_eq!(found.positions(), 5);
/// let learnt = found.learn(3, 10);
/// assert_eq!(learnt.len(), 3);
/// assert!(learnt.iter().all(|found| found.played <= found.seen));
/// ```
#[derive(Clone, Debug)]
pub struct FrequentPatterns {
    /// For each radius and symmetry, the steps to the image of the ring.
    rings: Vec<[Vec<isize>; 8]>,
    numbers: HashMap<(u8, Window), u32>,
    /// Radius and window, the least of the eight images.
    windows: Vec<(u8, Window)>,
    tactics: bool,
    /// For each position its moves, the one played first.
    positions: Vec<Box<[Move]>>,
}

/// A move of a position.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// The numbers of its surroundings, the smallest ones first; those beyond the radius are 0.
    windows: [u32; RADIUS as usize],
    tactics: u8,
}

/// A frequent pattern, or a tactic.
#[derive(Clone, PartialEq, Debug)]
pub struct FrequentFeature {
    /// The surroundings or the tactic.
    pub feature: Feature,
    /// The factor g of the strength of such a move.
    pub strength: f64,
    /// How often such a move was played.
    pub played: u32,
    /// How often one could have been played.
    pub seen: u32,
}

impl FrequentFeature {
    /// The strength as a weight h in [-1, 1], see [`Bias`](tesuji::Bias): ln g / 6, limited to the
    /// range. So the sum of the weights of a move's features stands for the product of their
    /// strengths.
    pub fn weight(&self) -> f64 {
        (self.strength.ln() / 6.0).clamp(-1.0, 1.0)
    }
}

impl FrequentPatterns {
    /// Without games, for surroundings of places at most 1, 2 … `radius` away.
    ///
    /// # Panics
    /// If the radius is not between 1 and [`RADIUS`].
    pub fn new(radius: i8) -> FrequentPatterns {
        assert!((1..=RADIUS).contains(&radius), "the radius {radius} is not between 1 and {RADIUS}");
        let image = |radius: i8, symmetry: usize| -> Vec<isize> {
            let turn = |(column, row): (i8, i8)| {
                let (x, y) = if symmetry & 1 == 0 { (column, row) } else { (row, column) };
                let flip = |x: i8, bit| if symmetry & bit == 0 { x } else { -x };
                (flip(x, 2), flip(y, 4))
            };
            ring(radius).map(|place| step(turn(place))).collect()
        };
        let images = |radius| std::array::from_fn(|symmetry| image(radius, symmetry));
        FrequentPatterns {
            rings: (1..=radius).map(images).collect(),
            numbers: HashMap::new(),
            windows: Vec::new(),
            tactics: false,
            positions: Vec::new(),
        }
    }

    /// Learns the strength of each [`Tactic`] as well.
    pub fn with_tactics(mut self) -> FrequentPatterns {
        self.tactics = true;
        self
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Adds a position and the move that was played there, unless that is a pass or one that no
    /// search plays. It takes time proportional to the moves, and 16 bytes for each.
    pub fn add<const STRIDE: usize, const LEN: usize>(
        &mut self,
        game: &Go<STRIDE, LEN>,
        played: Vertex<STRIDE>,
    ) {
        let mut moves = Vec::new();
        game.search_moves(&mut moves);
        let Some(at) = moves.iter().position(|&m| m == played && !m.is_pass()) else { return };
        moves.swap(0, at);
        let view = View::new(game);
        let marks = self.tactics.then(|| Tactic::of_points(game, true));
        let places = moves.iter().filter_map(|m| Some((m.column()?, m.row()?)));
        let moves = places.map(|(column, row)| {
            let (mut windows, mut images) = ([0; RADIUS as usize], [0; 8]);
            let at = View::at(row * game.size() + column, game.size());
            for ((radius, rings), number) in (1..).zip(&self.rings).zip(&mut windows) {
                for (image, ring) in images.iter_mut().zip(rings) {
                    *image = view.extend(*image, at, ring);
                }
                let window = (radius, images.into_iter().min().unwrap_or_default());
                *number = *self.numbers.entry(window).or_insert_with(|| {
                    self.windows.push(window);
                    self.windows.len() as u32 - 1
                });
            }
            Move { windows, tactics: marks.map_or(0, |marks| marks[row * game.size() + column]) }
        });
        let moves = moves.collect();
        self.positions.push(moves);
    }

    /// The `most` patterns that are seen most often, with their strengths after some rounds of
    /// minorization-maximization; the most seen ones first, and tactics before them. Each round
    /// takes one pass over all moves for each radius, and one for each tactic. All other
    /// surroundings keep strength 1. A common factor of the listed patterns of radius 1 makes the
    /// mean strength of all moves 1.
    pub fn learn(&self, most: usize, rounds: usize) -> Vec<FrequentFeature> {
        let tactics: &[Tactic] = if self.tactics { &Tactic::ALL } else { &[] };
        let radii = self.rings.len();
        let (mut seen, mut played) = (vec![0_u32; self.windows.len()], vec![0_u32; self.windows.len()]);
        let (mut seen_tactics, mut played_tactics) = ([0; Tactic::ALL.len()], [0; Tactic::ALL.len()]);
        for position in &self.positions {
            for (i, m) in position.iter().enumerate() {
                let won = u32::from(i == 0);
                for &window in &m.windows[..radii] {
                    seen[window as usize] += 1;
                    played[window as usize] += won;
                }
                for &tactic in tactics.iter().filter(|tactic| tactic.is_in(m.tactics)) {
                    seen_tactics[tactic as usize] += 1;
                    played_tactics[tactic as usize] += won;
                }
            }
        }
        let mut chosen: Vec<usize> = (0..self.windows.len()).collect();
        chosen.sort_by_key(|&window| (std::cmp::Reverse(seen[window]), self.windows[window]));
        chosen.truncate(most);
        let mut strengths = Strengths::new(radii, self.windows.len());
        for _ in 0..rounds {
            for radius in 1..=radii {
                let mut rivals = vec![0.0; self.windows.len()];
                for position in &self.positions {
                    let sum = strengths.of_all(position);
                    for &m in position {
                        let window = m.windows[radius - 1] as usize;
                        rivals[window] += strengths.of(m) / strengths.windows[window] / sum;
                    }
                }
                for &window in chosen.iter().filter(|&&window| usize::from(self.windows[window].0) == radius)
                {
                    let wins = f64::from(played[window]) + PRIOR;
                    strengths.windows[window] = improved(strengths.windows[window], wins, rivals[window]);
                }
            }
            for &tactic in tactics {
                let of = |position: &[Move]| -> f64 {
                    let doing = position.iter().filter(|m| tactic.is_in(m.tactics));
                    let sum: f64 = doing.map(|&m| strengths.of(m)).sum();
                    if sum == 0.0 { 0.0 } else { sum / strengths.of_all(position) }
                };
                let own = strengths.tactics[tactic as usize];
                let rivals = self.positions.iter().map(|position| of(position)).sum::<f64>() / own;
                strengths
                    .set(tactic, improved(own, f64::from(played_tactics[tactic as usize]) + PRIOR, rivals));
            }
        }
        let all = || self.positions.iter().flatten();
        let mean = all().map(|&m| strengths.of(m)).sum::<f64>() / all().count() as f64;
        let of_tactic = |&tactic: &Tactic| FrequentFeature {
            feature: Feature::Tactic(tactic),
            strength: strengths.tactics[tactic as usize],
            played: played_tactics[tactic as usize],
            seen: seen_tactics[tactic as usize],
        };
        let of_window = |window: usize| FrequentFeature {
            feature: Feature::Pattern(window_pattern(self.windows[window])),
            strength: strengths.windows[window] / if self.windows[window].0 == 1 { mean } else { 1.0 },
            played: played[window],
            seen: seen[window],
        };
        tactics.iter().map(of_tactic).chain(chosen.into_iter().map(of_window)).collect()
    }
}

/// The strengths of all features.
struct Strengths {
    radii: usize,
    windows: Vec<f64>,
    tactics: [f64; Tactic::ALL.len()],
    /// The product of those of each set of tactics.
    factor: [f64; 1 << Tactic::ALL.len()],
}

impl Strengths {
    fn new(radii: usize, windows: usize) -> Strengths {
        Strengths {
            radii,
            windows: vec![1.0; windows],
            tactics: [1.0; Tactic::ALL.len()],
            factor: [1.0; 1 << Tactic::ALL.len()],
        }
    }

    fn set(&mut self, tactic: Tactic, strength: f64) {
        self.tactics[tactic as usize] = strength;
        self.factor = std::array::from_fn(|marks| {
            let of = Tactic::ALL.into_iter().filter(|tactic| tactic.is_in(marks as u8));
            of.map(|tactic| self.tactics[tactic as usize]).product()
        });
    }

    fn of(&self, m: Move) -> f64 {
        let windows = m.windows[..self.radii].iter().map(|&window| self.windows[window as usize]);
        self.factor[m.tactics as usize] * windows.product::<f64>()
    }

    fn of_all(&self, position: &[Move]) -> f64 {
        position.iter().map(|&m| self.of(m)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Class, Matcher, Pattern};
    use crate::{Go9, Rules};
    use tesuji::Rng;

    /// Games of a player who plays beside an enemy stone if possible, at random otherwise.
    fn games(radius: i8) -> (FrequentPatterns, Vec<Go9>) {
        let (mut rng, mut found, mut positions) = (Rng::new(1), FrequentPatterns::new(radius), Vec::new());
        for _ in 0..30 {
            let mut game = Go9::new(9, Rules::default());
            for _ in 0..40 {
                let mut moves = Vec::new();
                game.search_moves(&mut moves);
                let is_enemy = |m: &Vertex<10>, column: isize, row: isize| {
                    let place = m.column().zip(m.row()).and_then(|(c, r)| {
                        game.vertex(c.checked_add_signed(column)?, r.checked_add_signed(row)?)
                    });
                    place.and_then(|v| game.stone(v)) == Some(game.to_move().other())
                };
                let beside: Vec<_> = moves
                    .iter()
                    .filter(|m| [(1, 0), (-1, 0), (0, 1), (0, -1)].iter().any(|&(c, r)| is_enemy(m, c, r)))
                    .copied()
                    .collect();
                let from = if beside.is_empty() { &moves } else { &beside };
                let m = from[rng.below(from.len() as u32) as usize];
                found.add(&game, m);
                positions.push(game.clone());
                game.play(m);
            }
        }
        (found, positions)
    }

    #[test]
    fn what_is_played_is_strong() {
        let (found, _) = games(1);
        let learnt = found.learn(40, 20);
        assert!(learnt.is_sorted_by(|a, b| a.seen >= b.seen));
        for found in learnt.iter().filter(|found| found.seen > 300) {
            let Feature::Pattern(pattern) = &found.feature else { panic!("no tactics are wanted") };
            let beside = pattern
                .constraints()
                .iter()
                .any(|c| c.class == Class::Enemy && c.columns.abs() + c.rows.abs() == 1);
            assert_eq!(found.strength > 1.0, beside, "{found:?}");
            assert_eq!(found.weight() > 0.0, beside);
        }
    }

    #[test]
    fn strengths_of_radii_multiply_to_a_mean_of_one() {
        let (found, _) = games(2);
        let learnt = found.learn(usize::MAX, 20);
        let of: HashMap<String, f64> =
            learnt.iter().map(|found| (found.feature.to_string(), found.strength)).collect();
        let factors: Vec<f64> =
            found.windows.iter().map(|&window| of[&window_pattern(window).to_string()]).collect();
        let strength =
            |m: &Move| m.windows[..2].iter().map(|&window| factors[window as usize]).product::<f64>();
        let all: Vec<f64> = found.positions.iter().flatten().map(strength).collect();
        assert!((all.iter().sum::<f64>() / all.len() as f64 - 1.0).abs() < 1e-9);
        let played: f64 = found.positions.iter().map(|position| strength(&position[0])).sum();
        assert!(played / found.positions.len() as f64 > 1.5);
    }

    #[test]
    fn a_pattern_matches_where_it_was_seen() {
        for radius in 1..=RADIUS {
            let (found, positions) = games(radius);
            let mut learnt = found.learn(usize::MAX, 1);
            let places = (2 * radius as usize + 1).pow(2) - 1;
            learnt.retain(|found| {
                matches!(&found.feature, Feature::Pattern(pattern) if pattern.constraints().len() == places)
            });
            learnt.truncate(12);
            let pattern = |found: &FrequentFeature| match &found.feature {
                Feature::Pattern(pattern) => Some(pattern.clone()),
                Feature::Tactic(_) => None,
            };
            let patterns: Vec<Pattern> = learnt.iter().filter_map(pattern).collect();
            let matcher = Matcher::new(9, &patterns);
            let mut matched = vec![0; patterns.len()];
            for game in &positions {
                let mut moves = Vec::new();
                game.search_moves(&mut moves);
                let legal: Vec<usize> =
                    moves.iter().filter_map(|m| Some(m.row()? * 9 + m.column()?)).collect();
                matcher.find(game, |pattern, point| matched[pattern] += u32::from(legal.contains(&point)));
            }
            assert_eq!(matched, learnt.iter().map(|found| found.seen).collect::<Vec<_>>(), "{radius}");
        }
    }
}
