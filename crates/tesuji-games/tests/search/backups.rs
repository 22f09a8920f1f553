//! Properties that every backup has, or every one of its kind.

use crate::games::{Choice, RandomTree, Swapped};
use crate::trees::{self, Count};
use proptest::prelude::*;
use tesuji::{Backup, Budget, Mean, Options, RoundRobin, Search, Ucb, Uniform, Value};

/// The value of a choice, for the player to choose, after every move was tried `rounds` times.
fn value<B: Backup>(backup: B, values: &[f32], rounds: u64) -> f64 {
    let game = Choice { values: values.to_vec(), chosen: None };
    let mut search = Search::new(&game, RoundRobin {}, backup, Uniform {}, Options::default(), 1).unwrap();
    search.run(&game, &Budget::simulations(rounds * values.len() as u64)).unwrap();
    // The root's value has the point of view of the opponent, who moved into it.
    1.0 - search.tree().node(search.tree().root()).exact_value()
}

/// As visits and values of all nodes: what the two players see when they change places.
fn mirror<B: Backup + Clone>(backup: &B, depth: u32, seed: u64) {
    let game = RandomTree::<Value>::new(depth, seed);
    let swapped = Swapped(game.clone());
    let options = Options::default;
    let mut one = Search::new(&game, Ucb { c: 0.7 }, backup.clone(), Uniform {}, options(), seed).unwrap();
    let mut two = Search::new(&swapped, Ucb { c: 0.7 }, backup.clone(), Uniform {}, options(), seed).unwrap();
    one.run(&game, &Budget::simulations(300)).unwrap();
    two.run(&swapped, &Budget::simulations(300)).unwrap();
    assert_eq!(trees::fingerprint(one.tree()), trees::fingerprint(two.tree()));
    trees::check(one.tree(), &game, Count::AtLeast);
}

/// What kind of backup it is.
struct Kind {
    /// A constant added to all values is added to the result.
    translates: bool,
    /// The result does not fall when a value rises.
    monotone: bool,
}

const ERROR: f64 = 1e-6;

fn check<B: Backup + Clone>(
    backup: &B,
    kind: &Kind,
    values: &[f32],
    rounds: u64,
    seed: u64,
) -> Result<(), TestCaseError> {
    let of = |values: &[f32]| value(backup.clone(), values, rounds);
    let found = of(values);

    // P0: colour symmetry.
    mirror(backup, 1 + seed as u32 % 8, seed);

    // P1: between the least and the greatest value.
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    prop_assert!(found >= f64::from(least) - ERROR && found <= f64::from(most) + ERROR);

    // P2: the order of the moves does not matter.
    let mut turned = values.to_vec();
    turned.rotate_left(seed as usize % values.len());
    turned.reverse();
    prop_assert!((of(&turned) - found).abs() < ERROR);

    // P3: translation.
    if kind.translates {
        let half: Vec<f32> = values.iter().map(|x| x / 2.0).collect();
        let moved: Vec<f32> = half.iter().map(|x| x + 0.375).collect();
        prop_assert!((of(&moved) - of(&half) - 0.375).abs() < ERROR);
    }

    // P4: monotone.
    if kind.monotone {
        let mut raised = values.to_vec();
        let at = seed as usize % values.len();
        raised[at] += (1.0 - raised[at]) / 2.0;
        prop_assert!(of(&raised) >= found - ERROR);
    }

    // P5: one move has the value of its child.
    prop_assert!((of(&values[..1]) - f64::from(values[0])).abs() < ERROR);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mean(values in proptest::collection::vec(0.0..=1.0_f32, 1..12), rounds in 1..20_u64, seed: u64) {
        check(&Mean {}, &Kind { translates: true, monotone: true }, &values, rounds, seed)?;
    }
}

#[test]
fn the_mean_is_the_mean() {
    let values = [0.0, 0.25, 1.0, 0.5];
    assert!((value(Mean {}, &values, 25) - 0.4375).abs() < ERROR);
}
