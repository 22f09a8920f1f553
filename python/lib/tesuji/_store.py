"""Records of experiments."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from . import _tesuji
from ._match import MatchResult
from ._table import Table
from ._tesuji import InputError


class Store:
    """The record of an experiment: a directory with the file ``games.sqlite``, as ``out=`` makes it. It is only read."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(fspath(path))
        self._file = self.path / "games.sqlite"
        if not self._file.is_file():
            raise InputError(
                f"{self.path} holds no experiment: expected a directory with a file games.sqlite, as `out` makes it"
            )

    def matches(self) -> dict[str, MatchResult]:
        """The results of the matches, by name."""
        rows = json.loads(_tesuji.store_matches(self.path))
        return {row["match"]: MatchResult.of(row) for row in rows}

    def query(self, sql: str, parameters: tuple[Any, ...] = ()) -> Table:
        """The rows of a query in SQL. ``docs/records.md`` describes the tables."""
        with closing(sqlite3.connect(f"{self._file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return Table([dict(row) for row in connection.execute(sql, parameters)])

    def games(self) -> Table:
        """Every finished game: seed, opening, moves, result."""
        return self.query("SELECT * FROM game ORDER BY rowid")

    def searches(self) -> Table:
        """Every move that was searched for, with its value and cost."""
        return self.query("SELECT * FROM move")

    def verify(self) -> list[str]:
        """The faults of the record, a sentence each; a sound record has none."""
        return _tesuji.verify(self.path)

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"
