"""Equilibrium, motion and collapse of structures held together by contact and friction.

>>> import voussoir as vs
>>> scene = vs.Scene("Arch")
>>> stone = scene.material("limestone", density=2300.0)
>>> scene.joint(stone, stone, friction=0.6)
>>> arch = scene.arch("arch", span=7.6, thickness=0.6, width=0.8, voussoirs=27, material=stone)
>>> scene.stand().stands
True

All quantities are in SI units; z points up in 3D, y in 2D.
"""

from __future__ import annotations

import json
import os
from typing import Any

from . import _native, compas, fragility
from ._tools import solve, templates, validate
from .answers import (
    Answer,
    Assessment,
    Certificate,
    Check,
    Envelope,
    Limit,
    Pushover,
    Solution,
    Stand,
    Validation,
)
from .distributions import Distribution, library, lognormal, normal, triangular, truncated, uniform
from .errors import InternalError, Interrupted, NoCurve, NotConverged, ResultsError, SceneError, VoussoirError
from .fragility import Curve, DesignPoint, Fragility, Picture, Probability, annual_rate, design_point, intensity_measures
from .frames import Contacts, Frame
from .history import History
from .models import ImportedScene, Note, import_model
from .player import player
from .run import Run, StepInfo, resume
from .samples import SampleTable
from .scene import Scene
from .selection import Body, Material, Named, Selection, of_material, tagged
from .stepper import State, Stepper
from .study import Study, Tornado
from .thrust import Thrust, ThrustLine
from .view import Viewer, view

__version__: str = _native.version()

__all__ = [
    "Answer",
    "Assessment",
    "Body",
    "Certificate",
    "Check",
    "Contacts",
    "Curve",
    "DesignPoint",
    "Distribution",
    "Envelope",
    "Fragility",
    "Frame",
    "History",
    "ImportedScene",
    "InternalError",
    "Interrupted",
    "Limit",
    "Material",
    "Named",
    "NoCurve",
    "NotConverged",
    "Note",
    "Picture",
    "Probability",
    "Pushover",
    "ResultsError",
    "Run",
    "SampleTable",
    "Scene",
    "SceneError",
    "Selection",
    "Solution",
    "Stand",
    "State",
    "StepInfo",
    "Stepper",
    "Study",
    "Thrust",
    "ThrustLine",
    "Tornado",
    "Validation",
    "Viewer",
    "VoussoirError",
    "annual_rate",
    "compas",
    "design_point",
    "fragility",
    "import_model",
    "intensity_measures",
    "library",
    "load",
    "lognormal",
    "normal",
    "player",
    "of_material",
    "report",
    "resume",
    "schema",
    "solve",
    "tagged",
    "templates",
    "triangular",
    "truncated",
    "uniform",
    "validate",
    "view",
]


def load(path: str | os.PathLike[str]) -> Scene:
    """Reads a scene file."""
    return Scene.read(path)


def report(directory: str | os.PathLike[str]) -> str:
    """Writes the report of a results folder, an HTML page; returns its path."""
    return str(_native.report(os.fspath(directory)))


def schema() -> dict[str, Any]:
    """The JSON Schema of scenes, with the meaning of every key."""
    found: dict[str, Any] = json.loads(_native.schema())
    return found
