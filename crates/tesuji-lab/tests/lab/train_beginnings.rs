//! What a training begins with: weights of a file, games of an earlier training; and labels of a
//! teacher.

use super::train::{FILE, iterations, networks, never, run, timeless};
use std::path::Path;
use tesuji::NetworkOptions;
use tesuji_go::Rules;
use tesuji_lab::store::{SelfPlayRow, Store};
use tesuji_net::{Notes, Parameters, Shape};
use tesuji_train::{TrainingGame, trainable_go};

#[test]
fn a_network_learns_on_from_a_file() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, second) = (first.path(), second.path());
    let less = FILE.replace("iterations = 3", "iterations = 1");
    run(first, &less, 2, &mut never).unwrap();
    let file = first.join("out/t/networks/latest.safetensors");
    let on = less.replace("[network]", &format!("[network]\n    file = {:?}", file.display().to_string()));
    // Stopped at once, it has the weights of the file.
    run(second, &on, 1, &mut |_, _| true).unwrap();
    let weights = |path: &Path| tesuji_net::Parameters::load(path).unwrap().0;
    assert_eq!(weights(&second.join("out/t/networks/00000.safetensors")), weights(&file));
    // The first checkpoint has them, whatever becomes of the file.
    let elsewhere = first.join("elsewhere.safetensors");
    std::fs::rename(&file, &elsewhere).unwrap();
    run(second, &on, 1, &mut |_, done| done > 3).unwrap();
    std::fs::rename(&elsewhere, &file).unwrap();
    assert_eq!(iterations(&run(second, &on, 2, &mut never).unwrap()), 1);
    assert_ne!(weights(&second.join("out/t/networks/latest.safetensors")), weights(&file));

    let refused = |text: &str| {
        let empty = tempfile::tempdir().unwrap();
        run(empty.path(), text, 1, &mut never).unwrap_err().to_string()
    };
    let other = refused(&on.replace("filters = 4", "filters = 8"));
    assert!(
        other.contains("1 blocks of 4 filters") && other.contains("accepted: 4x4, 5 planes, 1 blocks of 8"),
        "{other}"
    );
    // The same file with other weights, and then without it.
    std::fs::copy(first.join("out/t/networks/00000.safetensors"), &file).unwrap();
    let error = run(second, &on, 1, &mut never).unwrap_err().to_string();
    assert!(error.contains("network.file has other weights than"), "{error}");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(iterations(&run(second, &on, 2, &mut never).unwrap()), 1);

    let gone = refused(&on.replace("latest", "no-such"));
    assert!(gone.starts_with("network.file: ") && gone.contains("no-such.safetensors"), "{gone}");
}

/// The games follow from the network and its seed as without a teacher; the labels are the
/// teacher's, stopped anywhere or not.
#[test]
fn a_teacher_labels_the_games() {
    let (whole, parts, school) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (whole, parts, file) = (whole.path(), parts.path(), school.path().join("teacher.safetensors"));
    let shape = Shape { board: 4, planes: 3, filters: 4, blocks: 1, ..Shape::GO9 };
    let teach = |seed| Parameters::random(shape, seed).save(&file, &Notes::new()).unwrap();
    teach(1);
    // No game loses its labels.
    let plain = FILE.replace("every = 2", "every = 9").replace("window = 300", "window = 3000");
    let text = plain.replace(
        "[network]",
        &format!("[teacher]\n    file = {:?}\n\n    [network]", file.display().to_string()),
    );
    let expected = run(whole, &text, 2, &mut never).unwrap();
    for (name, done) in [("self-play 0", 5), ("training 0", 0), ("self-play 1", 1)] {
        run(parts, &text, 1, &mut |running, n| running == name && n >= done).unwrap();
    }
    assert_eq!(timeless(&run(parts, &text, 1, &mut never).unwrap()), timeless(&expected));
    assert!(networks(parts) == networks(whole));

    let games = |dir: &Path| {
        let (store, mut games) = (Store::read(&dir.join("out/t")).unwrap(), Vec::new());
        let mut take = |row: SelfPlayRow| {
            games.push(TrainingGame::from_bytes(&row.game).unwrap());
            Ok(())
        };
        store.each_self_play(&store.parts().unwrap()[0].group, [0, 12], &mut take).unwrap();
        games
    };
    let alone = tempfile::tempdir().unwrap();
    run(alone.path(), &plain.replace("iterations = 3", "iterations = 1"), 1, &mut never).unwrap();
    let options = NetworkOptions { file: Some(file.display().to_string()), ..NetworkOptions::default() };
    let mut teacher = trainable_go(4, Rules::default()).teacher(&options, 1).unwrap();
    let own = games(alone.path());
    assert_eq!(own.len(), 12);
    for (own, labelled) in own.into_iter().zip(games(whole)) {
        assert_ne!(own, labelled);
        // Values are stored in steps.
        assert_eq!(teacher.label(own).unwrap().to_bytes(), labelled.to_bytes());
    }

    // Another teacher is refused, and a training that is complete needs none.
    teach(2);
    let longer = text.replace("iterations = 3", "iterations = 4");
    let error = run(whole, &longer, 1, &mut never).unwrap_err().to_string();
    assert!(error.contains("teacher.file: its content has the hash"), "{error}");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(timeless(&run(whole, &text, 1, &mut never).unwrap()), timeless(&expected));
}

