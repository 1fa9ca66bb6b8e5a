"""History of a run: numbers of every step as columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _native
from .frames import Floats


class History:
    """Rows of steps as columns: ``history["kinetic_j"]`` is a read-only array."""

    def __init__(self, native: _native.Recording) -> None:
        self._native = native
        self._heads = {head: (label, unit) for head, label, unit in native.heads()}

    @property
    def columns(self) -> list[str]:
        """Names of all columns."""
        return list(self._heads)

    @property
    def units(self) -> dict[str, str]:
        """Unit of every column."""
        return {head: unit for head, (_, unit) in self._heads.items()}

    @property
    def labels(self) -> dict[str, str]:
        """Meaning of every column."""
        return {head: label for head, (label, _) in self._heads.items()}

    def __getitem__(self, column: str) -> Floats:
        found: Floats = self._native.column(column)
        return found

    def __contains__(self, column: object) -> bool:
        return column in self._heads

    def __len__(self) -> int:
        return len(self["time_s"]) if "time_s" in self._heads else 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._heads)

    def to_pandas(self) -> Any:
        """A DataFrame, with units in ``frame.attrs["units"]``."""
        import pandas

        frame = pandas.DataFrame({head: self[head] for head in self._heads})
        frame.attrs["units"] = self.units
        return frame

    def to_xarray(self) -> Any:
        """A Dataset over the time, with units."""
        import xarray

        time = self["time_s"]
        columns = {
            head: ("time", self[head], {"long_name": label, "units": unit})
            for head, (label, unit) in self._heads.items()
            if head != "time_s"
        }
        return xarray.Dataset(columns, coords={"time": ("time", time, {"units": "s"})})

    def __repr__(self) -> str:
        return f"<History: {len(self)} rows, {len(self._heads)} columns>"
