//! Ratings of several players from their results against each other.

use super::{Counts, score_of_elo, z};
use serde::{Deserialize, Serialize};

/// The results of two players against each other, from the side of the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encounter {
    /// The first player's index.
    pub a: usize,
    /// The second player's index.
    pub b: usize,
    /// The number of games.
    pub games: f64,
    /// Points of the first: wins plus half of the draws.
    pub points: f64,
    /// The variance of the points, estimated from the games. Without it, that of independent games
    /// without draws.
    pub variance: Option<f64>,
}

/// A player's place on the Elo scale.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// The estimate.
    pub elo: f64,
    /// Half the width of its interval.
    pub error: f64,
}

/// Elo points of a unit of log-odds: 400/ln 10.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

impl Encounter {
    /// An encounter from counts. If pairs were counted, the variance is that of pairs; if all
    /// outcomes are equal, there is none.
    pub fn of(a: usize, b: usize, counts: &Counts) -> Encounter {
        let variety = counts.as_slice().iter().filter(|&&n| n > 0).count();
        let variance = (variety > 1).then(|| {
            let outcome = counts.games_an_outcome() as f64;
            let d = counts.distribution();
            d.total * d.variance() * outcome * outcome
        });
        Encounter { a, b, games: counts.games() as f64, points: counts.points(), variance }
    }
}

/// The ratings of `players` players in the model of Bradley and Terry (1952), in which player i
/// scores 1/(1 + 10^((r_j - r_i)/400)) against player j: the most likely ratings if every two
/// players that met had drawn `draws` more games. With 1, all ratings of players that met are
/// finite, as with the virtual draws of Coulom's Bayeselo (2008). With 0, they are finite only if
/// no player and no group of players won or lost all games against the others.
///
/// The ratings are relative to that of `anchor`, or to the mean. Players have ratings only if a
/// chain of games connects them with the anchor; without an anchor, the largest connected group has
/// ratings, if it has games. The error is z(`confidence`) standard errors of that difference, by
/// the sandwich estimator H⁺ V H⁺ (White 1982): H the information of the games in the model, V the
/// variances of the points that the encounters show. Newton's method, O(`players`³) a step.
///
/// # Panics
/// If an index is not below `players`.
pub fn ratings(
    players: usize,
    encounters: &[Encounter],
    anchor: Option<usize>,
    draws: f64,
    confidence: f64,
) -> Vec<Option<Rating>> {
    let mut rated = vec![None; players];
    let groups = connected(players, encounters);
    let group = match anchor {
        Some(anchor) => groups.into_iter().find(|group| group.contains(&anchor)),
        None => groups.into_iter().rev().max_by_key(Vec::len),
    };
    let Some(group) = group.filter(|group| group.len() > 1) else { return rated };
    let place = |player: usize| group.iter().position(|&own| own == player);
    let inside = encounters.iter().filter(|e| e.games > 0.0).filter_map(|e| {
        let (a, b) = (place(e.a)?, place(e.b)?);
        Some(Encounter { a, b, ..*e })
    });
    let (strength, covariance) = fit(group.len(), &inside.collect::<Vec<_>>(), draws);
    let anchor = anchor.and_then(place);
    let mean = strength.iter().sum::<f64>() / group.len() as f64;
    let zero = anchor.map_or(mean, |k| strength[k]);
    for (i, &player) in group.iter().enumerate() {
        let variance = match anchor {
            Some(k) => covariance[i][i] + covariance[k][k] - 2.0 * covariance[i][k],
            None => covariance[i][i],
        };
        let error = z(confidence) * SCALE * variance.max(0.0).sqrt();
        rated[player] = Some(Rating { elo: SCALE * (strength[i] - zero), error });
    }
    rated
}

/// The players in groups that games connect.
fn connected(players: usize, encounters: &[Encounter]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = (0..players).map(|player| vec![player]).collect();
    for e in encounters.iter().filter(|e| e.games > 0.0) {
        let of = |player: usize| groups.iter().position(|group| group.contains(&player));
        let (a, b) = (of(e.a).expect("a player"), of(e.b).expect("a player"));
        if a != b {
            let joined = groups.swap_remove(a.max(b));
            groups[a.min(b)].extend(joined);
        }
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups
}

/// The likeliest log-odds of connected players, with mean 0, and their covariance.
fn fit(players: usize, encounters: &[Encounter], draws: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut strength = vec![0.0; players];
    let mut inverse = Vec::new();
    for _ in 0..100 {
        let mut gradient = vec![0.0; players];
        // H + 11ᵀ is regular, as the players are connected.
        let mut information = vec![vec![1.0 / players as f64; players]; players];
        for e in encounters {
            let p = score_of_elo(SCALE * (strength[e.a] - strength[e.b]));
            let (games, points) = (e.games + draws, e.points + draws / 2.0);
            gradient[e.a] += points - games * p;
            gradient[e.b] -= points - games * p;
            add(&mut information, e, games * p * (1.0 - p));
        }
        // Without virtual draws, odds that grow without end leave it no information.
        for (i, row) in information.iter_mut().enumerate() {
            row[i] += 1e-12;
        }
        inverse = invert(information);
        let step: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum::<f64>()).collect();
        let longest = step.iter().fold(0.0_f64, |longest, x| longest.max(x.abs()));
        // Far from the solution a whole step may go beyond it.
        let part = (1.0 / longest).min(1.0);
        strength.iter_mut().zip(&step).for_each(|(s, step)| *s += part * step);
        if longest < 1e-12 {
            break;
        }
    }
    let mut variances = vec![vec![0.0; players]; players];
    for e in encounters {
        let p = score_of_elo(SCALE * (strength[e.a] - strength[e.b]));
        add(&mut variances, e, e.variance.unwrap_or((e.games + draws) * p * (1.0 - p)));
    }
    let covariance = product(&product(&inverse, &variances), &inverse);
    (strength, covariance)
}

