"""The cost of Python, by processor time, beside `cargo run --release -p tesuji-lab --example lockstep`.

`python overhead.py PROGRAM` times one search beside the program `tesuji` instead, in turn.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import tesuji

SEARCHES, SIMULATIONS = 256, 200


def microseconds(repetitions: int, work: Callable[[], object]) -> float:
    """Microseconds a repetition, the median of several."""
    times = []
    for _ in range(9):
        begun = time.process_time()
        for _ in range(repetitions):
            work()
        times.append((time.process_time() - begun) * 1e6 / repetitions)
    return statistics.median(times)


def null(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same for every position."""
    return LOGITS[: len(planes)], VALUES[: len(planes)]


game = tesuji.Game("connect-four")
start = game.start()
LOGITS, VALUES = np.zeros((SEARCHES, game.actions), np.float32), np.full(SEARCHES, 0.5, np.float32)



def of_program(program: str, simulations: int) -> float:
    """Microseconds of a whole run of the program."""
    command = [program, "analyze", "--game", "connect-four", "--recipe", "uct", "--playouts", str(simulations), "--json"]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, command
    return (used.ru_utime + used.ru_stime) * 1e6


def of_call(simulations: int) -> float:
    """Microseconds of a call."""
    begun = time.process_time()
    tesuji.analyze(start, "uct", simulations=simulations)
    return (time.process_time() - begun) * 1e6


def beside(program: str) -> None:
    """Times the program and the call in turn; a search of one simulation shows what else they do."""
    cases = {"program": lambda n: of_program(program, n), "Python": of_call}
    times: dict[tuple[str, int], list[float]] = {(name, n): [] for name in cases for n in (1, 10_000)}
    for _ in range(300):
        for name, n in times:
            times[name, n].append(cases[name](n))
    for name in cases:
        one, all_ = (statistics.median(times[name, n]) for n in (1, 10_000))
        print(f"{name}: {all_:.0f} us with 10000 simulations, {one:.0f} us with one, {all_ - one:.0f} us between")


if len(sys.argv) > 1:
    beside(sys.argv[1])
    sys.exit()
single = microseconds(20, lambda: tesuji.analyze(start, "uct", simulations=10_000))
print(f"uct, 10000 simulations: {single:.0f} us")
lockstep = microseconds(2, lambda: tesuji.search([start] * SEARCHES, null, simulations=SIMULATIONS))
print(f"{SEARCHES} in lockstep: {1000 * lockstep / (SEARCHES * SIMULATIONS):.0f} ns a simulation")
