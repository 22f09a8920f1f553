//! `cargo xtask COMMAND`: the daily commands of people who change tesuji.

use std::process::{Command, ExitCode};

/// A step: variables of its environment, the program, and its arguments.
struct Step(&'static [(&'static str, &'static str)], &'static str, &'static [&'static str]);

/// A daily command: its name, what it does, whether further arguments go to its last step, and its
/// steps.
struct Task {
    name: &'static str,
    about: &'static str,
    takes_more: bool,
    steps: &'static [Step],
}

const TASKS: [Task; 6] = [
    Task {
        name: "check",
        about: "Check format and lints. Seconds after a small change.",
        takes_more: false,
        steps: &[
            Step(&[], "cargo", &["fmt", "--all", "--check"]),
            Step(
                &[],
                "cargo",
                &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
            ),
        ],
    },
    Task {
        name: "test",
        about: "Run the tests of one crate: `cargo xtask test tesuji-games FILTER`.",
        takes_more: true,
        steps: &[Step(&[], "cargo", &["test", "-p"])],
    },
    Task {
        name: "pages",
        about: "Rewrite the generated pages, then check commands, links and numbers of all pages.",
        takes_more: false,
        steps: &[
            Step(
                &[("TESUJI_WRITE_PAGES", "1")],
                "cargo",
                &["test", "-p", "tesuji-cli", "--test", "reference"],
            ),
            Step(&[], "cargo", &["test", "-p", "tesuji-cli", "--test", "pages", "--test", "report"]),
            Step(&[("TESUJI_WRITE_PAGES", "1")], "cargo", &["test", "-p", "tesuji-lab", "--test", "claims"]),
        ],
    },
    Task {
        name: "trees",
        about: "Rewrite the hashes of all trees, after a change that is meant to alter trees.",
        takes_more: false,
        steps: &[
            Step(
                &[("TESUJI_WRITE_TREES", "1")],
                "cargo",
                &["test", "-p", "tesuji-agents", "--test", "search", "stability"],
            ),
            Step(&[], "git", &["diff", "--stat", "crates/tesuji-agents/tests/trees.txt"]),
        ],
    },
    Task {
        name: "count",
        about: "Count the instructions of a simulation and a playout (needs valgrind).",
        takes_more: true,
        steps: &[Step(&[], "bash", &["benches/instructions.sh"])],
    },
    Task {
        name: "gate",
        about: "Run the gate that a change must pass. A quarter of an hour on two cores.",
        takes_more: false,
        steps: &[Step(&[], "bash", &[".ci/run"])],
    },
];

fn help() -> String {
    let line = |task: &Task| format!("  {:<6} {}\n", task.name, task.about);
    format!("Usage: cargo xtask COMMAND\n\n{}", TASKS.iter().map(line).collect::<String>())
}

/// Runs the steps one after the other until one fails; its exit status.
fn run(task: &Task, more: &[String]) -> Result<u8, String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    for (i, Step(variables, program, arguments)) in task.steps.iter().enumerate() {
        let more = if i + 1 == task.steps.len() { more } else { &[] };
        let mut command = Command::new(program);
        command.current_dir(root).envs(variables.iter().copied()).args(*arguments).args(more);
        let status = command.status().map_err(|error| format!("{program}: {error}"))?;
        if !status.success() {
            return Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1));
        }
    }
    Ok(0)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, more)) =
        words.split_first().filter(|(name, _)| !["help", "-h", "--help"].contains(&name.as_str()))
    else {
        print!("{}", help());
        return ExitCode::SUCCESS;
    };
    let fault = match TASKS.iter().find(|task| task.name == name) {
        None => format!("there is no command `{name}`\n\n{}", help()),
        Some(task) if !task.takes_more && !more.is_empty() => format!("`{name}` takes no arguments"),
        Some(Task { name: "test", .. }) if more.is_empty() => {
            "which crate? `cargo xtask test tesuji-games`".to_owned()
        }
        Some(task) => match run(task, more) {
            Ok(status) => return ExitCode::from(status),
            Err(fault) => fault,
        },
    };
    eprintln!("{fault}");
    ExitCode::from(2)
}
