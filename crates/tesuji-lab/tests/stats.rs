//! The statistics against values computed by other programs.

use tesuji_lab::stats::{self, Counts, Interval, McNemar, Sprt};

type Method = fn(f64, f64, f64) -> Interval;

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect())
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}

fn near(got: f64, wanted: &str, digits: f64, what: &str) {
    assert!((got - number(wanted)).abs() <= digits, "{what}: got {got}, wanted {wanted}");
}

#[test]
fn intervals() {
    let data = include_str!("data/intervals.csv");
    assert_eq!(rows(data).count(), 14);
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
                near(interval.lo, lo, 1e-9, &format!("{name} {row:?}"));
                near(interval.hi, hi, 1e-9, &format!("{name} {row:?}"));
            }
        }
    }
}

#[test]
fn sequential_tests() {
    let data = include_str!("data/sequential.csv");
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
        near(elo.elo, row[5], 1e-6, &format!("Elo {row:?}"));
        near(elo.error(), row[6], 1e-6, &format!("error {row:?}"));
        near(counts.los(), row[7], 1e-9, &format!("LOS {row:?}"));
    }
}

#[test]
fn bounds_of_the_sequential_test() {
    let (lower, upper) = Sprt::new(0.0, 5.0).bounds();
    near(lower, "-2.944438979", 1e-9, "lower");
    near(upper, "2.944438979", 1e-9, "upper");
}

#[test]
fn superiority_by_wins() {
    for (wins, losses, los) in
        [(10, 5, ".894943237"), (55, 45, ".840136340"), (520, 480, ".896946345"), (6, 0, ".992187500")]
    {
        near(stats::los_by_wins(wins, losses), los, 1e-9, "LOS");
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
    let data = include_str!("data/mcnemar.csv");
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
    // 240 wins of 400 games: z = 0.1 / (0.489897... / 20) = 4.082482905.
    near(Counts::Games([160, 0, 240]).p_value(), "4.455708e-5", 1e-8, "240 of 400");
    near(Counts::Games([10, 5, 10]).p_value(), "1", 1e-12, "even");
    near(Counts::Games([0, 0, 5]).p_value(), "0.0625", 1e-12, "five wins");
    near(Counts::Pairs([0, 0, 7, 0, 0]).p_value(), "1", 1e-12, "even pairs");
    near(Counts::Games([0, 0, 0]).p_value(), "1", 1e-12, "no games");
}
