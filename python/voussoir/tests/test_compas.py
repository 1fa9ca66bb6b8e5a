"""COMPAS: files and objects in, Results out; the samples of the Block Research Group where they are at hand.

``VOUSSOIR_DATA`` names the folder of the samples.
"""

from __future__ import annotations

import json
import os
import pathlib
import time
import uuid
from typing import Any

import numpy as np
import pytest

import voussoir as vs

DATA = pathlib.Path(os.environ.get("VOUSSOIR_DATA", "/nowhere")) / "compas"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="needs VOUSSOIR_DATA with the folder compas")
STONE = "00000000-0000-4000-8000-000000000001"
WILD = ["cubes", "type-a", "type-b", "type-c", "type-d", "shelf-stable", "bridge", "H", "A", "shelf"]


def box(corner: tuple[float, float, float], size: tuple[float, float, float]) -> dict[str, Any]:
    """A box as a mesh of COMPAS."""
    points = [[corner[i] + size[i] * bit for i, bit in enumerate(bits)] for bits in np.ndindex(2, 2, 2)]
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    vertex = {str(i): dict(zip("xyz", point, strict=True)) for i, point in enumerate(points)}
    data: dict[str, Any] = {
        "attributes": {}, "default_vertex_attributes": {"x": 0.0, "y": 0.0, "z": 0.0}, "default_edge_attributes": {},
        "default_face_attributes": {}, "vertex": vertex, "face": {str(i): face for i, face in enumerate(faces)},
        "facedata": {}, "edgedata": {}, "max_vertex": 7, "max_face": 5,
    }  # fmt: skip
    return {"dtype": "compas.datastructures/Mesh", "data": data, "guid": str(uuid.uuid5(uuid.NAMESPACE_OID, str(corner)))}


def towers(columns: int, height: int) -> dict[str, Any]:
    """A BlockModel of columns of cubes; the lowest ones are supports. Node i has the guid number i."""
    elements, nodes, children = {}, {}, []
    for i in range(columns * height):
        column, row = divmod(i, height)
        guid = str(uuid.uuid5(uuid.NAMESPACE_OID, f"block {i}"))
        data: dict[str, Any] = {
            "transformation": None, "features": [], "name": f"b{column}-{row}", "material": STONE,
            "geometry": box((2.0 * column, 0.0, 0.5 * row), (0.5, 0.5, 0.5)), "is_support": row == 0,
        }  # fmt: skip
        elements[guid] = {"dtype": "compas_dem.elements/Block", "data": data, "guid": guid, "name": data["name"]}
        nodes[str(i)] = {"element": guid}
        children.append({"name": "ElementNode", "element": guid})
    stone = {"name": "stone", "fck": 40.0, "ft": None, "Ecm": None, "density": 2200.0, "poisson": 0.2}
    data = {
        "transformation": None,
        "elements": elements,
        "materials": {STONE: {"dtype": "compas_dem.material/Stone", "data": stone, "guid": STONE, "name": "stone"}},
        "tree": {"attributes": {}, "root": {"name": "root", "children": children}},
        "graph": {"attributes": {}, "default_node_attributes": {}, "default_edge_attributes": {}, "node": nodes,
                  "edge": {key: {} for key in nodes}, "max_node": len(nodes) - 1},
    }  # fmt: skip
    return {"dtype": "compas_dem.models/BlockModel", "data": data, "guid": str(uuid.UUID(int=7)), "name": "towers",
            "inheritance": ["compas_model.models/Model"]}  # fmt: skip


