#!/usr/bin/env python3
"""Do the tests notice a wrong search?

Each entry of mutants.toml puts one mistake into crates/tesuji/src. All of them are compiled at once, in a copy of
the tracked files, and the environment variable TESUJI_MUTANT chooses one at run time. The tests of tesuji,
tesuji-games and tesuji-agents run with each, until one fails. results/mutants.csv says which test caught which mutant.
"""

import argparse
import csv
import json
import os
import resource
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "mutants"
TREE = WORK / "tree"
SOURCES = Path("crates/tesuji/src")
TABLE = ROOT / "results" / "mutants.csv"
FIELDS = ["number", "file", "find", "put", "result", "why"]
PACKAGES = ["-p", "tesuji", "-p", "tesuji-games", "-p", "tesuji-agents"]

# Which tests run, the quickest and most telling first: test executable, and arguments that choose among its tests.
STAGES = [
    ("backups", []),
    ("tesuji", ["--skip", "threads_tests", "--skip", "schedule_tests", "--skip", "drift"]),
    ("tesuji", ["threads_tests"]),
    ("search", ["stability"]),
    ("tesuji", ["schedule_tests", "drift"]),
    ("search", ["--skip", "stability"]),
    ("proofs", []),
    ("memory", []),
]

# A mutant may take PATIENCE times the CPU time of the tests without one, and GRACE seconds more.
PATIENCE, GRACE = 4, 20
MOST_BYTES = 6 << 30

MODULE = """//! Which mutant is alive.

static ALIVE: std::sync::LazyLock<usize> =
    std::sync::LazyLock::new(|| std::env::var("TESUJI_MUTANT").map_or(0, |n| n.parse().unwrap()));

#[inline]
pub(crate) fn is(number: usize) -> bool {
    *ALIVE == number
}
"""


def switch(number, find, put):
    """The code that is `put` where this mutant is alive, else `find`."""
    code = f"if crate::mutant::is({number}) {{ {put} }} else {{ {find} }}"
    is_statement = not put or find.rstrip()[-1] in ";}"
    return code if is_statement else f"({code})"


def mutated(file, text, mutants):
    """The text of a file with its mutants."""
    places = []
    for mutant in mutants:
        if (count := text.count(mutant["find"])) != 1:
            sys.exit(f"{file}: {count} times {mutant['find']!r}; accepted: once")
        start = text.index(mutant["find"])
        places.append((start, start + len(mutant["find"]), mutant))
    places.sort(key=lambda place: place[0])
    out, end = [], 0
    for start, stop, mutant in places:
        if start < end:
            sys.exit(f"{file}: {mutant['find']!r} overlaps the mutant before it")
        out += [text[end:start], switch(mutant["number"], mutant["find"], mutant["put"])]
        end = stop
    return "".join(out) + text[end:]


def write(path, data):
    """Writes a file unless it is as it should be: what has not changed is not compiled again."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def plant(mutants):
    """Copies the tracked files, with the mutants."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    of_file = {}
    for mutant in mutants:
        of_file.setdefault(SOURCES / mutant["file"], []).append(mutant)
    for name in map(Path, filter(None, names.split("\0"))):
        if not (ROOT / name).is_file():
            continue
        data = (ROOT / name).read_bytes()
        if name in of_file:
            data = mutated(name, data.decode(), of_file.pop(name)).encode()
        if name == SOURCES / "lib.rs":
            data = b"#![allow(warnings)]\n" + data + b"\nmod mutant;\n"
        write(TREE / name, data)
    if of_file:
        sys.exit(f"no such file: {', '.join(map(str, of_file))}")
    write(TREE / SOURCES / "mutant.rs", MODULE.encode())


def build():
    """Compiles the tests. Returns the executables by name, each with the folder that it runs in."""
    command = ["cargo", "test", "--no-run", "--tests", *PACKAGES, "--message-format=json-render-diagnostics"]
    env = os.environ | {"CARGO_TARGET_DIR": str(WORK / "build")}
    made = subprocess.run(command, cwd=TREE, env=env, stdout=subprocess.PIPE, text=True)
    if made.returncode:
        sys.exit("the mutants do not compile")
    messages = [json.loads(line) for line in made.stdout.splitlines()]
    made = [m for m in messages if m.get("executable") and m["profile"]["test"]]
    return {m["target"]["name"]: (m["executable"], Path(m["manifest_path"]).parent) for m in made}


