"""Scenes in code: build, load, change, save, and ask."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import _code, _native
from ._actions import action, direction_text
from ._bodies import BodyKeys
from ._lists import ListKeys
from ._stages import StageKeys
from ._values import MaterialLike, Select, Table, Vector, plain
from .answers import Assessment, Check, Envelope, Limit, Pushover, Stand
from .errors import NotConverged, SceneError
from .run import Run, StepInfo, run_stages
from .selection import Body, Material, Named, Selection

if TYPE_CHECKING:
    from typing_extensions import Self

    from .stepper import Stepper

Engine = Literal["own", "clarabel"]
End = Literal["smallest", "largest"]


class Scene(BodyKeys, ListKeys, StageKeys):
    """A structure with its materials, joints, supports, loads and stages.

    Quantities are in SI units; z points up in 3D, y in 2D.

    A scene is its text: ``scene.text`` is what the command reads, :meth:`save` writes it, and changes by key keep its
    comments and order.

    title: Title of the scene.
    dim: 2 or 3; default 3.
    gravity: Acceleration of gravity [m/s²], downwards; default 9.81.
    depth: Thickness perpendicular to the plane of a 2D scene [m]; default 1.
    base: Folder that names of meshes, records and tables are relative to; default: the current one.
    """

    def __init__(
        self,
        title: str = "",
        *,
        dim: Literal[2, 3] | None = None,
        gravity: float | Vector | None = None,
        depth: float | None = None,
        allow_overlap: bool | None = None,
        max_bodies: int | None = None,
        base: str | os.PathLike[str] = "",
    ) -> None:
        self._document = _native.Document()
        self._base = os.fspath(base)
        self._file: str | None = None
        self._built: tuple[str, str, _native.NativeScene] | None = None
        first = {
            "title": title or None,
            "dim": dim,
            "gravity": gravity,
            "depth": depth,
            "allow_overlap": allow_overlap,
            "max_bodies": max_bodies,
        }
        for key, value in first.items():
            if value is not None:
                self._document.set(key, plain(value))

    # text and files

    @classmethod
    def from_text(cls, text: str, *, base: str | os.PathLike[str] = "") -> Self:
        """A scene from its text. Names of meshes and records in it are relative to ``base``."""
        scene = cls()
        scene._document = _native.Document(text)
        scene._base = os.fspath(base)
        return scene

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Reads a scene file."""
        try:
            text = pathlib.Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SceneError(f"cannot read {os.fspath(path)}: {error}", file=os.fspath(path)) from error
        try:
            scene = cls.from_text(text, base=pathlib.Path(path).parent)
        except SceneError:
            # the reader of scenes gives the line of the error
            _native.NativeScene(text, os.fspath(path), os.fspath(pathlib.Path(path).parent))
            raise
        scene._file = os.fspath(path)
        return scene

    @classmethod
    def template(cls, name: str, **parameters: Any) -> Self:
        """A commented scene from a template, as ``voussoir new`` writes it."""
        return cls.from_text(_native.render(name, [(key, str(value)) for key, value in parameters.items()]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene file."""
        pathlib.Path(path).write_text(self.text, encoding="utf-8")

    @property
    def text(self) -> str:
        """The text of the scene, as the command reads it."""
        return self._document.text()

    @property
    def code(self) -> str:
        """Python code that builds this scene."""
        return _code.code(self.data, set(dir(type(self))))

    @property
    def data(self) -> Table:
        """All keys and values of the scene."""
        data: Table = self._document.data()
        return data

    @property
    def base(self) -> str:
        """Folder that names of meshes, records and tables are relative to."""
        return self._base

    @base.setter
    def base(self, folder: str | os.PathLike[str]) -> None:
        self._base = os.fspath(folder)

    @property
    def title(self) -> str:
        """Title of the scene."""
        return str(self.data.get("title", ""))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return bool(self.data == other.data)

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> Self:
        """An independent copy."""
        copied = type(self).from_text(self.text, base=self._base)
        copied._file = self._file
        copied._built = self._built
        return copied

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self.text, self._base, self._file))

    def __repr__(self) -> str:
        lists = ("bodies", "loads", "supports", "stages")
        counts = ", ".join(f"{len(self.data[key])} {key}" for key in lists if key in self.data)
        return f"<Scene {self.title!r}: {counts or 'empty'}>"

    def _repr_html_(self) -> str:
        try:
            return str(self.picture())
        except SceneError as error:
            return f"<pre>{error}</pre>"

    # values by key

    def __getitem__(self, key: str) -> Any:
        """The value at a key such as ``"arch.thickness"``; a list if several places have the key."""
        values = self._document.get(key)
        return values[0] if len(values) == 1 else values

    def __setitem__(self, key: str, value: Any) -> None:
        """Sets the value at a key: ``arch.thickness``, ``friction``, ``joints[0].friction``, ``gravity``."""
        self._document.set(key, plain(value))

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """A copy with other values by key."""
        changed = self.copy()
        for key, value in values.items():
            changed[key] = value
        return changed

    def add(self, of: str, **keys: Any) -> None:
        """Adds a table to a list of the scene by its keys, as a scene file writes them."""
        self._append(of, keys)

    def stage(self, analysis: Literal["dynamic", "explicit", "static", "events"], **keys: Any) -> None:
        """Adds a stage; its keys are those of the method with the name of the analysis."""
        self._append("stages", {"analysis": analysis, **keys})

    def block(
        self,
        name: str,
        vertices: Any,
        faces: Any = None,
        *,
        material: MaterialLike,
        **keys: Any,
    ) -> Body:
        """A block from its corners [m] and faces (indices of corners from 0); without faces their convex hull.

        In a 2D scene the corners, in order, are those of a polygon.
        """
        rows = plain(vertices)
        shape = "polygon" if rows and len(rows[0]) == 2 else "polyhedron"
        return self._body({"name": name, "shape": shape, "vertices": rows, "faces": faces, "material": material, **keys})

    def __getattr__(self, name: str) -> Any:
        # generators without a method in _bodies.py
        if not name.startswith("_") and name.replace("_", "-") in _native.generators():
            generator = name.replace("_", "-")
            return lambda name, **keys: self._body({"name": name, "generator": generator, **keys})
        raise AttributeError(f"a scene has no attribute {name!r}")

    def _body(self, table: Table) -> Body:
        self._append("bodies", table)
        return Body(str(table["name"]))

    def _material(self, name: str, table: Table) -> Material:
        self._document.insert("materials", name, plain(table))
        return Material(name)

    def _joint(self, first: MaterialLike, second: MaterialLike, table: Table) -> None:
        self._append("joints", {"between": [first, second], **table})

    def _named(self, of: str, table: Table) -> Named:
        self._append(of, table)
        return Named(str(table["name"]))

    def _append(self, of: str, table: Table) -> None:
        self._document.append(of, plain(table))

    def _table(self, key: str, table: Table) -> None:
        self._document.remove(key)
        self._document.set(key, plain(table))

    def _with_stage(self, table: Table) -> Self:
        changed = self.copy()
        changed._document.remove("stages")
        changed._append("stages", table)
        return changed

    # the model

    def _native(self, threads: int | None = None) -> _native.NativeScene:
        """The model of the scene; built again only after a change."""
        text = self.text
        if self._built is None or self._built[:2] != (text, self._base):
            native = _native.NativeScene(text, self._file or self.title or "scene", self._base, threads)
            self._built = (text, self._base, native)
        return self._built[2]

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._native().dimension

    @property
    def warnings(self) -> list[str]:
        """Repairs made when the scene was built, and warnings."""
        return self._native().warnings()

    @property
    def bodies(self) -> dict[str, Any]:
        """Names, materials, masses [kg] and volumes [m³] of all bodies, and which are supports."""
        return self._native().bodies()

    def names(self, select: Select) -> list[str]:
        """Names of the bodies of a selection."""
        items = plain(select)
        native = self._native()
        names: dict[str, None] = {}
        for item in items if isinstance(items, list) else [items]:
            if not isinstance(item, str):
                raise SceneError("names of bodies are found by text, not by a box")
            names.update(dict.fromkeys(native.select(item)))
        return list(names)

    def picture(self, *, scale: float = 1.0, png: bool = False) -> Any:
        """Picture of the structure before a run: SVG as text, or PNG as bytes."""
        if png:
            return self._native().picture(scale)
        return self._native().picture(None).decode()

    # questions

    def check(self, *, threads: int | None = None) -> Check:
        """Describes the scene: bodies, interfaces, masses, overlaps, floating blocks, warnings."""
        answer, text = self._native(threads).check(threads)
        return Check(json.loads(answer), text, self)

    def stand(
        self,
        *,
        load: Named | str | None = None,
        acceleration: str | Vector | None = None,
        tilt: str | Vector | None = None,
        time: float = 0.0,
        thrust: bool | None = None,
        support: str | None = None,
        direction: str | Vector | None = None,
        chains: Iterable[Selection | str] = (),
        lines: bool = True,
        engine: Engine = "own",
        threads: int | None = None,
    ) -> Stand:
        """Decides whether the structure stands: verdict with its proof, margins, range of thrust, thrust lines.

        load, acceleration, tilt: Also find the largest multiplier of this load, acceleration [g] or tilt [tangent].
        time: Time at which the loads are evaluated [s].
        thrust: Compute the range of thrust; default: for small structures.
        support: Support at which the thrust is measured; default: that with the largest horizontal reaction.
        direction: Direction of the thrust; default: horizontal, along the reaction.
        chains: Bodies along which thrust lines are drawn; default: chains that are found.
        lines: Compute thrust lines.
        engine: Solver of the conic programs.
        threads: Number of threads; the answer does not depend on it.
        """
        native = self._native(threads).stand(
            action(load, acceleration, tilt),
            float(time),
            thrust,
            support,
            direction_text(direction),
            [str(chain) for chain in chains],
            lines,
            engine,
            None,
            threads,
        )
        return Stand(native, self)

    def limit(
        self,
        load: Named | str | None = None,
        *,
        acceleration: str | Vector | None = None,
        tilt: str | Vector | None = None,
        settlement: str | None = None,
        direction: str | Vector | None = None,
        associated: bool = True,
        cohesion: float = 0.0,
        tension: float = 0.0,
        compression: float | None = None,
        time: float = 0.0,
        cables: Sequence[tuple[str, str, float]] = (),
        engine: Engine = "clarabel",
        threads: int | None = None,
    ) -> Limit:
        """Finds the largest multiplier of a load, and the collapse mechanism; gravity and other loads stay constant.

        load: Name of a load of the scene.
        acceleration: Instead: direction of a ground acceleration; the multiplier is in g.
        tilt: Instead: direction of a tilt of the ground; the multiplier is the tangent of the angle.
        settlement: Instead: support that settles; the multiplier is the settlement at collapse [m].
        direction: Direction of the settlement; default: down.
        associated: Sliding opens the joints, which gives a proof; False: joints slide without opening.
        cohesion, tension, compression: Strengths of the joints [Pa].
        time: Time at which the constant loads are evaluated [s].
        cables: Additional cables between the centroids of two bodies: names and strength [N].
        """
        native = self._native(threads)
        if settlement is not None:
            answer = native.pushover(
                None, settlement, direction_text(direction), None, 400, associated, engine, True, threads
            )
            return Limit(answer)
        asked = action(load, acceleration, tilt)
        if asked is None:
            known = ", ".join(native.loads()) or "the scene has no loads"
            raise SceneError("no load is given", help=f"load ({known}), acceleration, tilt or settlement")
        strength = (float(cohesion), float(tension), compression)
        return Limit(
            native.limit(asked, associated, strength, float(time), engine, list(cables), None, 1.0, threads)
        )

    def envelope(
        self, train: Named | str, *, step: float = 0.1, associated: bool = True, threads: int | None = None
    ) -> Envelope:
        """Finds the multiplier of a train at all its positions, and the worst of them; ``step`` [m] is their distance."""
        return Envelope(self._native(threads).envelope(str(train), float(step), associated, threads))

    # the actions are those of `limit`: keywords of both are written out, so that editors and type checkers show them
    def pushover(
        self,
        load: Named | str | None = None,
        *,
        acceleration: str | Vector | None = None,
        tilt: str | Vector | None = None,
        settlement: str | None = None,
        direction: str | Vector | None = None,
        step: float | None = None,
        steps: int = 400,
        associated: bool = False,
        engine: Engine = "own",
        threads: int | None = None,
    ) -> Pushover:
        """Follows the load–displacement curve up to collapse, or the settlement of a support.

        step: Largest displacement in a step [m]; default: height / 200.
        steps: Maximum number of steps.
        """
        asked = action(load, acceleration, tilt)
        return Pushover(
            self._native(threads).pushover(
                asked, settlement, direction_text(direction), step, steps, associated, engine, False, threads
            )
        )

    def find(
        self,
        key: str,
        end: End,
        *,
        between: tuple[float, float],
        precision: float = 1e-5,
        direction: str | Vector | None = None,
        load: Named | str | None = None,
        acceleration: str | Vector | None = None,
        tilt: str | Vector | None = None,
        at_least: float = 1.0,
        threads: int | None = None,
    ) -> Stand | Limit:
        """Finds the smallest or largest value of a key for which the structure stands, by bisection on proofs.

        key: A key such as "arch.thickness", or "tilt_deg" [degrees], "acceleration" [g].
        between: Interval of the search.
        precision: Precision of the value, relative to the larger end of the interval.
        direction: Direction of a tilt or an acceleration; default: x.
        load, acceleration, tilt: The structure must bear ``at_least`` this multiple of the load, instead of standing.

        The answer is that for the value found; its ``value`` is None if no value stands.
        """
        low, high = between
        search = (key, end, (float(low), float(high)), float(precision), direction_text(direction))
        native = self._native(threads)
        asked = action(load, acceleration, tilt)
        if asked is None:
            return Stand(native.stand(None, 0.0, None, None, None, [], False, "own", search, threads), self)
        return Limit(
            native.limit(asked, True, (0.0, 0.0, None), 0.0, "clarabel", [], search, float(at_least), threads)
        )

    def assess(self, *, threads: int | None = None) -> Assessment:
        """Assesses the scene: verdict, collapse factors of all actions, least thickness, governing joints."""
        answer, page = self._native(threads).assess(threads)
        return Assessment(json.loads(answer), page)

    def run(
        self,
        directory: str | os.PathLike[str] | None = None,
        *,
        overwrite: bool = False,
        dump_problems: int | None = None,
        callback: Callable[[StepInfo], bool | None] | None = None,
        progress: bool = False,
        require_convergence: bool = False,
        threads: int | None = None,
    ) -> Run:
        """Runs all stages.

        directory: Results folder, the same as that of the command; default: the results stay in memory.
        overwrite: Overwrite results in the folder.
        dump_problems: Interval, in steps, at which contact problems are written to the folder.
        callback: Called after every step; the run ends, with a checkpoint, where the answer is True.
        progress: Show the progress on stderr.
        require_convergence: Raise :class:`NotConverged` if a step missed its tolerance.
        threads: Number of threads; the results do not depend on it.

        Ctrl-C ends the run after the present step: :class:`Interrupted` is raised, and the folder can be resumed.
        """
        run = run_stages(self._native(threads), directory, overwrite, dump_problems, callback, progress, threads)
        if require_convergence and run.summary["converged_steps"] < run.summary["steps"]:
            raise NotConverged(f"{run.summary['steps'] - run.summary['converged_steps']} steps missed their tolerance")
        return run

    def stepper(self, *, stage: int | None = None, threads: int | None = None) -> Stepper:
        """A dynamic analysis advanced step by step by the caller: forces, motions of supports and states between two steps.

        stage: Index of the stage whose settings are used; default: the first stage with time steps.
        """
        from .stepper import Stepper

        return Stepper(_native.NativeStepper(self._native(threads), stage, threads), self, threads)


def _restored(text: str, base: str, file: str | None) -> Scene:
    scene = Scene.from_text(text, base=base)
    scene._file = file
    return scene
