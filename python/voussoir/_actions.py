"""Actions of questions as the command writes them."""

from __future__ import annotations

from ._values import Vector
from .errors import SceneError
from .selection import Named


def direction_text(direction: str | Vector | None) -> str | None:
    """A direction as the command writes it: an axis, or one number per axis."""
    if direction is None or isinstance(direction, str):
        return direction
    return ",".join(repr(float(number)) for number in direction)


def action(
    load: Named | str | None, acceleration: str | Vector | None, tilt: str | Vector | None
) -> tuple[str, str] | None:
    """The action of a question and its value: a load, an acceleration or a tilt; at most one may be given."""
    given = [
        ("load", None if load is None else str(load)),
        ("acceleration", direction_text(acceleration)),
        ("tilt", direction_text(tilt)),
    ]
    asked = [(kind, value) for kind, value in given if value is not None]
    if len(asked) > 1:
        raise SceneError("give one of load, acceleration and tilt")
    return asked[0] if asked else None
