//! The engine's game from the first move to the score.

use super::decide::{Situation, Verdict};
use super::judge::Judgement;
use super::stones::Stones;
use super::table::{self, Agents, Table};
use super::{Clock, Evaluation, Move, Options, TimeSettings, move_text};
use crate::sgf::{Action, GameRecord, MainLine, Point, RecordedMove};
use crate::{Komi, Rules};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tesuji::{BotError, Budget, Observer, Player, Reply, Report, Rng, Stop};

/// Opens an empty table of a size, with rules and a seed.
type Open = dyn Fn(usize, Rules, u64) -> Result<Box<dyn Table>, BotError>;

/// A Go engine without a protocol. The game is on a board of 2 to 19 lines.
pub struct Engine {
    table: Box<dyn Table>,
    open: Box<Open>,
    name: String,
    options: Options,
    rules: Rules,
    clock: Clock,
    /// Stones that were on the board before the first move.
    start: Stones,
    handicap: usize,
    /// Whether the players agree on dead stones at the end.
    agreement: bool,
    games: u64,
    /// The engine's moves in a row that looked lost.
    hopeless: [u32; 2],
    /// Who resigned in this position.
    resigned: Option<Player>,
    /// The last search.
    last: Option<Report<Move>>,
    /// Time spent on searches.
    thought: Duration,
}

