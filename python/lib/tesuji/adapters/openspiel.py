"""Games of OpenSpiel: two players in turn, perfect information, no chance, zero sum.

``tesuji.Game("python:tesuji.adapters.openspiel.connect_four")`` is the game ``connect_four`` of OpenSpiel; parameters are
written as there: ``python:tesuji.adapters.openspiel.breakthrough(rows=6,columns=6)``. A name may have no dot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._tesuji import InputError


class OpenSpielGame:
    """A ``State`` of OpenSpiel as a game with four methods."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self._game = state.get_game()
        self.actions: int = self._game.num_distinct_actions()
        if len(self._game.observation_tensor_shape()) == 3:
            self.planes = self._planes

    def to_move(self) -> int:
        # At the end OpenSpiel names a player of its own.
        return 0 if self.state.is_terminal() else int(self.state.current_player())

    def moves(self) -> Sequence[int]:
        return list(self.state.legal_actions())

    def play(self, move: int) -> OpenSpielGame:
        return OpenSpielGame(self.state.child(move))

    def result(self) -> float | None:
        if not self.state.is_terminal():
            return None
        low, high = self._game.min_utility(), self._game.max_utility()
        return float((self.state.returns()[0] - low) / (high - low))

    def move_text(self, move: int) -> str:
        text = str(self.state.action_to_string(self.state.current_player(), move))
        return "_".join(text.split()) or str(move)

    def copy(self) -> OpenSpielGame:
        return self  # It does not change.

    def _planes(self) -> NDArray[np.float32]:
        tensor = self.state.observation_tensor(self.to_move())
        return np.asarray(tensor, np.float32).reshape(self._game.observation_tensor_shape())

    def __str__(self) -> str:
        return str(self.state)


def __getattr__(name: str) -> Callable[[], OpenSpielGame]:
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise InputError("games of OpenSpiel need its package; accepted: pip install open_spiel") from error
    try:
        game = pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise InputError(f"OpenSpiel has no game {name}: {error}") from error
    kind = game.get_type()
    fits = (
        game.num_players() == 2
        and kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
        and kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        and kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
        and kind.utility in (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM)
    )
    if not fits:
        raise InputError(
            f"{name} is not a game that is searched here; accepted: two players in turn, perfect information, no chance, "
            "zero sum"
        )
    return lambda: OpenSpielGame(game.new_initial_state())
