"""Studies: closed forms end to end, one table for threads, parts and the command, kills, refusals."""

from __future__ import annotations

import itertools
import json
import math
import os
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest

import voussoir as vs

from .scenes import block, command, footfall, low_block

#: Kills of the command; a hundred in the nightly tests.
KILLS = int(os.environ.get("VOUSSOIR_KILLS", "6"))


def frictions(samples: int = 40, **keys: object) -> vs.Study:
    """The acceleration at which a low block slides is its friction."""
    vary: dict[str, object] = {"friction": vs.lognormal(0.6, 0.2)}
    options: dict[str, object] = {"ask": "limit", "limit": {"acceleration": "x"}, "samples": samples, **keys}
    return vs.Study(low_block(), vary=vary, **options)  # type: ignore[arg-type]


def cosine(path: pathlib.Path, amplitude: float = 1.0, frequency: float = 2.0, seconds: float = 1.0) -> None:
    """A record in m/s² whose first value is its largest."""
    rows = [f"{0.01 * i},{amplitude * math.cos(2.0 * math.pi * frequency * 0.01 * i)}" for i in range(int(100 * seconds) + 1)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def test_every_sample_slides_at_its_friction(tmp_path: pathlib.Path) -> None:
    count = int(os.environ.get("VOUSSOIR_SAMPLES", "200"))
    table = frictions(count).run()
    assert len(table) == table.done == count
    np.testing.assert_allclose(table["multiplier"], table["friction"], rtol=0, atol=1e-6)
    curve = table.fragility("multiplier", method="capacity")
    assert curve.theta == pytest.approx(0.6, rel=0.005)
    assert curve.beta == pytest.approx(0.2, rel=0.02)
    (found,) = [row for row in table.correlations() if row["column"] == "multiplier"]
    assert found["input"] == "friction" and found["coefficient"] > 0.9999
    assert "θ" in repr(curve) and "<svg" in curve.plot().svg and "Rank correlations" in table.page()
    curve.plot().save(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_by_motion_and_stripes_the_curve_lies_in_its_own_band(tmp_path: pathlib.Path) -> None:
    cosine(tmp_path / "c.csv")
    scene = low_block().dynamic(duration=0.3, step=1e-3)
    study = vs.Study(
        scene,
        vary={"friction": vs.lognormal(0.6, 0.2)},
        samples=12,
        seed=5,
        ask="run",
        motions={"records": ["c.csv"], "unit": "m/s2", "im": "pga", "levels": [4.2, 4.8, 5.4, 5.9, 6.5, 7.2, 8.0]},
        damage={"slid": ("peak_drift_m", ">", 5e-6)},
        base=tmp_path,
    )
    assert len(study) == 84
    table = study.run()
    curve = table.fragility("pga", "slid")
    assert len(curve.stripes) == 7 and curve.left_out == 0
    truth = vs.Curve(0.6 * 9.81, 0.2)
    x = np.array([5.0, 5.886, 7.0])
    low, high = curve.band(x)
    assert np.all((low <= truth.probability(x)) & (truth.probability(x) <= high))
    resampled = table.fragility("pga", "slid", bootstrap=200)
    assert resampled.theta == curve.theta and len(resampled.resampled) > 150
    lower, upper = resampled.bootstrap_band(x)
    assert np.all((lower <= truth.probability(x)) & (truth.probability(x) <= upper))
    for stripe in curve.stripes:
        ends = stripe["interval"]
        assert 0.0 <= ends[0] <= stripe["failures"] / stripe["runs"] <= ends[1] <= 1.0
    share = table.probability("slid")
    assert share.samples == 84 and share.interval[0] < share.probability < share.interval[1]
    with_rate = table.fragility("pga", "slid", hazard={"k0": 1e-4, "k": 2.5})
    assert with_rate.rate == pytest.approx(with_rate.annual_rate({"k0": 1e-4, "k": 2.5}), rel=1e-12)


def test_incremental_dynamic_analysis_finds_the_acceleration_of_sliding(tmp_path: pathlib.Path) -> None:
    cosine(tmp_path / "c.csv")
    scene = low_block().dynamic(duration=0.3, step=1e-3)
    keys = {
        "ask": "ida",
        "motions": {"records": ["c.csv"], "unit": "m/s2", "im": "pga"},
        "damage": {"slid": ("peak_drift_m", ">", 5e-6)},
        "base": tmp_path,
    }
    vary = {"friction": [0.3, 0.5, 0.8]}
    whole = vs.Study(scene, vary=vary, ida={"damage": "slid", "between": [1.0, 12.0], "precision": 1e-3}, **keys).run()  # type: ignore[arg-type]
    assert whole.done == 3 and not whole["survived"].any()
    # an acceleration μ g (1 + ε) moves the block by 1.5 μ g ε²/ω² at first, which is the limit of the drift
    slides = 9.81 * whole["friction"]
    excess = 4.0 * math.pi * np.sqrt(5e-6 / (1.5 * slides))
    np.testing.assert_allclose(whole["intensity"], slides * (1.0 + excess), rtol=0.005)
    assert np.all(whole["upper"] - whole["lower"] <= 12e-3)
    # truncated at 6 m/s²: the block with μ = 0.8 survives
    part = vs.Study(scene, vary=vary, ida={"damage": "slid", "between": [1.0, 6.0], "precision": 1e-3}, **keys).run()  # type: ignore[arg-type]
    assert part["survived"].tolist() == [0.0, 0.0, 1.0] and math.isnan(part["intensity"][2])
    curve = part.fragility("intensity", method="capacity")
    assert len(part.fragility("intensity", method="capacity", bootstrap=50, seed=1).resampled) > 10
    direct = vs.fragility.ida(part["intensity"][:2], survivors=1, largest=6.0)
    assert (curve.theta, curve.beta) == pytest.approx((direct.theta, direct.beta), rel=1e-12)


def test_a_cloud_of_demands_has_the_curve_of_its_regression(tmp_path: pathlib.Path) -> None:
    cosine(tmp_path / "c.csv")
    scene = low_block(0.2).dynamic(duration=0.3, step=1e-3)
    levels = [3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
    table = vs.Study(
        scene,
        ask="run",
        motions={"records": ["c.csv"], "unit": "m/s2", "levels": levels, "period": 0.3, "periods": [0.3, 0.6]},
        damage={"far": ("peak_drift_m", ">", 0.02)},
        base=tmp_path,
    ).run()
    curve = table.fragility("pga", "far", method="cloud")
    slope, intercept = np.polyfit(np.log(table["pga"]), np.log(table["peak_drift_m"]), 1)
    assert curve.theta == pytest.approx(math.exp((math.log(0.02) - intercept) / slope), rel=1e-9)
    assert np.all(table["avg_sa"] > 0.0) and np.ptp(table["avg_sa"] / table["pga"]) < 1e-9
    assert np.all(table["sa"] >= table["pga"])
    direct = vs.fragility.cloud(table["pga"], table["peak_drift_m"], 0.02)
    assert (curve.theta, curve.beta) == pytest.approx((direct.theta, direct.beta), rel=1e-12)


def test_threads_parts_and_the_command_give_one_table(tmp_path: pathlib.Path) -> None:
    study = frictions(24, design="sobol")
    expected = study.run(threads=1).csv()
    assert study.run(tmp_path / "three", threads=3).csv() == expected
    for number in range(1, 5):
        study.run(tmp_path / "parts", threads=1, part=(number, 4))
    assert study.collect(tmp_path / "parts").csv() == expected
    path = study.save(tmp_path / "saved")
    command("sweep", str(path), "-o", str(tmp_path / "command"))
    assert (tmp_path / "command/samples.csv").read_text(encoding="utf-8") == expected
    assert (tmp_path / "three/samples.csv").read_text(encoding="utf-8") == expected
    again = vs.Study.load(path)
    assert again.fingerprint == study.fingerprint and again.run().csv() == expected
    assert pickle.loads(pickle.dumps(study)).run().csv() == expected
    # the folder of Python goes on with the command, and knows its rows
    command("sweep", str(path), "-o", str(tmp_path / "three"))
    assert (tmp_path / "three/samples.csv").read_text(encoding="utf-8") == expected


def test_a_study_that_is_stopped_goes_on(tmp_path: pathlib.Path) -> None:
    study = frictions(20)
    expected = study.run().csv()
    first = study.run(tmp_path, threads=1, callback=lambda done, total: done >= 5)
    assert 5 <= len(first) < 20
    assert study.run(tmp_path).csv() == expected

    def fail(done: int, total: int) -> bool:
        raise ZeroDivisionError("in a callback")

    with pytest.raises(ZeroDivisionError):
        frictions(10).run(callback=fail)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_at_random_the_command_ends_with_the_same_table(tmp_path: pathlib.Path) -> None:
    study = frictions(max(400, 40 * KILLS))
    expected = study.run().csv()
    path = study.save(tmp_path / "saved")
    program = os.environ.get("VOUSSOIR_COMMAND")
    start = [program] if program else [sys.executable, "-m", "voussoir"]
    numbers, killed, whole = random.Random(24), 0, 0
    while killed < KILLS:
        out = tmp_path / f"out-{whole}"
        process = subprocess.Popen(
            [*start, "sweep", str(path), "-o", str(out), "--threads", "2"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # an interpreter takes some tenths of a second before the command begins
        time.sleep(numbers.uniform(0.02, 0.25) + (0.0 if program else 0.4))
        if process.poll() is None:
            process.kill()
            killed += 1
        # the study may be complete, which is the end of this folder
        whole += process.wait() == 0
    command("sweep", str(path), "-o", str(tmp_path / f"out-{whole}"))
    begun: list[str] = []
    for number in range(whole + 1):
        out = tmp_path / f"out-{number}"
        assert (out / "samples.csv").read_text(encoding="utf-8") == expected
        begun += [f"{number}-{json.loads(line)['begin']}" for line in _lines(out) if '"begin"' in line]
    # at most the samples in hand of every kill were done twice
    assert len(begun) - len(set(begun)) <= 2 * KILLS


def _lines(folder: pathlib.Path) -> list[str]:
    """Whole lines of the journals of a folder."""
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.jsonl"))
    lines = []
    for line in text.splitlines():
        try:
            json.loads(line)
        except ValueError:
            continue
        lines.append(line)
    return lines


def test_results_folders_of_chosen_samples_are_kept(tmp_path: pathlib.Path) -> None:
    scene = low_block().dynamic(duration=0.02, step=1e-3)
    keys = {"vary": {"friction": [0.3, 0.5, 0.7]}, "ask": "run"}
    study = vs.Study(scene, **keys, folders=[1])  # type: ignore[arg-type]
    table = study.run(tmp_path)
    run = study.result(tmp_path, 1)
    assert run.finished and run.summary["steps"] == 20
    assert table["max_residual"][1] == run.summary["max_residual"]
    # the table is that of the study without folders; another folder is made when it is asked for
    assert vs.Study(scene, **keys).run().csv() == table.csv()  # type: ignore[arg-type]
    more = vs.Study(scene, **keys, folders=[1, 2])  # type: ignore[arg-type]
    assert more.run(tmp_path).csv() == table.csv() and more.result(tmp_path, 2).finished
    with pytest.raises(vs.SceneError, match="not kept"):
        study.result(tmp_path, 0)
    for wrong in ({"folders": [3]}, {"folders": [0], "ask": "stand"}):
        with pytest.raises(vs.SceneError, match="folders"):
            vs.Study(scene, **{**keys, **wrong})  # type: ignore[arg-type]


def test_mistakes_are_refused_before_the_first_sample(tmp_path: pathlib.Path) -> None:
    for keys, word in (
        ({"vary": {"frictoin": [0.1]}}, "frictoin"),
        ({"ask": "limit", "limit": "wind"}, "wind"),
        ({"ask": "run", "motions": {"records": ["missing.at2"]}}, "missing.at2"),
        ({"vary": {"friction": [0.5]}, "ask": "sit"}, "sit"),
        ({"damage": {"fell": ("end_drop_m", "=", 1.0)}}, "fell"),
        ({"vary": {"friction": {"library": "cheese", "value": "compressive_strength"}}}, "cheese"),
        ({"table": (["friction"], [[0.1], [math.nan]])}, "row 2"),
        ({"vary": {"friction": vs.normal(0.5, 0.1)}, "samples": -3}, "samples = -3"),
    ):
        with pytest.raises((vs.SceneError, vs.ResultsError), match=word):
            vs.Study(low_block(), base=tmp_path, **keys)
    made: list[tuple[Callable[[], object], str]] = [
        (lambda: vs.normal(0.6, -0.2), "positive"),
        (lambda: vs.lognormal(-0.6, 0.2), "median"),
        (lambda: vs.normal(1.0, math.nan), "deviation = nan"),
        (lambda: vs.uniform(1.0, 0.0), "smaller"),
        (lambda: vs.truncated(vs.normal(0.0, 1.0), 50.0, 60.0), "no probability"),
    ]
    for make, word in made:
        with pytest.raises(vs.SceneError, match=word):
            make()
    frictions(4).run(tmp_path / "out")
    other = vs.Study(block(), vary={"friction": [0.5]})
    with pytest.raises(vs.SceneError, match="another scene"):
        other.run(tmp_path / "out")


def test_columns_that_no_answer_has_are_told() -> None:
    with pytest.warns(UserWarning, match="margn"):
        table = vs.Study(low_block(), vary={"friction": [0.5]}, keep=["margn", "margin"]).run()
    assert math.isnan(table["margn"][0]) and table["margin"][0] > 0.0


def test_the_scatter_of_the_library_is_a_distribution() -> None:
    scene = low_block()
    scene["materials.stone.density"] = 2000.0
    study = vs.Study(scene, vary={"stone.density": vs.truncated(vs.normal(2000.0, 300.0), low=1500.0)}, samples=50)
    assert study.samples["stone.density"].min() >= 1500.0
    wall = vs.Scene("Pier")
    stone = wall.material("stone", density=2000.0, compressive_strength=8e6)
    wall.joint(stone, stone, friction=0.6)
    wall.half_space("ground", material=stone)
    wall.box("block", size=(1.0, 1.0, 1.0), position=(0.0, 0.0, 0.5), material=stone)
    study = vs.Study(wall, vary={"stone.compressive_strength": vs.library("tuffeau-dry")}, samples=400, design="sobol")
    strengths = study.samples["stone.compressive_strength"]
    assert strengths.min() > 0.0 and 5e6 < np.median(strengths) < 20e6 and strengths.std() > 1e5


def test_counts_and_seeds_vary() -> None:
    scene = footfall()
    table = vs.Study(scene, vary={"arch.voussoirs": [25, 27]}, keep=["blocks", "stands"]).run()
    assert table["blocks"].tolist() == [25.0, 27.0] and table["stands"].tolist() == [1.0, 1.0]
    pile = vs.Scene("Pile")
    stone = pile.material("stone", density=2000.0)
    pile.joint(stone, stone, friction=0.5)
    pile.pile("pile", count=5, size=0.4, material=stone)
    study = vs.Study(pile.dynamic(duration=0.01, step=1e-3), vary={"pile.seed": "sample"}, samples=3, ask="run")
    seeds = [study.scene(index)["pile.seed"] for index in range(3)]
    assert len(set(seeds)) == 3 and all(isinstance(seed, int) for seed in seeds)
    assert study.run().done == 3


def test_samples_that_are_given_come_back_in_their_order() -> None:
    rows = np.array([[0.4, 0.3], [0.5, 0.6], [0.45, 0.5]])
    study = vs.Study(low_block(), table=(["friction", "block.size[2]"], rows))
    np.testing.assert_array_equal(study.samples["friction"], rows[:, 0])
    assert study.scene(1)["block.size[2]"] == 0.6
    table = study.run()
    np.testing.assert_array_equal(table["block.size[2]"], rows[:, 1])
    assert vs.Study(low_block(), table={"friction": [0.4, 0.5]}).keys == ["friction"]


def test_ishigami_through_salib() -> None:
    """First and total indices of a function with a closed form, by samples of a study."""
    pytest.importorskip("SALib")
    from SALib.analyze import sobol as analyze
    from SALib.sample import sobol as sample

    scene = low_block()
    keys = [f"block.position[{axis}]" for axis in range(3)]
    problem = vs.Study(scene, vary={key: vs.uniform(-math.pi, math.pi) for key in keys}, samples=2).salib()
    assert problem["names"] == keys and problem["dists"] == ["unif"] * 3
    rows = sample.sample(problem, 2**16, calc_second_order=False, seed=1)
    x = np.stack([vs.Study(scene, table=(keys, rows)).samples[key] for key in keys])
    np.testing.assert_array_equal(x.T, rows)
    a, b = 7.0, 0.1
    y = np.sin(x[0]) + a * np.sin(x[1]) ** 2 + b * x[2] ** 4 * np.sin(x[0])
    found = analyze.analyze(problem, y, calc_second_order=False, num_resamples=2, seed=1)
    parts = [(1.0 + b * math.pi**4 / 5.0) ** 2 / 2.0, a**2 / 8.0, 8.0 * b**2 * math.pi**8 / 225.0]
    whole = sum(parts)
    np.testing.assert_allclose(found["S1"], [parts[0] / whole, parts[1] / whole, 0.0], atol=2e-3)
    np.testing.assert_allclose(
        found["ST"], [(parts[0] + parts[2]) / whole, parts[1] / whole, parts[2] / whole], atol=2e-3
    )


def test_sobol_points_are_those_of_scipy() -> None:
    qmc = pytest.importorskip("scipy.stats.qmc")
    keys = ["block.position[0]", "block.position[1]", "friction"]
    study = vs.Study(low_block(), vary={key: vs.uniform(0.0, 1.0) for key in keys}, samples=64, design="sobol")
    points = np.stack([study.samples[key] for key in study.keys], axis=1)
    np.testing.assert_array_equal(points, qmc.Sobol(3, scramble=False).random(64))


def test_tables_for_other_programs(tmp_path: pathlib.Path) -> None:
    pandas = pytest.importorskip("pandas")
    table = vs.Study(low_block(), vary={"block.size[0]": [1.0, -1.0, 2.0]}).run()
    assert table["status"].tolist() == ["done", "failed", "done"] and "size" in table["reason"][1]
    assert math.isnan(table["margin"][1]) and table.probability().samples == 2
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame["status"]) == ["done", "failed", "done"]
    parquet = pytest.importorskip("pyarrow.parquet")
    table.to_parquet(tmp_path / "samples.parquet")
    back = parquet.read_table(tmp_path / "samples.parquet")
    assert back.column("margin").null_count == 1 and back.column("seed").to_pylist() == table["seed"].tolist()
    assert back.column("margin").to_pylist()[0] == table["margin"][0]
    kept = pandas.read_csv(_csv(tmp_path, table))
    np.testing.assert_array_equal(kept["margin"], table["margin"])


def _csv(folder: pathlib.Path, table: vs.SampleTable) -> pathlib.Path:
    path = folder / "samples.csv"
    path.write_text(table.csv(), encoding="utf-8")
    return path


def test_a_tornado_has_its_longest_bar_first() -> None:
    study = vs.Study(
        low_block(),
        vary={"friction": vs.lognormal(0.6, 0.2), "stone.density": vs.uniform(1900.0, 2100.0)},
        samples=4,
        ask="limit",
        limit={"acceleration": "x"},
    )
    found = study.tornado("multiplier")
    assert [bar[0] for bar in found.bars] == ["friction", "stone.density"]
    z = 1.2815515655446004
    assert found.bars[0][2] == pytest.approx((0.6 * math.exp(-0.2 * z), 0.6 * math.exp(0.2 * z)), abs=1e-6)
    assert found.middle == pytest.approx(0.6, abs=1e-6) and "<svg" in found.plot().svg
    assert found.plot()._repr_png_()[:4] == b"\x89PNG"


def test_a_grid_combines_quantiles_of_all_distributions() -> None:
    vary = {"friction": vs.uniform(0.4, 0.8), "block.size[2]": vs.uniform(0.2, 0.6)}
    study = vs.Study(low_block(), vary=vary, samples=4, design="grid")
    middles = np.array([0.125, 0.375, 0.625, 0.875])
    points = {(round(a, 12), round(b, 12)) for a, b in zip(study.samples["friction"], study.samples["block.size[2]"], strict=True)}
    assert points == {(round(0.4 + 0.4 * a, 12), round(0.2 + 0.4 * b, 12)) for a in middles for b in middles}
    with pytest.raises(vs.SceneError, match="correlations"):
        vs.Study(low_block(), vary=vary, samples=4, design="grid", correlations={("friction", "block.size[2]"): 0.5})


def test_every_stratum_of_a_latin_hypercube_has_one_sample() -> None:
    study = vs.Study(
        low_block(),
        vary={"friction": vs.uniform(0.0, 1.0), "stone.density": vs.uniform(0.0, 1.0)},
        samples=50,
        correlations={("friction", "stone.density"): 0.7},
    )
    for key in study.keys:
        assert sorted(np.floor(50 * study.samples[key]).astype(int)) == list(range(50))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_computes_a_study() -> None:
    study = frictions(4)
    expected = study.run(threads=2).csv()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if study.run(threads=2).csv() == expected else 2
        finally:
            os._exit(status)
    for _ in itertools.repeat(None, 600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the forked process hangs")
    assert os.waitstatus_to_exitcode(status) == 0


def test_the_readme_study_runs() -> None:
    scene = footfall()
    table = vs.Study(scene, vary={"friction": vs.lognormal(0.6, 0.2)}, samples=4, design="lhs", ask="stand").run()
    assert len(table) == 4 and table["stands"].tolist() == [1.0] * 4
