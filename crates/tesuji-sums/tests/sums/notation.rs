//! Texts of heaps, trees and regions.

use crate::common::heaps;
use proptest::prelude::*;
use tesuji_sums::{Component, Domineering, Heap, Tree};

fn error<T: std::str::FromStr<Err = tesuji_sums::ParseError>>(text: &str) -> String {
    match text.parse::<T>() {
        Ok(_) => panic!("{text:?} is read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn heaps_are_read_and_written() {
    for (text, written) in [("b3r5b5", "b3r5b5"), ("B4r10", "b4r10"), ("r1000000", "r1000000"), ("-", "-")] {
        let heap: Heap = text.parse().unwrap();
        assert_eq!(heap.to_string(), written);
    }
    assert_eq!("-".parse(), Ok(Heap::new(&[]).unwrap()));
}

#[test]
fn what_is_no_heap_is_refused() {
    assert_eq!(error::<Heap>(""), "character 1: expected a colour, b or r, not the end");
    assert_eq!(error::<Heap>("b3x5"), "character 3: expected a colour, b or r, not 'x'");
    assert_eq!(error::<Heap>("b3r"), "character 4: expected a weight, not the end");
    assert_eq!(error::<Heap>("rb3"), "character 2: expected a weight, not 'b'");
    assert_eq!(error::<Heap>("-b3"), "character 1: expected a colour, b or r, not '-'");
    assert_eq!(error::<Heap>("b0"), "character 2: a weight is 1 to 1000000, not 0");
    assert_eq!(error::<Heap>("b3 r5"), "character 3: expected a colour, b or r, not ' '");
    assert!(error::<Heap>("b99999999999999999999").contains("a weight is 1 to 1000000"));
    assert!(error::<Heap>(&"b1".repeat(61)).starts_with("character 121: a heap has at most 60 counters"));
    assert!("b1".repeat(60).parse::<Heap>().is_ok());
}

#[test]
fn trees_are_read_and_written() {
    for (text, written) in [
        ("{3|-1}", "{3|-1}"),
        (" { { 5 | 2 } | -1 } ", "{{5|2}|-1}"),
        ("{1,2|0}", "{1,2|0}"),
        ("{1,1|0,0}", "{1|0}"),
        ("{|}", "{|}"),
        ("{0|}", "{0|}"),
        ("-6/4", "-3/2"),
        ("{{1|0},{1|0}|{1|0}}", "{{1|0}|{1|0}}"),
    ] {
        let tree: Tree = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(tree.to_string(), written);
    }
}

#[test]
fn what_is_no_tree_is_refused() {
    assert_eq!(error::<Tree>(""), "character 1: expected a game: a number or {, not the end");
    assert_eq!(error::<Tree>("{3|-1"), "character 6: expected , or }, not the end");
    assert_eq!(error::<Tree>("{3 -1}"), "character 4: expected , or |, not '-'");
    assert_eq!(error::<Tree>("{3|-1}}"), "character 7: expected the end, not '}'");
    assert_eq!(error::<Tree>("{3,|1}"), "character 4: expected a game: a number or {, not '|'");
    assert_eq!(error::<Tree>("{-|1}"), "character 3: expected a digit, not '|'");
    assert_eq!(error::<Tree>("1/3"), "character 3: a denominator is a power of two, not 3");
    assert_eq!(error::<Tree>("1/0"), "character 3: a denominator is a power of two, not 0");
    assert!(error::<Tree>("{99999999999|0}").starts_with("character 2: a number here is at most 1000000000"));
    assert!(error::<Tree>(&"{".repeat(100)).starts_with("character 61: braces go at most 60 deep"));
    assert_eq!(error::<Tree>("{3|1||2}"), "character 5: expected , or }, not '|'");
}

#[test]
fn regions_are_read_and_written() {
    for text in ["../..", ".#./...", "....", "#"] {
        assert_eq!(text.parse::<Domineering>().unwrap().to_string(), text);
    }
    assert_eq!(Domineering::new(2, 3).unwrap().to_string(), ".../...");
    assert!(Domineering::new(0, 3).is_none() && Domineering::new(5, 4).is_none());
    assert!(error::<Domineering>("../.").starts_with("character 5: rows have the same number"));
    assert!(error::<Domineering>("../x.").starts_with("character 4: expected ., # or /, not 'x'"));
    assert!(error::<Domineering>("").contains("at least one"));
    assert!(error::<Domineering>(".........").contains("at most 8 columns"));
    assert!(error::<Domineering>(&[".#"; 9].join("/")).contains("at most 8 rows"));
    assert!(error::<Domineering>("...../...../...../.....").contains("at most 16 empty cells"));
}

/// Deep and with the finest and largest numbers, nothing overflows.
#[test]
fn extremes_are_within_the_numbers() {
    let mut tree = "{1000000000/1048576|-999999999/1048576}".to_owned();
    for i in 0..59 {
        tree = if i % 2 == 0 { format!("{{{tree}|-1000000000}}") } else { format!("{{1000000000|{tree}}}") };
    }
    let thermograph = tree.parse::<Tree>().unwrap().thermograph();
    assert!(thermograph.mean().abs().to_f64() < 1e9);
    let heap: Heap = "b1000000r999999".repeat(30).parse().unwrap();
    let (graph, _) = tesuji_sums::Graph::of(&heap);
    assert_eq!(graph.thermographs().len(), 61);
    assert!(heap.end().is_none());
}

proptest! {
    #[test]
    fn heaps_survive_a_round_trip(heap in heaps(10, 1_000_000)) {
        prop_assert_eq!(heap.to_string().parse::<Heap>().unwrap(), heap);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-br{}|,/0-9 .#]{0,40}") {
        if let Ok(tree) = text.parse::<Tree>() {
            prop_assert_eq!(tree.to_string().parse::<Tree>().unwrap().to_string(), tree.to_string());
        }
        let _ = (text.parse::<Heap>(), text.parse::<Domineering>());
    }
}
