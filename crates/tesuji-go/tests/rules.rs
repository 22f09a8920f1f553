//! Random games against the plainest possible rules.

mod reference;

use proptest::prelude::*;
use reference::Reference;
use tesuji::{Game, Player, Playouts, Rng, Value};
use tesuji_go::{Go, Rules, Vertex, with_go};

fn number<const S: usize, const L: usize>(game: &Go<S, L>, v: Vertex<S>) -> Option<usize> {
    Some(v.row()? * game.size() + v.column()?)
}

fn texts<const S: usize>(moves: impl IntoIterator<Item = Vertex<S>>) -> Vec<String> {
    let mut texts: Vec<String> = moves.into_iter().map(|v| v.to_string()).collect();
    texts.sort_unstable();
    texts
}

/// Plays a random game on both boards and compares everything at every move.
fn compare<const S: usize, const L: usize>(mut game: Go<S, L>, length: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut plain = Reference::new(game.size(), game.rules().suicide);
    let mut ko = None;
    for _ in 0..length {
        let colour = game.to_move().index() as u8;
        let mut legal = Vec::new();
        game.moves(&mut legal);
        let expected = |f: &dyn Fn(usize) -> bool| {
            let points = game.points().filter(|&v| number(&game, v).is_some_and(f));
            texts(points.chain([Vertex::PASS]))
        };
        assert_eq!(texts(legal.clone()), expected(&|v| plain.legal(colour, v)), "{game}");
        for v in game.points() {
            for other in 0..2 {
                let n = number(&game, v).unwrap();
                assert_eq!(game.legal(Player::new(other.into()), v).is_ok(), plain.legal(other, n));
            }
        }
        let mut searched = Vec::new();
        game.search_moves(&mut searched);
        let score = 2 * plain.area() - i32::from(game.komi().halves());
        let pass_wins = game.passes() == 1 && if colour == 0 { score > 0 } else { score < 0 };
        let sensible = |v| !pass_wins && plain.legal(colour, v) && !plain.is_eye(colour, v);
        assert_eq!(texts(searched), expected(&sensible), "{game}");
        let mut playable = Vec::new();
        game.playout_moves(&mut playable);
        let light = |v| {
            plain.stones[v] == 2 && !plain.is_eye(colour, v) && !plain.is_suicide(colour, v) && Some(v) != ko
        };
        let mut expected = expected(&light);
        if expected.len() > 1 {
            expected.retain(|text| text != "PASS");
        }
        assert_eq!(texts(playable), expected, "{game}");
        assert_eq!(game.score(), 2 * plain.area() - i32::from(game.komi().halves()));

        let m = legal[rng.below(legal.len() as u32) as usize];
        let stones = plain.stones.iter().filter(|&&s| s == 1 - colour).count();
        game.play(m);
        ko = None;
        if let Some(v) = number(&game, m) {
            let before = plain.stones.clone();
            plain.play(colour, v);
            let gone: Vec<usize> =
                (0..before.len()).filter(|&u| before[u] == 1 - colour && plain.stones[u] == 2).collect();
            assert_eq!(stones - gone.len(), plain.stones.iter().filter(|&&s| s == 1 - colour).count());
            let alone = plain.neighbours(v).iter().all(|&n| before[n] == 1 - colour);
            if let [point] = gone[..] {
                ko = alone.then_some(point);
            }
        }
        for v in game.points() {
            let stone = game.stone(v).map_or(2, |p| p.index() as u8);
            assert_eq!(stone, plain.stones[number(&game, v).unwrap()]);
        }
    }
}

#[test]
fn every_size_follows_the_rules() {
    for size in 2..=19 {
        let length = if size < 10 { 2 * size * size } else { 40 };
        for suicide in [false, true] {
            with_go!(size, Rules { suicide, ..Rules::default() }, |game| compare(game, length, size as u64));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn small_boards_follow_the_rules(size in 1usize..=6, suicide: bool, seed: u64) {
        with_go!(size, Rules { suicide, ..Rules::default() }, |game| compare(game, 150, seed));
    }

    #[test]
    fn playouts_end_with_the_true_score(size in 2usize..=19, seed: u64, opening in 0u32..60) {
        with_go!(size, Rules::default(), |game| {
            let mut rng = Rng::new(seed);
            let mut moves = Vec::new();
            for _ in 0..opening {
                moves.clear();
                game.search_moves(&mut moves);
                game.play(moves[rng.below(moves.len() as u32) as usize]);
                if game.result().is_some() {
                    break;
                }
            }
            let value = game.playout(&mut rng, &mut Vec::new(), &mut ());
            let mut plain = Reference::new(size, false);
            plain.stones = game.points().map(|v| game.stone(v).map_or(2, |p| p.index() as u8)).collect();
            let score = 2 * plain.area() - 15;
            prop_assert_eq!(score, game.score());
            prop_assert_eq!(value, Value::win(if score > 0 { Player::FIRST } else { Player::SECOND }));
        });
    }

    #[test]
    fn turned_mirrored_and_recoloured_games_agree(size in 2usize..=13, seed: u64, length in 1usize..100) {
        with_go!(size, Rules::default(), |game| {
            let mut rng = Rng::new(seed);
            let mut twin = game.clone();
            let symmetry = rng.below(8);
            let map = |v: Vertex<_>| {
                let (Some(mut c), Some(mut r)) = (v.column(), v.row()) else { return v };
                if symmetry & 1 != 0 { c = size - 1 - c; }
                if symmetry & 2 != 0 { r = size - 1 - r; }
                if symmetry & 4 != 0 { (c, r) = (r, c); }
                Vertex::new(c, r).unwrap()
            };
            twin.set_to_move(Player::SECOND);
            for _ in 0..length {
                let (mut moves, mut others) = (Vec::new(), Vec::new());
                game.moves(&mut moves);
                twin.moves(&mut others);
                prop_assert_eq!(texts(moves.iter().map(|&v| map(v))), texts(others));
                let m = moves[rng.below(moves.len() as u32) as usize];
                game.play(m);
                twin.play(map(m));
            }
            prop_assert_eq!(game.score() + 15, -(twin.score() + 15));
            for v in game.points() {
                prop_assert_eq!(game.stone(v), twin.stone(map(v)).map(Player::other));
            }
            let owner = |g: &Go<_, _>, v| g.points().zip(g.ownership()).find(|p| p.0 == v).unwrap().1;
            for v in game.points() {
                prop_assert_eq!(owner(&game, v), owner(&twin, map(v)).map(Player::other));
            }
        });
    }
}
