"""Models of other programs as scenes: OBJ, STL, PLY, DXF, Gmsh, LMGC90, COMPAS."""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import Any, NamedTuple

from . import _native
from .errors import SceneError
from .scene import Scene


class Note(NamedTuple):
    """What an import assumed, repaired, merged or left out."""

    #: "repaired", "merged", "dropped" or "changed".
    kind: str
    #: Description.
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


class ImportedScene(Scene):
    """A scene that was imported, with what the import assumed, repaired or left out."""

    _notes: tuple[Note, ...] = ()
    #: Folder of the geometry, removed when nothing uses it any more; None for a folder of the user.
    _kept: Any = None

    @property
    def notes(self) -> list[Note]:
        """What the import assumed, repaired, merged or left out; the list is complete."""
        return list(self._notes)

    def copy(self) -> ImportedScene:
        """A copy that can be changed on its own."""
        copied = super().copy()
        copied._notes, copied._kept = self._notes, self._kept
        return copied


def import_model(
    source: str | os.PathLike[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    name: str | None = None,
    unit: str | None = None,
    scale: float = 1.0,
    up: str = "z",
    extrude: float | None = None,
    dim: int = 3,
    ground: bool = True,
    density: float | None = None,
    friction: float = 0.6,
    supports: str | None = None,
    model: str | os.PathLike[str] | None = None,
    problem: str | None = None,
    ramp: bool = False,
    step: float = 1e-3,
    duration: float = 1.0,
) -> ImportedScene:
    """A model of another program as a scene, as ``voussoir import`` makes it.

    source: File (OBJ, STL, PLY, DXF, MSH, JSON of COMPAS), or folder with a DATBOX of LMGC90.
    folder: Folder for the scene and its geometry; default: a temporary folder, removed with the scene.
    name: Name of the scene; default: that of the file.
    unit: Unit of the source: "m", "cm", "mm", "in", "ft", …; default: that of the file, else m.
    scale: Factor on all lengths, after the unit.
    up: Vertical axis of the source: "y" or "z".
    extrude: Thickness of closed outlines, in units of the source.
    dim: 2 reads a drawing in DXF as a plane scene.
    ground: Add a ground plane where the source has no supports.
    density: Density of blocks that have none [kg/m³]; default: 2000.
    friction: Friction of joints that have none.
    supports: COMPAS: blocks that are held, as numbers of nodes or names with commas between them, or a file of meshes.
    model: COMPAS: file of the model of a problem.
    problem: COMPAS: name of the problem of an analysis; default: the first one.
    ramp: COMPAS: loads of the type "ramp" grow over the first half of the duration; default: they act fully from the start.
    step, duration: Time step and simulated time of the stage of the scene [s].
    """
    path = pathlib.Path(source)
    if not path.exists():
        raise SceneError(f"cannot read {path}: there is no such file", file=os.fspath(path))
    stem = name or path.stem
    options: dict[str, Any] = {
        "name": stem,
        "unit": unit,
        "scale": float(scale),
        "up": up,
        "extrude": extrude,
        "dim": dim,
        "ground": ground,
        "density": None if density is None else float(density),
        "friction": float(friction),
        "supports": supports,
        "model": None if model is None else os.fspath(model),
        "problem": problem,
        "ramp": ramp,
        "step": float(step),
        "duration": float(duration),
    }
    text, files, notes = _native.import_model(os.fspath(path), options)
    kept = None
    if folder is None:
        kept = tempfile.TemporaryDirectory(prefix="voussoir-import-")
        place = pathlib.Path(kept.name)
    else:
        place = pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
    for file, content in files:
        (place / file).write_text(content, encoding="utf-8")
    scene = ImportedScene.from_text(text, base=place)
    if folder is not None:
        scene.save(place / f"{stem}.toml")
    scene._notes = tuple(Note(kind, words) for kind, words in notes)
    scene._kept = kept
    return scene
