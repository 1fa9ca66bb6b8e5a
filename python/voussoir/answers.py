"""Answers of questions: typed numbers, a short table, pictures, and the certificate."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _native
from .thrust import Array, Thrust, ThrustLine, read_line, read_thrust

if TYPE_CHECKING:
    from .scene import Scene


def show(value: Any) -> str:
    """A value in a table."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


class Answer:
    """An answer: its data, a short table, and how it is shown in a notebook."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    @property
    def data(self) -> dict[str, Any]:
        """The JSON output of the command (``--json``)."""
        return self._data

    def rows(self) -> list[tuple[str, str]]:
        """The short table."""
        return [(key, show(value)) for key, value in self._data.items() if not isinstance(value, (list, dict))]

    def __str__(self) -> str:
        rows = self.rows()
        width = max((len(name) for name, _ in rows), default=0)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>\n{self}"

    def svg(self) -> str:
        """Picture of the answer as SVG; empty if it has none."""
        return ""

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in self.rows()
        )
        return f"<table>{cells}</table>{self.svg()}"


class Certificate(NamedTuple):
    """The proof of an answer."""

    #: "forces": admissible forces in equilibrium; "mechanism": a motion that the loads drive; "bounds": a lower and an upper
    #: bound that coincide; "steps": steps that met the contact law; "none".
    kind: str
    #: Largest violation of the contact law and of equilibrium, without unit.
    residual: float | None
    #: Largest force or moment that is not in balance, relative to the loads.
    imbalance: float | None
    #: True if the answer is proved.
    proved: bool


class StaticAnswer(Answer):
    """An answer of a static question."""

    def __init__(self, native: _native.StaticAnswer, scene: Scene | None = None) -> None:
        super().__init__(json.loads(native.json))
        self._native = native
        # the folder of an imported scene lives as long as its answers
        self._scene = scene

    @property
    def scene_text(self) -> str:
        """Text of the scene that the answer is for: after a search, the one with the value found."""
        return self._native.scene

    @property
    def value(self) -> float | None:
        """Value that a search found; None without a search, or if no value stands."""
        return self._number("value")

    @property
    def interval(self) -> tuple[float, float] | None:
        """Interval in which a search has found the limiting value."""
        if "lower" not in self._data or "evaluations" not in self._data:
            return None
        return (float(self._data["lower"]), float(self._data["upper"]))

    @property
    def time(self) -> float:
        """Computing time [s]."""
        return float(self._data.get("time_s") or 0.0)

    @property
    def mechanism(self) -> dict[str, Any] | None:
        """Hinges, slips and motions of the bodies of the collapse mechanism."""
        found: dict[str, Any] | None = self._data.get("mechanism")
        return found

    def contacts(self) -> dict[str, Any]:
        """Positions [m], normals, forces [N], areas [m²] and bodies of the contacts, as arrays."""
        return self._native.contacts()

    def svg(self) -> str:
        """Elevation with thrust lines, hinges and slips, or a curve, as SVG."""
        return self._native.svg()

    def png(self, scale: float = 1.0) -> bytes | None:
        """Blocks and contact forces, or the curve, as PNG; None for an answer without a picture."""
        return self._native.png(scale)

    def _repr_png_(self) -> bytes | None:
        return self.png()

    def _number(self, key: str) -> float | None:
        value = self._data.get(key)
        return None if value is None else float(value)


class Stand(StaticAnswer):
    """Whether a structure stands."""

    @property
    def stands(self) -> bool | None:
        """True or False with a proof; None: not decided."""
        found: bool | None = self._data["stands"]
        return found

    @property
    def verdict(self) -> str:
        """The verdict in words: stands, wedged, collapses or not decided."""
        return str(self._data["verdict"])

    @property
    def margin(self) -> float | None:
        """Smallest safety margin: 0 at the edge of collapse."""
        return self._number("margin")

    @property
    def geometric_margin(self) -> float | None:
        """Distance of the thrust line from the edges of the joints, relative to the joints."""
        return self._number("geometric_margin")

    @property
    def friction_margin(self) -> float | None:
        """Unused part of the friction limit, relative to the limit."""
        return self._number("friction_margin")

    @property
    def certificate(self) -> Certificate:
        """The proof of the verdict."""
        return Certificate(
            str(self._data["certificate"]),
            self._number("residual"),
            self._number("imbalance"),
            self._data["stands"] is not None,
        )

    def save(self, directory: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the results folder of ``voussoir stand -o``: recording, joints, thrust lines, pictures."""
        self._native.save(directory, overwrite)

    @property
    def weight(self) -> float:
        """Weight of the free bodies [N]."""
        return float(self._data["weight_n"])

    @property
    def support_reaction(self) -> float:
        """Vertical reaction of all supports [N]."""
        return float(self._data["support_reaction_n"])

    @property
    def thrust(self) -> Thrust | None:
        """Largest horizontal reaction with its range."""
        found = self._data.get("thrust")
        return None if found is None else read_thrust(found)

    @property
    def thrusts(self) -> list[Thrust]:
        """The same for every place where the structure rests on a support."""
        several = self._data.get("thrusts") or ([self._data["thrust"]] if self._data.get("thrust") else [])
        return [read_thrust(found) for found in several]

    @property
    def load_factor(self) -> float | None:
        """Largest multiplier of the requested load."""
        found = self._data.get("load_factor")
        return None if found is None or found.get("multiplier") is None else float(found["multiplier"])

    @property
    def lines(self) -> list[ThrustLine]:
        """All thrust lines."""
        return [read_line(found) for found in json.loads(self._native.lines)]

    def thrust_line(self, chain: str | None = None, kind: str = "found") -> ThrustLine:
        """The thrust line of a chain of bodies: "found", "minimum", "maximum" or "funicular"."""
        lines = [line for line in self.lines if line.kind == kind]
        for line in lines:
            if chain is None or line.chain == str(chain) or line.chain.startswith(f"{chain}."):
                return line
        known = ", ".join(sorted({line.chain for line in lines})) or "none"
        raise KeyError(f"no thrust line {kind!r} of {chain!r}; chains: {known}")

    def rows(self) -> list[tuple[str, str]]:
        thrust = self.thrust
        rows = [("verdict", self.verdict)]
        if "value" in self._data:
            rows.append(("value found", show(self.value)))
        rows += [("margin", show(self.margin)), ("certificate", self.certificate.kind)]
        if thrust is not None:
            low, high = thrust.interval
            rows.append((f"thrust at {thrust.at} [N]", f"{show(thrust.found)}, {show(low)} … {show(high)}"))
        if self.load_factor is not None:
            rows.append(("load factor", show(self.load_factor)))
        rows.append(("weight [N]", show(self.weight)))
        rows.append(("size", f"{self._data['blocks']} blocks, {self._data['contacts']} contacts"))
        return rows


