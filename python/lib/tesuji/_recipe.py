"""Recipes, and lists of what there is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Union

from . import _tesuji
from ._table import Table
from ._tesuji import Game, InputError


class Recipe:
    """An agent described by text: a built-in recipe or a TOML file, with overrides.

    ``Recipe("uct", {"select.c": 0.5})`` is ``uct,select.c=0.5`` on the command line. Wherever a function takes a recipe,
    it also takes that text.

    Raises :class:`InputError` if there is no such recipe, key or value; the message says what is accepted.
    """

    def __init__(self, text: str, overrides: dict[str, Any] | None = None) -> None:
        words = [f"{key}={_word(value)}" for key, value in (overrides or {}).items()]
        self._text = ",".join([text, *words])
        self._toml, self._name, self._about, self._simulations = _tesuji.recipe_toml(self._text)

    @property
    def text(self) -> str:
        """The recipe as the command line writes it."""
        return self._text

    @property
    def name(self) -> str:
        """The name in reports."""
        return self._name

    @property
    def about(self) -> str:
        """What the recipe is, in a sentence."""
        return self._about

    @property
    def toml(self) -> str:
        """The whole recipe, every parameter written out."""
        return self._toml

    @property
    def simulations(self) -> int | None:
        """The recipe's own number of simulations a move, which matches prefer to theirs; its key is ``playouts``."""
        return self._simulations

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Recipe({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


#: A recipe, or its text.
AnyRecipe = Union[str, Recipe]
#: A game, its name, a class with the four methods of a game, or a function that makes such an object.
AnyGame = Union[str, Game, type, Callable[[], object]]


def game_of(game: AnyGame, komi: float | None = None) -> Game:
    """The game that is meant."""
    if isinstance(game, Game):
        if komi is not None:
            raise InputError(f"komi is {komi}, and the game has its own; accepted with a Game: Game(..., komi={komi})")
        return game
    return Game(game, komi)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_word(item) for item in value) + "]"
    return repr(float(value)) if isinstance(value, float) else str(value)


def games() -> Table:
    """Every game: how it is written, with parameters in capitals, and what it is."""
    return Table([{"name": name, "about": about} for name, about in _tesuji.games()])


def recipes() -> Table:
    """Every built-in recipe and what it is."""
    return Table([{"name": name, "about": about} for name, about in _tesuji.recipes()])


def parts() -> Table:
    """Every parameter of every part of a recipe, with its unit, range and default."""
    rows = []
    for part in json.loads(_tesuji.parts()):
        name = f"{part['axis']}={part['kind']}" if part["kind"] else "search"
        for parameter in part["parameters"] or [{}]:
            rows.append({"part": name, "about": part["about"], **{f"parameter_{k}": v for k, v in parameter.items()}})
    return Table(rows)
