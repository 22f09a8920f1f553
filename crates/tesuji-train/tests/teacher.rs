//! Labels of KataGo's network.

use tesuji::{NetworkOptions, Player};
use tesuji_go::{Komi, Rules};
use tesuji_train::{End, Outlook, Policy, ReplayError, Target, Teacher, TrainingGame, Turn, trainable_go};

fn teacher(size: usize, every: u32) -> Box<dyn Teacher> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tesuji-go/tests/katago/g170-b6c96.bin.gz");
    let options = NetworkOptions { file: Some(file.to_owned()), ..NetworkOptions::default() };
    trainable_go(size, Rules::default()).teacher(&options, every).unwrap()
}

/// A game on 9x9. Of the position after its first move KataGo 1.17.2 has said what it thinks: the
/// line with one move and komi 6.5 for 9x9 in `katago-b6c96.jsonl`, after the rules of Tromp and
/// Taylor.
fn game() -> TrainingGame {
    let turn = |column: u16, row: u16, target| Turn { m: 9 * row + column, target };
    let own = Target { policy: Policy::sure(7), value: 0.25, outlook: None, surprise: None };
    TrainingGame {
        size: 9,
        actions: 82,
        komi: Komi::from_halves(13),
        stones: Vec::new(),
        first: Player::FIRST,
        turns: vec![turn(4, 6, None), turn(4, 4, Some(own))],
        winner: Some(Player::FIRST),
        end: End::Resignation,
    }
}

#[test]
fn labels_are_what_katago_says() {
    let labelled = teacher(9, 1).label(game()).unwrap();
    assert_eq!(labelled.positions(), 2, "every position has a label");
    let Target { policy, value, outlook, .. } = labelled.turns[1].target.as_ref().unwrap();
    // KataGo was told that suicide is legal; games of training have none.
    assert!((value - 0.521713).abs() < 0.02, "{value}");
    let found = vec![0.0; 82];
    let found = policy.probabilities().fold(found, |mut found, (m, p)| {
        found[m] = p;
        found
    });
    for (row, column, wanted) in [(3, 4, 0.268456), (3, 5, 0.224809), (4, 4, 0.173911), (3, 3, 0.163953)] {
        let p = found[9 * row + column];
        assert!((p - wanted).abs() < 0.02, "{row} {column}: {p} {wanted}");
    }
    let Outlook { lead, ownership } = outlook.as_ref().unwrap();
    // White is to move.
    assert!((lead - 0.069).abs() < 0.3 && ownership.len() == 81, "{lead}");
    // The rest of the game stays as it was, and the label depends on the game alone.
    assert_eq!(labelled.clone().without_targets(), game().without_targets());
    assert_eq!(teacher(9, 1).label(labelled.clone()).unwrap(), labelled);
    assert_eq!(TrainingGame::from_bytes(&labelled.to_bytes()).unwrap().positions(), 2);
}

/// A label takes most of the time, and neighbours of one game say little new.
#[test]
fn every_nth_position_is_labelled() {
    let mut long = game();
    long.turns.extend((0..9).map(|m| Turn { m, target: None }));
    let all = teacher(9, 1).label(long.clone()).unwrap();
    for every in [2, 3, 20] {
        let some = teacher(9, every).label(long.clone()).unwrap();
        // The sum of the moves decides which is the first.
        let first = (58 + 40 + 36) % every;
        for (ply, (turn, labelled)) in some.turns.iter().zip(&all.turns).enumerate() {
            let wanted = labelled.target.as_ref().filter(|_| ply as u32 % every == first);
            assert_eq!((turn.m, turn.target.as_ref()), (labelled.m, wanted), "{every}: {ply}");
        }
    }
}

#[test]
fn games_that_cannot_be_labelled_are_refused() {
    assert_eq!(teacher(7, 1).label(game()), Err(ReplayError::Board { found: 9, wanted: 7 }));
    let more = TrainingGame { actions: 400, ..game() };
    assert_eq!(teacher(9, 1).label(more), Err(ReplayError::Actions { found: 400, wanted: 82 }));
    let mut twice = game();
    twice.turns[1].m = twice.turns[0].m;
    assert_eq!(teacher(9, 1).label(twice), Err(ReplayError::Move(1)));
}
