//! Engines of someone else, spoken to by GTP.

use std::time::{Duration, Instant};
use tesuji::{Bot, BotError, Budget, Notation, Observer, Player, Reply, Report, StopReason};
use tesuji_go::gtp::Client;

/// The longest wait for an answer that needs no thought.
const SHORT: Duration = Duration::from_secs(60);
/// The longest wait for a move where the engine's time is not limited.
const LONG: Duration = Duration::from_secs(600);
/// How much later than its time limit a move may come: GTP counts whole seconds.
const GRACE: Duration = Duration::from_secs(5);

/// An engine that plays through GTP.
///
/// It is told the moves of both sides; its own are read by the game's [`Notation`], so whatever the rules of the
/// game call illegal is refused here. Simulations cannot be limited through GTP; a time limit is told as
/// a byo-yomi of one move. An engine that knows `set_random_seed` gets the game's seed.
#[derive(Debug)]
pub struct GtpBot<G: Notation> {
    client: Client,
    /// Commands that prepare the game, such as `boardsize 9`.
    setup: Vec<String>,
    seed: u64,
    /// The engine's own move, which it has on its board already.
    own: Option<G::Move>,
    /// Who is to move on the engine's board.
    to_move: Player,
    time: Option<Duration>,
}

impl<G: Notation> GtpBot<G> {
    /// Starts the engine with this command line.
    ///
    /// # Errors
    /// If it cannot be started or does not speak GTP.
    pub fn spawn(command: &str, setup: Vec<String>) -> Result<GtpBot<G>, BotError> {
        let client = Client::spawn(command).map_err(|e| BotError(e.to_string()))?;
        let mut bot = GtpBot { client, setup, seed: 0, own: None, to_move: Player::FIRST, time: None };
        bot.send("protocol_version", SHORT)?;
        Ok(bot)
    }

    fn send(&mut self, command: &str, timeout: Duration) -> Result<String, BotError> {
        self.client.send(command, timeout).map_err(|e| BotError(e.to_string()))
    }

    fn send_if_known(&mut self, name: &str, arguments: &str) -> Result<Option<String>, BotError> {
        if self.send(&format!("known_command {name}"), SHORT)? != "true" {
            return Ok(None);
        }
        Ok(self.client.send(&format!("{name} {arguments}"), SHORT).ok())
    }

    /// Byo-yomi of one move, in whole seconds, at least one.
    fn limit_time(&mut self, time: Option<Duration>) -> Result<(), BotError> {
        if let Some(limit) = time
            && self.time != time
        {
            let seconds = limit.as_secs_f64().ceil().max(1.0);
            self.send(&format!("time_settings 0 {seconds} 1"), SHORT)?;
        }
        self.time = time;
        Ok(())
    }
}

fn colour(player: Player) -> &'static str {
    if player == Player::FIRST { "b" } else { "w" }
}

impl<G: Notation> Bot<G> for GtpBot<G> {
    fn name(&self) -> String {
        format!("gtp:{}", self.client.command())
    }

    fn new_game(&mut self, start: &G, seed: u64) -> Result<(), BotError> {
        for command in self.setup.clone() {
            self.send(&command, SHORT)?;
        }
        self.send("clear_board", SHORT)?;
        // Engines read the seed into a C int.
        self.seed = seed & 0x7fff_ffff;
        self.send_if_known("set_random_seed", &self.seed.to_string())?;
        (self.own, self.to_move, self.time) = (None, start.to_move(), None);
        Ok(())
    }

    fn played(&mut self, m: G::Move, after: &G) -> Result<(), BotError> {
        let player = std::mem::replace(&mut self.to_move, after.to_move());
        match self.own.take() {
            Some(own) if own == m => return Ok(()),
            Some(_) => {
                self.send("undo", SHORT)?;
            }
            None => {}
        }
        // The text of a move does not depend on the position in the games that GTP knows.
        let text = after.move_text(m);
        self.send(&format!("play {} {text}", colour(player)), SHORT)?;
        Ok(())
    }

    fn genmove(
        &mut self,
        game: &G,
        budget: &Budget,
        _: &mut dyn Observer<G::Move>,
    ) -> Result<Reply<G::Move>, BotError> {
        self.limit_time(budget.time)?;
        let begun = Instant::now();
        let timeout = budget.time.map_or(LONG, |time| time.max(Duration::from_secs(1)) + GRACE);
        let text = self.send(&format!("genmove {}", colour(game.to_move())), timeout)?;
        if text.eq_ignore_ascii_case("resign") {
            return Ok(Reply::Resign);
        }
        let best = game.parse_move(&text).ok_or_else(|| BotError(format!("illegal move {text}")))?;
        self.own = Some(best);
        Ok(Reply::Play(Report {
            value: f32::NAN,
            reason: StopReason::Time,
            elapsed: begun.elapsed(),
            ..Report::unsearched(best, self.name(), self.seed)
        }))
    }

    /// The engine's `final_score`, with the stones that it takes for dead.
    fn final_score(&mut self, _: &G) -> Option<String> {
        let score = self.send_if_known("final_score", "").ok()??;
        let dead = self.send_if_known("final_status_list", "dead").ok().flatten().unwrap_or_default();
        let dead = dead.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(if dead.is_empty() { score } else { format!("{score} (dead: {dead})") })
    }
}
