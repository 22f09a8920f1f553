//! Races of arms whose efficiencies are known: how often does a race err, and what does it cost?

use rand::SeedableRng;
use rand_distr::{Binomial, Distribution};
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji_race::{Race, Rewards, Rule, Settings, Spending, Winner};

const RACES: usize = 2000;

/// What races came to.
#[derive(Default, Debug)]
struct Outcome {
    /// Races that accepted an arm no better than the threshold.
    wrong: usize,
    /// Races with an arm above the threshold of rejection that accepted none.
    missed: usize,
    /// Races in which any bound was wrong at any time.
    violated: usize,
    /// Rewards of half of the races, at most.
    median: u64,
}

fn races(arms: &[f64], settings: Settings) -> Outcome {
    let arms: Vec<[f64; 3]> = arms.iter().map(|&arm| [1.0 - arm, 0.0, arm]).collect();
    races_of(&arms, settings)
}

/// Races of arms that have these probabilities of a reward of 0, 1/2 and 1.
fn races_of(probabilities: &[[f64; 3]], settings: Settings) -> Outcome {
    let arms: Vec<f64> = probabilities.iter().map(|[_, draw, win]| 0.5 * draw + win).collect();
    let (mut outcome, mut costs) = (Outcome::default(), Vec::with_capacity(RACES));
    for seed in 0..RACES {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
        let mut race = Race::new(arms.len(), settings);
        let mut violated = false;
        while let Some(batch) = race.next() {
            let [loss, draw, win] = probabilities[batch.arm];
            let wins = Binomial::new(batch.rewards, win).unwrap().sample(&mut rng);
            let rest = batch.rewards - wins;
            let draws = match draw {
                0.0 => 0,
                draw => Binomial::new(rest, draw / (loss + draw)).unwrap().sample(&mut rng),
            };
            race.tell(batch.arm, Rewards::games([batch.rewards - wins - draws, draws, wins]));
            let arm = &race.arms()[batch.arm];
            violated |= arms[batch.arm] < arm.lower || arms[batch.arm] > arm.upper;
        }
        match race.winner() {
            Some(Winner::Arm(arm)) => outcome.wrong += usize::from(arms[arm] <= settings.accept),
            _ => outcome.missed += usize::from(arms.iter().any(|&arm| arm > settings.reject)),
        }
        outcome.violated += usize::from(violated);
        costs.push(race.arms().iter().map(|arm| arm.rewards.count()).sum::<u64>());
    }
    costs.sort_unstable();
    outcome.median = costs[RACES / 2];
    outcome
}

/// The 99.9 % quantile of the number of errors in [`RACES`] races, were each as likely as the risk
/// of .05 allows.
const MOST: usize = 131;

/// Runs the races and checks their errors, and that half of them cost about `median` rewards, from
/// a half to twice as many.
fn check(arms: &[f64], rule: Rule, spending: Spending, settings: Settings, median: u64) {
    let outcome = races(arms, Settings { rule, spending, ..settings });
    let Outcome { wrong, missed, violated, median: found } = outcome;
    assert!(wrong <= MOST && missed <= MOST && violated <= MOST, "{arms:?} {rule:?}: {outcome:?}");
    assert!(median <= 2 * found && found <= 2 * median, "{arms:?} {rule:?}: {found} rewards, not {median}");
    // The bounds are not so wide that they could never be wrong.
    assert!(rule == Rule::Bernstein || violated > 0, "{arms:?} {rule:?}: {outcome:?}");
}

fn ten(efficiency: f64, last: f64) -> Vec<f64> {
    [&[efficiency; 9][..], &[last]].concat()
}

#[test]
fn doubling_races_err_less_than_allowed() {
    // The arms, and the median of the rewards by Hoeffding with either division of the risk and by
    // Bernstein.
    for (arms, medians) in [
        (vec![0.5], [524_288, 524_288, 524_288]),
        (vec![0.5025], [4_194_304, 2_097_152, 2_097_152]),
        (vec![0.51], [131_072, 65_536, 131_072]),
        (vec![0.53], [8192, 8192, 8192]),
        (vec![0.55], [2048, 2048, 4096]),
        (ten(0.5, 0.52), [74_000, 57_000, 94_000]),
        (ten(0.5, 0.5), [7_300_000, 5_400_000, 5_800_000]),
        (ten(0.48, 0.48), [152_000, 139_000, 180_000]),
    ] {
        let settings = Settings::default();
        check(&arms, Rule::Hoeffding, Spending::Geometric, settings, medians[0]);
        check(&arms, Rule::Hoeffding, Spending::Squares, settings, medians[1]);
        check(&arms, Rule::Bernstein, Spending::Squares, settings, medians[2]);
    }
}

#[test]
fn e_processes_err_as_little_for_half_the_games() {
    let relaxed = Settings { accept: 0.505, reject: 0.53, ..Settings::default() };
    for (arms, settings, median) in [
        (vec![0.5], Settings::default(), 285_000),
        (vec![0.51], Settings::default(), 45_000),
        (vec![0.53], Settings::default(), 4000),
        (vec![0.55], Settings::default(), 1200),
        (vec![0.5], relaxed, 3500),
        (vec![0.48], relaxed, 1200),
        (vec![0.55], relaxed, 1500),
        (ten(0.48, 0.48), relaxed, 13_000),
    ] {
        check(&arms, Rule::EProcess, Spending::default(), settings, median);
    }
}

#[test]
fn betting_errs_as_little_for_fewer_games() {
    let relaxed = Settings { accept: 0.505, reject: 0.53, ..Settings::default() };
    for (arms, median) in
        [(vec![0.5], 2300), (vec![0.48], 1000), (vec![0.55], 1150), (ten(0.48, 0.48), 11_000)]
    {
        check(&arms, Rule::Betting, Spending::default(), relaxed, median);
    }
}

#[test]
fn betting_knows_that_pairs_vary_little() {
    let relaxed = Settings { accept: 0.505, reject: 0.53, ..Settings::default() };
    let median = |arm: [f64; 3], rule: Rule| {
        let outcome = races_of(&[arm], Settings { rule, ..relaxed });
        let Outcome { wrong, missed, violated, median } = outcome;
        assert!(wrong <= MOST && missed <= MOST && violated <= MOST, "{arm:?} {rule:?}: {outcome:?}");
        median
    };
    // Nine pairs of ten are split.
    for arm in [[0.05, 0.9, 0.05], [0.02, 0.88, 0.1]] {
        let [bernstein, mixture, betting] =
            [Rule::Bernstein, Rule::EProcess, Rule::Betting].map(|rule| median(arm, rule));
        assert!(4 * betting <= bernstein.min(mixture), "{arm:?}: {betting}, {bernstein}, {mixture}");
    }
}
