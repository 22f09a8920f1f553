"""Matches of networks of Python, whose games are played side by side so that they share batches."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from . import _tesuji
from ._check import LARGEST, whole
from ._recipe import AnyRecipe, Recipe
from ._search import Evaluate, search
from ._tesuji import Game, InputError, Position, RunError


@dataclass(frozen=True)
class NetworkAgent:
    """An agent of :func:`match` that searches with a network of Python."""

    #: As :func:`search` takes it.
    evaluate: Evaluate
    recipe: AnyRecipe = "puct-net"
    #: Simulations a move. Default: those of the recipe, else those of the match.
    simulations: int | None = None
    #: The name in results.
    name: str = "network"

    def __str__(self) -> str:
        return self.name


AnyAgent = Union[AnyRecipe, NetworkAgent]


def play(
    a: AnyAgent,
    b: AnyAgent,
    game: Game,
    *,
    games: int,
    simulations: int,
    seed: int,
    opening_plies: int,
    openings: Sequence[str] | None,
    longest: int,
    tell: Callable[[str], object] | None,
) -> dict[str, Any]:
    """Plays all games in lockstep. Returns the output of ``tesuji match --json``."""
    if games < 2 or games % 2:
        raise InputError(f"games is {games}; accepted with a network of Python: an even number, for each opening has two games")
    begun = time.monotonic()
    rng = np.random.default_rng(seed)
    starts = [_opening(game, rng, opening_plies, openings, pair) for pair in range(games // 2)]
    tables = [_Table(start, a_first, longest) for start in starts for a_first in (True, False)]
    sides = [(agent, _simulations(agent, simulations), is_a) for agent, is_a in ((a, True), (b, False))]
    told = 0
    while active := [table for table in tables if table.value is None]:
        for agent, budget, is_a in sides:
            # Nobody is to move where a game is over.
            turn = [table for table in active if table.value is None and table.is_turn_of_a == is_a]
            if turn:
                first = int(rng.integers(1 << 63))
                for table, move in zip(turn, _choose(agent, [t.position for t in turn], budget, first, rng)):
                    table.play(move)
        ended = [table for table in tables if table.value is not None]
        if tell and len(ended) > told:
            told = len(ended)
            tell(json.dumps({"played": told, "total": games, **_counts(ended)}))
    return _summary(str(a), str(b), game, tables, seed, simulations, time.monotonic() - begun)


class _Table:
    """A game that is played."""

    def __init__(self, start: Position, a_first: bool, longest: int) -> None:
        self.position, self.a_first, self.longest = start, a_first, longest
        #: The value for `a`, once the game is over; an opening may end it.
        self.value = self._value()

    @property
    def is_turn_of_a(self) -> bool:
        return (self.position.to_move == 0) == self.a_first

    def play(self, action: int) -> None:
        self.position = self.position.play(action)
        self.value = self._value()

    def _value(self) -> float | None:
        result = self.position.result
        if result is None and len(self.position.history) >= self.longest:
            result = 0.5
        if result not in (None, 0, 0.5, 1):
            raise RunError(
                f"the game ended with the value {result} for its first player; accepted in a match: 0, 1/2 and 1"
            )
        return result if result is None or self.a_first else 1 - result


def _opening(
    game: Game, rng: np.random.Generator, plies: int, openings: Sequence[str] | None, number: int
) -> Position:
    if openings:
        return Position(game, openings[number % len(openings)])
    position = game.start()
    for _ in range(plies):
        after = position.play(int(rng.choice(position.actions)))
        if after.is_over:
            break
        position = after
    return position


def _choose(
    agent: AnyAgent, positions: list[Position], simulations: int, seed: int, rng: np.random.Generator
) -> list[int]:
    if _is_random(agent):
        return [int(rng.choice(position.actions)) for position in positions]
    evaluate, recipe = (agent.evaluate, agent.recipe) if isinstance(agent, NetworkAgent) else (None, agent)
    batch = search(positions, evaluate, recipe=recipe, simulations=simulations, seed=seed)
    return [int(action) for action in batch.best]


def _is_random(agent: AnyAgent) -> bool:
    return not isinstance(agent, NetworkAgent) and str(agent) == "random"


def _simulations(agent: AnyAgent, simulations: int) -> int:
    """The simulations of each of its searches in a match that has N `simulations`."""
    if _is_random(agent):
        return simulations
    own, recipe = (agent.simulations, agent.recipe) if isinstance(agent, NetworkAgent) else (None, agent)
    if own is not None:
        return whole("simulations of the network", own, 1, LARGEST)
    return Recipe(str(recipe)).simulations or simulations


def _counts(tables: list[_Table]) -> dict[str, int]:
    values = [table.value for table in tables]
    return {"wins": values.count(1), "draws": values.count(0.5), "losses": values.count(0)}


def _summary(
    a: str, b: str, game: Game, tables: list[_Table], seed: int, simulations: int, seconds: float
) -> dict[str, Any]:
    values = [table.value or 0.0 for table in tables]
    pairs = [int(2 * (first + second)) for first, second in zip(values[::2], values[1::2])]
    counted, counts = [pairs.count(points) for points in range(5)], _counts(tables)
    # As in a match that is recorded, the score is that of games; Elo, LOS and p are those of pairs.
    of_games = json.loads(_tesuji.stats([counts["wins"], counts["draws"], counts["losses"]]))
    said = json.loads(_tesuji.stats(counted))
    lines = [tuple(table.position.history) for table in tables]
    return {
        "a": a,
        "b": b,
        "game": game.name,
        "komi": None if game.komi is None else float(game.komi),
        "games": len(tables),
        **counts,
        "score": of_games["score"],
        "ci95": of_games["agresti_coull"],
        "elo": said["elo"],
        "elo_ci95": said["elo_ci95"],
        "los": said["los"],
        "p": said["p"],
        "pairs": counted,
        "seed": seed,
        "playouts": simulations,
        "seconds": seconds,
        "duplicates": len(lines) - len(set(lines)),
        "interrupted": False,
    }
