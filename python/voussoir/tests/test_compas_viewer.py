"""COMPAS: what the viewer of compas_dem draws of an answer."""

from __future__ import annotations

import importlib
import pathlib
import sys
import types
from typing import Any

import pytest

import voussoir as vs

from .test_compas import DATA, needs_data, options, towers, written


class Drawing:
    """What the viewer of compas_dem draws, kept in a list: a scene and its groups."""

    def __init__(self, kept: list[Any]) -> None:
        self.kept = kept

    def add_group(self, **_: Any) -> Drawing:
        return self

    def add(self, item: Any, name: str = "", **_: Any) -> Any:
        self.kept.append(types.SimpleNamespace(item=item, name=name, attributes={}))
        return self.kept[-1]

    def add_from_list(self, items: list[Any], **_: Any) -> None:
        for item in items:
            self.add(item)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The viewer of compas_dem without a window: a function that draws an answer and returns all objects."""
    pytest.importorskip("compas_dem")
    from compas.geometry import Point, Polygon
    from compas_dem.elements import Block

    class Window:
        def __init__(self, config: Any = None) -> None:
            self.kept: list[Any] = []
            self.scene = Drawing(self.kept)
            self.ui = types.SimpleNamespace()

    menus = types.SimpleNamespace(ui=types.SimpleNamespace(menubar=types.SimpleNamespace(items=[])))
    parts: dict[str, dict[str, Any]] = {
        "compas_viewer": {"Viewer": Window},
        "compas_viewer.config": {"Config": lambda: menus},
        "compas_viewer.scene": {"ViewerSceneObject": object},
        "compas_viewer.viewer": {"Viewer": Window},
    }
    for name, content in parts.items():
        module = types.ModuleType(name)
        module.__dict__.update(content)
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("compas_dem.viewer", "compas_dem.viewer.viewer"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    # a polygon as a surface needs a CAD kernel
    monkeypatch.setattr(Polygon, "to_brep", lambda polygon: polygon)
    # the viewer of compas_dem 0.6 expects a point where compas 2.15 has a list
    monkeypatch.setattr(Block, "compute_point", lambda block: Point(*block.modelgeometry.centroid()))
    window = importlib.import_module("compas_dem.viewer.viewer").DEMViewer

    def draw(model: Any, results: Any) -> list[Any]:
        viewer = window(model)
        viewer.setup()
        viewer.add_solution(results)
        return list(viewer.kept)

    yield draw
    for name in ("compas_dem.viewer", "compas_dem.viewer.viewer"):
        sys.modules.pop(name, None)


def test_the_viewer_of_compas_dem_draws_the_results(drawn: Any, tmp_path: pathlib.Path) -> None:
    import compas

    model = compas.json_load(written(tmp_path, towers(2, 3)))
    scene = vs.compas.scene(model)
    run = scene.run(tmp_path / "run")
    for results in (vs.compas.results(scene.stand()), vs.compas.results(run)):
        objects = drawn(model, results)
        assert sum(item.name.startswith("block_") for item in objects) == 6
        forces = {item.name: item.attributes["data"] for item in objects if "Resultant force" in item.attributes.get("data", {})}
        weight = 2200.0 * 0.125 * 9.81
        for u, v, above in ((0, 1, 2), (1, 2, 1), (3, 4, 2), (4, 5, 1)):
            found = forces[f"F - {(u, v)}"]["Resultant force"]
            assert [found["Fx"], found["Fy"]] == pytest.approx([0.0, 0.0], abs=1e-3 * weight)
            assert abs(found["Fz"]) == pytest.approx(above * weight, rel=1e-3)
        reactions = [item.attributes["data"] for item in objects if item.name.startswith("R - ")]
        assert [row["Resultant reaction magnitude"] for row in reactions] == pytest.approx([2 * weight] * 2, rel=1e-3)


@needs_data
@pytest.mark.parametrize("name", ["blockmodel_arch27.json", "analysis_arch27.json"])
def test_the_viewer_of_compas_dem_draws_the_samples(drawn: Any, name: str, tmp_path: pathlib.Path) -> None:
    import compas

    source = compas.json_load(DATA / name)
    scene = vs.compas.scene(source, **options(DATA / name))
    model = getattr(source, "model", source)
    answer = scene.stand()
    objects = drawn(model, vs.compas.results(answer))
    assert sum(item.name.startswith("block_") for item in objects) == len(list(model.elements()))
    reactions = [item.attributes["data"] for item in objects if item.name.startswith("R - ")]
    assert reactions
    if name == "blockmodel_arch27.json":
        for row in reactions:
            parts = row["Reaction force components"]
            assert abs(parts["Fz"]) == pytest.approx(61_635.7, abs=0.2) and 23_609.0 < abs(parts["Fx"]) < 34_826.4
    # in motion too: contacts at edges and points
    drawn(model, vs.compas.results(scene.run(tmp_path / "run", callback=lambda step: step.step == 20)))
