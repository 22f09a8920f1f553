"""The cost of Python, by processor time, beside `cargo run --release -p tesuji-lab --example lockstep`."""

from __future__ import annotations

import statistics
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

single = microseconds(20, lambda: tesuji.analyze(start, "uct", simulations=10_000))
print(f"uct, 10000 simulations: {single:.0f} us")
lockstep = microseconds(2, lambda: tesuji.search([start] * SEARCHES, null, simulations=SIMULATIONS))
print(f"{SEARCHES} in lockstep: {1000 * lockstep / (SEARCHES * SIMULATIONS):.0f} ns a simulation")
