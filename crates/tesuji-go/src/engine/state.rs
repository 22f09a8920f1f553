//! The engine's game from the first move to the score.

mod records;
mod trees;

use super::decide::Situation;
use super::game_state::{self, Agents, GameState};
use super::judge::Judgement;
use super::record::Record;
use super::stones::Stones;
use super::{Clock, Evaluation, Move, Options, TimeSettings, move_text};
use crate::network::RawEvaluation;
use crate::restriction::Restriction;
use crate::rule_set::RuleSet;
use crate::rules::{Illegal, Komi, Rules};
use crate::sgf::Point;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji::{
    BotError, Budget, Drawing, Observer, Player, Reply, Report, Rng, SavedTreeError, Stop, TreeLabel,
};
use tesuji_net::Symmetry;

/// Simulations of the searches for the fates of chains, which share them out.
const FATE_SIMULATIONS: u64 = 20_000;
/// The least and the most that a chain gets of them.
const FATE_SHARE: (u64, u64) = (200, 1000);

/// A Go engine without a protocol. The game is on a board of 2 to 19 lines.
pub struct Engine {
    game_state: Box<dyn GameState>,
    agents: Rc<dyn Agents>,
    name: String,
    /// The komi that the agent assumes.
    own_komi: Option<Komi>,
    options: Options,
    rules: Rules,
    clock: Clock,
    record: Record,
    handicap: usize,
    /// Whether the players agree on dead stones at the end.
    agreement: bool,
    games: u64,
    /// The engine's moves in a row that looked lost.
    resign_streak: [u32; 2],
    /// Who resigned in this position.
    resigned: Option<Player>,
    /// The last search.
    last: Option<Report<Move>>,
    /// Time spent on searches, those on the opponent's time included.
    thought: Duration,
}

