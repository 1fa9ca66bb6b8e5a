"""Thrust of a structure: its range, and thrust lines."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class Thrust(NamedTuple):
    """A horizontal reaction: as found, and its range."""

    #: Name of the place.
    at: str
    #: Thrust in the state that was found [N].
    found: float
    #: Smallest thrust [N], or None.
    smallest: float | None
    #: Largest thrust [N], or None where it is unbounded or was not computed.
    largest: float | None
    #: Direction.
    direction: tuple[float, ...]

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Smallest and largest thrust [N]."""
        return (self.smallest, self.largest)


class ThrustLine(NamedTuple):
    """A thrust line, joint by joint."""

    #: Name of the chain of bodies.
    chain: str
    #: "found", "minimum", "maximum" or "funicular".
    kind: str
    #: Centres of pressure [m], joints × 3.
    points: Array
    #: Forces on the link after each joint [N], joints × 3.
    forces: Array
    #: 0 at the centre of a joint, 1 at its edge.
    eccentricity: Array
    #: Friction over its limit; 1 slips.
    friction_use: Array


def read_thrust(found: dict[str, Any]) -> Thrust:
    """A thrust from the JSON of an answer."""

    def end(key: str) -> float | None:
        return None if found[key] is None else float(found[key])

    direction = tuple(float(number) for number in found["direction"])
    return Thrust(str(found["at"]), float(found["found_n"]), end("min_n"), end("max_n"), direction)


def read_line(found: dict[str, Any]) -> ThrustLine:
    """A thrust line from the JSON of an answer."""
    points = found["points"]

    def column(key: str) -> Array:
        return np.array([np.nan if point[key] is None else point[key] for point in points])

    return ThrustLine(
        str(found["chain"]),
        str(found["kind"]),
        np.array([point["at"] for point in points]).reshape(-1, 3),
        np.array([point["force_n"] for point in points]).reshape(-1, 3),
        column("eccentricity"),
        column("friction_use"),
    )
