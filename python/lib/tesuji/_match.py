"""Matches."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal

from . import _lockstep, _tesuji
from ._check import LARGEST, LARGEST_STORED, finite, real, whole
from ._lockstep import AnyAgent, NetworkAgent
from ._progress import Progress, watcher
from ._recipe import AnyGame, game_of
from ._stats import Interval
from ._table import Table
from ._tesuji import InputError


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, from the side of ``a``."""

    a: str
    b: str
    game: str
    #: Games that count.
    games: int
    wins: int
    draws: int
    losses: int
    #: Wins and half of the draws, over games: in [0, 1].
    score: float
    #: The Agresti-Coull interval of the score, 95 %.
    interval: Interval
    #: The Elo difference; ``None`` where it is infinite.
    elo: float | None
    #: Its interval, from the variance of pairs; ``None`` where an end is infinite.
    elo_interval: tuple[float | None, float | None]
    #: The likelihood of superiority.
    superiority: float
    #: The p-value of "both are equally strong", two-sided; ``None`` in a match with a sequential
    #: test, whose decision counts.
    p: float | None
    #: Whether the match was stopped before its end.
    interrupted: bool
    #: Everything, as ``tesuji match --json`` prints it.
    data: dict[str, Any] = field(repr=False)

    @classmethod
    def of(cls, data: dict[str, Any]) -> MatchResult:
        """The result from the output of ``tesuji match --json``."""
        lo, hi = data["elo_ci95"]
        own = {key: data[key] for key in ("a", "b", "game", "games", "wins", "draws", "losses", "score", "elo", "p", "interrupted")}
        return cls(**own, interval=Interval(*data["ci95"]), elo_interval=(lo, hi), superiority=data["los"], data=data)

    def table(self) -> Table:
        """The result as a row."""
        return Table([{k: v for k, v in self.data.items() if not isinstance(v, (dict, list))}])

    def __str__(self) -> str:
        elo = "infinite" if self.elo is None else f"{self.elo:+.0f}"
        p = "" if self.p is None else f"; p {self.p:{'.3f' if self.p >= 1e-3 else '.1e'}}"
        return (
            f"{self.a} against {self.b}, {self.game}, {self.games} games\n"
            f"  won {self.wins}, lost {self.losses}, drawn {self.draws}\n"
            f"  score {self.score:.3f}, 95 % in [{self.interval.lo:.3f}, {self.interval.hi:.3f}]\n"
            f"  Elo {elo}{p}"
        )

    def _repr_html_(self) -> str:
        text = html.escape(str(self).split("\n", 1)[0])
        lo, at, hi = (f"{20 + 360 * score:.1f}" for score in (self.interval.lo, self.score, self.interval.hi))
        return (
            f'<div>{text}: won {self.wins}, lost {self.losses}, drawn {self.draws}; score {self.score:.3f} '
            f"[{self.interval.lo:.3f}, {self.interval.hi:.3f}]</div>"
            '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="44" font-size="10" font-family="sans-serif">'
            '<path d="M20 20H380M20 16v8M200 16v8M380 16v8" stroke="#999"/>'
            f'<path d="M{lo} 20H{hi}" stroke="#2563eb" stroke-width="5"/>'
            f'<circle cx="{at}" cy="20" r="5" fill="#c2410c"/>'
            '<text x="17" y="38">0</text><text x="192" y="38">0.5</text><text x="377" y="38">1</text></svg>'
        )


