//! What KataGo's networks see of a position: version 7 of its inputs (the repository
//! `lightvector/KataGo`, `cpp/neuralnet/nninputs.cpp`).

use super::super::board::EMPTY;
use super::area::{Owners, area};
use super::flat_board::{FlatBoard, NOWHERE};
use super::ladder::LadderSearch;
use crate::go::Go;
use crate::history::Back;
use crate::rule_set::{Ko, RuleSet, Scoring, Tax};
use crate::rules::{Illegal, Rules};
use crate::vertex::Vertex;
use tesuji::Player;
use tesuji_net::graph::LearnedRules;

/// Planes of the board.
pub(super) const PLANES: usize = 22;
/// Numbers for the whole position.
pub(super) const GLOBALS: usize = 19;

/// The moves that are shown.
const MOVES: usize = 5;

/// Komi is cut off this far beyond the number of points.
const KOMI_BEYOND: f32 = 20.0;

/// Writes what a network sees. The planes are, in rows from the top:
///
/// | plane | where it is 1 |
/// | --- | --- |
/// | 0 | the board |
/// | 1, 2 | stones of the player to move, of the opponent |
/// | 3, 4, 5 | stones of chains with 1, 2, 3 liberties |
/// | 6 | where ko or superko forbids a move |
/// | 7, 8, 20, 21 | nowhere: they belong to the end of games with territory |
/// | 9 to 13 | the last five moves, as far as the players alternate |
/// | 14, 15, 16 | chains that a ladder captures, now and one and two moves ago |
/// | 17 | where a ladder begins that captures the opponent's stones |
/// | 18, 19 | the area of the player to move, of the opponent; nowhere with territory |
#[derive(Clone, Debug)]
pub(super) struct KataGoPlanes {
    learned: LearnedRules,
    ladders: LadderSearch,
    board: FlatBoard,
}

/// What the rules and the history say of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
struct GameFacts {
    /// The komi for the player to move, with all that the rules add.
    komi: f32,
    /// Whether a pass would end the game, as far as a network may know.
    pass_ends: bool,
    /// Whether the moves before are shown.
    has_past: bool,
}

impl KataGoPlanes {
    /// For a network that learned by these rules.
    pub(super) fn new(size: usize, learned: LearnedRules) -> KataGoPlanes {
        KataGoPlanes { learned, ladders: LadderSearch::default(), board: FlatBoard::new(size) }
    }

    /// The rules that the network is shown: those of the game, if it learned by them.
    fn shown<const STRIDE: usize, const LEN: usize>(&self, game: &Go<STRIDE, LEN>) -> Rules {
        match self.learned {
            LearnedRules::TrompTaylor => {
                Rules { told: RuleSet::TROMP_TAYLOR, suicide: false, ..*game.rules() }
            }
            LearnedRules::All { .. } => *game.rules(),
        }
    }

