"""Small scenes of the tests."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import voussoir as vs

#: The scene of the README, as text.
FOOTFALL = """title = "Arch under a footfall"

[materials.limestone]
density = 2300.0                      # kg/m3

[[joints]]
between = ["limestone", "limestone"]
friction = 0.6

[[bodies]]
name = "arch"
generator = "arch"
material = "limestone"
span = 7.6                            # m
thickness = 0.6
width = 0.8
voussoirs = 27

[[loads]]
name = "footfall"
select = "arch.voussoir[9]"
force = [0.0, 0.0, -1000.0]           # N
"""


def footfall() -> vs.Scene:
    """The same scene in code."""
    scene = vs.Scene("Arch under a footfall")
    stone = scene.material("limestone", density=2300.0)
    scene.joint(stone, stone, friction=0.6)
    arch = scene.arch("arch", span=7.6, thickness=0.6, width=0.8, voussoirs=27, material=stone)
    scene.load("footfall", on=arch.voussoir[9], force=(0.0, 0.0, -1000.0))
    return scene


def block(friction: float = 0.5, size: tuple[float, float, float] = (1.0, 1.0, 0.2)) -> vs.Scene:
    """A block on the ground."""
    scene = vs.Scene("Block")
    stone = scene.material("stone", density=2000.0)
    scene.joint("*", "*", friction=friction)
    scene.half_space("ground", material=stone)
    scene.box("block", size=size, position=(0.0, 0.0, size[2] / 2), material=stone)
    return scene


def command(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs the command: that of the environment variable VOUSSOIR_COMMAND, or that of the package."""
    program = os.environ.get("VOUSSOIR_COMMAND")
    start = [program] if program else [sys.executable, "-m", "voussoir"]
    return subprocess.run([*start, *arguments], capture_output=True, text=True, check=check, timeout=600)


def examples() -> pathlib.Path | None:
    """The folder of the examples, in a clone of the repository."""
    folder = pathlib.Path(__file__).parents[3] / "examples"
    return folder if (folder / "thin_arch.toml").exists() else None


def low_block(friction: float = 0.6) -> vs.Scene:
    """A low block on a ground that is a support: it slides at an acceleration of μ g before it rocks."""
    scene = vs.Scene("Low block")
    stone = scene.material("stone", density=2000.0)
    scene.joint(stone, stone, friction=friction)
    scene.support(scene.box("ground", size=(6.0, 4.0, 0.5), position=(0.0, 0.0, -0.25), material=stone))
    scene.box("block", size=(2.0, 1.0, 0.4), position=(0.0, 0.0, 0.2), material=stone)
    return scene