class Limit(StaticAnswer):
    """Largest multiplier of a load."""

    @property
    def multiplier(self) -> float | None:
        """Largest multiplier; None if the load is unbounded or nothing was decided."""
        return self._number("multiplier")

    @property
    def upper(self) -> float | None:
        """Upper bound of the multiplier, by a mechanism."""
        return self._number("upper")

    @property
    def verdict(self) -> str:
        """limit, unbounded, falls or undecided."""
        return str(self._data["verdict"])

    @property
    def certificate(self) -> Certificate:
        """The proof: lower and upper bound coincide."""
        kind = "bounds" if self._data.get("proved") else "none"
        return Certificate(kind, self._number("gap"), self._number("imbalance"), bool(self._data.get("proved")))

    def rows(self) -> list[tuple[str, str]]:
        rows = [("load", str(self._data["load"])), ("verdict", self.verdict)]
        if "evaluations" in self._data:
            rows.append(("value found", show(self.value)))
        rows += [("multiplier", show(self.multiplier)), ("upper bound", show(self.upper))]
        rows += [("proved", show(bool(self._data.get("proved")))), ("blocks", show(self._data.get("blocks")))]
        return rows


class Envelope(StaticAnswer):
    """Multiplier of a train at all its positions."""

    @property
    def multiplier(self) -> float | None:
        """Multiplier at the worst position."""
        worst = self._data.get("worst")
        return None if not worst or worst.get("multiplier") is None else float(worst["multiplier"])

    @property
    def worst(self) -> dict[str, Any] | None:
        """The worst position."""
        worst: dict[str, Any] | None = self._data.get("worst")
        return worst

    @property
    def certificate(self) -> Certificate:
        """The proof: lower and upper bound coincide at every position."""
        worst = self._data.get("answer") or {}
        proved = bool(self._data.get("points")) and not self._data.get("undecided")
        return Certificate("bounds" if proved else "none", worst.get("gap"), worst.get("imbalance"), proved)

    @property
    def points(self) -> list[dict[str, Any]]:
        """All positions."""
        return list(self._data["points"])

    def rows(self) -> list[tuple[str, str]]:
        return [("multiplier", show(self.multiplier)), ("positions", show(len(self.points)))]


