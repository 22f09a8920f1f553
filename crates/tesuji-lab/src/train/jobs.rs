//! Games of self-play as jobs.

use super::plan::{TeacherPlan, Training};
use super::self_play_faults::SelfPlayGames;
use crate::error::LabError;
use crate::job::{JOB_FORMAT, Job, JobDone, JobResult, JobTeacher, JobWork, SelfPlayJob, platform};
use crate::store::{SelfPlayRow, TrialGroup};
use crate::trial_jobs::{DoneTrials, Jobs, job_id};
use std::path::{Path, PathBuf};
use tesuji::Rng;

/// More evaluations than a game has, of which a store can hold the sum over many games.
const MOST_EVALUATIONS: u64 = 1 << 40;

/// The most bytes of the games of a job: a server takes messages of 1 MiB unless its configuration
/// says otherwise. Packed, games in base64 have no more bytes than the games themselves.
const MOST_BYTES: usize = 15 << 16;

/// The games of an iteration.
pub(super) struct SelfPlayJobs<'a> {
    cell: &'a TrialGroup,
    version: &'a str,
    games: SelfPlayGames,
    common: SelfPlayJob,
    files: Vec<(String, PathBuf)>,
    seed: u64,
    first: u64,
}

impl<'a> SelfPlayJobs<'a> {
    /// Of a network in a file. The seeds of the games from number `first` on follow from `seed`.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn new(
        plan: &Training,
        cell: &'a TrialGroup,
        network: &Path,
        version: &'a str,
        [seed, first]: [u64; 2],
    ) -> Result<SelfPlayJobs<'a>, LabError> {
        let mut files = Vec::new();
        let mut hash = |path: &Path| {
            let content = tesuji_net::read_file(path)
                .map_err(|error| LabError::Failed(format!("{}: {error}", path.display())))?;
            let hash = blake3::hash(&content).to_hex().to_string();
            files.push((hash.clone(), path.to_owned()));
            Ok::<_, LabError>(hash)
        };
        let games = SelfPlayGames::of(plan)?;
        let (game, komi) = plan.named_game()?;
        let network = hash(network)?;
        let teacher = plan.teacher.as_ref().map(|teacher| {
            let TeacherPlan { file, symmetry, every } = teacher;
            Ok::<_, LabError>(JobTeacher { network: hash(file)?, symmetry: *symmetry, every: *every })
        });
        let common = SelfPlayJob {
            game,
            komi,
            network,
            settings: plan.self_play.clone(),
            games: Vec::new(),
            teacher: teacher.transpose()?,
        };
        Ok(SelfPlayJobs { cell, version, games, common, files, seed, first })
    }
}

