//! `tesuji report`: the blocks of a page are what the results say.

use std::path::Path;
use std::process::{Command, Output};

const RESULTS: &str = "\
name,claim,series,x,score,ci95_lo,ci95_hi
a,C1; C2,GRAVER,10,0.25,0.2,0.3
b,C2,GRAVER,100,0.5,0.45,0.55
c,C3,other,20,0.4,,
";

const PAGE: &str = r#"# Page

<!-- table
source = "results.csv"
where = { claim = "C2" }
columns = [["name", "`{name}`"], ["score", "{score:%}"]]
-->
old
<!-- end -->

<!-- figure
file = "figure.svg"
alt = "Scores"
x = { label = "nodes", log = true }
y = { label = "score" }
lines = [{ y = 0.5, label = "equal" }, { source = "results.csv", where = { name = "b" }, label = "interval" }]
curves = [
    { label = "recycling", source = "results.csv", where = { series = "GRAVER" }, per = 10 },
    { label = "not yet", source = "other.csv" },
]
-->
<!-- end -->
After.
"#;

fn report(dir: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.current_dir(dir).args(["report", "page.md"]).args(more).output().expect("the binary runs")
}

fn refused(page: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("results.csv"), RESULTS).unwrap();
    std::fs::write(dir.path().join("page.md"), page).unwrap();
    let output = report(dir.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(dir.path().join("page.md")).unwrap(), page, "it is left as it was");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn blocks_are_renewed_and_nothing_else_is() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let read = |file: &str| std::fs::read_to_string(dir.join(file)).unwrap();
    std::fs::write(dir.join("results.csv"), RESULTS).unwrap();
    std::fs::write(dir.join("page.md"), PAGE).unwrap();
    assert_eq!(report(dir, &["--check"]).status.code(), Some(1));
    assert_eq!(read("page.md"), PAGE, "a check writes nothing");
    assert!(report(dir, &[]).status.success());
    let table =
        "-->\n\n| name | score |\n| --- | --- |\n| `a` | 25.0 % |\n| `b` | 50.0 % |\n\n<!-- end -->\n";
    let page = read("page.md");
    assert!(page.starts_with(&PAGE[..20]) && page.contains(table), "{page}");
    assert!(page.ends_with("-->\n\n![Scores](figure.svg)\n\n<!-- end -->\nAfter.\n"), "{page}");
    let svg = read("figure.svg");
    for (text, expected) in
        [("\nnodes\n", 1), ("\nrecycling\n", 1), ("\nequal\n", 1), ("\ninterval\n", 1), ("not yet", 0)]
    {
        assert_eq!(svg.matches(text).count(), expected, "{text:?}");
    }
    // A disk and a ring for each of two points, and once more in the legend.
    assert_eq!(svg.matches("<circle").count(), 6);
    assert!(report(dir, &["--check"]).status.success());
    std::fs::write(dir.join("results.csv"), RESULTS.replace("0.25", "0.26")).unwrap();
    let output = report(dir, &["--check"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("figure.svg, page.md"), "{message}");
    std::fs::remove_file(dir.join("results.csv")).unwrap();
    let output = report(dir, &[]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && message.contains("page.md: line 3: there are no results"),
        "{message}"
    );
}

#[test]
fn what_is_wrong_is_named() {
    for (from, to, expected) in [
        (
            "source = \"results.csv\"\nwhere",
            "sauce = \"results.csv\"\nwhere",
            "line 3: unknown field `sauce`",
        ),
        ("{score:%}", "{scare}", "there is no column `scare`; there are name, claim"),
        ("claim = \"C2\"", "game = \"C2\"", "results.csv: there is no column `game`"),
        ("<!-- end -->", "", "line 3: the block has no end"),
        ("old\n<!-- end -->", "old", "line 3: the block has no end"),
        ("per = 10", "per = -10", "the axis \"nodes\" would go from"),
    ] {
        let message = refused(&PAGE.replace(from, to));
        assert!(message.contains("page.md: line") && message.contains(expected), "{message}");
    }
}

#[test]
fn options_that_do_not_go_with_what_is_named_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("page.md"), "# Page\n").unwrap();
    std::fs::write(dir.path().join("sweep.toml"), "").unwrap();
    for (args, accepted) in [
        (["sweep.toml", "--check"], "sweep.toml: accepted: a Markdown page"),
        (["page.md", "--json"], "Markdown pages: --check"),
        (["page.md", "--watch"], "Markdown pages: --check"),
        ([".", "--check"], "a directory: --watch, --all-games, --out, --json"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        let output = command.current_dir(dir.path()).arg("report").args(args).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains(accepted), "{args:?}: {message}");
    }
}

#[test]
fn the_pages_of_this_repository_are_what_its_results_say() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let pages = ["memory.md", "backups.md", "backups/return-weighted.md", "backups/child-weighted.md"];
    let output = command.current_dir(docs).args(["report", "--check"]).args(pages).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
