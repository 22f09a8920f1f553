//! Third-party engines, controlled by GTP.

use crate::engine_limits::EngineLimits;
use std::time::Duration;
use tesuji::{
    Bot, BotError, Budget, FinalScore, Notation, Observer, Player, Reply, Report, Stop, StopReason,
};
use tesuji_go::gtp::{Client, ClientError};

/// The longest wait for an answer that needs no thought.
const SHORT: Duration = Duration::from_secs(60);
/// The longest wait for an opinion on the result: an engine that says nothing has none.
const OPINION: Duration = Duration::from_secs(10);
/// How much later than its time limit a move may come: GTP counts whole seconds.
const GRACE: Duration = Duration::from_secs(5);

/// An engine that plays through GTP.
///
/// It is told the moves of both sides. The game's [`Notation`] reads the engine's own moves, so
/// illegal ones are refused here. GTP cannot limit simulations; a time limit becomes a byo-yomi of
/// one move. An engine that knows `set_random_seed` gets the game's seed. If an engine has ended
/// since the last game, it is started again.
#[derive(Debug)]
pub struct GtpBot<G: Notation> {
    client: Client,
    limits: EngineLimits,
    /// Commands that prepare the game, such as `boardsize 9`.
    setup: Vec<String>,
    seed: u64,
    /// The engine's own move, which it has on its board already.
    own: Option<G::Move>,
    /// Who is to move on the engine's board.
    to_move: Player,
    time: Option<Duration>,
    /// The stop of the last search: it ends every wait.
    stop: Stop,
    was_killed: bool,
}

impl<G: Notation> GtpBot<G> {
    /// Starts the engine with this command line.
    ///
    /// # Errors
    /// If it cannot be started or does not speak GTP.
    pub fn spawn(command: &str, setup: Vec<String>, limits: EngineLimits) -> Result<GtpBot<G>, BotError> {
        Ok(GtpBot {
            client: begin(command, limits)?,
            limits,
            setup,
            seed: 0,
            own: None,
            to_move: Player::FIRST,
            time: None,
            stop: Stop::default(),
            was_killed: false,
        })
    }

    fn send(&mut self, command: &str, timeout: Duration) -> Result<String, BotError> {
        let answer = self.client.send_unless(&self.stop, command, timeout);
        answer.map_err(|error| self.failed(&error))
    }

    fn failed(&mut self, error: &ClientError) -> BotError {
        self.was_killed |= error.is_from_outside();
        BotError(error.to_string())
    }

    /// Whether the engine knows a command; one that does not know `known_command` knows no other
    /// either.
    fn knows(&mut self, name: &str) -> Result<bool, BotError> {
        match self.client.send_unless(&self.stop, &format!("known_command {name}"), SHORT) {
            Ok(answer) => Ok(answer == "true"),
            Err(ClientError::Refused { .. }) => Ok(false),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// What the engine answers to a question about the end of a game; none if it does not know or
    /// is silent.
    fn opinion(&mut self, name: &str, arguments: &str) -> Result<Option<String>, BotError> {
        if !self.client.is_usable() || !self.knows(name)? {
            return Ok(None);
        }
        let command = format!("{name} {arguments}");
        match self.client.send_unless(&self.stop, command.trim_end(), OPINION) {
            Ok(answer) => Ok(Some(answer)),
            Err(ClientError::Refused { .. } | ClientError::Timeout { .. }) => Ok(None),
            Err(error) => Err(self.failed(&error)),
        }
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

/// Starts an engine and waits for its first answer.
fn begin(command: &str, limits: EngineLimits) -> Result<Client, BotError> {
    let mut client = Client::spawn(command).map_err(|error| BotError(error.to_string()))?;
    match client.send("protocol_version", limits.for_handshake()) {
        Ok(_) | Err(ClientError::Refused { .. }) => Ok(client),
        Err(error @ ClientError::Timeout { .. }) => Err(BotError(format!(
            "the engine `{command}`: {error}; its command line may need an option for GTP, as in \
             `gnugo --mode gtp`"
        ))),
        Err(error) => Err(BotError(format!("the engine `{command}`: {error}"))),
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
        self.was_killed = false;
        if self.stop.is_stopped() {
            // It was that of an earlier game.
            self.stop = Stop::default();
        }
        if !self.client.is_usable() {
            self.client = begin(self.client.command(), self.limits)?;
        }
        for command in self.setup.clone() {
            self.send(&command, SHORT)?;
        }
        self.send("clear_board", SHORT)?;
        // Engines read the seed into a C int.
        self.seed = seed & 0x7fff_ffff;
        if self.knows("set_random_seed")? {
            let command = format!("set_random_seed {}", self.seed);
            // Who refuses plays with a seed of its own.
            match self.client.send_unless(&self.stop, &command, SHORT) {
                Ok(_) | Err(ClientError::Refused { .. }) => {}
                Err(error) => return Err(self.failed(&error)),
            }
        }
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
        self.stop = budget.stop.clone();
        self.limit_time(budget.time)?;
        let whole_seconds = |time: Duration| time.max(Duration::from_secs(1)) + GRACE;
        let timeout = budget.time.map_or(self.limits.for_move(), whole_seconds);
        let text = self.send(&format!("genmove {}", colour(game.to_move())), timeout)?;
        if text.eq_ignore_ascii_case("resign") {
            return Ok(Reply::Resign);
        }
        let best = game.parse_move(&text).ok_or_else(|| illegal(&text))?;
        self.own = Some(best);
        Ok(Reply::Play(Report {
            value: f32::NAN,
            reason: StopReason::Time,
            elapsed: self.client.spent(),
            ..Report::unsearched(best, self.name(), self.seed)
        }))
    }

    /// The engine's `final_score`, and the stones that it calls dead.
    fn final_score(&mut self, _: &G) -> Result<Option<FinalScore>, BotError> {
        let result = self.opinion("final_score", "")?;
        let dead = self.opinion("final_status_list", "dead")?;
        if result.is_none() && dead.is_none() {
            return Ok(None);
        }
        let dead = dead.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        Ok(Some(FinalScore { result, dead }))
    }

    fn processor_time(&mut self) -> Option<Duration> {
        self.client.processor_time()
    }

    fn was_killed(&mut self) -> bool {
        self.was_killed
    }
}

/// The engine named no move; a long text is cut off.
fn illegal(text: &str) -> BotError {
    BotError(format!("illegal move {}", text.chars().take(40).collect::<String>()))
}
