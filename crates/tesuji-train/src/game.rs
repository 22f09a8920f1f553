//! A game to train on.

use crate::bytes::{ACTIONS, FormatError, Reader, SURPRISES, VERSIONS, Writer};
use crate::policy::Policy;
use tesuji::Player;
use tesuji_go::Komi;

/// A game with the training targets of its positions.
///
/// Points and moves are numbered as in a network's policy. In Go, this is row by row from A1, then
/// the pass; in other games, moves have their [codes](tesuji::Keyed::code).
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingGame {
    /// Rows of the board that networks see, 2 to 19.
    pub size: usize,
    /// Moves that the policy numbers: in Go one for each point, and the pass.
    pub actions: usize,
    /// Points added to White's score; 0 in other games than Go.
    pub komi: Komi,
    /// Stones on the board before the first move.
    pub stones: Vec<(u16, Player)>,
    /// The player who moves first; then they take turns.
    pub first: Player,
    /// The moves.
    pub turns: Vec<Turn>,
    /// The winner; none: a draw.
    pub winner: Option<Player>,
    /// The end of the game.
    pub end: End,
}

/// A move of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// The move that was played.
    pub m: u16,
    /// The target of the position before the move; none: it trains nothing.
    pub target: Option<Target>,
}

/// The training target of a position, apart from the result of its game.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// The policy.
    pub policy: Policy,
    /// The value in [0, 1] that the search had for the player to move, in steps of 1/65535.
    pub value: f32,
    /// A teacher's estimate of the score.
    pub outlook: Option<Outlook>,
    /// The surprise of a search: the divergence (Kullback and Leibler 1951) of its policy from the
    /// network's, in nats, in steps of 1/256.
    pub surprise: Option<f32>,
}

/// The expected score, from the view of the player to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Outlook {
    /// The lead in points, komi included, in steps of 1/16; up to a million is stored.
    pub lead: f32,
    /// The expected owner of each point, row by row from A1: 1 is the player to move, -1 the
    /// opponent, in steps of 1/63.
    pub ownership: Vec<f32>,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By the rules: in Go by two passes.
    Passes,
    /// A player resigned.
    Resignation,
    /// It reached the largest number of moves, and its board was counted.
    Length,
    /// In a way that is not known.
    Unknown,
}

const ENDS: [End; 4] = [End::Passes, End::Resignation, End::Length, End::Unknown];

/// Steps of a value, of a point of the lead, and of an ownership.
const STEPS: f32 = 65535.0;
const LEAD_STEPS: f32 = 16.0;
const OWNERSHIP_STEPS: f32 = 63.0;
const SURPRISE_STEPS: f32 = 256.0;
/// The largest lead that is stored.
const MOST_LEAD: f32 = 1e6;
/// The bit of an outlook, and of a surprise, in the number that says what a target has.
const OUTLOOK: u32 = 1;
const SURPRISE: u32 = 2;

impl TrainingGame {
    /// The number of positions that train.
    pub fn positions(&self) -> usize {
        self.turns.iter().filter(|turn| turn.target.is_some()).count()
    }

    /// How often a sample of the game should have each of the positions that train, in sums: entry
    /// i is the sum of the weights of positions 0 to i. With N positions, position i has the weight
    /// 1 - `share` + `share` N s_i / S, where s_i is its surprise and S the sum of all; it is 1
    /// where S is 0 (KataGo's surprise weighting, with a share of 1/2).
    pub fn by_surprise(&self, share: f32) -> Vec<f32> {
        let targets = self.turns.iter().filter_map(|turn| turn.target.as_ref());
        let surprises: Vec<f32> = targets.map(|target| target.surprise.unwrap_or(0.0)).collect();
        let mean = surprises.iter().sum::<f32>() / surprises.len() as f32;
        let share = if mean > 0.0 { share } else { 0.0 };
        let mut before = 0.0;
        let mut add = |surprise: f32| {
            before += if share > 0.0 { 1.0 - share + share * surprise / mean } else { 1.0 };
            before
        };
        surprises.into_iter().map(&mut add).collect()
    }

    /// The player to move after `moves` moves.
    pub fn to_move(&self, moves: usize) -> Player {
        if moves.is_multiple_of(2) { self.first } else { self.first.other() }
    }

    /// The result in [0, 1] as `player` sees it.
    pub fn result_of(&self, player: Player) -> f32 {
        match self.winner {
            Some(winner) if winner == player => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        }
    }

    /// The same game with nothing to train.
    #[must_use]
    pub fn without_targets(mut self) -> TrainingGame {
        self.turns.iter_mut().for_each(|turn| turn.target = None);
        self
    }