    /// Writes the planes, `[plane, y, x]`, and the numbers for the whole position.
    ///
    /// # Panics
    /// If the game is on a board of another size, or the slices have other lengths.
    pub(super) fn write<const STRIDE: usize, const LEN: usize>(
        &mut self,
        game: &Go<STRIDE, LEN>,
        planes: &mut [f32],
        globals: &mut [f32],
    ) {
        let points = game.size() * game.size();
        assert!(planes.len() == PLANES * points && globals.len() == GLOBALS);
        planes.fill(0.0);
        globals.fill(0.0);
        let rules = self.shown(game);
        let set = rules.told;
        let situation = GameFacts::of(game, set);
        let areas_as_with_suicide =
            rules.suicide || self.learned == LearnedRules::All { areas_as_with_suicide: true };
        let KataGoPlanes { ladders, board, .. } = self;
        board.copy(game);
        let (own, other) = (game.to_move.index() as u8, game.to_move.other().index() as u8);
        let mut mark = |plane: usize, point: usize| planes[plane * points + point] = 1.0;

        for cell in board.points() {
            let point = board.plane_point(cell);
            mark(0, point);
            let stone = board.stone(cell);
            if stone < EMPTY {
                mark(if stone == own { 1 } else { 2 }, point);
                let liberties = board.liberties(cell, 3).count;
                if liberties <= 3 {
                    mark(2 + liberties, point);
                }
            }
        }
        if board.ko != NOWHERE {
            mark(6, board.plane_point(board.ko));
        }
        for v in game.points() {
            if is_forbidden(game, set, v) {
                mark(6, board.plane_point(board.cell(game.board.number_of(v.index().into()))));
            }
        }
        if set.scoring() == Scoring::Area {
            let owners: Owners = area(board, set.tax(), areas_as_with_suicide);
            for cell in board.points() {
                match owners[cell] {
                    owner if owner == own => mark(18, board.plane_point(cell)),
                    owner if owner == other => mark(19, board.plane_point(cell)),
                    _ => {}
                }
            }
        }

        // The last moves, and ladders now and before the last two.
        let mut back = game.history.back();
        let mut player = game.to_move;
        let mut is_shown = situation.has_past;
        ladders.each(board, |board, chain, ladder| {
            chain.iter().for_each(|&stone| mark(14, board.plane_point(stone.into())));
            if board.stone(chain[0].into()) == other {
                let moves = ladder.moves.into_iter().filter(|&m| m != NOWHERE);
                moves.for_each(|m| mark(17, board.plane_point(m)));
            }
        });
        for ago in 1..=MOVES {
            let last = if is_shown { back.step(points) } else { None };
            is_shown = last.is_some_and(|last| last.player == player.other());
            if let Some(last) = last.filter(|_| is_shown) {
                player = last.player;
                if last.point == points {
                    globals[ago - 1] = 1.0;
                } else {
                    mark(8 + ago, board.plane_point(board.cell(last.point)));
                }
                if ago <= 2 {
                    board.take_back(&last, points);
                    board.ko = ko_before(board, back.clone(), points);
                }
            }
            if ago <= 2 {
                ladders.each(board, |board, chain, _| {
                    chain.iter().for_each(|&stone| mark(14 + ago, board.plane_point(stone.into())));
                });
            }
        }

        let reach = points as f32 + KOMI_BEYOND;
        let komi = situation.komi.clamp(-reach, reach);
        globals[5] = komi / 20.0;
        [globals[6], globals[7]] = match set.ko() {
            Ko::Simple => [0.0, 0.0],
            Ko::Positional => [1.0, 0.5],
            Ko::Situational => [1.0, -0.5],
        };
        let flag = |is_on: bool| if is_on { 1.0 } else { 0.0 };
        globals[8] = flag(rules.suicide);
        globals[9] = flag(set.scoring() == Scoring::Territory);
        globals[10] = flag(set.tax() != Tax::None);
        globals[11] = flag(set.tax() == Tax::All);
        globals[14] = flag(situation.pass_ends);
        if set.scoring() == Scoring::Area {
            globals[18] = parity_wave(komi, points);
        }
    }

    /// The least and the greatest lead in points of the player to move: the other player owns the
    /// whole board, or this one does.
    pub(super) fn leads<const STRIDE: usize, const LEN: usize>(&self, game: &Go<STRIDE, LEN>) -> [f32; 2] {
        let points = (game.size() * game.size()) as f32;
        let komi = game.komi().points() + game.handicap_bonus(self.shown(game).told.bonus());
        let own = if game.to_move == Player::FIRST { -komi } else { komi };
        [own - points, own + points]
    }

