//! The steps of an experiment, asked for one after the other.

use crate::error::LabError;
use crate::experiment::match_config::MatchConfig;
use crate::experiment::run::named;
use crate::experiment::session::Session;
use crate::matches::Match;
use crate::process::reset_peak_memory;
use crate::runner::RunReport;
use crate::trials::Trial;
use serde_json::json;

/// The state of an experiment, which says what comes next and learns what came out.
///
/// A state follows from the record: whoever opens it anew comes to the same place.
pub trait Steps {
    /// The number of parts that are played at a time, on threads of their own; none if each part
    /// has all threads.
    fn width(&self) -> Option<usize> {
        None
    }

    /// The next step. Work of its own, such as a draw or a learning step, is done in here.
    ///
    /// # Errors
    /// If there can be none.
    fn ask(&mut self, session: &mut Session<'_>) -> Result<NextStep<'_>, LabError>;

    /// The games that the step of a part has if the part, a match of this name, has N.
    fn done(&mut self, name: &str, games: u64) -> u64 {
        let _ = name;
        games
    }

    /// Learns how the match of this name went, whose games are in the store. It is not played if
    /// nothing is missing.
    ///
    /// # Errors
    /// If the experiment cannot go on.
    fn tell(&mut self, session: &mut Session<'_>, name: &str, played: Played) -> Result<(), LabError> {
        let _ = (session, name);
        played.map(drop)
    }

    /// Goes back to where trials are missing, as those of a worker became void.
    ///
    /// # Errors
    /// If the store fails.
    fn reopen(&mut self, session: &mut Session<'_>) -> Result<(), LabError>;
}

/// How a match went.
pub type Played = Result<RunReport, LabError>;

/// What an experiment does next.
#[derive(Debug)]
pub enum NextStep<'a> {
    /// Play what is missing of a match.
    Play {
        /// The match.
        played: Match,
        /// The games that it has then.
        games: u64,
        /// What people are told of it.
        about: String,
        /// The number of the step, from 1, and of how many.
        place: (usize, usize),
    },
    /// Play a match as a part of a step, of which the experiment itself tells.
    Part {
        /// The match.
        played: Match,
        /// The games that it has then.
        games: u64,
        /// The beginning of notes about it.
        label: String,
    },
    /// Make the missing trials of a group.
    Make {
        /// The group.
        trial: &'a dyn Trial,
        /// The number of the step, from 1, and of how many.
        place: (usize, usize),
    },
    /// The experiment has done work of its own.
    Worked,
    /// Nothing until a part has ended that is under way; without one the experiment is done.
    Done,
}

impl NextStep<'_> {
    /// A match of two agents that says itself what it is.
    pub(crate) fn between(played: Match, games: u64, place: (usize, usize)) -> Self {
        let about = format!("{} against {}", played.planned().a, played.planned().b);
        NextStep::Play { played, games, about, place }
    }

    /// Matches of what was found, with fresh games.
    pub(crate) fn validations(matches: Vec<Match>, session: &Session<'_>) -> impl Iterator<Item = Self> {
        let of = matches.len();
        matches.into_iter().zip(1..).map(move |(m, number)| {
            let games = session.most(m.planned().games);
            NextStep::between(m, games, (number, of))
        })
    }
}

/// Matches and groups of trials that are known from the beginning.
#[derive(Debug)]
pub(crate) struct ListedSteps<'a> {
    matches: Vec<MatchConfig>,
    trials: Vec<Box<dyn Trial + 'a>>,
    /// The place of the next one among those that are chosen.
    next: usize,
}

impl<'a> ListedSteps<'a> {
    pub(crate) fn new(
        matches: Vec<MatchConfig>,
        trials: Vec<Box<dyn Trial + 'a>>,
        session: &Session<'_>,
    ) -> Result<ListedSteps<'a>, LabError> {
        if !trials.is_empty() {
            let run = json!({ "version": session.options.version, "threads": session.options.threads });
            session.store.event("run", &run)?;
        }
        Ok(ListedSteps { matches, trials, next: 0 })
    }
}

impl Steps for ListedSteps<'_> {
    fn ask(&mut self, session: &mut Session<'_>) -> Result<NextStep<'_>, LabError> {
        let next = session.chosen.get(self.next).filter(|_| !session.is_stopped());
        let Some(&i) = next else {
            if !self.trials.is_empty() {
                session.store.event("end", &json!({ "stopped": session.is_stopped() }))?;
            }
            return Ok(NextStep::Done);
        };
        self.next += 1;
        let place = (self.next, session.chosen.len());
        let Some(config) = self.matches.get(i) else {
            return Ok(NextStep::Make { trial: &*self.trials[i - self.matches.len()], place });
        };
        reset_peak_memory();
        let about = format!("{} against {}, {}", config.a, config.b, config.game);
        let played = config.unchecked().map_err(|error| named(&config.name, error))?;
        Ok(NextStep::Play { played, games: session.most(config.games), about, place })
    }

    fn tell(&mut self, _: &mut Session<'_>, name: &str, played: Played) -> Result<(), LabError> {
        played.map(drop).map_err(|error| named(name, error))
    }

    fn reopen(&mut self, _: &mut Session<'_>) -> Result<(), LabError> {
        self.next = 0;
        Ok(())
    }
}
