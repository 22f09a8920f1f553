//! Every number on the pages of results is recomputed from `results`: `docs/claims/README.md` says
//! how.

mod check;
mod pages;
mod papers;
mod prose;
mod results;

use check::{Claims, faults};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The files below a directory whose names end so.
fn files(dir: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn all_claims() -> Vec<(PathBuf, Claims)> {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let claims = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path, claims)
    };
    files(&docs().join("claims"), ".toml").into_iter().map(read).collect()
}

#[test]
fn numbers_of_the_pages_follow_from_the_results() {
    let results = results::open(&docs().join("../results"));
    let mut found = Vec::new();
    for (path, claims) in all_claims() {
        let page = |name: &String| {
            let text = std::fs::read_to_string(path.parent().unwrap().join(name));
            (name.clone(), text.unwrap_or_else(|e| panic!("{}: {name}: {e}", path.display())))
        };
        let pages: Vec<_> = claims.pages.iter().map(page).collect();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        found.extend(faults(&claims, &pages, &results).into_iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn every_page_with_results_has_claims() {
    let listed = |path: &Path, claims: &Claims| -> Vec<PathBuf> {
        let dir = path.parent().unwrap();
        claims.pages.iter().map(|page| dir.join(page).canonicalize().unwrap()).collect()
    };
    let listed: Vec<_> = all_claims().iter().flat_map(|(path, claims)| listed(path, claims)).collect();
    for page in files(&docs(), ".md") {
        let text = std::fs::read_to_string(&page).unwrap();
        let has_results = text.contains("\n<!-- table\n") || text.contains("\n<!-- figure\n");
        assert!(!has_results || listed.contains(&page.canonicalize().unwrap()), "{}", page.display());
    }
}

/// The faults of a page by these claims.
fn faults_of(page: &str, claims: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("wins.csv"), "name,score,games\nuct,0.525,1200\ngrave,0.75,40\n").unwrap();
    let claims = toml::from_str(&format!("pages = [\"page.md\"]\n{claims}")).unwrap();
    faults(&claims, &[("page.md".to_owned(), page.to_owned())], &results::open(dir.path()))
}

const CLAIM: &str = "[[claim]]\ntext = 'UCT scores {score:%} of {games} games'\n\
                     sql = \"select score, games from [wins.csv] where name = 'uct'\"";

#[test]
fn a_number_needs_a_claim_or_a_permit() {
    assert_eq!(faults_of("UCT scores **52.5 %** of\n1200 [games](9.md) by `c=7`.", CLAIM), [""; 0]);
    // Generated tables and code are no prose, tables by hand are if the file says so.
    let table = "<!-- table\n-->\n\n| 1 |\n| --- |\n\n<!-- end -->\n\n    6\n\nUCT scores 52.5 % of 1200 games.\n\n| a |\n| --- |\n| 8 |\n";
    assert_eq!(faults_of(table, CLAIM), [""; 0]);
    assert_eq!(faults_of(table, &format!("tables = true\n{CLAIM}")).len(), 1);

    let page = "UCT scores 52.5 % of 1200 games on 9x9, and GRAVE 75.0 %.";
    let found = faults_of(page, &format!("given = ['9x9']\n{CLAIM}"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("no claim and no permit for 75.0"), "{found:?}");
    // A permit for 9x9 is none for 19x19, and one that is not needed is a fault.
    let found = faults_of("UCT scores 52.5 % of 1200 games on 19x19.", &format!("given = ['9x9']\n{CLAIM}"));
    assert!(found.len() == 3 && found[0].contains("`9x9` is not on the pages"), "{found:?}");
}

#[test]
fn a_claim_must_be_on_the_page_and_hold() {
    let found = faults_of("UCT scores 52.6 % of 1200 games.", CLAIM);
    assert!(found[0].contains("not on the pages: UCT scores 52.5 % of 1200 games"), "{found:?}");
    // Nor is it there as the end of another number.
    let begins = "[[claim]]\ntext = '{games} games'\nsql = 'select 2.5 as games'";
    assert_eq!(faults_of("Of 2.5 games.", begins), [""; 0]);
    for page in ["Of -2.5 games.", "Of −2.5 games.", "Of 12.5 games."] {
        assert!(faults_of(page, begins)[0].contains("not on the pages: 2.5 games"), "{page}");
    }
    let holds = |condition: &str| {
        let sql = format!("select {condition} as holds from [wins.csv] where name = 'uct'");
        faults_of("UCT wins.", &format!("[[claim]]\ntext = 'UCT wins'\nsql = \"{sql}\""))
    };
    assert_eq!(holds("score > 0.5"), [""; 0]);
    assert!(holds("score > 0.6")[0].contains("does not hold"));
    let faulty =
        |text: &str, sql: &str| faults_of("UCT wins.", &format!("[[claim]]\ntext = '{text}'\nsql = '{sql}'"));
    assert!(faulty("UCT wins", "select games from [wins.csv]")[0].contains("2 rows"));
    assert!(faulty("UCT wins", "select 1 as games")[0].contains("checks nothing"));
    assert!(faulty("UCT wins {score}", "select 1 as games")[0].contains("no column `score`"));
    assert!(faulty("UCT wins {games:x}", "select 1 as games")[0].contains("unknown format"));
    assert!(faulty("UCT wins {games", "select 1 as games")[0].contains("without a }"));
    assert!(faulty("UCT wins", "select x from [wins.csv]")[0].contains("no such column"));
}

#[test]
fn queries_have_what_statistics_need() {
    let claim = |text: &str, sql: &str| format!("[[claim]]\ntext = '{text}'\nsql = '{sql}'");
    let sql = "select sqrt(games / 12.0) as root, lo(score, games) as lo, hi(score, games) as hi, elo(score) as elo from [wins.csv] where games = 1200";
    let page = "It is 10, 49.7 to 55.3 % and 17 Elo.";
    let text = "It is {root:0}, {lo:%} to {hi:%} and {elo:0} Elo";
    let found = faults_of(page, &claim(text, sql));
    assert!(found[0].contains("It is 10, 49.7 % to 55.3 % and 17 Elo"), "{found:?}");
}

/// Each mistake of `.ci/mutants.toml` can be put where it belongs, and somebody has tried it.
#[test]
fn every_mutant_has_a_result() {
    #[derive(serde::Deserialize)]
    struct Mutant {
        file: String,
        find: String,
        put: String,
    }
    let root = docs().join("..");
    let text = std::fs::read_to_string(root.join(".ci/mutants.toml")).unwrap();
    let mut mutants: BTreeMap<String, Vec<Mutant>> = toml::from_str(&text).unwrap();
    let mutants = mutants.remove("mutant").unwrap();
    let mut table = csv::Reader::from_path(root.join("results/mutants.csv")).unwrap();
    let rows: Vec<Mutant> = table.deserialize().map(Result::unwrap).collect();
    let all = |list: &[Mutant]| -> BTreeSet<[String; 3]> {
        list.iter().map(|Mutant { file, find, put }| [file, find, put].map(String::clone)).collect()
    };
    let (listed, tried) = (all(&mutants), all(&rows));
    let differ: Vec<_> = listed.symmetric_difference(&tried).collect();
    assert!(differ.is_empty(), "in one of mutants.toml and mutants.csv alone: {differ:#?}");
    for Mutant { file, find, .. } in &mutants {
        let source = std::fs::read_to_string(root.join("crates/tesuji/src").join(file)).unwrap();
        assert_eq!(source.matches(find.as_str()).count(), 1, "{file}: {find}");
    }
}