    /// A compact form: a version, the game in numbers of variable length, a checksum. If no target
    /// has an outlook, it has version 1, which does not store outlooks; version 3 adds the number
    /// of actions, where it is not that of Go, and version 4 surprises, where there are any.
    pub fn to_bytes(&self) -> Vec<u8> {
        let targets = || self.turns.iter().filter_map(|turn| turn.target.as_ref());
        let has_outlooks = targets().any(|target| target.outlook.is_some());
        let is_go = self.actions == self.size * self.size + 1;
        let version = match targets().any(|target| target.surprise.is_some()) {
            true => SURPRISES,
            false if is_go => 1 + u8::from(has_outlooks),
            false => ACTIONS,
        };
        let mut writer = Writer::new(version);
        writer.number(self.size as u32);
        if version >= ACTIONS {
            writer.number(self.actions as u32);
        }
        writer.signed(self.komi.halves().into());
        writer.number(self.stones.len() as u32);
        for &(point, player) in &self.stones {
            writer.number(2 * u32::from(point) + player.index() as u32);
        }
        writer.number(self.first.index() as u32);
        writer.number(match self.winner {
            None => 0,
            Some(player) => 1 + player.index() as u32,
        });
        let end = ENDS.iter().position(|&end| end == self.end);
        writer.number(end.unwrap_or_default() as u32);
        writer.number(self.turns.len() as u32);
        for turn in &self.turns {
            writer.number(turn.m.into());
            let Some(target) = &turn.target else {
                writer.number(0);
                continue;
            };
            writer.number(target.policy.weights().len() as u32);
            let mut next = 0;
            for &(m, weight) in target.policy.weights() {
                writer.number((m - next).into());
                writer.number(weight.into());
                next = m;
            }
            writer.number((target.value.clamp(0.0, 1.0) * STEPS).round() as u32);
            if version == 1 {
                continue;
            }
            let has = |part: bool, bit: u32| u32::from(part) * bit;
            writer.number(has(target.outlook.is_some(), OUTLOOK) + has(target.surprise.is_some(), SURPRISE));
            if let Some(Outlook { lead, ownership }) = &target.outlook {
                writer.signed((lead.clamp(-MOST_LEAD, MOST_LEAD) * LEAD_STEPS).round() as i32);
                let steps = |x: &f32| (x.clamp(-1.0, 1.0) * OWNERSHIP_STEPS).round() as i32;
                ownership.iter().for_each(|x| writer.signed(steps(x)));
            }
            if let Some(surprise) = target.surprise {
                writer.number((surprise.max(0.0) * SURPRISE_STEPS).round() as u32);
            }
        }
        writer.finish()
    }

    /// Reads what [`TrainingGame::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are of another version, or corrupt.
    pub fn from_bytes(bytes: &[u8]) -> Result<TrainingGame, FormatError> {
        let (mut reader, version) = Reader::new(bytes, &VERSIONS)?;
        let player = |index: u32| (index < 2).then(|| Player::new(index as usize));
        let size = reader.below(20, "the size of the board")? as usize;
        if size < 2 {
            return Err(FormatError::Content("the size of the board"));
        }
        let points = (size * size) as u32;
        let mut actions = points + 1;
        if version >= ACTIONS {
            actions = reader.below((1 << 16) + 1, "the number of moves")?;
            if actions == 0 || version == ACTIONS && actions == points + 1 {
                return Err(FormatError::Content("the number of moves"));
            }
        }
        let komi = i16::try_from(reader.signed()?).map_err(|_| FormatError::Content("the komi"))?;
        let mut stones = Vec::new();
        for _ in 0..reader.below(points + 1, "the number of stones")? {
            let stone = reader.below(2 * points, "a stone")?;
            stones.push(((stone / 2) as u16, Player::new(stone as usize % 2)));
        }
        let first = player(reader.number()?).ok_or(FormatError::Content("the first player"))?;
        let winner = match reader.below(3, "the winner")? {
            0 => None,
            winner => player(winner - 1),
        };
        let end = ENDS[reader.below(ENDS.len() as u32, "the end")? as usize];
        let mut turns = Vec::new();
        for _ in 0..reader.number()? {
            let m = reader.below(actions, "a move")? as u16;
            let entries = reader.below(actions + 1, "a policy")?;
            let mut target = None;
            if entries > 0 {
                let (mut weights, mut next) = (Vec::new(), 0);
                for _ in 0..entries {
                    next = (reader.below(actions, "a move of a policy")? + next).min(actions);
                    weights.push((next as u16, reader.below(1 << 16, "a weight")? as u16));
                }
                let policy = Policy::from_weights(weights).filter(|_| next < actions);
                let policy = policy.ok_or(FormatError::Content("a policy"))?;
                let value = reader.below(1 << 16, "a value")? as f32 / STEPS;
                let bits = if version == SURPRISES { OUTLOOK + SURPRISE } else { OUTLOOK };
                let has = if version > 1 { reader.below(bits + 1, "an outlook")? } else { 0 };
                let mut outlook = None;
                if has & OUTLOOK > 0 {
                    let lead = reader.signed()? as f32 / LEAD_STEPS;
                    let mut owner = || Ok(reader.signed()? as f32 / OWNERSHIP_STEPS);
                    let ownership =
                        (0..points).map(|_| owner()).collect::<Result<Vec<f32>, FormatError>>()?;
                    if lead.abs() > MOST_LEAD || ownership.iter().any(|x| x.abs() > 1.0) {
                        return Err(FormatError::Content("an outlook"));
                    }
                    outlook = Some(Outlook { lead, ownership });
                }
                let surprise = if has & SURPRISE > 0 { Some(reader.number()?) } else { None };
                let surprise = surprise.map(|steps| steps as f32 / SURPRISE_STEPS);
                target = Some(Target { policy, value, outlook, surprise });
            }
            turns.push(Turn { m, target });
        }
        reader.finish()?;
        let (actions, komi) = (actions as usize, Komi::from_halves(komi));
        Ok(TrainingGame { size, actions, komi, stones, first, turns, winner, end })
    }
}
