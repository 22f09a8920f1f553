//! Recorded games: as they were, or an error.

use proptest::prelude::*;
use tesuji::Player;
use tesuji_go::Komi;
use tesuji_train::{End, FormatError, Outlook, Policy, Target, TrainingGame, Turn};

fn target(points: u16) -> impl Strategy<Value = Option<Target>> {
    let weights =
        prop::collection::vec(prop_oneof![3 => Just(0.0_f32), 1 => 0.001..1.0_f32], usize::from(points) + 1);
    let owners = prop::collection::vec(-63..=63_i8, usize::from(points));
    let outlook = prop::option::of((-3000..3000_i16, owners)).prop_map(|outlook| {
        let (lead, owners) = outlook?;
        let ownership = owners.into_iter().map(|x| f32::from(x) / 63.0).collect();
        Some(Outlook { lead: f32::from(lead) / 16.0, ownership })
    });
    let surprise =
        prop::option::of(0..5000_u16).prop_map(|steps| steps.map(|steps| f32::from(steps) / 256.0));
    let numbers = (weights, 0..=65535_u16, outlook, surprise, any::<bool>());
    numbers.prop_map(|(weights, value, outlook, surprise, some)| {
        let policy = Policy::of(&weights);
        let value = f32::from(value) / 65535.0;
        (some && !policy.weights().is_empty()).then_some(Target { policy, value, outlook, surprise })
    })
}

fn game() -> impl Strategy<Value = TrainingGame> {
    (2..=19_usize).prop_flat_map(|size| {
        let points = (size * size) as u16;
        let player = || any::<bool>().prop_map(|second| Player::new(usize::from(second)));
        let turn = (0..=points, target(points)).prop_map(|(m, target)| Turn { m, target });
        let end = prop::sample::select(vec![End::Passes, End::Resignation, End::Length, End::Unknown]);
        let stones = prop::collection::vec((0..points, player()), 0..5);
        let turns = (prop::collection::vec(turn, 0..12), any::<bool>()).prop_map(|(mut turns, surprises)| {
            let targets =
                turns.iter_mut().filter(|_| !surprises).flat_map(|turn: &mut Turn| &mut turn.target);
            targets.for_each(|target| target.surprise = None);
            turns
        });
        (any::<i16>(), stones, player(), turns, prop::option::of(player()), end).prop_map(
            move |(komi, stones, first, turns, winner, end)| TrainingGame {
                size,
                actions: size * size + 1,
                komi: Komi::from_halves(komi),
                stones,
                first,
                turns,
                winner,
                end,
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_game_comes_back(game in game()) {
        let bytes = game.to_bytes();
        prop_assert_eq!(TrainingGame::from_bytes(&bytes), Ok(game.clone()));
        let any = |has: &dyn Fn(&Target) -> bool| game.turns.iter().flat_map(|turn| &turn.target).any(has);
        let has_outlook = any(&|target| target.outlook.is_some());
        let version = if any(&|target| target.surprise.is_some()) { 4 } else { 1 + u8::from(has_outlook) };
        prop_assert_eq!(bytes[0], version);
        let bare = game.clone().without_targets();
        prop_assert_eq!(bare.positions(), 0);
        prop_assert!(bare.to_bytes().len() <= bytes.len());
    }

    #[test]
    fn what_was_changed_or_cut_off_is_refused(game in game(), place in any::<prop::sample::Index>(), bit in 0..8_u8) {
        let bytes = game.to_bytes();
        let place = place.index(bytes.len());
        prop_assert!(TrainingGame::from_bytes(&bytes[..place]).is_err());
        let mut changed = bytes;
        changed[place] ^= 1_u8 << bit;
        prop_assert!(TrainingGame::from_bytes(&changed).is_err());
    }

    /// With a checksum that is right, whatever the bytes are.
    #[test]
    fn no_bytes_make_it_panic(
        game in game(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        added in prop::collection::vec(any::<u8>(), 0..4),
    ) {
        let mut bytes = game.to_bytes();
        bytes.truncate(bytes.len() - 4);
        for (place, byte) in changes {
            // Behind the version.
            let place = 1 + place.index(bytes.len() - 1);
            bytes[place] = byte;
        }
        bytes.extend(added);
        let sum = bytes.iter().fold(0x811c_9dc5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        bytes.extend(sum.to_le_bytes());
        if let Ok(game) = TrainingGame::from_bytes(&bytes) {
            prop_assert_eq!(TrainingGame::from_bytes(&game.to_bytes()), Ok(game));
        }
    }
}

#[test]
fn games_of_the_first_version_are_read() {
    let bytes = [1, 3, 13, 1, 9, 0, 2, 0, 2, 4, 1, 4, 255, 31, 128, 128, 2, 9, 0];
    let sum =
        bytes.iter().fold(0x811c_9dc5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let bytes = [bytes.as_slice(), &sum.to_le_bytes()].concat();
    let game = TrainingGame::from_bytes(&bytes).unwrap();
    assert_eq!((game.size, game.komi, game.stones.len()), (3, Komi::from_halves(-7), 1));
    let target = game.turns[0].target.clone().unwrap();
    assert_eq!((target.policy, target.outlook), (Policy::sure(4), None));
    assert_eq!(game.to_bytes(), bytes);
}

/// More moves than points, as in Knightthrough.
#[test]
fn games_with_a_number_of_moves_come_back() {
    let target = Target { policy: Policy::of(&[0.5, 0.0, 0.5]), value: 1.0, outlook: None, surprise: None };
    let turns = vec![Turn { m: 1791, target: Some(target) }, Turn { m: 0, target: None }];
    let game = TrainingGame {
        size: 8,
        actions: 1792,
        komi: Komi::from_halves(0),
        stones: Vec::new(),
        first: Player::FIRST,
        turns,
        winner: None,
        end: End::Length,
    };
    let bytes = game.to_bytes();
    assert_eq!((bytes[0], TrainingGame::from_bytes(&bytes)), (3, Ok(game.clone())));
    let beyond = TrainingGame { actions: 1791, ..game };
    assert_eq!(TrainingGame::from_bytes(&beyond.to_bytes()), Err(FormatError::Content("a move")));
}

/// A teacher's unit of the lead may be anything.
#[test]
fn a_lead_beyond_what_is_stored_does_not_make_a_game_unreadable() {
    let outlook = Some(Outlook { lead: -1e9, ownership: vec![0.0; 4] });
    let target = Target { policy: Policy::sure(4), value: 0.5, outlook, surprise: None };
    let game = TrainingGame {
        size: 2,
        actions: 5,
        komi: Komi::from_halves(0),
        stones: Vec::new(),
        first: Player::FIRST,
        turns: vec![Turn { m: 4, target: Some(target) }],
        winner: None,
        end: End::Unknown,
    };
    let read = TrainingGame::from_bytes(&game.to_bytes()).unwrap();
    let target = read.turns[0].target.as_ref().unwrap();
    assert_eq!(target.outlook.as_ref().unwrap().lead, -1e6);
}

#[test]
fn other_versions_are_named() {
    assert_eq!(TrainingGame::from_bytes(&[5, 0, 0, 0, 0, 0]), Err(FormatError::Version(5)));
    assert_eq!(TrainingGame::from_bytes(&[]), Err(FormatError::Checksum));
    assert_eq!(
        FormatError::Version(5).to_string(),
        "the recorded game has format 5, this program reads 1 to 4"
    );
}
