"""Fragility curves, probabilities, rates and intensity measures: of studies, and of numbers from elsewhere."""

from __future__ import annotations

import html
import json
import math
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from .distributions import Distribution

Floats = npt.NDArray[np.float64]
#: A hazard curve: ``{"k0": …, "k": …}`` for the annual rate k₀ x⁻ᵏ of exceeding x, or points (x, rate [1/year]).
Hazard = Mapping[str, float] | Sequence[tuple[float, float]]


def _score(share: float) -> float:
    """Quantile of the standard normal distribution."""
    return _native.quantiles('{"distribution": "normal", "mean": 0.0, "deviation": 1.0}', [share])[0]


def _cdf(values: Floats) -> Floats:
    return np.array([0.5 * math.erfc(-value / math.sqrt(2.0)) for value in np.ravel(values)]).reshape(np.shape(values))


class Picture:
    """A drawing: shown by notebooks, saved as SVG."""

    def __init__(self, svg: str) -> None:
        self._svg = svg

    @property
    def svg(self) -> str:
        """The drawing as SVG."""
        return self._svg

    def png(self, scale: float = 2.0) -> bytes:
        """The drawing as PNG, with ``scale`` pixels to its unit."""
        return _native.drawing_png(self._svg, scale)

    def save(self, path: str | pathlib.Path) -> None:
        """Writes the drawing: as PNG if the name ends so, else as SVG."""
        place = pathlib.Path(path)
        if place.suffix.lower() == ".png":
            place.write_bytes(self.png())
        else:
            place.write_text(self._svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self._svg

    def _repr_png_(self) -> bytes:
        return self.png(1.0)


class Curve:
    """A lognormal fragility curve, P(x) = Φ(ln(x/θ)/β), with its covariance."""

    def __init__(
        self,
        theta: float,
        beta: float,
        covariance: Sequence[Sequence[float]] = ((0.0, 0.0), (0.0, 0.0)),
        resampled: Sequence[tuple[float, float]] = (),
    ) -> None:
        self._theta = float(theta)
        self._beta = float(beta)
        self._covariance = np.array(covariance, dtype=float)
        self._resampled = np.array(resampled, dtype=float).reshape(-1, 2)

    @property
    def theta(self) -> float:
        """Median θ, in the unit of the intensity."""
        return self._theta

    @property
    def beta(self) -> float:
        """Standard deviation β of the logarithm."""
        return self._beta

    @property
    def covariance(self) -> Floats:
        """Covariance of (ln θ, β), 2 × 2."""
        return self._covariance

    @property
    def standard_errors(self) -> tuple[float, float]:
        """Standard errors of ln θ and of β."""
        return (float(math.sqrt(self._covariance[0, 0])), float(math.sqrt(self._covariance[1, 1])))

    @property
    def resampled(self) -> Floats:
        """Medians and deviations of curves of resampled studies (bootstrap), one row each."""
        return self._resampled

    def probability(self, intensity: float | npt.ArrayLike) -> Any:
        """Probability of damage at intensities."""
        x = np.asarray(intensity, dtype=float)
        with np.errstate(divide="ignore"):
            found = np.where(x > 0.0, _cdf(np.log(np.maximum(x, 1e-300) / self._theta) / self._beta), 0.0)
        return float(found) if found.ndim == 0 else found

    def quantile(self, probability: float) -> float:
        """Intensity with a probability of damage."""
        return self._theta * math.exp(self._beta * _score(probability))

    def band(self, intensity: npt.ArrayLike, level: float = 0.9) -> tuple[Floats, Floats]:
        """Band of the probability by the delta method: its lower and upper end at intensities."""
        x = np.maximum(np.asarray(intensity, dtype=float), 1e-300)
        z = np.log(x / self._theta) / self._beta
        slope = np.stack([np.full_like(z, -1.0 / self._beta), -z / self._beta])
        variance = np.einsum("i...,ij,j...->...", slope, self._covariance, slope)
        half = _score(0.5 + 0.5 * level) * np.sqrt(np.maximum(variance, 0.0))
        return _cdf(z - half), _cdf(z + half)

    def bootstrap_band(self, intensity: npt.ArrayLike, level: float = 0.9) -> tuple[Floats, Floats]:
        """Band of the probability by resampled curves; the fit needs ``bootstrap=``.

        Deviations of the resampled curves from the fitted one, in normal scores, are taken as those of the fitted curve
        from the true one (basic bootstrap).
        """
        if not len(self._resampled):
            raise ValueError("the curve has no resampled curves; fit it with bootstrap=500")
        x = np.maximum(np.asarray(intensity, dtype=float), 1e-300)
        z = np.log(x / self._theta) / self._beta
        scores = np.stack([np.log(x / theta) / beta for theta, beta in self._resampled])
        low, high = np.quantile(scores, [0.5 - 0.5 * level, 0.5 + 0.5 * level], axis=0, method="weibull")
        return _cdf(2.0 * z - high), _cdf(2.0 * z - low)

    def annual_rate(self, hazard: Hazard) -> float:
        """Mean annual rate of damage [1/year] with a hazard curve."""
        return _native.rate(self._theta, self._beta, json.dumps(hazard_keys(hazard)))[0]

    def __repr__(self) -> str:
        a, b = self.standard_errors
        return f"<Curve θ = {self._theta:.6g} (se of ln θ {a:.4g}), β = {self._beta:.6g} (se {b:.4g})>"


class Fragility(Curve):
    """A fragility curve of a study."""

    def __init__(self, data: dict[str, Any], svg: str, resampled: Any = ()) -> None:
        curve = data["curve"]
        super().__init__(curve["theta"], curve["beta"], curve["covariance"], resampled)
        self._data = data
        self._svg = svg

    @property
    def data(self) -> dict[str, Any]:
        """The JSON output of the command (``--json``)."""
        return self._data

    @property
    def im(self) -> str:
        """Column of the intensity."""
        return str(self._data["im"])

    @property
    def damage(self) -> str | None:
        """Damage state."""
        found: str | None = self._data["damage"]
        return found

    @property
    def stripes(self) -> list[dict[str, Any]]:
        """Intensity, runs, failures and Wilson's ``interval`` of the stripes behind the curve."""
        level = float(self._data["level"])
        wilson = _native.wilson
        return [{**row, "interval": tuple(wilson(row["failures"], row["runs"], level))} for row in self._data["stripes"]]

    @property
    def left_out(self) -> int:
        """Samples left out because they have no converged answer."""
        return int(self._data["left_out"])

    @property
    def rate(self) -> float | None:
        """Mean annual rate [1/year], with a hazard curve."""
        found = self._data.get("rate")
        return None if found is None else float(found["rate"])

    def plot(self, ax: Any = None) -> Any:
        """The curve with its band and stripes: a picture, or lines in axes of matplotlib."""
        if ax is None:
            return Picture(self._svg)
        seen = [float(stripe["intensity"]) for stripe in self.stripes]
        x = np.linspace(0.0, 1.05 * max([self.quantile(0.95), *seen]), 121)[1:]
        low, high = self.band(x, float(self._data["level"]))
        ax.fill_between(x, low, high, alpha=0.3)
        ax.plot(x, self.probability(x))
        for stripe in self.stripes:
            ax.plot(stripe["intensity"], stripe["failures"] / stripe["runs"], "o")
            ax.vlines(stripe["intensity"], *stripe["interval"])
        ax.set_xlabel(self.im)
        ax.set_ylabel("probability")
        return ax

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self)[1:-1])}</p>{self._svg}"

    def _repr_png_(self) -> bytes:
        return Picture(self._svg).png()


