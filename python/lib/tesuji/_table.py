"""Tables of results."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import pandas  # type: ignore[import-not-found, import-untyped, unused-ignore]
    import polars  # type: ignore[import-not-found, unused-ignore]

Row = Mapping[str, Any]


class Table(Sequence[Row]):
    """Rows of results: a sequence of mappings from the names of columns to values.

    Prints as text, shows as a table in notebooks, and becomes a data frame by :meth:`to_pandas` or :meth:`to_polars` where
    that package is installed.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = list(rows)

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in the order in which they first occur."""
        return list(dict.fromkeys(key for row in self._rows for key in row))

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Table: ...
    def __getitem__(self, index: int | slice) -> Row | Table:
        return Table(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]

    def column(self, name: str) -> list[Any]:
        """The values of a column, ``None`` where a row has none."""
        return [row.get(name) for row in self._rows]

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame of pandas."""
        import pandas

        return pandas.DataFrame(self._rows, columns=self.columns)

    def to_polars(self) -> polars.DataFrame:
        """The table as a data frame of polars."""
        import polars

        return polars.DataFrame([dict(row) for row in self._rows], infer_schema_length=None)

    def __repr__(self) -> str:
        return f"Table({len(self)} rows: {', '.join(self.columns)})"

    def __str__(self) -> str:
        columns = self.columns
        lines = [columns, *([_text(row.get(name)) for name in columns] for row in self._rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)

    def _repr_html_(self) -> str:
        columns = self.columns
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        rows = [[html.escape(_text(row.get(name))) for name in columns] for row in self._rows]
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
