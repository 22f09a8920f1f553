//! Which stones are dead. The owners of their points at the end of random playouts decide, or of
//! searches where playouts leave doubt.

use super::stones::{Chain, Stones};
use crate::sgf::Point;
use std::collections::BTreeSet;
use tesuji::Player;

/// A point is settled if one player owns it in at least this share of the playouts.
const SETTLED: f32 = 0.9;
/// A chain whose owner keeps less than this share of it in playouts, and more than this less than
/// all, is in doubt.
const DOUBT: f32 = 0.02;

/// The fate of a chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// It stays.
    Alive,
    /// Its owner will lose it.
    Dead,
    /// It stays, and so does an enemy chain with which it shares liberties.
    Seki,
}

/// A position judged.
#[derive(Clone, Debug)]
pub struct Judgement {
    stones: Stones,
    /// The share of playouts in which Black owned the point, in the order of [`Stones::points`].
    pub black: Vec<f32>,
    /// Every chain with its fate.
    pub chains: Vec<(Chain, Status)>,
    /// Whether every chain outside a seki is owned by one player in 9 of 10 playouts.
    pub settled: bool,
    /// Empty points that neither player owns in 9 of 10 playouts.
    pub open_points: usize,
}

/// The share of a chain's points that its owner keeps in playouts.
fn kept(stones: &Stones, black: &[f32], chain: &Chain) -> f32 {
    let sum: f32 = chain.stones.iter().map(|&p| black[stones.index(p)]).sum();
    let mean = sum / chain.stones.len() as f32;
    if chain.player == Player::FIRST { mean } else { 1.0 - mean }
}

impl Judgement {
    /// Judges the stones by the share of playouts in which Black owned each point.
    ///
    /// A chain is dead if the enemy owns its stones in more than half of the playouts and it is not
    /// in a seki. A seki is recognized in its two common shapes: two enemy chains whose only
    /// liberties are two that they share, or one that they share and an eye of one point for each.
    pub fn new(stones: Stones, black: Vec<f32>) -> Judgement {
        let chains = stones.chains();
        let share = |p: Point| black[stones.index(p)];
        let mut settled = true;
        let judge = |chain: &Chain| {
            let own = kept(&stones, &black, chain);
            // Random play breaks a seki up, to either side's loss, but not one-sidedly where it
            // really is one.
            let contested = (0.05..0.95).contains(&own);
            if contested && chains.iter().any(|other| is_seki(&stones, chain, other)) {
                return Status::Seki;
            }
            settled &= !(1.0 - SETTLED..SETTLED).contains(&own);
            if own < 0.5 { Status::Dead } else { Status::Alive }
        };
        let judged: Vec<Status> = chains.iter().map(judge).collect();
        let undecided = |&p: &Point| stones.get(p).is_none() && (1.0 - SETTLED..SETTLED).contains(&share(p));
        let open_points = stones.points().filter(undecided).count();
        Judgement { chains: chains.into_iter().zip(judged).collect(), settled, open_points, stones, black }
    }

    /// The chains, by their places, that playouts leave in doubt: those in no seki of which the
    /// owner keeps more than 2 % in them and less than 98 %.
    pub(super) fn doubtful(&self) -> Vec<usize> {
        let doubt = |(chain, status): &(Chain, Status)| {
            let kept = kept(&self.stones, &self.black, chain);
            *status != Status::Seki && (DOUBT..1.0 - DOUBT).contains(&kept)
        };
        (0..self.chains.len()).filter(|&i| doubt(&self.chains[i])).collect()
    }

    /// Settles the fate of a chain by the share of it that its owner keeps.
    pub(super) fn decide(&mut self, place: usize, kept: f32) {
        self.chains[place].1 = if kept < 0.5 { Status::Dead } else { Status::Alive };
    }

    /// The stones of the chains with this fate, chain by chain.
    pub fn chains_of(&self, status: Status) -> impl Iterator<Item = &Chain> {
        self.chains.iter().filter(move |(_, s)| *s == status).map(|(chain, _)| chain)
    }

    /// The board without the dead stones.
    pub fn cleared(&self) -> Stones {
        let mut stones = self.stones.clone();
        for point in self.chains_of(Status::Dead).flat_map(|chain| &chain.stones) {
            stones.set(*point, None);
        }
        stones
    }

    /// Black's area minus White's, with dead stones removed and without komi.
    pub fn area(&self) -> i32 {
        self.cleared().area()
    }
}

/// Whether two enemy chains are in a seki, so that neither player can play at what they share.
fn is_seki(stones: &Stones, a: &Chain, b: &Chain) -> bool {
    let shared: BTreeSet<Point> = a.liberties.intersection(&b.liberties).copied().collect();
    let own = |chain: &Chain| chain.liberties.difference(&shared).copied().collect::<Vec<_>>();
    let lone_eye = |chain: &Chain| match own(chain)[..] {
        [eye] => stones.neighbours(eye).all(|n| chain.stones.contains(&n)),
        _ => false,
    };
    // A stone there joins no other chain, and gets no other liberty.
    let between = |p: &Point| {
        let inside = |n| a.stones.contains(&n) || b.stones.contains(&n) || shared.contains(&n);
        stones.neighbours(*p).all(inside)
    };
    // Stones that fill one of two shared liberties are captured at the other.
    let gives_eyes = |chain: &Chain| {
        shared.iter().all(|&filled| {
            let mut captured = chain.stones.clone();
            captured.insert(filled);
            !is_killed_at_once(stones, &captured)
        })
    };
    a.player != b.player
        && shared.iter().all(between)
        && match shared.len() {
            1 => lone_eye(a) && lone_eye(b),
            2 => own(a).is_empty() && own(b).is_empty() && gives_eyes(a) && gives_eyes(b),
            _ => false,
        }
}