/// Adds x (e_a - e_b)(e_a - e_b)ᵀ.
fn add(matrix: &mut [Vec<f64>], e: &Encounter, x: f64) {
    matrix[e.a][e.a] += x;
    matrix[e.b][e.b] += x;
    matrix[e.a][e.b] -= x;
    matrix[e.b][e.a] -= x;
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let cell = |row: &[f64], j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..b.len()).map(|j| cell(row, j)).collect()).collect()
}

/// The inverse of a positive definite matrix, by elimination.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for k in 0..n {
        let pivot = matrix[k][k];
        for x in matrix[k].iter_mut().chain(inverse[k].iter_mut()) {
            *x /= pivot;
        }
        let (row, own) = (matrix[k].clone(), inverse[k].clone());
        for i in (0..n).filter(|&i| i != k) {
            let factor = matrix[i][k];
            for j in 0..n {
                matrix[i][j] -= factor * row[j];
                inverse[i][j] -= factor * own[j];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encounter(a: usize, b: usize, games: f64, points: f64) -> Encounter {
        Encounter { a, b, games, points, variance: None }
    }

    #[test]
    fn true_strengths_are_found() {
        // With the virtual draw, the points are exactly those that the model expects of one game
        // more.
        let truth = [120.0, 30.0, -150.0];
        let of = |a: usize, b: usize, games: f64| {
            encounter(a, b, games, (games + 1.0) * score_of_elo(truth[a] - truth[b]) - 0.5)
        };
        let all = [of(0, 1, 50.0), of(1, 2, 80.0), of(2, 0, 20.0)];
        for (rating, truth) in ratings(3, &all, None, 1.0, 0.95).into_iter().flatten().zip(truth) {
            assert!((rating.elo - truth).abs() < 1e-8, "{rating:?} {truth}");
        }
        let anchored: Vec<_> = ratings(3, &all, Some(2), 1.0, 0.95).into_iter().flatten().collect();
        assert!((anchored[0].elo - 270.0).abs() < 1e-8 && anchored[2] == Rating { elo: 0.0, error: 0.0 });
        assert!(anchored[0].error > anchored[1].error, "fewer games: {anchored:?}");
    }

    #[test]
    fn two_players_have_the_error_of_their_score() {
        // The slope of the Elo scale at p is SCALE/(p(1 - p)); with p = 1/2 and 99 + 1 games the
        // score's error is 1/20.
        let error = |variance| {
            let e = Encounter { variance, ..encounter(0, 1, 99.0, 49.5) };
            ratings(2, &[e], Some(1), 1.0, 0.95)[0].unwrap().error
        };
        let wanted = z(0.95) * SCALE * 4.0 * 0.05;
        assert!((error(None) - wanted).abs() < 1e-6, "{} {wanted}", error(None));
        assert!((error(Some(25.0 / 4.0)) - wanted / 2.0).abs() < 1e-6, "a quarter of the variance");
    }

    #[test]
    fn a_player_who_never_lost_has_a_rating() {
        let all = [encounter(0, 1, 30.0, 30.0), encounter(1, 2, 10.0, 5.0)];
        let rated: Vec<_> = ratings(3, &all, Some(1), 1.0, 0.95).into_iter().flatten().collect();
        assert!(rated[0].elo > 300.0 && rated[0].error.is_finite() && rated[0].error > 100.0, "{rated:?}");
        assert!(rated[2].elo.abs() < 1e-6);
    }

    #[test]
    fn who_is_not_connected_has_no_rating_and_changes_none() {
        let own = [encounter(1, 2, 30.0, 20.0), encounter(2, 4, 10.0, 5.0)];
        let alone = ratings(5, &own, Some(2), 1.0, 0.95);
        let others = [encounter(0, 5, 40.0, 1.0), encounter(3, 4, 0.0, 0.0)];
        let together = ratings(7, &[own, others].concat(), Some(2), 1.0, 0.95);
        assert_eq!(together[..5], alone[..]);
        let rated = |rated: &[Option<Rating>]| rated.iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(rated(&together), [false, true, true, false, true, false, false]);
        assert!(together.iter().flatten().all(|rating| rating.error < 300.0), "{together:?}");
        let largest = ratings(7, &[own, others].concat(), None, 1.0, 0.95);
        assert_eq!(rated(&largest), rated(&together));
        assert!(largest.iter().flatten().map(|rating| rating.elo).sum::<f64>().abs() < 1e-9);
        let of_others = ratings(7, &[own, others].concat(), Some(5), 1.0, 0.95);
        assert_eq!(rated(&of_others), [true, false, false, false, false, true, false]);
        assert_eq!(ratings(3, &own[..1], Some(0), 1.0, 0.95), [None; 3]);
        assert_eq!(ratings(2, &[], None, 1.0, 0.95), [None; 2]);
    }

    #[test]
    fn pairs_that_always_come_out_even_vary_less_than_their_games() {
        let games = Encounter::of(0, 1, &Counts::Games([50, 0, 50])).variance.unwrap();
        let pairs = Encounter::of(0, 1, &Counts::Pairs([0, 1, 48, 1, 0])).variance.unwrap();
        assert!((games - 25.0).abs() < 0.1 && pairs < 1.0, "{games} {pairs}");
    }
}
