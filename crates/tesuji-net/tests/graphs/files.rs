//! Files are read as they were written, or refused with a reason.

use super::random::every_kind;
use super::writer::write;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use tesuji_net::graph::{Activation, Block, Graph, LearnedRules};
use tesuji_net::{KataGoError, is_katago};

/// The network without the names of its layers, of which biases have none here.
fn unnamed(graph: &Graph) -> String {
    let text = format!("{graph:?}");
    let names = text.split("name: \"").map(|part| part.split_once('"').map_or(part, |(_, rest)| rest));
    names.collect()
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn error(bytes: &[u8]) -> String {
    Graph::from_katago(bytes).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read() {
    for version in 8..18 {
        let activation = if version < 11 { Activation::Relu } else { Activation::Mish };
        let mut graph = every_kind(version as u64, activation, 3, version >= 15);
        graph.rules = LearnedRules::All { areas_as_with_suicide: version == 16 };
        for is_text in [false, true] {
            let bytes = write(&graph, version, is_text);
            for bytes in [zipped(&bytes), bytes] {
                let read = Graph::from_katago(&bytes).unwrap();
                assert_eq!(unnamed(&read), unnamed(&graph), "version {version}");
            }
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let graph = every_kind(1, Activation::Relu, 1, false);
    for (is_text, step) in [(false, 97), (true, 211)] {
        let bytes = write(&graph, 8, is_text);
        for end in (0..bytes.len() - 3).step_by(step) {
            let text = error(&bytes[..end]);
            let known = ["too soon", "@BIN@", "channels", "accepted: a number"];
            assert!(known.iter().any(|part| text.contains(part)), "{text}");
        }
        let bytes = zipped(&bytes);
        for end in (20..bytes.len() - 9).step_by(step) {
            assert!(!error(&bytes[..end]).is_empty());
        }
    }
}

#[test]
fn faults_are_named() {
    let graph = every_kind(2, Activation::Mish, 3, true);
    let bytes = write(&graph, 17, true);
    let text = String::from_utf8(bytes).unwrap();
    let changed = |from: &str, to: &str| error(text.replacen(from, to, 1).as_bytes());
    for (from, to, wanted) in [
        ("\n17\n", "\n18\n", "the model version is 18; accepted: 8 to 17"),
        ("\n17\n", "\n7\n", "the model version is 7; accepted: 8 to 17"),
        ("\n22\n", "\n21\n", "the number of planes is 21; accepted: 22 to 22"),
        ("\n20.0\n", "\n-1\n", "the unit of intermediate scores is -1; accepted: a finite number above 0"),
        ("ACTIVATION_MISH", "ACTIVATION_SINE", "the activation is \"ACTIVATION_SINE\"; accepted: "),
        ("gpool_block", "pool_block", "block block: its kind is \"pool_block\"; accepted: ordinary_block"),
        ("trunk\n7\n14\n", "trunk\n7\n15\n", "has 14 channels where 15 are wanted"),
        ("trunk\n7\n", "trunk\n4000000000\n", "the number of blocks is 4000000000; accepted: 1 to 1000"),
        ("\n3\n3\n22\n", "\n3\n5\n22\n", "a kernel of 3 by 5; accepted: square, of odd size"),
        ("\n3\n3\n22\n14\n1\n", "\n3\n3\n22\n14\n2\n", "a dilation of 2 by 1; accepted: 1"),
        ("\n3\n3\n22\n14\n", "\n37\n37\n8192\n8192\n", "weights; accepted: up to 268435456"),
        ("\n0\n0\n0\n0\n0\n0\n0\n0\ntrunk", "\n1\n0\n0\n0\n0\n0\n0\n0\ntrunk", "it reads who plays"),
    ] {
        let error = changed(from, to);
        assert!(error.contains(wanted), "{from:?} to {to:?}: {error}");
    }
    // Where a weight is no number, its layer is named.
    let first = text.find("layer").unwrap();
    let weights = first + text[first..].find("\n1\n1\n").unwrap() + 5;
    let end = weights + text[weights..].find(' ').unwrap();
    let broken = format!("{}NaN{}", &text[..weights], &text[end..]);
    let error = error(broken.as_bytes());
    assert!(error.contains("layer layer") && error.contains("finite"), "{error}");
}

#[test]
fn a_claim_takes_no_memory() {
    // A layer that claims a gigabyte, in a file of some bytes.
    let claim = b"x\n8\n22\n19\ntrunk\n1\n1024\n1\n1\n1\n1\nconv\n11\n11\n22\n8192\n1\n1\n@BIN@";
    let mut claim = claim.to_vec();
    claim.resize(claim.len() + 100, 0);
    let measured = allocation_counter::measure(|| assert!(error(&claim).contains("too soon")));
    assert!(measured.bytes_max < 4 << 20, "{}", measured.bytes_max);
    // Gigabytes of blanks or zeros in a file of a few kilobytes.
    for byte in [b' ', b'0'] {
        let bomb = zipped(&vec![byte; 200 << 20]);
        let measured = allocation_counter::measure(|| {
            let error = error(&bomb);
            assert!(error.contains("64 times") || error.contains("more than 128 letters"), "{error}");
        });
        assert!(measured.bytes_max < 8 << 20, "{}", measured.bytes_max);
    }
}

#[test]
fn blocks_are_not_nested_without_end() {
    let mut graph = every_kind(3, Activation::Relu, 1, false);
    let Block::Nested { pre, first, post, last, .. } = graph.blocks.remove(2) else { panic!() };
    let (mut first, mut last) = (first, last);
    let mut inner = graph.blocks.remove(0);
    for _ in 0..20 {
        let channels = graph.channels;
        (first.weight, first.outputs) = (vec![0.1; channels * channels], channels);
        (last.weight, last.inputs) = (vec![0.1; channels * channels], channels);
        let post = tesuji_net::graph::Norm { name: post.name.clone(), ..pre.clone() };
        inner = Block::Nested {
            pre: pre.clone(),
            first: first.clone(),
            blocks: vec![inner],
            post,
            last: last.clone(),
        };
    }
    graph.blocks = vec![inner];
    assert!(error(&write(&graph, 8, false)).contains("nested deeper than 8 times"));
}

#[test]
fn files_are_told_by_content_and_name() {
    assert!(is_katago("any", &zipped(b"x")) && is_katago("a/B.BIN", b"x") && is_katago("a.txt", b""));
    assert!(!is_katago("a.safetensors", b"{}"));
    let _: KataGoError = Graph::from_katago(b"").unwrap_err();
}