/// Whether one stone in an eye of these points leaves no room for two eyes: each other point is
/// next to it, except for at most one that is next to two of those.
fn is_killed_at_once(stones: &Stones, eye: &BTreeSet<Point>) -> bool {
    let within = |p: Point| stones.neighbours(p).filter(|n| eye.contains(n)).collect::<Vec<_>>();
    eye.iter().any(|&vital| {
        let around = within(vital);
        let mut others = eye.iter().filter(|&&p| p != vital && !around.contains(&p));
        let closes_a_square = |&p: &Point| within(p).iter().filter(|n| around.contains(n)).count() == 2;
        others.next().is_none_or(closes_a_square) && others.next().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_stones_are_taken_off() {
        let stones = Stones::diagram("..X.. O.X.. ..X.. XXX.. .....");
        let mut black = vec![1.0; 25];
        black[0] = 0.95;
        let judgement = Judgement::new(stones, black);
        assert_eq!(judgement.chains_of(Status::Dead).count(), 1);
        assert_eq!((judgement.area(), judgement.settled, judgement.open_points), (25, true, 0));
    }

    #[test]
    fn a_seki_is_left_alone() {
        // White's three stones share their two liberties. With another one they fill an L, where
        // Black has two eyes.
        let stones = Stones::diagram("XO.XO XOXXO XO.XO XXXXO OOOOO");
        let chains = stones.chains();
        let seki: Vec<_> = chains.iter().filter(|c| c.liberties.len() == 2).collect();
        assert!(is_seki(&stones, seki[0], seki[1]));
        let judgement = Judgement::new(stones, vec![0.4; 25]);
        assert_eq!(judgement.chains_of(Status::Dead).count(), 0, "{judgement:?}");
        assert!(judgement.chains_of(Status::Seki).count() >= 2);
        // The chains of the top have an eye each, and share C5.
        let judgement = Judgement::new(Stones::diagram(".X.O. XXXOO OOOXX ..... ....."), vec![0.4; 25]);
        let lengths: Vec<_> = judgement.chains_of(Status::Seki).map(|chain| chain.stones.len()).collect();
        assert_eq!(lengths.iter().sum::<usize>(), 7, "{judgement:?}");
    }

    /// Who fills from inside is captured, and the eye that is left decides.
    #[test]
    fn eyes_that_one_stone_kills_are_known() {
        for (eye, killed) in [
            ("X.. ... ...", true),
            ("XX. ... ...", true),
            ("XXX ... ...", true),
            ("XX. X.. ...", true),
            ("XX. XX. ...", true),
            (".X. XXX ...", true),
            (".X. XXX .X.", true),
            ("XX. XX. X..", true),
            ("XX. XXX .X.", true),
            ("XXXX .... .... ....", false),
            ("XX. .XX ...", false),
            ("XXX X.. ...", false),
            ("XXX X.. X..", false),
            ("XX. XX. XX.", false),
            ("XXX XXX X..", false),
        ] {
            let stones = Stones::diagram(eye);
            let points = stones.points().filter(|&p| stones.get(p).is_some()).collect();
            assert_eq!(is_killed_at_once(&stones, &points), killed, "{eye}");
        }
    }

    #[test]
    fn a_race_or_an_eye_with_a_dead_shape_in_it_is_no_seki() {
        for position in [
            // The outer liberties at A5 and E5 are no eyes.
            ".X.O. OXXOX OOOXX OOOXX OOOXX",
            // White's four stones and a fifth one at C4 make a bulky five.
            "XO.XO XO.XO XOOXO XXXXO OOOOO",
            // Black's stone is in the middle of an eye of three.
            ".X.OX OOOOX XXXXX ..... .....",
            // A black stone at D4 joins the chain above.
            "..OX... OOOXXXX XXOXXOO .XX.OO. XXXOOOO OOOXXXX .......",
        ] {
            let stones = Stones::diagram(position);
            let black = vec![0.4; stones.points().count()];
            let judgement = Judgement::new(stones, black);
            assert_eq!(judgement.chains_of(Status::Seki).count(), 0, "{position}");
        }
    }

    #[test]
    fn doubt_is_no_settlement() {
        let stones = Stones::diagram("X.O X.O X.O");
        let black = vec![1.0, 0.5, 0.0, 1.0, 0.5, 0.0, 1.0, 0.5, 0.0];
        let judgement = Judgement::new(stones.clone(), black);
        assert_eq!((judgement.settled, judgement.open_points, judgement.area()), (true, 3, 0));
        assert!(!Judgement::new(stones, vec![0.6; 9]).settled);
    }
}
