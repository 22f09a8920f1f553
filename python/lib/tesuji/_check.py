"""Arguments: a wrong one is named, with its value and what is accepted."""

from __future__ import annotations

import math
from operator import index
from typing import SupportsFloat, SupportsIndex, overload

from ._tesuji import InputError

#: The greatest seed, and the greatest number of simulations.
LARGEST = 2**64 - 1
#: The greatest number of games, which a record can store.
LARGEST_STORED = 2**63 - 1


@overload
def whole(name: str, value: SupportsIndex, least: int, most: int) -> int: ...
@overload
def whole(name: str, value: SupportsIndex | None, least: int, most: int) -> int | None: ...
def whole(name: str, value: SupportsIndex | None, least: int, most: int) -> int | None:
    """A whole number from ``least`` to ``most``; ``None`` stays."""
    if value is None:
        return None
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; accepted: a whole number") from None
    if not least <= number <= most:
        limits = f"at least {least}" if number < least else f"at most {most}"
        raise InputError(f"{name} is {number}; accepted: {limits}")
    return number


@overload
def real(name: str, value: SupportsFloat, least: float, most: float, accepted: str) -> float: ...
@overload
def real(name: str, value: SupportsFloat | None, least: float, most: float, accepted: str) -> float | None: ...
def real(name: str, value: SupportsFloat | None, least: float, most: float, accepted: str) -> float | None:
    """A number from ``least`` to below ``most``; ``None`` stays."""
    if value is None:
        return None
    number = float(value)
    if not least <= number < most:
        raise InputError(f"{name} is {number:g}; accepted: {accepted}")
    return number


def finite(name: str, value: SupportsFloat, accepted: str) -> float:
    """A number that is neither infinite nor NaN."""
    number = float(value)
    if not math.isfinite(number):
        raise InputError(f"{name} is {number:g}; accepted: {accepted}")
    return number
