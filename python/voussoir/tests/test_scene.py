"""Scenes in code: text, values by key, copies, selections, errors."""

from __future__ import annotations

import copy
import pathlib
import pickle

import numpy as np
import pytest

import voussoir as vs

from .scenes import FOOTFALL, block, footfall


def test_a_scene_in_code_is_the_scene_of_its_text() -> None:
    built, read = footfall(), vs.Scene.from_text(FOOTFALL)
    assert built == read
    assert vs.Scene.from_text(built.text) == built
    assert built.stand().data["margin"] == read.stand().data["margin"]


def test_values_by_key_keep_comments_and_order() -> None:
    scene = vs.Scene.from_text(FOOTFALL)
    scene["arch.thickness"] = 0.5
    scene["friction"] = 0.7
    scene["footfall.force"] = [0.0, 0.0, -500.0]
    expected = FOOTFALL.replace("thickness = 0.6", "thickness = 0.5").replace("friction = 0.6", "friction = 0.7")
    assert scene.text == expected.replace("[0.0, 0.0, -1000.0]", "[0.0, 0.0, -500.0]")
    assert scene["arch.thickness"] == 0.5
    assert scene["arch.voussoirs"] == 27
    assert scene["limestone.density"] == 2300.0
    scene["gravity"] = 1.62
    assert scene.text.startswith("title") and scene["gravity"] == 1.62
    for wrong in ("vault.span", "", "arch..span", "loads[3].force"):
        with pytest.raises(vs.SceneError):
            scene[wrong] = 1.0
        with pytest.raises(vs.SceneError):
            scene[wrong]


def test_copies_and_pickles_are_independent(tmp_path: pathlib.Path) -> None:
    scene = footfall()
    for other in (scene.copy(), copy.copy(scene), copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
        assert other == scene
        other["arch.thickness"] = 0.4
        assert other != scene and scene["arch.thickness"] == 0.6
    scene.save(tmp_path / "arch.toml")
    assert vs.load(tmp_path / "arch.toml") == scene


def test_selections_are_objects() -> None:
    scene = footfall()
    arch = vs.Body("arch")
    assert scene.names(arch.voussoir[9]) == ["arch.voussoir[9]"]
    assert scene.names(arch.voussoir[3:5]) == ["arch.voussoir[3]", "arch.voussoir[4]"]
    assert scene.names(arch.springers) == ["arch.springer[0]", "arch.springer[1]"]
    assert scene.names(arch.keystone | arch.voussoir[0]) == ["arch.voussoir[13]", "arch.voussoir[0]"]
    assert len(scene.names(vs.of_material("limestone"))) == 29
    assert pickle.loads(pickle.dumps(arch.voussoir[9])) == arch.voussoir[9]
    with pytest.raises(IndexError):
        arch.voussoir[-1]


def test_a_block_from_corners_has_the_mass_of_its_volume() -> None:
    scene = vs.Scene("Wedge")
    stone = scene.material("stone", density=1000.0)
    scene.joint(stone, stone, friction=0.5)
    scene.half_space("ground", material=stone)
    corners = np.array([[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 3.0]])
    scene.block("wedge", corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], material=stone)
    bodies = scene.bodies
    assert bodies["name"] == ["ground", "wedge"] and list(bodies["support"]) == [True, False]
    assert bodies["mass"][1] == pytest.approx(1000.0 * 2 * 1 * 3 / 6, rel=1e-12)


def test_every_generator_of_the_program_is_a_method() -> None:
    for name in vs._native.generators():
        assert callable(getattr(vs.Scene(), name.replace("-", "_")))
    with pytest.raises(AttributeError):
        vs.Scene().cathedral  # noqa: B018


def test_errors_say_where_and_what_would_be_right(tmp_path: pathlib.Path) -> None:
    scene = footfall()
    scene["arch.thicknes"] = 1.0
    with pytest.raises(vs.SceneError) as caught:
        scene.stand()
    error = caught.value
    assert error.key == "thicknes" and "thickness" in (error.help or "")
    assert error.line is not None and "thicknes" in scene.text.splitlines()[error.line - 1]
    assert isinstance(error, vs.VoussoirError) and isinstance(error, ValueError)
    path = tmp_path / "wrong.toml"
    path.write_text("title = \n")
    with pytest.raises(vs.SceneError) as caught:
        vs.load(path)
    assert caught.value.line == 1 and caught.value.file == str(path)
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.line, again.key, again.help) == (error.message, error.line, error.key, error.help)
    with pytest.raises(TypeError):
        block().add("loads", name=object())
    with pytest.raises(vs.SceneError):
        block().add("bricks", name="a")
    with pytest.raises(vs.SceneError):
        footfall().material("limestone", density=1.0)


def test_a_panic_is_an_exception() -> None:
    with pytest.raises(vs.InternalError, match="a panic on request"):
        vs._native.panic_for_tests()
    assert footfall().stand(lines=False).stands


def test_check_counts_and_draws() -> None:
    check = footfall().check()
    assert check.bodies == 29 and check.overlaps == 0 and check.floating == []
    assert check.weight == pytest.approx(check.mass * 9.81, rel=1e-12)
    assert "<svg" in check._repr_html_() and "29" in str(check)
    assert footfall().picture(png=True)[:8] == b"\x89PNG\r\n\x1a\n"
