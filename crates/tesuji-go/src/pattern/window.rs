//! Patterns that name every place up to a radius, found by a table.

use super::{Class, Constraint, Pattern, RADIUS};
use crate::board::EMPTY;
use crate::go::Go;
use foldhash::fast::FixedState;
use std::collections::HashMap;
use tesuji::Game;

/// Everything around a point up to a radius, as the player to move sees it: two bits for each
/// place, ring by ring, the last place in the lowest bits. So the upper bits of a window are the
/// window of a smaller radius.
pub(super) type Window = u128;

/// The classes of the places of a window, by their two bits.
const CLASSES: [Class; 4] = [Class::Empty, Class::Own, Class::Enemy, Class::Outside];

/// Columns, or rows, of the largest board with a margin on both sides.
const SPAN: usize = 19 + 2 * RADIUS as usize;

/// The places at this distance, in columns or rows, from a point.
pub(super) fn ring(radius: i8) -> impl Iterator<Item = (i8, i8)> {
    let along = move || -radius..=radius;
    let places = along().flat_map(move |row| along().map(move |column| (column, row)));
    places.filter(move |&(column, row)| column.abs().max(row.abs()) == radius)
}

/// The pattern that names every place of a window of this radius.
pub(super) fn window_pattern((radius, window): (u8, Window)) -> Pattern {
    let places: Vec<(i8, i8)> = (1..=radius as i8).flat_map(ring).collect();
    let constraint = |(i, &(columns, rows)): (usize, &(i8, i8))| {
        let class = CLASSES[(window >> (2 * i) & 3) as usize];
        Constraint { columns, rows, class }
    };
    Pattern::new(places.iter().rev().enumerate().map(constraint).collect()).expect("a game has such a point")
}

/// The radius of an image that names every place up to that radius by what is there, and its
/// window.
fn window(image: &[Constraint]) -> Option<(i8, Window)> {
    let radius = image.iter().map(|c| c.columns.abs().max(c.rows.abs())).max()?;
    let mut window = 0;
    for place in (1..=radius).flat_map(ring) {
        let class = image.iter().find(|c| (c.columns, c.rows) == place)?.class;
        window = window << 2 | CLASSES.iter().position(|&other| other == class)? as Window;
    }
    Some((radius, window))
}

/// A board with a margin, as the player to move sees it.
pub(super) struct View {
    /// Two bits for each place, as in a window.
    places: [u8; SPAN * SPAN],
}

/// The distance of the places of a view in neighbouring rows.
const ROW: isize = SPAN as isize;

/// The way to a place relative to a point of a view.
pub(super) fn step((columns, rows): (i8, i8)) -> isize {
    isize::from(rows) * ROW + isize::from(columns)
}

impl View {
    #[inline]
    pub(super) fn new<const STRIDE: usize, const LEN: usize>(go: &Go<STRIDE, LEN>) -> View {
        let (size, own) = (go.size(), go.to_move().index() as u8);
        let mut places = [3; SPAN * SPAN];
        for row in 0..size {
            let line = &mut places[View::at(row * size, size)..][..size];
            for (column, place) in line.iter_mut().enumerate() {
                *place = match go.board.stone(go.board.point(row * size + column).into()) {
                    EMPTY => 0,
                    stone => 1 + (stone ^ own),
                };
            }
        }
        View { places }
    }

    /// Where a point is, by its number in the order of [`Go::points`].
    #[inline]
    pub(super) fn at(number: usize, size: usize) -> usize {
        (number / size + RADIUS as usize) * SPAN + number % size + RADIUS as usize
    }

    /// The window of a point by that of the next smaller radius and the steps to the new ring.
    #[inline]
    pub(super) fn extend(&self, window: Window, at: usize, ring: &[isize]) -> Window {
        let place = |step: isize| Window::from(self.places[at.wrapping_add_signed(step)]);
        ring.iter().fold(window, |window, &step| window << 2 | place(step))
    }
}

/// Finds the patterns that are windows.
///
/// It takes one look into a table for each empty point and radius, whatever the number of patterns.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    /// For each radius the steps to its ring, and the pattern of each window.
    rings: Vec<(Vec<isize>, HashMap<Window, u32, FixedState>)>,
}

