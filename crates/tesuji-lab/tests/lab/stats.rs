//! The statistics against values computed by other programs.

use tesuji_lab::stats::{self, Counts, Encounter, Interval, McNemar, Sprt};

type Method = fn(f64, f64, f64) -> Interval;

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect())
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}

/// Within `error` of what was wanted.
fn near(got: f64, wanted: &str, error: f64, what: &str) {
    assert!((got - number(wanted)).abs() <= error, "{what}: got {got}, wanted {wanted}");
}

/// The same in every printed decimal.
fn printed(got: f64, wanted: &str, what: &str) {
    let decimals = wanted.split_once('.').map_or(12, |(_, decimals)| decimals.len());
    near(got, wanted, 0.5001 * 0.1_f64.powi(decimals as i32), what);
}

#[test]
fn intervals() {
    let data = include_str!("../data/intervals.csv");
    assert_eq!(rows(data).count(), 19);
    for row in rows(data) {
        let (k, n, confidence) = (number(row[0]), number(row[1]), number(row[2]));
        let methods: [(&str, Method); 3] = [
            ("Agresti-Coull", stats::agresti_coull),
            ("Wilson", stats::wilson),
            ("Clopper-Pearson", stats::clopper_pearson),
        ];
        for (i, (name, method)) in methods.into_iter().enumerate() {
            let (lo, hi) = (row[3 + 2 * i], row[4 + 2 * i]);
            if !lo.is_empty() {
                let interval = method(k, n, confidence);
                printed(interval.lo, lo, &format!("{name} {row:?}"));
                printed(interval.hi, hi, &format!("{name} {row:?}"));
            }
        }
    }
}

#[test]
fn sequential_tests() {
    let data = include_str!("../data/sequential.csv");
    assert_eq!(rows(data).count(), 13);
    for row in rows(data) {
        let counts: Vec<u64> = row[2].split(' ').map(|n| n.parse().unwrap()).collect();
        let counts = match counts[..] {
            [l, d, w] => Counts::Games([l, d, w]),
            [a, b, c, d, e] => Counts::Pairs([a, b, c, d, e]),
            _ => panic!("{row:?}"),
        };
        let sprt = Sprt::new(number(row[0]), number(row[1]));
        let elo = counts.elo();
        near(sprt.llr(&counts), row[3], 1e-8, &format!("LLR {row:?}"));
        near(sprt.llr_normalized(&counts), row[4], 1e-8, &format!("normalized LLR {row:?}"));
        printed(elo.elo, row[5], &format!("Elo {row:?}"));
        printed(elo.error(), row[6], &format!("error {row:?}"));
        printed(counts.los(), row[7], &format!("LOS {row:?}"));
    }
}

#[test]
fn bounds_of_the_sequential_test() {
    let (lower, upper) = Sprt::new(0.0, 5.0).bounds();
    printed(lower, "-2.944438979", "lower");
    printed(upper, "2.944438979", "upper");
    // ln(0.1 / 0.95) and ln(0.9 / 0.05).
    let (lower, upper) = Sprt { beta: 0.1, ..Sprt::new(0.0, 5.0) }.bounds();
    printed(lower, "-2.251291799", "lower");
    printed(upper, "2.890371758", "upper");
}

/// As the formulas give them, worked out apart: (mean - 1/2) / deviation of an outcome, times
/// 800/ln 10 a game, less by the root of 2 a pair.
#[test]
fn normalized_elo() {
    for (counts, elo, error) in [
        (Counts::Games([300, 400, 330]), "12.948159784", "21.217967358"),
        (Counts::Pairs([10, 200, 480, 230, 15]), "13.982273629", "15.747136281"),
        (Counts::Pairs([40, 0, 95, 0, 30]), "-22.958966664", "37.485455052"),
    ] {
        let normalized = counts.normalized_elo();
        near(normalized.elo, elo, 1e-8, "normalized Elo");
        near(normalized.error(), error, 1e-8, "error");
        // The test that is told this difference finds the observed frequencies likeliest.
        let llr = |elo1: f64| Sprt::new(0.0, elo1).llr_normalized(&counts);
        let best = llr(normalized.elo);
        assert!(best > llr(normalized.elo - 1.0) && best > llr(normalized.elo + 1.0), "{counts:?}");
    }
}

#[test]
fn tests_of_great_differences_have_an_answer() {
    for counts in [Counts::Games([3, 5, 10]), Counts::Games([0, 0, 9]), Counts::Pairs([0, 1, 2, 3, 4])] {
        let mut before = f64::INFINITY;
        for elo1 in [350.0, 400.0, 700.0, 1000.0] {
            let sprt = Sprt::asked(0.0, elo1).unwrap();
            assert!(sprt.llr(&counts).is_finite(), "{counts:?} {elo1}");
            let llr = sprt.llr_normalized(&counts);
            assert!(
                llr.is_finite() && (llr < before || counts.score() == 1.0),
                "{counts:?} {elo1}: {llr} after {before}"
            );
            before = llr;
        }
    }
    for (elo0, elo1) in [(0.0, 7000.0), (5.0, 0.0), (0.0, f64::NAN)] {
        assert!(Sprt::asked(elo0, elo1).unwrap_err().to_string().contains("from -1000 to 1000"));
    }
    let even = Counts::Pairs([0, 0, 5, 0, 0]).normalized_elo();
    assert_eq!(even.elo, 0.0);
    assert_eq!(Counts::Pairs([0, 0, 0, 5, 0]).normalized_elo().elo, f64::INFINITY);
}

#[test]
fn superiority_by_wins() {
    for (wins, losses, los) in
        [(10, 5, ".894943237"), (55, 45, ".840136340"), (520, 480, ".896946345"), (6, 0, ".992187500")]
    {
        printed(stats::los_by_wins(wins, losses), los, "LOS");
    }
}

