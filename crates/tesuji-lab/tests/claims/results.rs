//! The results as tables of a database.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use std::path::Path;
use tesuji_lab::stats::{agresti_coull, elo_of_score};

/// A table for each CSV file below the directory, called by its path, and one for
/// `instructions.txt`. Beside SQLite's own functions there are `sqrt(x)`, `elo(score)`, and
/// `lo(score, games)` and `hi(score, games)`, the ends of the interval of Agresti and Coull, 95 %.
pub(crate) fn open(dir: &Path) -> Connection {
    let results = Connection::open_in_memory().unwrap();
    let function = |name: &str, arguments: i32, f: fn(&[f64]) -> f64| {
        let call = move |context: &Context<'_>| {
            let numbers: Result<Vec<f64>, _> = (0..context.len()).map(|i| context.get(i)).collect();
            numbers.map(|numbers| f(&numbers))
        };
        results.create_scalar_function(name, arguments, FunctionFlags::SQLITE_DETERMINISTIC, call).unwrap();
    };
    function("sqrt", 1, |x| x[0].sqrt());
    function("elo", 1, |x| elo_of_score(x[0]));
    function("lo", 2, |x| agresti_coull(x[0] * x[1], x[1], 0.95).lo);
    function("hi", 2, |x| agresti_coull(x[0] * x[1], x[1], 0.95).hi);
    for path in super::files(dir, "") {
        let name = path.strip_prefix(dir).unwrap().to_string_lossy().replace('\\', "/");
        let rows: Vec<Vec<String>> = if name.ends_with(".csv") {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(&path).unwrap();
            reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
        } else if name == "instructions.txt" {
            let text = std::fs::read_to_string(&path).unwrap();
            let row = |line: &str| line.split_whitespace().take(2).map(str::to_owned).collect();
            [vec!["name".to_owned(), "count".to_owned()]].into_iter().chain(text.lines().map(row)).collect()
        } else {
            continue;
        };
        let columns: Vec<_> = rows[0].iter().map(|column| format!("[{column}] numeric")).collect();
        results.execute(&format!("create table [{name}] ({})", columns.join(", ")), []).unwrap();
        let places = vec!["?"; columns.len()].join(", ");
        let mut insert = results.prepare(&format!("insert into [{name}] values ({places})")).unwrap();
        for row in &rows[1..] {
            let values = row.iter().map(|value| (!value.is_empty()).then_some(value));
            insert.execute(rusqlite::params_from_iter(values)).unwrap();
        }
    }
    results
}
