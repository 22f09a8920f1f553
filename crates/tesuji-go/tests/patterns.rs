//! Patterns against a matcher that looks at one place after the other.

use std::collections::BTreeSet;
use tesuji::{Game, Player, Rng};
use tesuji_go::pattern::{Class, Constraint, Generator, Matcher, Pattern};
use tesuji_go::{Go, Rules, with_go};

/// A position after random moves.
fn play<const S: usize, const L: usize>(mut go: Go<S, L>, plies: u32, rng: &mut Rng) -> Go<S, L> {
    let mut buffer = Vec::new();
    for _ in 0..plies {
        if go.playout_result().is_some() {
            break;
        }
        let m = go.playout_move(rng, &mut buffer);
        go.play(m);
    }
    go
}

/// Whether there is what a class says at so many columns and rows from a point.
fn look<const S: usize, const L: usize>(
    go: &Go<S, L>,
    point: usize,
    columns: i8,
    rows: i8,
    class: Class,
) -> bool {
    let size = go.size() as i32;
    let (column, row) = (point as i32 % size + i32::from(columns), point as i32 / size + i32::from(rows));
    let v = usize::try_from(column).ok().zip(usize::try_from(row).ok()).and_then(|(c, r)| go.vertex(c, r));
    let Some(v) = v else { return class == Class::Outside };
    let own = go.to_move();
    match go.stone(v) {
        None => class == Class::Empty,
        Some(_) if class == Class::Stone => true,
        Some(player) => class == if player == own { Class::Own } else { Class::Enemy },
    }
}

fn slowly<const S: usize, const L: usize>(go: &Go<S, L>, pattern: &Pattern) -> BTreeSet<usize> {
    let empty = |&point: &usize| look(go, point, 0, 0, Class::Empty);
    let matches =
        |&point: &usize| pattern.matches(|columns, rows, class| look(go, point, columns, rows, class));
    (0..go.size() * go.size()).filter(empty).filter(matches).collect()
}

fn quickly<const S: usize, const L: usize>(
    go: &Go<S, L>,
    matcher: &mut Matcher,
    patterns: usize,
) -> Vec<BTreeSet<usize>> {
    let mut points = vec![BTreeSet::new(); patterns];
    matcher.find(go, |pattern, point| _ = points[pattern].insert(point));
    points
}

/// Compares both matchers on random positions, and tells how many points matched.
fn compare(size: usize, positions: u64, patterns: &[Pattern]) -> usize {
    let mut matcher = Matcher::new(size, patterns);
    let mut matched = 0;
    for seed in 0..positions {
        let mut rng = Rng::new(seed);
        let plies = rng.below((size * size) as u32);
        matched += with_go!(size, Rules::default(), |go| {
            let go = play(go, plies, &mut rng);
            let found = quickly(&go, &mut matcher, patterns.len());
            for (pattern, found) in patterns.iter().zip(&found) {
                assert_eq!(found, &slowly(&go, pattern), "{pattern} on\\n{go}");
            }
            found.iter().map(BTreeSet::len).sum::<usize>()
        });
    }
    matched
}

#[test]
fn all_points_at_once_or_one_by_one() {
    let patterns: Vec<Pattern> = Generator::new(7, 3).take(40).collect();
    for (size, positions) in [(9, 60), (1, 2), (2, 5), (3, 5), (5, 10), (13, 12), (14, 8), (19, 12)] {
        let matched = compare(size, positions, &patterns);
        assert!(matched > 0 || size < 5, "size {size}");
    }
}

/// Ten thousand positions and two hundred patterns: `cargo test --release -p tesuji-go --test patterns -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn many_positions_and_patterns() {
    let patterns: Vec<Pattern> = Generator::new(1, 3).take(200).collect();
    compare(9, 10_000, &patterns);
}

#[test]
fn colours_are_those_of_the_player_to_move() {
    let patterns: Vec<Pattern> = Generator::new(3, 2).take(60).collect();
    let swapped: Vec<Pattern> = patterns.iter().map(swap).collect();
    let (mut matcher, mut other) = (Matcher::new(9, &patterns), Matcher::new(9, &swapped));
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let go = play(tesuji_go::Go9::new(9, Rules::default()), 20 + rng.below(30), &mut rng);
        let mut turned = go.clone();
        let opponent = if go.to_move() == Player::FIRST { Player::SECOND } else { Player::FIRST };
        turned.set_to_move(opponent);
        assert_eq!(quickly(&go, &mut matcher, 60), quickly(&turned, &mut other, 60));
    }
}

/// The pattern with own and enemy stones exchanged.
fn swap(pattern: &Pattern) -> Pattern {
    let exchange = |c: &Constraint| {
        let class = match c.class {
            Class::Own => Class::Enemy,
            Class::Enemy => Class::Own,
            class => class,
        };
        Constraint { class, ..*c }
    };
    Pattern::new(pattern.constraints().iter().map(exchange).collect()).unwrap()
}