/// The window begins with the games of an earlier training, whether the run is stopped or not.
#[test]
fn a_window_may_begin_with_earlier_games() {
    let dirs = [(); 5].map(|()| tempfile::tempdir().unwrap());
    let [first, whole, parts, alone, other] = dirs.each_ref().map(|dir| dir.path());
    let plain = FILE.replace("every = 2", "every = 9").replace("window = 300", "window = 3000");
    run(first, &plain, 2, &mut never).unwrap();
    let later = |dir: &Path| {
        let earlier = format!("iterations = 2\n    earlier = {:?}", dir.display().to_string());
        plain.replace("iterations = 3", &earlier).replace("seed = 5", "seed = 6")
    };
    let text = later(&first.join("out/t"));
    let expected = run(whole, &text, 2, &mut never).unwrap();
    for (name, done) in [("self-play 0", 5), ("training 0", 0), ("self-play 1", 1)] {
        run(parts, &text, 1, &mut |running, n| running == name && n >= done).unwrap();
    }
    assert_eq!(timeless(&run(parts, &text, 1, &mut never).unwrap()), timeless(&expected));
    assert!(networks(parts) == networks(whole));
    // As many steps as without them, with other samples.
    let none = plain.replace("iterations = 3", "iterations = 2").replace("seed = 5", "seed = 6");
    let without = run(alone, &none, 2, &mut never).unwrap();
    assert_eq!(without.tables[0].at(0, "steps"), expected.tables[0].at(0, "steps"));
    assert_ne!(without.tables[0].at(0, "policy_loss"), expected.tables[0].at(0, "policy_loss"));

    // Other games, more and fewer are refused once something was learnt.
    let longer = |dir: &Path| later(dir).replace("iterations = 2", "iterations = 3");
    let none = none.replace("iterations = 2", "iterations = 3");
    for (dir, text) in
        [(whole, longer(&alone.join("out/t"))), (alone, longer(&first.join("out/t"))), (whole, none)]
    {
        let error = run(dir, &text, 1, &mut never).unwrap_err().to_string();
        assert!(error.contains("its games are not those with which this training began"), "{error}");
    }
    let error = run(whole, &longer(&first.join("out")), 1, &mut never).unwrap_err().to_string();
    assert!(error.contains("accepted: the directory of the record of a training"), "{error}");
    let error = run(whole, &longer(&whole.join("out/t")), 1, &mut never).unwrap_err().to_string();
    assert!(error.contains("it is that of this training"), "{error}");
    let hex =
        later(&first.join("out/t")).replace("go:4\"\n    komi = 0.5", "hex:4\"").replace("planes = 5", "");
    let error = run(other, &hex, 1, &mut never).unwrap_err().to_string();
    assert!(error.contains("its game is go:4, here it is hex:4"), "{error}");
    run(whole, &longer(&first.join("out/t")), 1, &mut never).unwrap();
    // A training that is complete needs none.
    std::fs::remove_dir_all(first.join("out")).unwrap();
    assert_eq!(timeless(&run(parts, &text, 1, &mut never).unwrap()), timeless(&expected));
}
