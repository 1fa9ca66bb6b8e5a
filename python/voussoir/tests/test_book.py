"""The code of the chapter of the book."""

from __future__ import annotations

import json
import os
import pathlib
import re
import runpy
from typing import Any

import pytest

import voussoir as vs

from .scenes import examples


def test_the_code_of_the_chapter_runs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chapter = pathlib.Path(__file__).parents[3] / "docs/python.md"
    if not chapter.exists():
        pytest.skip("needs a clone of the repository")
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"```python\n(.*?)```", chapter.read_text(encoding="utf-8"), re.DOTALL))
    names: dict[str, object] = {}
    exec(compile(code, str(chapter), "exec"), names)
    scene, run = names["scene"], names["run"]
    assert scene["joints[0].friction"] == 0.65  # type: ignore[index]
    assert run.finished  # type: ignore[attr-defined]


def test_the_script_for_rhino_runs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions of the page, with meshes of COMPAS in millimetres: what Rhino itself does is not run here."""
    pytest.importorskip("compas")
    page = pathlib.Path(__file__).parents[3] / "docs/rhino.md"
    if not page.exists() or "VOUSSOIR_COMMAND" not in os.environ:
        pytest.skip("needs a clone of the repository and the command")
    from compas.datastructures import Mesh
    from compas.geometry import Box, Frame

    monkeypatch.setenv("PATH", os.path.dirname(os.environ["VOUSSOIR_COMMAND"]), prepend=os.pathsep)
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, str(page), "exec"), names)
    blocks = [Mesh.from_shape(Box(500.0, 500.0, 500.0, frame=Frame([0, 0, z], [1, 0, 0], [0, 1, 0]))) for z in (250.0, 750.0)]
    verdict, results, notes = names["solve"](blocks, [0], str(tmp_path / "out"), unit="mm")
    assert verdict == "stands" and notes
    weight = 0.125 * 2000.0 * 9.81
    assert results["edge_data"]["0,1"]["resultant_global"] == pytest.approx([0.0, 0.0, weight], abs=1e-6 * weight)
    assert results["edge_data"]["0,1"]["force_point"][2] == pytest.approx(0.5)
    with pytest.raises(RuntimeError, match="no block"):
        names["solve"](blocks, [7], str(tmp_path / "out"), unit="mm")


#: Notebooks and the packages that they need.
NOTEBOOKS = {"first_steps": (), "controller": (), "compas": ("compas_dem",), "fragility": (), "many_machines": ("distributed",)}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_run(name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in NOTEBOOKS[name]:
        pytest.importorskip(package)
    path = pathlib.Path(__file__).parents[3] / f"examples/notebooks/{name}.ipynb"
    if not path.exists():
        pytest.skip("needs a clone of the repository")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path}, {cell['id']}", "exec"), names)


def test_every_example_is_built_by_its_code() -> None:
    folder = examples()
    if folder is None:
        pytest.skip("needs a clone of the repository")
    for path in sorted(folder.glob("*.toml")):
        scene = vs.load(path)
        names: dict[str, object] = {}
        exec(compile(scene.code, str(path), "exec"), names)
        assert names["scene"] == scene, path.name


def test_the_examples_in_python_are_the_scenes() -> None:
    folder = examples()
    if folder is None:
        pytest.skip("needs a clone of the repository")
    for path in sorted(folder.glob("*.toml")):
        names = runpy.run_path(str(folder / "python" / f"{path.stem}.py"))
        scene = names["scene"]
        assert scene == vs.load(path), path.name
        assert scene.bodies["name"] == vs.load(path).bodies["name"]
