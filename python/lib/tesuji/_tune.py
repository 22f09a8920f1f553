"""Bayesian optimization of any function."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Union

from . import _tesuji
from ._check import LARGEST, finite, whole
from ._table import Table
from ._tesuji import InputError


@dataclass(frozen=True)
class Real:
    """A number from ``low`` to ``high``."""

    low: float
    high: float


@dataclass(frozen=True)
class Log:
    """A number from ``low``, above 0, to ``high``, on a logarithmic scale."""

    low: float
    high: float


@dataclass(frozen=True)
class Integer:
    """A whole number from ``low`` to ``high``."""

    low: int
    high: int


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    options: tuple[str, ...]

    def __init__(self, *options: str) -> None:
        object.__setattr__(self, "options", options)


#: What values a parameter has.
Parameter = Union[Real, Log, Integer, Choice]
Point = dict[str, Any]
#: What an objective returns: a value to be maximized, or a value and its variance.
Observed = Union[float, "tuple[float, float]"]


class Tuner:
    """An optimizer by ask and tell: where is a noisy function greatest?

    ::

        tuner = tesuji.Tuner({"c": tesuji.Log(0.1, 10)}, seed=1)
        for _ in range(30):
            point = tuner.ask()
            tuner.tell(point, objective(**point))
        print(tuner.recommend())
    """

    def __init__(
        self, parameters: Mapping[str, Parameter], *, initial: int = 8, samples: int = 10, seed: int = 0
    ) -> None:
        """
        :param parameters: the domain of each parameter, by name.
        :param initial: points of a Sobol sequence that come first.
        :param samples: draws of the process's parameters over which a suggestion is averaged; 0: the most likely ones.
        :param seed: the seed of all random numbers.
        """
        taken = next((name for name in ("value", "variance") if name in parameters), None)
        if taken is not None:
            raise InputError(f"a parameter is named {taken}, as observations are; accepted: any other name")
        initial, samples = whole("initial", initial, 0, LARGEST), whole("samples", samples, 0, LARGEST)
        seed = whole("seed", seed, 0, LARGEST)
        for name, parameter in parameters.items():
            for key, value in vars(parameter).items():
                if isinstance(value, float):
                    finite(f"{key} of {name}", value, "a finite number")
        self._asked = (dict(parameters), initial, samples, seed)
        self._names = list(parameters)
        table = [{"name": name, "kind": type(p).__name__.lower(), **vars(p)} for name, p in parameters.items()]
        self._tuner = _tesuji.Tuner(json.dumps(table), initial, samples, seed)
        self._pending: list[tuple[Point, float]] = []
        self._observations: list[dict[str, Any]] = []

    def ask(self, variance: float = 0.0) -> Point:
        """The point to observe next.

        Points that were asked for and not yet told count as under way. ``variance`` is the expected variance of the
        observation.
        """
        pending = [(self._values(point), v) for point, v in self._pending]
        point = self._point(self._tuner.ask(pending))
        self._pending.append((point, variance))
        return dict(point)

    def tell(self, point: Mapping[str, Any], value: float, variance: float = 0.0) -> None:
        """Learns the observation at a point, which need not come from :meth:`ask`. Noise beyond ``variance`` is estimated."""
        self._tuner.tell(self._values(point), float(value), float(variance))
        self._observations.append({**point, "value": float(value), "variance": float(variance)})
        under_way = (i for i, (pending, _) in enumerate(self._pending) if pending == dict(point))
        found = next(under_way, None)
        if found is not None:
            del self._pending[found]

    def recommend(self) -> tuple[Point, float, float]:
        """The point with the highest expected value, that expectation, and its standard deviation."""
        found = self._tuner.recommend()
        if found is None:
            raise InputError("nothing was observed yet; accepted: at least one observation")
        values, mean, deviation = found
        return self._point(values), mean, deviation

    @property
    def observations(self) -> Table:
        """The observations, a row each."""
        return Table(self._observations)

    def __getstate__(self) -> dict[str, Any]:
        return {"asked": self._asked, "observations": self._observations, "pending": self._pending}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # What was observed is learnt again; random numbers begin anew.
        parameters, initial, samples, seed = state["asked"]
        Tuner.__init__(self, parameters, initial=initial, samples=samples, seed=seed)
        for row in state["observations"]:
            self.tell({name: row[name] for name in self._names}, row["value"], row["variance"])
        self._pending = state["pending"]

    def _values(self, point: Mapping[str, Any]) -> str:
        missing = [name for name in self._names if name not in point]
        if missing:
            raise InputError(f"the point has no {missing[0]}; accepted: a value for each of {', '.join(self._names)}")
        for name in self._names:
            if isinstance(point[name], float):
                finite(f"{name} of the point", point[name], "a value of its parameter")
        return json.dumps([point[name] for name in self._names])

    def _point(self, values: str) -> Point:
        return dict(zip(self._names, json.loads(values)))


@dataclass(frozen=True)
class TuningResult:
    """The recommendation of a tuning."""

    #: The point with the highest expected value.
    best: Point
    #: The expected value there.
    value: float
    #: The standard deviation of that expectation.
    deviation: float
    tuner: Tuner = field(repr=False)

    @property
    def observations(self) -> Table:
        """The observations, a row each."""
        return self.tuner.observations

    def _repr_html_(self) -> str:
        return self.observations._repr_html_()


def tune(
    objective: Callable[[Point], Observed],
    parameters: Mapping[str, Parameter],
    *,
    evaluations: int,
    initial: int = 8,
    seed: int = 0,
) -> TuningResult:
    """Maximizes any function of named parameters by Bayesian optimization.

    :param objective: called with a point, a dictionary of values; returns the observed value, or that and its variance.
    :param parameters: the domain of each parameter, by name.
    :param evaluations: how often the objective is called.
    :param initial: points of a Sobol sequence that come first.
    :param seed: the seed of all random numbers.
    """
    evaluations = whole("evaluations", evaluations, 1, LARGEST)
    tuner = Tuner(parameters, initial=initial, seed=seed)
    for _ in range(evaluations):
        point = tuner.ask()
        observed = objective(dict(point))
        value, variance = observed if isinstance(observed, tuple) else (observed, 0.0)
        tuner.tell(point, value, variance)
    best, mean, deviation = tuner.recommend()
    return TuningResult(best, mean, deviation, tuner)