def plain(value: Any) -> Any:
    """An object without the guids of points and vectors, which COMPAS makes anew whenever it reads them."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        geometry = str(value.get("dtype", "")).startswith("compas.geometry/")
        return {key: plain(item) for key, item in value.items() if not (geometry and key == "guid")}
    return value


def written(folder: pathlib.Path, value: Any, name: str = "model.json") -> pathlib.Path:
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def balance(results: Any, weights: dict[int, np.ndarray], supports: set[int]) -> float:
    """Largest force on a free block that is not in balance, relative to all loads."""
    sums = {node: np.array(weight) for node, weight in weights.items()}
    for u, v in results.edges():
        force = np.array(results.resultant_global((u, v)))
        sums[v] = sums[v] + force
        sums[u] = sums[u] - force
    whole = sum(abs(weight).max() for weight in weights.values())
    return float(max(np.abs(force).max() for node, force in sums.items() if node not in supports) / whole)


def test_a_model_in_a_file_is_read_answered_and_kept(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, towers(2, 3))
    scene = vs.compas.scene(path)
    assert scene.bodies["name"] == ["b0-0", "b0-1", "b0-2", "b1-0", "b1-1", "b1-2"]
    assert sum(scene.bodies["support"]) == 2
    assert any("no contact law" in note.text for note in scene.notes)
    answer = scene.stand()
    assert answer.stands and answer.weight == pytest.approx(4 * 2200.0 * 0.125 * 9.81)
    model, results = vs.compas.export(answer, tmp_path / "out")
    assert model.read_bytes() == path.read_bytes()
    data = json.loads(results.read_text(encoding="utf-8"))["data"]
    assert data["metadata"]["verdict"] == "stands" and set(data["edge_data"]) == {"0,1", "1,2", "3,4", "4,5"}
    # the upper block presses on the one below: the force on v of the edge (u, v) is upwards
    assert data["edge_data"]["1,2"]["resultant_global"][2] == pytest.approx(2200.0 * 0.125 * 9.81)
    copied = scene.copy()
    del scene
    assert copied.notes and copied.run(tmp_path / "run").finished
    vs.compas.export(vs.Run.open(tmp_path / "run"), tmp_path / "last")
    assert (tmp_path / "last/model.json").read_bytes() == path.read_bytes()


def test_lists_of_meshes_and_supports(tmp_path: pathlib.Path) -> None:
    meshes = [box((0.0, 0.0, 0.5 * row), (0.5, 0.5, 0.5)) for row in range(3)]
    path = written(tmp_path, meshes)
    assert vs.compas.scene(path, supports=[0]).stand().stands
    held = vs.compas.scene(path, supports=[0], folder=tmp_path / "kept")
    assert vs.load(tmp_path / "kept/model.toml") == held
    with pytest.raises(vs.SceneError, match="no block"):
        vs.compas.scene(path, supports=[9])
    with pytest.raises(vs.SceneError, match="no such file"):
        vs.compas.scene(tmp_path / "none.json")
    with pytest.raises(vs.SceneError, match="not JSON"):
        vs.compas.scene(written(tmp_path, 1) and _text(tmp_path / "bad.json", "{"))


def _text(path: pathlib.Path, text: str) -> pathlib.Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_five_thousand_blocks_are_read_in_two_seconds(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, towers(500, 10))
    start = time.perf_counter()
    scene = vs.compas.scene(path)
    seconds = time.perf_counter() - start
    assert len(scene.data["bodies"]) == 5000
    if "VOUSSOIR_TIMING" in os.environ:
        assert seconds < 2.0
    assert scene.bodies["name"][17] == "b1-7"


def test_objects_of_the_installed_packages(tmp_path: pathlib.Path) -> None:
    compas = pytest.importorskip("compas")
    pytest.importorskip("compas_dem")
    model = compas.json_load(written(tmp_path, towers(2, 3)))
    results = vs.compas.solve(model)
    assert type(results).__name__ == "Results" and results.model_id == str(model.guid)
    assert results.metadata["verdict"] == "stands" and results.metadata["notes"]
    weight = np.array([0.0, 0.0, -2200.0 * 0.125 * 9.81])
    assert balance(results, dict.fromkeys(range(6), weight), {0, 3}) < 1e-8

    from compas_dem.problem import Problem

    problem = Problem(model, name="push")
    problem.set_contact_model("MohrCoulomb", mu=0.5)
    group = problem.add_boundary_condition("live")
    # in the joint below the block, so that it slides and does not tilt
    problem.add_point_load_at_point(2, [0.25, 0.25, 1.0], [100.0, 0.0, 0.0], boundary_condition=group)
    scene = vs.compas.scene(problem)
    assert scene["joints[0].friction"] == 0.5
    loads = {node: weight + (100.0, 0.0, 0.0) if node == 2 else weight for node in range(6)}
    assert balance(vs.compas.solve(problem), loads, {0, 3}) < 1e-8
    # beyond friction: μ m g = 1 348.9 N
    group.point_loads[0].force = [1400.0, 0.0, 0.0]
    assert vs.compas.solve(problem).metadata["verdict"] != "stands"
    moved = vs.compas.solve(problem, motion=True, duration=0.1, step=1e-3)
    mass, limit, half = 2200.0 * 0.125, 0.5 * 2200.0 * 0.125 * 9.81, 0.05
    # the load grows over the first half; from the time when it reaches μ m g: m a = F t/T − μ m g, then m a = F − μ m g
    rate, begin = 1400.0 / half, half * limit / 1400.0
    speed, way = rate * (half - begin) ** 2 / (2 * mass), rate * (half - begin) ** 3 / (6 * mass)
    expected = way + speed * half + 0.5 * (1400.0 - limit) / mass * half**2
    assert moved.displacement(2) == pytest.approx([expected, 0.0, 0.0], rel=0.02, abs=1e-9)
    at_once = vs.compas.solve(problem, motion=True, duration=0.1, step=1e-3, ramp=False)
    expected = 0.5 * (1400.0 - limit) / mass * 0.1**2
    assert at_once.displacement(2) == pytest.approx([expected, 0.0, 0.0], rel=0.02, abs=1e-9)
    assert results.transformation(1).matrix[3] == [0.0, 0.0, 0.0, 1.0]


def test_contacts_along_an_edge_and_at_a_point_have_their_classes(tmp_path: pathlib.Path) -> None:
    """The viewer of compas_dem draws a contact by its class: a prism that stands on its edge, a ball."""
    scene = vs.Scene("Prism and ball")
    stone = scene.material("stone", density=2000.0)
    scene.joint("*", "*", friction=0.6)
    scene.support(scene.box("table", size=(6.0, 6.0, 1.0), position=(0.0, 0.0, -0.5), material=stone))
    corners = [[0.0, y, 0.0] for y in (0.0, 1.0)] + [[x, y, 1.0] for x in (-0.5, 0.5) for y in (0.0, 1.0)]
    scene.block("prism", corners, material=stone)
    scene.sphere("ball", radius=0.25, position=(2.0, 0.0, 0.25), material=stone)
    run = scene.dynamic(duration=3e-3, step=1e-3).run(tmp_path / "run")
    _, path = vs.compas.export(run, tmp_path / "out")
    edges = json.loads(path.read_text(encoding="utf-8"))["data"]["edge_data"]
    kinds = {key: edge["contact_data"]["dtype"].rsplit("/", 1)[1] for key, edge in edges.items()}
    assert kinds == {"0,1": "EdgeContact", "0,2": "VertexContact"}
    assert edges["0,1"]["edge_contact"] and edges["0,2"]["point_contact"]
    pytest.importorskip("compas_dem")
    results = vs.compas.results(run)
    for edge, mass in (((0, 1), 1000.0), ((0, 2), 2000.0 * 4.0 / 3.0 * np.pi * 0.25**3)):
        contact = results.contact_data(edge)
        assert type(contact).__name__ == kinds[f"{edge[0]},{edge[1]}"]
        # forces in a results folder are rounded
        assert contact.resultantforce.length == pytest.approx(mass * 9.81, rel=1e-3)
        assert list(contact.resultant) == pytest.approx(results.resultant_global(edge), abs=1e-6)
        assert results.contact_geometry(edge) is not None


def test_meshes_and_assemblies_of_the_installed_packages() -> None:
    pytest.importorskip("compas")
    from compas.datastructures import Mesh
    from compas.geometry import Box, Frame

    def cube(z: float) -> Any:
        return Mesh.from_shape(Box(0.5, 0.5, 0.5, frame=Frame([0, 0, z], [1, 0, 0], [0, 1, 0])))

    meshes = [cube(0.25), cube(0.75)]
    assert vs.compas.scene(meshes, supports=[0]).stand().stands
    assert vs.compas.scene(meshes, supports=meshes[:1]).names("*").__len__() == 2
    assert vs.compas.scene(meshes[0]).stand().stands
    assembly_package = pytest.importorskip("compas_assembly.datastructures")
    assembly = assembly_package.Assembly()
    for index, mesh in enumerate(meshes):
        block = mesh.copy(cls=assembly_package.Block)
        assembly.add_block(block, node=index)
    assembly.graph.node_attribute(0, "is_support", True)
    scene = vs.compas.scene(assembly)
    assert scene.stand().stands and len(scene.bodies["name"]) == 2


def loaded(path: pathlib.Path) -> Any:
    """The object of a file; None for files that today's packages do not load, or only as a dict."""
    import compas

    try:
        obj = compas.json_load(path)
    except Exception:
        return None
    return None if isinstance(obj, dict) else obj


