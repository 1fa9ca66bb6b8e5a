"""Runs and their results: arrays without a copy, history, tables for pandas and xarray."""

from __future__ import annotations

import contextlib
import html
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from .answers import Certificate, show
from .errors import Interrupted
from .frames import Contacts, Floats, Frame, contact_views
from .history import History

if TYPE_CHECKING:
    from .view import Viewer

#: Units of the arrays of a run.
UNITS = {
    "times": "s",
    "steps": "",
    "positions": "m",
    "orientations": "",
    "velocities": "m/s",
    "spins": "rad/s",
    "absent": "",
    "offsets": "",
    "contact_bodies": "",
    "contact_positions": "m",
    "contact_normals": "",
    "contact_forces": "N",
    "contact_gaps": "m",
    "contact_areas": "m2",
    "contact_frictions": "",
    "contact_statuses": "",
    "contact_damages": "",
    "contact_slips": "m",
    "cable_forces": "N",
}


class StepInfo(NamedTuple):
    """Numbers of one step, for callbacks."""

    #: Steps done.
    step: int
    #: Time at the end of the step [s].
    time: float
    #: True if the step met its tolerance.
    converged: bool
    #: Residual of the contact law, without unit.
    residual: float
    #: Contacts that took part.
    contacts: int
    #: [J]
    kinetic_energy: float
    #: Largest displacement of a centroid from the start [m].
    displacement: float
    #: Largest speed of a centroid [m/s].
    speed: float
    #: Largest penetration [m].
    penetration: float
    #: Force of all supports on the free bodies [N].
    support_reaction: tuple[float, ...]
    #: Values of the probes of the scene, in their order.
    probes: tuple[float, ...]


