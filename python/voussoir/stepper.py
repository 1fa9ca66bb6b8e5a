"""A dynamic analysis advanced step by step by the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._values import Vector
from .errors import Interrupted, NotConverged, SceneError
from .selection import Selection

if TYPE_CHECKING:
    from .scene import Scene

Floats = npt.NDArray[np.float64]


def _three(numbers: Vector) -> tuple[float, float, float]:
    values = [float(number) for number in numbers]
    if not 2 <= len(values) <= 3:
        raise ValueError("a vector has two or three numbers")
    values += [0.0] * (3 - len(values))
    return (values[0], values[1], values[2])


class State:
    """A state of a stepper: positions, velocities and state of all joints, with the forces and motions in effect."""

    def __init__(self, native: _native.NativeState) -> None:
        self._native = native

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._native.time

    @property
    def steps(self) -> int:
        """Steps done."""
        return self._native.steps

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._native == other._native

    __hash__ = None  # type: ignore[assignment]


class Stepper:
    """A dynamic analysis advanced step by step by the caller.

    Several steppers may work in one process and in several threads. The same state with the same forces and motions
    gives the same bits.
    """

    def __init__(self, native: _native.NativeStepper, scene: Scene, threads: int | None) -> None:
        self._native = native
        self._scene = scene
        self._threads = threads
        self._index = {name: index for index, name in enumerate(native.bodies()["name"])}

    def step(self, count: int = 1, *, require_convergence: bool = False) -> dict[str, Any]:
        """Computes steps; returns numbers of the last step: time [s], residual, contacts, kinetic energy [J], …

        require_convergence: Raise :class:`NotConverged` if a step missed its tolerance.

        Ctrl-C ends the steps after the present one: :class:`Interrupted` is raised, and the stepper can continue.
        """
        try:
            missed = self._native.step(count, self._threads)
        except KeyboardInterrupt as interrupt:
            help = "the stepper has the state after the last complete step"
            raise Interrupted("the steps were interrupted", help=help) from interrupt
        if missed and require_convergence:
            raise NotConverged(f"{missed} of {count} steps missed their tolerance")
        return self._native.report()

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._native.time()

    @property
    def names(self) -> list[str]:
        """Names of the bodies, in the order of all arrays."""
        return list(self._index)

    def body(self, body: Selection | str | int) -> int:
        """Index of a body."""
        if isinstance(body, int):
            return body
        name = str(body)
        if name in self._index:
            return self._index[name]
        found = self._scene.names(name)
        if len(found) != 1:
            raise SceneError(f"{name} is {len(found)} bodies; give one of them")
        return self._index[found[0]]

    def push(
        self, body: Selection | str | int, force: Vector = (0.0, 0.0, 0.0), *, moment: Vector | float = (0.0, 0.0, 0.0)
    ) -> None:
        """Holds a force [N] at the centroid of a body and a moment [N·m] on it, until it is changed.

        Forces and moments are in world axes; a moment in 2D is a number.
        """
        turn = (0.0, 0.0, float(moment)) if isinstance(moment, (int, float)) else _three(moment)
        self._native.push(self.body(body), _three(force), turn)

    def move(self, support: Selection | str | int, velocity: Vector) -> None:
        """Moves a support with a velocity [m/s] from now on; it must have no motion in the scene."""
        self._native.drive(self.body(support), _three(velocity))

    @property
    def positions(self) -> Floats:
        """Centroids [m], bodies × 3."""
        found: Floats = self._native.motion()["positions"]
        return found

    @property
    def velocities(self) -> Floats:
        """Velocities of the centroids [m/s], bodies × 3."""
        found: Floats = self._native.motion()["velocities"]
        return found

    @property
    def motion(self) -> dict[str, Floats]:
        """Positions [m], orientations (quaternions x, y, z, w), velocities [m/s] and spins [rad/s] of all bodies."""
        return self._native.motion()

    @property
    def contacts(self) -> dict[str, Any]:
        """Bodies, positions [m], normals, forces [N], gaps [m] and statuses of the contacts of the last step."""
        return self._native.contacts()

    @property
    def state(self) -> State:
        """A copy of the state; assign one to go back to it."""
        return State(self._native.state())

    @state.setter
    def state(self, state: State) -> None:
        self._native.set_state(state._native)
