//! The recorded experiments on backups say what the documentation claims of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tesuji_lab::{Decisions, Experiment, Table};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rows(name: &str) -> Table {
    Table::read(&root().join(format!("results/backups/{name}.csv"))).unwrap()
}

#[test]
fn softmax_has_both_signs() {
    let rows = rows("signs");
    for (name, sign) in [("N-softmax-0.4-root-0.2", -1.0), ("U-softmax-5-0.7", 1.0)] {
        let is_meant = |&row: &usize| {
            rows.at(row, "name").text() == name && rows.at(row, "simulations").count() == Some(300)
        };
        let row = (0..rows.len()).find(is_meant).unwrap();
        assert_eq!(
            (rows.at(row, "trees").count(), rows.at(row, "planned").count()),
            (Some(2000), Some(2000))
        );
        assert!(sign * rows.at(row, "robust_z").number().unwrap() > 3.0, "{name}");
    }
}

/// Failures at all numbers of simulations together, those of the most visited move first; of equals
/// the first c.
#[test]
fn the_confirmation_has_the_constants_that_the_scan_chose() {
    // By setting and agent: each c with the failures of the most visited move and of the best
    // value.
    type Failures = Vec<(f64, u64, u64)>;
    let mut failures = BTreeMap::<(String, String), Failures>::new();
    let rows = rows("scan");
    for row in 0..rows.len() {
        let count = |column: &str| rows.at(row, column).count().unwrap();
        assert_eq!(count("trees"), count("planned"));
        let [setting, agent] = ["setting", "agent"].map(|column| rows.at(row, column).text().to_owned());
        let c = rows.at(row, "c").number().unwrap();
        let own = failures.entry((setting, agent)).or_default();
        match own.iter_mut().find(|(own, ..)| *own == c) {
            Some((_, robust, max)) => {
                *robust += count("robust_failures");
                *max += count("max_failures");
            }
            None => own.push((c, count("robust_failures"), count("max_failures"))),
        }
    }
    let experiment = Experiment::read(&root().join("experiments/backups/confirm.toml")).unwrap();
    let plan: &Decisions = experiment.plan_as().unwrap();
    assert_eq!(failures.len(), plan.settings.len() * plan.agents.len());
    for ((setting, agent), tried) in failures {
        let best = tried.iter().min_by_key(|(_, robust, max)| (robust, max)).unwrap().0;
        let setting = plan.settings.iter().find(|s| s.name == setting).unwrap();
        let agent = plan.agents.iter().find(|a| a.name == agent).unwrap();
        let c = agent.c.get(&setting.name).unwrap_or(&setting.c);
        assert_eq!(*c, [best], "{} in {}", agent.name, setting.name);
    }
}
