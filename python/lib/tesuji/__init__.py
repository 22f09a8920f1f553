"""Monte Carlo tree search from exchangeable parts, with a laboratory that measures whether a change helps.

Search a position::

    import tesuji

    game = tesuji.Game("connect-four")
    position = game.start().play("4", "4", "3")
    found = tesuji.analyze(position, "uct", simulations=10_000)
    print(found.best, found.value, found.candidates)

Compare two agents::

    result = tesuji.match("softmax", "uct", "connect-four", games=100, simulations=200)
    print(result)

Search many positions with a network of your own::

    batch = tesuji.search(positions, evaluate, simulations=200)
    batch.policy  # ndarray[B, A]: what the network should learn

Values lie in [0, 1] everywhere: a win is 1, a draw 1/2, a loss 0. Moves are text, such as ``"e5"``, or whole numbers
below ``game.actions``, which arrays are indexed by. The chapter ``docs/python.md`` of the book explains the rest.
"""

from __future__ import annotations

import os as _os
import sys as _sys

if _sys.version_info < (3, 12):
    # Later interpreters refuse by themselves, and say so.
    import _xxsubinterpreters as _interpreters  # type: ignore[import-not-found, unused-ignore]

    if _interpreters.get_current() != _interpreters.get_main():
        raise ImportError("tesuji does not support loading in subinterpreters; accepted: the main interpreter of a process")

from . import _tesuji
from ._analysis import Analysis, Candidate, analyze
from ._experiment import ExperimentResult, run
from ._lockstep import NetworkAgent
from ._match import MatchResult, match
from ._race import ArmResult, RaceResult, race
from ._recipe import Recipe, games, parts, recipes
from ._search import Batch, search
from ._stats import Interval, Stats, stats
from ._store import Store
from ._table import Table
from ._tesuji import Game, InputError, Node, Position, RunError, register_backup, register_game
from ._thermo import Thermographs, thermographs
from ._tune import Choice, Integer, Log, Parameter, Real, Tuner, TuningResult, tune

__version__ = _tesuji.__version__

__all__ = [
    "Analysis",
    "ArmResult",
    "Batch",
    "Candidate",
    "Choice",
    "ExperimentResult",
    "Game",
    "InputError",
    "Integer",
    "Interval",
    "Log",
    "MatchResult",
    "NetworkAgent",
    "Node",
    "Parameter",
    "Position",
    "RaceResult",
    "Real",
    "Recipe",
    "RunError",
    "Stats",
    "Store",
    "Table",
    "Thermographs",
    "Tuner",
    "TuningResult",
    "analyze",
    "games",
    "match",
    "parts",
    "race",
    "recipes",
    "register_backup",
    "register_game",
    "run",
    "search",
    "stats",
    "thermographs",
    "tune",
]

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_tesuji.mark_forked)
