//! Patterns against a matcher that looks at one place after the other.

use std::collections::BTreeSet;
use tesuji::{Game, Player, Playouts, Rng};
use tesuji_go::pattern::{Class, Constraint, Generator, Matcher, Pattern, RADIUS};
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

/// What is at each point and around the board, RADIUS places wide, row by row.
struct View {
    classes: Vec<Class>,
    width: usize,
    to_move: Player,
}

impl View {
    fn of<const S: usize, const L: usize>(go: &Go<S, L>) -> View {
        let margin = RADIUS as usize;
        let width = go.size() + 2 * margin;
        let class = |place: usize| {
            let inside = |along: usize| along.checked_sub(margin);
            let v = inside(place % width).zip(inside(place / width)).and_then(|(c, r)| go.vertex(c, r));
            match v.map(|v| go.stone(v)) {
                None => Class::Outside,
                Some(None) => Class::Empty,
                Some(Some(player)) if player == go.to_move() => Class::Own,
                Some(Some(_)) => Class::Enemy,
            }
        };
        View { classes: (0..width * width).map(class).collect(), width, to_move: go.to_move() }
    }

    /// Where a point is.
    fn place(&self, point: usize) -> usize {
        let (margin, size) = (RADIUS as usize, self.width - 2 * RADIUS as usize);
        (point / size + margin) * self.width + point % size + margin
    }

    /// Whether what a constraint wants is there, seen from a place.
    fn holds(&self, from: usize, c: &Constraint) -> bool {
        let offset = isize::from(c.rows) * self.width as isize + isize::from(c.columns);
        let there = self.classes[from.strict_add_signed(offset)];
        let is_black = (there == Class::Own) == (self.to_move == Player::FIRST);
        match c.class {
            Class::Stone => matches!(there, Class::Own | Class::Enemy),
            Class::Black => matches!(there, Class::Own | Class::Enemy) && is_black,
            Class::White => matches!(there, Class::Own | Class::Enemy) && !is_black,
            class => there == class,
        }
    }
}

/// The points that a pattern with these images matches, one place after the other.
fn slowly(view: &View, images: &[Vec<Constraint>], points: usize) -> BTreeSet<usize> {
    let matches = |&point: &usize| {
        let from = view.place(point);
        view.classes[from] == Class::Empty
            && images.iter().any(|image| image.iter().all(|c| view.holds(from, c)))
    };
    (0..points).filter(matches).collect()
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
    let images: Vec<_> = patterns.iter().map(Pattern::images).collect();
    let mut matched = 0;
    for seed in 0..positions {
        let mut rng = Rng::new(seed);
        let plies = rng.below((size * size) as u32);
        matched += with_go!(size, Rules::default(), |go| {
            let go = play(go, plies, &mut rng);
            let found = quickly(&go, &mut matcher, patterns.len());
            let view = View::of(&go);
            for ((pattern, images), found) in patterns.iter().zip(&images).zip(&found) {
                assert_eq!(found, &slowly(&view, images, size * size), "{pattern} on\n{go}");
            }
            found.iter().map(BTreeSet::len).sum::<usize>()
        });
    }
    matched
}

#[test]
fn all_points_at_once_or_one_by_one() {
    let absolute = Generator::new(9, 3).absolute(true).take(20);
    let patterns: Vec<Pattern> = Generator::new(7, 3).take(40).chain(absolute).collect();
    for (size, positions) in [(9, 60), (1, 2), (2, 5), (3, 5), (5, 10), (13, 12), (14, 8), (19, 12)] {
        let matched = compare(size, positions, &patterns);
        assert!(matched > 0 || size < 5, "size {size}");
    }
}

#[test]
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
