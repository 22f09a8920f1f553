"""The search of one position."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from . import _tesuji
from ._check import LARGEST, real, whole
from ._recipe import AnyRecipe
from ._table import Table
from ._tesuji import Position


@dataclass(frozen=True)
class Candidate:
    """A move that a search tried."""

    move: str
    #: Simulations that began with the move.
    visits: int
    #: Its value in [0, 1] for the player to move.
    value: float
    #: Its prior, where the search uses priors.
    prior: float | None = None


@dataclass(frozen=True)
class Analysis:
    """The result of a search of a position. Shows as a picture in notebooks."""

    position: Position
    #: The move to play.
    best: str
    #: The value in [0, 1] of the position for the player to move.
    value: float
    #: The line that the search expects, the best move first.
    variation: list[str]
    #: The moves that were tried, most visited first.
    candidates: list[Candidate]
    #: Simulations of the search.
    simulations: int
    #: Everything, as ``tesuji analyze --json`` prints it.
    data: dict[str, Any] = field(repr=False)
    _picture: _tesuji.Picture | str | None = field(repr=False, compare=False, default=None)

    @property
    def visits(self) -> dict[str, int]:
        """The visits of each move."""
        return {candidate.move: candidate.visits for candidate in self.candidates}

    def table(self) -> Table:
        """The moves that were tried, a row each."""
        return Table([vars(candidate) for candidate in self.candidates])

    def _repr_svg_(self) -> str | None:
        return self._picture.svg() if isinstance(self._picture, _tesuji.Picture) else self._picture

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_picture": self._repr_svg_()}

    def __str__(self) -> str:
        head = f"best {self.best}, value {self.value:.3f}, {self.simulations} simulations"
        return f"{head}\nvariation: {' '.join(self.variation)}\n\n{self.table()}"


def analyze(
    position: Position,
    recipe: AnyRecipe = "uct",
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    tree: str | PathLike[str] | None = None,
    save_tree: str | PathLike[str] | None = None,
) -> Analysis:
    """Searches a position, exactly as ``tesuji analyze --game`` does.

    :param position: a position in which the game is not over.
    :param recipe: the agent, such as ``"grave"`` or ``"uct,select.c=0.5"``.
    :param simulations: the number of simulations. Default: no limit with ``seconds``, else the recipe's number, or 10 000.
    :param seconds: a limit in seconds. Such a search is not reproducible.
    :param seed: the seed of all random numbers.
    :param tree: the file of a saved tree, from which the search continues.
    :param save_tree: a file to which the tree is saved.

    Raises :class:`InputError` if the recipe cannot play the game or the game is over. Ctrl-C ends the search at once.
    """
    simulations, seed = whole("simulations", simulations, 1, LARGEST), whole("seed", seed, 0, LARGEST)
    seconds = real("seconds", seconds, 0, 1e9, "0 to 10^9")
    text, picture = _tesuji.analyze(position, str(recipe), simulations, seconds, seed, tree, save_tree)
    data = json.loads(text)
    candidates = [Candidate(m["move"], m["visits"], m["value"], m["prior"]) for m in data["moves"]]
    return Analysis(
        position, data["best"], data["value"], data["variation"], candidates, data["simulations"], data, picture
    )