@needs_data
def test_all_sample_files_are_read_as_files_and_as_objects() -> None:
    for package in ("compas", "compas_dem", "compas_assembly"):
        pytest.importorskip(package)
    objects = 0
    for path in sorted([*DATA.glob("*.json"), *DATA.glob("*.obj"), *(DATA / "wild").iterdir()]):
        if path.name.startswith("results_"):
            continue
        keys = options(path)
        read = vs.import_model if path.suffix == ".obj" else vs.compas.scene
        from_file = read(path, **keys)
        assert len(from_file.bodies["name"]) > 1 and from_file.notes, path.name
        if path.suffix != ".json":
            continue
        obj = loaded(path)
        if obj is None:
            continue
        objects += 1
        from_object = vs.compas.scene(obj, **keys)
        assert from_object.bodies["name"] == from_file.bodies["name"], path.name
        masses = [scene.bodies["mass"] for scene in (from_file, from_object)]
        np.testing.assert_allclose(masses[0], masses[1], rtol=1e-9, err_msg=path.name)
    assert objects >= 10


@needs_data
def test_the_arch_of_27_has_its_thrust_and_its_balance() -> None:
    compas = pytest.importorskip("compas")
    pytest.importorskip("compas_dem")
    model = compas.json_load(DATA / "blockmodel_arch27.json")
    answer = vs.compas.scene(model).stand()
    assert answer.thrust is not None
    assert answer.thrust.smallest == pytest.approx(23_609.2, abs=0.1)
    assert answer.thrust.largest == pytest.approx(34_826.2, abs=0.1)
    assert answer.support_reaction == pytest.approx(2 * 61_635.7, abs=0.2)
    results = vs.compas.results(answer)
    masses = {block.graphnode: 2200.0 * block.modelgeometry.volume() for block in model.elements()}
    supports = {0, 26}
    weights = {node: np.array([0.0, 0.0, -9.81 * mass]) for node, mass in masses.items()}
    assert balance(results, weights, supports) < 1e-8

    analysis = compas.json_load(DATA / "analysis_arch27.json")
    problem = analysis.problems[0]
    loads = {node: weight.copy() for node, weight in weights.items()}
    blocks = {block.graphnode: block for block in analysis.model.elements()}
    for group in problem.boundary_conditions:
        for entry in group.point_loads:
            loads[entry.block_index] += np.array(entry.force if entry.force is not None else [0.0] * 3)
        for entry in group.surface_loads:
            area = blocks[entry.block_index].modelgeometry.face_area(entry.face_index)
            loads[entry.block_index] += area * np.array(entry.load)
        for entry in group.body_forces:
            for node, mass in masses.items():
                loads[node] += mass * np.array(entry.acceleration)
    for found in (vs.compas.solve(analysis), vs.compas.solve(problem)):
        assert found.metadata["verdict"] == "stands" and found.model_id == str(model.guid)
        assert balance(found, loads, supports) < 1e-8
        # supports carry weight and loads
        on_supports = np.zeros(3)
        for u, v in found.edges():
            force = np.array(found.resultant_global((u, v)))
            on_supports += (-force if u in supports else 0.0) + (force if v in supports else 0.0)
        free = sum(load for node, load in loads.items() if node not in supports)
        np.testing.assert_allclose(on_supports, free, atol=1e-8 * np.abs(free).max())
    assert any("RBE" in note for note in found.metadata["notes"])


