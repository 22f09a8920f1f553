//! The games of a match as jobs.

use crate::agent_spec::AgentSpec;
use crate::conditions::Conditions;
use crate::engine_limits::EngineLimits;
use crate::error::LabError;
use crate::job::{DataOfAgents, GameJob, JOB_FORMAT, Job, JobDone, JobResult, JobWork, platform};
use crate::record::Referee;
use crate::runner::{Outcome, Task};
use crate::store::GameRow;
use crate::verify::{Replay, faults_of_game};

/// The games of a match as jobs.
#[derive(Debug)]
pub(crate) struct GameJobs {
    conditions: Conditions,
    common: GameJob,
    frame: Job,
}

impl GameJobs {
    /// # Errors
    /// If the searches of an agent are limited by the clock, or a network cannot be read.
    pub(crate) fn new(
        agents: &[AgentSpec; 2],
        conditions: &Conditions,
        engine: EngineLimits,
        version: &str,
    ) -> Result<GameJobs, LabError> {
        let DataOfAgents { agents, files, needs_platform, is_reproducible } =
            DataOfAgents::of(agents, conditions.limit)?;
        let common = GameJob {
            conditions: conditions.canonical(),
            agents,
            opening: 0,
            replica: 0,
            a_first: true,
            engine,
        };
        let frame = Job {
            format: JOB_FORMAT,
            id: String::new(),
            version: version.to_owned(),
            platform: needs_platform.then(platform),
            is_reproducible,
            work: JobWork::Game(Box::new(common.clone())),
            files,
        };
        Ok(GameJobs { conditions: conditions.clone(), common, frame })
    }

    pub(crate) fn job(&self, task: &Task) -> Job {
        let (opening, replica) = (task.pairing.opening, task.pairing.replica);
        let game = GameJob { opening, replica, a_first: task.a_first, ..self.common.clone() };
        Job { id: task.id.clone(), work: JobWork::Game(Box::new(game)), ..self.frame.clone() }
    }

    /// The outcome of a game, which `referee` and `replay` check.
    ///
    /// # Errors
    /// If the result is not one of this game.
    pub(crate) fn outcome(
        &self,
        task: &Task,
        result: JobResult,
        referee: &dyn Referee,
        replay: &dyn Fn(Replay<'_>) -> Result<Option<f64>, String>,
    ) -> Result<(Task, Outcome), String> {
        let game = match result.done {
            JobDone::Game(game) => game,
            JobDone::Failed(why) => return Ok((task.clone(), Outcome::Failed(why))),
            _ => return Err("the result is not a game".to_owned()),
        };
        let (opening, replica) = (task.pairing.opening, task.pairing.replica);
        if (&game.id, game.a_first) != (&task.id, task.a_first) {
            return Err("the result is of another game".to_owned());
        }
        if !is_storable(&game) {
            return Err("its figures are out of range".to_owned());
        }
        let faults = faults_of_game(&self.conditions, (opening, replica), &game, referee, replay);
        match faults.into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok((task.clone(), Outcome::Finished(game, Some(result.origin)))),
        }
    }
}

/// Whether a store accepts what the rules of the game do not decide.
fn is_storable(game: &GameRow) -> bool {
    let searches = &game.searches;
    let mut seconds = searches.iter().map(|search| search.seconds).chain([game.seconds]);
    let mut counts = searches.iter().flat_map(|s| [s.simulations, s.nodes_peak, s.bytes_peak]);
    seconds.all(|seconds| (0.0..=1e12).contains(&seconds))
        && searches.iter().all(|search| !search.chosen.is_empty())
        && game.processor_seconds.iter().flatten().all(|seconds| (0.0..=1e12).contains(seconds))
        && counts.all(|count| i64::try_from(count).is_ok())
        && game.dispute_value.is_none_or(|value| [0.0, 0.5, 1.0].contains(&value))
        && game.moves.starts_with(&game.opening)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::MatchConfig;
    use crate::game_spec::GameSpec;
    use crate::store::{Ending, PlannedMatch, SearchRow, Store};

    fn planned() -> PlannedMatch {
        let config = MatchConfig::new("m", ["uct", "random"], "hex:3", 2, 9);
        MatchConfig { opening_plies: Some(0), ..config }.planned().unwrap()
    }

    fn search(ply: u32, by_a: bool, chosen: &str) -> SearchRow {
        SearchRow {
            ply,
            by_a,
            chosen: chosen.to_owned(),
            visits: Some(9),
            value: Some(0.5),
            simulations: 9,
            seconds: 0.1,
            nodes_peak: 9,
            bytes_peak: 900,
        }
    }

    #[test]
    fn a_game_that_no_store_accepts_is_no_result() {
        let planned = planned();
        let game =
            GameRow { searches: vec![search(0, true, "a1")], ..GameRow::resigned(&planned.matchup, 0, true) };
        let is_stored =
            |game: &GameRow| Store::in_memory().unwrap().insert(&planned.matchup, 0, 0, game).is_ok();
        assert!(is_storable(&game) && is_stored(&game));
        let bad: [fn(&mut GameRow); 8] = [
            |game| game.seconds = -1.0,
            |game| game.seconds = f64::NAN,
            |game| game.dispute_value = Some(0.3),
            |game| game.opening = vec!["z9".to_owned()],
            |game| game.searches[0].chosen.clear(),
            |game| game.searches[0].seconds = 1e13,
            |game| game.searches[0].simulations = 1 << 63,
            |game| game.searches[0].bytes_peak = u64::MAX,
        ];
        for spoil in bad {
            let mut game = game.clone();
            spoil(&mut game);
            assert!(!is_storable(&game) && !is_stored(&game), "{game:?}");
        }
        // Rounding may have left the range of a value.
        let mut rounded = game.clone();
        rounded.searches[0].value = Some(1.000_001);
        assert!(is_storable(&rounded) && is_stored(&rounded));
        assert!(!is_storable(&GameRow { processor_seconds: Some([0.0, 1e13]), ..game }));
    }

    /// A store has one search for each ply, so a further one with the ply of a move would end the
    /// run.
    #[test]
    fn a_forfeited_game_has_one_search_after_its_last_move() {
        let planned = planned();
        let conditions = Conditions::parse(&planned.matchup.conditions).unwrap();
        let spec = GameSpec::parse("hex:3", None).unwrap();
        let moves = ["a1", "b1"].map(str::to_owned).to_vec();
        let game = |further: Option<SearchRow>| GameRow {
            seed: conditions.game_seed(0, 0, true),
            result: spec.referee().result(&moves, 1.0, Ending::Forfeit),
            moves: moves.clone(),
            ending: Ending::Forfeit,
            detail: Some("illegal move z9".to_owned()),
            searches: [search(0, true, "a1"), search(1, false, "b1")].into_iter().chain(further).collect(),
            ..GameRow::resigned(&planned.matchup, 0, true)
        };
        let faults = |further: Option<SearchRow>| {
            let (game, referee) = (game(further), spec.referee());
            let replay = |replay: Replay<'_>| spec.start().replay(replay);
            faults_of_game(&conditions, (0, 0), &game, &*referee, &replay)
        };
        assert_eq!((faults(None), faults(Some(search(2, true, "z9")))), (vec![], vec![]));
        for further in
            [search(1, false, "b1"), search(0, true, "a1"), search(3, true, "z9"), search(2, true, "")]
        {
            let found = faults(Some(further));
            assert_eq!(found, ["1 searches are stored that belong to none of its moves"]);
        }
    }
}
