//! Properties that every backup has, or every one of its kind.

use crate::games::{Choice, RandomTree, Swapped};
use crate::search;
use crate::trees::{self, Count};
use proptest::prelude::*;
use tesuji::{
    Accelerated, AnyBackup, Backup, Budget, Code, Coulom, Erwa, ErwaStart, Feedback, Max, MaxMcts, Mean,
    Mellowmax, MonotoneWeights, NodeId, Options, PowerMean, Profile, RoundRobin, Schedule, Search,
    SearchGame, Softmax, Tree, Ucb, Uniform, Value, Weights,
};
use tesuji_games::*;
use tesuji_go::{Go9, Rules};

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
    assert_eq!(trees::fingerprint(one.tree(), &game), trees::fingerprint(two.tree(), &swapped));
    trees::check(one.tree(), &game, Count::AtLeast);
}

/// What kind of backup it is.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// The order of the samples does not matter.
    orderless: bool,
    /// A constant added to all values is added to the result.
    translates: bool,
    /// The result does not fall when a value rises.
    monotone: bool,
}

/// A mean of samples, whose weights may depend on their order.
const RETURNS: Kind = Kind { orderless: false, translates: true, monotone: true };
/// A function of the children alone.
const CHILDREN: Kind = Kind { orderless: true, translates: true, monotone: true };

fn backups() -> Vec<(AnyBackup, Kind)> {
    let weights: Vec<f64> = (1..300).map(f64::from).collect();
    let mut exact = Softmax::new(Schedule::Linear, 0.2);
    exact.error = 0.0;
    // Raising a poor child's value may shift weight to it.
    let softmax = Kind { monotone: false, ..CHILDREN };
    vec![
        (AnyBackup::Mean(Mean {}), CHILDREN),
        (AnyBackup::Erwa(Erwa::new(0.1, ErwaStart::Debiased)), RETURNS),
        (AnyBackup::Erwa(Erwa::new(0.1, ErwaStart::First)), RETURNS),
        (AnyBackup::Erwa(Erwa::new(0.1, ErwaStart::Max)), RETURNS),
        (AnyBackup::Feedback(Feedback::new(Profile::Exp2, 100)), RETURNS),
        (AnyBackup::Weights(Weights::new(&weights)), RETURNS),
        (AnyBackup::Monotone(MonotoneWeights::new(&[3.0, 5.0, 1.0], 100)), RETURNS),
        (AnyBackup::Softmax(exact), softmax),
        (AnyBackup::Softmax(Softmax::new(Schedule::Constant, 5.0)), softmax),
        (AnyBackup::Max(Max {}), CHILDREN),
        (AnyBackup::Coulom(Coulom::new(2.0, 16.0)), CHILDREN),
        (AnyBackup::PowerMean(PowerMean { p: 3.0 }), Kind { translates: false, ..CHILDREN }),
        (AnyBackup::Mellowmax(Mellowmax { weight: 5.0 }), CHILDREN),
        (
            AnyBackup::Accelerated(Accelerated { lambda: 0.9, softmax: 0.0 }),
            Kind { orderless: false, ..CHILDREN },
        ),
        (
            AnyBackup::Accelerated(Accelerated { lambda: 0.9, softmax: 0.4 }),
            Kind { orderless: false, ..softmax },
        ),
        (AnyBackup::MaxMcts(MaxMcts { lambda: 0.5 }), RETURNS),
    ]
}

const ERROR: f64 = 1e-6;

fn check(
    backup: &AnyBackup,
    kind: Kind,
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
    prop_assert!(found >= f64::from(least) - ERROR && found <= f64::from(most) + ERROR, "{:?}", backup);

    // P2: the order of the moves does not matter.
    if kind.orderless {
        let mut turned = values.to_vec();
        turned.rotate_left(seed as usize % values.len());
        turned.reverse();
        prop_assert!((of(&turned) - found).abs() < ERROR, "{:?}", backup);
    }

    // P3: translation.
    if kind.translates {
        let half: Vec<f32> = values.iter().map(|x| x / 2.0).collect();
        let moved: Vec<f32> = half.iter().map(|x| x + 0.375).collect();
        prop_assert!((of(&moved) - of(&half) - 0.375).abs() < ERROR, "{:?}", backup);
    }

    // P4: monotone.
    if kind.monotone {
        let mut raised = values.to_vec();
        let at = seed as usize % values.len();
        raised[at] += (1.0 - raised[at]) / 2.0;
        prop_assert!(of(&raised) >= found - ERROR, "{:?}", backup);
    }

    // P5: one move has the value of its child.
    prop_assert!((of(&values[..1]) - f64::from(values[0])).abs() < ERROR, "{:?}", backup);
    Ok(())
}