@needs_data
@pytest.mark.parametrize("name", WILD)
def test_files_that_users_of_compas_cra_try_first(name: str, tmp_path: pathlib.Path) -> None:
    """Statics and motion agree; what holds by self-stress alone gets no plain `stands`."""
    supports = [0] if name in ("cubes", "shelf", "shelf-stable") else [0, 1]
    friction = 0.9 if "shelf" in name or name == "bridge" else 0.84
    stands = name not in ("H", "A", "shelf")
    path = DATA / f"wild/cra_{name}.json"
    obj: Any = path
    with_objects = True
    try:
        import compas
        import compas_assembly  # noqa: F401

        obj = compas.json_load(path)
    except ImportError:
        with_objects = False
    scene = vs.compas.scene(obj, supports=supports, friction=friction, duration=0.5)
    answer = scene.stand()
    assert (answer.verdict == "stands") == stands, answer.verdict
    if not stands:
        assert not answer.stands
    run = scene.run(tmp_path / "run")
    way = float(run.summary["max_displacement_m"])
    if stands:
        assert way < 1e-6
    else:
        assert way > 1e-3
    if name in ("H", "A"):
        assert way == pytest.approx(0.5 * 9.81 * 0.5**2, rel=5e-3)
    if with_objects and pytest.importorskip("compas_dem"):
        results = vs.compas.results(run)
        moved = max(np.linalg.norm(results.displacement(node)) for node in results.nodes())
        assert (moved < 1e-6) == stands