class Probability(NamedTuple):
    """A probability of failure by samples."""

    #: Samples that failed.
    failures: int
    #: Samples.
    samples: int
    #: Probability.
    probability: float
    #: Its confidence interval (Wilson).
    interval: tuple[float, float]
    #: Reliability index −Φ⁻¹(p); infinite without failures.
    reliability: float
    #: Its confidence interval.
    reliability_interval: tuple[float, float]


def probability(failures: int, samples: int, level: float = 0.9) -> Probability:
    """Probability of failure and reliability index from the number of failures among samples, with intervals."""
    if not 0 <= failures <= samples or samples == 0:
        raise ValueError(f"{failures} failures of {samples} samples")
    low, high = _native.wilson(failures, samples, level)

    def index(share: float) -> float:
        return math.inf if share <= 0.0 else -math.inf if share >= 1.0 else -_score(share)

    share = failures / samples
    return Probability(failures, samples, share, (low, high), index(share), (index(high), index(low)))


def hazard_keys(hazard: Hazard) -> dict[str, Any]:
    """A hazard curve as a study file writes it."""
    if isinstance(hazard, Mapping):
        return {str(key): value for key, value in hazard.items()}
    return {"points": [[float(x), float(rate)] for x, rate in hazard]}


def stripes(
    intensities: npt.ArrayLike,
    failures: npt.ArrayLike,
    runs: npt.ArrayLike = 1,
    *,
    bootstrap: int = 0,
    seed: int = 0,
) -> Curve:
    """Fits a curve to failures of runs at intensities by maximum likelihood.

    intensities: Intensity of every stripe, or of every single run.
    failures: Runs that failed.
    runs: Runs of every stripe, or one number for all; default: single runs.
    bootstrap: Number of resampled studies.
    """
    x = np.ravel(np.asarray(intensities, dtype=float))
    k = np.ravel(np.asarray(failures)).astype(int)
    n = np.broadcast_to(np.asarray(runs, dtype=int), x.shape)
    return Curve(*_fitted(_native.fit_stripes(x.tolist(), n.tolist(), k.tolist(), bootstrap, seed)))