def match(
    a: AnyAgent,
    b: AnyAgent,
    game: AnyGame = "go9",
    *,
    games: int = 100,
    simulations: int = 1000,
    seconds: float | None = None,
    seed: int = 1,
    komi: float | None = None,
    opening_plies: int | None = None,
    openings: Sequence[str] | str | PathLike[str] | None = None,
    unpaired: bool = False,
    longest: int = 2000,
    adjudicate: float = 0.0,
    sprt: tuple[float, float] | None = None,
    disputed: Literal["void", "board", "opponent"] = "void",
    threads: int | None = None,
    out: str | PathLike[str] | None = None,
    changed: bool = False,
    progress: Progress = None,
) -> MatchResult:
    """Plays a colour-balanced match between two agents, exactly as ``tesuji match`` does.

    :param a: the agent whose side the result takes: a recipe, ``"random"``, ``"gtp:COMMAND"``, or a :class:`NetworkAgent`.
    :param b: its opponent.
    :param game: a game, its name, or a class with the four methods of a game.
    :param games: the number of games. Every opening is played once with each colour.
    :param simulations: simulations a move. A recipe may name its own number, as in ``"uct,playouts=500"``.
    :param seconds: seconds a move, in place of ``simulations``. Such games are not reproducible.
    :param seed: the seed of all random numbers.
    :param opening_plies: random moves with which each game begins. Default: the usual number for the game.
    :param openings: lines of moves with which games begin in turn, or a file with one on each line; not together with
        ``opening_plies``.
    :param unpaired: give each game an opening of its own.
    :param longest: a game of this many moves is a draw.
    :param adjudicate: end a game when both agents agree for three moves each; 0: never.
    :param sprt: stop as soon as a sequential test over pairs decides between these two Elo differences.
    :param disputed: what a game counts if an engine disputes its result.
    :param threads: games at a time. Default: one for each core; one with ``seconds`` or a game written in Python.
    :param out: a directory for the record. The same call resumes a match that was stopped.
    :param changed: resume a record made with other settings.
    :param progress: ``False`` shows nothing; a function is called with a dictionary after each game.

    If an agent is a :class:`NetworkAgent`, all games are played in lockstep, so that they share batches. Such a match is not
    recorded: ``out``, ``seconds``, ``sprt``, ``adjudicate`` and ``unpaired`` are not accepted.

    Ctrl-C stops after the running simulations; with ``out`` all finished games are kept. Then, and if ``progress`` or a
    game raises, the exception leaves this function. :class:`RunError` says that games failed, such as those of an engine
    that somebody ended.
    """
    chosen = game_of(game, komi)
    games, seed = whole("games", games, 0, LARGEST_STORED), whole("seed", seed, 0, LARGEST_STORED)
    simulations = whole("simulations", simulations, 1, LARGEST)
    longest = whole("longest", longest, 1, 2**32 - 1)
    opening_plies = whole("opening_plies", opening_plies, 0, 2**32 - 1)
    threads = whole("threads", threads, 1, 2**16 - 1)
    seconds = real("seconds", seconds, 0.001, 1e9, "0.001 to 10^9")
    adjudicate = real("adjudicate", adjudicate, 0, 0.5, "at least 0 and below 0.5; with 0, games are always played out")
    if sprt is not None:
        elo0, elo1 = sprt
        sprt = (finite("elo0 of sprt", elo0, "a finite number"), finite("elo1 of sprt", elo1, "a finite number"))
    lines = _lines(openings)
    if lines is not None and opening_plies is not None:
        raise InputError("openings and opening_plies exclude each other; accepted: one of them")
    if isinstance(a, NetworkAgent) or isinstance(b, NetworkAgent):
        refused = {"out": out, "seconds": seconds, "sprt": sprt, "adjudicate": adjudicate, "unpaired": unpaired}
        if given := [key for key, value in refused.items() if value]:
            raise InputError(f"{given[0]} is not accepted in a match with a network of Python, which is not recorded")
        plies = chosen.opening_plies if opening_plies is None else opening_plies
        return MatchResult.of(
            _lockstep.play(
                a,
                b,
                chosen,
                games=games,
                simulations=simulations,
                seed=seed,
                opening_plies=plies,
                openings=lines,
                longest=longest,
                tell=watcher(progress),
            )
        )
    asked = {
        "a": str(a),
        "b": str(b),
        "games": games,
        "simulations": simulations,
        "seconds": seconds,
        "seed": seed,
        "opening_plies": opening_plies,
        "openings": lines,
        "unpaired": bool(unpaired),
        "longest": longest,
        "adjudicate": adjudicate,
        "sprt": sprt,
        "disputed": disputed,
        "threads": threads,
        "out": None if out is None else fspath(out),
        "changed": bool(changed),
    }
    return MatchResult.of(json.loads(_tesuji.play_match(chosen, json.dumps(asked), watcher(progress))))


def _lines(openings: Sequence[str] | str | PathLike[str] | None) -> list[str] | None:
    """The lines of moves of openings, or of their file."""
    if openings is None:
        return None
    if isinstance(openings, (str, PathLike)):
        lines = [line.strip() for line in Path(openings).read_text("utf-8").splitlines() if line.strip()]
        if not lines:
            raise InputError(f"the openings file {fspath(openings)}: it has no openings; accepted: a line of moves for each")
        return lines
    lines = list(openings)
    if not lines:
        raise InputError("openings has no line of moves; accepted: at least one")
    for line in lines:
        if not isinstance(line, str):
            raise InputError(f"openings has {line!r}; accepted: lines of moves, such as 'e5 c3'")
    return lines