/// The engine's decision.
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
            return Err(BotError(format!("{size} is not a size of a board, 2 to 19")));
        }
        let agents: Rc<dyn Agents> = Rc::new(agents);
        Ok(Engine {
            game_state: game_state::open(&agents, size, options.rules, options.seed)?,
            name: agents.name(size),
            own_komi: agents.own_komi(size),
            agents,
            rules: options.rules,
            clock: Clock::new(TimeSettings::Unlimited, options.lag),
            record: Record::default(),
            handicap: 0,
            agreement: false,
            games: 0,
            resign_streak: [0; 2],
            resigned: None,
            last: None,
            thought: Duration::ZERO,
            options,
        })
    }

    /// The name of the agent that plays on this board.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The choices made.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the limits of a move's search: simulations, and the time where no clock is set.
    pub fn set_limits(&mut self, playouts: Option<u64>, time: Option<Duration>) {
        (self.options.playouts, self.options.time) = (playouts, time);
    }

    /// Lines of the board.
    pub fn size(&self) -> usize {
        self.game_state.size()
    }

    /// Whose turn it is, according to the moves.
    pub fn to_move(&self) -> Player {
        self.game_state.to_move()
    }

    /// Says whose turn it is.
    pub fn set_to_move(&mut self, player: Player) {
        self.game_state.set_to_move(player);
    }

    /// The moves played since the last set-up.
    pub fn moves(&self) -> &[(Player, Move)] {
        self.game_state.moves()
    }

    /// The stones on the board.
    pub fn stones(&self) -> Stones {
        self.game_state.stones()
    }

    /// The number of stones that a player has captured.
    pub fn captures(&self, player: Player) -> u32 {
        self.game_state.captures(player)
    }

    /// The board as people see it, and the state of the game.
    pub fn board_text(&self) -> String {
        let colour = if self.to_move() == Player::FIRST { "Black (X)" } else { "White (O)" };
        let (black, white) = (self.captures(Player::FIRST), self.captures(Player::SECOND));
        format!(
            "{}\n{colour} to move, move {}, komi {}, Black has captured {black}, White {white}",
            self.game_state.text(),
            self.moves().len() + 1,
            self.komi()
        )
    }

    /// The board as data to draw.
    pub fn drawing(&self) -> Option<Drawing> {
        self.game_state.drawing()
    }

    /// The komi.
    pub fn komi(&self) -> Komi {
        self.rules.komi
    }

    /// Changes the komi of this game and later ones, and of files that do not say theirs.
    pub fn set_komi(&mut self, komi: Komi) {
        (self.rules.komi, self.options.rules.komi) = (komi, komi);
        self.game_state.set_rules(self.rules);
    }

    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Changes the rules of this game and later ones. The game so far stays as it is. A file that
    /// is loaded may name others, for its game alone. Files that do not say their komi have that of
    /// [`Engine::set_komi`].
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.options.rules = Rules { komi: self.options.rules.komi, ..rules };
        self.game_state.set_rules(rules);
    }

    /// The komi that the agent assumes, if the game has another one.
    pub fn foreign_komi(&self) -> Option<Komi> {
        self.own_komi.filter(|&komi| komi != self.komi())
    }

    /// Whether the players will agree on dead stones at the end.
    pub fn agreement(&self) -> bool {
        self.agreement
    }

    /// Whether the players will agree on dead stones at the end, instead of capturing them.
    /// Default: no.
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

    /// Time spent on searches since the engine began, those on the opponent's time included.
    pub fn thinking_time(&self) -> Duration {
        self.thought
    }

    /// Empties the board for a new game, on a board of this size.
    ///
    /// # Errors
    /// If the size is not between 2 and 19, or the agent fails.
    pub fn new_game(&mut self, size: usize) -> Result<(), String> {
        let rules = Rules { komi: self.rules.komi, ..self.options.rules };
        if size == self.size() {
            let seed = self.next_seed();
            self.game_state.restart(rules, seed).map_err(|e| e.to_string())?;
        } else {
            self.game_state = self.open_game_state(size, rules)?;
            self.name_agent();
        }
        self.rules = rules;
        self.begun();
        self.record = Record::default();
        Ok(())
    }

    /// Empties the board for a game that has the random numbers of an engine's first game.
    ///
    /// # Errors
    /// As [`Engine::new_game`].
    pub fn start_over(&mut self, size: usize) -> Result<(), String> {
        self.games = 0;
        self.new_game(size)
    }

    /// The same commands lead to the same games, but no two games of a session are alike.
    fn next_seed(&mut self) -> u64 {
        self.games += 1;
        Rng::derive(self.options.seed, self.games)
    }

    fn open_game_state(&mut self, size: usize, rules: Rules) -> Result<Box<dyn GameState>, String> {
        if !(Engine::MIN_SIZE..=Engine::MAX_SIZE).contains(&size) {
            return Err("unacceptable size: boards have 2 to 19 lines".into());
        }
        let seed = self.next_seed();
        game_state::open(&self.agents, size, rules, seed).map_err(|e| e.to_string())
    }

    /// Asks who plays on this board.
    fn name_agent(&mut self) {
        let size = self.size();
        (self.name, self.own_komi) = (self.agents.name(size), self.agents.own_komi(size));
    }

    /// The board as it stands is the beginning of a game.
    fn begun(&mut self) {
        self.handicap = 0;
        self.resign_streak = [0; 2];
        self.resigned = None;
        self.last = None;
        self.clock.restart();
    }

    /// Whether a player may play this move now.
    ///
    /// # Errors
    /// Why not.
    pub fn legal(&self, player: Player, m: Move) -> Result<(), String> {
        self.game_state.legal(player, m).map_err(|fault| fault.to_string())
    }

    /// Every point that a player may play on now.
    pub fn legal_points(&self, player: Player) -> Vec<Point> {
        let legal = |p: &Point| self.game_state.legal(player, Some(*p)).is_ok();
        Stones::new(self.size()).points().filter(legal).collect()
    }

    /// Plays a move for either player, whoever's turn it is. The game may go on after two passes.
    ///
    /// # Errors
    /// If the move is illegal; the text says why.
    pub fn play(&mut self, player: Player, m: Move) -> Result<(), String> {
        self.legal(player, m)?;
        self.carry_out(player, m)
    }

    /// Plays a move of a game by other rules: as [`Engine::play`] does, but also one that repeats
    /// an earlier position. The answer is then true.
    ///
    /// # Errors
    /// If the move is illegal for another reason.
    pub fn replay(&mut self, player: Player, m: Move) -> Result<bool, String> {
        let repeats = self.repeats(player, m)?;
        self.carry_out(player, m)?;
        Ok(repeats)
    }

    /// Plays a move as [`Engine::replay`] does if it is legal by simple ko: retaking a ko at once
    /// stays illegal.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn play_by_simple_ko(&mut self, player: Player, m: Move) -> Result<bool, String> {
        let repeats = self.repeats(player, m)?;
        if repeats && self.game_state.repeats_at_once(player, m) {
            return Err(Illegal::Superko.to_string());
        }
        self.carry_out(player, m)?;
        Ok(repeats)
    }

    /// Whether a move is illegal only because it repeats an earlier position.
    fn repeats(&self, player: Player, m: Move) -> Result<bool, String> {
        match self.game_state.legal(player, m) {
            Ok(()) => Ok(false),
            Err(Illegal::Superko) => Ok(true),
            Err(fault) => Err(fault.to_string()),
        }
    }

    /// Plays a move that is a pass or at an empty point.
    fn carry_out(&mut self, player: Player, m: Move) -> Result<(), String> {
        self.game_state.play(player, m)?;
        self.record.play(player, m, self.size());
        if m.is_some_and(|point| self.stones().get(point).is_none()) {
            // Rules to come may forbid suicide.
            self.record.force();
        }
        self.resigned = None;
        Ok(())
    }

    /// Takes the last move back.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo(&mut self) -> Result<(), String> {
        if !self.game_state.undo() {
            return Err("cannot undo: no move has been played".into());
        }
        self.record.undo();
        self.resign_streak = [0; 2];
        self.resigned = None;
        Ok(())
    }

    /// Puts stones on points or takes them away. The position is then the beginning of a game,
    /// whose record keeps the earlier moves.
    ///
    /// # Errors
    /// If a chain would have no liberty.
    pub fn set_up(&mut self, edits: &[(Point, Option<Player>)]) -> Result<(), String> {
        self.game_state.set_up(edits)?;
        self.begun();
        self.record.set_up(edits, &self.game_state.stones());
        Ok(())
    }

    /// The points of a handicap of `count` stones: those that GTP fixes, or the engine's choice.
    ///
    /// # Errors
    /// If the board has no such handicap.
    pub fn handicap_points(&self, count: usize, fixed: bool) -> Result<Vec<Point>, String> {
        self.game_state.handicap_points(count, fixed)
    }

    /// Places the stones of a handicap; then White is to move.
    ///
    /// # Errors
    /// If the board is not empty, or the points are not at least two different ones.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), String> {
        self.game_state.place_handicap(points)?;
        self.begun();
        self.record = Record::start(&self.game_state.stones());
        self.handicap = points.len();
        Ok(())
    }

    /// Chooses a move for a player and, unless `dry`, plays it. `stop` ends the search early.
    ///
    /// With `cleanup` it captures dead stones before it passes, as after a dispute about them. It
    /// does not choose a move that `restriction` leaves out, unless all moves are left out.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn genmove(
        &mut self,
        player: Player,
        (cleanup, dry): (bool, bool),
        restriction: Option<&Arc<Restriction>>,
        stop: &Stop,
        observer: &mut dyn Observer<Move>,
    ) -> Result<Decision, String> {
        let (begun, resign_streak) = (Instant::now(), self.resign_streak);
        let decision = self.decide(player, cleanup, restriction, stop, observer)?;
        if dry {
            self.resign_streak = resign_streak;
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
        restriction: Option<&Arc<Restriction>>,
        stop: &Stop,
        observer: &mut dyn Observer<Move>,
    ) -> Result<Decision, String> {
        self.last = None;
        let size = self.size();
        let points = size * size;
        let cell = |m: Move| m.map_or(points, |p| usize::from(p.row) * size + usize::from(p.column));
        let barred = |m: Move| restriction.is_some_and(|r| r.bars(player, cell(m), 0));
        let opponent_passed = self.moves().last().is_some_and(|&(p, m)| p != player && m.is_none());
        let sign = if player == Player::FIRST { 1 } else { -1 };
        let situation = Situation {
            player,
            opponent_passed,
            agreement: self.agreement && !cleanup,
            cleanup,
            score: sign * self.game_state.score(),
            komi: sign * i32::from(self.komi().halves()),
        };
        if situation.ends_won() && !barred(None) {
            return Ok(Decision::Play(None));
        }
        // A judgement costs playouts: only where the end may be near.
        let late = 2 * self.moves().len() >= points;
        let early = (opponent_passed || cleanup).then(|| self.judge());
        if early.as_ref().is_some_and(|j| situation.may_pass(j)) && !barred(None) {
            return Ok(Decision::Play(None));
        }
        let played = self.moves().iter().filter(|(p, _)| *p == player).count();
        let budget = Budget {
            simulations: self.options.playouts,
            time: self.clock.allot(player, played, points).or(self.options.time),
            stop: stop.clone(),
        };
        let report = match self.think(player, cleanup, restriction, &budget, observer)? {
            Reply::Resign => return Ok(Decision::Resign),
            Reply::Play(report) => report,
        };
        let hopeful = self.options.resign.is_none_or(|threshold| report.value >= threshold);
        let resign_streak = &mut self.resign_streak[player.index()];
        *resign_streak = if hopeful { 0 } else { *resign_streak + 1 };
        let resigns =
            *resign_streak >= 3 && self.moves().len() as f32 >= self.options.resign_after * points as f32;
        if resigns && !cleanup {
            self.last = Some(report);
            return Ok(Decision::Resign);
        }
        let winning = report.value >= 0.9;
        let judged = early.or_else(|| ((late && winning) || report.best.is_none()).then(|| self.judge()));
        let legal = |m| self.game_state.legal(player, m).is_ok();
        let chosen = situation.choose(&report, judged.as_ref(), legal);
        let other = report.children.iter().map(|c| c.m).find(|&m| !barred(m));
        self.last = Some(report);
        Ok(Decision::Play(if barred(chosen) { other.unwrap_or(chosen) } else { chosen }))
    }

    /// Searches without playing, for a player to move, until the budget ends; moves that
    /// `restriction` leaves out are not looked at.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn analyze(
        &mut self,
        player: Player,
        restriction: Option<&Arc<Restriction>>,
        budget: &Budget,
        observer: &mut dyn Observer<Move>,
    ) -> Result<Option<Report<Move>>, String> {
        self.last = match self.think(player, false, restriction, budget, observer)? {
            Reply::Resign => None,
            Reply::Play(report) => Some(report),
        };
        Ok(self.last.clone())
    }

    /// The evaluation of the position by the agent's network, if the agent has one, for a player to
    /// move. If dead stones are removed by [agreement](Engine::agreement), passes before it do not
    /// count, as in a search.
    ///
    /// # Errors
    /// If the network cannot be had any more.
    pub fn evaluate(&self, player: Player) -> Result<Option<Evaluation>, String> {
        self.game_state.evaluate(player, !self.agreement).map_err(|e| e.to_string())
    }

    /// All outputs of the agent's network for the position in each of these symmetries, for a
    /// player to move; none without a network.
    ///
    /// # Errors
    /// If the network cannot be had any more.
    pub fn raw_evaluations(
        &self,
        player: Player,
        symmetries: &[Symmetry],
    ) -> Result<Option<Vec<RawEvaluation>>, String> {
        self.game_state.raw(player, symmetries).map_err(|e| e.to_string())
    }

    /// Searches on the opponent's time until `stop`.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn ponder(&mut self, stop: &Stop) -> Result<(), String> {
        let budget = Budget { stop: stop.clone(), ..Budget::default() };
        self.think(self.to_move(), false, None, &budget, &mut ()).map(|_| ())
    }

    fn think(
        &mut self,
        player: Player,
        cleanup: bool,
        restriction: Option<&Arc<Restriction>>,
        budget: &Budget,
        observer: &mut dyn Observer<Move>,
    ) -> Result<Reply<Move>, String> {
        let begun = Instant::now();
        // A second pass ends the game as it stands only where no stones are taken off after it.
        let passes_end = !self.agreement && !cleanup;
        let reply = self.game_state.think(player, passes_end, restriction, budget, observer);
        let reply = reply.map_err(|e| e.to_string());
        self.thought += begun.elapsed();
        reply
    }

    /// Judges the life of the stones on the board by playouts alone.
    pub fn judge(&self) -> Judgement {
        Judgement::new(self.game_state.stones(), self.ownership(self.options.judge_playouts))
    }

    /// The share of N random playouts in which Black owns each point, in the order of
    /// [`Stones::points`].
    pub fn ownership(&self, playouts: u32) -> Vec<f32> {
        self.game_state.ownership(playouts, self.options.seed)
    }

    /// Who owns each point in the end, in rows from the top: 1 is the player to move, -1 the
    /// opponent. The agent's network tells it, or else random playouts.
    ///
    /// # Errors
    /// If the network cannot be had any more.
    pub fn owners(&self, player: Player) -> Result<Vec<f32>, String> {
        if let Some(expectation) = self.evaluate(player)?.and_then(|said| said.expectation) {
            return Ok(expectation.ownership);
        }
        let black = self.ownership(self.options.judge_playouts);
        let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
        Ok(black.chunks(self.size()).rev().flatten().map(|share| sign * (2.0 * share - 1.0)).collect())
    }

    /// Judges the life of the stones on the board by playouts. A search, in which the player to
    /// move begins, judges each chain that playouts leave in doubt. `stop` ends the searches early.
    pub fn final_judgement(&mut self, stop: &Stop) -> Judgement {
        let begun = Instant::now();
        let mut judgement = self.judge();
        let doubtful = judgement.doubtful();
        let share = FATE_SIMULATIONS / doubtful.len().max(1) as u64;
        let budget = Budget {
            simulations: Some(share.clamp(FATE_SHARE.0, FATE_SHARE.1)),
            stop: stop.clone(),
            ..Budget::default()
        };
        for (number, i) in (0..).zip(doubtful) {
            let chain = &judgement.chains[i].0;
            let seed = Rng::derive(self.options.seed, number);
            let kept = self.game_state.fate(chain.player, &chain.stones, &budget, seed);
            if stop.is_stopped() {
                // A search that was cut short knows less than the playouts.
                break;
            }
            judgement.decide(i, kept);
        }
        self.thought += begun.elapsed();
        judgement
    }

    /// The score in half points, komi included, above 0 if Black wins: the area count after the
    /// dead stones of [`Engine::final_judgement`] are removed.
    pub fn final_score(&mut self, stop: &Stop) -> i32 {
        2 * self.final_judgement(stop).area() - i32::from(self.komi().halves())
    }

    /// The score of the board with every stone alive, in half points.
    pub fn score(&self) -> i32 {
        self.game_state.score()
    }

    /// Whether both players passed last.
    pub fn is_over(&self) -> bool {
        self.game_state.passes() >= 2
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