class Pushover(StaticAnswer):
    """Load–displacement curve."""

    @property
    def displacement(self) -> Array:
        """Displacement at every point of the curve [m]."""
        return np.array([point["displacement_m"] for point in self._data["points"]])

    @property
    def load(self) -> Array:
        """Multiplier of the load, or reaction of the support [N], at every point."""
        return np.array([point["load"] for point in self._data["points"]])

    @property
    def capacity(self) -> float:
        """Displacement at the end of the curve [m]."""
        return float(self._data["capacity_m"])

    @property
    def end(self) -> str:
        """How the curve ends: collapse, no-equilibrium, steps, unbounded or undecided."""
        return str(self._data["end"])

    @property
    def certificate(self) -> Certificate:
        """The proof of the first point, where the load is largest: lower and upper bound coincide."""
        limit = self._data.get("limit") or {}
        proved = bool(limit.get("proved"))
        return Certificate("bounds" if proved else "none", limit.get("gap"), limit.get("imbalance"), proved)

    @property
    def peak(self) -> float | None:
        """Largest load of the curve."""
        return float(self.load.max()) if len(self.load) else None

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("load", str(self._data.get("load", ""))),
            ("peak", show(self.peak)),
            ("displacement at the end [m]", show(self.capacity)),
            ("end", self.end),
            ("points", show(len(self.load))),
        ]


class Check(Answer):
    """Description of a scene before a run."""

    def __init__(self, data: dict[str, Any], text: str, scene: Scene) -> None:
        super().__init__(data)
        self._text = text
        self._scene = scene

    @property
    def bodies(self) -> int:
        """Number of bodies, supports included."""
        return int(self._data["bodies"])

    @property
    def contacts(self) -> int:
        """Number of contact points."""
        return int(self._data["contacts"])

    @property
    def mass(self) -> float:
        """Mass of the free bodies [kg]."""
        return float(self._data["mass_kg"])

    @property
    def weight(self) -> float:
        """Weight of the free bodies [N]."""
        return float(self._data["weight_n"])

    @property
    def overlaps(self) -> int:
        """Number of pairs of blocks that overlap."""
        return int(self._data["overlaps"])

    @property
    def floating(self) -> list[str]:
        """Names of free blocks without a path of closed contacts and cables to a support."""
        return list(self._data["floating_names"])

    @property
    def warnings(self) -> list[str]:
        """Repairs and warnings of the scene."""
        return list(self._data["warnings"])

    def svg(self) -> str:
        return str(self._scene.picture())

    def _repr_png_(self) -> bytes:
        drawn: bytes = self._scene.picture(png=True)
        return drawn

    def __str__(self) -> str:
        return self._text


class Assessment(Answer):
    """Verdict, factors and governing joints of all actions."""

    def __init__(self, data: dict[str, Any], page: str) -> None:
        super().__init__(data)
        self._page = page

    @property
    def satisfied(self) -> bool | None:
        """True if all cases are satisfied; None: not decided."""
        found: bool | None = self._data["satisfied"]
        return found

    @property
    def cases(self) -> list[dict[str, Any]]:
        """All load cases with their factors."""
        return list(self._data["cases"])

    @property
    def page(self) -> str:
        """The report as an HTML page."""
        return self._page


class Solution(Answer):
    """Solution of a contact problem."""

    @property
    def impulses(self) -> Array:
        """Impulses, contacts × components: normal, then tangential [N·s]."""
        found: Array = self._data["impulses"]
        return found

    @property
    def converged(self) -> bool:
        """True if both residuals are below the tolerance."""
        return bool(self._data["status"] == "converged")

    @property
    def certificate(self) -> Certificate:
        """The proof: residual of the contact law, below the tolerance."""
        return Certificate("forces" if self.converged else "none", self.residual, None, self.converged)

    @property
    def residual(self) -> float:
        """Residual as Siconos defines it."""
        return float(self._data["residual"])

    def rows(self) -> list[tuple[str, str]]:
        return [(key, show(value)) for key, value in self._data.items() if key != "impulses"]


class Validation(Answer):
    """Validation cases with expected and computed values."""

    def __init__(self, data: dict[str, Any], text: str) -> None:
        super().__init__(data)
        self._text = text

    @property
    def failed(self) -> int:
        """Number of cases that failed."""
        return int(self._data["failed"])

    @property
    def passed(self) -> int:
        """Number of cases that passed."""
        return int(self._data["passed"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._data["cases"])

    def __str__(self) -> str:
        return self._text