class Run:
    """A run, in memory or in a folder.

    Arrays are views of the memory of the recorder: read only, without a copy, alive as long as they are held. Arrays
    of a folder are read at the first access; :meth:`frame` reads a single frame.
    """

    def __init__(
        self, recording: _native.Recording | None, summary: dict[str, Any], stopped: bool, directory: str | None = None
    ) -> None:
        self._recording = recording
        self._summary = summary
        self._stopped = stopped
        self._directory = directory
        self._folder: _native.Folder | None = None
        self._history: History | None = None

    @classmethod
    def open(cls, directory: str | os.PathLike[str]) -> Run:
        """Opens a results folder, complete, interrupted or growing."""
        path = os.fspath(directory)
        folder = _native.Folder(path)
        summary = json.loads(folder.summary())
        run = cls(None, summary, not summary.get("finished", False), path)
        run._folder = folder
        return run

    def _all(self) -> _native.Recording:
        if self._recording is None:
            assert self._folder is not None
            self._recording = self._folder.recording()
        return self._recording

    @property
    def directory(self) -> str | None:
        """Results folder; None for a run in memory."""
        return self._directory

    @property
    def summary(self) -> dict[str, Any]:
        """Summary of the run: the JSON output of the command (``--json``)."""
        return self._summary

    @property
    def finished(self) -> bool:
        """True if all stages are done."""
        return not self._stopped

    @property
    def converged(self) -> bool:
        """True if all steps met their tolerance."""
        return bool(self._summary["converged_steps"] == self._summary["steps"])

    def __len__(self) -> int:
        return len(self._folder) if self._recording is None and self._folder else len(self.times)

    def frame(self, index: int) -> Frame:
        """One frame, counted from 0 or from the end; of a folder only this frame is read."""
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"frame {index} of {count}")
        index %= count
        if self._recording is None and self._folder is not None:
            return Frame(self._folder.frames(index, index + 1), 0)
        return Frame(self._all(), index)

    def __iter__(self) -> Iterator[Frame]:
        return (self.frame(index) for index in range(len(self)))

    @property
    def times(self) -> Floats:
        """Times of the frames [s]."""
        found: Floats = self._all().array("times")
        return found

    @property
    def steps(self) -> npt.NDArray[np.uint64]:
        """Steps done at every frame."""
        found: npt.NDArray[np.uint64] = self._all().array("steps")
        return found

    @property
    def positions(self) -> Floats:
        """Centroids [m], frames × bodies × 3."""
        found: Floats = self._all().array("positions")
        return found

    @property
    def orientations(self) -> Floats:
        """Quaternions (x, y, z, w), frames × bodies × 4."""
        found: Floats = self._all().array("orientations")
        return found

    @property
    def velocities(self) -> Floats:
        """Velocities of the centroids [m/s], frames × bodies × 3."""
        found: Floats = self._all().array("velocities")
        return found

    @property
    def spins(self) -> Floats:
        """Angular velocities, world axes [rad/s], frames × bodies × 3."""
        found: Floats = self._all().array("spins")
        return found

    @property
    def absent(self) -> npt.NDArray[np.bool_]:
        """True where a body is not there, frames × bodies."""
        found: npt.NDArray[np.bool_] = self._all().array("absent")
        return found

    @property
    def offsets(self) -> npt.NDArray[np.uint64]:
        """First row of the contacts of every frame; one more at the end."""
        found: npt.NDArray[np.uint64] = self._all().array("offsets")
        return found

    @property
    def contacts(self) -> Contacts:
        """Contacts of all frames; those of frame i are the rows ``offsets[i]`` to ``offsets[i + 1]``."""
        return contact_views(self._all(), slice(None))

    @property
    def cable_forces(self) -> Floats:
        """Tensions of the cables [N], frames × cables."""
        found: Floats = self._all().array("cable_forces")
        return found

    @property
    def bodies(self) -> dict[str, Any]:
        """Names, materials, masses [kg] and volumes [m³] of all bodies, and which are supports."""
        return self._all().bodies()

    @property
    def history(self) -> History:
        """Rows of steps."""
        if self._history is None:
            lone = self._recording is None and self._folder is not None
            self._history = History(self._folder.history() if lone and self._folder else self._all())
        return self._history

    def to_xarray(self) -> Any:
        """Motion of the bodies and contacts as a Dataset over time and body, with units.

        Contacts are ragged: those of frame i are the rows ``offset[i]`` to ``offset[i + 1]`` of the dimension ``contact``;
        ``frame`` is the frame of every one of them.
        """
        import xarray

        axes = {"xyz": ["x", "y", "z"], "xyzw": ["x", "y", "z", "w"]}
        shapes = {
            "positions": "xyz",
            "orientations": "xyzw",
            "velocities": "xyz",
            "spins": "xyz",
        }
        data: dict[str, Any] = {
            name: (("time", "body", axis), getattr(self, name), {"units": UNITS[name]})
            for name, axis in shapes.items()
        }
        contacts = self.contacts
        for name in Contacts._fields:
            key, values = f"contact_{name}", getattr(contacts, name)
            dims = {"bodies": ("contact", "side")}.get(name, ("contact", "xyz") if values.ndim == 2 else ("contact",))
            data[key] = (dims, values, {"units": UNITS[key]})
        coordinates = {
            "time": ("time", self.times, {"units": "s"}),
            "body": ("body", self.bodies["name"]),
            "side": ["candidate", "antagonist"],
            "frame": ("contact", self._frames_of_contacts()),
            "offset": ("edge", self.offsets),
            **axes,
        }
        return xarray.Dataset(data, coords=coordinates, attrs={"title": self._summary.get("title", "")})

    def _frames_of_contacts(self) -> npt.NDArray[np.int64]:
        """The frame of every contact."""
        offsets = self.offsets.astype(np.int64)
        return np.repeat(np.arange(len(offsets) - 1), offsets[1:] - offsets[:-1])

    def contacts_to_pandas(self) -> Any:
        """Contacts of all frames as a DataFrame with one row per contact point: frame, time, names of both bodies, numbers."""
        import pandas

        frames = self._frames_of_contacts()
        contacts, names = self.contacts, np.array(self.bodies["name"])
        columns: dict[str, Any] = {
            "frame": frames,
            "time_s": self.times[frames],
            "candidate": names[contacts.bodies[:, 0]],
            "antagonist": names[contacts.bodies[:, 1]],
        }
        for field, head, unit in (("positions", "", "_m"), ("normals", "n", ""), ("forces", "f", "_n")):
            for axis, letter in enumerate("xyz"):
                columns[f"{head}{letter}{unit}"] = getattr(contacts, field)[:, axis]
        columns.update(gap_m=contacts.gaps, area_m2=contacts.areas, friction=contacts.frictions)
        columns.update(status=contacts.statuses, damage=contacts.damages, slip_m=contacts.slips)
        return pandas.DataFrame(columns)

    def to_pandas(self) -> Any:
        """Motion of the bodies as a DataFrame with one row per frame and body."""
        import pandas

        frames, bodies = self.positions.shape[:2]
        index = pandas.MultiIndex.from_product([self.times, self.bodies["name"]], names=["time_s", "body"])
        columns: dict[str, Any] = {}
        for name, head, unit in (("positions", "", "_m"), ("velocities", "v", "_m_s"), ("spins", "w", "_rad_s")):
            array = getattr(self, name).reshape(frames * bodies, 3)
            for axis, letter in enumerate("xyz"):
                columns[f"{head}{letter}{unit}"] = array[:, axis]
        return pandas.DataFrame(columns, index=index)

    def resume(
        self,
        *,
        callback: Callable[[StepInfo], bool | None] | None = None,
        progress: bool = False,
        threads: int | None = None,
    ) -> Run:
        """Continues the run of the folder; the results are those of a run that was not interrupted."""
        if self._directory is None:
            raise ValueError("a run in memory has no checkpoint; give a folder to scene.run")
        return resume(self._directory, callback=callback, progress=progress, threads=threads)

    def report(self) -> str:
        """Writes the report of the folder, an HTML page; returns its path."""
        if self._directory is None:
            raise ValueError("a run in memory has no report; give a folder to scene.run")
        return str(_native.report(self._directory))

    def view(self, *, port: int | None = None, open_browser: bool = True) -> Viewer:
        """Shows the folder in the browser; does not wait. The handle has the address, and closes the server."""
        from .view import view

        if self._directory is None:
            raise ValueError("a run in memory has no page; give a folder to scene.run")
        return view(self._directory, port=port, open_browser=open_browser)

    @property
    def certificate(self) -> Certificate:
        """The proof: largest residual of the contact law of all steps; proved if every step met its tolerance."""
        residual = self._summary.get("max_residual")
        return Certificate("steps", None if residual is None else float(residual), None, self.converged)

    def picture(self, frame: int = -1, *, scale: float = 1.0, png: bool = False) -> Any:
        """Picture of a frame: SVG as text, or PNG as bytes. In memory elastic blocks are kept without deformation."""
        count = len(self)
        if not -count <= frame < count:
            raise IndexError(f"frame {frame} of {count}")
        pixels = scale if png else None
        if self._folder is not None:
            drawn = self._folder.picture(frame % count, pixels)
        else:
            drawn = self._all().picture(frame % count, str(self._summary.get("title", "")), pixels)
        return drawn if png else drawn.decode()

    def rows(self) -> list[tuple[str, str]]:
        """The run as a short table."""
        keys = ("title", "steps", "converged_steps", "max_residual", "max_displacement_m", "max_penetration_m", "time_s")
        found = [(key, show(self._summary[key])) for key in keys if key in self._summary]
        return [*found, ("frames", show(len(self))), ("finished", show(self.finished))]

    def __str__(self) -> str:
        return "\n".join(f"{name:<20} {value}" for name, value in self.rows())

    def _repr_png_(self) -> bytes | None:
        return self.picture(png=True) if len(self) else None

    def __repr__(self) -> str:
        where = f" in {self._directory}" if self._directory else ""
        state = "" if self.finished else ", stopped"
        title, steps = self._summary.get("title", ""), self._summary["steps"]
        return f"<Run {title!r}: {steps} steps, {len(self)} frames{state}{where}>"

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in self.rows()
        )
        return f"<table>{cells}</table>{self.picture() if len(self) else ''}"


