"""Bandit races with a guaranteed error rate."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from . import _tesuji
from ._check import LARGEST, finite, whole
from ._table import Table
from ._tesuji import InputError


@dataclass(frozen=True)
class ArmResult:
    """The result of an arm in a race."""

    arm: int
    #: Rewards drawn.
    rewards: int
    #: Their mean, in [0, 1].
    mean: float
    #: Bounds of the efficiency, which hold at all times with the probability 1 - risk.
    lower: float
    upper: float
    #: ``"open"``, ``"accepted"``, ``"discarded"`` or ``"undecided"``.
    verdict: str


@dataclass(frozen=True)
class RaceResult:
    """The result of a race."""

    #: The arm that was accepted; ``None`` if there is none.
    winner: int | None
    arms: list[ArmResult] = field(repr=False)

    def table(self) -> Table:
        """A row for each arm."""
        return Table([vars(arm) for arm in self.arms])

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def race(
    sample: Callable[[int, int], Sequence[float]],
    arms: int,
    *,
    rule: Literal["hoeffding", "bernstein", "e-process", "betting"] = "e-process",
    risk: float = 0.05,
    accept: float = 0.501,
    reject: float = 0.504,
    first: int = 64,
    most: int | None = None,
) -> RaceResult:
    """Finds out which of some modifications is better than the program, whose efficiency is 1/2.

    :param sample: ``sample(arm, count)`` returns ``count`` rewards in [0, 1] of the arm: values of games, or means of pairs.
    :param arms: the number of arms.
    :param rule: how bounds follow from rewards.
    :param risk: the probability in (0, 1) that any bound is wrong at any time.
    :param accept: an arm is accepted when its lower bound is above this.
    :param reject: an arm is discarded when its upper bound is below this, at least ``accept``.
    :param first: the least rewards of a batch.
    :param most: the most rewards of an arm. Default: no limit.
    """
    risk, accept, reject = (
        finite(name, value, "above 0 and below 1") for name, value in (("risk", risk), ("accept", accept), ("reject", reject))
    )
    first, most = whole("first", first, 1, LARGEST), whole("most", most, 1, LARGEST)
    if arms < 1:
        raise InputError(f"there are {arms} arms; accepted: 1 to 1000000")
    settings = {"rule": rule, "risk": risk, "accept": accept, "reject": reject, "first": first, "most": most}
    running = _tesuji.Race(arms, json.dumps(settings))
    while (batch := running.next()) is not None:
        arm, count = batch
        rewards = [float(reward) for reward in sample(arm, count)]
        if len(rewards) != count:
            raise InputError(f"sample({arm}, {count}) returns {len(rewards)} rewards; accepted: {count}")
        running.tell(arm, rewards)
    return RaceResult(running.winner, [ArmResult(**arm) for arm in running.arms])