    /// A hash of all that [`KataGoPlanes::write`] writes depends on.
    pub(super) fn hash<const STRIDE: usize, const LEN: usize>(&self, game: &Go<STRIDE, LEN>) -> u64 {
        let mix = |hash: u64, x: u64| {
            let hash = (hash ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^ (hash >> 29)
        };
        let points = game.size() * game.size();
        let Rules { told: set, suicide, .. } = self.shown(game);
        let GameFacts { komi, pass_ends, has_past } = GameFacts::of(game, set);
        let flags = [game.to_move.index() != 0, pass_ends, has_past, suicide];
        let flags = flags.iter().fold(0, |bits, &flag| bits << 1 | u64::from(flag));
        let mut hash = mix(flags << 8 | u64::from(set.bits()), u64::from(komi.to_bits()));
        for v in game.points() {
            if is_forbidden(game, set, v) {
                hash = mix(hash, 1 + u64::from(v.index()));
            }
        }
        hash = mix(hash, game.board.ko() as u64);
        let mut back = game.history.back();
        for _ in 0..MOVES {
            hash = mix(hash, back.hash());
            let last = back.step(points);
            hash = mix(hash, last.map_or(0, |last| (2 * last.point + last.player.index() + 1) as u64));
        }
        // The best mixed bits are the highest.
        mix(hash, 0)
    }
}

impl GameFacts {
    /// Of a game by these rules.
    fn of<const STRIDE: usize, const LEN: usize>(game: &Go<STRIDE, LEN>, set: RuleSet) -> GameFacts {
        let points = game.size() * game.size();
        let mut komi = game.komi().points() + game.handicap_bonus(set.bonus());
        if set.scoring() == Scoring::Territory {
            // A point for every move, which is what area and territory differ by.
            let [black, white] = game.stones_ever();
            komi += (black - white) as f32;
        }
        let is_second = game.passes > 0;
        let ends = is_second || repeats_pass(game, set, points);
        let hides = ends
            && is_second
            && set.friendly_pass()
            && set.scoring() == Scoring::Area
            && !repeats_pass(game, set, points);
        GameFacts {
            komi: if game.to_move == Player::FIRST { -komi } else { komi },
            pass_ends: ends && !hides,
            has_past: !hides,
        }
    }
}

/// Whether the player to move has passed in the same position before, which ends a game where only
/// simple ko is forbidden.
fn repeats_pass<const STRIDE: usize, const LEN: usize>(
    game: &Go<STRIDE, LEN>,
    set: RuleSet,
    points: usize,
) -> bool {
    if set.ko() != Ko::Simple {
        return false;
    }
    let mut back = game.history.back();
    let now = back.hash();
    while let Some(last) = back.step(points) {
        if last.point == points && last.player == game.to_move && back.hash() == now {
            return true;
        }
    }
    false
}

/// Whether a repetition is forbidden at this empty point by the rules told, simple ko apart.
fn is_forbidden<const STRIDE: usize, const LEN: usize>(
    game: &Go<STRIDE, LEN>,
    set: RuleSet,
    v: Vertex<STRIDE>,
) -> bool {
    let ko = set.ko();
    if ko == Ko::Simple
        || usize::from(v.index()) == game.board.ko()
        || game.legal(game.to_move, v) != Err(Illegal::Superko)
        || is_single_suicide(game, v)
    {
        return false;
    }
    ko == Ko::Positional || is_repeated_situation(game, v)
}

/// Whether a stone at an empty point would have neither a liberty nor a friend, nor capture.
fn is_single_suicide<const STRIDE: usize, const LEN: usize>(
    game: &Go<STRIDE, LEN>,
    v: Vertex<STRIDE>,
) -> bool {
    let (at, own) = (usize::from(v.index()), game.to_move.index() as u8);
    let has_friend =
        crate::board::Board::<STRIDE, LEN>::orthogonal(at).iter().any(|&n| game.board.stone(n) == own);
    let suicide = match own {
        0 => game.board.hash_after::<0>(at).1,
        _ => game.board.hash_after::<1>(at).1,
    };
    suicide && !has_friend
}

/// Whether a move brings back a position with the same player to move.
fn is_repeated_situation<const STRIDE: usize, const LEN: usize>(
    game: &Go<STRIDE, LEN>,
    v: Vertex<STRIDE>,
) -> bool {
    let (at, points) = (usize::from(v.index()), game.size() * game.size());
    let hash = match game.to_move.index() {
        0 => game.board.hash_after::<0>(at).0,
        _ => game.board.hash_after::<1>(at).0,
    };
    let mut back = game.history.back();
    let mut player = game.to_move;
    loop {
        if back.hash() == hash && player != game.to_move {
            return true;
        }
        match back.step(points) {
            Some(last) => player = last.player,
            None => return false,
        }
    }
}

/// Where simple ko forbade the move that was played last on the way back.
fn ko_before(board: &FlatBoard, mut back: Back<'_>, points: usize) -> usize {
    let Some(last) = back.step(points).filter(|last| last.point < points) else { return NOWHERE };
    let mut captured = last.captured();
    let (Some(taken), None) = (captured.next(), captured.next()) else { return NOWHERE };
    let (at, taken) = (board.cell(last.point), board.cell(taken));
    let own = last.player.index() as u8;
    let is_alone = board
        .around(at)
        .into_iter()
        .all(|n| n == taken || (board.stone(n) != own && board.stone(n) != EMPTY));
    if is_alone && at != taken { taken } else { NOWHERE }
}

/// A triangle with a period of two points, since a point of komi matters in every second place: 0
/// at komis with which the game can be drawn, 1/2 half a point above, -1/2 half a point below.
fn parity_wave(komi: f32, points: usize) -> f32 {
    let odd = (points % 2) as f32;
    let above = (komi - odd).rem_euclid(2.0);
    if above < 0.5 {
        above
    } else if above < 1.5 {
        1.0 - above
    } else {
        above - 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Go9, Komi, RuleSet, Rules};
    use std::collections::HashMap;
    use tesuji::{Game, Rng};

    const ALL: LearnedRules = LearnedRules::All { areas_as_with_suicide: false };

    fn game(size: usize, rules: &str) -> Go9 {
        let (told, suicide) = RuleSet::parse(rules).unwrap();
        Go9::new(size, Rules { komi: Komi::from_halves(13), suicide, told, ..Rules::default() })
    }

    fn play(game: &mut Go9, moves: &str) {
        moves.split_whitespace().for_each(|m| game.play(Vertex::parse(m).unwrap()));
    }

    fn written(game: &Go9) -> (Vec<f32>, Vec<f32>) {
        let points = game.size() * game.size();
        let (mut planes, mut globals) = (vec![f32::NAN; PLANES * points], vec![f32::NAN; GLOBALS]);
        KataGoPlanes::new(game.size(), ALL).write(game, &mut planes, &mut globals);
        (planes, globals)
    }

    /// The points of a plane, in rows from the top.
    fn points(game: &Go9, plane: usize) -> Vec<usize> {
        let points = game.size() * game.size();
        let planes = written(game).0;
        let plane = &planes[plane * points..][..points];
        (0..points).filter(|&point| plane[point] == 1.0).collect()
    }

    /// Whatever the rules, a network that learned by one set of them sees that one.
    #[test]
    fn rules_that_were_not_learned_are_not_shown() {
        let shown = |rules: &str| {
            let mut game = game(9, rules);
            play(&mut game, "C3 pass E5 F5 pass");
            let points = game.size() * game.size();
            let (mut planes, mut globals) = (vec![f32::NAN; PLANES * points], vec![f32::NAN; GLOBALS]);
            let mut own = KataGoPlanes::new(9, LearnedRules::TrompTaylor);
            own.write(&game, &mut planes, &mut globals);
            (planes, globals, own.hash(&game))
        };
        let rules = ["tromp-taylor", "chinese", "japanese", "new-zealand", "stone-scoring", "aga"];
        for other in rules {
            assert!(shown(other) == shown(rules[0]), "{other}");
        }
        assert!(written(&game(9, "japanese")) != written(&game(9, "chinese")));
    }

    #[test]
    fn the_same_hash_shows_the_same_position() {
        let mut rng = Rng::new(5);
        for (size, rules) in
            [(2, "tromp-taylor"), (3, "chinese"), (3, "japanese"), (3, "new-zealand"), (4, "stone-scoring")]
        {
            let mut seen: HashMap<u64, (Vec<f32>, Vec<f32>)> = HashMap::new();
            let mut twice = 0;
            for _ in 0..150 {
                let mut game = game(size, rules);
                for _ in 0..20 {
                    let hash = KataGoPlanes::new(size, ALL).hash(&game);
                    let planes = written(&game);
                    if let Some(before) = seen.insert(hash, planes.clone()) {
                        assert!(before == planes, "{rules}\n{game}");
                        twice += 1;
                    }
                    let mut moves = Vec::new();
                    game.moves(&mut moves);
                    game.play(moves[rng.below(moves.len() as u32) as usize]);
                }
            }
            assert!(twice > 100 && seen.len() > 100, "{rules}: {twice} of {}", seen.len());
        }
    }

    #[test]
    fn rules_add_to_the_komi() {
        let mut japanese = game(9, "japanese");
        assert_eq!(written(&japanese).1[5], -6.5 / 20.0);
        play(&mut japanese, "E5");
        assert_eq!(written(&japanese).1[5], 7.5 / 20.0, "a point for Black's move");
        play(&mut japanese, "pass");
        assert_eq!(written(&japanese).1[5], -7.5 / 20.0);

        for (rules, bonus) in [("chinese", 2.0), ("aga", 1.0), ("tromp-taylor", 0.0)] {
            let mut game = game(9, rules);
            let points = game.fixed_handicap(2).unwrap();
            game.place_handicap(&points).unwrap();
            game.set_to_move(Player::SECOND);
            assert_eq!(written(&game).1[5], (6.5 + bonus) / 20.0, "{rules}");
            play(&mut game, "E5 D4");
            assert_eq!(written(&game).1[5], (6.5 + bonus) / 20.0, "{rules}");
        }
        // Stones that Black plays first count as well; one is no handicap.
        let mut chinese = game(9, "chinese");
        play(&mut chinese, "E5");
        assert_eq!(written(&chinese).1[5], 6.5 / 20.0);
        play(&mut chinese, "pass D4 C6");
        assert_eq!(written(&chinese).1[5], -8.5 / 20.0);
    }

    #[test]
    fn a_pass_ends_the_game_or_asks_whether_it_is_over() {
        for (rules, ends, shown) in
            [("tromp-taylor", 1.0, 1.0), ("japanese", 1.0, 1.0), ("chinese", 0.0, 0.0), ("aga", 0.0, 0.0)]
        {
            let mut game = game(9, rules);
            play(&mut game, "E5 D4");
            assert_eq!((written(&game).1[14], points(&game, 9)), (0.0, vec![5 * 9 + 3]), "{rules}");
            play(&mut game, "pass");
            let globals = written(&game).1;
            assert_eq!((globals[14], globals[0]), (ends, shown), "{rules}");
            assert_eq!(points(&game, 10).len(), shown as usize, "{rules}");
        }
    }

    #[test]
    fn ko_and_superko_are_forbidden_moves() {
        // Black takes a ko at C2; White may not retake at B2.
        let mut now = game(5, "tromp-taylor");
        play(&mut now, "B3 C3 B1 C1 A2 D2 E5 B2 C2");
        assert_eq!(points(&now, 6), [3 * 5 + 1]);
        play(&mut now, "pass");
        assert_eq!(points(&now, 6), Vec::<usize>::new(), "it is Black's turn");
        play(&mut now, "pass");
        assert_eq!(points(&now, 6), [3 * 5 + 1], "the whole board would be repeated");
        let mut simple = game(5, "chinese");
        play(&mut simple, "B3 C3 B1 C1 A2 D2 E5 B2 C2 pass pass");
        assert_eq!(points(&simple, 6), Vec::<usize>::new());
    }

    #[test]
    fn the_wave_has_a_period_of_two_points() {
        for (komi, points, wave) in [
            (7.0, 81, 0.0),
            (7.5, 81, 0.5),
            (8.0, 81, 0.0),
            (6.5, 81, -0.5),
            (6.0, 4, 0.0),
            (-6.5, 4, -0.5),
            (0.5, 4, 0.5),
        ] {
            assert_eq!(parity_wave(komi, points), wave, "{komi} {points}");
        }
    }
}
