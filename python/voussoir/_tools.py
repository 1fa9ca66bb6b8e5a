"""Contact problems, validation and templates."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from .answers import Solution, Validation


def solve(
    problem: str | os.PathLike[str] | npt.ArrayLike,
    q: npt.ArrayLike | None = None,
    friction: npt.ArrayLike | None = None,
    *,
    solver: str = "auto",
    tolerance: float = 1e-8,
    threads: int | None = None,
) -> Solution:
    """Solves a frictional contact problem: a file (FCLIB, Siconos), or W, q and the coefficients of friction.

    Find impulses r in the friction cones such that the velocities u = W r + q fulfil the contact law.

    problem: Path of a file, or W (contacts·dim × contacts·dim): an array, or a matrix of scipy.sparse.
    q: Velocities without impulses (contacts·dim) [m/s].
    friction: Coefficient of friction of every contact.
    solver: Name of the solver; default: chosen by size and state of the problem.
    """
    given: Any
    if isinstance(problem, (str, os.PathLike)):
        given = os.fspath(problem)
    else:
        if q is None or friction is None:
            raise ValueError("W needs q and friction")
        free = np.asarray(q, dtype=float).ravel()
        mu = np.asarray(friction, dtype=float).ravel()
        if len(mu) == 0 or len(free) % len(mu) or len(free) // len(mu) not in (2, 3):
            raise ValueError("q needs two or three numbers per contact")
        matrix: Any = problem
        if hasattr(matrix, "tocoo"):
            matrix = matrix.tocoo()
            rows, columns, values = matrix.row, matrix.col, matrix.data
        else:
            dense = np.asarray(matrix, dtype=float)
            if dense.shape != (len(free), len(free)):
                raise ValueError(f"W is {dense.shape}; it must be ({len(free)}, {len(free)})")
            rows, columns = np.nonzero(dense)
            values = dense[rows, columns]
        if len(rows) and max(int(np.max(rows)), int(np.max(columns))) >= len(free):
            raise ValueError("W has more rows or columns than q has numbers")
        given = (
            len(free) // len(mu),
            [int(row) for row in rows],
            [int(column) for column in columns],
            [float(value) for value in values],
            free.tolist(),
            mu.tolist(),
        )
    return Solution(_native.solve(given, solver, tolerance, threads))


def validate(*cases: str, threads: int | None = None) -> Validation:
    """Runs validation cases (ids, groups or files; default: all) and compares with published values."""
    data, text = _native.validate(list(cases), threads)
    return Validation(json.loads(data), text)


def templates() -> dict[str, str]:
    """Names of the templates of :meth:`Scene.template`, with their descriptions."""
    found: Sequence[tuple[str, str]] = _native.templates()
    return dict(found)