def run(executables, stage, number, limit):
    """Runs a stage with a mutant. Returns the test that failed, if one did, and the CPU seconds."""
    name, chosen = stage
    executable, folder = executables[name]

    def limits():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    env = os.environ | {"TESUJI_MUTANT": str(number)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # A deadlock takes no CPU time.
    alarm = ["timeout", "--foreground", "-s", "KILL", str(5 * limit)]
    child = subprocess.Popen(
        [*alarm, executable, *chosen], cwd=folder, env=env, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limits,
    )
    failed = None
    for line in child.stdout:
        if line.startswith("test ") and line.rstrip().endswith("FAILED"):
            failed = f"{name} {line.split()[1]}"
            break
    if failed:
        os.killpg(child.pid, signal.SIGKILL)
    child.stdout.close()
    code = child.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code and not failed:
        failed = f"{name} ends by {code}: too long, too much memory, or an abort"
    return failed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def examine(executables, mutants, done):
    """Yields a row of the table for each mutant."""
    limits = {}
    for stage in STAGES:
        failed, seconds = run(executables, stage, 0, 3600)
        if failed:
            sys.exit(f"without a mutant {failed} fails")
        limits[str(stage)] = round(PATIENCE * seconds + GRACE)
        print(f"{' '.join([stage[0], *stage[1]])}: {seconds:.1f} s", flush=True)
    for mutant in mutants:
        row = {field: mutant.get(field, "") for field in FIELDS} | {"why": mutant.get("equals", "")}
        if key_of(row) in done:
            yield row | {"result": done[key_of(row)]}
            continue
        start, row["result"] = time.monotonic(), "survives"
        for stage in STAGES:
            failed, _ = run(executables, stage, mutant["number"], limits[str(stage)])
            if failed:
                row["result"] = failed
                break
        seconds = time.monotonic() - start
        print(f"{mutant['number']} {mutant['file']} {seconds:.0f} s: {row['result']}", flush=True)
        yield row


def key_of(row):
    """What stays the same when mutants are added before it."""
    return row["file"], row["find"], row["put"]


def rows_before():
    if not TABLE.exists():
        return []
    with TABLE.open(newline="") as file:
        return list(csv.DictReader(file))


def save(rows):
    new = TABLE.with_suffix(".new")
    with new.open("w", newline="") as file:
        table = csv.DictWriter(file, FIELDS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    new.replace(TABLE)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", type=int, action="append", metavar="N", help="only mutant N, not recorded")
    parser.add_argument("--resume", action="store_true", help="keep the results that the table has")
    arguments = parser.parse_args()
    mutants = tomllib.loads((ROOT / ".ci" / "mutants.toml").read_text())["mutant"]
    for number, mutant in enumerate(mutants, 1):
        mutant["number"] = number
    plant(mutants)
    executables = build()
    if arguments.only:
        chosen = [mutant for mutant in mutants if mutant["number"] in arguments.only]
        list(examine(executables, chosen, {}))
        return
    before = {key_of(row): row for row in rows_before()} if arguments.resume else {}
    done = {key: row["result"] for key, row in before.items()}
    rows = []
    for row in examine(executables, mutants, done):
        rows.append(row)
        # Who interrupts it keeps what later mutants had.
        later = (before.get(key_of(mutant)) for mutant in mutants[len(rows) :])
        save(rows + [row for row in later if row])
    survivors = [row for row in rows if row["result"] == "survives"]
    unexplained = [row for row in survivors if not row["why"]]
    print(f"{len(rows) - len(survivors)} of {len(rows)} mutants are caught; {len(unexplained)} survive unexplained")
    for row in unexplained:
        print(f"{row['number']} {row['file']}: {row['find']} -> {row['put']}")
    sys.exit(bool(unexplained) or len(survivors) > 0.05 * len(rows))


if __name__ == "__main__":
    main()
