//! Weights from games, by minorization-maximization.

use super::feature::{Deed, Near, Neighbourhood};
use super::surroundings::{Surroundings, canonical};
use super::weights::Weights;
use crate::bradley_terry::{self, PRIOR};
use crate::go::Go;
use crate::vertex::Vertex;
use std::collections::BTreeMap;
use tesuji::Game;

/// A position: what was played there, and what else could have been.
#[derive(Clone, Debug)]
struct Choice {
    near: Vec<Near>,
    /// The place of the move in `near`; none if it is far from the last one.
    played: Option<usize>,
    is_self_atari: bool,
    /// Moves far from the last one, without and with self-atari.
    far: [u32; 2],
}

/// Positions from games, from which [`Weights`] are learnt.
///
/// The model is that of Bradley and Terry: the move played has won against all playable moves of
/// its position, and the strength of a move is the product of the weights of its features.
#[derive(Clone, Default, Debug)]
pub struct Lesson {
    positions: Vec<Choice>,
}

impl Lesson {
    /// Without positions.
    pub fn new() -> Lesson {
        Lesson::default()
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Adds a position and the move that was played there, unless that is a pass or one that
    /// playouts never play.
    pub fn add<const STRIDE: usize, const LEN: usize>(
        &mut self,
        game: &Go<STRIDE, LEN>,
        played: Vertex<STRIDE>,
    ) {
        let position = match game.to_move().index() {
            0 => position::<0, STRIDE, LEN>(game, played.index().into()),
            _ => position::<1, STRIDE, LEN>(game, played.index().into()),
        };
        self.positions.extend(position);
    }

    /// The weights that make the moves most likely, after this number of rounds. Surroundings that
    /// are seen fewer than `least` times keep weight 1. Each round takes eight passes over the
    /// positions.
    pub fn learn(&self, rounds: usize, least: u32) -> Weights {
        let mut seen: BTreeMap<Surroundings, (u32, f64)> = BTreeMap::new();
        let mut wins = [PRIOR; Deed::ALL.len()];
        for position in &self.positions {
            for (i, near) in position.near.iter().enumerate() {
                let won = f64::from(u8::from(position.played == Some(i)));
                if let Some(code) = near.surroundings {
                    let (times, wins) = seen.entry(code).or_default();
                    (*times, *wins) = (*times + 1, *wins + won);
                }
                for deed in Deed::ALL.into_iter().filter(|&deed| near.does(deed)) {
                    wins[deed as usize] += won;
                }
            }
            if position.played.is_none() && position.is_self_atari {
                wins[Deed::SelfAtari as usize] += 1.0;
            }
        }
        seen.retain(|_, (times, _)| *times >= least);
        let mut weights = Weights::default();
        weights.surroundings.extend(seen.keys().map(|&code| (code, 1.0)));
        for _ in 0..rounds {
            self.improve_surroundings(&mut weights, &seen);
            for deed in Deed::ALL {
                self.improve_deed(&mut weights, deed, wins[deed as usize]);
            }
        }
        weights
    }

    fn improve_surroundings(&self, weights: &mut Weights, seen: &BTreeMap<Surroundings, (u32, f64)>) {
        let mut rivals: BTreeMap<Surroundings, f64> = BTreeMap::new();
        for position in &self.positions {
            let sum = strength_of_all(weights, position);
            for near in &position.near {
                if let Some(code) = near.surroundings.filter(|code| seen.contains_key(code)) {
                    *rivals.entry(code).or_default() += deeds(weights, *near) / sum;
                }
            }
        }
        for (code, weight) in &mut weights.surroundings {
            *weight = improved(*weight, seen[code].1 + PRIOR, rivals[code]);
        }
    }

    fn improve_deed(&self, weights: &mut Weights, deed: Deed, wins: f64) {
        let own = f64::from(weights.deeds[deed as usize]);
        let rivals: f64 = self
            .positions
            .iter()
            .map(|position| {
                let doing = position.near.iter().filter(|near| near.does(deed));
                let mut rivals: f64 = doing.map(|&near| strength(weights, near) / own).sum();
                if deed == Deed::SelfAtari {
                    rivals += f64::from(position.far[1]);
                }
                if rivals == 0.0 { 0.0 } else { rivals / strength_of_all(weights, position) }
            })
            .sum();
        weights.deeds[deed as usize] = improved(own as f32, wins, rivals);
    }

    /// The mean logarithm of the probability of the moves played, under these weights.
    pub fn fit(&self, weights: &Weights) -> f64 {
        let of = |position: &Choice| {
            let played = match position.played {
                Some(i) => strength(weights, position.near[i]),
                None if position.is_self_atari => weights.deeds[Deed::SelfAtari as usize].into(),
                None => 1.0,
            };
            (played / strength_of_all(weights, position)).ln()
        };
        self.positions.iter().map(of).sum::<f64>() / self.positions.len().max(1) as f64
    }
}

fn position<const C: usize, const STRIDE: usize, const LEN: usize>(
    game: &Go<STRIDE, LEN>,
    played: usize,
) -> Option<Choice> {
    let board = &game.board;
    if played == 0 || !board.is_playable::<C>(played) {
        return None;
    }
    let around = Neighbourhood::new::<C, STRIDE, LEN>(board, game.last_point());
    let mut far = [0; 2];
    for v in board.empties().iter().map(|&v| usize::from(v)) {
        if board.is_playable::<C>(v) && !around.has(v) {
            far[usize::from(board.is_self_atari::<C>(v))] += 1;
        }
    }
    let canonical = |near: &Near| Near { surroundings: near.surroundings.map(canonical), ..*near };
    Some(Choice {
        near: around.moves().iter().map(canonical).collect(),
        played: around.moves().iter().position(|near| usize::from(near.point) == played),
        is_self_atari: board.is_self_atari::<C>(played),
        far,
    })
}

/// One step of minorization-maximization, within the range of weights.
fn improved(weight: f32, wins: f64, rivals: f64) -> f32 {
    (bradley_terry::improved(weight.into(), wins, rivals) as f32).clamp(0.001, 1000.0)
}

/// The product of the weights of the deeds.
fn deeds(weights: &Weights, near: Near) -> f64 {
    let done = Deed::ALL.into_iter().filter(|&deed| near.does(deed));
    done.map(|deed| f64::from(weights.deeds[deed as usize])).product()
}

fn strength(weights: &Weights, near: Near) -> f64 {
    let surroundings = near.surroundings.and_then(|code| weights.surroundings.get(&code));
    deeds(weights, near) * surroundings.map_or(1.0, |&weight| weight.into())
}

fn strength_of_all(weights: &Weights, position: &Choice) -> f64 {
    let near: f64 = position.near.iter().map(|&near| strength(weights, near)).sum();
    let self_atari = f64::from(weights.deeds[Deed::SelfAtari as usize]);
    near + f64::from(position.far[0]) + self_atari * f64::from(position.far[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Go9, Rules};
    use tesuji::{Playouts, Rng};

    /// Games of a player who always captures, and plays at random otherwise.
    #[test]
    fn a_player_who_captures_teaches_to_capture() {
        let (mut rng, mut buffer, mut lesson) = (Rng::new(1), Vec::new(), Lesson::new());
        for _ in 0..60 {
            let mut game = Go9::new(9, Rules::default());
            for _ in 0..80 {
                let near = match game.to_move().index() {
                    0 => Neighbourhood::new::<0, 10, 112>(&game.board, game.last_point()),
                    _ => Neighbourhood::new::<1, 10, 112>(&game.board, game.last_point()),
                };
                let capture = near.moves().iter().find(|near| near.does(Deed::Capture));
                let m = match capture {
                    Some(near) => Vertex::from_index(near.point),
                    None => game.playout_move(&mut rng, &mut buffer),
                };
                if game.legal(game.to_move(), m).is_err() {
                    break;
                }
                lesson.add(&game, m);
                game.play(m);
            }
        }
        let weights = lesson.learn(10, 50);
        assert!(weights.deeds[Deed::Capture as usize] > 20.0, "{weights}");
        assert!(lesson.fit(&weights) > lesson.fit(&Weights::default()));
        let far_more = weights.surroundings.values().filter(|&&weight| !(0.2..5.0).contains(&weight)).count();
        assert!(far_more * 10 < weights.surroundings.len(), "{weights}");
    }
}