impl Jobs<SelfPlayRow> for SelfPlayJobs<'_> {
    fn most(&self) -> usize {
        let SelfPlayJob { settings, teacher, .. } = &self.common;
        let fit = MOST_BYTES / self.games.most_bytes(settings, teacher.is_some());
        settings.pool.min(fit).max(1)
    }

    fn job(&self, numbers: &[u64]) -> Job {
        let seed = |&number: &u64| (number, Rng::derive(self.seed, number - self.first));
        let work = SelfPlayJob { games: numbers.iter().map(seed).collect(), ..self.common.clone() };
        Job {
            format: JOB_FORMAT,
            id: job_id(&(self.cell.hash() + &self.common.network), numbers.iter().copied()),
            version: self.version.to_owned(),
            platform: Some(platform()),
            is_reproducible: true,
            work: JobWork::SelfPlay(Box::new(work)),
            files: self.files.clone(),
        }
    }

    fn outcome(&self, numbers: &[u64], result: JobResult) -> Result<DoneTrials<SelfPlayRow>, String> {
        let mut rows = match result.done {
            JobDone::SelfPlay(rows) => rows,
            JobDone::Failed(why) => return Ok(Err(LabError::Failed(format!("self-play: {why}")))),
            _ => return Err("the result is not games of self-play".to_owned()),
        };
        rows.sort_by_key(|row| row.number);
        if !rows.iter().map(|row| &row.number).eq(numbers) {
            return Err("the result is of other games".to_owned());
        }
        for row in &rows {
            self.games.check(row, true).map_err(|fault| format!("game {}: {fault}", row.number))?;
            if !(0.0..=1e12).contains(&row.seconds)
                || row.hits > row.evaluations
                || row.evaluations > MOST_EVALUATIONS
            {
                return Err(format!("game {}: its figures are out of range", row.number));
            }
        }
        Ok(Ok((rows, result.origin)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::store::Origin;
    use tesuji_go::Komi;
    use tesuji_net::Notes;
    use tesuji_train::{End, Outlook, Policy, SelfPlayed, Target, TrainingGame, Turn};

    /// The games of one job, as long and as diverse as games can be, are a message for any server.
    #[test]
    fn the_games_of_a_job_fit_into_a_message() {
        for (game, pool, actions, most) in [
            ("go:9", 1024, 82, 13),
            ("go:9", 4, 82, 4),
            ("go:13", 8, 170, 3),
            ("go:19", 8, 362, 1),
            ("hex:9", 1024, 81, 13),
        ] {
            let text = format!(
                "kind = \"train\"\nname = \"t\"\ngame = \"{game}\"\niterations = 1\n\
                 self_play = {{ pool = {pool} }}\nteacher = {{ file = \"teacher\" }}"
            );
            let experiment = Experiment::parse("t.toml", &text).unwrap();
            let plan = experiment.plan_as::<Training>().unwrap();
            let games = SelfPlayGames::of(plan).unwrap();
            let bytes = games.most_bytes(&plan.self_play, true);
            let fit = plan.self_play.pool.min(MOST_BYTES / bytes).max(1);
            assert_eq!(fit, most, "{game}");
            let size = plan.trainable().unwrap().board();
            let mut rng = Rng::new(7);
            let mut row = |number: u64| {
                let mut target = || {
                    let shares: Vec<f32> = (0..actions).map(|_| rng.unit()).collect();
                    let sum: f32 = shares.iter().sum();
                    let probabilities: Vec<f32> = shares.iter().map(|share| share / sum).collect();
                    let ownership = (0..size * size).map(|_| 2.0 * rng.unit() - 1.0).collect();
                    let outlook = Some(Outlook { lead: 300.0 * rng.unit(), ownership });
                    Target {
                        policy: Policy::of(&probabilities),
                        value: rng.unit(),
                        outlook,
                        surprise: Some(2.0),
                    }
                };
                let turns =
                    (0..3 * size * size).map(|m| Turn { m: m as u16, target: Some(target()) }).collect();
                let (winner, first) = (None, tesuji::Player::FIRST);
                let (komi, stones, end) = (Komi::from_halves(15), Vec::new(), End::Length);
                let game = TrainingGame { size, actions, komi, stones, first, turns, winner, end };
                let row =
                    SelfPlayRow::of(SelfPlayed { number, game, evaluations: 9999, hits: 99 }, 0.123_456_789);
                assert!(row.game.len() <= bytes);
                row
            };
            let rows: Vec<SelfPlayRow> = (0..most as u64).map(&mut row).collect();
            let text = serde_json::to_vec(&JobDone::SelfPlay(rows)).unwrap();
            let packed = miniz_oxide::deflate::compress_to_vec(&text, 6).len();
            assert!(packed < (1 << 20) - 4096, "{game}: {packed}");
        }
    }

    #[test]
    fn a_result_with_positions_or_evaluations_that_are_none_is_refused() {
        let text = "kind = \"train\"\nname = \"t\"\ngame = \"go:4\"\niterations = 1\n\
                    network = { filters = 1, blocks = 0 }";
        let experiment = Experiment::parse("t.toml", text).unwrap();
        let plan = experiment.plan_as::<Training>().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("net.safetensors");
        plan.first_weights().unwrap().save(&file, &Notes::new()).unwrap();
        let cell = plan.part(&[]).unwrap().group;
        let jobs = SelfPlayJobs::new(plan, &cell, &file, "", [1, 0]).unwrap();
        // Two passes, from which nothing is learned.
        let game = TrainingGame {
            size: 4,
            actions: 17,
            komi: Komi::from_halves(15),
            stones: Vec::new(),
            first: tesuji::Player::FIRST,
            turns: vec![Turn { m: 16, target: None }; 2],
            winner: Some(tesuji::Player::FIRST.other()),
            end: End::Passes,
        };
        let row = SelfPlayRow::of(SelfPlayed { number: 0, game, evaluations: 9, hits: 0 }, 0.0);
        let told = |spoil: fn(&mut SelfPlayRow)| {
            let mut row = row.clone();
            spoil(&mut row);
            let origin = Origin { worker: String::new(), version: String::new(), platform: String::new() };
            let done = JobDone::SelfPlay(vec![row]);
            jobs.outcome(&[0], JobResult { format: JOB_FORMAT, id: String::new(), origin, done }).err()
        };
        assert_eq!(told(|_| ()), None);
        assert!(told(|row| row.positions = 2).unwrap().contains("0 positions"));
        assert!(told(|row| row.evaluations = 1 << 63).unwrap().contains("out of range"));
        // In a record, it may have lost them.
        assert_eq!(jobs.games.check(&SelfPlayRow { positions: 2, ..row.clone() }, false), Ok(()));
    }
}
