//! Recorded games: as they were, or an error.

use proptest::prelude::*;
use tesuji::Player;
use tesuji_go::Komi;
use tesuji_train::{End, FormatError, Policy, Target, TrainingGame, Turn};

fn target(points: u16) -> impl Strategy<Value = Option<Target>> {
    let weights =
        prop::collection::vec(prop_oneof![3 => Just(0.0_f32), 1 => 0.001..1.0_f32], usize::from(points) + 1);
    (weights, 0..=65535_u16, any::<bool>()).prop_map(|(weights, value, some)| {
        let policy = Policy::of(&weights);
        let value = f32::from(value) / 65535.0;
        (some && !policy.weights().is_empty()).then_some(Target { policy, value })
    })
}

fn game() -> impl Strategy<Value = TrainingGame> {
    (2..=19_usize).prop_flat_map(|size| {
        let points = (size * size) as u16;
        let player = || any::<bool>().prop_map(|second| Player::new(usize::from(second)));
        let turn = (0..=points, target(points)).prop_map(|(m, target)| Turn { m, target });
        let end = prop::sample::select(vec![End::Passes, End::Resignation, End::Length, End::Unknown]);
        let stones = prop::collection::vec((0..points, player()), 0..5);
        let turns = prop::collection::vec(turn, 0..12);
        (any::<i16>(), stones, player(), turns, prop::option::of(player()), end).prop_map(
            move |(komi, stones, first, turns, winner, end)| TrainingGame {
                size,
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
fn other_versions_are_named() {
    assert_eq!(TrainingGame::from_bytes(&[2, 0, 0, 0, 0, 0]), Err(FormatError::Version(2)));
    assert_eq!(TrainingGame::from_bytes(&[]), Err(FormatError::Checksum));
    assert_eq!(FormatError::Version(2).to_string(), "the recorded game has format 2, this program reads 1");
}
