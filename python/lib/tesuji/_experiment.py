"""Experiment files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from . import _tesuji
from ._check import LARGEST, whole
from ._progress import Progress, watcher
from ._store import Store
from ._table import Table


@dataclass(frozen=True)
class ExperimentResult:
    """The results of an experiment."""

    name: str
    about: str
    #: The tables of results, by name.
    tables: dict[str, Table]
    #: Lines for people.
    summary: list[str]
    #: Whether the run was stopped before its end.
    interrupted: bool
    #: Everything, as ``tesuji run --json`` prints it.
    data: dict[str, Any] = field(repr=False)

    @property
    def store(self) -> Store:
        """The record of the experiment."""
        return Store(self.data["record"])

    def __str__(self) -> str:
        return "\n".join([f"{self.name}: {self.about}", *self.summary])

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.tables.values())


def run(
    file: str | PathLike[str],
    *,
    out: str | PathLike[str] = "out",
    results: str | PathLike[str] = "results",
    limit: int | None = None,
    only: Sequence[str] | str = (),
    threads: int | None = None,
    changed: bool = False,
    progress: Progress = None,
) -> ExperimentResult:
    """Runs an experiment file, or its missing part, exactly as ``tesuji run`` does.

    :param file: the TOML file: matches, a round robin, a sweep, a tuning, a race, a training, decisions or incentives.
    :param out: the directory below which the record is stored.
    :param results: the directory below which the tables of results are written.
    :param limit: at most this many games of each match. The same call continues.
    :param only: only the matches whose names begin with this, or with one of these.
    :param threads: games at a time. Default: one for each core.
    :param changed: resume a record made with other settings.
    :param progress: ``False`` shows nothing; a function is called with a dictionary for each change.
    """
    limit, threads = whole("limit", limit, 0, LARGEST), whole("threads", threads, 1, 2**16 - 1)
    names = [only] if isinstance(only, str) else list(only)
    text = _tesuji.run_experiment(file, out, results, limit, names, threads, changed, watcher(progress))
    data = json.loads(text)
    tables = {name: Table(rows) for name, rows in data["tables"].items() if rows}
    summary = [*data["summary"], *data["lines"]]
    return ExperimentResult(data["name"], data["about"], tables, summary, data["interrupted"], data)