def ida(
    intensities: npt.ArrayLike,
    *,
    survivors: int = 0,
    largest: float | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Curve:
    """Fits a curve to the intensities at which records cause failure (incremental dynamic analysis).

    survivors: Records that cause no failure up to ``largest``.
    """
    x = np.ravel(np.asarray(intensities, dtype=float))
    if survivors and largest is None:
        raise ValueError("survivors need the largest intensity that they survived")
    end = float(largest) if largest is not None else float(x.max(initial=1.0))
    return Curve(*_fitted(_native.fit_ida(x.tolist(), survivors, end, bootstrap, seed)))


def cloud(intensities: npt.ArrayLike, demands: npt.ArrayLike, capacity: float) -> Curve:
    """Fits a curve to demands at intensities by regression of logarithms; damage is a demand above the capacity."""
    x = np.ravel(np.asarray(intensities, dtype=float))
    d = np.ravel(np.asarray(demands, dtype=float))
    _, (theta, beta, covariance) = _native.fit_cloud(x.tolist(), d.tolist(), float(capacity))
    return Curve(theta, beta, covariance)


def _fitted(found: tuple[tuple[float, float, Any], list[tuple[float, float]]]) -> tuple[float, float, Any, Any]:
    (theta, beta, covariance), resampled = found
    return theta, beta, covariance, resampled


def annual_rate(theta: float, beta: float, hazard: Hazard) -> float:
    """Mean annual rate of damage [1/year] of a lognormal curve with a hazard curve."""
    return Curve(theta, beta).annual_rate(hazard)


def intensity_measures(
    acceleration: npt.ArrayLike, step: float, *, periods: Sequence[float] = (), damping: float = 0.05
) -> dict[str, Any]:
    """Intensity measures of a ground motion.

    acceleration: Accelerations of the ground [m/s²] at equal time steps.
    step: Time step of the record [s].
    periods: Periods of oscillators [s]: adds Sa [m/s²], Sd [m] and AvgSa [m/s²].
    damping: Damping of the oscillators.

    The answer has ``pga`` [m/s²], ``pgv`` [m/s], ``pgd`` [m], ``arias`` [m/s], ``cav`` [m/s], ``d5_95`` [s] and
    ``housner`` [m].
    """
    samples = np.ravel(np.asarray(acceleration, dtype=float))
    text, sa = _native.intensities(float(step), samples.tolist(), [float(period) for period in periods], float(damping))
    found: dict[str, Any] = json.loads(text)
    if len(periods):
        spectrum = np.array(sa)
        found["sa"] = spectrum
        found["sd"] = spectrum * (np.asarray(periods, dtype=float) / (2.0 * math.pi)) ** 2
        found["avg_sa"] = float(np.exp(np.log(spectrum).mean()))
    return found


class DesignPoint(NamedTuple):
    """The most likely point of failure (first-order reliability method)."""

    #: Reliability index; negative if the medians fail.
    reliability: float
    #: Probability of failure Φ(−reliability).
    probability: float
    #: Values of the variables.
    values: Floats
    #: Share of every variable in the variance, with the sign of its effect on the margin.
    importance: Floats
    #: Evaluations of the margin.
    evaluations: int


def design_point(variables: Sequence[Distribution], margin: Callable[[list[float]], float]) -> DesignPoint:
    """The design point of a margin of independent variables; failure is a margin below zero."""
    specs = [json.dumps(variable.spec) for variable in variables]
    index, values, importance, evaluations = _native.design_point(specs, margin)
    return DesignPoint(index, 0.5 * math.erfc(index / math.sqrt(2.0)), np.array(values), np.array(importance), evaluations)
