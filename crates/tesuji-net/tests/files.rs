//! Network files: what is written is read, and what is wrong is named.

use std::path::PathBuf;
use tesuji_net::{Notes, Parameters, Safetensors, Sgd, Shape, Trainer};

const SHAPE: Shape = Shape {
    board: 5,
    planes: 3,
    filters: 4,
    blocks: 1,
    policy_filters: 2,
    value_filters: 1,
    value_hidden: 6,
    globals: 0,
    actions: 0,
    replies: 0,
    horizons: 0,
};

/// A path for one test.
fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tesuji-net-{}-{name}.safetensors", std::process::id()))
}

/// The bytes of a network file, read back and changed.
fn changed(change: impl FnOnce(&mut Safetensors)) -> Vec<u8> {
    let path = path(&format!("{:?}", std::thread::current().id()));
    Parameters::random(SHAPE, 1).save(&path, &Notes::new()).unwrap();
    let mut file = Safetensors::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
    std::fs::remove_file(path).unwrap();
    change(&mut file);
    file.to_bytes()
}

#[test]
fn what_is_saved_is_loaded() {
    let path = path("saved");
    let parameters = Parameters::random(SHAPE, 3);
    let notes = Notes::from([("step".to_owned(), "12".to_owned())]);
    parameters.save(&path, &notes).unwrap();
    assert_eq!(Parameters::load(&path).unwrap(), (parameters, notes));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_file_that_is_cut_off_is_an_error_everywhere() {
    let bytes = changed(|_| {});
    for end in (0..bytes.len()).step_by(13) {
        assert!(Parameters::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn what_was_changed_since_it_was_written_is_an_error() {
    let mut bytes = changed(|_| {});
    let data = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for at in (data..bytes.len()).step_by(101) {
        bytes[at] ^= 1 << (at % 8);
        assert!(Parameters::from_bytes(&bytes).is_err(), "byte {at}");
        bytes[at] ^= 1 << (at % 8);
    }
    let other = changed(|file| drop(file.metadata.insert("step".into(), "13".into())));
    assert!(Parameters::from_bytes(&other).is_err(), "metadata are checked, too");
    let unchecked = changed(|file| drop(file.metadata.remove("checksum")));
    assert!(Parameters::from_bytes(&unchecked).is_ok(), "a checksum is not needed");
}

#[test]
fn errors_say_what_is_wrong() {
    let set = |key: &'static str, value: &'static str| {
        changed(|file| drop(file.metadata.insert(key.into(), value.into())))
    };
    for (bytes, words) in [
        (include_bytes!("data/net-9x9.safetensors").to_vec(), "format is missing"),
        (set("format", "other 2"), "format is \"other 2\", this version reads \"tesuji-net 1\""),
        (set("filters", "many"), "filters is \"many\", but must be a number"),
        (set("board", "20"), "board is 20, but must be 2 to 19"),
        (set("filters", "8"), "trunk.conv.weight is [4, 3, 3, 3], its measures say [8, 3, 3, 3]"),
        (set("blocks", "0"), "blocks.0.bn1.bias does not belong"),
        (set("blocks", "2"), "blocks.1.conv1.weight is missing"),
        (changed(|file| drop(file.metadata.remove("planes"))), "planes is missing"),
        // No memory is taken for what is not there.
        (
            changed(|file| {
                for (key, most) in [("filters", "1024"), ("planes", "1024"), ("blocks", "100")] {
                    file.metadata.insert(key.into(), most.into());
                }
            }),
            "trunk.conv.weight is [4, 3, 3, 3], its measures say [1024, 1024, 3, 3]",
        ),
        (changed(|file| file.insert("value.fc2.bias", &[1], &[f32::NAN])), "value.fc2.bias holds NaN"),
        (changed(|file| file.insert("value.bn.running_var", &[1], &[-1.0])), "negative variance"),
        (changed(|file| file.insert("value.fc2.bias", &[1], &[1.0])), "differ from those that were written"),
    ] {
        let error = Parameters::from_bytes(&bytes).unwrap_err().to_string();
        assert!(error.contains(words), "{error:?} lacks {words:?}");
    }
    let missing = Parameters::load(&path("missing")).unwrap_err().to_string();
    assert!(missing.contains("tesuji-net-") && missing.contains("missing.safetensors"), "{missing}");
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_or_too_large_is_refused() {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    let large = path("large");
    // It takes no place on the disk.
    std::fs::File::create(&large).unwrap().set_len((3 << 29) + (32 << 20) + 1).unwrap();
    let pipe = path("pipe");
    let _ = std::fs::remove_file(&pipe);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (file, words) in [
        (large.clone(), "1644167169 bytes are more than a network file has; accepted: at most 1644167168"),
        (pipe.clone(), "it is a pipe or a device; accepted: a regular file"),
        ("/dev/zero".into(), "it is a pipe or a device; accepted: a regular file"),
        (std::env::temp_dir(), "it is a directory; accepted: a regular file"),
    ] {
        let (send, receive) = channel();
        // Nobody ever writes to the pipe: who waits for it waits for ever.
        std::thread::spawn(move || {
            let errors = [
                Parameters::load(&file).map(drop).unwrap_err().to_string(),
                Trainer::load(&file, Sgd::default()).map(drop).unwrap_err().to_string(),
            ];
            let _ = send.send(errors);
        });
        let errors = receive.recv_timeout(Duration::from_secs(60)).expect("nobody waits for a pipe");
        assert!(errors.iter().all(|error| error.contains(words)), "{errors:?}");
    }
    std::fs::remove_file(large).unwrap();
    std::fs::remove_file(pipe).unwrap();
}
