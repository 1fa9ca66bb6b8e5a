"""COMPAS: models, assemblies and problems in, results that ``compas_dem`` reads and draws out.

>>> import compas, voussoir as vs                                    # doctest: +SKIP
>>> results = vs.compas.solve(compas.json_load("analysis.json"))     # doctest: +SKIP
>>> results.metadata["verdict"], results.resultant_global((0, 1))    # doctest: +SKIP

Objects are passed as JSON: the package needs ``compas`` for objects only, and nothing for files.
"""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Sequence
from typing import Any, Literal

from . import _native
from .answers import Stand
from .models import ImportedScene, import_model
from .run import Run

__all__ = ["export", "results", "scene", "solve"]

#: Blocks that are held: numbers of nodes, names, or meshes of COMPAS.
Supports = str | int | Sequence[Any] | None


def _compas() -> Any:
    try:
        import compas
    except ImportError as error:
        raise ImportError("objects of COMPAS need the package compas: pip install compas compas_dem") from error
    return compas


def _text(obj: Any) -> str:
    """An object of COMPAS, or a list of them, as JSON."""
    return str(_compas().json_dumps(obj))


def _kind(obj: Any) -> str:
    return str(getattr(obj, "__dtype__", type(obj).__name__)).rsplit("/", 1)[-1]


def _named(supports: Supports, place: pathlib.Path) -> str | None:
    """Supports as the import reads them: a list with commas, or a file of meshes."""
    if supports is None or isinstance(supports, str):
        return supports
    items = [supports] if isinstance(supports, int) else list(supports)
    if all(isinstance(item, (int, str)) for item in items):
        return ",".join(str(item) for item in items)
    path = place / "supports.json"
    path.write_text(_text(items), encoding="utf-8")
    return os.fspath(path)


def _inner(problem: Any) -> Any:
    """The model that a problem holds, or None."""
    return getattr(problem, "_model", None)


def scene(
    obj: Any,
    *,
    model: Any = None,
    supports: Supports = None,
    density: float | None = None,
    friction: float = 0.6,
    problem: str | None = None,
    name: str | None = None,
    unit: str | None = None,
    scale: float = 1.0,
    up: Literal["y", "z"] = "z",
    ground: bool = True,
    ramp: bool = False,
    step: float = 1e-3,
    duration: float = 1.0,
    folder: str | os.PathLike[str] | None = None,
) -> ImportedScene:
    """A scene of an object of COMPAS or of its file; ``notes`` of the scene lists what was assumed, repaired or left out.

    obj: BlockModel, Analysis, Problem, Assembly, CRA_Assembly, Mesh, a list of meshes, or the path of a JSON file of these
        or of an older form.
    model: Model of a problem, if the problem does not hold it: an object or a path.
    supports: Blocks that are held, besides those of the source: numbers of nodes, names, or a list of meshes.
    density: Density of blocks without a material [kg/m³]; default: 2000, refused beside blocks that have one.
    friction: Friction of a source without a contact law.
    problem: Name of the problem of an analysis; default: the first one.
    name, unit, scale, up, ground, ramp, step, duration, folder: as in :func:`voussoir.import_model`.
    """
    with tempfile.TemporaryDirectory(prefix="voussoir-compas-") as temporary:
        place = pathlib.Path(temporary)
        title = name
        if isinstance(obj, (str, os.PathLike)):
            source = pathlib.Path(obj)
        else:
            title = title or getattr(obj, "name", None) or _kind(obj)
            source = place / "model.json"
            source.write_text(_text(obj), encoding="utf-8")
            if model is None and _kind(obj) == "Problem":
                model = _inner(obj)
        beside: str | None = None
        if isinstance(model, (str, os.PathLike)):
            beside = os.fspath(model)
        elif model is not None:
            path = place / "beside.json"
            path.write_text(_text(model), encoding="utf-8")
            beside = os.fspath(path)
        word = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in title) if title else None
        return import_model(
            source,
            folder=folder,
            name=word,
            unit=unit,
            scale=scale,
            up=up,
            ground=ground,
            density=density,
            friction=friction,
            supports=_named(supports, place),
            model=beside,
            problem=problem,
            ramp=ramp,
            step=step,
            duration=duration,
        )


def export(
    answer: Stand | Run | str | os.PathLike[str], folder: str | os.PathLike[str], *, frame: int = -1
) -> tuple[pathlib.Path, pathlib.Path]:
    """Writes ``model.json`` and ``results.json`` for COMPAS; returns their paths.

    answer: Answer of ``stand``, a run into a folder, or the path of a results folder.
    frame: Frame of a run; default: the last one.
    """
    with tempfile.TemporaryDirectory(prefix="voussoir-compas-") as temporary:
        if isinstance(answer, Stand):
            source = temporary
            answer.save(temporary, overwrite=True)
        elif isinstance(answer, Run):
            if answer.directory is None:
                raise ValueError("a run in memory has no results folder; give a folder to scene.run")
            source = answer.directory
        else:
            source = os.fspath(answer)
        model, found = _native.export_compas(source, frame, os.fspath(folder))[:2]
    return pathlib.Path(model), pathlib.Path(found)


def results(answer: Stand | Run | str | os.PathLike[str], *, frame: int = -1, notes: Sequence[Any] = ()) -> Any:
    """An answer as ``compas_dem.problem.Results``: motions of blocks, forces of contacts, verdict in ``metadata``.

    answer: Answer of ``stand``, a run into a folder, or the path of a results folder.
    frame: Frame of a run; default: the last one.
    """
    compas = _compas()
    with tempfile.TemporaryDirectory(prefix="voussoir-compas-") as temporary:
        _, path = export(answer, temporary, frame=frame)
        data = json.loads(path.read_text(encoding="utf-8"))
    if notes:
        data["data"]["metadata"]["notes"] = [str(note) for note in notes]
    found = compas.json_loads(json.dumps(data))
    if isinstance(found, dict):
        raise ImportError("Results of COMPAS need the package compas_dem: pip install compas_dem")
    return found


def solve(
    obj: Any,
    *,
    motion: bool = False,
    folder: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    **options: Any,
) -> Any:
    """Answers a problem, an analysis or a model: whether it stands, with its forces, as ``compas_dem.problem.Results``.

    ``metadata`` has the verdict ("stands", "wedged", "collapses", …), the margins, the residual, and in ``notes`` what was
    assumed, repaired or left out.

    obj: Problem, Analysis, BlockModel, Assembly or anything else that :func:`scene` reads.
    motion: Run the scene (``duration=``, ``step=``) instead, with prescribed displacements and loads of the type "ramp" that
        grow over its first half; the last frame is the answer.
    folder: Results folder of a run; default: one that is removed.
    options: as in :func:`scene`.
    """
    made = scene(obj, **{"ramp": motion, **options})
    if not motion:
        return results(made.stand(threads=threads), notes=made.notes)
    with tempfile.TemporaryDirectory(prefix="voussoir-compas-") as temporary:
        place = os.path.join(temporary, "run") if folder is None else os.fspath(folder)
        return results(made.run(place, threads=threads), notes=made.notes)