def options(path: pathlib.Path) -> dict[str, Any]:
    """What a sample needs besides its file."""
    keys: dict[str, Any] = {}
    if path.name.startswith("problem_"):
        keys["model"] = path.with_name(path.name.replace("problem", "blockmodel"))
    if path.name == "blockmodel_odd.json":
        keys["density"] = 2100.0
    return keys


#: All samples that are models, by their paths in the folder of the samples.
MODELS = sorted(
    str(path.relative_to(DATA)) for path in DATA.glob("**/*.json") if not path.name.startswith(("results_", "problem_"))
)


@needs_data
@pytest.mark.parametrize("name", MODELS)
def test_round_trips_keep_everything(name: str, tmp_path: pathlib.Path) -> None:
    path = DATA / name
    scene = vs.compas.scene(path, **options(path))
    model, found = vs.compas.export(scene.stand(lines=False, thrust=False), tmp_path)
    assert model.read_bytes() == path.read_bytes()
    # every block of the results is a block of the source
    nodes = set(json.loads(found.read_text(encoding="utf-8"))["data"]["node_data"])
    assert len(nodes) >= 2
    compas = pytest.importorskip("compas")
    pytest.importorskip("compas_dem")
    pytest.importorskip("compas_assembly")
    results = compas.json_load(found)
    assert all(set(edge) <= set(results.nodes()) for edge in results.edges())
    source = loaded(path)
    if source is None:
        return
    # an object goes out as it came in: guids, names, nodes, supports, materials, loads, unknown attributes, coordinates
    scene = vs.compas.scene(source, **options(path))
    model, _ = vs.compas.export(scene.stand(lines=False, thrust=False), tmp_path)
    back = compas.json_load(model)
    assert plain(json.loads(compas.json_dumps(back))) == plain(json.loads(compas.json_dumps(source)))
    if not isinstance(source, list):
        assert str(back.guid) == str(source.guid)


@needs_data
@pytest.mark.parametrize("name", ["problem_arch5.json", "problem_arch27.json"])
def test_problems_beside_their_model_are_answered(name: str, tmp_path: pathlib.Path) -> None:
    """A problem in a file of its own: the answer is that of the analysis that has both, and names both."""
    path = DATA / name
    scene = vs.compas.scene(path, **options(path))
    answer = scene.stand()
    whole = vs.compas.scene(DATA / name.replace("problem", "analysis")).stand()
    assert answer.verdict == whole.verdict and answer.weight == whole.weight
    assert answer.margin == pytest.approx(whole.margin, rel=1e-9)
    model, found = vs.compas.export(answer, tmp_path)
    problem = json.loads(path.read_text(encoding="utf-8"))
    data = json.loads(found.read_text(encoding="utf-8"))["data"]
    # model and problem go out in one file
    bundle = json.loads(model.read_text(encoding="utf-8"))["data"]
    assert bundle["model"] == json.loads(pathlib.Path(options(path)["model"]).read_text(encoding="utf-8"))
    assert bundle["problems"] == [problem]
    assert data["model_id"] == problem["data"]["model_id"] == bundle["model"]["guid"]
    assert data["problem_id"] == problem["guid"]


def test_results_name_the_problem_that_was_chosen(tmp_path: pathlib.Path) -> None:
    def problem(name: str, force: float) -> dict[str, Any]:
        load = {"dtype": "compas_dem.problem/PointLoad", "data": {"block_index": 2, "force": [force, 0.0, 0.0], "moment": None,
                "point": [0.25, 0.25, 1.0], "loading_type": "ramp"}}  # fmt: skip
        group = {"name": "live", "g": 9.81, "body_forces": [], "point_loads": [load], "surface_loads": [], "displacements": []}
        conditions = [{"dtype": "compas_dem.problem/BoundaryConditionGroup", "data": group}]
        data = {"name": name, "model_id": str(uuid.UUID(int=7)), "boundary_conditions": conditions}
        return {"dtype": "compas_dem.problem/Problem", "data": data, "guid": f"guid of {name}", "name": name}

    problems = [problem("weak", 100.0), problem("strong", 1e5)]
    analysis = {"dtype": "compas_dem.models/Analysis", "data": {"name": "two", "model": towers(1, 3), "problems": problems}}
    path = written(tmp_path, analysis)
    for name, verdict in (("weak", "stands"), ("strong", "collapses"), (None, "stands")):
        _, found = vs.compas.export(vs.compas.scene(path, problem=name).stand(), tmp_path / "out")
        data = json.loads(found.read_text(encoding="utf-8"))["data"]
        assert data["metadata"]["verdict"] == verdict and data["problem_id"] == f"guid of {name or 'weak'}"
