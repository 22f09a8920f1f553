//! The weights of features.

use super::feature::{Deed, Near};
use super::surroundings::{Surroundings, canonical, images, parse, text};
use std::collections::BTreeMap;
use std::fmt;

/// The file that the program comes with: [`Lesson`](super::Lesson) wrote it.
const LEARNT: &str = include_str!("weights.txt");
/// The weight of a move without features, in the units of a [`PowerTable`].
pub(super) const UNIT: u32 = 64;

/// The weight of each feature, above 0; a feature that is not mentioned has weight 1, which is also
/// that of a move without features.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    pub(super) deeds: [f32; Deed::ALL.len()],
    /// By the least image.
    pub(super) surroundings: BTreeMap<Surroundings, f32>,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { deeds: [1.0; Deed::ALL.len()], surroundings: BTreeMap::new() }
    }
}

impl Weights {
    /// Those that the program comes with.
    ///
    /// # Panics
    /// Never: a test reads the file.
    pub fn learnt() -> Weights {
        Weights::parse(LEARNT).expect("a test reads the file")
    }

    /// Reads a text of lines `FEATURE WEIGHT`, the reverse of `Display`. A feature is `capture`,
    /// `capture-long`, `rescue`, `rescue-long`, `escape`, `escape-long`, `self-atari`, or the eight
    /// cells around a point.
    ///
    /// # Errors
    /// If a line is no feature with a weight from 0.001 to 1000.
    pub fn parse(source: &str) -> Result<Weights, WeightsError> {
        let mut weights = Weights::default();
        for (i, line) in source.lines().enumerate() {
            let error = || WeightsError { line: i + 1, text: line.chars().take(40).collect() };
            let (feature, weight) = line.split_once(' ').ok_or_else(error)?;
            let weight: f32 =
                weight.parse().ok().filter(|w| (0.001..=1000.0).contains(w)).ok_or_else(error)?;
            if let Some(deed) = Deed::ALL.into_iter().find(|deed| deed.name() == feature) {
                weights.deeds[deed as usize] = weight;
            } else {
                weights.surroundings.insert(canonical(parse(feature).ok_or_else(error)?), weight);
            }
        }
        Ok(weights)
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for deed in Deed::ALL {
            writeln!(f, "{} {:.3}", deed.name(), self.deeds[deed as usize])?;
        }
        for (&code, weight) in &self.surroundings {
            writeln!(f, "{} {weight:.3}", text(code))?;
        }
        Ok(())
    }
}

/// A line of a text of weights that is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightsError {
    line: usize,
    text: String,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WeightsError { line, text } = self;
        write!(
            f,
            "line {line}: `{text}`; accepted: a feature and its weight from 0.001 to 1000, as `capture 20`"
        )
    }
}

impl std::error::Error for WeightsError {}

/// Weights to a power, for lookups.
#[derive(Clone, Debug)]
pub(super) struct PowerTable {
    /// In units of 1/[`UNIT`], by surroundings.
    surroundings: Box<[u16]>,
    deeds: [f32; Deed::ALL.len()],
}

impl PowerTable {
    pub(super) fn new(weights: &Weights, exponent: f32) -> PowerTable {
        let scaled = |weight: f32| (weight.powf(exponent) * UNIT as f32).round().clamp(0.0, 65_535.0) as u16;
        let mut surroundings = vec![UNIT as u16; 1 << 16].into_boxed_slice();
        for (&code, &weight) in &weights.surroundings {
            images(code).into_iter().for_each(|image| surroundings[usize::from(image)] = scaled(weight));
        }
        PowerTable { surroundings, deeds: weights.deeds.map(|weight| weight.powf(exponent)) }
    }

    /// The weight of a move, in units of 1/[`UNIT`].
    #[inline(always)]
    pub(super) fn weight(&self, near: Near) -> u32 {
        let weight = near.surroundings.map_or(UNIT, |code| self.surroundings[usize::from(code)].into());
        if near.deeds == 0 { weight } else { self.weight_of_deeds(near, weight) }
    }

    fn weight_of_deeds(&self, near: Near, weight: u32) -> u32 {
        let done = Deed::ALL.into_iter().filter(|&deed| near.does(deed));
        let weight = done.fold(weight as f32, |weight, deed| weight * self.deeds[deed as usize]);
        weight.min((1 << 24) as f32) as u32
    }

    /// The weight of a move with this deed alone.
    #[inline(always)]
    pub(super) fn deed(&self, deed: Deed) -> f32 {
        self.deeds[deed as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.surroundings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learnt_weights_are_read_and_written() {
        let weights = Weights::learnt();
        assert_eq!(weights.to_string(), LEARNT);
        assert!(weights.deeds[Deed::Escape as usize] > 1.0 && weights.deeds[Deed::SelfAtari as usize] < 1.0);
    }

    #[test]
    fn a_wrong_line_is_named() {
        for wrong in ["capture", "capture 0", "capture x", "take 2", "X.O.#..OO 2"] {
            let error = Weights::parse(&format!("escape 2\n{wrong}")).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line 2: `{wrong}`")), "{error}");
        }
    }
}