def run_stages(
    native: _native.NativeScene,
    directory: str | os.PathLike[str] | None,
    overwrite: bool,
    dump_problems: int | None,
    callback: Callable[[StepInfo], bool | None] | None,
    progress: bool,
    threads: int | None,
) -> Run:
    """Runs all stages of a model, in memory or to a folder; the arguments are those of :meth:`Scene.run`."""
    call = step_callback(callback)
    show = start_progress(native.steps()) if progress else None
    folder = None if directory is None else os.fspath(directory)
    with finish(folder, show):
        if folder is None:
            recording, (summary, stopped) = native.run_in_memory(threads, call, show)
            return Run(recording, json.loads(summary), stopped)
        _, stopped = native.run(folder, overwrite, dump_problems, threads, call, show)
        run = Run.open(folder)
        run._stopped = stopped
    return run


def resume(
    directory: str | os.PathLike[str],
    *,
    callback: Callable[[StepInfo], bool | None] | None = None,
    progress: bool = False,
    threads: int | None = None,
) -> Run:
    """Continues an interrupted run from its last checkpoint; the results are those of a run that was not interrupted."""
    path = os.fspath(directory)
    show = start_progress(0) if progress else None
    with finish(path, show):
        _, stopped = _native.resume(path, threads, step_callback(callback), show)
        run = Run.open(path)
        run._stopped = stopped
    return run


def step_callback(callback: Callable[[StepInfo], bool | None] | None) -> Callable[..., bool] | None:
    """The user's function as the native part calls it."""
    if callback is None:
        return None
    return lambda *numbers: bool(callback(StepInfo(*numbers)))


def start_progress(total: int) -> Callable[[int], None]:
    """A line on stderr that shows the steps done."""

    def show(done: int) -> None:
        words = f"{done} of {total} steps" if total else f"{done} steps"
        sys.stderr.write(f"\r{words} ")
        sys.stderr.flush()

    return show


@contextlib.contextmanager
def finish(directory: str | None, progress: Callable[[int], None] | None) -> Iterator[None]:
    """Ends a line of progress, and makes Ctrl-C an :class:`Interrupted` with the folder."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        message = "the run was interrupted"
        help = None if directory is None else f"continue with voussoir.resume({directory!r})"
        raise Interrupted(message, directory=directory, help=help) from interrupt
    finally:
        if progress is not None:
            sys.stderr.write("\n")
