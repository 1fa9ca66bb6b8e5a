"""Table of a study: one row per sample."""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _native
from ._values import Table
from .fragility import Fragility, Hazard, Probability, hazard_keys, ida, probability, stripes

if TYPE_CHECKING:
    from .study import Study


class SampleTable:
    """The table of a study: one row per sample."""

    def __init__(self, native: _native.NativeTable, study: Study) -> None:
        self._native = native
        self._study = study

    @property
    def study(self) -> Study:
        """The study."""
        return self._study

    def __len__(self) -> int:
        return len(self._native)

    @property
    def inputs(self) -> list[str]:
        """Columns of the samples: keys, record, scale, intensity measures."""
        return self._native.heads()[0]

    @property
    def columns(self) -> list[str]:
        """Columns of the answers."""
        return self._native.heads()[1]

    @property
    def rows(self) -> dict[str, Any]:
        """Numbers, names, seeds, statuses and reasons of the rows."""
        return self._native.rows()

    def _tell_missing(self) -> None:
        """Warns about requested columns that no answer has."""
        for column in self._study.spec.get("keep", []):
            if self.done and not any(cell is not None for cell in self._native.column(column) or []):
                warnings.warn(f"keep: no answer has {column!r}; its column is empty", stacklevel=3)

    @property
    def done(self) -> int:
        """Rows with a converged answer."""
        return sum(status == "done" for status in self.rows["status"])

    def __getitem__(self, column: str) -> npt.NDArray[Any]:
        """A column: numbers (not a number where there is none), or words."""
        if column in ("sample", "name", "seed", "status", "reason"):
            return np.array(self.rows[column])
        cells = self._native.column(column)
        if cells is None:
            raise KeyError(f"there is no column {column!r}; columns: {', '.join(self.inputs + self.columns)}")
        if any(isinstance(cell, str) for cell in cells):
            return np.array(["" if cell is None else str(cell) for cell in cells])
        return np.array([np.nan if cell is None else cell for cell in cells], dtype=float)

    def csv(self) -> str:
        """The table as CSV, as ``voussoir sweep`` writes it."""
        return self._native.csv()

    def page(self) -> str:
        """The report as an HTML page."""
        return self._native.page()

    def to_pandas(self) -> Any:
        """The table as a DataFrame."""
        import pandas

        names = ["name", "seed", *self.inputs, "status", "reason", *self.columns]
        data = {name: self[name] for name in dict.fromkeys(names)}
        return pandas.DataFrame(data, index=pandas.Index(self.rows["sample"], name="sample"))

    def to_arrow(self) -> Any:
        """The table for pyarrow."""
        import pyarrow

        names = ["sample", "name", "seed", *self.inputs, "status", "reason", *self.columns]
        arrays: dict[str, Any] = {}
        for name in dict.fromkeys(names):
            values = self[name]
            kind = pyarrow.uint64() if name == "seed" else None
            # cells without a number are null; NaN is a number
            mask = np.isnan(values) if values.dtype.kind == "f" else None
            arrays[name] = pyarrow.array(values.tolist(), type=kind) if values.dtype.kind in "US" else pyarrow.array(values, type=kind, mask=mask)
        return pyarrow.table(arrays)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as Parquet, through pyarrow."""
        import pyarrow.parquet

        pyarrow.parquet.write_table(self.to_arrow(), os.fspath(path))

    def to_openturns(self, *columns: str) -> Any:
        """Columns as a sample of OpenTURNS; default: the keys that vary."""
        import openturns

        names = list(columns) or self._study.keys
        sample = openturns.Sample(np.stack([self[name] for name in names], axis=1).tolist())
        sample.setDescription(names)
        return sample

    def fragility(
        self,
        im: str = "pga",
        damage: str | None = None,
        *,
        method: Literal["stripes", "capacity", "cloud"] = "stripes",
        level: float = 0.9,
        hazard: Hazard | None = None,
        bootstrap: int = 0,
        seed: int = 0,
    ) -> Fragility:
        """Fits a fragility curve.

        im: Column of the intensity; with "capacity" that of the intensity at failure.
        damage: Damage state; not for "capacity".
        method: "stripes" (failures at intensities), "capacity" (intensities at failure: limit, ida) or "cloud" (demands).
        level: Confidence of bands.
        hazard: Hazard curve, for a mean annual rate.
        bootstrap: Number of resampled studies, for ``bootstrap_band``: of stripes and of capacities.
        seed: Seed of the resampled studies.
        """
        spec: Table = {"im": im, "damage": damage, "method": method, "level": level}
        if hazard is not None:
            spec["hazard"] = hazard_keys(hazard)
        text, svg = self._native.fragility(json.dumps({key: value for key, value in spec.items() if value is not None}))
        data = json.loads(text)
        return Fragility(data, svg, self._resampled(data, method, bootstrap, seed) if bootstrap else ())

    def _resampled(self, data: Table, method: str, count: int, seed: int) -> Any:
        """Curves of resampled studies."""
        if method == "stripes":
            rows = data["stripes"]
            found = [[row[key] for row in rows] for key in ("intensity", "failures", "runs")]
            return stripes(*found, bootstrap=count, seed=seed).resampled
        if method == "capacity":
            done = self["status"] == "done"
            survivors = int((self["survived"][done] == 1.0).sum()) if "survived" in self.columns else 0
            largest = float(np.nanmax(self["upper"])) if survivors else None
            return ida(data["capacities"], survivors=survivors, largest=largest, bootstrap=count, seed=seed).resampled
        raise ValueError("a bootstrap needs stripes or capacities")

    def probability(self, column: str = "stands", *, failed: float | None = None, level: float = 0.9) -> Probability:
        """Probability of failure among the rows with a converged answer, with Wilson's interval, and reliability index.

        failed: Value of the column that is a failure; default: 0 for "stands", else 1.
        """
        value = (0.0 if column == "stands" else 1.0) if failed is None else float(failed)
        name = column if column in self.columns else f"damage.{column}"
        return probability(*self._native.failures(name, value), level)

    def correlations(self) -> list[dict[str, Any]]:
        """Rank correlations of all inputs with all numbers, with intervals of 90 %."""
        found: list[dict[str, Any]] = json.loads(self._native.correlations())
        return found

    def __repr__(self) -> str:
        return f"<SampleTable: {len(self)} of {self._native.total()} samples, {self.done} with a converged answer>"

    def _repr_html_(self) -> str:
        try:
            return str(self.to_pandas()._repr_html_())
        except ImportError:
            return f"<pre>{repr(self)[1:-1]}</pre>"
