//! The recorded experiments on backups say what the documentation claims of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tesuji_lab::{DecisionRow, Experiment, Plan};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rows(name: &str) -> Vec<DecisionRow> {
    let path = root().join(format!("results/backups/{name}.csv"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn softmax_has_both_signs() {
    let rows = rows("signs");
    let row = |name: &str| rows.iter().find(|row| row.name == name && row.simulations == 300).unwrap();
    for (name, sign) in [("N-softmax-0.4-root-0.2", -1.0), ("U-softmax-5-0.7", 1.0)] {
        let row = row(name);
        assert_eq!((row.trees, row.planned), (2000, 2000));
        assert!(sign * row.robust_z.unwrap() > 3.0, "{row:?}");
    }
}

/// Failures at all numbers of simulations together, those of the most visited move first; of equals the first c.
#[test]
fn the_confirmation_has_the_constants_that_the_scan_chose() {
    // By setting and agent: each c with the failures of the most visited move and of the best value.
    type Failures = Vec<(f64, u64, u64)>;
    let mut failures = BTreeMap::<(String, String), Failures>::new();
    for row in rows("scan") {
        assert_eq!(row.trees, row.planned);
        let own = failures.entry((row.setting, row.agent)).or_default();
        match own.iter_mut().find(|(c, ..)| *c == row.c) {
            Some((_, robust, max)) => {
                *robust += row.robust_failures;
                *max += row.max_failures;
            }
            None => own.push((row.c, row.robust_failures, row.max_failures)),
        }
    }
    let plan = Experiment::read(&root().join("experiments/backups/confirm.toml")).unwrap().plan;
    let Plan::Decisions(plan) = plan else { panic!("{plan:?}") };
    assert_eq!(failures.len(), plan.settings.len() * plan.agents.len());
    for ((setting, agent), tried) in failures {
        let best = tried.iter().min_by_key(|(_, robust, max)| (robust, max)).unwrap().0;
        let setting = plan.settings.iter().find(|s| s.name == setting).unwrap();
        let agent = plan.agents.iter().find(|a| a.name == agent).unwrap();
        let c = agent.c.get(&setting.name).unwrap_or(&setting.c);
        assert_eq!(*c, [best], "{} in {}", agent.name, setting.name);
    }
}