impl Windows {
    /// The windows among some patterns, and the numbers of all other patterns.
    pub(super) fn new(patterns: &[Pattern]) -> (Windows, Vec<u32>) {
        let (mut found, mut others) = (Windows { rings: Vec::new() }, Vec::new());
        for (number, pattern) in (0..).zip(patterns) {
            let images: Option<Vec<_>> = pattern.images().iter().map(|image| window(image)).collect();
            match images {
                Some(images) if found.has_room(&images) => found.add(&images, number),
                _ => others.push(number),
            }
        }
        (found, others)
    }

    /// Whether no other pattern has the first of these images, and so any.
    fn has_room(&self, images: &[(i8, Window)]) -> bool {
        let (radius, window) = images[0];
        self.rings.get(radius as usize - 1).is_none_or(|(_, table)| !table.contains_key(&window))
    }

    fn add(&mut self, images: &[(i8, Window)], number: u32) {
        for &(radius, window) in images {
            while self.rings.len() < radius as usize {
                let steps = ring(self.rings.len() as i8 + 1).map(step).collect();
                self.rings.push((steps, HashMap::default()));
            }
            self.rings[radius as usize - 1].1.insert(window, number);
        }
    }

    /// Calls `found` with each pattern and each empty point where it matches, as [`Matcher::find`]
    /// does.
    ///
    /// [`Matcher::find`]: super::Matcher::find
    #[inline]
    pub(super) fn find<const STRIDE: usize, const LEN: usize>(
        &self,
        go: &Go<STRIDE, LEN>,
        mut found: impl FnMut(usize, usize),
    ) {
        if self.rings.is_empty() {
            return;
        }
        let view = View::new(go);
        for &v in go.board.empties() {
            let number = go.board.number_of(v.into());
            let (at, mut window) = (View::at(number, go.size()), 0);
            for (steps, table) in &self.rings {
                window = view.extend(window, at, steps);
                if let Some(&pattern) = table.get(&window) {
                    found(pattern as usize, number);
                }
            }
        }
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        let entry = size_of::<(Window, u32)>() + 1;
        self.rings.iter().map(|(steps, table)| steps.capacity() * 8 + table.capacity() * 8 / 7 * entry).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::around::Around;
    use crate::pattern::{Generator, Matcher};
    use crate::{Go9, Rules};
    use tesuji::{Playouts, Rng};

    /// Positions of random games on 7 rows.
    fn positions() -> Vec<Go9> {
        let (mut rng, mut buffer, mut positions) = (Rng::new(4), Vec::new(), Vec::new());
        for _ in 0..3 {
            let mut game = Go9::new(7, Rules::default());
            for _ in 0..40 {
                positions.push(game.clone());
                let m = game.playout_move(&mut rng, &mut buffer);
                game.playout_play(m, &mut ());
            }
        }
        positions
    }

    #[test]
    fn a_table_finds_the_same_patterns_as_a_search_at_each_point() {
        let positions = positions();
        let (mut rng, mut patterns) = (Rng::new(9), Vec::new());
        for game in &positions {
            let view = View::new(game);
            let empties = game.board.empties();
            let v = empties[rng.below(empties.len() as u32) as usize].into();
            let (at, mut window) = (View::at(game.board.number_of(v), 7), 0);
            for radius in 1..=RADIUS {
                window = view.extend(window, at, &ring(radius).map(step).collect::<Vec<_>>());
                patterns.push(window_pattern((radius as u8, window)));
            }
        }
        // The table takes one of several equal windows, and no pattern that leaves places open.
        let windows = patterns.len();
        patterns.extend(Generator::new(1, 3).take(50));
        let (table, others) = Windows::new(&patterns);
        let looked_up: usize = table.rings.iter().map(|(_, table)| table.len()).sum();
        assert!(looked_up > 4 * windows && others.len() > 50 && others.len() < 50 + windows / 2);
        let (around, matcher) = (Around::new(&patterns), Matcher::new(7, &patterns));
        for game in &positions {
            let mut found = Vec::new();
            matcher.find(game, |pattern, point| found.push((point, pattern)));
            found.sort_unstable();
            let mut expected = Vec::new();
            for (number, v) in game.points().enumerate().filter(|&(_, v)| game.stone(v).is_none()) {
                let place = (v.column().unwrap(), v.row().unwrap());
                around.find_at(game, place, |pattern| expected.push((number, pattern)));
            }
            assert_eq!(found, expected, "{game}");
            assert!(found.iter().any(|&(_, pattern)| pattern < windows));
        }
    }
}
