"""Curves, rates and measures against published numbers, closed forms and statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest

import voussoir as vs

X = [0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0]
K = [0, 0, 0, 4, 6, 13, 12, 16]


def test_stripes_by_maximum_likelihood() -> None:
    curve = vs.fragility.stripes(X, K, 40)
    assert (curve.theta, curve.beta) == pytest.approx((1.076116, 0.429237), abs=1e-6)
    assert curve.standard_errors == pytest.approx((0.07097, 0.08210), abs=1e-5)
    assert vs.fragility.stripes([1.0, 1.5, 2.0], [2, 25, 43], 54).theta == pytest.approx(1.572477, abs=1e-6)
    assert vs.fragility.stripes([1.0, 1.5, 2.0], [2, 25, 43], 54).beta == pytest.approx(0.270033, abs=1e-6)
    two = vs.fragility.stripes([0.2, 0.4], [16, 84], 100)
    assert (two.theta, two.beta) == pytest.approx((math.sqrt(0.08), 0.348505), abs=1e-6)


STRIPES = [
    (X, K, 40),
    ([1.0, 1.5, 2.0], [2, 25, 43], 54),
    ([0.2, 0.4], [16, 84], 100),
]


@pytest.mark.filterwarnings("ignore")  # two stripes are met exactly, which statsmodels warns of
@pytest.mark.parametrize(("levels", "failures", "runs"), STRIPES)
def test_stripes_against_statsmodels(levels: list[float], failures: list[int], runs: int) -> None:
    api = pytest.importorskip("statsmodels.api")
    counts = np.stack([failures, runs - np.array(failures)], axis=1)
    family = api.families.Binomial(link=api.families.links.Probit())
    fit = api.GLM(counts, api.add_constant(np.log(levels)), family=family).fit(tol=1e-13, maxiter=200)
    a, b = fit.params
    curve = vs.fragility.stripes(levels, failures, runs)
    assert (curve.theta, curve.beta) == pytest.approx((math.exp(-a / b), 1.0 / b), abs=1e-6)
    # standard errors of ln θ = −a/b and β = 1/b by the delta method
    slopes = np.array([[-1.0 / b, a / b**2], [0.0, -1.0 / b**2]])
    errors = np.sqrt(np.diag(slopes @ fit.cov_params() @ slopes.T))
    assert curve.standard_errors == pytest.approx(tuple(errors), abs=1e-6)


def test_intensities_of_failure_against_statsmodels() -> None:
    described = pytest.importorskip("statsmodels.stats.weightstats").DescrStatsW
    values = [0.5, 0.7, 0.8, 1.0, 1.3, 1.7]
    logs, curve = described(np.log(values)), vs.fragility.ida(values)
    assert (curve.theta, curve.beta) == pytest.approx((math.exp(logs.mean), logs.std_ddof(1)), abs=1e-6)


@pytest.mark.parametrize(
    ("values", "survivors", "largest"),
    [([0.31, 0.38, 0.44, 0.52, 0.60, 0.71, 0.85], 3, 1.0), ([0.5, 0.9, 1.4, 2.0], 9, 2.5)],
)
def test_truncated_analyses_against_statsmodels(values: list[float], survivors: int, largest: float) -> None:
    """The censored normal likelihood of the logarithms, maximised by statsmodels."""
    base = pytest.importorskip("statsmodels.base.model")
    norm = pytest.importorskip("scipy.stats").norm
    logs = np.log(values)

    class Censored(base.GenericLikelihoodModel):  # type: ignore[misc, name-defined]
        def loglike(self, params: np.ndarray) -> float:
            centre, deviation = params[0], math.exp(params[1])
            failed = norm.logpdf(logs, centre, deviation).sum()
            return float(failed + survivors * norm.logsf(math.log(largest), centre, deviation))

    fit = Censored(logs, np.ones((len(logs), 1)), extra_params_names=["log of β"]).fit(
        start_params=[logs.mean(), math.log(logs.std())], method="nm", maxiter=4000, xtol=1e-10, ftol=1e-14, disp=False
    )
    curve = vs.fragility.ida(values, survivors=survivors, largest=largest)
    assert (curve.theta, curve.beta) == pytest.approx((math.exp(fit.params[0]), math.exp(fit.params[1])), abs=1e-6)


def test_intensities_of_failure() -> None:
    curve = vs.fragility.ida([0.5, 0.7, 0.8, 1.0, 1.3, 1.7])
    assert (curve.theta, curve.beta) == pytest.approx((0.923120, 0.440334), abs=1e-6)
    curve = vs.fragility.ida([0.31, 0.38, 0.44, 0.52, 0.60, 0.71, 0.85], survivors=3, largest=1.0)
    assert (curve.theta, curve.beta) == pytest.approx((0.695190, 0.551753), abs=1e-6)
    with pytest.raises(ValueError):
        vs.fragility.ida([0.3, 0.4], survivors=3)


def test_no_failures_or_only_failures_have_no_curve() -> None:
    for failures in ([0, 0, 0], [10, 10, 10]):
        with pytest.raises(vs.NoCurve, match="fail"):
            vs.fragility.stripes([1.0, 2.0, 3.0], failures, 10)
    with pytest.raises(vs.NoCurve):
        vs.fragility.ida([1.0])


def test_bands_of_the_bootstrap_lie_about_the_curve() -> None:
    curve = vs.fragility.stripes(X, K, 40, bootstrap=200, seed=3)
    x = np.array([0.6, 0.9, 1.2])
    low, high = curve.bootstrap_band(x)
    delta = curve.band(x)
    assert np.all(low < curve.probability(x)) and np.all(curve.probability(x) < high)
    np.testing.assert_allclose(low, delta[0], atol=0.08)
    np.testing.assert_allclose(high, delta[1], atol=0.08)
    assert curve.quantile(0.5) == pytest.approx(curve.theta) and curve.probability(0.0) == 0.0
    with pytest.raises(ValueError):
        vs.fragility.stripes(X, K, 40).bootstrap_band(x)


@pytest.mark.parametrize("seed", [21, 22])
def test_bands_cover_the_truth_in_nine_of_ten_studies(seed: int) -> None:
    numbers, truth = np.random.default_rng(seed), vs.Curve(0.6, 0.4)
    levels, places = [0.2, 0.35, 0.5, 0.65, 0.8, 1.1], np.array([0.4, 0.6, 0.9])
    shares, expected = truth.probability(levels), truth.probability(places)
    covered = np.zeros((2, 3))
    for study in range(1000):
        drawn = [int(count) for count in numbers.binomial(40, shares)]
        curve = vs.fragility.stripes(levels, drawn, 40, bootstrap=100, seed=study)
        for row, (low, high) in zip(covered, (curve.band(places), curve.bootstrap_band(places)), strict=True):
            row += (low <= expected) & (expected <= high)
    assert np.all((covered >= 870) & (covered <= 930)), covered


def test_annual_rates() -> None:
    assert vs.annual_rate(0.6, 0.4, {"k0": 1e-4, "k": 2.5}) == pytest.approx(5.912472e-4, abs=1e-9)
    points = [(x, 1e-4 * x**-2.5) for x in (0.05, 0.3, 2.0, 5.0)]
    assert vs.annual_rate(0.6, 0.4, points) == pytest.approx(5.912472e-4, abs=1e-9)


def test_a_cosine_has_its_closed_forms() -> None:
    times = np.arange(0, 10.0 + 5e-5, 1e-4)
    found = vs.intensity_measures(0.3 * 9.81 * np.cos(4.0 * math.pi * times), 1e-4)
    assert found["pgv"] == pytest.approx(0.234196, abs=1e-5)
    assert found["arias"] == pytest.approx(6.934280, rel=1e-5)
    assert found["cav"] == pytest.approx(18.735720, rel=1e-5)
    assert found["pga"] == pytest.approx(0.3 * 9.81)
    with_sa = vs.intensity_measures(0.3 * 9.81 * np.sin(4.0 * math.pi * times), 1e-4, periods=[0.3, 0.6])
    assert with_sa["sd"][0] == pytest.approx(0.0146400, abs=1e-6)
    assert with_sa["avg_sa"] == pytest.approx(math.sqrt(with_sa["sa"][0] * with_sa["sa"][1]))


def test_resistance_and_load_have_their_design_point() -> None:
    """R − S of two normal variables: index (m_R − m_S)/√(σ_R² + σ_S²)."""
    point = vs.design_point([vs.normal(5.0, 0.8), vs.normal(3.0, 1.2)], lambda values: values[0] - values[1])
    index = 2.0 / math.hypot(0.8, 1.2)
    assert point.reliability == pytest.approx(index, abs=1e-6)
    assert index == pytest.approx(1.386750, abs=1e-6)
    assert point.probability == pytest.approx(0.5 * math.erfc(index / math.sqrt(2.0)), rel=1e-6)
    with pytest.raises(ZeroDivisionError):
        vs.design_point([vs.normal(5.0, 0.8)], lambda values: 1 / 0)


def test_probabilities_have_wilson_intervals() -> None:
    share = vs.fragility.probability(0, 10, 0.95)
    assert share.interval[0] == 0.0 and share.interval[1] == pytest.approx(0.2775328, abs=1e-6)
    assert share.reliability == math.inf and share.reliability_interval[1] == math.inf


def test_distributions_have_their_quantiles() -> None:
    shares = np.array([0.1, 0.5, 0.9])
    np.testing.assert_allclose(vs.uniform(2.0, 4.0).quantile(shares), 2.0 + 2.0 * shares)
    assert vs.lognormal(0.6, 0.2).quantile(0.5) == pytest.approx(0.6)
    assert vs.triangular(0.0, 1.0, 3.0).quantile(1.0 / 3.0) == pytest.approx(1.0)
    half = vs.truncated(vs.normal(0.0, 1.0), low=0.0)
    assert half.quantile(0.5) == pytest.approx(0.6744897501960817)
