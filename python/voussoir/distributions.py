"""Distributions of one number, for the values of a study."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import SceneError


class Distribution:
    """A distribution of one number: made by :func:`uniform`, :func:`normal`, :func:`lognormal`, … ."""

    def __init__(self, spec: dict[str, Any]) -> None:
        # checked here, so that the error names this call and not the study
        for key, value in spec.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise SceneError(f"{spec['distribution']}: {key} = {value}: a finite number is needed")
        if "library" not in spec:
            _native.quantiles(json.dumps(spec), [0.5])
        self._spec = spec

    @property
    def spec(self) -> dict[str, Any]:
        """Keys and values as a study file writes them."""
        return self._spec

    def quantile(self, share: float | Sequence[float] | npt.NDArray[Any]) -> Any:
        """Value below which a share of all values lies; shares in an array give an array."""
        if "library" in self._spec:
            raise ValueError("the values of the library are known to a study only")
        shares = np.asarray(share, dtype=float)
        found = np.array(_native.quantiles(json.dumps(self._spec), shares.ravel().tolist())).reshape(shares.shape)
        return float(found) if found.ndim == 0 else found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and self._spec == other._spec

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        name = self._spec.get("distribution", "library")
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in self._spec.items() if key != 'distribution')})"


def uniform(low: float, high: float) -> Distribution:
    """Uniform distribution between two bounds."""
    return Distribution({"distribution": "uniform", "low": float(low), "high": float(high)})


def normal(mean: float, deviation: float) -> Distribution:
    """Normal distribution: mean and standard deviation."""
    return Distribution({"distribution": "normal", "mean": float(mean), "deviation": float(deviation)})


def lognormal(median: float, deviation: float) -> Distribution:
    """Lognormal distribution: median, and standard deviation of the logarithm."""
    return Distribution({"distribution": "lognormal", "median": float(median), "deviation": float(deviation)})


def triangular(low: float, mode: float, high: float) -> Distribution:
    """Triangular distribution: bounds and mode."""
    return Distribution({"distribution": "triangular", "low": float(low), "mode": float(mode), "high": float(high)})


def truncated(of: Distribution, low: float | None = None, high: float | None = None) -> Distribution:
    """A distribution truncated to an interval; without a bound, the bound of the distribution."""
    ends = {key: float(end) for key, end in (("low", low), ("high", high)) if end is not None and np.isfinite(end)}
    return Distribution({"distribution": "truncated", "of": of.spec, **ends})


def library(material: str, value: str = "compressive_strength") -> Distribution:
    """The scatter of a material of the library: its compressive or tensile strength, or its modulus."""
    return Distribution({"library": material, "value": value})
