"""Classic games of PettingZoo: two players in turn, with a mask of legal actions.

``tesuji.Game("python:tesuji.adapters.zoo.connect_four_v3")`` is the environment ``pettingzoo.classic.connect_four_v3``.

A copied environment forgets its board. Therefore a position is the moves that led to it, and all positions of a game share one
environment, which replays the moves of the position that is looked at. A search that walks down a tree replays a line once.
Threads take turns.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._tesuji import InputError


class _Environment:
    """An environment and the moves that it has played."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.env = make()
        self.played: tuple[int, ...] | None = None
        #: Is held from a replay until what was asked of the position is known.
        self.lock = threading.RLock()

    def after(self, moves: tuple[int, ...]) -> Any:
        """The environment after these moves."""
        # Until the replay is over, nobody knows what was played: an exception may come between.
        played, self.played = self.played, None
        if played is None or moves[: len(played)] != played:
            self.env.reset(seed=0)
            played = ()
        for move in moves[len(played) :]:
            self.env.step(move)
        self.played = moves
        return self.env


class ZooGame:
    """A position of an environment of PettingZoo as a game with four methods."""

    def __init__(self, environment: _Environment, history: tuple[int, ...] = ()) -> None:
        self._environment = environment
        self.history = history
        space = environment.env.action_space(environment.env.possible_agents[0])
        self.actions: int = int(space.n)

    @property
    def env(self) -> Any:
        """The environment in this position."""
        return self._environment.after(self.history)

    def to_move(self) -> int:
        with self._environment.lock:
            env = self.env
            return int(env.possible_agents.index(env.agent_selection))

    def moves(self) -> Sequence[int]:
        with self._environment.lock:
            return [int(move) for move in np.flatnonzero(self._observation()["action_mask"])]

    def play(self, move: int) -> ZooGame:
        return ZooGame(self._environment, (*self.history, move))

    def result(self) -> float | None:
        with self._environment.lock:
            env = self.env
            if not (all(env.terminations.values()) or all(env.truncations.values())):
                return None
            return float((env.rewards[env.possible_agents[0]] + 1) / 2)

    def planes(self) -> NDArray[np.float32]:
        """The observation of the player to move, with its last dimension first."""
        with self._environment.lock:
            board = np.array(self._observation()["observation"], np.float32)
        return np.moveaxis(np.atleast_3d(board), -1, 0)

    def copy(self) -> ZooGame:
        return self  # It does not change.

    def hash(self) -> tuple[int, ...]:
        return self.history

    def __str__(self) -> str:
        return "moves: " + " ".join(map(str, self.history))

    def _observation(self) -> Any:
        env = self.env
        return env.observe(env.agent_selection)


def __getattr__(name: str) -> Callable[[], ZooGame]:
    if name.startswith("_"):
        raise AttributeError(name)
    import importlib

    try:
        module = importlib.import_module(f"pettingzoo.classic.{name}")
    except ImportError as error:
        raise InputError(
            f"there is no classic game {name} of PettingZoo here ({error}); accepted: such as connect_four_v3, after "
            'pip install "pettingzoo[classic]"'
        ) from error
    environment = _Environment(module.env)
    if len(environment.env.possible_agents) != 2:
        raise InputError(f"{name} is not a game for two; accepted: such as connect_four_v3")
    return lambda: ZooGame(_Environment(module.env))