/// Both directions of the paper at once: each of them alone is what the other one leaves.
#[test]
fn softmax_over_decaying_counts_is_softmax_without_decay_and_the_mean_without_both() {
    for (values, rounds) in
        [(&[0.1f32, 0.6, 0.55][..], 7), (&[0.0, 1.0], 40), (&[0.5, 0.45, 0.4, 0.9, 0.2], 25)]
    {
        let mut softmax = Softmax::new(Schedule::Root, 0.4);
        softmax.error = 0.0;
        let both = |lambda, softmax| value(Accelerated { lambda, softmax }, values, rounds);
        assert!((both(1.0, 0.4) - value(softmax, values, rounds)).abs() < ERROR, "{values:?}");
        assert!((both(1.0, 0.0) - value(Mean {}, values, rounds)).abs() < ERROR, "{values:?}");
        // A large weight leaves the best child alone, whatever the decay.
        let best = values.iter().copied().fold(0.0, f32::max);
        assert!((both(0.9, 1e5) - f64::from(best)).abs() < 0.02, "{values:?}: {}", both(0.9, 1e5));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn properties(
        (backup, kind) in proptest::sample::select(backups()),
        values in proptest::collection::vec(0.0..=1.0_f32, 1..12),
        rounds in 1..20_u64,
        seed: u64,
    ) {
        check(&backup, kind, &values, rounds, seed)?;
    }
}

#[test]
fn the_mean_is_the_mean() {
    let values = [0.0, 0.25, 1.0, 0.5];
    assert!((value(Mean {}, &values, 25) - 0.4375).abs() < ERROR);
}

/// The greatest difference between the values of two trees that are the same but for them.
fn difference<C: Code>(one: &Tree<C>, two: &Tree<C>, a: NodeId, b: NodeId) -> f64 {
    let (x, y) = (one.node(a), two.node(b));
    assert_eq!(x.visits(), y.visits());
    let mut most = (x.exact_value() - y.exact_value()).abs();
    assert_eq!(one.children(a).count(), two.children(b).count());
    for ((a, x), (b, y)) in one.children(a).zip(two.children(b)) {
        assert_eq!(x.code(), y.code());
        most = most.max(difference(one, two, a, b));
    }
    most
}

/// With a backup that is the mean in another form, a search is the same: bit for bit, or but for
/// rounding.
#[test]
fn backups_that_amount_to_the_mean_grow_its_tree() {
    const EXACT: [&str; 5] = [
        "weights",
        "max-mcts,backup.lambda=1",
        "feedback,backup.segments=1",
        "monotone,backup.knots=[-40]",
        "erwa,backup.start=max,backup.rate=0.0000001",
    ];
    const ROUNDED: [&str; 7] = [
        "softmax,backup.schedule=constant,backup.weight=0",
        "softmax,backup.schedule=linear,backup.weight=0,backup.error=0",
        "softmax,backup.schedule=knots,backup.knots=[-60,-60]",
        "power-mean,backup.p=1",
        "mellowmax,backup.weight=0",
        "accelerated,backup.lambda=1",
        "coulom,backup.p=1e12",
    ];
    fn check<G: SearchGame>(start: &G) {
        for base in [
            "uct",
            "uct,memory.nodes=150",
            "uct,recycle=true,memory.nodes=150",
            "uct2",
            "uctr2",
            "puct",
            "grave",
        ] {
            let grow = |spec: &str| {
                let mut search = search(spec, start, 5);
                search.run(start, &Budget::simulations(700)).unwrap();
                search
            };
            let mean = grow(base);
            let mean = mean.tree();
            for backup in EXACT {
                let other = grow(&format!("{base},backup.kind={backup}"));
                assert_eq!(
                    trees::fingerprint(mean, start),
                    trees::fingerprint(other.tree(), start),
                    "{base} {backup}"
                );
            }
            for backup in ROUNDED {
                let other = grow(&format!("{base},backup.kind={backup}"));
                let found = difference(mean, other.tree(), mean.root(), other.tree().root());
                assert!(found < 1e-6, "{base} {backup}: {found}");
            }
        }
    }
    check(&ConnectFour::new());
    check(&Hex::new(4).unwrap());
    check(&Go9::new(4, Rules::default()));
}

/// The values of a Softmax tree whose sums are kept are within the bound of what its children say.
#[test]
fn kept_sums_keep_their_promise() {
    for (schedule, weight) in [(Schedule::Linear, 0.05), (Schedule::Root, 2.0), (Schedule::Constant, 40.0)] {
        for error in [1e-3, 1e-5] {
            let (game, mut softmax) = (ConnectFour::new(), Softmax::new(schedule, weight));
            softmax.error = error;
            let mut search =
                Search::new(&game, Ucb::default(), softmax.clone(), Uniform {}, Options::default(), 3)
                    .unwrap();
            search.run(&game, &Budget::simulations(5000)).unwrap();
            let tree = search.tree();
            let mut pending = vec![tree.root()];
            let mut nodes = 0;
            while let Some(id) = pending.pop() {
                let node = tree.node(id);
                let children: Vec<_> =
                    tree.children(id).map(|(_, c)| (f64::from(c.visits()), c.exact_value())).collect();
                pending.extend(tree.children(id).map(|(id, _)| id));
                let m: f64 = children.iter().map(|(n, _)| n).sum();
                let own = f64::from(node.visits()) - m;
                if m == 0.0 {
                    continue;
                }
                let w = softmax.weight_at(node.visits());
                let weights = children.iter().map(|(n, x)| n * (w * (x - 1.0)).exp());
                let total: f64 = weights.clone().sum();
                let soft: f64 = weights.zip(&children).map(|(e, (_, x))| e * x).sum::<f64>() / total;
                // The own sample is 0, 1/2 or 1.
                let rest = (1.0 - node.exact_value()) * (own + m) - m * soft;
                let sample = (rest * 2.0).round() / 2.0;
                let off = if own == 0.0 { rest } else { rest - sample };
                assert!(off.abs() <= error * m + 1e-6 * m, "{schedule:?} {error}: {} at {m} visits", off / m);
                nodes += usize::from(m > 20.0);
            }
            assert!(nodes > 20);
        }
    }
}
