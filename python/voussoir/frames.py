"""Frames of a run: positions, motion and contacts at one time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native

Floats = npt.NDArray[np.float64]


class Contacts(NamedTuple):
    """Contacts of one frame or of all frames: views, read only."""

    #: Candidate and antagonist, as indices of bodies.
    bodies: npt.NDArray[np.uint32]
    #: [m]
    positions: Floats
    #: From antagonist to candidate.
    normals: Floats
    #: Force on the candidate, world axes [N].
    forces: Floats
    #: [m]
    gaps: Floats
    #: Area that the point stands for [m²].
    areas: Floats
    #: Coefficients of friction.
    frictions: Floats
    #: 0 open, 1 stick, 2 slide.
    statuses: npt.NDArray[np.uint8]
    #: Damage of the bond: 0 intact … 1 broken.
    damages: Floats
    #: Sliding path since the contact was detected [m].
    slips: Floats


class Frame:
    """One frame of a run."""

    def __init__(self, native: _native.Recording, index: int) -> None:
        self._native = native
        self._index = index

    @property
    def time(self) -> float:
        """[s]"""
        return float(self._native.array("times")[self._index])

    @property
    def positions(self) -> Floats:
        """Centroids [m], bodies × 3."""
        found: Floats = self._native.array("positions")[self._index]
        return found

    @property
    def orientations(self) -> Floats:
        """Quaternions (x, y, z, w), bodies × 4."""
        found: Floats = self._native.array("orientations")[self._index]
        return found

    @property
    def velocities(self) -> Floats:
        """Velocities of the centroids [m/s], bodies × 3."""
        found: Floats = self._native.array("velocities")[self._index]
        return found

    @property
    def spins(self) -> Floats:
        """Angular velocities, world axes [rad/s], bodies × 3."""
        found: Floats = self._native.array("spins")[self._index]
        return found

    @property
    def contacts(self) -> Contacts:
        """Contacts of this frame."""
        offsets = self._native.array("offsets")
        return contact_views(self._native, slice(int(offsets[self._index]), int(offsets[self._index + 1])))


def contact_views(native: _native.Recording, rows: slice) -> Contacts:
    """Contacts of these rows, as views."""
    return Contacts(*(native.array(f"contact_{field}")[rows] for field in Contacts._fields))
