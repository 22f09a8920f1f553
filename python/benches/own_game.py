"""The same game in Python and in Rust: microseconds of processor time a simulation, for the same tree."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import tesuji

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from games import TicTacToe

for name, game, simulations in (("Python", TicTacToe, 2000), ("Rust", "tic-tac-toe", 20_000)):
    start = tesuji.Game(game).start()
    begun = time.process_time()
    found = tesuji.analyze(start, "uct", simulations=simulations)
    print(f"{name}: {1e6 * (time.process_time() - begun) / simulations:.2f} us a simulation, best {found.best}")
