//! The benchmark of 60 evaluations: 8 and then 13 batches of 4, each point proposed while the
//! others of its batch are under way.
//!
//! `cargo run --release -p tesuji-tune --example bo60 -- TABLE [SEEDS [PROBLEM]]` appends to the
//! table a row for each problem, method and seed that it does not have yet, and prints the medians
//! of its regrets. Here seeds are a count, or a range such as `100..140`; a method is this crate's,
//! or 60 points of a Sobol sequence with the same recommendation in the end. The medians are also
//! written beside the table, as `TABLE-medians.csv` without the first `.csv`.

mod problem;

use problem::{Noise, PROBLEMS, Problem};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::fs::{OpenOptions, read_to_string};
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tesuji_tune::{Acquisition, Optimizer, Pending, Settings};

/// The columns of the table. The seconds are those of a processor that a suggestion took, on
/// average and at 56 observations.
const HEADER: &str = "problem,method,seed,regret,seconds,last_seconds";

/// The methods: 60 suggestions, and how they are made.
const METHODS: [&str; 2] = ["tesuji", "sobol"];

/// Processor time of this thread.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The regret after 60 evaluations, and the seconds of a suggestion, on average and in the last
/// batch.
fn run(problem: &Problem, method: &str, seed: u64) -> (f64, f64, f64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x5eed);
    let settings = match method {
        "sobol" => Settings { initial: 60, ..Settings::default() },
        // What is known to be noisy is looked for as `tesuji tune` looks for win rates.
        _ if !matches!(problem.noise, Noise::None) => {
            Settings { acquisition: Acquisition::KnowledgeGradient, ..Settings::default() }
        }
        _ => Settings::default(),
    };
    let mut optimizer = Optimizer::within(problem.region(), settings, seed);
    let (mut seconds, mut last) = (0.0, 0.0);
    for batch in [8].into_iter().chain([4; 13]) {
        let mut pending: Vec<Pending> = Vec::new();
        last = 0.0;
        for _ in 0..batch {
            let begun = processor_time();
            let x = optimizer.ask(&pending);
            last += (processor_time() - begun).as_secs_f64();
            let variance = match problem.noise {
                Noise::Games(games) => 0.25 / f64::from(games),
                _ => 0.0,
            };
            pending.push(Pending { x, variance });
        }
        seconds += last;
        for point in pending {
            let (y, variance) = problem.observe(&point.x, &mut rng);
            optimizer.tell(point.x, y, variance);
        }
    }
    let recommended = match problem.noise {
        Noise::None => {
            let best = optimizer.observations().iter().max_by(|a, b| a.y.total_cmp(&b.y));
            best.expect("60 observations").x.clone()
        }
        _ => optimizer.recommend().expect("60 observations").0,
    };
    (problem.greatest - (problem.function)(&recommended), seconds / 60.0, last / 4.0)
}

/// The seeds meant by a count or a range.
fn seeds(argument: &str) -> Option<Vec<u64>> {
    match argument.split_once("..") {
        Some((first, end)) => Some((first.parse().ok()?..end.parse().ok()?).collect()),
        None => Some((0..argument.parse().ok()?).collect()),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give the file of the table: bo60 TABLE [SEEDS [PROBLEM]]")?;
    let seeds = match arguments.next() {
        Some(argument) => seeds(&argument).ok_or("seeds are a count or a range such as 100..140")?,
        None => (0..20).collect(),
    };
    let only = arguments.next();
    let old = read_to_string(&path).unwrap_or_default();
    let table = Mutex::new(OpenOptions::new().create(true).append(true).open(&path)?);
    if old.is_empty() {
        writeln!(table.lock().unwrap(), "{HEADER}")?;
    }
    let problems = PROBLEMS.iter().filter(|problem| only.as_deref().is_none_or(|name| name == problem.name));
    let jobs: Vec<(&Problem, &str, u64)> = problems
        .flat_map(|problem| METHODS.map(|method| (problem, method)))
        .flat_map(|(problem, method)| seeds.iter().map(move |&seed| (problem, method, seed)))
        .filter(|(problem, method, seed)| {
            !old.lines().any(|row| row.starts_with(&format!("{},{method},{seed},", problem.name)))
        })
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(&(problem, method, seed)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (regret, seconds, last) = run(problem, method, seed);
                    let row =
                        format!("{},{method},{seed},{regret:.6e},{seconds:.4},{last:.4}\n", problem.name);
                    // One write, so that no row is torn.
                    table.lock().unwrap().write_all(row.as_bytes()).expect("the table can be written");
                }
            });
        }
    });
    let medians = summary(&read_to_string(&path)?);
    std::fs::write(format!("{}-medians.csv", path.trim_end_matches(".csv")), medians)?;
    Ok(())
}

/// Prints a line for each problem and method of a table, and gives them as a table.
fn summary(table: &str) -> String {
    let mut medians = String::from("problem,method,seeds,median,mean,most,seconds,last_seconds\n");
    let mut groups: BTreeMap<(&str, &str), Vec<[f64; 3]>> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |i: usize| cells[i].parse().unwrap_or(f64::NAN);
        groups.entry((cells[0], cells[1])).or_default().push([number(3), number(4), number(5)]);
    }
    for ((problem, method), rows) in groups {
        let mut regrets: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        regrets.sort_by(f64::total_cmp);
        let n = regrets.len();
        let median = (regrets[(n - 1) / 2] + regrets[n / 2]) / 2.0;
        let mean = |i: usize| rows.iter().map(|row| row[i]).sum::<f64>() / n as f64;
        let (most, seconds, last) = (regrets[n - 1], mean(1), mean(2));
        println!(
            "{problem:12} {method:6} {n:3} seeds: regret median {median:.2e}, mean {:.2e}, most {most:.2e}; \
             processor seconds a suggestion {seconds:.3}, at 56 observations {last:.3}",
            mean(0)
        );
        medians += &format!(
            "{problem},{method},{n},{median:.2e},{:.2e},{most:.2e},{seconds:.3},{last:.3}\n",
            mean(0)
        );
    }
    medians
}
