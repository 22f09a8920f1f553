//! A whole file.

use super::blocks::{MOST_BLOCKS, blocks};
use super::heads::{policy, value};
use super::layers::{MOST, activation, convolution, fits, linear, norm, tip_norm};
use super::words::{Fault, Words};
use crate::graph::{Graph, LearnedRules, Scales, Tip};
use std::fmt;
use std::ops::RangeInclusive;

/// The model versions that are read.
const VERSIONS: RangeInclusive<usize> = 8..=17;

/// Planes and numbers of these versions.
const PLANES: usize = 22;
const GLOBALS: usize = 19;

/// How compressed files begin.
pub(super) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Whether a file with this name and content is read as one of KataGo's: it is compressed, or its
/// name ends in `.bin` or `.txt`.
pub fn is_katago(name: &str, content: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    content.starts_with(&GZIP) || [".bin", ".txt", ".bin.gz", ".txt.gz"].iter().any(|end| name.ends_with(end))
}

impl Graph {
    /// Reads a network of KataGo's from the content of its file, compressed or not, with numbers in
    /// binary form or as words.
    ///
    /// # Errors
    /// If it is none, not whole, or of a version that is not read. Memory is taken only for what
    /// the file holds.
    pub fn from_katago(content: &[u8]) -> Result<Graph, KataGoError> {
        graph(&mut Words::new(content)).map_err(|Fault(fault)| KataGoError(fault))
    }
}

fn graph(words: &mut Words<'_>) -> Result<Graph, Fault> {
    let name = words.word()?;
    let version: usize = words.read("the model version")?;
    if !VERSIONS.contains(&version) {
        let (least, most) = VERSIONS.into_inner();
        return Err(Fault(format!("the model version is {version}; accepted: {least} to {most}")));
    }
    let planes = words.count("the number of planes", PLANES, PLANES)?;
    let globals = words.count("the number of inputs for the whole position", GLOBALS, GLOBALS)?;
    let mut scales = Scales { score: 20.0, deviation: 20.0, lead: 20.0 };
    if version >= 13 {
        words.positive("the unit of intermediate scores")?;
        scales.score = words.positive("the unit of the score")?;
        scales.deviation = words.positive("the unit of its deviation")?;
        scales.lead = words.positive("the unit of the lead")?;
        for what in ["remaining variance", "the value's error", "the score's error"] {
            words.positive(&format!("the unit of {what}"))?;
        }
    }
    let mut areas_as_with_suicide = false;
    if version >= 15 {
        if words.word()? != "0" {
            return Err(Fault(
                "it reads who plays, as networks trained on people's games do; accepted: others".into(),
            ));
        }
        areas_as_with_suicide = words.flag("the mark of areas as with suicide")?;
        words.unused(6)?;
    }

    words.word()?;
    let count = words.count("the number of blocks", 1, MOST_BLOCKS)?;
    let channels = words.count("the number of channels", 1, MOST)?;
    for what in ["inner", "regular", "dilated", "pooled"] {
        words.count(&format!("the number of {what} channels"), 0, MOST)?;
    }
    let is_rms = version >= 15 && words.flag("the kind of the last norm")?;
    if version >= 15 {
        words.unused(5)?;
    }
    let first = convolution(words)?;
    fits(&first.name, first.inputs, planes)?;
    fits(&first.name, first.outputs, channels)?;
    let global = linear(words)?;
    fits(&global.name, global.inputs, globals)?;
    fits(&global.name, global.outputs, channels)?;
    let blocks = blocks(words, version, count, channels, 0)?;
    let tip = if is_rms {
        let (norm, board, bias) = tip_norm(words)?;
        fits(&norm.name, norm.scale.len(), channels)?;
        Tip::Rms { norm, board, bias, activation: activation(words, version)? }
    } else {
        let norm = norm(words, version)?;
        fits(&norm.name, norm.scale.len(), channels)?;
        Tip::Norm(norm)
    };
    let policy = policy(words, version, channels)?;
    let value = value(words, version, channels)?;
    Ok(Graph {
        name,
        planes,
        globals,
        channels,
        first,
        global,
        blocks,
        tip,
        policy,
        value,
        scales,
        rules: LearnedRules::All { areas_as_with_suicide },
    })
}

/// A fault of a file of KataGo's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KataGoError(String);

impl fmt::Display for KataGoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a network of KataGo's: {}", self.0)
    }
}

impl std::error::Error for KataGoError {}
