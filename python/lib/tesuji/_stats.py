"""Statistics of counts."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from . import _tesuji
from ._check import LARGEST, whole


@dataclass(frozen=True)
class Interval:
    """An interval."""

    lo: float
    hi: float


@dataclass(frozen=True)
class Stats:
    """The statistics of counts of results. Intervals are two-sided, of 95 %."""

    #: Games.
    n: int
    #: Wins and half of the draws, over games: in [0, 1].
    score: float
    #: Agresti-Coull interval of the score.
    interval: Interval
    #: The Elo difference; infinite where one side won everything.
    elo: float
    #: Its interval, from the variance of pairs where pairs were given.
    elo_interval: Interval
    #: The likelihood of superiority.
    superiority: float
    #: Everything, as ``tesuji stats --json`` prints it.
    data: dict[str, Any] = field(repr=False)


def stats(*counts: int, elo0: float | None = None, elo1: float | None = None) -> Stats:
    """Intervals, Elo and likelihoods of counts of results.

    :param counts: wins, draws and losses; or pairs of games with LL, LD, LW or DD, DW, WW.
    :param elo0: the null hypothesis of a sequential test; ``data`` then has its likelihood ratio.
    :param elo1: its alternative.
    """
    whole_counts = [whole("a count", count, 0, LARGEST) for count in counts]
    data = json.loads(_tesuji.stats(whole_counts, elo0, elo1))
    elo = _number(data["elo"], data["score"])
    lo, hi = (_number(x, sign) for x, sign in zip(data["elo_ci95"], (0.0, 1.0)))
    interval = Interval(*data["agresti_coull"])
    return Stats(data["n"], data["score"], interval, elo, Interval(lo, hi), data["los"], data)


def _number(value: float | None, score: float) -> float:
    if value is None:
        return float("inf") if score > 0.5 else float("-inf")
    return value
