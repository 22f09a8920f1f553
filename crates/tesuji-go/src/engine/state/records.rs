//! Loading a record, and writing one.

use super::*;
use crate::engine::move_text;
use crate::engine::record::Head;
use crate::rule_set::{HandicapBonus, Ko, RuleSet, Scoring, Tax};
use crate::sgf::{APPLICATION, Action, MainLine, Tree};
use std::collections::BTreeMap;

impl Engine {
    /// The game so far as the main line of a record, with the variations that a loaded file has
    /// beside it.
    pub fn record(&self) -> Tree {
        let result = match self.resigned {
            Some(Player::FIRST) => "W+R".into(),
            Some(_) => "B+R".into(),
            None => match self.record.result() {
                Some(result) => result,
                // By agreement the dead stones do not count, and nobody has named them.
                None if self.is_over() && !self.agreement => result_text(self.score()),
                None => String::new(),
            },
        };
        self.record.to_tree(&Head {
            size: self.size(),
            komi: self.komi().points(),
            handicap: self.handicap,
            rules: self.played().to_object(self.rules.suicide),
            result,
            to_move: self.to_move(),
        })
    }

    /// The rules that the game goes by, whatever a network is told.
    pub(crate) fn played(&self) -> RuleSet {
        RuleSet::new(Ko::Positional, Scoring::Area, Tax::None, HandicapBonus::None, self.agreement)
    }

    /// The rules that a file names: what a network is told, and whether suicide is legal.
    fn named_rules(&self, line: &MainLine) -> (RuleSet, bool) {
        match RuleSet::parse(&line.rules) {
            // Records of this program that do not have an object say `Tromp-Taylor` of games
            // without suicide too.
            Some((told, _)) if line.application == APPLICATION && !line.rules.starts_with('{') => {
                (told, self.options.rules.suicide)
            }
            named => named.unwrap_or((self.options.rules.told, self.options.rules.suicide)),
        }
    }

    /// Loads the main line of a game, up to before the move with this number (counted from 1), or
    /// all of it. Returns warnings, a sentence each: of faults of the file, and of moves that are
    /// played although they repeat an earlier position or, by `KO`, are suicide.
    ///
    /// # Errors
    /// If the file is of another game, its size is not supported or a move is illegal; the game is
    /// then the one before.
    pub fn load(&mut self, file: &Tree, before_move: Option<usize>) -> Result<Vec<String>, String> {
        let line = MainLine::read(file).map_err(|e| e.to_string())?;
        let komi = line.komi.map_or(self.options.rules.komi, Komi::from_points);
        let (told, suicide) = self.named_rules(&line);
        let rules = Rules { komi, told, suicide, ..self.rules };
        let opened = self.open_game_state(line.size, rules)?;
        let game_state = std::mem::replace(&mut self.game_state, opened);
        let record = std::mem::replace(&mut self.record, Record::load(file));
        let (clock, last) = (self.clock.clone(), self.last.take());
        let before =
            (game_state, self.rules, record, self.handicap, self.resign_streak, self.resigned, last, clock);
        self.rules = rules;
        self.begun();
        let followed = self.follow(&line, before_move);
        if followed.is_err() {
            (
                self.game_state,
                self.rules,
                self.record,
                self.handicap,
                self.resign_streak,
                self.resigned,
                self.last,
                self.clock,
            ) = before;
        }
        self.name_agent();
        let faults = line.faults.iter().map(ToString::to_string);
        followed.map(|warning| faults.chain(warning).collect())
    }

    /// Plays a game that was read. Warns of its illegal moves.
    fn follow(&mut self, line: &MainLine, before_move: Option<usize>) -> Result<Option<String>, String> {
        let last = before_move.map_or(usize::MAX, |n| n.saturating_sub(1));
        let mut number = 0;
        let (mut first_illegal, mut illegal) = (None, 0);
        let mut edits = BTreeMap::new();
        let mut to_move = None;
        for (i, step) in line.steps.iter().enumerate() {
            match step.action {
                Action::Set(points, stone) => {
                    edits.extend(points.points().map(|point| (point, stone)));
                    let more = line.steps.get(i + 1).is_some_and(|s| matches!(s.action, Action::Set(..)));
                    if !more {
                        let edits: Vec<_> = std::mem::take(&mut edits).into_iter().collect();
                        self.game_state.set_up(&edits).map_err(|e| format!("{}: {e}", step.at))?;
                        self.begun();
                    }
                }
                Action::ToMove(player) => to_move = Some(player),
                Action::Play(player, m) => {
                    if number == last {
                        to_move = to_move.or(Some(player));
                        break;
                    }
                    number += 1;
                    // Whose turn it is here, if the moves are taken back.
                    let turn = to_move.take().unwrap_or(player);
                    if turn != self.to_move() {
                        self.set_to_move(turn);
                    }
                    let named = || format!("{}: move {number} ({})", step.at, move_text(m));
                    let why = match self.game_state.legal(player, m) {
                        Ok(()) => None,
                        Err(Illegal::Superko) => Some("repeats an earlier position"),
                        Err(Illegal::Suicide) if step.forced => Some("is suicide"),
                        Err(fault) => return Err(format!("{} is illegal: {fault}", named())),
                    };
                    if let Some(why) = why {
                        illegal += 1;
                        first_illegal.get_or_insert_with(|| format!("{} {why}", named()));
                    }
                    self.game_state.play(player, m)?;
                    self.record.next_move();
                }
            }
        }
        self.record.next_set_up();
        self.handicap = line.handicap;
        // After handicap stones it is White's turn, where the file does not say more.
        let after_stones = (number == 0 && line.handicap > 1).then_some(Player::SECOND);
        // Passes no longer count where the turn changes.
        if let Some(player) = to_move.or(after_stones).filter(|&player| player != self.to_move()) {
            self.set_to_move(player);
        }
        Ok(first_illegal.map(|first| match illegal {
            1 => format!("{first}; it is played all the same"),
            more => {
                format!("{first}; it is played all the same, and so are {} later illegal moves", more - 1)
            }
        }))
    }
}
