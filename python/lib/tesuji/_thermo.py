"""Thermographs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from . import _tesuji
from ._table import Table


@dataclass(frozen=True)
class Thermographs:
    """Means, temperatures and walls of games. Shows as a picture in notebooks."""

    #: A row for each game; numbers are exact, as text.
    games: Table
    #: The score of the sum under best play, if Left and if Right moves first; ``None`` for a sum that is too large.
    #: A score that no float holds is a fraction as text.
    sum: dict[str, float | str] | None
    data: dict[str, Any] = field(repr=False)
    _svg: str = field(repr=False, default="")

    def _repr_svg_(self) -> str:
        return self._svg


def thermographs(*games: str) -> Thermographs:
    """The thermographs of heaps of Heap-Go such as ``"b3r5b5"`` and of games in braces such as ``"{3|-1}"``."""
    text, svg = _tesuji.thermographs(list(games))
    data = json.loads(text)
    rows = [{key: value for key, value in game.items() if key != "walls"} for game in data["heaps"]]
    return Thermographs(Table(rows), data["sum"], data, svg)