#[test]
fn without_variance_the_interval_is_that_of_the_games() {
    let even = Counts::Pairs([0, 0, 1, 0, 0]).elo();
    assert!(even.elo == 0.0 && even.lo < -300.0 && even.hi > 300.0, "{even:?}");
    let won = Counts::Games([0, 0, 10]).elo();
    assert!(won.elo == f64::INFINITY && won.hi == f64::INFINITY && won.lo > 100.0, "{won:?}");
    let lost = Counts::Pairs([5, 0, 0, 0, 0]).elo();
    assert!(lost.elo == f64::NEG_INFINITY && lost.lo == f64::NEG_INFINITY && lost.hi < -100.0, "{lost:?}");
}

#[test]
fn counts_read_as_people_write_them() {
    assert_eq!(Counts::from_list(&[3, 2, 1]), Ok(Counts::Games([1, 2, 3])));
    let pairs = Counts::from_list(&[0, 1, 2, 3, 4]).unwrap();
    assert_eq!((pairs.games(), pairs.points()), (20, 15.0));
    assert!(Counts::from_list(&[1, 2]).unwrap_err().to_string().starts_with("2 counts given; accepted"));
    assert!(Counts::from_list(&[0, 0, 0]).is_err());
}

#[test]
fn mcnemar() {
    let data = include_str!("../data/mcnemar.csv");
    assert_eq!(rows(data).count(), 5);
    for row in rows(data) {
        let [worse, better] = [row[0], row[1]].map(|n| n.parse().unwrap());
        let test = McNemar { worse, better };
        near(test.z(), row[2], 1e-12, &format!("z {row:?}"));
        near(test.p(), row[3], 1e-12, &format!("p {row:?}"));
    }
}

/// As `p.adjust(p, "holm")` of R does.
#[test]
fn holm_adjusts_as_r_does() {
    for (p, adjusted) in [
        (vec![0.01, 0.04, 0.03, 0.005], vec![0.03, 0.06, 0.06, 0.02]),
        (vec![0.5, 0.6], vec![1.0, 1.0]),
        (vec![0.01, 0.02, 0.022, 0.09, 0.3], vec![0.05, 0.08, 0.08, 0.18, 0.3]),
    ] {
        for (got, wanted) in stats::holm(&p).into_iter().zip(adjusted) {
            assert!((got - wanted).abs() < 1e-12, "{p:?}: {got} is not {wanted}");
        }
    }
}

#[test]
fn p_values_of_matches() {
    // Counted in whole numbers, over all ways to turn outcomes into their mirror images.
    for (counts, p) in [
        (Counts::Games([160, 0, 240]), "7.426568076372639e-5"),
        (Counts::Games([10, 5, 10]), "1"),
        (Counts::Games([0, 0, 5]), "0.0625"),
        (Counts::Games([59, 0, 1]), "1.0581813203458523e-16"),
        (Counts::Games([2, 3, 38]), "1.4933903003111482e-9"),
        (Counts::Games([0, 0, 0]), "1"),
        (Counts::Pairs([0, 0, 7, 0, 0]), "1"),
        (Counts::Pairs([3, 1, 4, 1, 9]), "0.119140625"),
        (Counts::Pairs([10, 20, 48, 23, 15]), "0.316827499048038"),
        (Counts::Pairs([29, 1, 0, 0, 0]), "1.862645149230957e-9"),
        (Counts::Pairs([40, 0, 95, 0, 30]), "0.2819789217936561"),
    ] {
        let (found, wanted): (f64, f64) = (counts.p_value(), p.parse().unwrap());
        assert!((found / wanted - 1.0).abs() < 1e-9, "{counts:?}: {found} is not {wanted}");
    }
    // The approximation takes over where it is good enough.
    let [exact, normal] = [10_000, 10_001].map(|n| Counts::Pairs([n - 5000, 30, 40, 10, 5000]).p_value());
    assert!((exact / normal - 1.0).abs() < 0.1 && exact > 0.5, "{exact} {normal}");
}

#[test]
fn a_few_equal_outcomes_prove_little() {
    assert!((Counts::Games([0, 0, 1]).los() - 0.75).abs() < 1e-12);
    assert!((Counts::Pairs([0, 0, 0, 1, 0]).los() - 0.75).abs() < 1e-12);
    assert!((Counts::Pairs([3, 0, 0, 0, 0]).los() - 1.0 / 16.0).abs() < 1e-12);
    assert!((Counts::Pairs([0, 0, 9, 0, 0]).los() - 0.5).abs() < 1e-12);
    let elo = Counts::Games([3, 0, 97]).elo();
    assert!(elo.hi.is_finite() && elo.lo < elo.elo && elo.elo < elo.hi, "{elo:?}");
}

#[test]
fn ratings_of_a_league() {
    let data = include_str!("../data/baseball.csv");
    let wins: Vec<Vec<f64>> = rows(data).map(|row| row[1].split(' ').map(number).collect()).collect();
    let mut encounters = Vec::new();
    for (b, against) in wins.iter().enumerate() {
        for (a, own) in wins[..b].iter().enumerate() {
            let (points, games) = (own[b], own[b] + against[a]);
            encounters.push(Encounter { a, b, games, points, variance: None });
        }
    }
    let one_error = 0.6826894921370859;
    let ratings = stats::ratings(wins.len(), &encounters, Some(6), 0.0, one_error);
    let elo = |log_odds: f64| log_odds * 400.0 / 10_f64.ln();
    for (rating, row) in ratings.into_iter().zip(rows(data)) {
        let rating = rating.expect("all teams met");
        printed(rating.elo / elo(1.0), row[2], row[0]);
        printed(rating.error / elo(1.0), row[3], row[0]);
    }
}
