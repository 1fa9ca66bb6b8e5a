"""Questions: answers with closed forms, and the same answers as those of the command."""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest

import voussoir as vs

from .scenes import block, command, footfall


def answered(*arguments: str) -> dict[str, object]:
    """The JSON of the command, without its computing time."""
    answer = json.loads(command(*arguments, "--json").stdout)
    answer.pop("time_s")
    return dict(answer)


def without_time(answer: vs.Answer) -> dict[str, object]:
    data = json.loads(json.dumps(answer.data))
    data.pop("time_s")
    return dict(data)


def test_stand_answers_as_the_command(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "arch.toml"
    scene = footfall()
    scene.save(path)
    answer = scene.stand(threads=1)
    assert answer.stands is True and answer.margin is not None and answer.margin > 0
    assert without_time(answer) == answered("stand", str(path))
    assert without_time(scene.stand(threads=2)) == without_time(answer)
    assert answer.certificate.kind == "forces" and answer.certificate.proved
    assert answer.thrust is not None
    low, high = answer.thrust.interval
    assert low is not None and high is not None and low <= answer.thrust.found <= high
    line = answer.thrust_line("arch")
    assert line.points.shape == (28, 3) and np.all(line.eccentricity <= 1.0 + 1e-9)
    assert "<svg" in answer._repr_html_() and "verdict" in str(answer)
    assert answer._repr_png_() is not None


def test_forces_of_an_answer_balance_the_weight() -> None:
    answer = footfall().stand()
    contacts = answer.contacts()
    supports = [index for index, name in enumerate(contacts["names"]) if "springer" in name]
    bodies, forces = contacts["bodies"], contacts["forces"]
    # forces act on the candidate, which is the first body of a contact
    on_candidate = np.isin(bodies[:, 1], supports)
    on_antagonist = np.isin(bodies[:, 0], supports)
    up = forces[on_candidate, 2].sum() - forces[on_antagonist, 2].sum()
    assert up == pytest.approx(answer.weight + 1000.0, rel=1e-8)


def test_a_low_block_slides_at_its_coefficient_of_friction() -> None:
    for friction in (0.3, 0.62):
        limit = block(friction).limit(acceleration="x")
        assert limit.multiplier == pytest.approx(friction, abs=1e-6)
        assert limit.certificate.proved and limit.upper is not None
        assert block(friction).limit(tilt=(1.0, 0.0, 0.0)).multiplier == pytest.approx(friction, abs=1e-6)
        largest = block(friction).find("acceleration", "largest", between=(0.0, 2.0), precision=1e-6)
        assert largest.value == pytest.approx(friction, abs=1e-5)


def test_a_slender_block_rocks_at_its_slenderness() -> None:
    scene = block(2.0, (0.5, 0.5, 2.0))
    assert scene.limit(acceleration="x").multiplier == pytest.approx(0.25, abs=1e-6)


def test_limit_and_find_answer_as_the_command(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "arch.toml"
    scene = footfall()
    scene.save(path)
    limit = scene.limit("footfall")
    assert without_time(limit) == answered("limit", str(path), "--load", "footfall")
    assert limit.mechanism is not None and limit.multiplier is not None and limit.multiplier > 1
    found = scene.find("arch.thickness", "smallest", between=(0.3, 0.6))
    search = ["--vary", "arch.thickness", "--find", "smallest", "--between", "0.3", "0.6"]
    assert without_time(found) == answered("stand", str(path), *search)
    assert found.value is not None and found.interval is not None
    assert found.interval[0] <= found.value <= found.interval[1]
    # the scene of the answer has the value found, and everything else of the text
    assert vs.Scene.from_text(found.scene_text)["arch.thickness"] == found.value
    assert scene["arch.thickness"] == 0.6


def test_what_cannot_be_asked_is_said() -> None:
    scene = footfall()
    with pytest.raises(vs.SceneError, match="no load"):
        scene.limit()
    with pytest.raises(vs.SceneError):
        scene.limit("hammer")
    with pytest.raises(vs.SceneError):
        scene.find("arch.thickness", "smallest", between=(0.6, 0.3))
    with pytest.raises(vs.SceneError):
        scene.find("vault.thickness", "smallest", between=(0.3, 0.6))
    with pytest.raises(ValueError):
        scene.stand(direction="up")
    with pytest.raises(ValueError):
        scene.stand(threads=0)


def test_pushover_of_a_slender_block_falls_to_zero_where_it_tips() -> None:
    scene = block(2.0, (0.5, 0.5, 2.0))
    curve = scene.pushover(acceleration="x")
    assert curve.peak == pytest.approx(0.25, abs=2e-3)
    assert curve.end == "collapse" and len(curve.load) == len(curve.displacement) > 10
    assert curve.certificate.kind == "bounds" and curve.certificate.proved
    assert "<svg" in curve.svg()
    for picture in (curve._repr_png_(), scene.check()._repr_png_(), scene.limit(acceleration="x")._repr_png_()):
        assert picture is not None and picture[:8] == b"\x89PNG\r\n\x1a\n" and len(picture) > 2000


def test_contact_problems_from_arrays() -> None:
    # a point mass of 2 kg that falls and slides: W = 1/m, q = (−1, 0.2, 0) m/s, μ = 0.3
    solution = vs.solve(np.eye(3) / 2.0, [-1.0, 0.2, 0.0], [0.3])
    assert solution.converged and solution.certificate.proved
    # it sticks: the impulse brings it to rest
    assert solution.impulses == pytest.approx(np.array([[2.0, -0.4, 0.0]]), abs=1e-6)
    sliding = vs.solve(np.eye(3) / 2.0, [-1.0, 1.0, 0.0], [0.3])
    assert sliding.impulses == pytest.approx(np.array([[2.0, -0.6, 0.0]]), abs=1e-6)
    with pytest.raises(ValueError):
        vs.solve(np.eye(3), [1.0, 2.0], [0.3])
    with pytest.raises(vs.ResultsError):
        vs.solve("no such file.hdf5")


def test_validation_cases() -> None:
    table = vs.validate("E5")
    assert table.passed >= 1 and table.failed == 0
    with pytest.raises(vs.SceneError):
        vs.validate("no such case")


def test_templates() -> None:
    assert "arch" in vs.templates()
    scene = vs.Scene.template("arch", voussoirs=13)
    assert scene.stand(lines=False).stands is not None
    with pytest.raises(vs.SceneError):
        vs.Scene.template("cathedral")
