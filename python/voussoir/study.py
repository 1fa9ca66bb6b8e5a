"""Studies: one question for many samples of a scene, one table."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _native
from ._values import Table, plain
from .distributions import Distribution
from .errors import Interrupted, SceneError
from .fragility import Picture, hazard_keys
from .samples import SampleTable
from .scene import Scene

if TYPE_CHECKING:
    from .run import Run

Ask = Literal["stand", "limit", "find", "run", "ida"]
Engine = Literal["threads", "dask"]
#: Values of a key: a number, a list, a distribution, "sample", or keys such as ``{"from": 0, "to": 1, "count": 5}``.
Values = float | Sequence[float] | npt.NDArray[Any] | Distribution | str | Mapping[str, Any]

#: Name of the scene in a folder that :meth:`Study.save` writes.
SCENE = "scene.toml"


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _vary(value: Values) -> Any:
    if isinstance(value, Distribution):
        return value.spec
    found = plain(value)
    return [float(item) for item in found] if isinstance(found, list) else found


def _damage(states: Mapping[str, Any]) -> Table:
    """Damage states: keys of a study file, or a triple such as ("end_drop_m", ">", 0.2)."""
    words = {">": "above", "above": "above", "<": "below", "below": "below"}
    found: Table = {}
    for name, state in states.items():
        if isinstance(state, Mapping):
            found[name] = plain(state)
            continue
        measure, word, limit = state
        if word not in words:
            raise SceneError(f"damage {name!r}: write (measure, \">\", limit) or (measure, \"<\", limit)")
        found[name] = {"measure": str(measure), words[word]: float(limit)}
    return found


def _limit(limit: Any) -> Any:
    return {"load": str(limit)} if limit is not None and not isinstance(limit, Mapping) else plain(limit or {})


def _given(table: Any, base: str) -> Any:
    """Given samples: a file, a DataFrame, columns, or keys and rows."""
    if isinstance(table, (str, os.PathLike)):
        return os.path.join(os.path.abspath(base), os.fspath(table))
    if hasattr(table, "columns") and hasattr(table, "to_numpy"):
        return _rows(list(table.columns), table.to_numpy(dtype=float))
    if isinstance(table, Mapping):
        columns = [np.ravel(np.asarray(column, dtype=float)) for column in table.values()]
        return _rows(list(table), np.stack(columns, axis=1))
    keys, rows = table
    return _rows(keys, np.asarray(rows, dtype=float))


def _rows(keys: Sequence[Any], rows: npt.NDArray[Any]) -> Table:
    if rows.ndim != 2 or rows.shape[1] != len(keys):
        raise SceneError(f"table: {rows.shape} numbers for {len(keys)} keys; one row per sample is needed")
    wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(wrong):
        raise SceneError(f"table, row {wrong[0] + 1}: a number is not finite")
    return {"keys": [str(key) for key in keys], "rows": rows.tolist()}


class Study:
    """A study: one question for many samples of a scene.

    The study is checked when it is made: unknown keys, impossible distributions and missing records are refused.

    scene: The scene.
    vary: Values by key of the scene: lists, distributions, or ``{"from": …, "to": …, "count": …}``. Every value of the
        lists is combined with every sample of the distributions.
    samples: Number of samples of the distributions; of a grid, of every single one.
    design: "lhs" (Latin hypercube), "random", "sobol", or "grid": ``samples`` even quantiles of every distribution, all
        combined.
    seed: Seed of random designs.
    correlations: Correlations of the normal scores of two distributions: ``{("friction", "arch.thickness"): 0.5}``.
    table: Samples instead of distributions: a DataFrame, columns by key, ``(keys, rows)``, or a CSV file.
    motions: Ground motions, by the keys of a study file: records, direction, im, levels or scales, …
    ask: "stand", "limit", "find", "run" (all stages) or "ida" (intensity at which a damage state begins, by bisection).
    limit: A load, ``{"acceleration": "x"}`` or ``{"tilt": "x"}``.
    find: The search: key, find ("smallest" or "largest"), between.
    ida: The search: damage, between, precision.
    keep: Numbers of the answer that are columns, as paths into its JSON: "margin", "thrust.min_n".
    damage: Damage states: ``{"fell": ("end_drop_m", ">", 0.2)}``.
    fragility: Curves of the report, by the keys of a study file.
    folders: Samples whose results folders are kept, with ``ask="run"``.
    time_limit: Time limit of a sample [s].
    base: Folder that records and tables are relative to; default: the current one.
    """

    def __init__(
        self,
        scene: Scene | str | os.PathLike[str],
        *,
        vary: Mapping[str, Values] | None = None,
        samples: int | None = None,
        design: Literal["lhs", "random", "sobol", "grid"] = "lhs",
        seed: int = 0,
        correlations: Mapping[tuple[str, str], float] | None = None,
        table: Any = None,
        motions: Mapping[str, Any] | None = None,
        ask: Ask = "stand",
        limit: Any = None,
        find: Mapping[str, Any] | None = None,
        ida: Mapping[str, Any] | None = None,
        keep: Sequence[str] = (),
        damage: Mapping[str, Any] | None = None,
        fragility: Sequence[Mapping[str, Any]] = (),
        folders: Sequence[int] = (),
        time_limit: float | None = None,
        title: str = "",
        base: str | os.PathLike[str] = "",
    ) -> None:
        if not isinstance(scene, Scene):
            scene = Scene.read(scene)
        if samples is not None and (int(samples) != samples or samples < 1):
            raise SceneError(f"samples = {samples}: a whole number from 1 is needed")
        pairs = (correlations or {}).items()
        curves = [{**item, "hazard": hazard_keys(item["hazard"])} if item.get("hazard") else dict(item) for item in fragility]
        spec: Table = {
            "title": title or scene.title,
            "scene": SCENE,
            "ask": ask,
            "samples": None if samples is None else int(samples),
            "design": design,
            "seed": seed,
            "vary": {key: _vary(value) for key, value in (vary or {}).items()},
            "correlations": [{"between": list(pair), "coefficient": float(value)} for pair, value in pairs],
            "table": None if table is None else _given(table, os.fspath(base)),
            "motions": None if motions is None else plain(motions),
            "limit": None if limit is None else _limit(limit),
            "find": None if find is None else plain(find),
            "ida": None if ida is None else plain(ida),
            "keep": list(keep),
            "damage": _damage(damage or {}),
            "fragility": plain(curves),
            "folders": [int(index) for index in folders],
            "time_limit": time_limit,
        }
        self._open({key: value for key, value in spec.items() if value is not None}, scene.text, scene.base, base)

    def _open(self, spec: Table, text: str, folder: str, base: str | os.PathLike[str]) -> None:
        self._spec = spec
        self._text = text
        self._folder = os.path.abspath(folder)
        self._base = os.path.abspath(os.fspath(base))
        try:
            asked = json.dumps(spec, allow_nan=False)
        except ValueError as error:
            raise SceneError("a number of the study is not finite") from error
        self._native = _native.NativeStudy(asked, text, self._folder, self._base)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Study:
        """Reads a study file of ``voussoir sweep``, and its scene."""
        place = pathlib.Path(path)
        try:
            spec = json.loads(_native.NativeStudy.spec_of(place.read_text(encoding="utf-8")))
        except OSError as error:
            raise SceneError(f"cannot read {place}: {error}", file=os.fspath(place)) from error
        scene = Scene.read(place.parent / spec["scene"])
        study = cls.__new__(cls)
        kept = {key: value for key, value in spec.items() if value is not None}
        kept["scene"] = pathlib.PurePath(spec["scene"]).name
        study._open(kept, scene.text, scene.base, place.parent)
        return study

    def save(self, folder: str | os.PathLike[str]) -> pathlib.Path:
        """Writes ``study.toml`` and ``scene.toml`` for ``voussoir sweep``; returns the path of the study.

        Files that scene and study refer to are not copied: the folder must be one that their names are relative to.
        """
        place = pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        (place / str(self._spec["scene"])).write_text(self._text, encoding="utf-8")
        (place / "study.toml").write_text(self._native.toml(), encoding="utf-8")
        return place / "study.toml"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._spec, self._text, self._folder, self._base))

    @property
    def spec(self) -> Table:
        """Keys and values as a study file writes them."""
        return self._spec

    @property
    def fingerprint(self) -> str:
        """Hash of scene, question and version of the program: the rows in a folder belong to one of them."""
        return self._native.fingerprint()

    @property
    def keys(self) -> list[str]:
        """Keys of the scene that vary."""
        return self._native.keys()

    @property
    def columns(self) -> list[str]:
        """Columns of the answers."""
        return self._native.columns()

    def __len__(self) -> int:
        return len(self._native)

    @property
    def samples(self) -> dict[str, Any]:
        """Values of all samples before they are computed: an array per key; names; records and scales."""
        rows = np.array(self._native.values()).reshape(len(self), len(self.keys))
        found: dict[str, Any] = {"name": [name for name, _ in self._native.names()]}
        found.update({key: rows[:, index] for index, key in enumerate(self.keys)})
        motions = self._native.motions()
        if any(motion is not None for motion in motions):
            found["record"] = [motion[0] if motion else "" for motion in motions]
            found["scale"] = np.array([motion[1] if motion else np.nan for motion in motions])
        return found

    def scene(self, index: int) -> Scene:
        """The scene of a sample."""
        return Scene.from_text(self._native.scene(index), base=self._folder)

    def run(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        engine: Engine = "threads",
        threads: int | None = None,
        workers: int | None = None,
        address: str | None = None,
        client: Any = None,
        part: tuple[int, int] = (1, 1),
        progress: bool = False,
        callback: Callable[[int, int], bool | None] | None = None,
    ) -> SampleTable:
        """Computes all samples and returns their table, bit-identical for every engine.

        folder: Folder of the journal, the table and the report: the same call continues the study after Ctrl-C, a
            kill or a power cut. Without a folder an interrupted study starts again.
        engine: "threads" of this process, or "dask".
        threads: Samples at the same time, with "threads"; default: all cores.
        workers: Processes of a LocalCluster, with "dask"; default: all cores.
        address: Address of a Dask scheduler, such as "tcp://node1:8786"; its workers need this package and the folder of
            the scene.
        client: An existing client of Dask.
        part: Compute one part only: (3, 40) is the third of forty.
        progress: Show the progress on stderr.
        callback: Called with samples done and samples of the study; the study stops if its answer is True.
        """
        call = _progress(callback) if progress else callback
        with _place(folder) as place, _ending(folder, progress):
            if engine == "threads":
                count = threads or cores()
                watch = None if call is None else lambda done, total, status: bool(call(done, total))
                self._native.run(place, count, part, watch)
            elif engine == "dask":
                from . import _dask

                if part != (1, 1):
                    raise ValueError("parts are for engine=\"threads\"; Dask divides the samples itself")
                _dask.run(self, place, address=address, client=client, workers=workers, call=call)
            else:
                raise ValueError(f"engine {engine!r}: \"threads\" or \"dask\"")
            table = SampleTable(self._native.table(place), self)
            table._tell_missing()
            if folder is not None and part == (1, 1):
                _write(pathlib.Path(place) / "samples.csv", table.csv())
                _write(pathlib.Path(place) / "report.html", table.page())
        return table

    def collect(self, folder: str | os.PathLike[str]) -> SampleTable:
        """The table of the samples that are in a folder, of all its parts."""
        return SampleTable(self._native.table(os.path.abspath(folder)), self)

    def result(self, folder: str | os.PathLike[str], index: int) -> Run:
        """The run of a sample whose results folder was kept."""
        from .run import Run

        found = self._native.folder_of(os.path.abspath(folder), index)
        if found is None:
            raise SceneError(f"the results of sample {index} are not kept; add it to folders=")
        return Run.open(found)

    def slurm(self, folder: str | os.PathLike[str], parts: int, *, study: str | os.PathLike[str] | None = None) -> str:
        """A script for ``sbatch``: an array of jobs, each one part of the study; ``study.toml`` is written into the folder."""
        path = self.save(folder) if study is None else pathlib.Path(study)
        return self._native.slurm("voussoir", os.path.abspath(path), os.path.abspath(folder), parts)

    def salib(self) -> dict[str, Any]:
        """The problem of SALib: names, bounds and distributions of the keys that vary by distributions.

        Samples that SALib makes go into ``Study(scene, table=(study.keys, rows))``.
        """
        found: dict[str, Any] = {"num_vars": 0, "names": [], "bounds": [], "dists": []}
        for key, value in sorted(self._spec["vary"].items()):
            bounds, kind = _salib(key, value)
            found["names"].append(key)
            found["bounds"].append(bounds)
            found["dists"].append(kind)
        found["num_vars"] = len(found["names"])
        return found

    def tornado(self, column: str, *, quantiles: tuple[float, float] = (0.1, 0.9), threads: int | None = None) -> Tornado:
        """Computes the answer at a low and a high value of every distribution, all others at their medians."""
        ranges = {
            key: Distribution(dict(value)).quantile([0.5, *quantiles])
            for key, value in sorted(self._spec["vary"].items())
            if isinstance(value, Mapping) and "distribution" in value
        }
        if not ranges:
            raise SceneError("a tornado needs keys with distributions")
        middle = [values[0] for values in ranges.values()]
        rows = [middle]
        for index, values in enumerate(ranges.values()):
            rows += [[*middle[:index], end, *middle[index + 1 :]] for end in values[1:]]
        spec = {key: value for key, value in self._spec.items() if key not in ("samples", "correlations", "folders", "fragility")}
        spec = {**spec, "vary": {}, "table": {"keys": list(ranges), "rows": [[float(x) for x in row] for row in rows]}}
        study = _restored(spec, self._text, self._folder, self._base)
        answers = study.run(threads=threads)[column]
        bars = [
            (key, (float(values[1]), float(values[2])), (float(answers[1 + 2 * i]), float(answers[2 + 2 * i])))
            for i, (key, values) in enumerate(ranges.items())
        ]
        return Tornado(column, float(answers[0]), bars)

    def __repr__(self) -> str:
        return f"<Study {self._spec['title']!r}: {len(self)} samples, ask {self._spec['ask']!r}>"


class Tornado:
    """Answers at low and high values of every variable, the longest bar first."""

    def __init__(
        self, column: str, middle: float, bars: list[tuple[str, tuple[float, float], tuple[float, float]]]
    ) -> None:
        #: Column of the answer.
        self.column = column
        #: Answer at the medians.
        self.middle = middle
        #: Variable, its low and high value, the answers there.
        self.bars = sorted(bars, key=lambda bar: -abs(bar[2][1] - bar[2][0]))

    def plot(self) -> Picture:
        """The bars as a picture."""
        ends = [end for _, _, answers in self.bars for end in answers] + [self.middle]
        low, high = min(ends), max(ends)
        span = (high - low) or 1.0

        def place(value: float) -> float:
            return 200.0 + 500.0 * (value - low) / span

        height = 30 * len(self.bars) + 50
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" font-size="13">']
        for row, (name, values, (first, second)) in enumerate(self.bars):
            left, right = sorted((place(first), place(second)))
            parts.append(
                f'<rect x="{left:.1f}" y="{30 * row + 8}" width="{right - left:.1f}" height="20" fill="#9ecae1"/>'
                f'<text x="190" y="{30 * row + 23}" text-anchor="end">{name} {values[0]:.4g} … {values[1]:.4g}</text>'
            )
        x, bottom = place(self.middle), height - 40
        parts.append(f'<line x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{bottom}" stroke="#333333"/>')
        for value in (low, self.middle, high):
            parts.append(f'<text x="{place(value):.1f}" y="{height - 20}" text-anchor="middle">{value:.4g}</text>')
        return Picture("\n".join([*parts, "</svg>"]))

    def __repr__(self) -> str:
        rows = [f"  {name}: {answers[0]:.6g} … {answers[1]:.6g}" for name, _, answers in self.bars]
        return "\n".join([f"<Tornado of {self.column}, {self.middle:.6g} at the medians", *rows, ">"])


def _salib(key: str, value: Any) -> tuple[list[float], str]:
    kind = value.get("distribution") if isinstance(value, Mapping) else None
    if kind == "uniform":
        return [value["low"], value["high"]], "unif"
    if kind == "normal":
        return [value["mean"], value["deviation"]], "norm"
    if kind == "lognormal":
        return [float(np.log(value["median"])), value["deviation"]], "lognorm"
    if kind == "triangular":
        low, mode, high = value["low"], value["mode"], value["high"]
        return [low, high, (mode - low) / (high - low)], "triang"
    if kind == "truncated" and value["of"]["distribution"] == "normal" and {"low", "high"} <= value.keys():
        return [value["low"], value["high"], value["of"]["mean"], value["of"]["deviation"]], "truncnorm"
    raise SceneError(f"{key}: SALib has no distribution like {value}")


def _restored(spec: Table, text: str, folder: str, base: str) -> Study:
    study = Study.__new__(Study)
    study._open(spec, text, folder, base)
    return study


def _write(path: pathlib.Path, text: str) -> None:
    """Replaces a file atomically: a reader finds the old or the new content."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


@contextlib.contextmanager
def _place(folder: str | os.PathLike[str] | None) -> Iterator[str]:
    """The folder of the journal: that of the user, or a temporary folder."""
    if folder is not None:
        yield os.path.abspath(folder)
    else:
        with tempfile.TemporaryDirectory(prefix="voussoir-study-") as place:
            yield place


@contextlib.contextmanager
def _ending(folder: str | os.PathLike[str] | None, progress: bool) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as interrupt:
        help = None if folder is None else "the same call continues the study"
        directory = None if folder is None else os.fspath(folder)
        raise Interrupted("the study was interrupted", directory=directory, help=help) from interrupt
    finally:
        if progress:
            sys.stderr.write("\n")


def _progress(callback: Callable[[int, int], bool | None] | None) -> Callable[[int, int], bool | None]:
    last = -1.0

    def show(done: int, total: int) -> bool | None:
        nonlocal last
        now = time.monotonic()
        if done < total and now - last < 0.1:
            return callback(done, total) if callback is not None else None
        last = now
        sys.stderr.write(f"\r{done} of {total} samples ")
        sys.stderr.flush()
        return callback(done, total) if callback is not None else None

    return show
