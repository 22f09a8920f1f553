//! Known values of games, and what symmetry says of them.

use tesuji::{Budget, Game, Outcome, Player, Search, Value, alpha_beta, minimax};
use tesuji_games::*;

#[test]
fn tic_tac_toe_is_a_draw() {
    let (all, pruned) = (minimax(&TicTacToe::new()), alpha_beta(&TicTacToe::new()));
    assert_eq!((all.value, all.best), (Value::DRAW, pruned.best));
    assert_eq!(pruned.value, Value::DRAW);
    // Every line of play and its prefixes, the empty one included.
    assert_eq!((all.visits, all.leaves), (549_946, 255_168));
    assert!(pruned.visits < all.visits / 10);
}

#[test]
fn who_moves_first_wins_small_hex() {
    for size in 2..=3 {
        let start = Hex::new(size).unwrap();
        assert_eq!(alpha_beta(&start).value, Value::win(Player::FIRST), "{size}");
        // With the swap the second player does.
        assert_eq!(alpha_beta(&start.with_swap()).value, Value::win(Player::SECOND), "{size}");
    }
}

#[test]
fn mirrored_moves_have_equal_values() {
    // Turned by half a circle, a Hex board is the same.
    let cells = 9;
    let value = |m| {
        let mut game = Hex::new(3).unwrap();
        game.play(m);
        alpha_beta(&game).value
    };
    for m in 0..cells {
        assert_eq!(value(m), value(cells - 1 - m));
    }
    // Three in a column of Connect Four on either side.
    for (line, mirrored) in [("111222", "777666"), ("4354", "4534"), ("1213", "7675")] {
        let after = |line: &str| {
            let mut game = ConnectFour::new();
            for text in line.split("").filter(|t| !t.is_empty()) {
                game.play(tesuji::Notation::parse_move(&game, text).unwrap());
            }
            tesuji::perft(&game, 5)
        };
        assert_eq!(after(line), after(mirrored));
    }
}

#[test]
fn search_finds_the_winner_of_a_p_game() {
    let mut right = 0;
    for seed in 0..50 {
        let game = PGame::new(4, 6, seed).unwrap();
        let mut search = Search::uct(&game, 0.7, seed);
        let report = search.run(&game, &Budget::simulations(2000)).unwrap();
        let mut after = game.clone();
        after.play(report.best);
        right += u32::from(after.solve().of(Player::FIRST) == game.solve().of(Player::FIRST));
    }
    assert!(right >= 45, "{right} of 50");
}