/// What the engine does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It plays.
    Play(Move),
    /// It gives up.
    Resign,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decision::Play(m) => f.write_str(&move_text(*m)),
            Decision::Resign => f.write_str("resign"),
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("name", &self.name)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// The smallest board.
    pub const MIN_SIZE: usize = 2;
    /// The largest board.
    pub const MAX_SIZE: usize = 19;

    /// An engine that plays with these agents, at first on an empty board of this size.
    ///
    /// # Errors
    /// If the size is not between 2 and 19 or there is no agent for it.
    pub fn new(agents: impl Agents + 'static, size: usize, options: Options) -> Result<Engine, BotError> {
        if !(Engine::MIN_SIZE..=Engine::MAX_SIZE).contains(&size) {
            return Err(BotError(format!("{size} is no size of a board, 2 to 19")));
        }
        let name = agents.name();
        let agents = Rc::new(agents);
        let open = Box::new(move |size, rules, seed| table::open(&agents, size, rules, seed));
        Ok(Engine {
            table: open(size, options.rules, options.seed)?,
            open,
            name,
            rules: options.rules,
            clock: Clock::new(TimeSettings::Unlimited, options.lag),
            start: Stones::new(size),
            handicap: 0,
            agreement: false,
            games: 0,
            hopeless: [0; 2],
            resigned: None,
            last: None,
            thought: Duration::ZERO,
            options,
        })
    }

    /// The agents' name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The choices made.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Lines of the board.
    pub fn size(&self) -> usize {
        self.table.size()
    }

    /// Whose turn it is, as far as the moves tell.
    pub fn to_move(&self) -> Player {
        self.table.to_move()
    }

    /// Says whose turn it is.
    pub fn set_to_move(&mut self, player: Player) {
        self.table.set_to_move(player);
    }

    /// The moves played since the last set-up.
    pub fn moves(&self) -> &[(Player, Move)] {
        self.table.moves()
    }

    /// The stones on the board.
    pub fn stones(&self) -> Stones {
        self.table.stones()
    }

    /// How many stones a player has captured.
    pub fn captures(&self, player: Player) -> u32 {
        self.table.captures(player)
    }

    /// The board as people see it, and the state of the game.
    pub fn board_text(&self) -> String {
        let colour = if self.to_move() == Player::FIRST { "Black (X)" } else { "White (O)" };
        let (black, white) = (self.captures(Player::FIRST), self.captures(Player::SECOND));
        format!(
            "{}\n{colour} to move, move {}, komi {}, Black has captured {black}, White {white}",
            self.table.text(),
            self.moves().len() + 1,
            self.komi()
        )
    }

    /// The komi.
    pub fn komi(&self) -> Komi {
        self.rules.komi
    }

    /// Changes the komi of this game and later ones.
    pub fn set_komi(&mut self, komi: Komi) {
        self.rules.komi = komi;
        self.table.set_komi(komi);
    }

    /// Whether the players will agree on dead stones at the end, instead of capturing them. Default: no.
    pub fn set_agreement(&mut self, agreement: bool) {
        self.agreement = agreement;
    }

    /// The clock.
    pub fn clock(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// Sets the time limits of this game and later ones.
    pub fn set_time(&mut self, settings: TimeSettings) {
        self.clock = Clock::new(settings, self.options.lag);
    }

    /// The last search, if there was one in this game.
    pub fn last_report(&self) -> Option<&Report<Move>> {
        self.last.as_ref()
    }

    /// Time spent on searches since the engine began.
    pub fn thinking_time(&self) -> Duration {
        self.thought
    }

    /// Empties the board for a new game, on a board of this size.
    ///
    /// # Errors
    /// If the size is not between 2 and 19, or the agent fails.
    pub fn new_game(&mut self, size: usize) -> Result<(), String> {
        if size == self.size() {
            let seed = self.next_seed();
            self.table.restart(self.rules, seed).map_err(|e| e.to_string())?;
        } else {
            self.table = self.open_table(size, self.rules)?;
        }
        self.begun();
        Ok(())
    }

    /// The same commands lead to the same games, but no two games of a session are alike.
    fn next_seed(&mut self) -> u64 {
        self.games += 1;
        Rng::derive(self.options.seed, self.games)
    }

    fn open_table(&mut self, size: usize, rules: Rules) -> Result<Box<dyn Table>, String> {
        if !(Engine::MIN_SIZE..=Engine::MAX_SIZE).contains(&size) {
            return Err("unacceptable size: boards have 2 to 19 lines".into());
        }
        let seed = self.next_seed();
        (self.open)(size, rules, seed).map_err(|e| e.to_string())
    }

    /// The board as it stands is the beginning of a game.
    fn begun(&mut self) {
        self.start = self.table.stones();
        self.handicap = 0;
        self.hopeless = [0; 2];
        self.resigned = None;
        self.last = None;
        self.clock.restart();
    }

    /// Whether a player may play this move now.
    ///
    /// # Errors
    /// Why not.
    pub fn legal(&self, player: Player, m: Move) -> Result<(), String> {
        self.table.legal(player, m)
    }

    /// Every point that a player may play on now.
    pub fn legal_points(&self, player: Player) -> Vec<Point> {
        let legal = |p: &Point| self.table.legal(player, Some(*p)).is_ok();
        self.start.points().filter(legal).collect()
    }

    /// Plays a move for either player, whoever's turn it is. The game may go on after two passes.
    ///
    /// # Errors
    /// If the move is illegal; the text says why.
    pub fn play(&mut self, player: Player, m: Move) -> Result<(), String> {
        self.table.play(player, m)?;
        self.resigned = None;
        Ok(())
    }

    /// Takes the last move back.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo(&mut self) -> Result<(), String> {
        if !self.table.undo() {
            return Err("cannot undo: no move has been played".into());
        }
        self.hopeless = [0; 2];
        self.resigned = None;
        Ok(())
    }

    /// Puts stones on points or takes them away; the position is the beginning of a game.
    ///
    /// # Errors
    /// If a chain would have no liberty.
    pub fn set_up(&mut self, edits: &[(Point, Option<Player>)]) -> Result<(), String> {
        self.table.set_up(edits)?;
        self.begun();
        Ok(())
    }

    /// The points of a handicap of so many stones: those that GTP fixes, or our own choice.
    ///
    /// # Errors
    /// If the board has no such handicap.
    pub fn handicap_points(&self, count: usize, fixed: bool) -> Result<Vec<Point>, String> {
        self.table.handicap_points(count, fixed)
    }

    /// Places the stones of a handicap; then White is to move.
    ///
    /// # Errors
    /// If the board is not empty, or the points are not at least two different ones.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), String> {
        self.table.place_handicap(points)?;
        self.begun();
        self.handicap = points.len();
        Ok(())
    }

    /// Chooses a move for a player and, unless `dry`, plays it. `stop` ends the search early.
    ///
    /// With `cleanup` it captures dead stones before it passes, as after a dispute about them.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn genmove(
        &mut self,
        player: Player,
        cleanup: bool,
        dry: bool,
        stop: &Stop,
        observer: &mut dyn Observer<Move>,
    ) -> Result<Decision, String> {
        let (begun, hopeless) = (Instant::now(), self.hopeless);
        let decision = self.decide(player, cleanup, stop, observer)?;
        if dry {
            self.hopeless = hopeless;
        } else {
            self.clock.spend(player, begun.elapsed());
            match decision {
                Decision::Play(m) => self.play(player, m)?,
                Decision::Resign => self.resigned = Some(player),
            }
        }
        Ok(decision)
    }

    fn decide(
        &mut self,
        player: Player,
        cleanup: bool,
        stop: &Stop,
        observer: &mut dyn Observer<Move>,
    ) -> Result<Decision, String> {
        self.last = None;
        let points = self.size() * self.size();
        let opponent_passed = self.moves().last().is_some_and(|&(p, m)| p != player && m.is_none());
        let sign = if player == Player::FIRST { 1 } else { -1 };
        let situation = Situation {
            player,
            opponent_passed,
            agreement: self.agreement && !cleanup,
            cleanup,
            score: sign * self.table.score(),
            komi: sign * i32::from(self.komi().halves()),
        };
        if situation.ends_won() {
            return Ok(Decision::Play(None));
        }
        // A judgement costs playouts: only where the end may be near.
        let late = 2 * self.moves().len() >= points;
        let early = (opponent_passed || cleanup).then(|| self.judge());
        if early.as_ref().is_some_and(|j| situation.may_pass(j)) {
            return Ok(Decision::Play(None));
        }
        let played = self.moves().iter().filter(|(p, _)| *p == player).count();
        let budget = Budget {
            simulations: self.options.playouts,
            time: self.clock.allot(player, played, points).or(self.options.time),
            stop: stop.clone(),
        };
        let report = match self.think(player, cleanup, &budget, observer)? {
            Reply::Resign => return Ok(Decision::Resign),
            Reply::Play(report) => report,
        };
        let hopeful = self.options.resign.is_none_or(|threshold| report.value >= threshold);
        let hopeless = &mut self.hopeless[player.index()];
        *hopeless = if hopeful { 0 } else { *hopeless + 1 };
        let resigns =
            *hopeless >= 3 && self.moves().len() as f32 >= self.options.resign_after * points as f32;
        if resigns && !cleanup {
            self.last = Some(report);
            return Ok(Decision::Resign);
        }
        let winning = report.value >= 0.9;
        let judged = early.or_else(|| ((late && winning) || report.best.is_none()).then(|| self.judge()));
        let verdict = situation.verdict(&report, judged.as_ref(), |m| self.table.legal(player, m).is_ok());
        self.last = Some(report);
        Ok(Decision::Play(match verdict {
            Verdict::Pass => None,
            Verdict::Play(m) => m,
        }))
    }

    /// Searches without playing, for a player to move, until the budget ends.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn analyze(
        &mut self,
        player: Player,
        budget: &Budget,
        observer: &mut dyn Observer<Move>,
    ) -> Result<Option<Report<Move>>, String> {
        self.last = match self.think(player, false, budget, observer)? {
            Reply::Resign => None,
            Reply::Play(report) => Some(report),
        };
        Ok(self.last.clone())
    }

    /// What the agent's network makes of the position, if it has one, for a player to move.
    ///
    /// # Errors
    /// If the network cannot be had any more.
    pub fn evaluate(&self, player: Player) -> Result<Option<Evaluation>, String> {
        self.table.evaluate(player).map_err(|e| e.to_string())
    }

    /// Searches on the opponent's time until `stop`.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn ponder(&mut self, stop: &Stop) -> Result<(), String> {
        let budget = Budget { stop: stop.clone(), ..Budget::default() };
        self.table
            .think(self.to_move(), !self.agreement, &budget, &mut ())
            .map(|_| ())
            .map_err(|e| e.to_string())
    }

    fn think(
        &mut self,
        player: Player,
        cleanup: bool,
        budget: &Budget,
        observer: &mut dyn Observer<Move>,
    ) -> Result<Reply<Move>, String> {
        let begun = Instant::now();
        // A second pass ends the game as it stands only where no stones are taken off after it.
        let passes_end = !self.agreement && !cleanup;
        let reply = self.table.think(player, passes_end, budget, observer).map_err(|e| e.to_string());
        self.thought += begun.elapsed();
        reply
    }

    /// Judges the life of the stones on the board.
    pub fn judge(&self) -> Judgement {
        let black = self.table.ownership(self.options.judge_playouts, self.options.seed);
        Judgement::new(self.table.stones(), black)
    }

    /// The score in half points, komi included, above 0 where Black wins: the area count once dead stones are off the board.
    pub fn final_score(&self) -> i32 {
        2 * self.judge().area() - i32::from(self.komi().halves())
    }

    /// The score as it stands, every stone alive, in half points.
    pub fn score(&self) -> i32 {
        self.table.score()
    }

    /// Whether both players passed last.
    pub fn is_over(&self) -> bool {
        self.table.passes() >= 2
    }

    /// The game so far.
    pub fn record(&self) -> GameRecord {
        let stones = |player| self.start.points().filter(|&p| self.start.get(p) == Some(player)).collect();
        let result = match self.resigned {
            Some(Player::FIRST) => "W+R".into(),
            Some(_) => "B+R".into(),
            None if self.is_over() => result_text(self.score()),
            None => String::new(),
        };
        GameRecord {
            size: self.size(),
            komi: self.komi().points(),
            handicap: self.handicap,
            black_stones: stones(Player::FIRST),
            white_stones: stones(Player::SECOND),
            rules: "Tromp-Taylor".into(),
            result,
            to_move: Some(self.to_move()),
            moves: self.moves().iter().map(|&(player, m)| RecordedMove::new(player, m)).collect(),
            ..GameRecord::default()
        }
    }

    /// Loads the main line of a game, up to before the move with this number (counted from 1), or all of it.
    ///
    /// # Errors
    /// If the size is not supported or a move is illegal; the game is then the one before.
    pub fn load(&mut self, line: &MainLine, before_move: Option<usize>) -> Result<(), String> {
        let komi = line.komi.map_or(self.rules.komi, Komi::from_points);
        let rules = Rules { komi, ..self.rules };
        let opened = self.open_table(line.size, rules)?;
        let table = std::mem::replace(&mut self.table, opened);
        let (start, clock, last) = (self.start.clone(), self.clock.clone(), self.last.take());
        let before = (table, self.rules, start, self.handicap, self.hopeless, self.resigned, last, clock);
        self.rules = rules;
        self.begun();
        let followed = self.follow(line, before_move);
        if followed.is_err() {
            (
                self.table,
                self.rules,
                self.start,
                self.handicap,
                self.hopeless,
                self.resigned,
                self.last,
                self.clock,
            ) = before;
        }
        followed
    }

    /// Plays a game that was read.
    fn follow(&mut self, line: &MainLine, before_move: Option<usize>) -> Result<(), String> {
        let last = before_move.map_or(usize::MAX, |n| n.saturating_sub(1));
        let mut number = 0;
        let mut edits = BTreeMap::new();
        let mut to_move = None;
        for (i, step) in line.steps.iter().enumerate() {
            match step.action {
                Action::Set(points, stone) => {
                    edits.extend(points.points().map(|point| (point, stone)));
                    let more = line.steps.get(i + 1).is_some_and(|s| matches!(s.action, Action::Set(..)));
                    if !more {
                        let edits: Vec<_> = std::mem::take(&mut edits).into_iter().collect();
                        self.set_up(&edits).map_err(|e| format!("{}: {e}", step.at))?;
                    }
                }
                Action::ToMove(player) => to_move = Some(player),
                Action::Play(player, m) => {
                    if number == last {
                        to_move = to_move.or(Some(player));
                        break;
                    }
                    number += 1;
                    to_move = None;
                    self.play(player, m).map_err(|e| {
                        format!("{}: move {number} ({}) is illegal: {e}", step.at, move_text(m))
                    })?;
                }
            }
        }
        self.handicap = line.handicap;
        // After handicap stones it is White's turn, where the file does not say more.
        let after_stones = (number == 0 && line.handicap > 1).then_some(Player::SECOND);
        // Passes no longer count where the turn changes.
        if let Some(player) = to_move.or(after_stones).filter(|&player| player != self.to_move()) {
            self.set_to_move(player);
        }
        Ok(())
    }
}

/// A score in half points as GTP and SGF write it: `B+3.5`, `W+0.5`, `0`.
pub(crate) fn result_text(score: i32) -> String {
    let colour = match score {
        0 => return "0".into(),
        1.. => 'B',
        _ => 'W',
    };
    format!("{colour}+{}{}", score.unsigned_abs() / 2, if score % 2 == 0 { "" } else { ".5" })
}
